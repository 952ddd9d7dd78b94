package lansquenet

import (
	"math/rand/v2"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// deck is one pack of 52 ranks, shuffled card by card as it is drawn.
type deck struct {
	ranks [52]card.Rank
	next  int
	rng   *rand.Rand
}

func newDeck() *deck {
	d := &deck{rng: rand.New(rand.NewPCG(1, 2))}
	for i := range d.ranks {
		d.ranks[i] = card.All[i%card.Ranks]
	}
	return d
}

func (d *deck) draw() card.Rank {
	i := d.next + d.rng.IntN(len(d.ranks)-d.next)
	d.ranks[d.next], d.ranks[i] = d.ranks[i], d.ranks[d.next]
	d.next++
	return d.ranks[d.next-1]
}

// bareCoup draws ranks and looks for the match, and nothing else.
func bareCoup(d *deck) (cards int) {
	d.next = 0
	b, p := d.draw(), d.draw()
	for b != p {
		if r := d.draw(); r == b || r == p {
			break
		}
	}
	return d.next
}

// playCoup plays the same coup by the rules: bank, banco, cards, and the bank
// named anew.
func playCoup(tb testing.TB, s *State, d *deck, acts []game.Action) (cards int) {
	d.next = 0
	step := func(a *game.Action) {
		if err := s.Step(a, nil); err != nil {
			tb.Fatal(err)
		}
	}
	step(&acts[0])
	step(&acts[1])
	for s.due() {
		acts[2].Rank = d.draw()
		step(&acts[2])
	}
	return d.next
}

func benchTable(tb testing.TB) (*State, []game.Action) {
	a, err := game.Decode([]byte(`{"do":"open","game":"lansquenet","profile":"it","banker":"A","rules":{"packs":1,"banco":true,"fixed_rotation":1000},
		"seats":[{"name":"A","chips":1000000},{"name":"B","chips":1000000}]}`))
	if err != nil {
		tb.Fatal(err)
	}
	s, _, err := New(a)
	if err != nil {
		tb.Fatal(err)
	}
	return s, []game.Action{{Do: "bank", Seat: "A", Amount: 1}, {Do: "banco", Seat: "B"}, {Do: "card"}}
}

// BenchmarkCoup prints how much longer a coup by the rules takes than drawing
// its cards and looking for the match, and the time for each card.
func BenchmarkCoup(b *testing.B) {
	b.Run("bare", func(b *testing.B) {
		d := newDeck()
		cards := 0
		for b.Loop() {
			cards += bareCoup(d)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(cards), "ns/card")
	})
	b.Run("rules", func(b *testing.B) {
		d := newDeck()
		s, acts := benchTable(b)
		cards := 0
		b.ReportAllocs()
		for b.Loop() {
			if s.rotation == 998 {
				s.rotation = 0
			}
			cards += playCoup(b, s, d, acts)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(cards), "ns/card")
	})
}

// TestNoAllocationPerCard plays coups on a copy of its own: once the copy's
// list of cards is long enough, nothing more is allocated.
func TestNoAllocationPerCard(t *testing.T) {
	d := newDeck()
	s, acts := benchTable(t)
	s.cards = make([]dealt, 0, 64)
	if n := testing.AllocsPerRun(900, func() { playCoup(t, s, d, acts) }); n > 1 {
		t.Errorf("%v allocations a coup", n)
	}
}
