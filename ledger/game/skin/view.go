package skin

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// View is everything that may be known of the table; see game.View.
func (s *State) View() game.View {
	v := s.HandView()
	v.Bank = s.inBank()
	v.BankCard = s.card
	turn := s.turn()
	for i, n := 0, 0; i < len(s.Seats); i++ {
		if s.Seats[i].Name == "" {
			continue
		}
		seat := &v.Seats[n]
		n++
		seat.Card = s.holds[i].card
		seat.Stake = s.posted(i)
		seat.IsTurn = i == turn
		if seat.IsTurn {
			v.Turn = seat.Name
		}
		if b := s.holds[i].bet; b > 0 {
			seat.Bets = append(seat.Bets, game.BetView{Card: seat.Card, Amount: b})
		}
		for _, b := range s.sides {
			other := b.b
			if b.b == i {
				other = b.a
			} else if b.a != i {
				continue
			}
			seat.Bets = append(seat.Bets, game.BetView{Card: seat.Card, Against: s.Seats[other].Name, Amount: b.n})
		}
	}
	if s.Over {
		return v
	}
	v.Prompt = s.prompt()
	v.Choices = s.HandChoices(s.choices(), s.spoken)
	return v
}

// turn is the seat that has to act, -1 for none.
func (s *State) turn() int {
	if s.Over {
		return -1
	}
	switch s.At {
	case game.Offer, game.Side, game.Pick:
		return s.actor
	case game.Negotiate:
		return s.bettor()
	case game.BankDown:
		return s.Banker
	}
	return -1
}

// prompt is the one line that says what the table waits for.
func (s *State) prompt() game.Message {
	banker := s.Seats[s.Banker].Name
	actor := s.Seats[s.actor].Name
	switch s.At {
	case game.HandOver:
		return game.Say("skin.prompt.hand_over", "seat", banker)
	case game.Offer:
		if s.canBet(s.actor) != nil {
			return game.Say("skin.prompt.refuse", "seat", actor, "card", s.fresh)
		}
		return game.Say("skin.prompt.offer", "seat", actor, "card", s.fresh)
	case game.BankCard:
		return game.Say("skin.prompt.bank_card", "seat", banker)
	case game.Negotiate:
		switch {
		case s.max > 0:
			return game.Say("skin.prompt.amount", "seat", banker, "against", actor, "max", s.limit())
		case s.round && s.canBet(s.actor) != nil:
			return game.Say("skin.prompt.pass", "seat", actor)
		case s.round:
			return game.Say("skin.prompt.max_or_pass", "seat", actor, "card", s.card, "max", s.Afford(s.actor))
		}
		return game.Say("skin.prompt.max", "seat", actor, "max", s.Afford(s.actor))
	case game.Side:
		return game.Say("skin.prompt.side", "seat", actor)
	case game.Pick:
		if s.canBet(s.actor) != nil {
			return game.Say("skin.prompt.pass", "seat", actor)
		}
		return game.Say("skin.prompt.pick", "seat", actor)
	case game.BankDown:
		return game.Say("skin.prompt.bank_down", "seat", banker)
	}
	if !s.Running {
		return game.Say("skin.prompt.first", "seat", banker)
	}
	return game.Say("skin.prompt.turn", "seat", banker)
}

// choices is what the players and the camera may do now.
func (s *State) choices() []game.Choice {
	var cs []game.Choice
	add := func(c game.Choice) { cs = append(cs, c) }
	banker, actor := s.Seats[s.Banker].Name, s.Seats[s.actor].Name
	able := s.canBet(s.actor) == nil
	switch s.At {
	case game.Turn, game.BankCard, game.HandOver:
		if ranks := s.comes(); len(ranks) > 0 {
			add(game.Choice{Do: "card", Ranks: ranks})
		}
	case game.Offer:
		if able {
			add(game.Choice{Do: "accept", Seat: actor})
		}
		add(game.Choice{Do: "refuse", Seat: actor})
	case game.Negotiate:
		switch {
		case s.max > 0:
			add(game.Choice{Do: "offer", Seat: banker, Min: 1, Max: s.limit()})
		case able:
			add(game.Choice{Do: "max", Seat: actor, Min: 1, Max: s.Afford(s.actor)})
		}
		if s.round && s.max == 0 {
			add(game.Choice{Do: "pass", Seat: actor})
		}
	case game.Side:
		var against []string
		for _, i := range s.others() {
			if s.Afford(i) > 0 {
				against = append(against, s.Seats[i].Name)
			}
		}
		if n := s.Afford(s.actor); n > 0 && len(against) > 0 {
			add(game.Choice{Do: "side", Seat: actor, Against: against, Min: 1, Max: n})
		}
		add(game.Choice{Do: "pass", Seat: actor})
		for _, b := range s.asked {
			if n := s.sideLimit(b); n > 0 {
				add(game.Choice{Do: "side_accept", Seat: s.Seats[b.b].Name, Against: []string{actor}, Min: 1, Max: n})
			}
		}
	case game.Pick:
		if able {
			add(game.Choice{Do: "take", Seat: actor, Ranks: s.inMiddle()})
		}
		add(game.Choice{Do: "pass", Seat: actor})
	case game.BankDown:
		add(game.Choice{Do: "new_bank_card", Seat: banker})
		add(game.Choice{Do: "no_bank_card", Seat: banker})
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
