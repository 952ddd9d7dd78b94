package table_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// chance makes up nights and actions for the random host. The same seed makes
// up the same.
type chance struct {
	*rand.Rand
	calm int // how much more seldom the host disturbs this night
}

func newChance(seed uint64) chance {
	c := chance{Rand: rand.New(rand.NewPCG(seed, 0x1a05))}
	c.calm = pick(c, []int{1, 3, 20})
	return c
}

// once says yes once in n.
func (c chance) once(n int) bool { return c.IntN(n) == 0 }

func pick[T any](c chance, list []T) T { return list[c.IntN(len(list))] }

var names = []string{"Anna", "Émile", "Жанна", "Otto", "Rosa", "B", "li 李", "Q\"uo\\te"}

// open makes up a night: any game, any profile, any house rules.
func (c chance) open(name string) game.Action {
	a := game.Action{Do: "open", Game: name}
	if name == game.Lansquenet {
		a.Profile = pick(c, game.Profiles())
	}
	rules := c.rules()
	if equal, ok := rules["equal_chips"]; a.Profile == "ru" && !ok || equal == true {
		rules["equal_chips"] = false
	}
	a.Rules, _ = json.Marshal(rules)
	n := 2 + c.IntN(len(names)-2)
	if m, ok := rules["max_players"].(int64); ok && m >= 2 {
		n = min(n, int(m))
	}
	for _, i := range c.Perm(len(names))[:n] {
		a.Seats = append(a.Seats, game.Buyin{Name: names[i], Chips: int64(c.IntN(pick(c, []int{3, 60, 60, 300})))})
	}
	a.Seats[0].Chips++ // one at least has something to play for
	if c.once(2) {
		a.Banker = pick(c, a.Seats).Name
	} else {
		for range 1 + c.IntN(game.DrawNumbers) {
			a.Draw = append(a.Draw, c.Int64N(1<<31))
		}
	}
	return a
}

// rules sets a few house rules to anything they take.
func (c chance) rules() map[string]any {
	out := make(map[string]any)
	for _, o := range game.Options() {
		if !c.once(4) {
			continue
		}
		switch {
		case o.OnOff:
			out[o.Key] = c.once(2)
		case o.Ranks:
			strip := []string{}
			for _, i := range c.Perm(card.Ranks)[:c.IntN(card.Ranks-2)] {
				strip = append(strip, card.All[i].String())
			}
			out[o.Key] = strip
		case o.Time:
			out[o.Key] = "23:30"
		case o.Values != nil:
			out[o.Key] = pick(c, o.Values)
		case o.Key == "max_players":
			out[o.Key] = pick(c, []int64{0, 2, 3, 10})
		case o.Key == "packs":
			out[o.Key] = pick(c, []int64{1, 1, 2, 6})
		case o.Key == "stop_card":
			out[o.Key] = c.Int64N(40)
		case o.Key == "loss_limit":
			out[o.Key] = c.Int64N(60)
		default:
			out[o.Key] = c.Int64N(5)
		}
	}
	return out
}

// seldom are the host's doings that end or disturb a night; they would else
// happen at every third action.
var seldom = map[string]int{"close": 300, "time_up": 150, "void": 60, "undo": 8, "correct": 12, "chips": 40, "sit": 20,
	"rise": 40, "shuffle": 15, "shoe_out": 150, "burn": 20, "close_bets": 6, "close_sale": 6}

// next makes up an action: mostly something that is offered, at an amount that
// is allowed or just not, and sometimes anything at all.
func (c chance) next(v game.View) game.Action {
	if c.once(12*c.calm) || len(v.Choices) == 0 {
		return c.anything(v)
	}
	for {
		o := pick(c, v.Choices)
		if n := seldom[o.Do]; n > 0 && !c.once(n*c.calm) {
			continue
		}
		if o.Do == "pass" && v.Phase == game.Side && !c.once(3) {
			continue // side bets are rare enough
		}
		return c.from(o, v)
	}
}

// from makes an action of a choice.
func (c chance) from(o game.Choice, v game.View) game.Action {
	a := game.Action{Do: o.Do, Seat: o.Seat}
	n := o.Min
	switch {
	case len(o.Amounts) > 0 && !c.once(10):
		n = pick(c, o.Amounts)
	case c.once(12):
		n = o.Min - 1
	case c.once(12):
		n = o.Max + 1
	case o.Max > o.Min && !c.once(4):
		n = o.Min + c.Int64N(min(o.Max-o.Min, 40)+1)
	case c.once(3):
		n = o.Max
	}
	set(&a, n)
	if len(o.Ranks) > 0 {
		a.Rank = pick(c, o.Ranks)
		// Matches make things happen: now and then a rank that lies on the table.
		if d := v.Cards; o.Do == "card" && len(d) > 0 && c.once(3) {
			a.Rank = pick(c, d).Card.Rank
		}
	}
	if len(o.Against) > 0 {
		a.Against = pick(c, o.Against)
	}
	c.rest(&a)
	return a
}

// set puts an amount where the action has it.
func set(a *game.Action, n int64) {
	switch a.Do {
	case "sit":
		a.Chips = min(n, 50)
	case "chips":
		a.Amount = min(n, 50)
	case "correct":
		a.Card = n
	case "limits":
		a.Min, a.Max = n, n
	default:
		a.Amount = n
	}
}

// rest fills in what choices leave to whoever makes them.
func (c chance) rest(a *game.Action) {
	switch a.Do {
	case "correct":
		a.Rank = pick(c, card.All[:])
	case "sit":
		a.Name = pick(c, names)
	case "void":
		a.Reason = "a card fell"
	case "limits":
		a.Max += c.Int64N(8)
	case "cover":
		a.Clip = c.once(5)
	case "burn":
		if c.once(2) {
			a.Rank = card.NoRank
		}
	}
	if (a.Do == "card" || a.Do == "burn") && a.Rank != card.NoRank && c.once(3) {
		a.Suit = card.Suit(1 + c.IntN(card.Suits))
	}
}

var everything = strings.Fields("open bank cover banco pass close_bets card keep give sell claim bid close_sale burn shuffle " +
	"shoe_out correct void undo chips sit rise time_up close accept refuse max offer side side_accept take new_bank_card " +
	"no_bank_card limits bet")

// anything is any action of anybody, legal or not.
func (c chance) anything(v game.View) game.Action {
	a := game.Action{Do: pick(c, everything)}
	if a.Do == "open" {
		return c.open(pick(c, []string{game.Lansquenet, game.Skin, game.Zecchinetta}))
	}
	if n := seldom[a.Do]; n >= 100 && !c.once(n) {
		a.Do = "card"
	}
	who := func() string {
		if len(v.Seats) > 0 && !c.once(10) {
			return pick(c, v.Seats).Name
		}
		return pick(c, names)
	}
	a.Seat, a.Against, a.Name = who(), who(), who()
	a.Amount = c.Int64N(30)
	if a.Do == "chips" {
		a.Amount -= 15
	}
	a.Chips, a.Card = c.Int64N(50), c.Int64N(8)
	a.Min, a.Max = c.Int64N(4), c.Int64N(12)
	a.Rank = pick(c, card.All[:])
	c.rest(&a)
	return a
}
