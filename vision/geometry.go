package vision

import (
	"image"
	"math"
)

// Sub is the vector from q to p.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Add is p moved by q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Mul is p scaled by k.
func (p Point) Mul(k float64) Point { return Point{p.X * k, p.Y * k} }

// Cross is the signed area spanned by p and q.
func (p Point) Cross(q Point) float64 { return p.X*q.Y - p.Y*q.X }

// Dot is the scalar product of p and q.
func (p Point) Dot(q Point) float64 { return p.X*q.X + p.Y*q.Y }

// Len is the length of p.
func (p Point) Len() float64 { return math.Hypot(p.X, p.Y) }

// Dist is the distance of p and q.
func (p Point) Dist(q Point) float64 { return p.Sub(q).Len() }

// Area is the quad's signed area, positive when its corners run clockwise on
// the screen.
func (q Quad) Area() float64 {
	a := 0.0
	for i := range q {
		a += q[i].Cross(q[(i+1)%4])
	}
	return a / 2
}

// Center is the mean of the corners.
func (q Quad) Center() Point {
	return q[0].Add(q[1]).Add(q[2]).Add(q[3]).Mul(0.25)
}

// Convex says that the corners run clockwise round a convex shape.
func (q Quad) Convex() bool {
	for i := range q {
		a, b, c := q[i], q[(i+1)%4], q[(i+2)%4]
		if b.Sub(a).Cross(c.Sub(b)) <= 0 {
			return false
		}
	}
	return true
}

// Contains says whether p lies within a convex quad.
func (q Quad) Contains(p Point) bool {
	for i := range q {
		if q[(i+1)%4].Sub(q[i]).Cross(p.Sub(q[i])) < 0 {
			return false
		}
	}
	return true
}

// Turn is the same outline beginning k corners further on.
func (q Quad) Turn(k int) Quad {
	return Quad{q[k&3], q[(k+1)&3], q[(k+2)&3], q[(k+3)&3]}
}

// Sides are the mean lengths of the first and third, and of the second and
// fourth side.
func (q Quad) Sides() (width, height float64) {
	return (q[0].Dist(q[1]) + q[2].Dist(q[3])) / 2, (q[1].Dist(q[2]) + q[3].Dist(q[0])) / 2
}

// Bounds is the smallest upright rectangle around the quad.
func (q Quad) Bounds() image.Rectangle {
	x0, y0, x1, y1 := q[0].X, q[0].Y, q[0].X, q[0].Y
	for _, p := range q[1:] {
		x0, x1 = math.Min(x0, p.X), math.Max(x1, p.X)
		y0, y1 = math.Min(y0, p.Y), math.Max(y1, p.Y)
	}
	return image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1))+1, int(math.Ceil(y1))+1)
}

// Moved is how far the outline p lies from q: the mean distance of their
// corners, whichever corner comes first, as a share of q's longer side.
func (q Quad) Moved(p Quad) float64 {
	best := math.Inf(1)
	for k := 0; k < 4; k++ {
		s := 0.0
		for i := range q {
			s += q[i].Dist(p[(i+k)&3])
		}
		best = math.Min(best, s/4)
	}
	w, h := q.Sides()
	return best / math.Max(1, math.Max(w, h))
}

// Overlap is the area common to two convex quads as a share of the smaller.
func (q Quad) Overlap(p Quad) float64 {
	small := math.Min(math.Abs(q.Area()), math.Abs(p.Area()))
	if small == 0 || !q.Bounds().Overlaps(p.Bounds()) {
		return 0
	}
	// Sutherland–Hodgman: clip p by each side of q.
	poly := append([]Point(nil), p[:]...)
	for i := range q {
		a, b := q[i], q[(i+1)%4]
		var out []Point
		for j, c := range poly {
			d := poly[(j+1)%len(poly)]
			ic, id := b.Sub(a).Cross(c.Sub(a)), b.Sub(a).Cross(d.Sub(a))
			if ic >= 0 {
				out = append(out, c)
			}
			if (ic < 0) != (id < 0) {
				t := ic / (ic - id)
				out = append(out, c.Add(d.Sub(c).Mul(t)))
			}
		}
		if poly = out; len(poly) == 0 {
			return 0
		}
	}
	a := 0.0
	for i := range poly {
		a += poly[i].Cross(poly[(i+1)%len(poly)])
	}
	return math.Abs(a) / 2 / small
}

// Scale is the quad multiplied by k and then moved by d.
func (q Quad) Scale(k float64, d Point) Quad {
	for i := range q {
		q[i] = q[i].Mul(k).Add(d)
	}
	return q
}

// turned is the quad turned about its middle, by radians, clockwise on the screen.
func (q Quad) turned(by float64) Quad {
	c := q.Center()
	sin, cos := math.Sincos(by)
	for i, p := range q {
		d := p.Sub(c)
		q[i] = c.Add(Point{d.X*cos - d.Y*sin, d.X*sin + d.Y*cos})
	}
	return q
}

// Parallelogram completes a card from its top left corner and the two sides
// that meet there.
func Parallelogram(corner, alongTop, downLeft Point) Quad {
	return Quad{corner, corner.Add(alongTop), corner.Add(alongTop).Add(downLeft), corner.Add(downLeft)}
}

// A playing card's sides, in millimetres; only their ratio counts.
const CardWide, CardHigh = 63.0, 88.0

// Table maps directions on the table, in millimetres, to directions in the picture, in
// pixels, as far as a card seen whole lets it be known: as if the table were far away.
type Table struct{ X, Y Point } // a millimetre along and down that card

// TableOf is the table as a card's outline shows it; it says false when the outline has no area.
func TableOf(q Quad) (Table, bool) {
	if w, h := q.Sides(); w > h {
		q = q.Turn(1)
	}
	x := q[1].Sub(q[0]).Add(q[2].Sub(q[3])).Mul(0.5 / CardWide)
	y := q[3].Sub(q[0]).Add(q[2].Sub(q[1])).Mul(0.5 / CardHigh)
	return Table{x, y}, math.Abs(x.Cross(y)) > 1e-6
}

// Flat is a direction of the picture on the table.
func (t Table) Flat(p Point) Point {
	d := t.X.Cross(t.Y)
	return Point{p.Cross(t.Y) / d, t.X.Cross(p) / d}
}

// Seen is a direction on the table in the picture.
func (t Table) Seen(p Point) Point { return t.X.Mul(p.X).Add(t.Y.Mul(p.Y)) }

// size is how wide and high a card's outline is on the table, in millimetres.
func (t Table) size(q Quad) (wide, high float64) {
	for i := range q {
		q[i] = t.Flat(q[i])
	}
	wide, high = q.Sides()
	return min(wide, high), max(wide, high)
}

// Rectangle is what lies flat on a table and looks like q to a camera whose
// axis goes through middle: its height as a multiple of its width, and the cosine
// of the angle between its sides, which is 0 when it is a rectangle indeed. focal
// is the camera's focal length in pixels, of most about the picture's longer side.
func (q Quad) Rectangle(middle Point, focal float64) (ratio, skew float64, ok bool) {
	for i := range q {
		q[i] = q[i].Sub(middle).Mul(1 / focal)
	}
	h, ok := squareTo(q)
	if !ok {
		return 0, 0, false
	}
	// The sides in space, but for one common factor.
	across, down := [3]float64{h.a, h.d, h.g}, [3]float64{h.b, h.e, h.h}
	dot := func(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
	w, l := math.Sqrt(dot(across, across)), math.Sqrt(dot(down, down))
	return l / w, dot(across, down) / (w * l), true
}
