package vision

import "math"

// likeness is a card seen coarsely: its straightened picture on a coarse grid. It
// tells one card of a rank from another of the same rank.
type likeness struct {
	v   [likenessW * likenessH]float32 // mean 0, spread 1
	set bool
}

const likenessW, likenessH = 20, 28

// likenessOf samples a frame within an outline.
func likenessOf(f Frame, q Quad) likeness {
	var l likeness
	h, ok := squareTo(q)
	if !ok {
		return l
	}
	var sum, sq float64
	for y := range likenessH {
		for x := range likenessW {
			// Four samples a cell, a little away from the card's edge.
			s := 0.0
			for k := range 4 {
				u := (float64(x) + 0.25 + 0.5*float64(k&1)) / likenessW
				v := (float64(y) + 0.25 + 0.5*float64(k>>1)) / likenessH
				p := h.at(inset(u), inset(v))
				px, py := int(p.X+0.5), int(p.Y+0.5)
				px, py = min(max(px, 0), f.W-1), min(max(py, 0), f.H-1)
				o := 3 * (py*f.W + px)
				s += float64(f.Pix[o]) + 2*float64(f.Pix[o+1]) + float64(f.Pix[o+2])
			}
			l.v[y*likenessW+x] = float32(s)
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
	l.set = true
	return l
}

// inset keeps samples, in shares of a card's side, a little away from its edge.
func inset(u float64) float64 { return 0.03 + 0.94*u }

// like is how well two likenesses agree, 1 for the same picture; a card may
// lie the other way round.
func (l likeness) like(m likeness) float64 {
	if !l.set || !m.set {
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

// around is the outline of a card and a little more, so that the card's edges are in it.
func around(q Quad) Quad { return q.Scale(1.16, q.Center().Mul(-0.16)) }

// rimOf samples a card with its edges and what lies just beyond them.
func rimOf(f Frame, q Quad) likeness { return likenessOf(f, around(q)) }

// remains says that of a card that lay in q enough is seen outside of another
// outline to tell that it lies there still. The likeness is its rimOf: of plain paper
// that peeps out the edge tells what the paper doesn't.
func (l likeness) remains(f Frame, q, except Quad) bool {
	const within = 0.93 // from the rim into the card
	h, ok := squareTo(around(q))
	now := rimOf(f, q)
	if !ok || !l.set || !now.set {
		return false
	}
	except = except.Scale(1.03, except.Center().Mul(-0.03))
	middle := q.Center()
	var n, a, b, aa, bb, ab float64
	for i := range l.v {
		x, y := i%likenessW, i/likenessW
		// What lies beyond the card counts only beside a part of it that is seen.
		p := h.at(inset((float64(x)+0.5)/likenessW), inset((float64(y)+0.5)/likenessH))
		if except.Contains(p) || except.Contains(middle.Add(p.Sub(middle).Mul(within))) {
			continue
		}
		va, vb := float64(l.v[i]), float64(now.v[i])
		n, a, b, aa, bb, ab = n+1, a+va, b+vb, aa+va*va, bb+vb*vb, ab+va*vb
	}
	if n < 16 {
		return false
	}
	aa, bb, ab = aa/n-a*a/n/n, bb/n-b*b/n/n, ab/n-a*b/n/n
	// Where all is alike there is nothing to compare.
	return aa > 0.05 && ab > alike*math.Sqrt(aa*bb)
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
