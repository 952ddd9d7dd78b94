package lansquenet

import "lansquenet/ledger/game"

// sellable says whether the bank can be offered to the others (R-SALE3).
func (s *State) sellable() bool {
	return s.Rules.Sell != game.None && (s.Rules.MaxSales == 0 || s.sales < s.Rules.MaxSales)
}

// doSell is `sell`: after a win the banker takes everything and offers the
// bank (R-EXIT).
func (s *State) doSell(a *game.Action, o *game.Outcome) error {
	if err := s.only(s.phase == decide, a.Do); err != nil {
		return err
	}
	if err := s.mine(a, s.banker); err != nil {
		return err
	}
	switch {
	case s.Rules.Sell == game.None:
		return game.Refuse("no_sale")
	case !s.sellable():
		return game.Refuse("sold_out", "n", int64(s.Rules.MaxSales))
	}
	s.phase = sale
	if o != nil {
		if s.Rules.Sell == game.Auction {
			o.Tell("told.auction", "seat", s.name(s.banker))
		} else {
			o.Tell("told.sells", "seat", s.name(s.banker), "n", s.price)
		}
	}
	return nil
}

// buyer checks what claim and bid have in common and finds the seat.
func (s *State) buyer(a *game.Action, how string) (int, error) {
	if err := s.only(s.phase == sale, a.Do); err != nil {
		return -1, err
	}
	if s.Rules.Sell != how {
		return -1, game.Refuse("sale_is_"+s.Rules.Sell, "n", s.price)
	}
	i, err := s.Seat(a.Seat)
	if err != nil {
		return -1, err
	}
	if i == s.banker {
		return -1, game.Refuse("own_sale", "seat", a.Seat).In("seat")
	}
	return i, nil
}

// doClaim is `claim`: a seat wants the bank at its price (R-SALE).
func (s *State) doClaim(a *game.Action, o *game.Outcome) error {
	i, err := s.buyer(a, game.Fixed)
	if err != nil {
		return err
	}
	if err := s.mayBuy(i); err != nil {
		return err
	}
	if o != nil && !s.punter[i].claims {
		o.Tell("told.claims", "seat", s.name(i))
	}
	s.punter[i].claims = true
	return nil
}

// mayBuy refuses a claim on a bank that the seat cannot post, or could lose
// more by than its limit (R-LIMIT, R-LOSSLIM).
func (s *State) mayBuy(i int) error {
	switch left := s.Seats[i].Chips; {
	case left < s.price:
		return game.Refuse("chips_short", "seat", s.name(i), "max", left).In("seat")
	case s.Rules.LossLimit > 0 && s.price > s.LossLeft(i):
		return game.Refuse("loss_limit", "seat", s.name(i), "max", max(0, s.LossLeft(i)), "limit", s.Rules.LossLimit).In("seat")
	}
	return nil
}

// most is the highest bid a seat can stand by: a premium leaves it the
// smallest bank to post.
func (s *State) most(i int) int64 {
	if s.Rules.AuctionBid == game.Premium {
		return max(0, s.Seats[i].Chips-s.least())
	}
	return s.Seats[i].Chips
}

// leastBid is the lowest bid that beats the highest.
func (s *State) leastBid() int64 {
	if s.bid == 0 && s.Rules.AuctionBid == game.BankSize {
		return s.least()
	}
	return s.bid + 1
}

// doBid is `bid`: in an auction (R-AUCTION).
func (s *State) doBid(a *game.Action, o *game.Outcome) error {
	i, err := s.buyer(a, game.Auction)
	switch {
	case err != nil:
		return err
	case a.Amount <= 0:
		return game.Refuse("amount_zero").In("amount")
	case a.Amount < s.leastBid():
		return game.Refuse("bid_low", "min", s.leastBid()).In("amount")
	case a.Amount > s.most(i):
		return game.Refuse("chips_short", "seat", s.name(i), "max", s.most(i)).In("amount")
	}
	s.bidder, s.bid = i, a.Amount
	if o != nil {
		o.Tell("told.bids", "seat", s.name(i), "n", a.Amount)
	}
	return nil
}

// doCloseSale is `close_sale`: the nearest claimant on the seller's right gets
// the bank, whatever the order of the claims (R-PRIO), or the highest bidder;
// without one it passes on (R-NOBUYER).
func (s *State) doCloseSale(o *game.Outcome) error {
	if err := s.only(s.phase == sale, "close_sale"); err != nil {
		return err
	}
	if s.Rules.Sell == game.Auction {
		s.closeAuction(o)
		return nil
	}
	for i := s.Seats.Right(s.banker); i != s.banker; i = s.Seats.Right(i) {
		if s.punter[i].claims {
			s.buy(i, s.price, o)
			return nil
		}
	}
	s.unsold(o)
	return nil
}

func (s *State) closeAuction(o *game.Outcome) {
	i, x := s.bidder, s.bid
	switch {
	case x == 0:
		s.unsold(o)
	case s.Rules.AuctionBid == game.BankSize:
		s.buy(i, x, o)
	default:
		s.Seats[i].Chips -= x
		s.Seats[s.banker].Chips += x
		if o != nil {
			o.Move(s.stack(i), s.stack(s.banker), x)
			o.Tell("told.premium", "seat", s.name(i), "seller", s.name(s.banker), "n", x)
		}
		s.hand(i)
	}
}

// buy hands the bank to its buyer, who posts it from his own chips.
func (s *State) buy(i int, amount int64, o *game.Outcome) {
	if o != nil {
		o.Tell("told.sold", "seat", s.name(i), "seller", s.name(s.banker), "n", amount)
	}
	s.banker = i
	s.sales++
	s.need = []int64{amount}
	s.named = false
	s.post(amount, o)
}

func (s *State) unsold(o *game.Outcome) {
	if o != nil {
		o.Tell("told.unsold")
	}
	s.passOn(o)
}
