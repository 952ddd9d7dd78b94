package lansquenet

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// settle moves the chips by what became of each stake, gives the banker what
// is left of the bank, and goes on as the result asks. result is "doublet",
// "bank" or "punters" (R-SETTLE-B, R-SETTLE-P).
func (s *State) settle(result string, o *game.Outcome) {
	var won, paid int64
	var winners, losers []game.Message
	for i := range s.punter {
		p := &s.punter[i]
		if p.stake == 0 {
			continue
		}
		gain := s.settleOne(i, o)
		if gain < 0 {
			won -= gain
		} else {
			paid += gain
		}
		if o != nil && gain > 0 {
			winners = append(winners, game.Say("pair", "seat", s.name(i), "n", gain))
		} else if o != nil && gain < 0 {
			losers = append(losers, game.Say("pair", "seat", s.name(i), "n", -gain))
		}
	}
	staked := s.staked
	s.staked = 0
	s.returnBank(o)
	s.Coups++
	s.result = result
	if o != nil {
		o.Tell("told.won_"+result, "seat", s.name(s.banker), "n", won, "paid", paid, "card", s.cards[len(s.cards)-1].card)
		if len(winners) > 0 {
			o.Tell("told.winners", "list", winners)
		}
		if len(losers) > 0 && len(winners) > 0 {
			o.Tell("told.losers", "list", losers)
		}
	}
	if result == "punters" {
		s.after(s.passOn, o)
		return
	}
	s.require(result, staked, won-paid)
	if result == "bank" && s.owing() && s.Shoe.Total() > 0 {
		s.phase = capot
		return
	}
	s.afterWin(o)
}

// settleOne pays or collects one stake and answers what its punter gained.
func (s *State) settleOne(i int, o *game.Outcome) int64 {
	p, b := &s.punter[i], &s.Seats[s.banker]
	x := p.stake
	p.stake = 0
	unit := x
	if p.double {
		unit *= 2
	}
	if p.fate == puntersMatch {
		s.escrow -= unit
		s.Seats[i].Chips += x + unit
		if o != nil {
			o.Move(s.stakeOf(i), s.stack(i), x)
			o.Move(chips.Bank, s.stack(i), unit)
		}
		return unit
	}
	take := x
	if p.fate == doubletLoss && s.Rules.Doublet == game.Half {
		take = x / 2
	}
	b.Chips += take
	s.Seats[i].Chips += x - take
	if o != nil {
		o.Move(s.stakeOf(i), s.stack(s.banker), take)
		o.Move(s.stakeOf(i), s.stack(i), x-take)
	}
	if p.double {
		s.pay(i, x, o)
		return -unit
	}
	if p.fate == bankMatch && s.Rules.Capot {
		p.owes = x
	}
	return -take
}

// pay moves a second unit from a punter to the banker (R-FMD, R-CAPOT).
func (s *State) pay(i int, x int64, o *game.Outcome) {
	s.Seats[i].Chips -= x
	s.Seats[s.banker].Chips += x
	if o != nil {
		o.Move(s.stack(i), s.stack(s.banker), x)
	}
}

// owing says whether a punter may have to pay again on the next card. A second
// unit that the first card turned has already taken is not there twice.
func (s *State) owing() bool {
	return slices.ContainsFunc(s.punter, func(p punter) bool { return p.owes > 0 })
}

// capotCard is the card after a bank match: the same rank once more, and every
// punter who lost by the match pays his stake again (R-CAPOT, reading B).
func (s *State) capotCard(c card.Card, o *game.Outcome) {
	s.lay(c, capotRole, 0)
	if c.Rank != s.bankCard.Rank {
		if o != nil {
			o.Tell("told.capot_miss", "card", c)
		}
		s.endCapot(o)
		return
	}
	var bonus int64
	for i := range s.punter {
		if p := &s.punter[i]; p.owes > 0 {
			bonus += p.owes
			s.pay(i, p.owes, o)
		}
	}
	if o != nil {
		o.Tell("told.capot_hit", "card", c, "seat", s.name(s.banker), "n", bonus)
	}
	s.endCapot(o)
}

func (s *State) endCapot(o *game.Outcome) {
	for i := range s.punter {
		s.punter[i].owes = 0
	}
	s.afterWin(o)
}

// require sets what a bank that goes on must hold and what it costs to buy:
// after a match the old bank and its winnings, or only the covered part and
// its winnings; after a doublet also the old bank alone (R-KEEP, R-KEEP2,
// R-SALE). net is what the coup won less what it paid.
func (s *State) require(result string, staked, net int64) {
	if result == "doublet" {
		s.price = s.size
		s.need = nil
		if s.Rules.DoubletKeep == game.Choose {
			if s.need = []int64{s.size}; net > 0 {
				s.need = append(s.need, s.size+net)
			}
		}
		return
	}
	s.price = s.size + net
	if s.Rules.RideBase == game.Covered {
		s.price = staked + net
	}
	s.need = nil
	if s.Rules.Ride == game.Forced {
		s.need = []int64{s.price}
	}
}

// afterWin goes on after a coup that the bank has won.
func (s *State) afterWin(o *game.Outcome) {
	s.after(func(o *game.Outcome) {
		if s.result == "doublet" && s.Rules.DoubletBank == game.Passes {
			s.passOn(o)
			return
		}
		s.phase = decide
	}, o)
}

// after goes on after a decided coup: as it went, or as the bank rotates
// (R-ROT). When the time is up that was the last one.
func (s *State) after(as func(*game.Outcome), o *game.Outcome) {
	tell := o
	if s.TimeUp {
		tell = nil // who would have banked next is no news any more
	}
	if s.Rules.FixedRotation == 0 {
		as(tell)
	} else {
		s.rotate(tell)
	}
	if s.TimeUp {
		s.End(o)
	}
}

// rotate moves the bank on after the banker's last coup of the agreed number;
// before that he names any new bank.
func (s *State) rotate(o *game.Outcome) {
	if s.rotation++; s.rotation >= s.Rules.FixedRotation {
		s.handOn(s.banker, o)
		return
	}
	s.own()
	s.phase = bank
	s.keepAble(o)
}

// keepAble passes over a banker who has no chips left to post.
func (s *State) keepAble(o *game.Outcome) {
	if (s.phase == bank || s.phase == shoeOut && !s.unspent) && s.Seats.Able(s.banker, s.least()) != s.banker {
		s.handOn(s.banker, o)
	}
}
