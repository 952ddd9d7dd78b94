package lansquenet

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// hand gives the bank to a seat, or to the next one right of it that has the
// chips: a new bank of any size, whose original owner he is.
func (s *State) hand(i int) {
	s.banker = s.Seats.Able(i, s.least())
	s.own()
	s.rotation = 0
	s.phase = bank
}

// own makes the banker the original owner of a bank of free size.
func (s *State) own() {
	s.original, s.sales, s.need, s.price = s.banker, 0, nil, 0
}

// passOn moves the bank as after a loss: to the right of its original owner,
// or, by the house rule, of its present one (R-LOSS, R-NEXT).
func (s *State) passOn(o *game.Outcome) {
	from := s.banker
	if s.Rules.NextFrom == game.Original {
		from = s.original
	}
	s.handOn(from, o)
}

// handOn gives the bank to the right of a seat and tells the table.
func (s *State) handOn(from int, o *game.Outcome) {
	s.hand(s.Seats.Right(from))
	if o != nil {
		o.Tell("told.passes_to", "seat", s.name(s.banker))
	}
}

// mayPost refuses a bank that the banker may not post.
func (s *State) mayPost(amount int64) error {
	switch {
	case amount <= 0:
		return game.Refuse("amount_zero").In("amount")
	case s.need != nil && !slices.Contains(s.need, amount):
		return game.Refuse("bank_needed", "amounts", s.need).In("amount")
	case amount < s.least():
		return game.Refuse("bank_small", "min", s.least()).In("amount")
	case amount > s.Seats[s.banker].Chips:
		return game.Refuse("chips_short", "seat", s.name(s.banker), "max", s.Seats[s.banker].Chips).In("amount")
	}
	return nil
}

// post puts the bank up, which begins a coup: the table is cleared, the shoe
// is fresh where the rules ask for it, and covering or dealing starts.
func (s *State) post(amount int64, o *game.Outcome) {
	s.Started++
	if s.fresh {
		s.Shuffled(o)
		s.fresh = false
	} else {
		s.ShoeForCoup(o)
	}
	s.clearTable()
	s.result = ""
	s.Seats[s.banker].Chips -= amount
	s.size, s.escrow = amount, amount
	if o != nil {
		o.Move(s.stack(s.banker), chips.Bank, amount)
		o.Tell("told.bank", "seat", s.name(s.banker), "n", amount)
	}
	s.startDeal()
	if s.Rules.BetTiming == game.AfterTwo {
		s.phase = firstCard
	} else {
		s.startCover()
	}
}

// clearTable takes the cards and stakes of the last coup off the table, and the
// claims and bids of the sale after it.
func (s *State) clearTable() {
	s.cards = s.cards[:0]
	s.bankCard, s.common = card.Card{}, card.Card{}
	for i := range s.punter {
		s.punter[i] = punter{}
	}
	s.staked, s.bid, s.drawn = 0, 0, 0
	s.unspent = false
}

// doBank is `bank`: the banker names the bank (R-BANK), or a second one after
// nobody covered the first (R-NOCOVER).
func (s *State) doBank(a *game.Action, o *game.Outcome) error {
	again := s.phase == noCover
	if err := s.only(s.phase == bank || again || s.phase == shoeOut && !s.unspent, a.Do); err != nil {
		return err
	}
	if err := s.mine(a, s.banker); err != nil {
		return err
	}
	if err := s.mayPost(a.Amount); err != nil {
		return err
	}
	s.named = s.need == nil && !again
	s.post(a.Amount, o)
	return nil
}

// doKeep is `keep`: after a win the banker goes on with the bank that the
// rules ask for (R-KEEP, R-KEEP2), or with any where it is free; then he has
// opened a new one.
func (s *State) doKeep(a *game.Action, o *game.Outcome) error {
	if err := s.only(s.phase == decide, a.Do); err != nil {
		return err
	}
	if err := s.mine(a, s.banker); err != nil {
		return err
	}
	if err := s.mayPost(a.Amount); err != nil {
		return err
	}
	if s.named = s.need == nil; s.named {
		s.own()
	}
	s.post(a.Amount, o)
	return nil
}

// doGive is `give`: the banker refuses the bank before it is posted, or gives
// it up after nobody covered or after a win (R-REFUSE, R-NOCOVER, R-EXIT).
func (s *State) doGive(a *game.Action, o *game.Outcome) error {
	if err := s.only(!s.running() && s.phase != sale && s.phase != capot, a.Do); err != nil {
		return err
	}
	if err := s.mine(a, s.banker); err != nil {
		return err
	}
	if s.phase == decide && s.Rules.ExitOffer == game.Must && s.sellable() {
		return game.Refuse("must_offer")
	}
	if o != nil {
		o.Tell("told.gives", "seat", s.name(s.banker))
	}
	s.leave(o)
	return nil
}

// leave moves the bank on from a banker who does not want it.
func (s *State) leave(o *game.Outcome) {
	if s.phase == bank || s.phase == shoeOut {
		s.handOn(s.banker, o)
	} else {
		s.passOn(o)
	}
}

// nobodyCovers returns the bank. One that was named freely may be named once
// more; one that had to ride, or a second one, passes on (R-NOCOVER).
func (s *State) nobodyCovers(o *game.Outcome) {
	if o != nil {
		o.Tell("told.nobody_covers", "seat", s.name(s.banker), "n", s.escrow)
	}
	s.returnBank(o)
	if s.named {
		s.phase = noCover
	} else {
		s.passOn(o)
	}
	if s.TimeUp {
		s.End(o)
	}
}

// returnBank gives the banker back what lies in the bank.
func (s *State) returnBank(o *game.Outcome) {
	if o != nil {
		o.Move(chips.Bank, s.stack(s.banker), s.escrow)
	}
	s.Seats[s.banker].Chips += s.escrow
	s.escrow = 0
}

// returnStakes gives every punter back his stake.
func (s *State) returnStakes(o *game.Outcome) {
	for i := range s.punter {
		s.returnStake(i, o)
	}
}

func (s *State) returnStake(i int, o *game.Outcome) {
	p := &s.punter[i]
	if o != nil {
		o.Move(s.stakeOf(i), s.stack(i), p.stake)
	}
	s.Seats[i].Chips += p.stake
	s.staked -= p.stake
	p.stake = 0
}
