package ledger_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// host plays a night by picking any of the choices that the table offers.
type host struct {
	rng *rand.Rand
	t   testing.TB
}

// seeded is a host whose seed is printed when the test fails.
func seeded(t testing.TB, seed uint64) *host {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the host's seed was %d", seed)
		}
	})
	return &host{rand.New(rand.NewPCG(seed, 7)), t}
}

func do(t testing.TB, line string) game.Action {
	t.Helper()
	a, err := game.Decode([]byte(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return a
}

const opening = `{"do":"open","game":"lansquenet","profile":"ru","seats":[{"name":"Anna","chips":100000},` +
	`{"name":"Émile <&>","chips":100000},{"name":"Жанна","chips":100000},{"name":"Otto","chips":100000}],"banker":"Anna"}`

// next is any legal action, rarely one that ends the night.
func (h *host) next(v game.View) game.Action {
	for {
		c := v.Choices[h.rng.IntN(len(v.Choices))]
		if v.CardDue && h.rng.IntN(4) > 0 {
			c = game.Choice{Do: "card"}
		}
		a := game.Action{Do: c.Do, Seat: c.Seat}
		switch c.Do {
		case "card":
			a.Rank = card.All[h.rng.IntN(card.Ranks)]
			if v.Unseen.Rank[a.Rank] == 0 {
				continue
			}
			a.Confidence, a.Frame = float64(h.rng.IntN(1000))/1000, int64(h.rng.IntN(1e6))
			return a
		case "open":
			return do(h.t, opening)
		case "close", "time_up", "rise", "sit", "chips", "correct", "burn":
			continue
		case "void", "shoe_out", "undo", "give", "pass":
			if h.rng.IntN(8) > 0 {
				continue
			}
			if c.Do == "void" {
				a.Reason = "a card fell\non the floor"
			}
			return a
		}
		if c.Max > 0 {
			a.Amount = c.Min + h.rng.Int64N(min(c.Max-c.Min, 99)+1)
		}
		if len(c.Amounts) > 0 {
			a.Amount = c.Amounts[h.rng.IntN(len(c.Amounts))]
		}
		if len(c.Ranks) > 0 {
			a.Rank = c.Ranks[h.rng.IntN(len(c.Ranks))]
		}
		if len(c.Against) > 0 {
			a.Against = c.Against[h.rng.IntN(len(c.Against))]
		}
		return a
	}
}

// play submits until the night has n entries.
func (h *host) play(c *ledger.Croupier, n uint64) {
	h.t.Helper()
	for refused := 0; ; {
		st := c.State()
		if st.Seq >= n {
			return
		}
		a := do(h.t, opening)
		if st.Seq > 0 {
			a = h.next(st.View)
		}
		_, err := c.Submit(context.Background(), ledger.Request{Action: a, Seq: &st.Seq, From: "script"})
		var no *game.Refusal
		switch {
		case errors.As(err, &no):
			if refused++; refused > 1000 {
				h.t.Fatalf("nothing goes on from %s: %v", st.View.Phase, no)
			}
		case err != nil:
			h.t.Fatal(err)
		default:
			refused = 0
		}
	}
}

// ticking is a clock that moves on by a second each time it is asked, and now
// and then jumps back by a day.
func ticking() func() time.Time {
	now, n := time.Date(2026, 11, 29, 20, 15, 3, 120e6, time.UTC), 0
	return func() time.Time {
		if n++; n%97 == 0 {
			now = now.AddDate(0, 0, -1)
		}
		now = now.Add(1001 * time.Millisecond)
		return now
	}
}

func openCroupier(t testing.TB, s journal.Store) *ledger.Croupier {
	t.Helper()
	c, err := ledger.Open(context.Background(), s, ledger.Options{Now: ticking(), Program: "1.2.0", Deck: "french", Camera: "none"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func openSQLite(t testing.TB, dir string) *journal.SQLite {
	t.Helper()
	s, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func final(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func export(t testing.TB, s journal.Store, id string) string {
	t.Helper()
	var b bytes.Buffer
	if err := ledger.Export(context.Background(), s, id, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReopen stops the program after every single entry: each time the night is
// exactly where it was.
func TestReopen(t *testing.T) {
	h := seeded(t, rand.Uint64())
	dir := t.TempDir()
	var before ledger.State
	for n := uint64(1); n < 120; n++ {
		s := openSQLite(t, dir)
		c := openCroupier(t, s)
		now := c.State()
		if n > 1 {
			if final(t, now.Final) != final(t, before.Final) || final(t, now.View) != final(t, before.View) ||
				final(t, now.History) != final(t, before.History) || now.Session != before.Session {
				t.Fatalf("entry %d: opened to\n%s\nit was\n%s", n, final(t, now), final(t, before))
			}
			if len(now.Notice) == 0 {
				t.Fatalf("entry %d: nobody is told where to carry on", n)
			}
			if now.View.CardDue && (now.Notice[0].Key != "resume.card" || now.Notice[0].Args["card"] != int64(len(now.View.Cards)+1)) {
				t.Fatalf("entry %d: %v with %d cards", n, now.Notice, len(now.View.Cards))
			}
		}
		h.play(c, n)
		before = c.State()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplayIsTheNight replays, exports, imports and replays again: the same
// final byte for byte, and the same lines.
func TestReplayIsTheNight(t *testing.T) {
	ctx := context.Background()
	h := seeded(t, rand.Uint64())
	s := openSQLite(t, t.TempDir())
	c := openCroupier(t, s)
	h.play(c, 1000)
	want := final(t, c.Final())
	id := c.State().Session
	lines := export(t, s, id)
	if strings.Contains(lines, `\u003c`) {
		t.Error("the lines escape more than the canonical form does")
	}

	f, err := ledger.Verify(ledger.Lines(strings.NewReader(lines)), c.Final().Head)
	if err != nil || final(t, f.Final()) != want {
		t.Fatalf("verified to\n%s\n%s, %v", final(t, f.Final()), want, err)
	}
	other := journal.NewMem()
	for range 2 { // the second time changes nothing
		im, err := ledger.Import(ctx, other, strings.NewReader(lines))
		if err != nil || im.Entries != 1000 || im.Session != id {
			t.Fatalf("%+v, %v", im, err)
		}
	}
	if all, _ := other.Sessions(ctx); len(all) != 1 {
		t.Errorf("imported twice: %d nights", len(all))
	}
	if export(t, other, "latest") != lines {
		t.Error("the lines differ after import")
	}
	if got := final(t, openCroupier(t, other).Final()); got != want {
		t.Errorf("after import\n%s\n%s", got, want)
	}

	// The night goes on; a longer file adds to what was imported.
	h.play(c, 1100)
	im, err := ledger.Import(ctx, other, strings.NewReader(export(t, s, id)))
	if err != nil || im.New != 100 {
		t.Errorf("%+v, %v", im, err)
	}
	if im, err = ledger.Import(ctx, other, strings.NewReader(lines)); err != nil || im.New != 0 {
		t.Errorf("the shorter file again: %+v, %v", im, err)
	}
}

// TestLineAlone checks an exported line as the documentation of the canonical
// form says, with nothing of ours.
func TestLineAlone(t *testing.T) {
	h := seeded(t, 1)
	s := journal.NewMem()
	c := openCroupier(t, s)
	h.play(c, 300)
	prev := ""
	for i, line := range strings.Split(strings.TrimSuffix(export(t, s, "latest"), "\n"), "\n") {
		at := strings.LastIndex(line, `,"hash":"`)
		hash := line[at+9 : at+9+64]
		if got := sha256hex(line[:at] + "}"); got != hash {
			t.Fatalf("line %d hashes to %s and says %s", i+1, got, hash)
		}
		if i > 0 && !strings.Contains(line, `,"prev":"`+prev+`"`) {
			t.Fatalf("line %d does not name %s", i+1, prev)
		}
		prev = hash
	}
}

// TestTorn opens a table on a journal whose last write was torn off: it is said,
// and the night goes on after the last whole entry.
func TestTorn(t *testing.T) {
	src, dir := t.TempDir(), t.TempDir()
	s := openSQLite(t, src)
	c := openCroupier(t, s)
	h := seeded(t, 2)
	h.play(c, 30)
	want := final(t, c.Final())
	before, err := os.Stat(filepath.Join(src, journal.File+"-wal"))
	if err != nil {
		t.Fatal(err)
	}
	h.play(c, 31)
	for _, name := range []string{journal.File, journal.File + "-wal"} {
		b, err := os.ReadFile(filepath.Join(src, name))
		if err != nil {
			t.Fatal(err)
		}
		if name != journal.File {
			b = b[:before.Size()+1000]
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c = openCroupier(t, openSQLite(t, dir))
	if st := c.State(); final(t, st.Final) != want || len(st.Notice) != 2 || st.Notice[0].Key != "resume.torn" {
		t.Errorf("%s\n%s\n%v", final(t, st.Final), want, st.Notice)
	}
	h.play(c, 40)
}

func TestNights(t *testing.T) {
	ctx := context.Background()
	s := journal.NewMem()
	c := openCroupier(t, s)
	if st := c.State(); st.Session != "" || st.Seq != 0 {
		t.Errorf("before the first night: %+v", st)
	}
	send := func(line string) error {
		_, err := c.Submit(ctx, ledger.Request{Action: do(t, line)})
		return err
	}
	var no *game.Refusal
	if err := send(`{"do":"card","rank":"7"}`); !errors.As(err, &no) {
		t.Errorf("a card before the night: %v", err)
	}
	if err := send(opening); err != nil {
		t.Fatal(err)
	}
	first := c.State().Session
	if err := send(opening); !errors.As(err, &no) {
		t.Errorf("opened while open: %v", err)
	}
	if err := send(`{"do":"close"}`); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Session(ctx, first); err != nil || !n.Closed {
		t.Errorf("%+v, %v", n, err)
	}
	closed := final(t, c.Final())
	c = openCroupier(t, s)
	if st := c.State(); final(t, st.Final) != closed || len(st.Notice) != 0 {
		t.Errorf("a closed night opened to %+v", st)
	}
	if err := send(opening); err != nil {
		t.Fatal(err)
	}
	if st := c.State(); st.Session == first || st.Seq != 1 {
		t.Errorf("the second night: %+v", st)
	}
	// An old night that is imported is not carried on in place of one's own.
	old := journal.NewMem()
	seeded(t, 3).play(openCroupier(t, old), 30)
	if _, err := ledger.Import(ctx, s, strings.NewReader(export(t, old, "latest"))); err != nil {
		t.Fatal(err)
	}
	own := c.State().Session
	if got := openCroupier(t, s).State().Session; got != own {
		t.Errorf("carried on with %s", got)
	}
}

// TestDraw lets chance choose the banker: the numbers come from the dice, are
// journalled, and nobody else may send them.
func TestDraw(t *testing.T) {
	ctx := context.Background()
	a := do(t, strings.Replace(opening, `,"banker":"Anna"`, "", 1))
	s := journal.NewMem()
	dice := bytes.NewReader(bytes.Repeat([]byte{0xff, 0x01, 0x80, 0x7f, 0x33}, 200))
	c, err := ledger.Open(ctx, s, ledger.Options{Chance: dice})
	if err != nil {
		t.Fatal(err)
	}
	loaded := a
	loaded.Draw = []int64{1, 2, 3}
	var no *game.Refusal
	if _, err := c.Submit(ctx, ledger.Request{Action: loaded, From: "host"}); !errors.As(err, &no) || no.Field != "draw" {
		t.Errorf("loaded dice: %v", err)
	}
	if _, err := c.Submit(ctx, ledger.Request{Action: a, Key: "k", From: "host"}); err != nil {
		t.Fatal(err)
	}
	for e := range s.Entries(ctx, "latest", 0) {
		if len(e.Action.Draw) != game.DrawNumbers || slices.Max(e.Action.Draw) >= 1<<31 || slices.Min(e.Action.Draw) < 0 {
			t.Errorf("drawn: %v", e.Action.Draw)
		}
	}
	if r, err := c.Submit(ctx, ledger.Request{Action: a, Key: "k", From: "host"}); err != nil || !r.Again {
		t.Errorf("sent again: %+v, %v", r, err)
	}
	c, err = ledger.Open(ctx, journal.NewMem(), ledger.Options{Chance: bytes.NewReader(nil)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Submit(ctx, ledger.Request{Action: a}); err == nil {
		t.Error("opened without dice")
	}
	if c.State().Seq != 0 || c.State().Trouble != nil {
		t.Error("a failed draw left something behind")
	}
}

// TestOnce sends one press many times, at once and after a restart: it counts
// once, and everybody gets the same receipt.
func TestOnce(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := openSQLite(t, dir)
	c := openCroupier(t, s)
	seeded(t, 1).play(c, 1)
	req := ledger.Request{Action: do(t, `{"do":"bank","seat":"Anna","amount":12}`), Key: "press 1", From: "button"}
	var mu sync.Mutex
	var got []ledger.Receipt
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r, err := c.Submit(ctx, req)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			got = append(got, r)
			mu.Unlock()
		})
	}
	wg.Wait()
	if _, err := c.Submit(ctx, ledger.Request{Action: do(t, `{"do":"cover","seat":"Émile <&>","amount":5}`)}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = openSQLite(t, dir)
	c = openCroupier(t, s)
	stale := uint64(1)
	req.Seq = &stale // he never saw the answer, and sends exactly the same again
	r, err := c.Submit(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, r)
	first := 0
	for _, r := range got {
		if !r.Again {
			first++
		}
		r.Again = false
		if want := got[0]; final(t, r) != final(t, ledger.Receipt{Session: want.Session, Seq: 2, Phase: game.Cover, Turn: "Émile <&>", Outcome: want.Outcome}) {
			t.Errorf("receipt %+v", r)
		}
	}
	if first != 1 || c.State().Seq != 3 {
		t.Errorf("counted %d times, %d entries", first, c.State().Seq)
	}
	req.Action.Amount = 13
	var no *game.Refusal
	if _, err := c.Submit(ctx, req); !errors.As(err, &no) || no.Code != "key_used" {
		t.Errorf("the same key for something else: %v", err)
	}
}

func TestStale(t *testing.T) {
	ctx := context.Background()
	c := openCroupier(t, journal.NewMem())
	seeded(t, 1).play(c, 2)
	for _, seq := range []uint64{0, 1, 3} {
		_, err := c.Submit(ctx, ledger.Request{Action: do(t, `{"do":"close"}`), Seq: &seq})
		if !errors.Is(err, ledger.ErrStale) {
			t.Errorf("made at %d: %v", seq, err)
		}
	}
	if c.State().Seq != 2 {
		t.Error("a stale request was played")
	}
}

// Each night counts its entries from 1, so the number alone would let last
// night's page act upon tonight.
func TestStaleOfAnotherNight(t *testing.T) {
	ctx := context.Background()
	c := openCroupier(t, journal.NewMem())
	send := func(action string) {
		t.Helper()
		if _, err := c.Submit(ctx, ledger.Request{Action: do(t, action)}); err != nil {
			t.Fatal(err)
		}
	}
	send(opening)
	last := c.State().Session
	send(`{"do":"close"}`)
	send(opening)
	seq := uint64(1)
	if _, err := c.Submit(ctx, ledger.Request{Action: do(t, `{"do":"close"}`), Seq: &seq, Session: last}); !errors.Is(err, ledger.ErrStale) {
		t.Errorf("last night's press: %v", err)
	}
	if _, err := c.Submit(ctx, ledger.Request{Action: do(t, `{"do":"close"}`), Seq: &seq}); err != nil {
		t.Errorf("a press that names no night: %v", err)
	}
}

// TestChanged wakes whoever waits, for an entry and for trouble.
func TestChanged(t *testing.T) {
	s := &failing{Store: journal.NewMem()}
	c := openCroupier(t, s)
	seq, next := c.Changed()
	if seq != 0 {
		t.Error(seq)
	}
	seeded(t, 1).play(c, 1)
	<-next
	_, next = c.Changed()
	select {
	case <-next:
		t.Error("woken for nothing")
	default:
	}
	s.err = errors.New("the disk is full")
	_, err := c.Submit(context.Background(), ledger.Request{Action: do(t, `{"do":"bank","seat":"Anna","amount":12}`)})
	if !errors.Is(err, ledger.ErrStopped) || !errors.Is(err, s.err) {
		t.Error(err)
	}
	<-next
	st := c.State()
	if !errors.Is(st.Trouble, ledger.ErrStopped) || st.Seq != 1 || st.View.Phase != game.Bank {
		t.Errorf("after the write failed: %+v", st)
	}
	s.err = nil
	if _, err := c.Submit(context.Background(), ledger.Request{Action: do(t, `{"do":"close"}`)}); !errors.Is(err, ledger.ErrStopped) {
		t.Errorf("the table goes on after a failed write: %v", err)
	}
}

// failing is a journal whose disk can be made to fail.
type failing struct {
	journal.Store
	err error
}

func (f *failing) Append(ctx context.Context, id string, e journal.Entry) error {
	if f.err != nil {
		return f.err
	}
	return f.Store.Append(ctx, id, e)
}

// TestCamera loses the camera in a coup, stops the program before it is back, and
// goes on: one loss and one return are journalled, and the night itself is the
// same as with a camera that was always there.
func TestCamera(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := openSQLite(t, dir)
	c := openCroupier(t, s)
	tell := func(lost bool) {
		t.Helper()
		if err := c.Camera(ctx, lost, "a cable"); err != nil {
			t.Fatal(err)
		}
	}
	told := func() (says []string) {
		for _, x := range c.State().History {
			if x.Do == "camera" {
				says = append(says, fmt.Sprint(x.Seq, x.Said[0].Key))
			}
		}
		return says
	}
	want := func(when string, says ...string) {
		t.Helper()
		if got := told(); !slices.Equal(got, says) {
			t.Errorf("%s: %v, want %v", when, got, says)
		}
	}
	h := seeded(t, 3)
	tell(false)
	h.play(c, 7)
	want("there from the start")
	_, next := c.Changed()
	tell(true)
	<-next
	h.play(c, 9)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openSQLite(t, dir)
	c = openCroupier(t, s)
	want("after a restart", "7camera.lost")
	tell(true) // it still is
	tell(false)
	tell(false)
	want("when it is back", "7camera.lost", "9camera.back")
	h.play(c, 12)

	plain := journal.NewMem()
	p := openCroupier(t, plain)
	seeded(t, 3).play(p, 12)
	if got, want := c.Final().Final, p.Final().Final; final(t, got) != final(t, want) || c.State().Seq != p.State().Seq {
		t.Errorf("with a loss: %s, without: %s", final(t, got), final(t, want))
	}
	if n := strings.Count(export(t, s, "latest"), "\n"); n != 12 {
		t.Errorf("%d lines are exported, want one for each entry", n)
	}
	// A night that begins without its camera says so, and one that is over
	// hears no more of it.
	tell(true)
	for _, a := range []string{`{"do":"close"}`, `{"do":"open","game":"skin","seats":[{"name":"A","chips":9},{"name":"B","chips":9}]}`} {
		if _, err := c.Submit(ctx, ledger.Request{Action: do(t, a)}); err != nil {
			t.Fatal(err)
		}
	}
	want("the next night", "1camera.lost")
	if _, err := c.Submit(ctx, ledger.Request{Action: do(t, `{"do":"close"}`)}); err != nil {
		t.Fatal(err)
	}
	tell(false)
	want("when it is over", "1camera.lost")
}

// TestUnwritable submits what no JSON could have carried: it is refused, and the
// journal can still be read.
func TestUnwritable(t *testing.T) {
	s := journal.NewMem()
	c := openCroupier(t, s)
	seeded(t, 1).play(c, 1)
	nan := 0.0
	nan /= nan
	for _, a := range []game.Action{
		{Do: "card", Rank: card.Seven, Confidence: nan}, {Do: "card", Rank: card.Seven, Confidence: 1.5},
		{Do: "card"}, {Do: "card", Rank: 99}, {Do: "dance"}, {}, {Do: "bank", Seat: "Anna", Amount: -1},
		{Do: "bank", Seat: "Anna\x00", Amount: 1}, {Do: "bank", Seat: "\xff", Amount: 1},
	} {
		_, err := c.Submit(context.Background(), ledger.Request{Action: a})
		var no *game.Refusal
		if !errors.As(err, &no) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	if f, err := ledger.Verify(s.Entries(context.Background(), "latest", 0), ""); err != nil || f.Seq() != 1 {
		t.Errorf("%d entries, %v", f.Seq(), err)
	}
}

// TestManyHands lets many submit at once: each entry is one of theirs, in order,
// and the chips are all there.
func TestManyHands(t *testing.T) {
	s := openSQLite(t, t.TempDir())
	c := openCroupier(t, s)
	seeded(t, 1).play(c, 1)
	seed := rand.Uint64()
	var wg sync.WaitGroup
	for i := range 8 {
		h := seeded(t, seed+uint64(i))
		wg.Go(func() {
			for c.State().Seq < 200 {
				_, err := c.Submit(context.Background(), ledger.Request{Action: h.next(c.State().View), From: fmt.Sprint(i)})
				var no *game.Refusal
				if err != nil && !errors.As(err, &no) {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	f, err := ledger.Verify(s.Entries(context.Background(), "latest", 0), "")
	if err != nil || final(t, f.Final()) != final(t, c.Final()) {
		t.Errorf("%v\n%s\n%s", err, final(t, f.Final()), final(t, c.Final()))
	}
	conserved(t, s.Entries(context.Background(), "latest", 0), 400000)
}

// conserved makes sure that all chips of a night are somewhere.
func conserved(t testing.TB, entries func(func(journal.Entry, error) bool), want int64) {
	t.Helper()
	var book chips.Book
	for e, err := range entries {
		if err == nil {
			err = book.Post(e.Transfers)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sum := int64(0)
	for _, n := range book.Balances() {
		sum += n
	}
	if sum != 0 || book.Balance(chips.Cage) != -want {
		t.Errorf("the accounts sum to %d, the cage stands at %d", sum, book.Balance(chips.Cage))
	}
}
