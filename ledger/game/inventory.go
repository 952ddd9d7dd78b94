package game

import "lansquenet/ledger/card"

// Inventory counts what is still in the shoe: by rank, by rank and suit where
// suits were read, and cards that went out unseen (RULES 1.2, 1.5 I7). It is a
// value; copying it copies the shoe.
type Inventory struct {
	left   [card.Ranks + 1]int16                 // copies of a rank nobody has seen yet
	suited [card.Ranks + 1][card.Suits + 1]int16 // copies of a rank and suit seen
	packs  int16
	size   int16 // cards of the full shoe
	total  int16 // cards still in the shoe
}

// FreshShoe is a full shoe of the rules' packs without the stripped ranks.
func FreshShoe(r *Rules) Inventory {
	s := Inventory{packs: int16(r.Packs)}
	for _, k := range card.All {
		if !r.Strip[k] {
			s.left[k] = int16(r.Packs * card.Suits)
			s.size += s.left[k]
		}
	}
	s.total = s.size
	return s
}

// Left is how many cards of a rank nobody has seen yet.
func (s *Inventory) Left(r card.Rank) int { return int(s.left[r]) }

// Total is how many cards are in the shoe.
func (s *Inventory) Total() int { return int(s.total) }

// Can says whether that card may come out: a rank, or a rank and suit, that
// has come as often as the packs hold it cannot come again (R-IMPOSSIBLE).
func (s *Inventory) Can(c card.Card) bool {
	return s.total > 0 && s.left[c.Rank] > 0 && (c.Suit == card.NoSuit || s.suited[c.Rank][c.Suit] < s.packs)
}

// Take takes a card out of the shoe. It answers false, and changes nothing,
// for one that cannot be there.
func (s *Inventory) Take(c card.Card) bool {
	if !s.Can(c) {
		return false
	}
	s.left[c.Rank]--
	s.suited[c.Rank][c.Suit]++
	s.total--
	return true
}

// TakeUnseen takes out a card whose face nobody saw. It answers false, and
// changes nothing, when the shoe is empty.
func (s *Inventory) TakeUnseen() bool {
	if s.total == 0 {
		return false
	}
	s.total--
	return true
}

// Impossible is the refusal of a card that cannot be in the shoe.
func (s *Inventory) Impossible(c card.Card) *Refusal {
	switch {
	case s.total <= 0:
		return Refuse("shoe_empty", "card", c)
	case s.left[c.Rank] <= 0:
		return Refuse("impossible_card", "card", card.Card{Rank: c.Rank})
	}
	return Refuse("impossible_card", "card", c)
}

// View is the shoe as pages may know it.
func (s *Inventory) View() Shoe {
	v := Shoe{Total: int(s.total), Size: int(s.size)}
	for i, n := range s.left {
		v.Rank[i] = int(n)
	}
	return v
}
