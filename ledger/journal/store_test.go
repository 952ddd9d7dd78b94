package journal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// night makes up entries that chain; what they say is no game, which a store
// does not look at.
type night struct {
	meta Meta
	head string
	seq  uint64
	at   time.Time
}

func newNight(id string) *night {
	m := Meta{Format: Format, Session: id, Program: "1.2.0", Rules: 1, Profile: "ru", Deck: "french", Camera: "none"}
	return &night{meta: m, head: m.Genesis(), at: time.Date(2026, 11, 29, 20, 15, 3, 120e6, time.UTC)}
}

func (n *night) next(t testing.TB, key string) Entry {
	t.Helper()
	n.seq++
	n.at = n.at.Add(1234 * time.Millisecond)
	e := Entry{Seq: n.seq, At: n.at, Action: game.Action{Do: "cover", Seat: "Жан <&> \u2028 на", Amount: int64(n.seq)},
		Transfers: []chips.Transfer{{From: "stack:Жан <&> \u2028 на", To: "stake:Жан <&> \u2028 на", Amount: int64(n.seq)}},
		Note:      Note{Key: key, From: "seat:Жанна"}}
	if n.seq == 1 {
		e.Action = game.Action{Do: "open", Game: "lansquenet", Profile: "ru", Seats: []game.Buyin{{Name: "Жан <&> \u2028 на", Chips: 1e9}}}
		e.Transfers = []chips.Transfer{{From: chips.Cage, To: "stack:Жан <&> \u2028 на", Amount: 1e9}}
	}
	if n.seq%3 == 0 {
		e.Action, e.Transfers = game.Action{Do: "pass", Seat: "Анна"}, nil
	}
	if err := e.Seal(n.head); err != nil {
		t.Fatal(err)
	}
	n.head = e.Hash
	return e
}

// play begins the night in s and appends up to entry last.
func (n *night) play(t testing.TB, s Store, last uint64) []Entry {
	t.Helper()
	var list []Entry
	for n.seq < last {
		e := n.next(t, fmt.Sprint("key ", n.seq))
		var err error
		if e.Seq == 1 {
			err = s.Begin(context.Background(), n.meta, e)
		} else {
			err = s.Append(context.Background(), n.meta.Session, e)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

func collect(s Store, id string, after uint64) ([]Entry, error) {
	var out []Entry
	for e, err := range s.Entries(context.Background(), id, after) {
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
	return out, nil
}

func same(a, b []Entry) bool {
	return slices.EqualFunc(a, b, func(a, b Entry) bool {
		x, err1 := a.AppendLine(nil)
		y, err2 := b.AppendLine(nil)
		return err1 == nil && err2 == nil && string(x) == string(y) && a.Note == b.Note
	})
}

// TestContract is what every Store promises.
func TestContract(t *testing.T) {
	stores := map[string]func(t *testing.T) Store{
		"memory": func(t *testing.T) Store { return NewMem() },
		"sqlite": func(t *testing.T) Store {
			s, err := Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			return s
		},
	}
	ctx := context.Background()
	cases := map[string]func(t *testing.T, s Store){
		"an empty journal": func(t *testing.T, s Store) {
			if all, err := s.Sessions(ctx); err != nil || len(all) != 0 {
				t.Errorf("sessions: %v, %v", all, err)
			}
			for _, id := range []string{"latest", "nobody"} {
				if _, err := s.Session(ctx, id); !errors.Is(err, ErrNoSession) {
					t.Errorf("session %s: %v", id, err)
				}
				if _, err := collect(s, id, 0); !errors.Is(err, ErrNoSession) {
					t.Errorf("entries of %s: %v", id, err)
				}
			}
			if err := s.Append(ctx, "nobody", newNight("x").next(t, "")); !errors.Is(err, ErrNoSession) {
				t.Errorf("append: %v", err)
			}
		},
		"what was appended is there": func(t *testing.T, s Store) {
			list := newNight("a").play(t, s, 1100)
			for _, after := range []uint64{0, 1, 75, 76, 77, 1099, 1100, 9999} {
				got, err := collect(s, "a", after)
				if err != nil || !same(got, list[min(int(after), len(list)):]) {
					t.Errorf("after %d: %d entries, %v", after, len(got), err)
				}
			}
			for again, all := 0, s.Entries(ctx, "a", 0); again < 2; again++ {
				n := 0
				for range all {
					n++
				}
				if n != len(list) {
					t.Errorf("time %d: %d entries", again+1, n)
				}
			}
			n := 0
			for range s.Entries(ctx, "latest", 0) {
				if n++; n == 7 {
					break
				}
			}
		},
		"nights stand in the order they were begun, whatever the clock says": func(t *testing.T, s Store) {
			for i, id := range []string{"first", "second", "third"} {
				n := newNight(id)
				n.at = n.at.AddDate(-i, 0, 0)
				n.play(t, s, uint64(3+i))
			}
			all, err := s.Sessions(ctx)
			if err != nil || len(all) != 3 {
				t.Fatal(all, err)
			}
			for i, id := range []string{"first", "second", "third"} {
				if all[i].ID != id || all[i].Entries != uint64(3+i) || all[i].Meta.Session != id || all[i].Closed || all[i].Imported {
					t.Errorf("night %d: %+v", i, all[i])
				}
			}
			if l, err := s.Session(ctx, "latest"); err != nil || l != all[2] {
				t.Errorf("latest: %+v, %v", l, err)
			}
			if l, err := s.Session(ctx, "second"); err != nil || l != all[1] {
				t.Errorf("second: %+v, %v", l, err)
			}
		},
		"what does not follow is refused and leaves nothing": func(t *testing.T, s Store) {
			n := newNight("a")
			list := n.play(t, s, 5)
			far, near := *n, *n
			far.seq++
			near.head = list[3].Hash
			unsealed := Entry{Seq: 6, Prev: n.head}
			for name, e := range map[string]Entry{"a gap": far.next(t, ""), "a twin": list[4], "a branch": near.next(t, ""),
				"an unsealed entry": unsealed} {
				if err := s.Append(ctx, "a", e); !errors.Is(err, ErrOrder) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if err := s.Begin(ctx, n.meta, list[0]); !errors.Is(err, ErrOrder) {
				t.Errorf("begun twice: %v", err)
			}
			if err := s.Begin(ctx, newNight("b").meta, list[0]); !errors.Is(err, ErrOrder) {
				t.Errorf("begun with another night's entry: %v", err)
			}
			if got, err := collect(s, "a", 0); err != nil || !same(got, list) {
				t.Errorf("afterwards: %d entries, %v", len(got), err)
			}
			if all, _ := s.Sessions(ctx); len(all) != 1 {
				t.Errorf("afterwards %d nights", len(all))
			}
			n.play(t, s, 9)
		},
		"a caller who has gone away writes nothing": func(t *testing.T, s Store) {
			n := newNight("a")
			list := n.play(t, s, 2)
			gone, cancel := context.WithCancel(ctx)
			cancel()
			if err := s.Append(gone, "a", n.next(t, "")); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if got, err := collect(s, "a", 0); err != nil || !same(got, list) {
				t.Errorf("afterwards: %d entries, %v", len(got), err)
			}
		},
		"the end of a night is noted": func(t *testing.T, s Store) {
			n := newNight("a")
			n.play(t, s, 2)
			e := n.next(t, "")
			e.Note.Closed = true
			if err := s.Append(ctx, "a", e); err != nil {
				t.Fatal(err)
			}
			if l, err := s.Session(ctx, "a"); err != nil || !l.Closed || l.Head != e.Hash || l.Entries != 3 || !l.Last.Equal(e.At) {
				t.Errorf("%+v, %v", l, err)
			}
		},
		"a night is imported whole, grows, and is never bent": func(t *testing.T, s Store) {
			n := newNight("a")
			list := n.play(t, NewMem(), 20)
			for i := range list {
				list[i].Note = Note{From: "import"}
			}
			if err := s.Import(ctx, n.meta, 0, list[:8]); err != nil {
				t.Fatal(err)
			}
			if err := s.Import(ctx, n.meta, 0, list[:8]); !errors.Is(err, ErrOrder) {
				t.Errorf("twice: %v", err)
			}
			if err := s.Import(ctx, n.meta, 8, append(slices.Clone(list[8:12]), list[14])); !errors.Is(err, ErrOrder) {
				t.Errorf("with a gap: %v", err)
			}
			if got, err := collect(s, "a", 0); err != nil || !same(got, list[:8]) {
				t.Errorf("after what was refused: %d entries, %v", len(got), err)
			}
			if err := s.Import(ctx, n.meta, 8, list[8:]); err != nil {
				t.Fatal(err)
			}
			if got, err := collect(s, "a", 0); err != nil || !same(got, list) {
				t.Errorf("in the end: %d entries, %v", len(got), err)
			}
			if l, err := s.Session(ctx, "a"); err != nil || !l.Imported {
				t.Errorf("%+v, %v", l, err)
			}
		},
		"readers see whole entries while one writes": func(t *testing.T, s Store) {
			n := newNight("a")
			n.play(t, s, 1)
			stop := make(chan struct{})
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					for seen := uint64(0); ; {
						var c Chain
						for e, err := range s.Entries(ctx, "a", 0) {
							if err == nil {
								e := e
								err = c.Add(&e)
							}
							if err != nil && !strings.Contains(err.Error(), "add up") {
								t.Error(err)
								return
							}
						}
						if c.Seq < seen {
							t.Errorf("saw %d entries after %d", c.Seq, seen)
						}
						seen = c.Seq
						select {
						case <-stop:
							return
						default:
						}
					}
				})
			}
			n.play(t, s, 60)
			close(stop)
			wg.Wait()
		},
	}
	for kind, open := range stores {
		for name, test := range cases {
			t.Run(kind+"/"+name, func(t *testing.T) { test(t, open(t)) })
		}
	}
}

// TestMarks: what became of the camera stays with its night over a reopening and
// a backup, and a row that was changed is not believed.
func TestMarks(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	disk, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	n, other := newNight("a"), newNight("b")
	want := []Mark{{2, n.at, true, "The camera is gone."}, {3, n.at.Add(time.Minute), false, "The camera is back."}}
	for name, s := range map[string]Store{"memory": NewMem(), "disk": disk} {
		n, other := *n, *other
		n.play(t, s, 3)
		other.play(t, s, 3)
		for _, m := range want {
			if err := s.Mark(ctx, "a", m); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := s.Marks(ctx, "a"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if got, err := s.Marks(ctx, "b"); err != nil || len(got) > 0 {
			t.Errorf("%s: another night has %+v, %v", name, got, err)
		}
		if err := s.Mark(ctx, "c", want[0]); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: no such night: %v", name, err)
		}
	}
	file := filepath.Join(t.TempDir(), "backup")
	if err := disk.Backup(ctx, file); err != nil {
		t.Fatal(err)
	}
	if err := disk.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, file} {
		s, err := OpenRead(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Marks(ctx, "a"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
		if err := s.Mark(ctx, "a", want[0]); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s was opened for reading, and yet: %v", path, err)
		}
		s.Close()
	}
	if disk, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if _, err := disk.w.Exec("UPDATE marks SET at = at - 60000 WHERE lost = 1"); err != nil {
		t.Fatal(err)
	}
	if got, err := disk.Marks(ctx, "a"); err == nil {
		t.Errorf("a changed mark was believed: %+v", got)
	}
}
