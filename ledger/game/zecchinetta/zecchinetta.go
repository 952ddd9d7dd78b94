// Package zecchinetta is the Sicilian game of Zecchinetta, also Ziginette
// (RULES 4.1): two cards for the players, the third for the banker, every new
// rank another players' card, and anyone may bet on any of them that it is not
// matched before the banker's. The French-like Italian form (RULES 4.2) is
// Lansquenet with forty cards.
//
// The package keeps the open cards and the bets on them. Seats, chips, the shoe
// and the host's doings it leaves to package game.
package zecchinetta

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// The limits of a new banker, until he sets his own (CONTRACT).
const (
	firstMin = 1
	firstMax = 10
)

// State is a table at which Zecchinetta is played; see game.Game.
type State struct {
	game.Hand
	ranks [card.Ranks + 1]place
	bets  []bet     // open bets, in the order they were first made
	card  card.Card // the banker's card, zero before the third card
	min   int64     // limits of what a seat may have on a card
	max   int64
}

// place is where the cards of a rank are.
type place uint8

const (
	unseen place = iota // none has come yet
	open                // a players' card
	banks               // the banker's card
	dead                // matched; its other cards count for nothing (Z-4)
)

// bet is what a seat has on a card.
type bet struct {
	seat int
	rank card.Rank
	n    int64
}

// New opens a night of Zecchinetta. There is no profile; the first banker,
// when not named, is drawn (Z-BANKER).
func New(a game.Action) (*State, game.Outcome, error) {
	h, o, err := game.NewHand(a, game.FirstCard)
	if err != nil {
		return nil, game.Outcome{}, err
	}
	return &State{Hand: h, min: firstMin, max: firstMax}, o, nil
}

func (s *State) copy() *State {
	c := *s
	c.Hand = s.CopyHand()
	c.bets = slices.Clone(s.bets)
	return &c
}

// Apply answers with the table after the action; see game.Game.
func (s *State) Apply(a game.Action) (game.Game, game.Outcome, error) {
	next, o := s.copy(), game.Outcome{}
	if err := next.do(&a, &o); err != nil {
		return s, game.Outcome{}, err
	}
	if next.Banker != s.Banker {
		next.min, next.max = firstMin, firstMax
	}
	return next, o, nil
}

func (s *State) do(a *game.Action, o *game.Outcome) error {
	if s.Over {
		return game.Refuse("closed")
	}
	if done, err := s.Host(a, s.rest(), s.prompt, o); done {
		if !s.Running {
			s.clear()
		}
		return err
	}
	switch a.Do {
	case "card":
		return s.deal(card.Card{Rank: a.Rank, Suit: a.Suit}, o)
	case "limits":
		return s.limits(a, o)
	case "bet":
		return s.bet(a, o)
	case "close_bets":
		if s.At != game.Betting {
			return game.Refuse("bets_closed")
		}
		o.Tell("zecchinetta.told.closed")
		s.At = game.Turn
		return nil
	}
	return game.Refuse("not_in_game", "do", a.Do, "game", game.Say("game."+s.Name))
}

func (s *State) rest() game.Rest { return game.Rest{Held: s.pledged, Return: s.giveBack} }

// clear takes every card off the table; no bet is open by then.
func (s *State) clear() {
	s.ranks = [card.Ranks + 1]place{}
	s.bets, s.card = nil, card.Card{}
}

// pledged is what of a seat's free chips answers for the bets on the table: the
// banker's, as much as all of them (Z-LIM).
func (s *State) pledged(i int) (n int64) {
	if i == s.Banker {
		for _, b := range s.bets {
			n += b.n
		}
	}
	return n
}

func (s *State) stake(i int) chips.Account { return chips.Stake(s.Seats[i].Name) }

// giveBack returns every open bet.
func (s *State) giveBack(o *game.Outcome) {
	for _, b := range s.bets {
		s.Get(s.stake(b.seat), b.seat, b.n, o)
	}
	s.bets = nil
}

// limits are the banker's, for the hand that is about to be dealt (Z-LIM).
func (s *State) limits(a *game.Action, o *game.Outcome) error {
	if s.At != game.FirstCard && s.At != game.Reshuffling && s.At != game.HandOver {
		return game.Refuse("not_now", "do", a.Do, "prompt", s.prompt())
	}
	i, err := s.Seat(a.Seat)
	switch {
	case err != nil:
		return err
	case i != s.Banker:
		return game.Refuse("not_banker", "seat", a.Seat, "banker", s.Seats[s.Banker].Name).In("seat")
	case a.Min < 1:
		return game.Refuse("too_little", "n", a.Min, "min", int64(1)).In("min")
	case a.Max < a.Min:
		return game.Refuse("too_little", "n", a.Max, "min", a.Min).In("max")
	}
	s.begin(o)
	s.min, s.max = a.Min, a.Max
	o.Tell("zecchinetta.told.limits", "seat", a.Seat, "min", a.Min, "max", a.Max)
	return nil
}

func (s *State) begin(o *game.Outcome) {
	if !s.Running {
		s.Begin(o)
		s.clear()
	}
}

// bet lays chips on an open card, or more on one's own bet (Z-BET).
func (s *State) bet(a *game.Action, o *game.Outcome) error {
	if s.At != game.Betting {
		return game.Refuse("not_now", "do", a.Do, "prompt", s.prompt())
	}
	i, err := s.Seat(a.Seat)
	switch {
	case err != nil:
		return err
	case i == s.Banker:
		return game.Refuse("banker_bets", "seat", a.Seat).In("seat")
	case s.ranks[a.Rank] != open:
		return game.Refuse("not_open", "rank", a.Rank).In("rank")
	}
	lo, hi := s.room(i, a.Rank)
	if hi < lo {
		return s.why(i, a.Rank)
	}
	if err := game.Within(a.Amount, lo, hi); err != nil {
		return err
	}
	s.Pay(s.stake(i), i, a.Amount, o)
	if k := s.find(i, a.Rank); k >= 0 {
		s.bets[k].n += a.Amount
	} else {
		s.bets = append(s.bets, bet{i, a.Rank, a.Amount})
	}
	o.Tell("zecchinetta.told.bet", "seat", a.Seat, "rank", a.Rank, "n", a.Amount)
	return nil
}

func (s *State) find(seat int, r card.Rank) int {
	return slices.IndexFunc(s.bets, func(b bet) bool { return b.seat == seat && b.rank == r })
}

// on is what a seat has on a card.
func (s *State) on(seat int, r card.Rank) int64 {
	if k := s.find(seat, r); k >= 0 {
		return s.bets[k].n
	}
	return 0
}

// payable is how much more the banker could pay.
func (s *State) payable() int64 { return s.Seats[s.Banker].Chips - s.pledged(s.Banker) }

// room is the least and the most that a seat may bet on a card now: the
// banker's limits on all it has there, its chips, and what the banker can pay.
// Nothing can be bet when the most is below the least.
func (s *State) room(seat int, r card.Rank) (lo, hi int64) {
	has := s.on(seat, r)
	return max(s.min-has, 1), min(s.max-has, s.Afford(seat), s.payable())
}

// why says what leaves no room for a bet.
func (s *State) why(seat int, r card.Rank) error {
	if err := s.Broke(seat); err != nil {
		return err
	}
	has := s.on(seat, r)
	switch lo, _ := s.room(seat, r); {
	case s.max-has < lo:
		return game.Refuse("card_full", "seat", s.Seats[seat].Name, "rank", r, "max", s.max).In("amount")
	case s.Afford(seat) < lo:
		return game.Refuse("too_few_chips", "seat", s.Seats[seat].Name, "min", lo).In("amount")
	}
	return game.Refuse("banker_cannot_pay", "seat", s.Seats[s.Banker].Name, "max", max(s.payable(), 0)).In("amount")
}
