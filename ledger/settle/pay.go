package settle

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// Rate values chips in a currency: Chips chips are worth Minor of its smallest
// coins (cents, kopecks). The zero value settles in chips.
type Rate struct {
	Chips int64
	Minor int64
}

// Limits of a rate; with them no sum of a night can overflow.
const (
	maxRate = 1_000_000
	maxNet  = 1_000_000_000_000
)

// Due is what one player has won (positive) or lost over the night.
type Due struct {
	Name  string
	Chips int64
	Minor int64 // the same in the currency's smallest coin; chips when there is no rate
}

// Payment is one player paying another. Both dues are there to say why: the one
// has lost, the other has won, and the payments of each add up to his due.
type Payment struct {
	From, To string
	Minor    int64
	Lost     int64 // From's due, as a positive amount
	Won      int64 // To's due
	PaidLeft int64 // what From still has to pay to others after this
	GotLeft  int64 // what To still gets from others after this
}

// Plan is how a night is settled.
type Plan struct {
	Dues     []Due
	Payments []Payment
}

// Errors of Settle.
var (
	ErrUneven = errors.New("what was won is not what was lost")
	ErrRate   = fmt.Errorf("a rate is from 1 to %d chips and from 1 to %d of the smallest coin", maxRate, maxRate)
)

// Settle says who pays whom. nets are in seat order and add up to nought, since
// the house takes nothing (RULES I12).
//
// Odd coins: where a net is no whole number of coins it is first rounded down
// (a loss to the larger loss); the coins that are then too few on the winning
// side are given, one each, to those who lost most by the rounding, and among
// equals to the one who sits first. So nobody's due is off by a whole coin, and
// the dues still add up to nought.
//
// The payments are as few as can be for up to 16 players with something to
// settle; beyond that they are at most one fewer than the players.
func Settle(names []string, nets []int64, r Rate) (Plan, error) {
	if len(names) != len(nets) {
		return Plan{}, errors.New("each name needs a net")
	}
	if r == (Rate{}) {
		r = Rate{1, 1}
	}
	if r.Chips < 1 || r.Minor < 1 || r.Chips > maxRate || r.Minor > maxRate {
		return Plan{}, ErrRate
	}
	sum := int64(0)
	for i, n := range nets {
		if n > maxNet || n < -maxNet {
			return Plan{}, fmt.Errorf("%s: %d chips are more than a night can hold", names[i], n)
		}
		sum += n
	}
	if sum != 0 {
		return Plan{}, fmt.Errorf("%w: they differ by %d", ErrUneven, sum)
	}
	p := Plan{Dues: make([]Due, len(nets))}
	minor := value(nets, r)
	for i := range nets {
		p.Dues[i] = Due{names[i], nets[i], minor[i]}
	}
	for _, group := range groups(minor) {
		p.Payments = append(p.Payments, pay(names, minor, group)...)
	}
	return p, nil
}

// value turns nets into coins that still add up to nought.
func value(nets []int64, r Rate) []int64 {
	minor, rest := make([]int64, len(nets)), make([]int64, len(nets))
	short := int64(0)
	byRest := make([]int, len(nets))
	for i, n := range nets {
		minor[i], rest[i] = floorDiv(n*r.Minor, r.Chips)
		short -= minor[i]
		byRest[i] = i
	}
	slices.SortStableFunc(byRest, func(a, b int) int { return int(rest[b] - rest[a]) })
	for _, i := range byRest[:short] {
		minor[i]++
	}
	return minor
}

func floorDiv(a, b int64) (q, rest int64) {
	q, rest = a/b, a%b
	if rest < 0 {
		q, rest = q-1, rest+b
	}
	return q, rest
}

// exact is how many players are still split into groups in every possible way.
const exact = 16

// groups splits the players who have something to settle into as many groups as
// can be that each add up to nought. A group of n needs n-1 payments, so the most
// groups make the fewest payments.
func groups(due []int64) [][]int {
	var who []int
	for i, d := range due {
		if d != 0 {
			who = append(who, i)
		}
	}
	if len(who) == 0 {
		return nil
	}
	if len(who) > exact {
		return [][]int{who}
	}
	// best[s] is the most groups into which the set s can be split when its
	// players are added one by one and each time the sum is nought a group ends.
	full := 1<<len(who) - 1
	sums, best, last := make([]int64, full+1), make([]int8, full+1), make([]int8, full+1)
	for s := 1; s <= full; s++ {
		low := bits.TrailingZeros(uint(s))
		sums[s] = sums[s&(s-1)] + due[who[low]]
		best[s] = -1
		for rest := s; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros(uint(rest))
			if b := best[s&^(1<<i)]; b > best[s] {
				best[s], last[s] = b, int8(i)
			}
		}
		if sums[s] == 0 {
			best[s]++
		}
	}
	var out [][]int
	var group []int
	for s := full; s != 0; {
		if sums[s] == 0 && len(group) > 0 {
			out, group = append(out, group), nil
		}
		group = append(group, who[last[s]])
		s &^= 1 << last[s]
	}
	out = append(out, group)
	for _, g := range out {
		slices.Sort(g)
	}
	slices.SortFunc(out, func(a, b []int) int { return a[0] - b[0] })
	return out
}

// pay settles one group: whoever lost most pays whoever won most, until nobody
// owes anything. Each payment clears at least one of the two.
func pay(names []string, due []int64, group []int) []Payment {
	left := make(map[int]int64, len(group))
	for _, i := range group {
		left[i] = due[i]
	}
	var out []Payment
	for {
		from, to := group[0], group[0]
		for _, i := range group[1:] {
			if left[i] < left[from] {
				from = i
			}
			if left[i] > left[to] {
				to = i
			}
		}
		n := min(-left[from], left[to])
		if n <= 0 {
			return out
		}
		left[from] += n
		left[to] -= n
		out = append(out, Payment{From: names[from], To: names[to], Minor: n, Lost: -due[from], Won: due[to],
			PaidLeft: -left[from], GotLeft: left[to]})
	}
}
