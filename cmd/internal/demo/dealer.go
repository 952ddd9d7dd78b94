package demo

import (
	"math/rand/v2"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/vision/scene"
)

// shuffled is a shoe that holds what the table believes to be unseen, with suits
// dealt out evenly.
func shuffled(s game.Shoe, rnd *rand.Rand) []card.Card {
	var shoe []card.Card
	for _, r := range card.All {
		for i := range s.Rank[r] {
			shoe = append(shoe, card.Card{Rank: r, Suit: card.Suit(1 + i%card.Suits)})
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
