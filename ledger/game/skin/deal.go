package skin

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// deal takes the next card out of the box.
func (s *State) deal(c card.Card, o *game.Outcome) error {
	switch s.At {
	case game.Turn, game.BankCard, game.HandOver:
	default:
		return game.Refuse("no_card_due", "card", c, "prompt", s.prompt())
	}
	if !s.Running {
		s.Begin(o)
		s.clear()
	}
	if err := s.Lay(c, ""); err != nil {
		return err
	}
	switch s.ranks[c.Rank] {
	case dead: // SK-5
		s.Last().Role = "dead"
		o.Tell("skin.told.dead", "card", c)
		s.goOnDealing(o)
	case middle: // SK-4
		s.away(c.Rank)
		o.Tell("skin.told.middle_pair", "card", c)
		s.goOnDealing(o)
	case held:
		s.matchHolder(c, o)
	case banks: // SK-2
		s.matchBank(c, o)
	case unseen:
		s.freshCard(c, o)
	}
	return nil
}

// goOnDealing waits for the next card in the phase that waits already. A hand
// that has run out of cards, or of anything to decide, ends.
func (s *State) goOnDealing(o *game.Outcome) {
	switch {
	case s.bank >= wanted && len(s.sides) == 0: // SK-END
		s.finish(o)
	case s.Shoe.Total() == 0:
		s.RunOut(s.rest(), o)
		s.clear()
	case s.bank == wanted || s.bank == none && s.anyHeld():
		s.At = game.BankCard
	default:
		s.At = game.Turn
	}
}

func (s *State) anyHeld() bool {
	for i := range s.holds {
		if s.holds[i].card.Rank != card.NoRank {
			return true
		}
	}
	return false
}

func (s *State) finish(o *game.Outcome) {
	s.Finish("punters", o)
	s.clear()
}

// freshCard is a card of a rank not seen yet in this hand.
func (s *State) freshCard(c card.Card, o *game.Outcome) {
	switch {
	case s.bank == wanted || s.bank == none && s.anyHeld(): // SK-0, SK-NEWBANK
		again := s.bank == wanted
		s.ranks[c.Rank], s.bank, s.card = banks, up, c
		s.Last().Role = "bank"
		o.Tell("skin.told.bank_card", "seat", s.Seats[s.Banker].Name, "card", c)
		if again {
			s.round, s.actor = true, s.Banker
			s.nextHolder(o)
			return
		}
		s.negotiate(s.actor)
	case s.bank == without: // SK-NOCARD
		s.toMiddle(c, o)
	default: // SK-OFFER, SK-3
		s.fresh = c
		s.ask(s.last, true, o)
	}
}

// ask offers the fresh card to the next seat to the right of i. The circle
// begins right of the last taker and ends with him; refused by all, the card
// goes to the middle.
func (s *State) ask(i int, first bool, o *game.Outcome) {
	for first || i != s.last {
		first = false
		i = s.Seats.Right(i)
		if i != s.Banker && s.holds[i].card.Rank == card.NoRank {
			s.actor, s.At = i, game.Offer
			return
		}
	}
	s.toMiddle(s.fresh, o)
}

func (s *State) toMiddle(c card.Card, o *game.Outcome) {
	s.ranks[c.Rank], s.fresh = middle, card.Card{}
	s.Relabel(c.Rank, "middle")
	o.Tell("skin.told.to_middle", "card", c)
	s.goOnDealing(o)
}

// matchHolder is a card that matches a seat's: he loses his bet, and his side
// bets to those whose cards still live (SK-1). Where his was the first card and
// this should have been the bank's, both go out and all begins again (SK-0).
func (s *State) matchHolder(c card.Card, o *game.Outcome) {
	loser := s.holder(c.Rank)
	h := s.holds[loser]
	s.holds[loser] = hold{}
	s.away(c.Rank)
	if s.bank == none {
		s.last = s.Banker
		o.Tell("skin.told.thrown_out", "seat", s.Seats[loser].Name, "card", c)
		s.goOnDealing(o)
		return
	}
	o.Tell("skin.told.loses", "seat", s.Seats[loser].Name, "card", c, "n", h.bet)
	if h.bet > 0 {
		s.Get(s.stake(loser), s.Banker, h.bet, o)
		s.Get(chips.Bank, s.Banker, h.bet, o)
	}
	open := s.sides[:0]
	for _, b := range s.sides {
		winner := b.a
		switch loser {
		case b.a:
			winner = b.b
		case b.b:
		default:
			open = append(open, b)
			continue
		}
		s.Get(s.stake(loser), winner, b.n, o)
		s.Get(s.stake(winner), winner, b.n, o)
		o.Tell("skin.told.side_won", "seat", s.Seats[winner].Name, "against", s.Seats[loser].Name, "n", b.n)
	}
	s.sides = open
	if s.bank == up && len(s.inMiddle()) > 0 { // SK-PICK
		s.actor, s.At = loser, game.Pick
		return
	}
	s.goOnDealing(o)
}

// matchBank pays every open bet (SK-2). With side bets still open the banker
// chooses how to go on.
func (s *State) matchBank(c card.Card, o *game.Outcome) {
	s.away(c.Rank)
	s.bank, s.card = wanted, card.Card{}
	o.Tell("skin.told.bank_matched", "seat", s.Seats[s.Banker].Name, "card", c, "n", s.inBank())
	for i := s.Seats.Right(s.Banker); i != s.Banker; i = s.Seats.Right(i) {
		if n := s.holds[i].bet; n > 0 {
			s.Get(s.stake(i), i, n, o)
			s.Get(chips.Bank, i, n, o)
			s.holds[i].bet = 0
		}
	}
	if len(s.sides) == 0 {
		s.finish(o)
		return
	}
	s.At = game.BankDown
}
