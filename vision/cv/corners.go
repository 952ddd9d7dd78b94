//go:build cgo

package cv

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/weights"
)

// The corner stage finds cards of which no whole outline is to be had: those
// beneath others, held by a hand, or cut off by the picture's edge. Wherever two
// long sides of an outline meet at about a right angle, the net is asked
// whether an index stands there.

// cornerSure is how certain a single corner's reading must be to be believed.
const cornerSure = 0.90

// cornerMost bounds the corners tried in a still picture.
const cornerMost = 160

// table is the table as a card seen whole lets it be known; the zero table isn't known.
type table struct{ vision.Table }

func tableOf(q vision.Quad) (table, bool) {
	t, ok := vision.TableOf(q)
	return table{t}, ok
}

// slanted says that the table is seen so much from the side that it matters to what
// is printed on a card.
func (t table) slanted() bool {
	x, y := t.X.Len(), t.Y.Len()
	return t != (table{}) && (math.Abs(t.X.Dot(t.Y)) > 0.2*x*y || math.Max(x, y) > 1.25*math.Min(x, y))
}

// vertex is where two long sides of a shape meet: at is the corner, along leads
// away from it clockwise, back against it.
type vertex struct{ at, along, back vision.Point }

// vertices are a shape's convex, roughly right-angled corners, in the small
// picture. Rounded corners are prolonged to where their sides meet.
func vertices(s shape, least float64) []vertex {
	ps := s.poly
	if signed(ps) < 0 {
		ps = append([]vision.Point(nil), ps...)
		for i, j := 0, len(ps)-1; i < j; i, j = i+1, j-1 {
			ps[i], ps[j] = ps[j], ps[i]
		}
	}
	type side struct{ a, b vision.Point }
	var long []side
	for i, a := range ps {
		if b := ps[(i+1)%len(ps)]; a.Dist(b) >= least {
			long = append(long, side{a, b})
		}
	}
	var out []vertex
	for i, e := range long {
		n := long[(i+1)%len(long)]
		u, v := e.b.Sub(e.a), n.b.Sub(n.a)
		if cos := u.Dot(v) / (u.Len() * v.Len()); math.Abs(cos) > 0.6 || u.Cross(v) <= 0 {
			continue
		}
		x, ok := meet(e.a, e.b, n.a, n.b)
		if !ok || x.Dist(e.b) > 0.6*least || x.Dist(n.a) > 0.6*least {
			continue
		}
		out = append(out, vertex{x, n.b.Sub(x), e.a.Sub(x)})
	}
	return out
}

func signed(ps []vision.Point) float64 {
	a := 0.0
	for i, p := range ps {
		a += p.Cross(ps[(i+1)%len(ps)])
	}
	return a
}

// reference is the outline of a card that tells how large the others are.
func (l *look) reference() (vision.Quad, bool) {
	if l.ask.Card != (vision.Quad{}) {
		return l.ask.Card, true
	}
	best, ref := 0.9, vision.Quad{}
	for _, s := range l.seen {
		if s.Whole && s.Rank != card.NoRank && s.Confidence > best {
			best, ref = s.Confidence, s.Quad
		}
	}
	return ref, best > 0.9
}

// supposed are the cards that a corner could belong to, in the full picture.
func (l *look) supposed(v vertex) []vision.Quad {
	k := 1 / l.eye.find.scale
	corner := l.eye.find.fullPoint(v.at)
	along, back := v.along.Mul(k), v.back.Mul(k)
	if ref, ok := l.reference(); ok {
		t, ok := tableOf(ref)
		if !ok {
			return nil
		}
		a, b := t.Flat(along), t.Flat(back)
		a, b = a.Mul(1/a.Len()), b.Mul(1/b.Len())
		if math.Abs(a.Dot(b)) > 0.34 { // off the right angle by 20°
			return nil
		}
		// The two sides share the error.
		mid := a.Add(b)
		mid = mid.Mul(1 / mid.Len())
		s := math.Sqrt(0.5)
		a = vision.Point{X: s * (mid.X + mid.Y), Y: s * (mid.Y - mid.X)}
		b = vision.Point{X: s * (mid.X - mid.Y), Y: s * (mid.Y + mid.X)}
		return []vision.Quad{vision.Parallelogram(corner, t.Seen(a.Mul(vision.CardWide)), t.Seen(b.Mul(vision.CardHigh)))}
	}
	// Without a card to compare with, either side may be whole.
	la, lb := along.Len(), back.Len()
	ua, ub := along.Mul(1/la), back.Mul(1/lb)
	var out []vision.Quad
	if lb < 1.6*la*vision.CardHigh/vision.CardWide {
		out = append(out, vision.Parallelogram(corner, along, ub.Mul(la*vision.CardHigh/vision.CardWide)))
	}
	if la < 1.6*lb*vision.CardWide/vision.CardHigh {
		out = append(out, vision.Parallelogram(corner, ua.Mul(lb*vision.CardWide/vision.CardHigh), back))
	}
	return out
}

// cornerStage tries the corners of all shapes found so far.
func (l *look) cornerStage() {
	quads := l.cornered()
	if l.ask.Effort == vision.Thorough {
		quads = quads[:min(len(quads), cornerMost)]
	} else {
		quads = inTurn(quads, filmCorners, filmMoreCorners, l.eye.turn)
	}
	var patches [][]float32
	for _, q := range quads {
		patches = append(patches, cornerPatch(l.full, q))
	}
	for i, o := range l.eye.read.corners(patches) {
		s := l.readCorner(quads[i], o)
		if s.Confidence < 0.5 || s.least == 0 {
			continue
		}
		// The three cuts are hardly independent, so none may doubt.
		s.Confidence = min(s.Confidence, s.least)
		if l.ask.Effort == vision.Thorough {
			s.Suit = l.pipOf(s.Quad)
		}
		l.seen = append(l.seen, l.wholeOf(s))
	}
}

// cornered are the cards that the shapes' corners could belong to.
func (l *look) cornered() (quads []vision.Quad) {
	least := 12.0
	if ref, ok := l.reference(); ok {
		w, h := ref.Sides()
		least = math.Max(8, 0.22*math.Min(w, h)*l.eye.find.scale)
	}
	var tried []vertex
	for _, s := range l.shapes {
	next:
		for _, v := range vertices(s, least) {
			for _, o := range tried {
				if o.at.Dist(v.at) < 2.5 && turned(o.along, v.along) < 0.06 {
					continue next
				}
			}
			tried = append(tried, v)
			for _, q := range l.supposed(v) {
				if q.Convex() && !l.explained(q) {
					quads = append(quads, q)
				}
			}
		}
	}
	return quads
}

// readCorner reads the first corner of a card of which only that is in sight;
// o is what the net said of its patch. One patch may look like an index by
// chance; a real one still does when the cut is a little off.
func (l *look) readCorner(q vision.Quad, o ranks) (s reading) {
	s = reading{Sighting: vision.Sighting{Quad: q}, ends: [2]bool{true, false}}
	if o[card.Ranks] > 1-cornerSure {
		return s
	}
	opinions := append(l.eye.read.corners([][]float32{
		cornerPatch(l.full, off(q, 0.025, 0.02)), cornerPatch(l.full, off(q, -0.025, -0.02)),
	}), o)
	s.Score = fuse(opinions...)
	judge(&s.Sighting)
	if s.Rank == card.NoRank {
		return s
	}
	s.least = 1
	for _, p := range opinions {
		s.least = min(s.least, float64(p[s.Rank-1]))
	}
	return s
}

// wholeOf reads the whole card that a corner belongs to, when its other sides
// lie on edges too; else the corner remains.
func (l *look) wholeOf(s reading) reading {
	const held = 0.6 // share of the outline that must lie on edges
	q, by, ok := l.eye.find.refine(l.eye.find.small(s.Quad))
	if !ok || by < held || !plausible(q) {
		return s
	}
	w := l.readUpright(l.eye.find.full(q))
	if w.Rank == s.Rank && w.Confidence >= s.Confidence {
		return w
	}
	return s
}

// off is a quad moved by shares of its sides.
func off(q vision.Quad, along, down float64) vision.Quad {
	return q.Scale(1, q[1].Sub(q[0]).Mul(along).Add(q[3].Sub(q[0]).Mul(down)))
}

// turned is the angle between two directions as a share of a right angle.
func turned(a, b vision.Point) float64 {
	return math.Abs(math.Atan2(a.Cross(b), a.Dot(b))) / (math.Pi / 2)
}

// explained says that the first corner of q belongs to a card that is read
// already.
func (l *look) explained(q vision.Quad) bool {
	at := indexOf(q)
	return l.told(at, func(r reading) bool { return r.covers(at) })
}

// readAt says that a place is on a known card, or an index of one that is read already.
func (l *look) readAt(at vision.Point) bool {
	return l.told(at, func(r reading) bool { return r.Whole && !r.bent && r.indexNear(at, 0, samePlace) })
}

// told says that a place is on a known card, or accounted for by a certain reading.
func (l *look) told(at vision.Point, by func(reading) bool) bool {
	return slices.ContainsFunc(l.ask.Known, func(k vision.Quad) bool { return k.Contains(at) }) ||
		slices.ContainsFunc(l.seen, func(r reading) bool {
			return r.Rank != card.NoRank && r.Confidence >= certain && by(r)
		})
}

// cornerPatch is the grey patch of a card's first corner alone.
func cornerPatch(full gocv.Mat, q vision.Quad) []float32 {
	s := cornerOf(full, q)
	defer s.close()
	return patch(s.grey, false, weights.PatchW, weights.PatchH, weights.CornerW, weights.CornerH)
}

// pipOf is the suit at a card's first corner alone.
func (l *look) pipOf(q vision.Quad) card.Suit {
	s := cornerOf(l.full, q)
	defer s.close()
	return fuseSuits(l.eye.read.pips([][]float32{patch(s.bgr, false, weights.PatchW, weights.PatchH, weights.SuitW, weights.SuitH)})...)
}

// cornerOf is the straightened part of a card around its first index.
func cornerOf(full gocv.Mat, q vision.Quad) straight {
	const w, h = weights.PatchW, weights.PatchH
	in := func(x, y float64) vision.Point {
		u := (x - weights.Margin) / (weights.CardW - 1 - 2*weights.Margin)
		v := (y - weights.Margin) / (weights.CardH - 1 - 2*weights.Margin)
		return q[0].Add(q[1].Sub(q[0]).Mul(u)).Add(q[3].Sub(q[0]).Mul(v))
	}
	return warp(full, vision.Quad{in(0, 0), in(w-1, 0), in(w-1, h-1), in(0, h-1)}, w, h, 0)
}
