//go:build cgo

package cv

import (
	"cmp"
	"math"
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/weights"
)

// One card may be read several times: in outlines found in several ways, in a
// frame printed on it, and at each of its two indices. And an outline may hold two
// cards. What tells them apart is where the indices are: a card has two, one a
// known diagonal from the other and turned by half a turn.

const (
	// samePlace is how far apart, as a share of a card's height, one index may
	// be seen by two readings. Those of neighbours in a fan are farther apart.
	samePlace = 0.12
	// sameTurn is the cosine of the angle between directions that are one.
	sameTurn = 0.9
)

// indexOf is where the index of a card stands, a little inside its first corner.
func indexOf(q vision.Quad) vision.Point {
	return q[0].Add(q[1].Sub(q[0]).Mul(weights.IndexX)).Add(q[3].Sub(q[0]).Mul(weights.IndexY))
}

// end is the outline that begins with the i-th of a card's two index corners.
func end(q vision.Quad, i int) vision.Quad { return q.Turn(2 * i) }

// sameIndex says that the first corners of two outlines, a share of their height apart
// at most, bear one index.
func sameIndex(a, b vision.Quad, apart float64) bool {
	down, other := a[3].Sub(a[0]), b[3].Sub(b[0])
	most := apart * min(down.Len(), other.Len())
	return indexOf(a).Dist(indexOf(b)) < most && down.Dot(other) > sameTurn*down.Len()*other.Len()
}

// covers says that nothing at a place needs an explanation: it is one of the
// card's indices, or within a card read at both ends.
func (r reading) covers(at vision.Point) bool {
	if !r.Whole || r.bent {
		return false
	}
	return r.indexNear(at, 0, samePlace) || r.ends[0] && r.ends[1] && r.Quad.Contains(at)
}

// indexNear says that one of a card's two index corners, moved by a share of its
// width, is nearer to a place than a share of its height.
func (r reading) indexNear(at vision.Point, along, most float64) bool {
	_, h := r.Quad.Sides()
	for i := range r.ends {
		if indexOf(off(end(r.Quad, i), along, 0)).Dist(at) < most*h {
			return true
		}
	}
	return false
}

// same says that two readings are of one card.
func (r reading) same(o reading) bool {
	share := r.Quad.Overlap(o.Quad)
	switch {
	case share > 0.5 && (r.Rank == card.NoRank || o.Rank == card.NoRank):
		return true
	case share > 0.5 && r.Whole && o.Whole && !r.bent && !o.bent:
		return true
	case share > 0.8 && r.Whole && o.Whole && r.Rank == o.Rank:
		// A crooked outline of the same card, more likely than one of two alike.
		return true
	}
	return r.shares(o) || r.within(o) || o.within(r) || r.square(o) || o.square(r)
}

// square says that r is the card of which o is an index beside those of its
// diagonal: some packs, those for Skat among them, bear one in every corner.
func (r reading) square(o reading) bool {
	at, one := o.onlyEnd()
	if !one || o.Whole || !r.Whole || r.bent || r.Rank != o.Rank || r.Rank == card.NoRank {
		return false
	}
	return r.indexNear(indexOf(at), 1-2*weights.IndexX, 1.5*samePlace)
}

// within says that all indices of a part of a card, or of an outline that is
// none, are explained by a whole card.
func (r reading) within(o reading) bool {
	if r.Whole && !r.bent {
		return false
	}
	some := false
	for i, has := range r.ends {
		if has && (!o.covers(indexOf(end(r.Quad, i))) || r.atop(o)) {
			return false
		}
		some = some || has
	}
	return some
}

// atop says that an end of a card is surely none of a whole card in whose outline it
// is: another card lies there. What is printed within a card may look a little like an
// index, but not in all three cuts, and not of an index's size.
func (r reading) atop(o reading) bool {
	const firm, size = 0.9, 2.2
	if r.Whole || r.Rank == o.Rank || r.Confidence < vision.Sure || r.least < firm || o.indexNear(indexOf(r.Quad), 0, 1.5*samePlace) || o.square(r) {
		return false
	}
	_, high := o.Quad.Sides()
	k := r.Quad[3].Dist(r.Quad[0]) / high
	return k < size && k > 1/size
}

// shares says that two readings have an index in common. When it is read alike and
// seen only roughly in one place, it is still one.
func (r reading) shares(o reading) bool {
	apart := samePlace
	if r.Rank == o.Rank && r.Suit == o.Suit {
		apart *= 1.5
	}
	for i, has := range r.ends {
		for k, had := range o.ends {
			if has && had && sameIndex(end(r.Quad, i), end(o.Quad, k), apart) {
				return true
			}
		}
	}
	return false
}

// disputed says that the whole card of which only an index was read seems to be of
// another rank.
func (r reading) disputed(whole reading) bool {
	const serious = 0.9
	return r.printed && whole.Whole && whole.Rank != card.NoRank && whole.Rank != r.Rank && whole.Confidence >= serious &&
		whole.indexNear(indexOf(r.Quad), 0, 1.5*samePlace)
}

// mates says that two readings can be of two ends of one card, each not having
// seen the other. t is the table as far as it is known. In a still picture, in which
// the suits are told, too, ends are one card's from farther off.
func (r reading) mates(o reading, t reference, still bool) bool {
	a, one := r.onlyEnd()
	b, other := o.onlyEnd()
	if !one || !other || r.Rank != o.Rank || r.Rank == card.NoRank {
		return false
	}
	if !still {
		_, ok := between(a, b)
		return ok
	}
	// Clubs and spades look alike when they are small.
	if r.Suit != card.NoSuit && o.Suit != card.NoSuit && r.Suit.Red() != o.Suit.Red() {
		return false
	}
	const (
		narrow, wide = 18 * math.Pi / 180, 26 * math.Pi / 180 // what the direction from one to the other may be wrong by
		near         = 0.8                                    // the cosine of what their own directions may be
		// The size may be wrong as much as ranks are printed larger and smaller, and
		// less when there is another card to compare with.
		guessed, known = 2.7, 1.35
	)
	angle, alike := narrow, r.Suit != card.NoSuit && r.Suit == o.Suit
	if alike {
		angle = wide
	}
	flat, size := t.Flat, known
	if t.of == r.Quad || t.of == o.Quad {
		size = guessed // what is in question is whether that outline is a card's
	}
	if t.table == (table{}) {
		k := vision.CardHigh / math.Sqrt(a[3].Dist(a[0])*b[3].Dist(b[0]))
		flat, size = func(p vision.Point) vision.Point { return p.Mul(k) }, guessed
	}
	u, v, d := flat(a[3].Sub(a[0])), flat(b[3].Sub(b[0])), flat(indexOf(b).Sub(indexOf(a)))
	u, v = u.Mul(1/u.Len()), v.Mul(1/v.Len())
	const across, along = vision.CardWide * (1 - 2*weights.IndexX), vision.CardHigh * (1 - 2*weights.IndexY)
	// The places of other ends, seen from the one: every card has one across its
	// diagonal, those with four indices also one below and one beside.
	down, places := u.Sub(v), []vision.Point{{X: across, Y: along}, {Y: along}, {X: -across, Y: along}}
	switch {
	case u.Dot(v) > near: // two cards side by side look so, too
		angle, size = narrow/2, known
		if alike {
			angle = narrow
		}
		down, places = u.Add(v), []vision.Point{{X: across}, {X: -across}}
	case u.Dot(v) > -near:
		return false
	}
	down = down.Mul(1 / down.Len())
	at := vision.Point{X: d.Dot(vision.Point{X: down.Y, Y: -down.X}), Y: d.Dot(down)}
	for _, p := range places {
		k := at.Len() / p.Len()
		if math.Abs(math.Atan2(p.Cross(at), p.Dot(at))) < angle && k < size && k > 1/size {
			return true
		}
	}
	return false
}

// onlyEnd is the outline that begins with the one index that was read.
func (r reading) onlyEnd() (vision.Quad, bool) {
	if r.ends[1] {
		return end(r.Quad, 1), !r.ends[0]
	}
	return r.Quad, r.ends[0]
}

// holds says that it is a whole card, read with certainty.
func (r reading) holds() bool {
	return r.Whole && !r.bent && r.Rank != card.NoRank && r.Confidence >= vision.Sure
}

// leftover says that a doubtful reading is of parts of a card that is read: of a
// figure, of a panel, of an outline that went astray.
func (r reading) leftover(known reading) bool {
	return r.Confidence < vision.Sure && (r.Whole || r.Confidence < doubtful) && r.Quad.Overlap(known.Quad) > 0.5
}

// merged leaves one sighting for each card, the most certain first. In a still
// picture nothing better will come, so leftovers go, too, and what is not sure is worth
// what such readings were worth.
func merged(all []reading, still bool) (out []vision.Sighting) {
	kept := cards(all, still)
	for i, r := range kept {
		if still {
			kept[i].Confidence = r.worth()
		}
	}
	slices.SortStableFunc(kept, byConfidence)
	for _, r := range kept {
		out = append(out, r.Sighting)
	}
	return out
}

// witness is what a reading rests on.
type witness uint8

const (
	bothEnds   witness = iota // a whole card, read at both ends
	oneEnd                    // a whole card, read at one
	noEnd                     // a whole card, read at neither: by its face
	cornerOnly                // an end alone, at the corner of a shape
	indexOnly                 // an end alone, without any shape
)

// worths is how many of the unsure readings that rest on each were right, over their
// mean confidence; TestReliability measures it anew.
var worths = [...]float64{bothEnds: 0.6, oneEnd: 0.9, noEnd: 0.8, cornerOnly: 0.94, indexOnly: 0.6}

// bentWorth is how much less that is of an outline of no rectangle.
const bentWorth = 0.7

func (r reading) witness() witness {
	switch {
	case r.printed:
		return indexOnly
	case !r.Whole:
		return cornerOnly
	case r.ends[0] && r.ends[1]:
		return bothEnds
	case r.ends[0] || r.ends[1]:
		return oneEnd
	}
	return noEnd
}

// worth is how likely a reading in a still picture is right.
func (r reading) worth() float64 {
	if r.Rank == card.NoRank || r.Confidence >= vision.Sure {
		return r.Confidence
	}
	k := worths[r.witness()]
	if r.bent {
		k *= bentWorth
	}
	return k * r.Confidence
}

// cards leaves one reading for each card.
func cards(all []reading, still bool) (out []reading) {
	// Of certain readings those of whole cards come first: they hold both ends of
	// a card, which are told to be one only by them.
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Or(trueFirst(a.holds(), b.holds()), byConfidence(a, b)) })
	t := tableIn(all)
	var kept [][]reading // of each card that reading which stands for it, and others of its ends
	// Bent outlines come last, when what they hold is known.
	for _, bent := range []bool{false, true} {
	next:
		for _, r := range all {
			if r.bent != bent {
				continue
			}
			for i, k := range kept {
				if k[0].same(r) || still && r.leftover(k[0]) {
					if still && k[0].disputed(r) {
						k[0].Confidence = min(k[0].Confidence, doubtful)
					}
					continue next
				}
				for _, part := range k {
					if part.mates(r, t, still) {
						kept[i] = append(k, r)
						continue next
					}
				}
			}
			kept = append(kept, []reading{r})
		}
	}
	for _, k := range kept {
		out = append(out, k[0])
	}
	return out
}

// reference is a table as the outline of one card on it shows it.
type reference struct {
	table
	of vision.Quad
}

// tableIn is the table as the surest whole card among readings shows it, or the
// zero table.
func tableIn(all []reading) (t reference) {
	most := 0.0
	for _, r := range all {
		if r.holds() && r.Confidence > most {
			if s, ok := tableOf(r.Quad); ok {
				t, most = reference{s, r.Quad}, r.Confidence
			}
		}
	}
	return t
}
