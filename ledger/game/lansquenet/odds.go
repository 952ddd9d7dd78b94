package lansquenet

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// odds are the chances of the coup that runs or comes next, by what is left in
// the shoe (RULES 6): exact as long as every card that left it was seen.
// There are none where each punter has his own card, nor for a capot.
func (s *State) odds() *game.Odds {
	if s.Rules.OwnCards {
		return nil
	}
	switch s.phase {
	case secondCard:
		return s.oddsOfSecond()
	case draw:
		return oddsOfDraw(s.Shoe.Left(s.bankCard.Rank), s.Shoe.Left(s.common.Rank))
	case cover:
		if s.bankCard.Rank != card.NoRank {
			return oddsOfDraw(s.Shoe.Left(s.bankCard.Rank), s.Shoe.Left(s.common.Rank))
		}
	case capot:
		return nil
	}
	shoe := s.Shoe
	if !s.running() && (s.fresh || s.Renews()) {
		shoe = game.FreshShoe(s.Rules)
	}
	return oddsOfNext(&shoe)
}

// oddsOfDraw is the race of b unseen cards of the bank's rank against p of the
// punters': only their order counts.
func oddsOfDraw(b, p int) *game.Odds {
	if b+p == 0 {
		return &game.Odds{Undecided: 1}
	}
	x := float64(b) / float64(b+p)
	return &game.Odds{Bank: x, Punters: 1 - x}
}

// oddsOfSecond weighs each card that may come as the punters'.
func (s *State) oddsOfSecond() *game.Odds {
	total, b := 0, s.Shoe.Left(s.bankCard.Rank)
	for _, k := range card.All {
		total += s.Shoe.Left(k)
	}
	var o game.Odds
	for _, k := range card.All {
		n := s.Shoe.Left(k)
		if n == 0 {
			continue
		}
		w := float64(n) / float64(total)
		if k == s.bankCard.Rank {
			o.Doublet = w
			o.Bank += w
			continue
		}
		d := oddsOfDraw(b, n-1)
		o.Bank += w * d.Bank
		o.Punters += w * d.Punters
		o.Undecided += w * d.Undecided
	}
	return &o
}

// oddsOfNext is the next coup from a shoe: the edge is the doublet, and a coup
// whose two ranks are both out is never decided.
func oddsOfNext(shoe *game.Inventory) *game.Odds {
	var total, pairs, ones int
	for _, k := range card.All {
		n := shoe.Left(k)
		total += n
		pairs += n * (n - 1)
		if n == 1 {
			ones++
		}
	}
	if total < 2 {
		return &game.Odds{Undecided: 1}
	}
	all := float64(total * (total - 1))
	o := game.Odds{Doublet: float64(pairs) / all, Undecided: float64(ones*(ones-1)) / all}
	o.Punters = (1 - o.Doublet - o.Undecided) / 2
	o.Bank = o.Doublet + o.Punters
	return &o
}
