//go:build cgo

package cv

import (
	"math"
	"sort"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// least is the smallest probability that a net's opinion may lend a rank: no
// single net can veto what the others see.
const least = 0.002

// fuse makes one opinion of several: the product over the nets' opinions, in
// which "no rank" counts as no evidence. The first of scores is the logarithm
// of how sure all of them are that there is no rank.
func fuse(opinions ...ranks) (scores [card.Ranks + 1]float32) {
	none := 1.0
	for _, o := range opinions {
		no := float64(o[card.Ranks])
		for r := 0; r < card.Ranks; r++ {
			p := float64(o[r]) + no/card.Ranks
			scores[r+1] += float32(math.Log(math.Max(p, least)))
		}
		none = math.Min(none, no)
	}
	scores[0] = float32(math.Log(math.Max(none, 1e-6)))
	return scores
}

// judge fills a sighting's rank, confidence and guesses from its scores.
func judge(s *vision.Sighting) {
	s.Rank, s.Confidence, s.Guess = vision.Likeliest(s.Score)
}

// contradicted says that one of the opinions is sure of another rank.
func contradicted(rank card.Rank, opinions ...ranks) bool {
	for _, o := range opinions {
		for r := 0; r < card.Ranks; r++ {
			if o[r] > 0.8 && card.Rank(r+1) != rank {
				return true
			}
		}
	}
	return false
}

// doubtful is the most that a contradicted reading is worth: the host is asked.
const doubtful = 0.95

// fuseSuits is the likeliest suit of several opinions, NoSuit when unsure.
func fuseSuits(opinions ...suits) card.Suit {
	var s [card.Suits]float64
	for i := range s {
		s[i] = 1
		for _, o := range opinions {
			s[i] *= math.Max(float64(o[i]+o[card.Suits]/card.Suits), 0.01)
		}
	}
	sum, best := 0.0, 0
	for i, p := range s {
		if sum += p; p > s[best] {
			best = i
		}
	}
	if s[best] < 0.8*sum {
		return card.NoSuit
	}
	return card.Suit(best + 1)
}

// byConfidence sorts readings, the most certain rank first, no rank last.
func byConfidence(ss []reading) {
	sort.SliceStable(ss, func(i, j int) bool {
		a, b := ss[i], ss[j]
		if (a.Rank == card.NoRank) != (b.Rank == card.NoRank) {
			return a.Rank != card.NoRank
		}
		return a.Confidence > b.Confidence
	})
}
