package lansquenet

import (
	"math"

	"lansquenet/ledger/game"
)

// startCover asks the punters in turn, from the banker's right (R-COVER).
func (s *State) startCover() {
	s.phase = cover
	s.turn = s.right(s.banker)
	s.passed, s.asked = 0, 0
}

// inTurn checks what all of the punters' actions need: the phase and the turn.
func (s *State) inTurn(a *game.Action) error {
	if s.phase != cover && (s.due() || s.running()) {
		return game.Refuse("bets_closed")
	}
	if err := s.only(s.phase == cover, a.Do); err != nil {
		return err
	}
	return s.mine(a, s.turn)
}

// purse is the most a seat may still add to its stake by its free chips: all of
// them, or, where the stake may double, so much that as much again as the whole
// stake stays in front of it (R-LIMIT, R-FMD, R-CAPOT).
func (s *State) purse(i int) int64 {
	if s.Rules.Doubling() {
		return max(0, (s.Seats[i].Chips-s.punter[i].stake)/2)
	}
	return s.Seats[i].Chips
}

// room is the most a seat may still add to its stake by the limit of what it
// may lose over the night (R-LOSSLIM). What it has posted counts as lost.
func (s *State) room(i int) int64 {
	if s.Rules.LossLimit == 0 {
		return math.MaxInt64
	}
	left := s.LossLeft(i)
	if s.Rules.Doubling() {
		left = (left - s.punter[i].stake) / 2
	}
	return max(0, left)
}

// mayStake refuses an addition to a stake that the seat cannot or may not make.
func (s *State) mayStake(i int, x int64) error {
	if most := s.purse(i); x > most {
		if s.Rules.Doubling() {
			return game.Refuse("second_unit", "seat", s.name(i), "max", most).In("amount")
		}
		return game.Refuse("chips_short", "seat", s.name(i), "max", most).In("amount")
	}
	if most := s.room(i); x > most {
		return game.Refuse("loss_limit", "seat", s.name(i), "max", most, "limit", s.Rules.LossLimit).In("amount")
	}
	return nil
}

// doCover is `cover`. What exceeds the open part is refused, or, with `clip`,
// never taken (R-COVER, R-EXCESS).
func (s *State) doCover(a *game.Action, o *game.Outcome) error {
	if err := s.inTurn(a); err != nil {
		return err
	}
	x := a.Amount
	if a.Clip {
		x = min(x, s.uncovered())
	}
	switch {
	case x <= 0:
		return game.Refuse("amount_zero").In("amount")
	case x > s.uncovered():
		return game.Refuse("over_open", "max", s.uncovered()).In("amount")
	}
	i := s.turn
	if err := s.mayStake(i, x); err != nil {
		return err
	}
	s.stake(i, x, o)
	if o != nil {
		if x < a.Amount {
			o.Tell("told.cover_clipped", "seat", s.name(i), "n", x)
		} else {
			o.Tell("told.cover", "seat", s.name(i), "n", x)
		}
	}
	s.passed = 0
	s.nextPunter(o)
	return nil
}

func (s *State) stake(i int, x int64, o *game.Outcome) {
	s.Seats[i].Chips -= x
	s.punter[i].stake += x
	s.staked += x
	if o != nil {
		o.Move(s.stack(i), s.stakeOf(i), x)
	}
}

// doBanco is `banco`: one punter covers all that can be covered, his own part
// counted, and the others take theirs back (R-BANCO).
func (s *State) doBanco(a *game.Action, o *game.Outcome) error {
	if err := s.inTurn(a); err != nil {
		return err
	}
	if !s.Rules.Banco {
		return game.Refuse("no_banco")
	}
	i := s.turn
	x := s.coverable() - s.punter[i].stake
	if err := s.mayStake(i, x); err != nil {
		return err.(*game.Refusal).In("seat") // banco names no amount
	}
	for j := range s.punter {
		if j != i {
			s.returnStake(j, o)
		}
	}
	s.stake(i, x, o)
	if o != nil {
		o.Tell("told.banco", "seat", s.name(i), "n", s.punter[i].stake)
	}
	s.closeBets(o)
	return nil
}

// doPass is `pass`.
func (s *State) doPass(a *game.Action, o *game.Outcome) error {
	if err := s.inTurn(a); err != nil {
		return err
	}
	if o != nil {
		o.Tell("told.pass", "seat", s.name(s.turn))
	}
	s.passed++
	s.nextPunter(o)
	return nil
}

// doCloseBets is `close_bets`: the host ends the covering as it stands (R-SEAL).
func (s *State) doCloseBets(o *game.Outcome) error {
	if s.phase != cover && (s.due() || s.running()) {
		return game.Refuse("bets_closed")
	}
	if err := s.only(s.phase == cover, "close_bets"); err != nil {
		return err
	}
	s.closeBets(o)
	return nil
}

// nextPunter asks the next one, or ends the covering: when the bank is full,
// when all have passed in a row, or after one circuit where there is no more
// than one (R-CIRCUIT).
func (s *State) nextPunter(o *game.Outcome) {
	s.asked++
	n := s.Seats.Here() - 1
	if s.uncovered() == 0 || s.passed == n || s.Rules.CoverCircuits == game.Single && s.asked == n {
		s.closeBets(o)
		return
	}
	s.turn = s.right(s.turn)
}

// closeBets seals the stakes and asks for the next card, or finds that nobody
// has covered.
func (s *State) closeBets(o *game.Outcome) {
	if s.staked == 0 {
		s.nobodyCovers(o)
		return
	}
	if o != nil {
		o.Tell("told.bets_closed", "n", s.staked, "bank", s.size)
	}
	if s.Rules.BetTiming == game.AfterTwo {
		s.phase = draw
	} else {
		s.phase = firstCard
	}
	s.checkDead(o)
}
