// Package odds knows the exact chances of Lansquenet: of the next coup from
// whatever is left in the shoe, and of a coup as it stands. Everything is
// counted, nothing is simulated; fractions are exact, and a float is the
// nearest one to its fraction. The live page has a cheap version of its own
// (Next and Standing) that allocates nothing.
//
// Chips, seats and house options are left to the games: odds are of the plain
// coup of RULES 2.3, in which the first card is the bank's, the second the
// punters', an equal pair is a doublet, and otherwise the first of the two
// ranks to come again decides. The formulas are those of RULES 6.
package odds

import (
	"fmt"
	"math/big"
	"strings"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// MaxPacks is the largest shoe anybody may ask the odds of.
const MaxPacks = 100

// Pack is a fresh shoe: packs full packs of which only the given ranks are
// kept, every rank four times a pack. No ranks at all means all thirteen.
func Pack(packs int, ranks ...card.Rank) (game.Shoe, error) {
	var s game.Shoe
	if packs < 1 || packs > MaxPacks {
		return s, fmt.Errorf("%d packs: a shoe has 1 to %d", packs, MaxPacks)
	}
	if len(ranks) == 0 {
		ranks = card.All[:]
	}
	for _, r := range ranks {
		if r == card.NoRank || r > card.King {
			return game.Shoe{}, fmt.Errorf("%v is no rank", r)
		}
		if s.Rank[r] != 0 {
			return game.Shoe{}, fmt.Errorf("rank %v is named twice", r)
		}
		s.Rank[r] = packs * card.Suits
		s.Total += s.Rank[r]
	}
	s.Size = s.Total
	return s, nil
}

// Without is the shoe after the given cards have come out of it; more of a rank
// than the shoe holds is an error that names the rank.
func Without(s game.Shoe, seen ...card.Rank) (game.Shoe, error) {
	for _, r := range seen {
		if r == card.NoRank || r > card.King || s.Rank[r] == 0 {
			return s, fmt.Errorf("rank %v is seen more often than the shoe holds it", r)
		}
		s.Rank[r]--
		s.Total--
	}
	return s, nil
}

// ParseRanks reads a list of ranks as the commands take it: ranks as in an
// action, separated by commas, with spaces allowed around them. An empty list
// has no ranks. The error names the place and what stands there.
func ParseRanks(list string) ([]card.Rank, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var out []card.Rank
	for i, word := range strings.Split(list, ",") {
		r, err := card.ParseRank(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("place %d of the list: %w", i+1, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// Exact are the chances of one coup as fractions. Bank is every win of the
// bank, the doublet among them; Doublet, Bank-Doublet, Punters and Undecided
// sum to one. MeanCards is how many cards come out on average, of a new coup
// all of them, of a coup that runs those still to come. A coup is undecided
// when no copy of either rank is left or the shoe runs out; it ends as soon as
// that is certain, as the engine ends it (RULES R-DEAD).
type Exact struct {
	Doublet, Bank, Punters, Undecided, MeanCards *big.Rat
}

// ExactNext is the next coup from this shoe.
func ExactNext(s game.Shoe) Exact {
	t := int64(s.Total)
	if t < 2 { // the second card never comes
		return Exact{whole(0), whole(0), whole(0), whole(1), whole(t)}
	}
	pairs := t * (t - 1)
	doublets, single := int64(0), int64(0)
	cards := new(big.Rat) // expected cards after the second
	for i, a := range s.Rank {
		k := int64(a)
		doublets += k * (k - 1)
		if k == 1 {
			single++
		}
		for j, b := range s.Rank {
			if i == j || a == 0 || b == 0 || a+b == 2 {
				continue // no second card of this pair of ranks, or a dead coup
			}
			// t-2 cards wait in the shoe, a+b-2 of them decide: the first of
			// those is on average the (t-1)/(a+b-1)-th.
			cards.Add(cards, frac(k*int64(b)*(t-1), pairs*int64(a+b-1)))
		}
	}
	o := Exact{
		Doublet:   frac(doublets, pairs),
		Undecided: frac(single*(single-1), pairs),
		MeanCards: cards.Add(cards, whole(2)),
	}
	match := new(big.Rat).Sub(whole(1), o.Doublet) // matches of the bank and of the punters are as likely
	match.Sub(match, o.Undecided).Quo(match, whole(2))
	o.Punters = match
	o.Bank = new(big.Rat).Add(o.Doublet, match)
	return o
}

// ExactStanding is a coup whose two cards lie on the table, both no longer in
// the shoe.
func ExactStanding(s game.Shoe, bank, punters card.Rank) Exact {
	if bank == punters {
		return Exact{whole(1), whole(1), whole(0), whole(0), whole(0)}
	}
	b, p := int64(s.Rank[bank]), int64(s.Rank[punters])
	if b+p == 0 {
		return Exact{whole(0), whole(0), whole(0), whole(1), whole(0)}
	}
	return Exact{
		Doublet: whole(0), Undecided: whole(0),
		Bank:      frac(b, b+p),
		Punters:   frac(p, b+p),
		MeanCards: frac(int64(s.Total)+1, b+p+1),
	}
}

// Next is ExactNext in floats, cheap enough for every state of a table.
func Next(s game.Shoe) game.Odds {
	if s.Total < 2 {
		return game.Odds{Undecided: 1}
	}
	doublets, single := 0, 0
	for _, k := range s.Rank {
		doublets += k * (k - 1)
		if k == 1 {
			single++
		}
	}
	pairs := s.Total * (s.Total - 1)
	dead := single * (single - 1)
	// One division each, of exact whole numbers, so that every value is the
	// float nearest to its fraction.
	return game.Odds{
		Doublet:   float64(doublets) / float64(pairs),
		Bank:      float64(pairs+doublets-dead) / float64(2*pairs),
		Punters:   float64(pairs-doublets-dead) / float64(2*pairs),
		Undecided: float64(dead) / float64(pairs),
	}
}

// Standing is ExactStanding in floats.
func Standing(s game.Shoe, bank, punters card.Rank) game.Odds {
	if bank == punters {
		return game.Odds{Doublet: 1, Bank: 1}
	}
	b, p := s.Rank[bank], s.Rank[punters]
	if b+p == 0 {
		return game.Odds{Undecided: 1}
	}
	return game.Odds{Bank: float64(b) / float64(b+p), Punters: float64(p) / float64(b+p)}
}

func whole(n int64) *big.Rat   { return big.NewRat(n, 1) }
func frac(a, b int64) *big.Rat { return big.NewRat(a, b) }

// float is the float nearest to a fraction.
func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
