package demo

import (
	"math/rand/v2"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/vision/scene"
)

// shuffled is a shoe that holds what the table believes to be unseen. Its suits
// are those that do not lie on the table, dealt out evenly.
func shuffled(v game.View, rnd *rand.Rand) []card.Card {
	var lies [card.Ranks + 1][card.Suits + 1]int
	packs := 1
	for _, r := range card.All {
		n := v.Unseen.Rank[r]
		for _, d := range v.Cards {
			if d.Card.Rank == r {
				lies[r][d.Card.Suit]++
				n++
			}
		}
		packs = max(packs, (n+card.Suits-1)/card.Suits)
	}
	var shoe []card.Card
	for _, r := range card.All {
		suit := card.Clubs
		for range v.Unseen.Rank[r] {
			for range card.Suits {
				if lies[r][suit] < packs {
					break
				}
				suit = suit%card.Suits + 1
			}
			lies[r][suit]++
			shoe = append(shoe, card.Card{Rank: r, Suit: suit})
			suit = suit%card.Suits + 1
		}
	}
	rnd.Shuffle(len(shoe), func(i, j int) { shoe[i], shoe[j] = shoe[j], shoe[i] })
	return shoe
}

// place is where the next card goes: the bank's to the banker's left, the
// punters' to his right, and what follows into a row between them, which begins
// anew on top of itself when it is full.
func place(v game.View, rnd *rand.Rand) scene.Spot {
	s := scene.Spot{Turn: 6 * (rnd.Float64() - 0.5)}
	const places = 3
	switch n := len(v.Cards); n {
	case 0:
		s.X, s.Y = -205, -40
	case 1:
		s.X, s.Y = 205, -40
	default:
		s.X, s.Y = -84+84*float64((n-2)%places), 40
	}
	s.X += 5 * (rnd.Float64() - 0.5)
	s.Y += 5 * (rnd.Float64() - 0.5)
	return s
}
