package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"lansquenet/ledger"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/journal"
)

// reseal makes a chain of its own out of altered entries, as somebody would who
// knows how.
func reseal(t testing.TB, list []journal.Entry) []journal.Entry {
	t.Helper()
	list = slices.Clone(list)
	prev := list[0].Prev
	for i := range list {
		list[i].Seq = uint64(i + 1)
		if err := list[i].Seal(prev); err != nil {
			t.Fatal(err)
		}
		prev = list[i].Hash
	}
	return list
}

func lines(t testing.TB, list []journal.Entry) string {
	t.Helper()
	var b []byte
	for _, e := range list {
		var err error
		if b, err = e.AppendLine(b); err != nil {
			t.Fatal(err)
		}
		b = append(b, '\n')
	}
	return string(b)
}

func entries(t testing.TB, s journal.Store) []journal.Entry {
	t.Helper()
	var list []journal.Entry
	for e, err := range s.Entries(context.Background(), "latest", 0) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// TestTampering does to a file what people do who would like to have won.
func TestTampering(t *testing.T) {
	h := seeded(t, rand.Uint64())
	s := journal.NewMem()
	c := openCroupier(t, s)
	h.play(c, 200)
	list := entries(t, s)
	head := c.Final().Head
	moves := slices.IndexFunc(list[20:], func(e journal.Entry) bool { return len(e.Transfers) > 0 }) + 20
	if moves < 20 || moves > 190 {
		t.Fatal("no chips moved")
	}
	chips1 := func(to chips.Account) func(l []journal.Entry) []journal.Entry {
		return func(l []journal.Entry) []journal.Entry {
			l[moves].Transfers = slices.Clone(l[moves].Transfers)
			l[moves].Transfers[0].Amount++
			if to != "" {
				l[moves].Transfers[0].To = to
			}
			return l
		}
	}
	text := func(do func(l []string) []string) string {
		return strings.Join(do(strings.Split(strings.TrimSuffix(lines(t, list), "\n"), "\n")), "\n") + "\n"
	}
	sealed := func(do func(l []journal.Entry) []journal.Entry) string {
		return lines(t, reseal(t, do(slices.Clone(list))))
	}
	loose := func(do func(l []journal.Entry) []journal.Entry) string { return lines(t, do(slices.Clone(list))) }
	at := uint64(moves + 1)
	for name, c := range map[string]struct {
		file, head string
		seq        uint64 // the first bad entry
		word       string
	}{
		"an amount":               {loose(chips1("")), "", at, "changed"},
		"an amount, hashed anew":  {sealed(chips1("")), "", at, "its chips"},
		"a receiver, hashed anew": {sealed(chips1("stack:Otto")), "", at, "its chips"},
		"chips out of nowhere": {sealed(func(l []journal.Entry) []journal.Entry {
			l[moves].Transfers = append(slices.Clip(l[moves].Transfers), chips.Transfer{From: "cage", To: "stack:Otto", Amount: 50})
			return l
		}), "", at, "its chips"},
		"an entry left out":             {text(func(l []string) []string { return slices.Delete(l, 50, 51) }), "", 51, "missing"},
		"the first left out":            {text(func(l []string) []string { return l[1:] }), "", 1, "missing"},
		"two swapped":                   {text(func(l []string) []string { l[50], l[51] = l[51], l[50]; return l }), "", 51, "missing"},
		"one twice":                     {text(func(l []string) []string { return slices.Insert(l, 51, l[50]) }), "", 52, "twice"},
		"one of another place":          {text(func(l []string) []string { l[50] = l[30]; return l }), "", 51, "stands in its place"},
		"cut off":                       {lines(t, list[:150]), head, 151, "missing"},
		"cut off and played on":         {sealed(func(l []journal.Entry) []journal.Entry { return l[:150] }), head, 151, "missing"},
		"a stranger's head":             {lines(t, list), strings.Repeat("a", 64), 201, "missing"},
		"entries after the noted head":  {lines(t, list), list[180].Hash, 182, "added"},
		"another deck":                  {text(func(l []string) []string { l[0] = strings.Replace(l[0], `"prev":"7b`, `"prev":"7c`, 1); return l }), "", 1, "changed"},
		"a clock":                       {loose(func(l []journal.Entry) []journal.Entry { l[9].At = l[9].At.Add(1e9); return l }), "", 10, "changed"},
		"a second with another spacing": {text(func(l []string) []string { l[9] = strings.Replace(l[9], `"seq":10,`, `"seq": 10 , `, 1); return l }), head, 0, ""},
		"an unknown member":             {text(func(l []string) []string { l[9] = strings.Replace(l[9], `{"seq"`, `{"x":1,"seq"`, 1); return l }), "", 10, `"x"`},
		"a member in capitals":          {text(func(l []string) []string { l[9] = strings.Replace(l[9], `"seq"`, `"Seq"`, 1); return l }), "", 10, `"seq" is missing`},
		"a torn last line":              {strings.TrimSuffix(lines(t, list), "\"}\n"), "", 200, "cut short"},
		"a line that is none":           {text(func(l []string) []string { l[20] = "hello"; return l }), "", 21, "not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ledger.Verify(ledger.Lines(strings.NewReader(c.file)), c.head)
			var d *journal.Damage
			switch {
			case c.seq == 0:
				if err != nil {
					t.Error(err)
				}
			case !errors.As(err, &d):
				t.Errorf("found nothing: %v", err)
			case d.Seq != c.seq || !strings.Contains(d.What, c.word):
				t.Errorf("found %v, it is entry %d (%s)", err, c.seq, c.word)
			}
			if err != nil && c.head == "" {
				m := journal.NewMem()
				if _, err := ledger.Import(context.Background(), m, strings.NewReader(c.file)); err == nil {
					t.Error("was imported")
				}
				if all, _ := m.Sessions(context.Background()); len(all) != 0 {
					t.Error("half was imported")
				}
			}
		})
	}
}

// TestFlippedFile flips bits anywhere in an exported file: each is found, or the
// file still says the same.
func TestFlippedFile(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	s := journal.NewMem()
	c := openCroupier(t, s)
	seeded(t, seed).play(c, 60)
	file := export(t, s, "latest")
	flips, found := 300, 0
	if os.Getenv("LANSQUENET_LONG") != "" {
		flips = 10000
	}
	for range flips {
		bad := []byte(file)
		bit := rng.IntN(len(bad) * 8)
		bad[bit/8] ^= 1 << (bit % 8)
		f, err := ledger.Verify(ledger.Lines(strings.NewReader(string(bad))), c.Final().Head)
		if err != nil {
			found++
		} else if final(t, f.Final()) != final(t, c.Final()) {
			t.Errorf("seed %d: bit %d of byte %d (%q) went unnoticed", seed, bit%8, bit/8, file[bit/8-10:bit/8+10])
		} else {
			t.Logf("seed %d: bit %d of byte %d changes nothing", seed, bit%8, bit/8)
		}
	}
	t.Logf("seed %d: %d flips in %d bytes, %d found", seed, flips, len(file), found)
}

// TestDamagedJournal opens a table on a journal whose middle was altered: it is
// refused with the number of the entry, and nothing is played on it.
func TestDamagedJournal(t *testing.T) {
	s := journal.NewMem()
	seeded(t, 5).play(openCroupier(t, s), 100)
	list := entries(t, s)
	i := slices.IndexFunc(list, func(e journal.Entry) bool { return e.Seq > 20 && len(e.Transfers) > 0 })
	list[i].Transfers = nil
	list = reseal(t, list)
	bad := journal.NewMem()
	if err := bad.Import(context.Background(), openCroupier(t, s).State().Meta, 0, list); err != nil {
		t.Fatal(err)
	}
	_, err := ledger.Open(context.Background(), bad, ledger.Options{})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("seq %d: its chips are not what the rules yield", i+1)) {
		t.Error(err)
	}
}
