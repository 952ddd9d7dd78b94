// Package lansquenet is the referee of Lansquenet in its French form: who may
// post, cover, keep, give and buy the bank, what a card decides, and which
// chips move. It covers the three profiles and every house option of CONTRACT
// section 2; rule ids in comments are those of RULES 2. It draws nothing, reads
// no clock and knows no language.
package lansquenet

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// phase is what the table waits for. Small numbers, because a coup's every card
// looks at it.
type phase uint8

const (
	bank phase = iota
	cover
	noCover
	firstCard
	secondCard
	draw
	capot
	decide
	sale
	shoeOut
)

var phaseNames = [...]game.Phase{game.Bank, game.Cover, game.NoCover, game.FirstCard, game.SecondCard,
	game.Draw, game.Capot, game.Decide, game.Sale, game.ShoeOut}

// fate is what became of a stake in the coup.
type fate uint8

const (
	undecided fate = iota
	doubletLoss
	bankMatch
	puntersMatch
)

// punter is what a seat has in this coup; the same place in the list as its
// seat in the ring.
type punter struct {
	stake  int64
	owes   int64 // may have to be paid in phase capot
	card   card.Card
	fate   fate
	double bool // decided by the first card turned (R-FMD)
	claims bool // in a sale
}

// dealt is a card of the coup and the place it took.
type dealt struct {
	card card.Card
	role role
	seat int16 // of an own card
}

type role uint8

const (
	plain role = iota
	bankRole
	puntersRole
	ownRole
	matchRole
	doubletRole
	capotRole
)

var roleNames = [...]string{"", "bank", "punters", "seat:", "match", "doublet", "capot"}

// State is a table playing Lansquenet. Through Apply it is a value that never
// changes; Step changes it in place, for those who play many coups on a copy
// of their own.
type State struct {
	game.Ground
	phase phase

	banker   int
	original int     // who opened this bank with a free size
	sales    int     // of this bank
	rotation int     // coups this banker has dealt, under fixed_rotation
	need     []int64 // the only sizes the bank may have, nil for any; never changed in place
	named    bool    // the bank was named freely in `bank` or `decide`, and not yet a second time
	price    int64   // what a buyer has to post

	size   int64 // the bank as posted for this coup
	escrow int64 // what of it lies in the bank now
	staked int64 // sum of the stakes
	punter []punter
	turn   int // seat asked to cover
	passed int // passes in a row
	asked  int // punters asked so far, for the single circuit

	cards    []dealt
	bankCard card.Card
	common   card.Card // the punters' common card
	deal     int       // seat that gets the next own card
	drawn    int       // cards turned since the last of the first cards
	unspent  bool      // the coup waits in shoe_out for its discards to be shuffled
	resume   phase     // and goes on there
	fresh    bool      // the next bank gets a fresh shoe
	result   string    // of the last coup

	bidder int
	bid    int64 // the highest, 0 for none
}

// New opens a night of Lansquenet. The error is a *game.Refusal that names the
// field at fault.
func New(open game.Action) (*State, game.Outcome, error) {
	least := int64(1)
	if r, err := game.Resolve(open); err == nil && r.Doubling() {
		least = 2
	}
	g, first, o, err := game.NewGround(open, least)
	if err != nil {
		return nil, game.Outcome{}, err
	}
	s := &State{Ground: g, punter: make([]punter, len(g.Seats))}
	s.hand(first)
	return s, o, nil
}

// Clone is a table of its own in the same state.
func (s *State) Clone() *State {
	c := *s
	c.Ground = s.Ground.Copy()
	c.punter = slices.Clone(s.punter)
	c.cards = slices.Clone(s.cards)
	return &c
}

// Apply answers with the table after the action; s stays as it was.
func (s *State) Apply(a game.Action) (game.Game, game.Outcome, error) {
	c := s.Clone()
	var o game.Outcome
	if err := c.Step(&a, &o); err != nil {
		return s, game.Outcome{}, err
	}
	return c, o, nil
}

// Step does the action on s itself. A refusal has changed nothing. With a nil
// outcome nothing is noted or said, and a card costs no allocation.
func (s *State) Step(a *game.Action, o *game.Outcome) error {
	if s.Over {
		return game.Refuse("closed")
	}
	switch a.Do {
	case "card":
		return s.card(card.Card{Rank: a.Rank, Suit: a.Suit}, o)
	case "bank":
		return s.doBank(a, o)
	case "cover":
		return s.doCover(a, o)
	case "banco":
		return s.doBanco(a, o)
	case "pass":
		return s.doPass(a, o)
	case "close_bets":
		return s.doCloseBets(o)
	case "keep":
		return s.doKeep(a, o)
	case "give":
		return s.doGive(a, o)
	case "sell":
		return s.doSell(a, o)
	case "claim":
		return s.doClaim(a, o)
	case "bid":
		return s.doBid(a, o)
	case "close_sale":
		return s.doCloseSale(o)
	case "burn":
		return s.doBurn(a, o)
	case "shuffle":
		return s.doShuffle(o)
	case "shoe_out":
		return s.doShoeOut(o)
	case "void":
		return s.doVoid(a, o)
	case "chips":
		return s.doChips(a, o)
	case "sit":
		return s.doSit(a, o)
	case "rise":
		return s.doRise(a, o)
	case "time_up":
		return s.doTimeUp(o)
	case "close":
		return s.doClose(o)
	}
	return game.Refuse("not_in_game", "do", a.Do, "game", game.Say("game."+s.Name))
}

// least is the smallest bank: where a stake may double, two.
func (s *State) least() int64 {
	if s.Rules.Doubling() {
		return 2
	}
	return 1
}

// coverable is how much of the bank may be covered in all.
func (s *State) coverable() int64 {
	if s.Rules.Doubling() {
		return s.size / 2
	}
	return s.size
}

// uncovered is what of that is still open.
func (s *State) uncovered() int64 { return s.coverable() - s.staked }

// running says whether a coup runs: from the posting of its bank until it is
// settled.
func (s *State) running() bool { return s.escrow > 0 }

// due says whether the next card out of the shoe is expected now.
func (s *State) due() bool {
	switch s.phase {
	case firstCard, secondCard, draw, capot:
		return true
	}
	return s.unspent
}

// held is what of a seat's free chips is spoken for: the second unit behind a
// stake, a claim or a bid.
func (s *State) held(i int) int64 {
	p := &s.punter[i]
	switch {
	case s.phase == capot:
		return p.owes
	case s.running() && s.Rules.Doubling():
		return p.stake
	case s.phase == sale && p.claims:
		return s.price
	case s.phase == sale && s.bid > 0 && s.bidder == i:
		return s.bid
	}
	return 0
}

func (s *State) name(i int) string           { return s.Seats[i].Name }
func (s *State) stack(i int) chips.Account   { return chips.Stack(s.Seats[i].Name) }
func (s *State) stakeOf(i int) chips.Account { return chips.Stake(s.Seats[i].Name) }

// right is the next seat to the right of i, the banker left out.
func (s *State) right(i int) int {
	if i = s.Seats.Right(i); i == s.banker {
		i = s.Seats.Right(i)
	}
	return i
}

// only refuses what does not fit the phase.
func (s *State) only(ok bool, a string) error {
	if ok {
		return nil
	}
	return game.Refuse("not_now", "do", a, "prompt", s.prompt())
}

// mine finds the seat of an action and refuses it when another one is asked.
func (s *State) mine(a *game.Action, seat int) error {
	i, err := s.Seat(a.Seat)
	if err != nil {
		return err
	}
	if i != seat {
		return game.Refuse("not_your_turn", "seat", a.Seat, "turn", s.name(seat)).In("seat")
	}
	return nil
}
