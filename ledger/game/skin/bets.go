package skin

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// notNow refuses what the table does not wait for.
func (s *State) notNow(a *game.Action) error {
	return game.Refuse("not_now", "do", a.Do, "prompt", s.prompt())
}

// in refuses what is not done in this phase.
func (s *State) in(p game.Phase, a *game.Action) error {
	if s.At != p {
		return s.notNow(a)
	}
	return nil
}

// mine refuses what is not done in this phase or not by this seat.
func (s *State) mine(p game.Phase, a *game.Action, seat int) error {
	if err := s.in(p, a); err != nil {
		return err
	}
	return s.IsTurn(a.Seat, seat)
}

// canBet refuses a card to whoever could not bet on it: the bet has to be a
// chip at least, from both sides.
func (s *State) canBet(i int) error {
	if err := s.Broke(i); err != nil {
		return err
	}
	if s.Seats[s.Banker].Chips == 0 {
		return game.Refuse("banker_no_chips", "seat", s.Seats[s.Banker].Name)
	}
	return nil
}

// accept takes the card that goes round (SK-OFFER).
func (s *State) accept(a *game.Action, o *game.Outcome) error {
	if err := s.mine(game.Offer, a, s.actor); err != nil {
		return err
	}
	if err := s.canBet(s.actor); err != nil {
		return err
	}
	c := s.fresh
	s.fresh = card.Card{}
	s.give(c, o)
	if s.bank == none {
		s.goOnDealing(o) // the next card is the bank card
		return nil
	}
	s.negotiate(s.actor)
	return nil
}

// give puts a card before the actor, who is the last taker from now on.
func (s *State) give(c card.Card, o *game.Outcome) {
	s.holds[s.actor].card = c
	s.ranks[c.Rank] = held
	s.last = s.actor
	s.Relabel(c.Rank, "seat:"+s.Seats[s.actor].Name)
	o.Tell("skin.told.takes", "seat", s.Seats[s.actor].Name, "card", c)
}

// refuse lets the card go on to the next seat.
func (s *State) refuse(a *game.Action, o *game.Outcome) error {
	if err := s.mine(game.Offer, a, s.actor); err != nil {
		return err
	}
	s.ask(s.actor, false, o)
	return nil
}

// negotiate begins the betting of seat i with the banker.
func (s *State) negotiate(i int) {
	s.actor, s.max, s.At = i, 0, game.Negotiate
}

// name is `max`: the most the taker is ready to bet (SK-BET).
func (s *State) name(a *game.Action, o *game.Outcome) error {
	if err := s.mine(game.Negotiate, a, s.bettor()); err != nil {
		return err
	}
	if s.max > 0 {
		return s.notNow(a)
	}
	if err := s.canBet(s.actor); err != nil {
		return err
	}
	if err := game.Within(a.Amount, 1, s.Afford(s.actor)); err != nil {
		return err
	}
	s.max = a.Amount
	o.Tell("skin.told.max", "seat", a.Seat, "n", a.Amount)
	return nil
}

// bettor is whose word is next while a bet is made.
func (s *State) bettor() int {
	if s.max > 0 {
		return s.Banker
	}
	return s.actor
}

// limit is the most the banker may set.
func (s *State) limit() int64 { return min(s.max, s.Afford(s.actor), s.Seats[s.Banker].Chips) }

// offer is the amount the banker sets; both put it up at once (SK-BET).
func (s *State) offer(a *game.Action, o *game.Outcome) error {
	if err := s.mine(game.Negotiate, a, s.bettor()); err != nil {
		return err
	}
	if s.max == 0 {
		return s.notNow(a)
	}
	if err := game.Within(a.Amount, 1, s.limit()); err != nil {
		return err
	}
	s.Pay(s.stake(s.actor), s.actor, a.Amount, o)
	s.Pay(chips.Bank, s.Banker, a.Amount, o)
	s.holds[s.actor].bet, s.max = a.Amount, 0
	o.Tell("skin.told.bet", "seat", s.Seats[s.actor].Name, "n", a.Amount)
	switch {
	case s.round:
		s.nextHolder(o)
	case len(s.others()) > 0:
		s.At = game.Side
	default:
		s.goOnDealing(o)
	}
	return nil
}

// others are the seats with an open bet besides the actor: those he may propose
// a side bet to.
func (s *State) others() []int {
	var out []int
	for i := range s.holds {
		if i != s.actor && s.holds[i].bet > 0 {
			out = append(out, i)
		}
	}
	return out
}

// nextHolder lets the next card holder bet on a new bank card, from the
// banker's right round to him.
func (s *State) nextHolder(o *game.Outcome) {
	for i := s.Seats.Right(s.actor); i != s.Banker; i = s.Seats.Right(i) {
		if s.holds[i].card.Rank != card.NoRank {
			s.negotiate(i)
			return
		}
	}
	s.round = false
	s.goOnDealing(o)
}

// propose is `side`: the taker proposes a bet to another holder (SK-SIDE). A new
// proposal to the same seat takes the place of the old one.
func (s *State) propose(a *game.Action, o *game.Outcome) error {
	if err := s.mine(game.Side, a, s.actor); err != nil {
		return err
	}
	i := s.Seats.Find(a.Against)
	switch {
	case i < 0:
		return game.Refuse("no_such_seat", "name", a.Against).In("against")
	case i == s.actor || s.holds[i].bet == 0:
		return game.Refuse("no_open_bet", "seat", a.Against).In("against")
	}
	if err := s.Broke(i); err != nil {
		return err.(*game.Refusal).In("against")
	}
	if err := game.Within(a.Amount, 1, s.Afford(s.actor)); err != nil {
		return err
	}
	s.asked = slices.DeleteFunc(s.asked, func(b side) bool { return b.b == i })
	s.asked = append(s.asked, side{s.actor, i, a.Amount})
	o.Tell("skin.told.side", "seat", a.Seat, "against", a.Against, "n", a.Amount)
	return nil
}

// agree is `side_accept`: the other takes all of a proposal or a part of it.
func (s *State) agree(a *game.Action, o *game.Outcome) error {
	if err := s.in(game.Side, a); err != nil {
		return err
	}
	i, err := s.Seat(a.Seat)
	if err != nil {
		return err
	}
	if a.Against != s.Seats[s.actor].Name {
		return game.Refuse("no_proposal", "seat", a.Seat, "against", a.Against).In("against")
	}
	k := slices.IndexFunc(s.asked, func(b side) bool { return b.b == i })
	if k < 0 {
		return game.Refuse("no_proposal", "seat", a.Seat, "against", a.Against).In("seat")
	}
	if err := game.Within(a.Amount, 1, s.sideLimit(s.asked[k])); err != nil {
		return err
	}
	s.asked = slices.Delete(s.asked, k, k+1)
	s.Pay(s.stake(s.actor), s.actor, a.Amount, o)
	s.Pay(s.stake(i), i, a.Amount, o)
	s.sides = append(s.sides, side{s.actor, i, a.Amount})
	o.Tell("skin.told.side_bet", "seat", s.Seats[s.actor].Name, "against", a.Seat, "n", a.Amount)
	return nil
}

// sideLimit is the most of a proposal that can be accepted.
func (s *State) sideLimit(b side) int64 { return min(b.n, s.Afford(b.a), s.Afford(b.b)) }

// take is a loser's new card, from the middle (SK-PICK).
func (s *State) take(a *game.Action, o *game.Outcome) error {
	if err := s.mine(game.Pick, a, s.actor); err != nil {
		return err
	}
	if s.ranks[a.Rank] != middle {
		return game.Refuse("not_in_middle", "rank", a.Rank).In("rank")
	}
	if err := s.canBet(s.actor); err != nil {
		return err
	}
	s.give(s.shown(a.Rank), o)
	s.negotiate(s.actor)
	return nil
}

// shown is the newest card of a rank on the table.
func (s *State) shown(r card.Rank) card.Card {
	c := card.Card{Rank: r}
	for _, d := range s.Cards {
		if d.Card.Rank == r {
			c = d.Card
		}
	}
	return c
}

// pass ends the side bets, leaves the middle alone, or lets a new bank card be.
func (s *State) pass(a *game.Action, o *game.Outcome) error {
	if s.At != game.Side && s.At != game.Pick && !(s.At == game.Negotiate && s.round && s.max == 0) {
		return s.notNow(a)
	}
	if err := s.IsTurn(a.Seat, s.actor); err != nil {
		return err
	}
	s.asked = nil
	if s.round {
		s.nextHolder(o)
	} else {
		s.goOnDealing(o)
	}
	return nil
}

// goOn is the banker's choice after his card was matched: a new bank card
// (SK-NEWBANK), or none while the side bets are played out (SK-NOCARD).
func (s *State) goOn(a *game.Action, o *game.Outcome) error {
	if err := s.mine(game.BankDown, a, s.Banker); err != nil {
		return err
	}
	s.bank = wanted
	if a.Do == "no_bank_card" {
		s.bank = without
	}
	o.Tell("skin.told."+a.Do, "seat", a.Seat)
	s.goOnDealing(o)
	return nil
}
