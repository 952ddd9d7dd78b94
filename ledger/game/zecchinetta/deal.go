package zecchinetta

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// deal takes the next card out of the shoe. In `betting` it closes the bets.
func (s *State) deal(c card.Card, o *game.Outcome) error {
	s.begin(o)
	if err := s.Lay(c, ""); err != nil {
		return err
	}
	if s.At == game.Betting {
		s.At = game.Turn
	}
	switch s.At {
	case game.FirstCard:
		s.players(c, o)
		s.At = game.SecondCard
	case game.SecondCard:
		s.second(c, o)
	default:
		if s.card.Rank == card.NoRank {
			s.third(c, o)
		} else {
			s.turn(c, o)
		}
	}
	if s.Running && s.Shoe.Total() == 0 {
		s.RunOut(s.rest(), o)
		s.clear()
	}
	return nil
}

// players makes a card a players' card that bets may be laid on.
func (s *State) players(c card.Card, o *game.Outcome) {
	s.ranks[c.Rank] = open
	s.Last().Role = "punters"
	o.Tell("zecchinetta.told.players", "card", c)
}

// second is the other players' card; a pair is dealt anew (Z-PAIR).
func (s *State) second(c card.Card, o *game.Outcome) {
	if s.ranks[c.Rank] == open {
		s.Last().Role = "match"
		o.Tell("zecchinetta.told.pair", "card", c)
		s.anew(o)
		return
	}
	s.players(c, o)
	s.At = game.Betting
}

// anew ends the hand without a result: the same banker shuffles and deals.
func (s *State) anew(o *game.Outcome) {
	s.Running, s.Result, s.At = false, "void", game.Reshuffling
	s.clear()
	if s.TimeUp {
		s.End(o)
	}
}

// third is the banker's card, unless it matches one of the players' (Z-THIRD).
func (s *State) third(c card.Card, o *game.Outcome) {
	if s.ranks[c.Rank] != open {
		s.card, s.ranks[c.Rank] = c, banks
		s.Last().Role = "bank"
		s.At = game.Turn
		o.Tell("zecchinetta.told.banks", "seat", s.Seats[s.Banker].Name, "card", c)
		return
	}
	s.Last().Role = "match"
	switch s.Rules.ThirdCard {
	case game.Playette:
		o.Tell("zecchinetta.told.playette", "card", c)
		s.giveBack(o)
		s.anew(o)
		return
	case game.Matched:
		o.Tell("zecchinetta.told.third_matched", "card", c, "n", s.take(c.Rank, o))
		s.giveBack(o)
	default:
		n := s.take(card.NoRank, o)
		o.Tell("zecchinetta.told.sweep", "card", c, "n", n)
	}
	s.Finish("bank", o)
	s.clear()
}

// turn is every card after the third.
func (s *State) turn(c card.Card, o *game.Outcome) {
	switch s.ranks[c.Rank] {
	case open: // Z-1
		s.Relabel(c.Rank, "dead")
		s.Last().Role = "match"
		s.ranks[c.Rank] = dead
		o.Tell("zecchinetta.told.matched", "card", c, "n", s.take(c.Rank, o))
	case banks: // Z-2, Z-END
		s.Last().Role = "match"
		paid := s.pledged(s.Banker)
		for _, b := range s.bets {
			s.Get(s.stake(b.seat), b.seat, b.n, o)
			s.Give(s.Banker, b.seat, b.n, o)
		}
		o.Tell("zecchinetta.told.bank_matched", "seat", s.Seats[s.Banker].Name, "card", c, "n", paid)
		s.bets = nil
		s.Finish("punters", o)
		s.clear()
	case unseen: // Z-3
		s.players(c, o)
		s.At = game.Betting
	case dead: // Z-4
		s.Last().Role = "dead"
		o.Tell("zecchinetta.told.dead", "card", c)
	}
}

// take gives the banker the bets on a card, or, for no rank, on all of them. It
// answers how much that was.
func (s *State) take(r card.Rank, o *game.Outcome) (n int64) {
	left := s.bets[:0]
	for _, b := range s.bets {
		if r != card.NoRank && b.rank != r {
			left = append(left, b)
			continue
		}
		s.Get(s.stake(b.seat), s.Banker, b.n, o)
		n += b.n
	}
	s.bets = left
	return n
}
