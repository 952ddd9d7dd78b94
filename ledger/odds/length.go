package odds

import (
	"math"
	"math/big"

	"lansquenet/ledger/game"
)

// Lengths is how long the next coup takes: element n is the chance that it
// takes exactly n cards, so the first two are nought. Only decided coups have
// a length; what the elements lack to one is the chance of an undecided coup.
func Lengths(s game.Shoe) []*big.Rat {
	out := make([]*big.Rat, s.Total+1)
	for n := range out {
		out[n] = new(big.Rat)
	}
	if s.Total < 2 {
		return out
	}
	t := int64(s.Total)
	out[2].Set(ExactNext(s).Doublet)
	// Pairs of ranks matter only by how many copies the two have together.
	weight := make(map[int]int64)
	for i, a := range s.Rank {
		for j, b := range s.Rank {
			if i != j && a > 0 && b > 0 {
				weight[a+b-2] += int64(a) * int64(b)
			}
		}
	}
	for deciding, w := range weight {
		if deciding == 0 {
			continue
		}
		pair := frac(w, t*(t-1))
		all := new(big.Int).Binomial(t-2, int64(deciding))
		for j := int64(1); j <= t-2; j++ {
			// The first deciding card is the j-th: the others lie behind it.
			ways := new(big.Int).Binomial(t-2-j, int64(deciding)-1)
			p := new(big.Rat).SetFrac(ways, all)
			out[2+j].Add(out[2+j], p.Mul(p, pair))
		}
	}
	return out
}

// Spread sums up a list of lengths.
type Spread struct {
	Mean *big.Rat // of a decided coup
	SD   float64
	Max  int // the longest coup that can be
}

// SpreadOf is mean, standard deviation and greatest length; the lengths are
// taken as they are, so undecided coups should be none or left out of account.
func SpreadOf(lengths []*big.Rat) Spread {
	mean, square, sum := new(big.Rat), new(big.Rat), new(big.Rat)
	out := Spread{}
	for n, p := range lengths {
		if p.Sign() == 0 {
			continue
		}
		out.Max = n
		sum.Add(sum, p)
		x := new(big.Rat).Mul(p, whole(int64(n)))
		mean.Add(mean, x)
		square.Add(square, x.Mul(x, whole(int64(n))))
	}
	if sum.Sign() == 0 {
		out.Mean = mean
		return out
	}
	mean.Quo(mean, sum)
	square.Quo(square, sum)
	out.Mean = mean
	out.SD = math.Sqrt(float(square.Sub(square, new(big.Rat).Mul(mean, mean))))
	return out
}

// Quantile is the smallest length that at least the share p of all coups keeps
// to: 1/2 gives the median. It is nought when so many coups are never decided.
func Quantile(lengths []*big.Rat, p *big.Rat) int {
	sum := new(big.Rat)
	for n, q := range lengths {
		if sum.Add(sum, q).Cmp(p) >= 0 && sum.Sign() > 0 {
			return n
		}
	}
	return 0
}

// StopCard is where to put the stop card, in cards from the end of the shoe:
// the smallest number of cards left from which a coup begun runs out of cards
// with at most the chance risk. Which cards came before is taken as unknown, so
// the shoe is the full one.
func StopCard(s game.Shoe, risk *big.Rat) int {
	left := new(big.Rat).SetInt64(1)
	for n, p := range Lengths(s) {
		if left.Sub(left, p).Cmp(risk) < 0 {
			return n
		}
	}
	return s.Total
}

// CapotA is the chance that the first three cards are of one rank (RULES
// R-CAPOT, reading A).
func CapotA(s game.Shoe) *big.Rat {
	t := int64(s.Total)
	if t < 3 {
		return whole(0)
	}
	sum := int64(0)
	for _, n := range s.Rank {
		k := int64(n)
		sum += k * (k - 1) * (k - 2)
	}
	return frac(sum, t*(t-1)*(t-2))
}

// CapotB is the chance that the bank wins by a match and the next card is again
// of its rank (reading B, the one the capot option plays).
func CapotB(s game.Shoe) *big.Rat {
	// The first two of the deciding cards have to be the bank's, and the second
	// of them has to come right after the first.
	t := int64(s.Total)
	out := new(big.Rat)
	for i, ka := range s.Rank {
		for j, kb := range s.Rank {
			if i == j || ka == 0 || kb == 0 {
				continue
			}
			a, b := int64(ka)-1, int64(kb)-1
			if a < 2 {
				continue
			}
			// Of the t-2 cards to come n decide. If the first of them lies at x
			// and the second at x+1, the others lie behind.
			n := a + b
			ways := new(big.Int)
			for x := int64(1); x <= t-3; x++ {
				ways.Add(ways, new(big.Int).Binomial(t-2-x-1, n-2))
			}
			p := new(big.Rat).SetFrac(ways, new(big.Int).Binomial(t-2, n))
			p.Mul(p, frac(a*(a-1), n*(n-1)))
			out.Add(out, p.Mul(p, frac(int64(ka)*int64(kb), t*(t-1))))
		}
	}
	return out
}

// Run is the chance that the bank wins k coups in a row, each from a fresh
// shoe.
func Run(s game.Shoe, k int) *big.Rat {
	bank := ExactNext(s).Bank
	out := whole(1)
	for range k {
		out.Mul(out, bank)
	}
	return out
}

// WinsBeforeLoss is how many coups a bank wins on average before it loses, each
// from a fresh shoe; one more is how many coups it lives.
func WinsBeforeLoss(s game.Shoe) *big.Rat {
	o := ExactNext(s)
	return new(big.Rat).Quo(o.Bank, o.Punters)
}
