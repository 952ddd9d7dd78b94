package odds

import (
	"fmt"
	"math/big"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// Through is what one shoe brings when coup after coup is dealt from it to the
// last card: the expected numbers of coups by result, and the three ways it can
// end.
type Through struct {
	Decided, Doublets, BankMatches, PuntersMatches *big.Rat
	EndsExactly                                    *big.Rat // no card is left
	OneLeft                                        *big.Rat // a lone card that begins no coup
	Undecided                                      *big.Rat // the last coup is not decided
}

func (t Through) each() [7]*big.Rat {
	return [7]*big.Rat{t.Decided, t.Doublets, t.BankMatches, t.PuntersMatches, t.EndsExactly, t.OneLeft, t.Undecided}
}

func nothing() Through {
	return Through{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
}

// add adds the share p of u.
func (t Through) add(u Through, p *big.Rat) {
	to, from := t.each(), u.each()
	var x big.Rat
	for i := range to {
		if from[i].Sign() != 0 {
			to[i].Add(to[i], x.Mul(from[i], p))
		}
	}
}

// DealThrough follows every way a shoe can go. It is exact and therefore only
// for one pack: with more copies of a rank there are too many ways.
func DealThrough(s game.Shoe) (Through, error) {
	var c copies
	for _, n := range s.Rank {
		if n > card.Suits {
			return Through{}, fmt.Errorf("dealing a whole shoe through is counted for one pack only, not for %d of a rank", n)
		}
		if n > 0 {
			c[n]++
		}
	}
	w := walk{between: map[copies]Through{}, within: map[coup]Through{}}
	return w.from(c), nil
}

// copies is how many ranks have how many copies left: all that the future of a
// shoe depends on. One pack has at most four of a rank.
type copies [card.Suits + 1]uint8

// coup is a coup that runs: the other ranks, and how many cards of the bank's
// and of the punters' rank are left.
type coup struct {
	others        copies
	bank, punters uint8
}

type walk struct {
	between map[copies]Through
	within  map[coup]Through
}

func (c copies) total() int64 {
	t := int64(0)
	for n, ranks := range c {
		t += int64(n) * int64(ranks)
	}
	return t
}

// with is the composition with one rank more that has n copies, without with
// one fewer.
func (c copies) with(n uint8) copies    { c[n]++; c[0] = 0; return c }
func (c copies) without(n uint8) copies { c[n]--; c[0] = 0; return c }

// from is what comes when a new coup is about to begin.
func (w *walk) from(c copies) Through {
	if t, ok := w.between[c]; ok {
		return t
	}
	out, t := nothing(), c.total()
	switch t {
	case 0:
		out.EndsExactly.SetInt64(1)
	case 1:
		out.OneLeft.SetInt64(1)
	default:
		for b := uint8(1); b < uint8(len(c)); b++ {
			if c[b] == 0 {
				continue
			}
			rest := c.without(b)
			first := int64(c[b]) * int64(b)
			if b > 1 {
				p := frac(first*int64(b-1), t*(t-1))
				out.add(w.from(rest.with(b-2)), p)
				out.Decided.Add(out.Decided, p)
				out.Doublets.Add(out.Doublets, p)
			}
			for q := uint8(1); q < uint8(len(rest)); q++ {
				if rest[q] > 0 {
					out.add(w.running(coup{rest.without(q), b - 1, q - 1}),
						frac(first*int64(rest[q])*int64(q), t*(t-1)))
				}
			}
		}
	}
	w.between[c] = out
	return out
}

// running is what comes when a coup waits for its deciding card.
func (w *walk) running(c coup) Through {
	if t, ok := w.within[c]; ok {
		return t
	}
	out := nothing()
	t := c.others.total() + int64(c.bank) + int64(c.punters)
	if c.bank+c.punters == 0 {
		out.Undecided.SetInt64(1)
	}
	if c.bank > 0 {
		p := frac(int64(c.bank), t)
		out.add(w.from(c.others.with(c.bank-1).with(c.punters)), p)
		out.Decided.Add(out.Decided, p)
		out.BankMatches.Add(out.BankMatches, p)
	}
	if c.punters > 0 {
		p := frac(int64(c.punters), t)
		out.add(w.from(c.others.with(c.bank).with(c.punters-1)), p)
		out.Decided.Add(out.Decided, p)
		out.PuntersMatches.Add(out.PuntersMatches, p)
	}
	if c.bank+c.punters > 0 {
		for n := uint8(1); n < uint8(len(c.others)); n++ {
			if c.others[n] > 0 {
				next := coup{c.others.without(n).with(n - 1), c.bank, c.punters}
				out.add(w.running(next), frac(int64(n)*int64(c.others[n]), t))
			}
		}
	}
	w.within[c] = out
	return out
}
