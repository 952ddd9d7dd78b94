// Package console says what a press of a button asks of the table. It is a pure
// function of the press and of what the table offers at that moment
// (game.View.Choices), and knows no rule of any game: a button means the first
// of its words that is on offer, or nothing.
//
// What the buttons are called, how long a long press is and where the wires go
// is hw's; whether the action is legal in the end is the table's.
package console

import (
	"slices"

	"lansquenet/hw"
	"lansquenet/ledger"
	"lansquenet/ledger/game"
)

// words are what a button may mean, the likeliest first: a seat's cover is also
// its yes, and its pass its no, so that two buttons a seat play a whole night.
var words = map[hw.Job][3][]string{ // by hw.Short, hw.Hold, hw.LongHold
	hw.Cover: {yes, {"banco"}, {"banco"}},
	hw.Banco: {{"banco"}, {"banco"}, {"banco"}},
	hw.Pass:  {no, append([]string{"sell"}, no...), append([]string{"sell"}, no...)},
	hw.Bank:  {{"keep", "bank", "offer"}, {"give"}, {"sell"}},
	hw.Undo:  {{"undo"}, {"undo"}, {"undo"}},
	hw.Deal:  {letting, letting, letting},
}

var (
	yes = []string{"cover", "claim", "bid", "bank", "keep", "accept", "max", "offer", "side_accept", "new_bank_card", "bet"}
	no  = []string{"pass", "refuse", "give", "no_bank_card"}
	// What lets the next card come: the bets are closed, or the shoe is made up.
	letting = []string{"close_bets", "close_sale", "shuffle"}
)

// Meaning is what a press asks for, with unit the chips of one press of cover;
// false when it means nothing now. A press of a seat's own button speaks for
// that seat only; one of the console speaks for the seat in turn, or, when none
// is in turn, for the only seat that may.
func Meaning(v game.View, p hw.Press, unit int64) (ledger.Request, bool) {
	who := v.Turn
	if p.Seat > 0 {
		if who = seat(v, p.Seat); who == "" {
			return ledger.Request{}, false
		}
	}
	for _, do := range words[p.Job][p.Kind] {
		c, ok := offered(v, do, who, p.Seat > 0)
		if !ok {
			continue
		}
		if do == "shuffle" && !waitsForShoe(v.Phase) {
			continue // on offer, but nothing that a finger on "deal" can mean
		}
		if p.Job == hw.Pass && p.Kind != hw.Short && do != "sell" && decides(v, who) {
			// A long press that was to sell must not give the bank away.
			return ledger.Request{}, false
		}
		a, ok := fill(c, p, unit)
		if !ok {
			continue
		}
		return ledger.Request{Action: a, From: "button"}, true
	}
	return ledger.Request{}, false
}

// seat is the name of the nth seat of those that have not risen.
func seat(v game.View, n int) string {
	for _, s := range v.Seats {
		if s.Left {
			continue
		}
		if n--; n == 0 {
			return s.Name
		}
	}
	return ""
}

// offered finds a choice of that name for the seat. The host's choices have no
// seat and belong to nobody's own button.
func offered(v game.View, do, who string, own bool) (game.Choice, bool) {
	var mine []game.Choice
	for _, c := range v.Choices {
		if c.Do != do {
			continue
		}
		switch {
		case c.Seat == who && who != "", c.Seat == "" && !own:
			return c, true
		case who == "" && !own:
			mine = append(mine, c)
		}
	}
	if len(mine) == 1 {
		return mine[0], true
	}
	return game.Choice{}, false
}

// decides says whether the seat is asked what to do with its bank, where keep,
// give and sell mean something different each.
func decides(v game.View, who string) bool {
	return slices.ContainsFunc(v.Choices, func(c game.Choice) bool {
		return c.Seat == who && (c.Do == "keep" || c.Do == "give")
	})
}

// waitsForShoe says whether the table stands still until a shoe is made up.
func waitsForShoe(p game.Phase) bool {
	return p == game.ShoeOut || p == game.Reshuffling || p == game.HandOver
}

// fill completes a choice to an action. A choice that leaves open what a button
// cannot say, such as which of several ranks, is left alone.
func fill(c game.Choice, p hw.Press, unit int64) (game.Action, bool) {
	a := game.Action{Do: c.Do, Seat: c.Seat}
	if c.Max > 0 {
		a.Amount = amount(c, int64(max(p.Times, 1)), unit)
	}
	if c.Do == "cover" {
		// More than is uncovered is taken as what is: the finger cannot count.
		a.Clip = true
	}
	switch len(c.Ranks) {
	case 0:
	case 1:
		a.Rank = c.Ranks[0]
	default:
		return a, false
	}
	switch len(c.Against) {
	case 0:
	case 1:
		a.Against = c.Against[0]
	default:
		return a, false
	}
	return a, true
}

// amount is what so many units come to within what the choice allows; where
// only some amounts are allowed, the units count through them.
func amount(c game.Choice, times, unit int64) int64 {
	if n := int64(len(c.Amounts)); n > 0 {
		return c.Amounts[min(times, n)-1]
	}
	unit = max(unit, 1)
	if times > c.Max/unit { // and no overflow
		return c.Max
	}
	return max(c.Min, times*unit)
}
