package table_test

import (
	"fmt"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// This file settles coups a second time, from RULES and from what can be seen
// alone: the table before a card, the card, and who should have which chips
// after it. It shares no code with the games.

// settlement compares what a card did to everybody's chips with what it should
// have done. earlier is the table before the action before it.
func settlement(earlier, was, now game.View, a game.Action) error {
	var want map[string]int64
	switch was.Game {
	case game.Skin:
		want = skinSettles(was, a.Rank)
	case game.Zecchinetta:
		want = zecchinettaSettles(was, a.Rank)
	default:
		want = lansquenetSettles(earlier, was, a.Rank)
	}
	if want == nil {
		return nil
	}
	for _, s := range now.Seats {
		got := s.Chips + s.Stake
		if s.Name == was.Banker {
			got += now.Bank
		}
		if got != want[s.Name] {
			return fmt.Errorf("%s on %v: %s stands at %d, should at %d (result %q)", a.Rank, ranks(was), s.Name, got, want[s.Name], now.Result)
		}
	}
	return nil
}

func ranks(v game.View) (out []card.Rank) {
	for _, d := range v.Cards {
		out = append(out, d.Card.Rank)
	}
	return out
}

// worth is what everybody owns: free chips, stake and, for the banker, the bank.
func worth(v game.View) map[string]int64 {
	out := make(map[string]int64)
	for _, s := range v.Seats {
		out[s.Name] = s.Chips + s.Stake
		if s.Name == v.Banker {
			out[s.Name] += v.Bank
		}
	}
	return out
}

// lansquenetSettles goes through the whole coup again, card by card, with the
// stakes that lay before the last of them. It reckons what a stake is worth to
// its punter, and the banker is the other side of it.
func lansquenetSettles(earlier, was game.View, last card.Rank) map[string]int64 {
	own := worth(was)
	cards := append(ranks(was), last)
	if was.Phase == game.Capot {
		// The match is settled; the stakes it was about are seen before it. Who
		// lost by the match, not by a doublet and not twice already, pays again.
		if earlier.Phase != game.Draw || len(earlier.Cards)+1 != len(was.Cards) {
			return nil // something else lies between
		}
		for _, s := range earlier.Seats {
			own0 := worth(earlier)[s.Name]
			if last == was.BankCard.Rank && own[s.Name]-own0 == -s.Stake && s.Card.Rank != last {
				own[s.Name] -= s.Stake
				own[was.Banker] += s.Stake
			}
		}
		return own
	}
	if was.Result == "void" && was.Phase == game.ShoeOut && len(was.Cards) == 0 {
		return own
	}
	move := func(punter string, n int64) { own[punter] += n; own[was.Banker] -= n }
	type stake struct {
		seat string
		n    int64
		card card.Rank
		over bool
	}
	// Punters from the banker's right, those with a stake.
	var open []*stake
	at := 0
	for i, s := range was.Seats {
		if s.Name == was.Banker && !s.Left {
			at = i
		}
	}
	for k := 1; k < len(was.Seats); k++ {
		s := was.Seats[(at+k)%len(was.Seats)]
		if s.Left || s.Stake == 0 && was.Rules.BetTiming != game.AfterTwo {
			continue
		}
		open = append(open, &stake{seat: s.Name, n: s.Stake})
	}
	again := was.Rules.Doublet == game.Redeal || was.Rules.BetTiming == game.AfterTwo
	lost := func(n int64) int64 {
		if was.Rules.Doublet == game.Half {
			return n / 2
		}
		return n
	}
	factor := func(turned int) int64 {
		if was.Rules.FirstMatchDouble && turned == 1 {
			return 2
		}
		return 1
	}

	if !was.Rules.OwnCards {
		for len(cards) >= 2 && cards[0] == cards[1] && again {
			cards = cards[2:]
		}
		if len(cards) < 2 {
			return own
		}
		if cards[0] == cards[1] {
			for _, s := range open {
				move(s.seat, -lost(s.n))
			}
			return own
		}
		for i, c := range cards[2:] {
			if c != cards[0] && c != cards[1] {
				continue
			}
			sign := int64(1)
			if c == cards[0] {
				sign = -1
			}
			for _, s := range open {
				move(s.seat, sign*s.n*factor(i+1))
			}
			return own
		}
		return own
	}

	// Own cards: nothing moves before the last stake is decided.
	type gain struct {
		seat string
		n    int64
	}
	var gains []gain
	bank, rest := cards[0], cards[1:]
	for _, s := range open {
		for again && len(rest) > 0 && rest[0] == bank {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return own
		}
		s.card, rest = rest[0], rest[1:]
		if s.card == bank {
			s.over = true
			gains = append(gains, gain{s.seat, -lost(s.n)})
		}
	}
	left := func() (n int) {
		for _, s := range open {
			if !s.over && s.n > 0 {
				n++
			}
		}
		return n
	}
	for i, c := range rest {
		for _, s := range open {
			switch {
			case s.over || s.n == 0:
			case c == bank:
				s.over = true
				gains = append(gains, gain{s.seat, -s.n * factor(i+1)})
			case c == s.card:
				s.over = true
				gains = append(gains, gain{s.seat, s.n * factor(i+1)})
			}
		}
	}
	if len(open) > 0 && left() == 0 && len(gains) > 0 {
		for _, g := range gains {
			move(g.seat, g.n)
		}
	}
	return own
}

// zecchinettaSettles reckons from the open bets and cards (RULES 4.1).
func zecchinettaSettles(was game.View, r card.Rank) map[string]int64 {
	own := worth(was)
	if was.Phase != game.Betting && was.Phase != game.Turn {
		return own
	}
	bankCard := was.BankCard.Rank
	seen := 0
	for _, c := range ranks(was) {
		if c == r {
			seen++
		}
	}
	for _, s := range was.Seats {
		for _, b := range s.Bets {
			switch {
			case r == bankCard: // the banker pays what is still open
				own[s.Name] += b.Amount
				own[was.Banker] -= b.Amount
			case bankCard == card.NoRank && seen > 0 && was.Rules.ThirdCard == game.Playette:
			case bankCard == card.NoRank && seen > 0 && was.Rules.ThirdCard == game.Sweep, b.Card.Rank == r:
				own[s.Name] -= b.Amount
				own[was.Banker] += b.Amount
			}
		}
	}
	return own
}

// skinSettles reckons from the bets before each seat (RULES 3).
func skinSettles(was game.View, r card.Rank) map[string]int64 {
	own := worth(was)
	for _, s := range was.Seats {
		for _, b := range s.Bets {
			switch {
			case s.Card.Rank == r && b.Against == "":
				own[s.Name] -= b.Amount
				own[was.Banker] += b.Amount
			case s.Card.Rank == r:
				own[s.Name] -= b.Amount
				own[b.Against] += b.Amount
			case was.BankCard.Rank == r && b.Against == "":
				own[s.Name] += b.Amount
				own[was.Banker] -= b.Amount
			}
		}
	}
	return own
}
