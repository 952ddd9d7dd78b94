//go:build cgo

package cv

import (
	"sort"

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

// sameIndex says that the first corners of two outlines bear one index.
func sameIndex(a, b vision.Quad) bool {
	down, other := a[3].Sub(a[0]), b[3].Sub(b[0])
	most := samePlace * min(down.Len(), other.Len())
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
	return r.shares(o) || r.opposite(o) || r.within(o) || o.within(r) || r.square(o) || o.square(r)
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
		if has && !o.covers(indexOf(end(r.Quad, i))) {
			return false
		}
		some = some || has
	}
	return some
}

// shares says that two readings have an index in common.
func (r reading) shares(o reading) bool {
	for i, has := range r.ends {
		for k, had := range o.ends {
			if has && had && sameIndex(end(r.Quad, i), end(o.Quad, k)) {
				return true
			}
		}
	}
	return false
}

// opposite says that two readings can be of the two ends of one card, each not
// having seen the other end.
func (r reading) opposite(o reading) bool {
	a, one := r.onlyEnd()
	b, other := o.onlyEnd()
	if !one || !other || r.Rank != o.Rank {
		return false
	}
	_, ok := between(a, b)
	return ok
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
// picture nothing better will come, so leftovers go, too.
func merged(all []reading, still bool) (out []vision.Sighting) {
	byConfidence(all)
	// Of certain readings those of whole cards come first: they hold both ends of
	// a card, which are told to be one only by them.
	sort.SliceStable(all, func(i, j int) bool { return all[i].holds() && !all[j].holds() })
	var kept []reading
	// Bent outlines come last, when what they hold is known.
	for _, bent := range []bool{false, true} {
	next:
		for _, r := range all {
			if r.bent != bent {
				continue
			}
			for _, k := range kept {
				if k.same(r) || still && r.leftover(k) {
					continue next
				}
			}
			kept = append(kept, r)
		}
	}
	byConfidence(kept)
	for _, k := range kept {
		out = append(out, k.Sighting)
	}
	return out
}
