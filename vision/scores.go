package vision

import (
	"math"
	"sort"

	"lansquenet/ledger/card"
)

// Likeliest turns scores (Sighting.Score) into a rank, how likely it is, and
// the three likeliest ranks. NoRank comes out when the nets agree that there
// is none.
func Likeliest(scores [card.Ranks + 1]float32) (card.Rank, float64, []card.Rank) {
	order := make([]card.Rank, card.Ranks)
	for i := range order {
		order[i] = card.Rank(i + 1)
	}
	sort.SliceStable(order, func(i, j int) bool { return scores[order[i]] > scores[order[j]] })
	top, sum := float64(scores[order[0]]), 0.0
	for _, r := range order {
		sum += math.Exp(float64(scores[r]) - top)
	}
	// The nets' "no rank" is asked first: what they call no card has no rank
	// however the rest is spread.
	none := math.Exp(float64(scores[0]))
	if none > 0.5 {
		return card.NoRank, none, order[:3]
	}
	return order[0], 1 / sum, order[:3]
}

// Sure is the confidence from which a reading counts as certain.
const Sure = 0.99
