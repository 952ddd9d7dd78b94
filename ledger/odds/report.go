package odds

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// Question is what the odds command is asked. The zero value asks for the next
// coup from one fresh full pack.
type Question struct {
	Packs int         // nought means one
	Ranks []card.Rank // the ranks in the pack, none means all
	Seen  []card.Rank // the cards out of the shoe, a rank once for each card
	Bank  card.Rank   // the cards of a coup that runs, both or none
	Punt  card.Rank
}

// Answer are the odds as the command prints them; its JSON form is the
// contract's.
type Answer struct {
	Exact
	shoe    game.Shoe // what is left
	running bool
}

// Ask answers a question, or says in a sentence what is wrong with it.
//
// A coup that runs has two cards on the table, and they are out of the shoe.
// Whoever lists the cards he has seen may list those two or leave them out: a
// list that does not hold them both is taken as the cards seen before them.
func Ask(q Question) (Answer, error) {
	if q.Packs == 0 {
		q.Packs = 1
	}
	s, err := Pack(q.Packs, q.Ranks...)
	if err != nil {
		return Answer{}, err
	}
	full := s
	if s, err = Without(s, q.Seen...); err != nil {
		return Answer{}, err
	}
	if q.Bank == card.NoRank && q.Punt == card.NoRank {
		return Answer{Exact: ExactNext(s), shoe: s}, nil
	}
	if q.Bank == card.NoRank || q.Punt == card.NoRank {
		return Answer{}, fmt.Errorf("a coup that runs has a bank card and a punters' card: name both or neither")
	}
	table := []card.Rank{q.Bank, q.Punt}
	if _, err := Without(taken(full, s), table...); err != nil {
		if s, err = Without(s, table...); err != nil {
			return Answer{}, err
		}
	}
	return Answer{Exact: ExactStanding(s, q.Bank, q.Punt), shoe: s, running: true}, nil
}

// taken is what of the full shoe is no longer in the one that is left.
func taken(full, left game.Shoe) game.Shoe {
	for r, n := range left.Rank {
		full.Rank[r] -= n
		full.Total -= n
	}
	return full
}

// MarshalJSON writes each chance as the nearest float and, under "exact", as a
// fraction in lowest terms.
func (a Answer) MarshalJSON() ([]byte, error) {
	type chances[T any] struct {
		Doublet   T `json:"doublet"`
		Bank      T `json:"bank"`
		Punters   T `json:"punters"`
		Undecided T `json:"undecided"`
		MeanCards T `json:"mean_cards"`
	}
	return json.Marshal(struct {
		chances[float64]
		Exact chances[string] `json:"exact"`
	}{
		chances[float64]{float(a.Doublet), float(a.Bank), float(a.Punters), float(a.Undecided), float(a.MeanCards)},
		chances[string]{a.Doublet.RatString(), a.Bank.RatString(), a.Punters.RatString(),
			a.Undecided.RatString(), a.MeanCards.RatString()},
	})
}

// String is the answer for people, a line each.
func (a Answer) String() string {
	var b strings.Builder
	line := func(what string, r *big.Rat, note string) {
		fmt.Fprintf(&b, "%-11s %10.6f   %s%s\n", what, float(r), r.RatString(), note)
	}
	line("doublet", a.Doublet, "")
	line("bank", a.Bank, "   doublet or match")
	line("punters", a.Punters, "")
	line("undecided", a.Undecided, "")
	if a.running {
		line("cards", a.MeanCards, "   still to come, on average")
		return b.String()
	}
	line("cards", a.MeanCards, "   of the whole coup, on average")
	fmt.Fprintf(&b, "%-11s %10.6f   of each chip covered goes to the bank in the long run\n", "edge",
		float(new(big.Rat).Sub(a.Bank, a.Punters)))
	if lengths := Lengths(a.shoe); a.Undecided.Sign() == 0 {
		fmt.Fprintf(&b, "%-11s half of all coups are over by card %d, 99 of 100 by card %d, every one by card %d\n", "length",
			Quantile(lengths, frac(1, 2)), Quantile(lengths, frac(99, 100)), SpreadOf(lengths).Max)
		fmt.Fprintf(&b, "%-11s %d cards from the end, and 1 coup in 100 begun before it runs out of cards\n", "stop card",
			StopCard(a.shoe, frac(1, 100)))
	}
	return b.String()
}
