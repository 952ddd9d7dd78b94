package ledger_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"lansquenet/ledger"
	"lansquenet/ledger/journal"
)

// importAny imports anything: it is refused and leaves nothing behind, or it is
// a whole night that exports, imports and verifies as itself.
func importAny(t testing.TB, b []byte) (ok bool) {
	t.Helper()
	ctx := context.Background()
	m := journal.NewMem()
	im, err := ledger.Import(ctx, m, bytes.NewReader(b))
	all, _ := m.Sessions(ctx)
	if err != nil {
		if len(all) != 0 {
			t.Fatalf("%v, and yet there is %+v", err, all)
		}
		return false
	}
	if len(all) != 1 || all[0].ID != im.Session || all[0].Entries != im.Entries {
		t.Fatalf("%+v became %+v", im, all)
	}
	if all[0].ID == "latest" || strings.ContainsAny(all[0].ID, "/\\ \x00") {
		t.Fatalf("a night is named %q", all[0].ID)
	}
	lines := export(t, m, im.Session)
	fold, err := ledger.Verify(ledger.Lines(strings.NewReader(lines)), all[0].Head)
	if err != nil || fold.Seq() != im.Entries {
		t.Fatalf("%v after %d entries", err, fold.Seq())
	}
	if again, err := ledger.Import(ctx, m, strings.NewReader(lines)); err != nil || again.New != 0 {
		t.Fatalf("again: %+v, %v", again, err)
	}
	return true
}

// FuzzImport looks for a file that importAny stumbles over. SQLite is in the
// program and makes it slow; TestMangled does the same by plainer means.
func FuzzImport(f *testing.F) {
	night := shortNight(f)
	f.Add([]byte(night))
	f.Add([]byte(strings.ReplaceAll(night, `,"`, ` , "`)))
	f.Add([]byte(night[:len(night)/2]))
	f.Add([]byte(strings.SplitAfter(night, "\n")[0] + "\n\n"))
	f.Add([]byte(`{"seq":1,"at":"2026-11-29T20:15:03.120Z","action":{"do":"close"},"transfers":[],"prev":"7b7d","hash":""}`))
	f.Fuzz(func(t *testing.T, b []byte) { importAny(t, b) })
}

func shortNight(t testing.TB) string {
	s := journal.NewMem()
	seeded(t, 11).play(openCroupier(t, s), 12)
	return export(t, s, "latest")
}

// TestMangled imports files in which stretches were cut out, doubled, moved or
// overwritten.
func TestMangled(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	night := []byte(shortNight(t))
	tokens := []string{`"`, `{`, `}`, `[`, `]`, `,`, `:`, "\n", " ", "0", "-1", "1e9", "99999999999999999999", `\`, `"seq":`, "null", "\x00", "\xff", "\u2028", `"hash":""`}
	accepted, tries := 0, 2000
	if os.Getenv("LANSQUENET_LONG") != "" {
		tries = 100_000
	}
	for range tries {
		b := slices.Clone(night)
		for range 1 + rng.IntN(3) {
			i, j := rng.IntN(len(b)), rng.IntN(len(b))
			n := min(rng.IntN(400), len(b)-i)
			switch rng.IntN(5) {
			case 0:
				b = slices.Delete(b, i, i+n)
			case 1:
				b = slices.Insert(b, j, slices.Clone(b[i:i+n])...)
			case 2:
				b = slices.Insert(b, i, []byte(tokens[rng.IntN(len(tokens))])...)
			case 3:
				b[i] = byte(rng.Uint32())
			case 4:
				b = b[:max(i, 1)]
			}
			if len(b) == 0 {
				b = []byte{' '}
			}
		}
		if importAny(t, b) {
			accepted++
		}
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, b)
		}
	}
	t.Logf("seed %d: %d mangled files, %d still a whole night", seed, tries, accepted)
}
