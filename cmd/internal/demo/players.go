package demo

import (
	"math/rand/v2"
	"slices"

	"lansquenet/ledger/game"
)

// player is one of the scripted people: how much he likes to risk, from 0 to 1,
// and how long he thinks, in seconds.
type player struct {
	name   string
	daring float64
	thinks float64
}

// people are the four of the demo, with moods drawn anew.
func people(rnd *rand.Rand) []player {
	folk := []player{{name: "Rosa"}, {name: "Émile"}, {name: "Жанна"}, {name: "Otto"}}
	for i := range folk {
		folk[i].daring, folk[i].thinks = 0.2+0.7*rnd.Float64(), 0.5+0.8*rnd.Float64()
	}
	return folk
}

// likes is how readily each thing is done when it may be done; what is not
// listed is only done when nothing else can be, and what is below nought never
// is: the demo's host neither undoes nor voids.
var likes = map[string]float64{
	"bank": 10, "cover": 8, "banco": 0.8, "pass": 3,
	"keep": 8, "give": 2, "sell": 2, "claim": 4, "bid": 4, "close_sale": 1.5,
	"shuffle": 20, "close_bets": 0.4,
	"accept": 8, "refuse": 2, "max": 10, "offer": 10, "side": 0.6, "side_accept": 2,
	"take": 4, "new_bank_card": 5, "no_bank_card": 2, "limits": 10, "bet": 6,
	"undo": -1, "void": -1, "correct": -1, "chips": -1, "sit": -1, "rise": -1, "time_up": -1, "close": -1,
	"burn": -1, "card": -1, "open": -1, "shoe_out": -1,
}

// choose picks one of the table's choices as the player concerned would, and how
// many frames he thinks before the next thing is done.
func (t *Table) choose(v game.View) (a game.Action, frames int, ok bool) {
	weights, sum := make([]float64, len(v.Choices)), 0.0
	for i, c := range v.Choices {
		w, known := likes[c.Do]
		if !known {
			w = 0.01
		}
		if c.Do == "shuffle" && (!v.Shuffle || t.shuffled) {
			w = 1e-9 // allowed at any time between coups, done when asked for, once, or when nothing else is left
		}
		if p := t.who(c.Seat); p != nil {
			switch c.Do {
			case "banco", "cover", "keep", "claim", "bid", "bet", "side":
				w *= 0.3 + 1.4*p.daring
			case "pass", "give", "refuse":
				w *= 1.7 - 1.4*p.daring
			}
		}
		weights[i] = max(0, w)
		sum += weights[i]
	}
	if sum == 0 {
		return a, 0, false
	}
	pick := t.rnd.Float64() * sum
	i := slices.IndexFunc(weights, func(w float64) bool { pick -= w; return w > 0 && pick < 0 })
	if i < 0 {
		i = len(weights) - 1
		for weights[i] == 0 {
			i--
		}
	}
	c := v.Choices[i]
	a = game.Action{Do: c.Do, Seat: c.Seat}
	t.shuffled = c.Do == "shuffle"
	think := 0.4
	daring := 0.5
	if p := t.who(c.Seat); p != nil {
		think, daring = p.thinks, p.daring
	}
	switch {
	case len(c.Amounts) > 0:
		a.Amount = c.Amounts[t.rnd.IntN(len(c.Amounts))]
	case c.Max > 0:
		a.Amount = t.amount(c, daring)
	}
	if c.Do == "limits" {
		a.Min, a.Max, a.Amount = 1, max(1, min(10, c.Max)), 0
	}
	if len(c.Ranks) > 0 {
		a.Rank = c.Ranks[t.rnd.IntN(len(c.Ranks))]
	}
	if len(c.Against) > 0 {
		a.Against = c.Against[t.rnd.IntN(len(c.Against))]
	}
	return a, t.frames(think * (0.6 + 0.8*t.rnd.Float64())), true
}

// amount is what a player names between the least and the most: seldom more
// than a third of it, and when he covers as much as he dares, but never so
// little that the bank goes round and round for single chips.
func (t *Table) amount(c game.Choice, daring float64) int64 {
	if c.Do == "cover" {
		if c.Max <= 6 {
			return c.Max
		}
		c.Min = max(c.Min, c.Max/3)
	}
	span := float64(c.Max - c.Min)
	if c.Do == "bank" || c.Do == "bid" || c.Do == "max" || c.Do == "offer" {
		span *= 0.3
	}
	return c.Min + int64(span*t.rnd.Float64()*(0.4+0.6*daring)+0.5)
}

func (t *Table) who(name string) *player {
	for i := range t.folk {
		if t.folk[i].name == name {
			return &t.folk[i]
		}
	}
	return nil
}
