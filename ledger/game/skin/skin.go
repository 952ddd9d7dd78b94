// Package skin is the game of Skin, also Georgia Skin (RULES 3): every card out
// of the box is offered round, whoever takes it bets with the banker that his
// card is not matched before the banker's, and card holders may bet with each
// other on whose card lives longer. A bet stands between two ranks of which
// three cards each are still in the pack, so every bet is even.
//
// The package keeps who holds which rank and what lies on it. Seats, chips, the
// shoe and the host's doings it leaves to package game.
package skin

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// State is a table at which Skin is played; see game.Game.
type State struct {
	game.Hand
	ranks [card.Ranks + 1]place
	holds []hold // by seat
	sides []side // open side bets
	bank  stand
	card  card.Card // the bank card while the bank stands
	last  int       // the last taker; the banker before there is one
	actor int       // who is offered a card, takes one, has lost one or may bet
	fresh card.Card // the card that goes round
	max   int64     // what the taker is ready to bet at most, 0 before he has said so
	asked []side    // what the taker has proposed and the others not yet accepted
	round bool      // the holders bet one after the other on a new bank card
}

// place is where the cards of a rank are.
type place uint8

const (
	unseen place = iota // none has come yet
	held                // one lies before a seat
	middle              // one lies in the middle and belongs to nobody
	banks               // one is the bank card
	dead                // two have come and went out, the others count for nothing
)

// hold is what a seat has before it.
type hold struct {
	card card.Card // zero for none
	bet  int64     // against the bank; as much again of the banker's lies in the bank
}

// side is a side bet between two holders, n chips from each.
type side struct {
	a, b int
	n    int64
}

// stand is how the bank card stands.
type stand uint8

const (
	none    stand = iota // no card has been accepted yet
	up                   // the bank card is on the table
	wanted               // it was matched, and the next fresh card is the new one
	without              // it was matched, and only side bets are still played
)

// New opens a night of Skin. There is no profile; the first banker, when not
// named, is whom the first ace picks (RULES 3).
func New(a game.Action) (*State, game.Outcome, error) {
	h, o, err := game.NewHand(a, game.Turn)
	if err != nil {
		return nil, game.Outcome{}, err
	}
	return &State{Hand: h, holds: make([]hold, len(h.Seats)), last: h.Banker}, o, nil
}

func (s *State) copy() *State {
	c := *s
	c.Hand = s.CopyHand()
	c.holds, c.sides, c.asked = slices.Clone(s.holds), slices.Clone(s.sides), slices.Clone(s.asked)
	return &c
}

// Apply answers with the table after the action; see game.Game.
func (s *State) Apply(a game.Action) (game.Game, game.Outcome, error) {
	next, o := s.copy(), game.Outcome{}
	if err := next.do(&a, &o); err != nil {
		return s, game.Outcome{}, err
	}
	return next, o, nil
}

func (s *State) do(a *game.Action, o *game.Outcome) error {
	if s.Over {
		return game.Refuse("closed")
	}
	if done, err := s.Host(a, s.rest(), s.prompt, o); done {
		s.settleIn()
		return err
	}
	if a.Do == "card" {
		return s.deal(card.Card{Rank: a.Rank, Suit: a.Suit}, o)
	}
	switch a.Do {
	case "accept":
		return s.accept(a, o)
	case "refuse":
		return s.refuse(a, o)
	case "max":
		return s.name(a, o)
	case "offer":
		return s.offer(a, o)
	case "side":
		return s.propose(a, o)
	case "side_accept":
		return s.agree(a, o)
	case "take":
		return s.take(a, o)
	case "pass":
		return s.pass(a, o)
	case "new_bank_card", "no_bank_card":
		return s.goOn(a, o)
	}
	return game.Refuse("not_in_game", "do", a.Do, "game", game.Say("game."+s.Name))
}

// rest tells the host's actions what they need to know.
func (s *State) rest() game.Rest { return game.Rest{Held: s.spoken, Return: s.giveBack} }

// settleIn makes room for seats that sat down and forgets a hand that is over.
func (s *State) settleIn() {
	for len(s.holds) < len(s.Seats) {
		s.holds = append(s.holds, hold{})
	}
	if !s.Running {
		s.clear()
	}
}

// clear takes every card off the table.
func (s *State) clear() {
	clear(s.holds)
	s.ranks = [card.Ranks + 1]place{}
	s.sides, s.asked = nil, nil
	s.bank, s.card, s.fresh = none, card.Card{}, card.Card{}
	s.last, s.actor, s.max, s.round = s.Banker, 0, 0, false
}

// spoken is what a seat may not cash out: whoever has to bet next, and the
// banker against whom, keep a chip to do it with.
func (s *State) spoken(i int) int64 {
	pending := s.At == game.Negotiate && (!s.round || s.max > 0) || s.At == game.BankCard && s.bank == none
	if pending && (i == s.actor || i == s.Banker) {
		return 1
	}
	return 0
}

// giveBack returns every open bet and side bet to those who posted them.
func (s *State) giveBack(o *game.Outcome) {
	for i := range s.holds {
		if n := s.holds[i].bet; n > 0 {
			s.Get(s.stake(i), i, n, o)
			s.Get(chips.Bank, s.Banker, n, o)
			s.holds[i].bet = 0
		}
	}
	for _, b := range s.sides {
		s.Get(s.stake(b.a), b.a, b.n, o)
		s.Get(s.stake(b.b), b.b, b.n, o)
	}
	s.sides = nil
}

func (s *State) stake(i int) chips.Account { return chips.Stake(s.Seats[i].Name) }

// posted is what seat i has in its stake: its bet and its halves of side bets.
func (s *State) posted(i int) int64 {
	n := s.holds[i].bet
	for _, b := range s.sides {
		if b.a == i || b.b == i {
			n += b.n
		}
	}
	return n
}

// inBank is the banker's halves of all open bets.
func (s *State) inBank() (n int64) {
	for i := range s.holds {
		n += s.holds[i].bet
	}
	return n
}

// holder is the seat that holds a rank.
func (s *State) holder(r card.Rank) int {
	return slices.IndexFunc(s.holds, func(h hold) bool { return h.card.Rank == r })
}

// inMiddle is the ranks that lie in the middle, in the order of the pack.
func (s *State) inMiddle() []card.Rank {
	var out []card.Rank
	for _, r := range card.All {
		if s.ranks[r] == middle {
			out = append(out, r)
		}
	}
	return out
}

// away takes a rank off the table, where its second card has just come: it is
// dead from now on.
func (s *State) away(r card.Rank) {
	s.Relabel(r, "dead")
	s.Last().Role = "match"
	s.ranks[r] = dead
}
