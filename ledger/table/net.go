package table

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// net is the transfers that lead from the balances after was to those after
// now: the difference and nothing else, in the order of the accounts' names, so
// that it is always the same.
func net(was, now []chips.Transfer) []chips.Transfer {
	sum := make(map[chips.Account]int64)
	for _, t := range was {
		sum[t.From] += t.Amount
		sum[t.To] -= t.Amount
	}
	for _, t := range now {
		sum[t.From] -= t.Amount
		sum[t.To] += t.Amount
	}
	var names []chips.Account
	for a, n := range sum {
		if n != 0 {
			names = append(names, a)
		}
	}
	slices.Sort(names)
	var out []chips.Transfer
	i, j := 0, 0 // the next account that gives, the next that gets
	for {
		for i < len(names) && sum[names[i]] >= 0 {
			i++
		}
		for j < len(names) && sum[names[j]] <= 0 {
			j++
		}
		if i == len(names) || j == len(names) {
			return out
		}
		n := min(-sum[names[i]], sum[names[j]])
		out = append(out, chips.Transfer{From: names[i], To: names[j], Amount: n})
		sum[names[i]] += n
		sum[names[j]] -= n
	}
}

func face(a game.Action) card.Card { return card.Card{Rank: a.Rank, Suit: a.Suit} }

// describe puts an action into words, for the undo button and for what the
// table hears.
func describe(a game.Action) game.Message {
	return game.Say("did."+a.Do, "seat", a.Seat, "name", a.Name, "against", a.Against, "n", a.Amount,
		"chips", a.Chips, "min", a.Min, "max", a.Max, "card", face(a), "number", a.Card)
}
