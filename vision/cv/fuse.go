//go:build cgo

package cv

import (
	"cmp"
	"math"

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

// contradicted says that one of the opinions gives another rank more than so much.
func contradicted(rank card.Rank, much float32, opinions ...ranks) bool {
	for _, o := range opinions {
		for r := 0; r < card.Ranks; r++ {
			if o[r] > much && card.Rank(r+1) != rank {
				return true
			}
		}
	}
	return false
}

// doubtful is the most that a contradicted reading is worth: the host is asked.
const doubtful = 0.95

// most is the most that the reading of a whole card may be worth; said are the opinions
// on its two corners and, if it was asked for, on its face. Of a still picture, to which
// no other will be added, more is wanted than of one in a film.
func most(rank card.Rank, said []ranks, still bool) float64 {
	const (
		other = 0.8 // for another rank: they contradict each other
		// The face alone knows no figures of other makers.
		little, faceAlone = 0.25, 0.9
		backed            = 0.8  // one must say so much, or many guesses make a certainty
		noCard            = 0.95 // a face that is none
	)
	at := func(i int) float32 { return said[i][rank-1] }
	if max(at(0), at(1)) < little {
		return faceAlone
	}
	if contradicted(rank, other, said...) {
		return doubtful
	}
	if still && len(said) > 2 && (max(at(0), at(1), at(2)) < backed || said[2][card.Ranks] > noCard && min(at(0), at(1)) < noCard) {
		return doubtful
	}
	return 1
}

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

// byConfidence orders readings: the most certain rank first, no rank last.
func byConfidence(a, b reading) int {
	return cmp.Or(trueFirst(a.Rank != card.NoRank, b.Rank != card.NoRank), cmp.Compare(b.Confidence, a.Confidence))
}

func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
