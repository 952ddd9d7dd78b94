package zecchinetta

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// View is everything that may be known of the table; see game.View.
func (s *State) View() game.View {
	v := s.HandView()
	v.BankCard = s.card
	for i, n := 0, 0; i < len(s.Seats); i++ {
		if s.Seats[i].Name == "" {
			continue
		}
		seat := &v.Seats[n]
		n++
		for _, b := range s.bets {
			if b.seat == i {
				seat.Stake += b.n
				seat.Bets = append(seat.Bets, game.BetView{Card: s.shown(b.rank), Amount: b.n})
			}
		}
	}
	if s.Over {
		return v
	}
	v.Prompt = s.prompt()
	v.Choices = s.HandChoices(s.choices(), s.pledged)
	return v
}

// shown is the card of a rank on the table, with its suit where that was read.
func (s *State) shown(r card.Rank) card.Card {
	c := card.Card{Rank: r}
	for _, d := range s.Cards {
		if d.Card.Rank == r {
			c = d.Card
		}
	}
	return c
}

// open lists the players' cards that can be bet on, in the order they came.
func (s *State) open() []card.Rank {
	var out []card.Rank
	for _, d := range s.Cards {
		if s.ranks[d.Card.Rank] == open {
			out = append(out, d.Card.Rank)
		}
	}
	return out
}

// prompt is the one line that says what the table waits for.
func (s *State) prompt() game.Message {
	banker := s.Seats[s.Banker].Name
	switch s.At {
	case game.FirstCard:
		return game.Say("zecchinetta.prompt.first", "seat", banker, "min", s.min, "max", s.max)
	case game.SecondCard:
		return game.Say("zecchinetta.prompt.second", "seat", banker)
	case game.Betting:
		var cards []game.Message
		for _, r := range s.open() {
			cards = append(cards, game.Say("zecchinetta.card", "card", s.shown(r)))
		}
		return game.Say("zecchinetta.prompt.betting", "cards", cards, "min", s.min, "max", s.max)
	case game.Reshuffling:
		return game.Say("zecchinetta.prompt.reshuffle", "seat", banker)
	case game.HandOver:
		return game.Say("zecchinetta.prompt.hand_over", "seat", banker)
	}
	if s.card.Rank == card.NoRank {
		return game.Say("zecchinetta.prompt.third", "seat", banker)
	}
	return game.Say("zecchinetta.prompt.turn", "card", s.card)
}

// choices is what the players and the camera may do now.
func (s *State) choices() []game.Choice {
	var cs []game.Choice
	if s.At == game.Betting {
		cs = s.betChoices()
		cs = append(cs, game.Choice{Do: "close_bets"})
	}
	if ranks := s.comes(); len(ranks) > 0 {
		cs = append(cs, game.Choice{Do: "card", Ranks: ranks})
	}
	if s.At == game.FirstCard || s.At == game.Reshuffling || s.At == game.HandOver {
		cs = append(cs, game.Choice{Do: "limits", Seat: s.Seats[s.Banker].Name, Min: 1, Max: game.MaxAmount})
	}
	return cs
}

// betChoices offers each punter his bets; cards on which he may bet the same
// amounts share a choice.
func (s *State) betChoices() []game.Choice {
	var cs []game.Choice
	for i := range s.Seats {
		if i == s.Banker || s.Seats[i].Left {
			continue
		}
		mine := len(cs)
		for _, r := range s.open() {
			lo, hi := s.room(i, r)
			if hi < lo {
				continue
			}
			k := mine
			for k < len(cs) && (cs[k].Min != lo || cs[k].Max != hi) {
				k++
			}
			if k == len(cs) {
				cs = append(cs, game.Choice{Do: "bet", Seat: s.Seats[i].Name, Min: lo, Max: hi})
			}
			cs[k].Ranks = append(cs[k].Ranks, r)
		}
	}
	return cs
}

// comes is the ranks that may come next; between hands those of a full shoe.
func (s *State) comes() []card.Rank {
	if s.Running {
		return s.CanCome()
	}
	full := s.Ground
	full.Shoe = game.FreshShoe(s.Rules)
	return full.CanCome()
}
