package lansquenet

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// View is everything that may be known of the table.
func (s *State) View() game.View {
	v := s.Ground.View()
	v.Banker = s.name(s.banker)
	v.Result = s.result
	v.Sales, v.Reach = s.sales, s.name(s.original)
	v.Bank = s.escrow
	v.Cards = s.dealt()
	v.BankCard, v.PuntersCard = s.bankCard, s.common
	s.viewSeats(&v)
	if s.Over {
		return v
	}
	v.Phase = phaseNames[s.phase]
	v.Need = s.needed()
	v.CardDue = s.due()
	if t := s.actor(); t >= 0 {
		v.Turn = s.name(t)
	}
	if s.running() {
		v.Open = s.uncovered()
	}
	v.Shuffle = s.unspent || !s.running() && s.phase != capot && (s.fresh || s.Renews())
	v.Prompt = s.prompt()
	v.Choices = s.choices()
	return v
}

// viewSeats adds what Lansquenet knows of the seats. A place whose seat came
// back to another is not in the view, so the two lists are walked by name.
func (s *State) viewSeats(v *game.View) {
	turn := s.actor()
	selling := s.phase == sale && !s.Over
	k := 0
	for i := range s.Seats {
		if s.Seats[i].Name == "" {
			continue
		}
		w := &v.Seats[k]
		k++
		w.Stake = s.punter[i].stake
		w.Card = s.punter[i].card
		w.IsBank = i == s.banker && !s.Over
		w.IsTurn = i == turn && !s.Over
		w.Claims = selling && s.punter[i].claims
		if selling && s.bid > 0 && s.bidder == i {
			w.Bid = s.bid
		}
	}
}

func (s *State) dealt() []game.Dealt {
	var out []game.Dealt
	for _, d := range s.cards {
		r := roleNames[d.role]
		if d.role == ownRole || d.role == doubletRole && s.Rules.OwnCards {
			r = roleNames[ownRole] + s.name(int(d.seat))
		}
		out = append(out, game.Dealt{Card: d.card, Role: r})
	}
	return out
}

// actor is the seat that has to act, -1 when it is the host, the camera or
// anybody.
func (s *State) actor() int {
	switch {
	case s.Over || s.unspent:
		return -1
	case s.phase == cover:
		return s.turn
	case s.phase == bank || s.phase == noCover || s.phase == decide || s.phase == shoeOut:
		return s.banker
	}
	return -1
}

// needed is the sizes that the next bank may have, nil for any or when none is
// to be posted.
func (s *State) needed() []int64 {
	switch {
	case s.running():
		return nil
	case s.phase == sale && s.Rules.Sell == game.Fixed:
		return []int64{s.price}
	case s.phase == bank || s.phase == decide || s.phase == shoeOut:
		return slices.Clone(s.need)
	}
	return nil
}

// prompt is the one line that says what the table waits for.
func (s *State) prompt() game.Message {
	who := s.name(s.banker)
	chips := s.Seats[s.banker].Chips
	switch s.phase {
	case bank:
		return s.promptBank("prompt.bank", who)
	case shoeOut:
		if s.unspent {
			return game.Say("prompt.discards")
		}
		return s.promptBank("prompt.shoe_out", who)
	case noCover:
		return game.Say("prompt.nocover", "seat", who, "max", chips)
	case cover:
		return s.promptCover()
	case firstCard:
		return game.Say("prompt.first_card", "seat", who)
	case secondCard:
		if s.Rules.OwnCards {
			return game.Say("prompt.own_card", "seat", s.name(s.nextOwn(s.deal)))
		}
		return game.Say("prompt.second_card", "seat", who)
	case draw:
		if s.Rules.OwnCards {
			return game.Say("prompt.draw_own", "card", s.bankCard, "cards", s.openRanks())
		}
		return game.Say("prompt.draw", "card", s.bankCard, "punters", s.common)
	case capot:
		return game.Say("prompt.capot", "card", s.bankCard)
	case decide:
		return s.promptDecide(who)
	}
	if s.Rules.Sell == game.Auction {
		if s.bid > 0 {
			return game.Say("prompt.auction_bid", "seat", who, "bidder", s.name(s.bidder), "n", s.bid)
		}
		return game.Say("prompt.auction", "seat", who)
	}
	return game.Say("prompt.sale", "seat", who, "n", s.price)
}

func (s *State) promptBank(key, who string) game.Message {
	if s.need != nil {
		return game.Say(key+"_need", "seat", who, "amounts", s.need)
	}
	most := s.Seats[s.banker].Chips
	if most < s.least() {
		return game.Say("prompt.bank_broke", "seat", who)
	}
	return game.Say(key, "seat", who, "min", s.least(), "max", most)
}

func (s *State) promptCover() game.Message {
	t, open := s.name(s.turn), s.uncovered()
	switch most := s.mostCover(s.turn); most {
	case 0:
		return game.Say("prompt.cover_pass", "seat", t, "open", open)
	case open:
		return game.Say("prompt.cover", "seat", t, "max", most)
	default:
		return game.Say("prompt.cover_part", "seat", t, "open", open, "max", most)
	}
}

func (s *State) promptDecide(who string) game.Message {
	how := "give"
	if s.sellable() {
		if how = "sell"; s.Rules.ExitOffer == game.May {
			how = "sell_give"
		}
	}
	if s.need != nil {
		return game.Say("prompt.decide_need_"+how, "seat", who, "amounts", s.need)
	}
	return game.Say("prompt.decide_"+how, "seat", who, "max", s.Seats[s.banker].Chips)
}

// openRanks are the own cards of the stakes that are still open, each rank
// once.
func (s *State) openRanks() []game.Message {
	var out []game.Message
	for i := range s.punter {
		if p := &s.punter[i]; p.stake > 0 && p.fate == undecided {
			out = append(out, game.Say("card", "card", p.card, "seat", s.name(i)))
		}
	}
	return out
}

// mostCover is the most that a punter may cover now.
func (s *State) mostCover(i int) int64 {
	return min(s.uncovered(), s.purse(i), s.room(i))
}

// choices lists what may be done now, the likeliest first.
func (s *State) choices() []game.Choice {
	var cs []game.Choice
	if s.due() {
		cs = append(cs, s.chooseCard())
	}
	switch s.phase {
	case bank, noCover:
		cs = append(s.choosePost(cs, "bank"), game.Choice{Do: "give", Seat: s.name(s.banker)})
	case shoeOut:
		if s.unspent {
			break
		}
		cs = append(s.choosePost(cs, "bank"), game.Choice{Do: "give", Seat: s.name(s.banker)})
	case cover:
		cs = s.chooseCover(cs)
	case decide:
		cs = s.choosePost(cs, "keep")
		if s.sellable() {
			cs = append(cs, game.Choice{Do: "sell", Seat: s.name(s.banker)})
		}
		if s.Rules.ExitOffer == game.May || !s.sellable() {
			cs = append(cs, game.Choice{Do: "give", Seat: s.name(s.banker)})
		}
	case sale:
		cs = s.chooseSale(cs)
	}
	if s.running() {
		cs = append(cs, game.Choice{Do: "void"})
	}
	between := !s.running() && s.phase != capot
	cs = s.HostChoices(cs, between, s.due(), len(s.cards) > 0 && !s.unspent, s.held)
	if s.phase == sale {
		cs = slices.DeleteFunc(cs, func(c game.Choice) bool {
			return c.Do == "rise" && (c.Seat == s.name(s.banker) || s.bid > 0 && c.Seat == s.name(s.bidder))
		})
	}
	return cs
}

// chooseCard offers the ranks that may still come; those that would decide the
// coup are not set apart.
func (s *State) chooseCard() game.Choice {
	c := game.Choice{Do: "card", Ranks: s.CanCome()}
	if s.unspent {
		shoe := s.discards()
		c.Ranks = nil
		for _, k := range card.All {
			if shoe.Can(card.Card{Rank: k}) {
				c.Ranks = append(c.Ranks, k)
			}
		}
	}
	return c
}

// choosePost offers the sizes of the bank that the banker may and can post.
func (s *State) choosePost(cs []game.Choice, do string) []game.Choice {
	c := game.Choice{Do: do, Seat: s.name(s.banker), Min: s.least(), Max: s.Seats[s.banker].Chips}
	if c.Max > game.MaxAmount {
		c.Max = game.MaxAmount
	}
	if need := s.need; need != nil && s.phase != noCover {
		for _, n := range need {
			if n <= c.Max {
				c.Amounts = append(c.Amounts, n)
			}
		}
		if c.Amounts == nil {
			return cs
		}
		c.Min, c.Max = slices.Min(c.Amounts), slices.Max(c.Amounts)
	}
	if c.Max < c.Min {
		return cs
	}
	return append(cs, c)
}

func (s *State) chooseCover(cs []game.Choice) []game.Choice {
	i := s.turn
	if most := s.mostCover(i); most > 0 {
		cs = append(cs, game.Choice{Do: "cover", Seat: s.name(i), Min: 1, Max: most})
	}
	if s.Rules.Banco && s.mayStake(i, s.coverable()-s.punter[i].stake) == nil {
		// Banco takes no amount: how much it will cover is the seat's to read.
		cs = append(cs, game.Choice{Do: "banco", Seat: s.name(i)})
	}
	cs = append(cs, game.Choice{Do: "pass", Seat: s.name(i)})
	return append(cs, game.Choice{Do: "close_bets"})
}

func (s *State) chooseSale(cs []game.Choice) []game.Choice {
	for i := s.Seats.Right(s.banker); i != s.banker; i = s.Seats.Right(i) {
		if s.Rules.Sell == game.Auction {
			if most := min(s.most(i), game.MaxAmount); most >= s.leastBid() {
				cs = append(cs, game.Choice{Do: "bid", Seat: s.name(i), Min: s.leastBid(), Max: most})
			}
			continue
		}
		if !s.punter[i].claims && s.mayBuy(i) == nil {
			cs = append(cs, game.Choice{Do: "claim", Seat: s.name(i)})
		}
	}
	return append(cs, game.Choice{Do: "close_sale"})
}
