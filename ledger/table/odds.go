package table

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/ledger/odds"
)

// chances are those of the coup that runs or comes next, nil where package odds
// has none: in the other games, where each punter has his own card, and for a
// capot.
func chances(v game.View) *game.Odds {
	if v.Game != game.Lansquenet || v.Rules.OwnCards || v.Phase == game.Capot || v.Phase == game.Closed {
		return nil
	}
	shoe := v.Unseen
	if v.Shuffle {
		fresh := game.FreshShoe(&v.Rules)
		shoe = fresh.View()
	}
	// A card burned unseen may be any: it counts as one that could still come.
	shoe.Total = 0
	for _, n := range shoe.Rank {
		shoe.Total += n
	}
	var o game.Odds
	switch {
	case v.Phase == game.SecondCard:
		o = second(shoe, v.BankCard.Rank)
	case v.Bank > 0 && v.PuntersCard.Rank != card.NoRank:
		o = odds.Standing(shoe, v.BankCard.Rank, v.PuntersCard.Rank)
	default:
		o = odds.Next(shoe)
	}
	return &o
}

// second is the coup when only the bank card lies: each card that may come as
// the punters' weighed with its chance.
func second(shoe game.Shoe, bank card.Rank) (o game.Odds) {
	for _, r := range card.All {
		n := shoe.Rank[r]
		if n == 0 {
			continue
		}
		w := float64(n) / float64(shoe.Total)
		after := shoe
		after.Rank[r]--
		s := odds.Standing(after, bank, r)
		o.Doublet += w * s.Doublet
		o.Bank += w * s.Bank
		o.Punters += w * s.Punters
		o.Undecided += w * s.Undecided
	}
	return o
}
