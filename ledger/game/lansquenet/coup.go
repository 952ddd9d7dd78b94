package lansquenet

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// card is `card`: the only way a card comes into a coup (R-CARDS). It is
// checked against the shoe before it counts (R-IMPOSSIBLE).
func (s *State) card(c card.Card, o *game.Outcome) error {
	if !s.due() {
		return game.Refuse("no_card_due", "card", c, "prompt", s.prompt())
	}
	if s.unspent {
		shoe := s.discards()
		if !shoe.Can(c) {
			return shoe.Impossible(c)
		}
		s.goOn(shoe, o)
	}
	if !s.Shoe.Take(c) {
		return s.Shoe.Impossible(c)
	}
	switch s.phase {
	case firstCard:
		s.lay(c, bankRole, 0)
		s.bankCard = c
		if o != nil {
			o.Tell("told.bank_card", "card", c)
		}
		s.phase = secondCard
		s.checkDead(o)
	case secondCard:
		if s.Rules.OwnCards {
			s.ownCard(c, o)
		} else {
			s.commonCard(c, o)
		}
	case draw:
		if s.drawn++; s.Rules.OwnCards {
			s.drawOwn(c, o)
		} else {
			s.drawCommon(c, o)
		}
	case capot:
		s.capotCard(c, o)
	}
	return nil
}

func (s *State) lay(c card.Card, r role, seat int) {
	s.cards = append(s.cards, dealt{c, r, int16(seat)})
}

// startDeal makes ready for the first cards of a deal; a redeal comes here too.
func (s *State) startDeal() {
	s.bankCard, s.common, s.drawn = card.Card{}, card.Card{}, 0
	s.deal = s.banker
}

// redeals says whether a doublet settles nothing and is dealt anew.
func (s *State) redeals() bool {
	return s.Rules.Doublet == game.Redeal || s.Rules.BetTiming == game.AfterTwo
}

// commonCard is the second card, common to all punters.
func (s *State) commonCard(c card.Card, o *game.Outcome) {
	if c.Rank == s.bankCard.Rank {
		s.lay(c, doubletRole, 0)
		if s.redeals() {
			if o != nil {
				o.Tell("told.doublet_redeal", "card", c)
			}
			s.startDeal()
			s.phase = firstCard
			s.checkDead(o)
			return
		}
		s.decideAll(doubletLoss)
		s.settle("doublet", o)
		return
	}
	s.lay(c, puntersRole, 0)
	s.common = c
	if o != nil {
		o.Tell("told.punters_card", "card", c)
	}
	s.firstCardsOut(o)
}

// firstCardsOut goes on once the bank and the punters have their cards.
func (s *State) firstCardsOut(o *game.Outcome) {
	s.phase = draw
	if s.checkDead(o) || s.Rules.BetTiming != game.AfterTwo {
		return
	}
	s.startCover()
}

// drawCommon is a card turned for the two ranks: the first that equals one of
// them decides for all (R-MATCH).
func (s *State) drawCommon(c card.Card, o *game.Outcome) {
	switch c.Rank {
	case s.bankCard.Rank:
		s.lay(c, matchRole, 0)
		s.decideAll(bankMatch)
		s.settle("bank", o)
	case s.common.Rank:
		s.lay(c, matchRole, 0)
		s.decideAll(puntersMatch)
		s.settle("punters", o)
	default:
		s.lay(c, plain, 0)
		if o != nil {
			o.Tell("told.card", "card", c)
		}
		if s.Shoe.Total() == 0 {
			s.dead(o)
		}
	}
}

// decideAll gives every stake that is still open the same fate.
func (s *State) decideAll(f fate) {
	for i := range s.punter {
		if p := &s.punter[i]; p.stake > 0 && p.fate == undecided {
			p.fate = f
			p.double = s.Rules.FirstMatchDouble && s.drawn == 1
		}
	}
}

// ownCard is the card of one punter, from the banker's right (R-MULTI). Those
// without a stake get none, unless the stakes come after the cards.
func (s *State) ownCard(c card.Card, o *game.Outcome) {
	i := s.nextOwn(s.deal)
	p := &s.punter[i]
	if o != nil {
		o.Tell("told.own_card", "seat", s.name(i), "card", c)
	}
	if c.Rank == s.bankCard.Rank {
		s.lay(c, doubletRole, i)
		if s.redeals() {
			// No result for this punter: he gets another card.
			if o != nil {
				o.Tell("told.own_redeal", "seat", s.name(i))
			}
			s.checkDead(o)
			return
		}
		p.fate = doubletLoss
		if o != nil {
			o.Tell("told.own_doublet", "seat", s.name(i))
		}
	} else {
		s.lay(c, ownRole, i)
	}
	p.card = c
	s.deal = i
	switch {
	case s.nextOwn(i) >= 0:
		s.checkDead(o)
	case s.open() > 0 || s.Rules.BetTiming == game.AfterTwo:
		s.firstCardsOut(o)
	default:
		s.settle("doublet", o)
	}
}

// nextOwn is the punter who gets the next own card after seat i, -1 when all
// have theirs.
func (s *State) nextOwn(i int) int {
	for i = s.Seats.Right(i); i != s.banker; i = s.Seats.Right(i) {
		if s.punter[i].stake > 0 || s.Rules.BetTiming == game.AfterTwo {
			return i
		}
	}
	return -1
}

// open is how many stakes are still undecided.
func (s *State) open() (n int) {
	for i := range s.punter {
		if p := &s.punter[i]; p.stake > 0 && p.fate == undecided {
			n++
		}
	}
	return n
}

// drawOwn is a card turned for the bank's rank and each punter's own: a
// punter's wins his stake alone, the bank's all that is still open (R-MULTI).
func (s *State) drawOwn(c card.Card, o *game.Outcome) {
	if c.Rank == s.bankCard.Rank {
		s.lay(c, matchRole, 0)
		s.decideAll(bankMatch)
		s.settle("bank", o)
		return
	}
	r := plain
	for i := range s.punter {
		if p := &s.punter[i]; p.stake > 0 && p.fate == undecided && p.card.Rank == c.Rank {
			p.fate = puntersMatch
			p.double = s.Rules.FirstMatchDouble && s.drawn == 1
			r = matchRole
			if o != nil {
				o.Tell("told.own_match", "seat", s.name(i), "card", c)
			}
		}
	}
	s.lay(c, r, 0)
	if o != nil && r == plain {
		o.Tell("told.card", "card", c)
	}
	if s.open() == 0 {
		s.settle("punters", o)
	} else {
		s.checkDead(o)
	}
}

// checkDead ends a coup that can never be decided: the shoe is empty, or no
// unseen copy of either rank is left (R-DEAD).
func (s *State) checkDead(o *game.Outcome) bool {
	if s.Shoe.Total() == 0 || s.phase == draw && !s.decidable() {
		s.dead(o)
		return true
	}
	return false
}

// decidable says whether a card that would decide something is still unseen.
func (s *State) decidable() bool {
	if s.Shoe.Left(s.bankCard.Rank) > 0 {
		return true
	}
	if !s.Rules.OwnCards {
		return s.Shoe.Left(s.common.Rank) > 0
	}
	for i := range s.punter {
		p := &s.punter[i]
		stands := p.stake > 0 && p.fate == undecided || s.staked == 0
		if stands && p.card.Rank != card.NoRank && s.Shoe.Left(p.card.Rank) > 0 {
			return true
		}
	}
	return false
}

// dead voids the coup (R-SHOEOUT), or, where the house finishes it, waits for
// the discards to be shuffled.
func (s *State) dead(o *game.Outcome) {
	if !s.Rules.VoidOnShoeout && s.finishable() {
		o.Tell("told.shoe_out")
		s.unspent, s.resume, s.phase = true, s.phase, shoeOut
		return
	}
	o.Tell("told.dead")
	s.fresh = true
	s.abandon(shoeOut, o)
}

// abandon ends a coup without a result: everything posted goes back; banker,
// sales and the size that the bank must have stay, and it may again be named
// twice (R-VOID).
func (s *State) abandon(then phase, o *game.Outcome) {
	s.returnStakes(o)
	s.returnBank(o)
	s.clearTable()
	s.result = "void"
	s.phase = then
	if s.TimeUp {
		s.End(o)
	}
}

// finishable says whether the discards, shuffled, could decide this coup. They
// cannot when every card of the shoe, or every card that would decide, lies in
// the coup itself, as may be after many doublets dealt anew.
func (s *State) finishable() bool {
	t := *s
	t.Shoe = s.discards()
	return t.Shoe.Total() > 0 && (s.phase != draw || t.decidable())
}

// discards is the shoe when everything but this coup's cards is shuffled.
func (s *State) discards() game.Inventory {
	shoe := game.FreshShoe(s.Rules)
	for _, d := range s.cards {
		shoe.Take(d.card)
	}
	return shoe
}

// goOn finishes a coup with its discards shuffled.
func (s *State) goOn(shoe game.Inventory, o *game.Outcome) {
	s.Shoe = shoe
	if s.unspent {
		s.unspent, s.phase = false, s.resume
	}
	if o != nil {
		o.Tell("told.shuffle", "n", int64(shoe.Total()))
	}
}
