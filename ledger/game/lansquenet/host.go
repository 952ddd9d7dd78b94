package lansquenet

import "lansquenet/ledger/game"

// doBurn is `burn`, legal whenever no card is expected.
func (s *State) doBurn(a *game.Action, o *game.Outcome) error {
	if s.due() {
		return game.Refuse("card_due", "prompt", s.prompt())
	}
	return s.BurnCard(a, o)
}

// doShuffle is `shuffle`: a fresh shoe between coups, or before the first card
// of one; in a coup that waits for its discards, those.
func (s *State) doShuffle(o *game.Outcome) error {
	switch {
	case s.unspent:
		s.goOn(s.discards(), o)
		return nil
	case s.phase == capot || s.running() && len(s.cards) > 0:
		return game.Refuse("cards_out")
	}
	s.newShoe(o)
	return nil
}

// newShoe puts a fresh shoe on the table between coups.
func (s *State) newShoe(o *game.Outcome) {
	s.Shuffled(o)
	s.fresh = false
	if s.phase == shoeOut {
		s.phase = bank
	}
}

// doShoeOut is `shoe_out`: the host says that the shoe is empty. A coup that
// runs is void, or goes on with its discards shuffled (R-SHOEOUT).
func (s *State) doShoeOut(o *game.Outcome) error {
	if o != nil {
		o.Tell("told.shoe_out")
	}
	switch {
	case s.phase == capot:
		s.Shuffled(o)
		s.endCapot(o)
	case !s.running():
		s.newShoe(o)
	case !s.Rules.VoidOnShoeout && (s.unspent || s.finishable()):
		s.goOn(s.discards(), o)
	default:
		s.Shoe, s.fresh = game.FreshShoe(s.Rules), false
		s.abandon(bank, o)
	}
	return nil
}

// doVoid is `void`, legal from the posting of the bank until the coup is
// settled (R-VOID).
func (s *State) doVoid(a *game.Action, o *game.Outcome) error {
	if !s.running() {
		return game.Refuse("nothing_to_void")
	}
	if o != nil {
		o.Tell("told.void", "reason", a.Reason)
	}
	s.abandon(bank, o)
	return nil
}

// doChips is `chips`: the cage sells and buys at any time.
func (s *State) doChips(a *game.Action, o *game.Outcome) error {
	var held int64
	if i := s.Seats.Find(a.Seat); i >= 0 {
		held = s.held(i)
	}
	if err := s.BuyOrCash(a, held, o); err != nil {
		return err
	}
	s.keepAble(o)
	return nil
}

// between refuses what may happen between coups only.
func (s *State) between() error {
	if s.running() || s.phase == capot {
		return game.Refuse("in_coup")
	}
	return nil
}

// doSit is `sit`.
func (s *State) doSit(a *game.Action, o *game.Outcome) error {
	if err := s.between(); err != nil {
		return err
	}
	if _, err := s.SitDown(a, o); err != nil {
		return err
	}
	s.punter = append(s.punter, punter{})
	s.keepAble(o)
	return nil
}

// doRise is `rise`. A banker who rises leaves his bank to the next one; who
// sells a bank or has the highest bid for one stays until the sale is closed.
func (s *State) doRise(a *game.Action, o *game.Outcome) error {
	if err := s.between(); err != nil {
		return err
	}
	if i := s.Seats.Find(a.Seat); i >= 0 && s.phase == sale && (i == s.banker || s.bid > 0 && s.bidder == i) {
		return game.Refuse("in_sale", "seat", a.Seat)
	}
	i, err := s.Rise(a, o)
	if err != nil {
		return err
	}
	s.punter[i].claims = false
	if i == s.banker {
		s.leave(o)
	}
	return nil
}

// doTimeUp is `time_up`: no new coup; one that runs is finished (R-TIME).
func (s *State) doTimeUp(o *game.Outcome) error {
	if s.TimeUp {
		return game.Refuse("time_is_up")
	}
	s.TimeUp = true
	if o != nil {
		o.Tell("told.time_up")
	}
	if !s.running() && s.phase != capot {
		s.End(o)
	}
	return nil
}

// doClose is `close`: the session ends now; a coup that runs has no result.
func (s *State) doClose(o *game.Outcome) error {
	if s.running() {
		s.returnStakes(o)
		s.returnBank(o)
		s.result = "void"
	}
	s.End(o)
	return nil
}
