package game

import "lansquenet/ledger/card"

// dice hands out the numbers that chance put into an `open`. The rules draw
// nothing themselves; should a very large table need more numbers than there
// are, they are used again, shifted, which is as fair as nobody will notice.
type dice struct {
	numbers []int64
	used    int
}

// below is a number from 0 to n-1.
func (d *dice) below(n int) int {
	turn := int64(d.used / len(d.numbers))
	x := (d.numbers[d.used%len(d.numbers)] + turn*1_327_217_885) & (1<<31 - 1)
	d.used++
	return int(x * int64(n) >> 31)
}

// card takes a card out of the shoe.
func (d *dice) card(s *Inventory) card.Card {
	n := d.below(s.Total())
	for _, k := range card.All {
		if l := s.Left(k); n < l {
			c := card.Card{Rank: k}
			s.Take(c)
			return c
		} else {
			n -= l
		}
	}
	panic("game: a shoe holds fewer cards than it says")
}

// height orders ranks for the draw of the first banker, the only place where
// ranks have an order: the ace is high (R-FIRST).
func height(r card.Rank) int {
	if r == card.Ace {
		return int(card.King) + 1
	}
	return int(r)
}

// drawBanker finds the first banker by the rules' way (R-FIRST; SK: the first
// ace) and tells the table what was drawn.
func (g *Ground) drawBanker(numbers []int64, o *Outcome) int {
	d := &dice{numbers: numbers}
	switch g.Rules.FirstBanker {
	case HighCard:
		return g.highCard(d, o)
	case FirstAce:
		return g.firstAce(d, o)
	}
	i := d.below(len(g.Seats))
	o.Tell("told.lot", "seat", g.Seats[i].Name)
	return i
}

// highCard gives each seat a card; those tied for the highest draw again.
func (g *Ground) highCard(d *dice, o *Outcome) int {
	in := make([]int, len(g.Seats))
	for i := range in {
		in[i] = i
	}
	for range DrawNumbers {
		shoe := FreshShoe(g.Rules)
		best, high := in[:0:0], 0
		for _, i := range in {
			if shoe.Total() == 0 {
				shoe = FreshShoe(g.Rules)
			}
			c := d.card(&shoe)
			o.Tell("told.draws", "seat", g.Seats[i].Name, "card", c)
			switch h := height(c.Rank); {
			case h > high:
				best, high = []int{i}, h
			case h == high:
				best = append(best, i)
			}
		}
		if in = best; len(in) == 1 {
			return in[0]
		}
	}
	// Sixty-four ties in a row: the numbers were no chance at all.
	return in[0]
}

// firstAce deals face up round the table until an ace comes, or the highest
// rank there is when the aces are stripped.
func (g *Ground) firstAce(d *dice, o *Outcome) int {
	top := card.Ace
	for k := card.King; g.Rules.Strip[top]; k-- {
		top = k
	}
	shoe := FreshShoe(g.Rules)
	for i := 0; ; i = g.Seats.Right(i) {
		if c := d.card(&shoe); c.Rank == top {
			o.Tell("told.draws", "seat", g.Seats[i].Name, "card", c)
			return i
		}
	}
}
