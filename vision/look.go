package vision

import (
	"math"
	"slices"
)

// likeness is a card seen coarsely: its straightened picture on a grid of cells. It
// tells one card of a rank from another of the same rank.
type likeness struct {
	w, h int       // cells
	v    []float32 // row by row, mean 0, spread 1; nil: there is none
}

// The grids: of the card alone, and of the card with its edges, of which a narrow
// strip must do.
const (
	likenessW, likenessH = 20, 28
	rimW, rimH           = 40, 56
)

// likenessOf samples a frame within an outline.
func likenessOf(f Frame, q Quad) likeness { return sampled(f, q, likenessW, likenessH) }

// sampled is a likeness of so many cells.
func sampled(f Frame, q Quad, w, h int) likeness {
	to, ok := squareTo(q)
	if !ok {
		return likeness{}
	}
	l := likeness{w, h, make([]float32, w*h)}
	var sum, sq float64
	for y := range h {
		for x := range w {
			// Four samples a cell, a little away from the card's edge.
			s := 0.0
			for k := range 4 {
				u := (float64(x) + 0.25 + 0.5*float64(k&1)) / float64(w)
				v := (float64(y) + 0.25 + 0.5*float64(k>>1)) / float64(h)
				p := to.at(inset(u), inset(v))
				px, py := int(p.X+0.5), int(p.Y+0.5)
				px, py = min(max(px, 0), f.W-1), min(max(py, 0), f.H-1)
				o := 3 * (py*f.W + px)
				s += float64(f.Pix[o]) + 2*float64(f.Pix[o+1]) + float64(f.Pix[o+2])
			}
			l.v[y*w+x] = float32(s)
			sum += s
			sq += s * s
		}
	}
	n := float64(len(l.v))
	mean := sum / n
	dev := math.Sqrt(math.Max(sq/n-mean*mean, 1))
	for i := range l.v {
		l.v[i] = float32((float64(l.v[i]) - mean) / dev)
	}
	return l
}

// inset keeps samples, in shares of a card's side, a little away from its edge.
func inset(u float64) float64 { return 0.03 + 0.94*u }

// like is how well two likenesses agree, 1 for the same picture; a card may
// lie the other way round.
func (l likeness) like(m likeness) float64 {
	if l.v == nil || m.v == nil {
		return 0
	}
	var a, b float64
	n := len(l.v)
	for i := range l.v {
		a += float64(l.v[i]) * float64(m.v[i])
		b += float64(l.v[i]) * float64(m.v[n-1-i])
	}
	return math.Max(a, b) / float64(n)
}

// seenIn is the share of what is printed on a card that another picture shows in
// exactly the same places, 1 when nothing hides it. Unlike like it takes no notice of
// what covers the rest: a hand, its shadow, another card.
func (l likeness) seenIn(m likeness) float64 {
	if l.v == nil || m.v == nil {
		return 0
	}
	turned := m
	turned.v = slices.Clone(m.v)
	slices.Reverse(turned.v)
	best := 0.0
	for _, m := range []likeness{m, turned} {
		seen, all := l.blocks(m, 4, nil)
		best = math.Max(best, float64(seen)/math.Max(float64(all), 6))
	}
	return best
}

// blocks compares two pictures block by block, each of so many cells a side and in its
// own light, and says how many blocks have something to see in them, and in how many of those
// the other picture shows it, too. Blocks with hidden cells don't count; nil hides none.
func (l likeness) blocks(m likeness, side int, hidden []bool) (seen, all int) {
	const (
		plain = 0.04 // variance of paper without print, of the picture's
		exact = 0.85 // how well a block must agree
	)
	for y := 0; y+side <= l.h; y += side / 2 {
	block:
		for x := 0; x+side <= l.w; x += side / 2 {
			var a, b, aa, bb, ab float64
			for i := range side * side {
				at := (y+i/side)*l.w + x + i%side
				if hidden != nil && hidden[at] {
					continue block
				}
				va, vb := float64(l.v[at]), float64(m.v[at])
				a, b, aa, bb, ab = a+va, b+vb, aa+va*va, bb+vb*vb, ab+va*vb
			}
			n := float64(side * side)
			aa, bb, ab = aa/n-a*a/n/n, bb/n-b*b/n/n, ab/n-a*b/n/n
			if aa < plain {
				continue
			}
			all++
			if ab > exact*math.Sqrt(aa*bb) {
				seen++
			}
		}
	}
	return seen, all
}

// around is the outline of a card and a little more, so that the card's edges are in it.
func around(q Quad) Quad { return q.Scale(1.16, q.Center().Mul(-0.16)) }

// rimOf samples a card with its edges and what lies just beyond them.
func rimOf(f Frame, q Quad) likeness { return sampled(f, around(q), rimW, rimH) }

// behind says which cells of the rimOf a card in q another outline hides; nil, when q
// is no card's.
func behind(q, other Quad) []bool {
	const within = 0.93 // from the rim into the card
	h, ok := squareTo(around(q))
	if !ok {
		return nil
	}
	other = other.Scale(1.03, other.Center().Mul(-0.03))
	middle := q.Center()
	hidden := make([]bool, rimW*rimH)
	for i := range hidden {
		// What lies beyond the card counts only beside a part of it that is seen.
		p := h.at(inset((float64(i%rimW)+0.5)/rimW), inset((float64(i/rimW)+0.5)/rimH))
		hidden[i] = other.Contains(p) || other.Contains(middle.Add(p.Sub(middle).Mul(within)))
	}
	return hidden
}

// homography maps the unit square to a quad.
type homography struct{ a, b, c, d, e, f, g, h float64 }

// squareTo is the map that takes (0,0) (1,0) (1,1) (0,1) to q's corners.
func squareTo(q Quad) (homography, bool) {
	dx1, dx2 := q[1].X-q[2].X, q[3].X-q[2].X
	dy1, dy2 := q[1].Y-q[2].Y, q[3].Y-q[2].Y
	sx, sy := q[0].X-q[1].X+q[2].X-q[3].X, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	den := dx1*dy2 - dx2*dy1
	if math.Abs(den) < 1e-9 {
		return homography{}, false
	}
	g := (sx*dy2 - dx2*sy) / den
	h := (dx1*sy - sx*dy1) / den
	return homography{
		q[1].X - q[0].X + g*q[1].X, q[3].X - q[0].X + h*q[3].X, q[0].X,
		q[1].Y - q[0].Y + g*q[1].Y, q[3].Y - q[0].Y + h*q[3].Y, q[0].Y,
		g, h,
	}, true
}

func (m homography) at(u, v float64) Point {
	w := m.g*u + m.h*v + 1
	return Point{(m.a*u + m.b*v + m.c) / w, (m.d*u + m.e*v + m.f) / w}
}
