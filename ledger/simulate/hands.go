package simulate

import (
	"fmt"

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

func (h *hands) do(a game.Action) error {
	next, _, err := h.table.Apply(a)
	if err != nil {
		return fmt.Errorf("%s of %v: %w", a.Do, a.Rank, err)
	}
	h.table, h.view = next, next.View()
	return nil
}

func (h *hands) chipsOf(name string) int64 {
	for _, s := range h.view.Seats {
		if s.Name == name {
			return s.Chips
		}
	}
	return 0
}

// hand plays one hand to its end and answers what its banker won.
func (h *hands) hand(seen func(was game.View, c card.Rank)) (int64, error) {
	h.shoe.shuffle()
	banker := h.view.Banker
	had := h.chipsOf(banker)
	for began := false; !began || h.view.Phase != game.HandOver && h.view.Phase != game.Reshuffling; began = true {
		if a, ok := h.choose(h); ok {
			if err := h.do(a); err != nil {
				return 0, err
			}
			continue
		}
		was, c := h.view, h.shoe.draw()
		if err := h.do(game.Action{Do: "card", Rank: c}); err != nil {
			return 0, err
		}
		seen(was, c)
	}
	return h.chipsOf(banker) - had, nil
}

// tally adds a hand to the result.
func (r *Result) tally(net int64, cards int, decided bool) {
	r.Net += net
	r.NetSquare += float64(net * net)
	if !decided {
		r.Undecided++
		return
	}
	r.Coups++
	r.Cards += cards
}

// skinHands plays deals in which everybody takes every card and bets one chip,
// and nobody bets with anybody but the banker.
func skinHands(open game.Action, shoe *shoe, deals int) (Result, error) {
	t, _, err := skin.New(open)
	if err != nil {
		return Result{}, err
	}
	var r Result
	h := hands{table: t, view: t.View(), shoe: shoe, choose: takeAll}
	for r.Coups < deals {
		cards, before := 0, h.view.Coups
		net, err := h.hand(func(was game.View, c card.Rank) {
			cards++
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
		if err != nil {
			return r, err
		}
		r.tally(net, cards, h.view.Coups > before)
	}
	return r, nil
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
func zecchinettaHands(open game.Action, shoe *shoe, deals int) (Result, error) {
	t, _, err := zecchinetta.New(open)
	if err != nil {
		return Result{}, err
	}
	var r Result
	h := hands{table: t, view: t.View(), shoe: shoe, choose: betAll}
	for r.Coups < deals {
		cards, before := 0, h.view.Coups
		net, err := h.hand(func(was game.View, c card.Rank) {
			cards++
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
		if err != nil {
			return r, err
		}
		r.tally(net, cards, h.view.Coups > before)
	}
	return r, nil
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
