package simulate

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/ledger/game/skin"
	"lansquenet/ledger/game/zecchinetta"
)

// hands plays a game of hands by asking the table itself what may be done: a
// card comes from the shoe, and everything else is for choose.
type hands struct {
	table  game.Game
	view   game.View
	shoe   *shoe
	choose func(*hands) (game.Action, bool) // false: let the next card come
}

func (h *hands) do(a game.Action) {
	next, _, err := h.table.Apply(a)
	must(err)
	h.table, h.view = next, next.View()
}

func (h *hands) chipsOf(name string) int64 {
	i := slices.IndexFunc(h.view.Seats, func(s game.SeatView) bool { return s.Name == name })
	return h.view.Seats[i].Chips
}

// hand plays one hand to its end and adds what its banker won. seen is told
// every card before it counts.
func (h *hands) hand(r *Result, seen func(was game.View, c card.Rank)) {
	h.shoe.shuffle()
	banker, before, cards := h.view.Banker, h.view.Coups, 0
	had := h.chipsOf(banker)
	for began := false; !began || h.view.Phase != game.HandOver && h.view.Phase != game.Reshuffling; began = true {
		if a, ok := h.choose(h); ok {
			h.do(a)
			continue
		}
		c := h.shoe.draw()
		seen(h.view, c)
		h.do(game.Action{Do: "card", Rank: c})
		cards++
	}
	net := h.chipsOf(banker) - had
	r.Net += net
	r.NetSquare += float64(net * net)
	if h.view.Coups == before {
		r.Undecided++
		return
	}
	r.Coups++
	r.Cards += cards
}

// until plays hands on and on.
func (h *hands) until(r *Result, seen func(was game.View, c card.Rank)) player {
	return func(coups int) {
		for r.Coups < coups && !r.hopeless() {
			h.hand(r, seen)
		}
	}
}

// skinHands plays deals in which everybody takes every card and bets one chip,
// and nobody bets with anybody but the banker.
func skinHands(open game.Action, shoe *shoe, _ bool, r *Result) player {
	t, _, err := skin.New(open)
	must(err)
	h := hands{table: t, view: t.View(), shoe: shoe, choose: takeAll}
	return h.until(r, func(was game.View, c card.Rank) {
		if len(was.Cards) == 1 {
			r.Chances++
			if was.Cards[0].Card.Rank == c {
				r.Doublets++
			}
		}
		bank := was.BankCard.Rank == c && c != card.NoRank
		for _, s := range was.Seats {
			switch {
			case s.Card.Rank == c && s.Stake > 0:
				r.Bets++
				r.BankWins++
			case bank && s.Stake > 0:
				r.Bets++
				r.PuntWins++
			}
		}
	})
}

// takeAll accepts every card, bets one chip on it and takes nothing from the
// middle.
func takeAll(h *hands) (game.Action, bool) {
	for _, c := range h.view.Choices {
		switch c.Do {
		case "accept":
			return game.Action{Do: "accept", Seat: c.Seat}, true
		case "max", "offer":
			return game.Action{Do: c.Do, Seat: c.Seat, Amount: 1}, true
		case "pass":
			return game.Action{Do: "pass", Seat: c.Seat}, true
		}
	}
	return game.Action{}, false
}

// zecchinettaHands plays hands in which the other seat has one chip on every
// card.
func zecchinettaHands(open game.Action, shoe *shoe, _ bool, r *Result) player {
	t, _, err := zecchinetta.New(open)
	must(err)
	h := hands{table: t, view: t.View(), shoe: shoe, choose: betAll}
	return h.until(r, func(was game.View, c card.Rank) {
		third := was.BankCard.Rank == card.NoRank
		pair := third && len(was.Cards) == 2 && (was.Cards[0].Card.Rank == c || was.Cards[1].Card.Rank == c)
		if third && len(was.Cards) == 2 && was.Phase == game.Betting {
			r.Chances++
			if pair {
				r.Doublets++
			}
		}
		sweep := pair && was.Rules.ThirdCard == game.Sweep
		for _, s := range was.Seats {
			for _, b := range s.Bets {
				switch {
				case pair && was.Rules.ThirdCard == game.Playette, pair && !sweep && b.Card.Rank != c:
					r.Bets++ // returned
				case sweep || b.Card.Rank == c:
					r.Bets++
					r.BankWins++
				case was.BankCard.Rank == c:
					r.Bets++
					r.PuntWins++
				}
			}
		}
	})
}

// betAll puts one chip on every open card that has none of this seat's.
func betAll(h *hands) (game.Action, bool) {
	for _, c := range h.view.Choices {
		if c.Do != "bet" {
			continue
		}
		for _, rank := range c.Ranks {
			if !betOn(h.view, c.Seat, rank) {
				return game.Action{Do: "bet", Seat: c.Seat, Rank: rank, Amount: 1}, true
			}
		}
	}
	return game.Action{}, false
}

func betOn(v game.View, seat string, r card.Rank) bool {
	for _, s := range v.Seats {
		for _, b := range s.Bets {
			if s.Name == seat && b.Card.Rank == r {
				return true
			}
		}
	}
	return false
}
