//go:build cgo

package cv

import (
	"hash/maphash"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// finder proposes outlines of cards in a picture. One way of making a picture
// black and white never suits every table, so there are several, cheapest and
// most often right first; the caller asks for one after another and stops when
// it has read what it needs.
type finder struct {
	scale  float64         // from the full picture to grey
	where  image.Rectangle // the looked-at area in the full picture
	whole  gocv.Mat        // the full picture, the caller's
	grey   gocv.Mat        // small
	pale   gocv.Mat        // see white; empty until it is asked for
	pix    []uint8         // grey's pixels, copied out for refine
	w, h   int
	edges  map[int]gocv.Mat // Canny by its lower threshold
	before *vision.Frame    // the earlier picture; nil without one
	past   past
	kernel gocv.Mat
	wide   gocv.Mat
	least  float64 // shortest long side of a card, in the small picture
	most   float64 // longest
}

// past is what was made of a part of an earlier picture. It stays the same while
// the table and the part do.
type past struct {
	of    mark
	where image.Rectangle // the part of the earlier picture
	scale float64
	grey  gocv.Mat
	bare  gocv.Mat // 255 where there is no edge near
}

// mark tells one picture from another, without keeping it.
type mark struct {
	n    uint64
	w, h int
	hash uint64
}

var markSeed = maphash.MakeSeed()

func markOf(f *vision.Frame) mark {
	const apart = 16 // rows
	var h maphash.Hash
	h.SetSeed(markSeed)
	for y := 0; y < f.H; y += apart {
		_, _ = h.Write(f.Pix[3*f.W*y:][:3*f.W]) // it never fails
	}
	return mark{f.N, f.W, f.H, h.Sum64()}
}

// changedBy is by how many grey levels a pixel must differ to have changed.
const changedBy = 14

// masks is how many ways of making black and white there are.
const masks = 9

func newFinder() *finder {
	return &finder{grey: gocv.NewMat(), pale: gocv.NewMat(), edges: map[int]gocv.Mat{},
		past:   past{grey: gocv.NewMat(), bare: gocv.NewMat()},
		kernel: gocv.GetStructuringElement(gocv.MorphRect, image.Pt(3, 3)),
		wide:   gocv.GetStructuringElement(gocv.MorphRect, image.Pt(5, 5))}
}

func (f *finder) close() {
	f.forget()
	f.grey.Close()
	f.pale.Close()
	f.past.grey.Close()
	f.past.bare.Close()
	f.kernel.Close()
	f.wide.Close()
}

func (f *finder) forget() {
	for k, m := range f.edges {
		m.Close()
		delete(f.edges, k)
	}
	f.pale.Close()
	f.pale = gocv.NewMat()
}

// begin takes the area where of a BGR picture, shrunk so that its pixels are
// at most long×long·9/16 and no side is longer than its full size. before is an
// earlier picture of the same size or nil; size the longer side of a card or 0.
// full must stay open while the finder looks at it.
func (f *finder) begin(full gocv.Mat, before *vision.Frame, where image.Rectangle, long int, size float64) {
	f.forget()
	budget := float64(long*long) * 9 / 16
	f.scale = math.Min(1, math.Sqrt(budget/float64(where.Dx()*where.Dy())))
	f.whole, f.before, f.where = full, before, where
	f.shrunk(full, where, &f.grey)
	f.w, f.h = f.grey.Cols(), f.grey.Rows()
	b, err := f.grey.DataPtrUint8()
	if err != nil {
		panic("cv: a grey picture is not in one piece: " + err.Error())
	}
	f.pix = append(f.pix[:0], b...)
	f.least, f.most = 24, 1e9
	if size > 0 {
		f.least, f.most = 0.72*size*f.scale, 1.38*size*f.scale
	}
}

// shrunk is a part of a picture in the finder's scale and grey.
func (f *finder) shrunk(full gocv.Mat, where image.Rectangle, grey *gocv.Mat) {
	small := f.coloured(full, where)
	defer small.Close()
	gocv.CvtColor(small, grey, gocv.ColorBGRToGray)
}

// coloured is a part of a picture in the finder's scale.
func (f *finder) coloured(full gocv.Mat, where image.Rectangle) gocv.Mat {
	area := full.Region(where)
	if f.scale == 1 {
		return area
	}
	defer area.Close()
	small := gocv.NewMat()
	how := gocv.InterpolationArea
	if f.scale > 0.6 {
		how = gocv.InterpolationLinear // much cheaper, and as good for so little
	}
	gocv.Resize(area, &small, image.Point{}, f.scale, f.scale, how)
	return small
}

// white is the least of blue, green and red: paper stays bright, coloured cloth
// turns dark.
func (f *finder) white() gocv.Mat {
	if f.pale.Empty() {
		small := f.coloured(f.whole, f.where)
		defer small.Close()
		ch := gocv.Split(small)
		gocv.Min(ch[0], ch[1], &f.pale)
		gocv.Min(f.pale, ch[2], &f.pale)
		for _, c := range ch {
			c.Close()
		}
	}
	return f.pale
}

// earlier is the looked-at area in the earlier picture: grey, and 255 where it has
// no edge near. Both stay the finder's. It says false when there is no such picture.
func (f *finder) earlier() (grey, bare gocv.Mat, ok bool) {
	if f.before == nil {
		return gocv.Mat{}, gocv.Mat{}, false
	}
	p := &f.past
	if of := markOf(f.before); p.of != of || p.scale != f.scale || p.where != f.where {
		p.of, p.scale, p.where = of, f.scale, f.where
		full, err := gocv.NewMatFromBytes(of.h, of.w, gocv.MatTypeCV8UC3, f.before.Pix)
		if err != nil {
			p.of = mark{}
			return gocv.Mat{}, gocv.Mat{}, false
		}
		f.shrunk(full, p.where, &p.grey)
		full.Close()
		gocv.Canny(p.grey, &p.bare, 20, 50)
		gocv.Dilate(p.bare, &p.bare, f.wide)
		gocv.BitwiseNot(p.bare, &p.bare)
	}
	return p.grey, p.bare, true
}

// arrived are the outlines of what is in the picture and was not in the
// earlier one: pixels that changed and edges that are new. The edges of cards
// that lay there before fall out, so the topmost of a stack stands alone, and
// so does white paper on a white cloth.
func (f *finder) arrived() []shape {
	was, bare, ok := f.earlier()
	if !ok {
		return nil
	}
	diff, mask := gocv.NewMat(), gocv.NewMat()
	defer diff.Close()
	defer mask.Close()
	gocv.AbsDiff(f.grey, was, &diff)
	gocv.Threshold(diff, &diff, changedBy, 255, gocv.ThresholdBinary)
	gocv.BitwiseAnd(f.canny(20, 50), bare, &mask)
	gocv.BitwiseOr(mask, diff, &mask)
	// Single specks are noise; what is left is closed to one piece.
	gocv.MedianBlur(diff, &diff, 3)
	gocv.BitwiseOr(mask, diff, &mask)
	gocv.MorphologyEx(mask, &mask, gocv.MorphClose, f.wide)
	out := f.shapes(mask)
	var all []vision.Point
	for i := range out {
		// Only its hull counts: the middle of a white card may not have changed.
		h := hull(out[i].poly)
		out[i].area = polyArea(h)
		all = append(all, h...)
	}
	if len(out) > 1 && len(out) < 12 {
		h := hull(all)
		out = append(out, shape{poly: h, area: polyArea(h)})
	}
	return out
}

// mask is the n-th black-and-white picture, to be closed by the caller.
func (f *finder) mask(n int) gocv.Mat {
	out := gocv.NewMat()
	switch n {
	case 0:
		e := f.canny(20, 50)
		gocv.Dilate(e, &out, f.kernel)
	case 1:
		e := f.canny(40, 100)
		gocv.Dilate(e, &out, f.kernel)
		gocv.BitwiseNot(out, &out)
	case 2:
		gocv.AdaptiveThreshold(f.white(), &out, 255, gocv.AdaptiveThresholdMean, gocv.ThresholdBinary, f.block(4), -6)
	case 3:
		t := gocv.Threshold(f.white(), &out, 0, 255, gocv.ThresholdBinary|gocv.ThresholdOtsu)
		gocv.Threshold(f.white(), &out, t*0.85, 255, gocv.ThresholdBinary)
	case 4:
		e := f.canny(20, 50)
		gocv.Dilate(e, &out, f.kernel)
		gocv.BitwiseNot(out, &out)
	case 5:
		gocv.Threshold(f.grey, &out, 0, 255, gocv.ThresholdBinary|gocv.ThresholdOtsu)
	case 6:
		e := f.canny(8, 24)
		gocv.Dilate(e, &out, f.kernel)
		gocv.BitwiseNot(out, &out)
	case 7:
		t := gocv.Threshold(f.white(), &out, 0, 255, gocv.ThresholdBinary|gocv.ThresholdOtsu)
		gocv.Threshold(f.white(), &out, t+(255-t)*0.35, 255, gocv.ThresholdBinary)
	case 8:
		gocv.AdaptiveThreshold(f.grey, &out, 255, gocv.AdaptiveThresholdMean, gocv.ThresholdBinary, f.block(10), -4)
	}
	return out
}

// block is an odd neighbourhood of about 1/n of the picture.
func (f *finder) block(n int) int {
	b := max(f.w, f.h)/n | 1
	return max(b, 15)
}

func (f *finder) canny(lo, hi float32) gocv.Mat {
	if e, ok := f.edges[int(lo)]; ok {
		return e
	}
	e := gocv.NewMat()
	gocv.Canny(f.grey, &e, lo, hi)
	f.edges[int(lo)] = e
	return e
}

// shape is one contour, reduced to few points, in the small picture.
type shape struct {
	poly []vision.Point
	area float64
}

// shapes are the contours of a mask that are big enough for a card.
func (f *finder) shapes(mask gocv.Mat) []shape {
	cs := gocv.FindContours(mask, gocv.RetrievalList, gocv.ChainApproxSimple)
	defer cs.Close()
	least := math.Max(500, float64(f.w*f.h)*0.0015)
	most := float64(f.w*f.h) * 0.97
	var out []shape
	for i := 0; i < cs.Size(); i++ {
		c := cs.At(i)
		// A short contour can't hold the least area; asking its length is cheap.
		if c.Size() < 4 {
			continue
		}
		a := gocv.ContourArea(c)
		if a < least || a > most {
			continue
		}
		arc := gocv.ArcLength(c, true)
		p := gocv.ApproxPolyDP(c, 0.012*arc, true)
		s := shape{area: a}
		for _, q := range p.ToPoints() {
			s.poly = append(s.poly, vision.Point{X: float64(q.X), Y: float64(q.Y)})
		}
		p.Close()
		if len(s.poly) >= 4 {
			out = append(out, s)
		}
	}
	return out
}

// quads are the four-sided outlines among shapes, in the small picture, those
// that lie best on edges first.
func (f *finder) quads(shapes []shape) []vision.Quad {
	var out []vision.Quad
	var support []float64
	for _, s := range shapes {
		q, ok := fourSides(s)
		if !ok || !plausible(q) || !f.fits(q) {
			continue
		}
		held := 0.0
		if r, by, ok := f.refine(q); ok && plausible(r) {
			q, held = r, by
		}
		at := len(out)
		for at > 0 && support[at-1] < held {
			at--
		}
		out, support = slices.Insert(out, at, q), slices.Insert(support, at, held)
	}
	return out
}

// fits says that a quad has about the size of a card.
func (f *finder) fits(q vision.Quad) bool {
	w, h := q.Sides()
	long := math.Max(w, h)
	return long >= f.least && long <= f.most
}

// fourSides takes the convex hull of a shape and drops its shortest sides,
// prolonging their neighbours, until four are left. A hull much bigger than
// its shape is no card.
func fourSides(s shape) (vision.Quad, bool) {
	h := hull(s.poly)
	if len(h) < 4 || len(h) > 14 {
		return vision.Quad{}, false
	}
	ha := polyArea(h)
	if s.area < 0.80*ha {
		return vision.Quad{}, false
	}
	for len(h) > 4 {
		// Drop the side whose removal adds the least area.
		best, add, at := -1, math.Inf(1), vision.Point{}
		n := len(h)
		for i := range h {
			a, b, c, d := h[(i+n-1)%n], h[i], h[(i+1)%n], h[(i+2)%n]
			x, ok := meet(a, b, d, c)
			if !ok || b.Sub(a).Dot(x.Sub(b)) < 0 || c.Sub(d).Dot(x.Sub(c)) < 0 {
				continue
			}
			if t := math.Abs(c.Sub(b).Cross(x.Sub(b))) / 2; t < add {
				best, add, at = i, t, x
			}
		}
		if best < 0 || add > 0.25*ha {
			return vision.Quad{}, false
		}
		h[best] = at
		h = append(h[:(best+1)%n], h[(best+1)%n+1:]...)
	}
	q := vision.Quad{h[0], h[1], h[2], h[3]}
	if q.Area() < 0 {
		q = vision.Quad{h[0], h[3], h[2], h[1]}
	}
	if s.area < 0.78*q.Area() {
		return vision.Quad{}, false
	}
	return q, true
}

// plausible are quads that a card can look like, up to steep perspective.
func plausible(q vision.Quad) bool {
	if !q.Convex() {
		return false
	}
	w, h := q.Sides()
	long, short := math.Max(w, h), math.Min(w, h)
	if short < 14 || long/short > 2.6 {
		return false
	}
	for i := range q {
		a, b, c := q[(i+3)%4], q[i], q[(i+1)%4]
		u, v := a.Sub(b), c.Sub(b)
		cos := u.Dot(v) / (u.Len() * v.Len())
		if math.Abs(cos) > 0.70 { // 45° to 135°
			return false
		}
		opposite := q[(i+2)%4].Dist(q[(i+3)%4])
		side := q[i].Dist(q[(i+1)%4])
		if r := side / math.Max(opposite, 1); r > 1.9 || r < 1/1.9 {
			return false
		}
	}
	return true
}

// refine moves each side of q to where the picture's brightness changes most
// across it, fits a line, and lets the lines meet. It works on the grey
// picture itself, so a mask that is a pixel or two thick costs no precision.
// support is the share of places at which an edge lies where the line says.
func (f *finder) refine(q vision.Quad) (r vision.Quad, support float64, ok bool) {
	type line struct{ p, d vision.Point }
	var sides [4]line
	const samples = 24
	w, h := q.Sides()
	reach := math.Max(2.5, 0.03*math.Max(w, h))
	for i := range q {
		a, b := q[i], q[(i+1)%4]
		d := b.Sub(a)
		l := d.Len()
		if l < 8 {
			return q, 0, false
		}
		d = d.Mul(1 / l)
		n := vision.Point{X: d.Y, Y: -d.X} // outwards for clockwise corners
		var ts, os, ws []float64
		for k := 0; k < samples; k++ {
			t := l * (0.10 + 0.80*float64(k)/(samples-1))
			p := a.Add(d.Mul(t))
			best, at := 0.0, 0.0
			const step = 0.5
			for o := -reach; o <= reach; o += step {
				in, out := p.Add(n.Mul(o-1)), p.Add(n.Mul(o+1))
				g := math.Abs(f.at(in) - f.at(out))
				// Nearer and outer edges win among equals.
				g *= 1 - 0.25*math.Abs(o)/reach
				if g > best {
					best, at = g, o
				}
			}
			if best > 4 {
				ts, os, ws = append(ts, t), append(os, at), append(ws, math.Min(best, 40))
			}
		}
		if len(ts) < samples/2 {
			sides[i] = line{a, d}
			continue
		}
		m, c, ok := fitLine(ts, os, ws, 1.0)
		if !ok {
			sides[i] = line{a, d}
			continue
		}
		for j := range ts {
			if math.Abs(os[j]-m*ts[j]-c) < 1 {
				support += 1.0 / (4 * samples)
			}
		}
		p0 := a.Add(n.Mul(c))
		p1 := a.Add(d.Mul(l)).Add(n.Mul(c + m*l))
		dd := p1.Sub(p0)
		sides[i] = line{p0, dd.Mul(1 / dd.Len())}
	}
	for i := range q {
		prev, cur := sides[(i+3)%4], sides[i]
		x, ok := meet(prev.p, prev.p.Add(prev.d), cur.p, cur.p.Add(cur.d))
		if !ok || x.Dist(q[i]) > 3*reach {
			return q, 0, false
		}
		r[i] = x
	}
	return r, support, r.Convex()
}

// at is the grey value at a point, between pixels by the four around it.
func (f *finder) at(p vision.Point) float64 {
	x, y := int(math.Floor(p.X)), int(math.Floor(p.Y))
	if x < 0 || y < 0 || x >= f.w-1 || y >= f.h-1 {
		x, y = min(max(x, 0), f.w-1), min(max(y, 0), f.h-1)
		return float64(f.pix[y*f.w+x])
	}
	fx, fy := p.X-float64(x), p.Y-float64(y)
	i := y*f.w + x
	top := float64(f.pix[i])*(1-fx) + float64(f.pix[i+1])*fx
	bot := float64(f.pix[i+f.w])*(1-fx) + float64(f.pix[i+f.w+1])*fx
	return top*(1-fy) + bot*fy
}

// origin is where the small picture begins in the full one.
func (f *finder) origin() vision.Point {
	return vision.Point{X: float64(f.where.Min.X), Y: float64(f.where.Min.Y)}
}

// small is a quad of the full picture in the small one.
func (f *finder) small(q vision.Quad) vision.Quad {
	for i, p := range q {
		p = p.Sub(f.origin())
		q[i] = vision.Point{X: (p.X+0.5)*f.scale - 0.5, Y: (p.Y+0.5)*f.scale - 0.5}
	}
	return q
}

// fullPoint is a point of the small picture in pixels of the full one.
func (f *finder) fullPoint(p vision.Point) vision.Point {
	k := 1 / f.scale
	return vision.Point{X: (p.X+0.5)*k - 0.5, Y: (p.Y+0.5)*k - 0.5}.Add(f.origin())
}

// full is a quad of the small picture in pixels of the full one.
func (f *finder) full(q vision.Quad) vision.Quad {
	for i := range q {
		q[i] = f.fullPoint(q[i])
	}
	return q
}

// fitLine fits o = m·t + c by weighted least squares, thrice, each time
// leaving out what lies far off.
func fitLine(ts, os, ws []float64, far float64) (m, c float64, ok bool) {
	keep := make([]bool, len(ts))
	for i := range keep {
		keep[i] = true
	}
	for again := 0; again < 4; again++ {
		var sw, st, so, stt, sto float64
		n := 0
		for i := range ts {
			if !keep[i] {
				continue
			}
			n++
			w := ws[i]
			sw, st, so = sw+w, st+w*ts[i], so+w*os[i]
			stt, sto = stt+w*ts[i]*ts[i], sto+w*ts[i]*os[i]
		}
		den := sw*stt - st*st
		if n < 6 || math.Abs(den) < 1e-9 {
			return 0, 0, false
		}
		m = (sw*sto - st*so) / den
		c = (so - m*st) / sw
		limit := far * []float64{3, 2, 1.2, 1}[again]
		for i := range ts {
			keep[i] = math.Abs(os[i]-m*ts[i]-c) <= limit
		}
	}
	return m, c, true
}

// meet is where the lines ab and cd cross.
func meet(a, b, c, d vision.Point) (vision.Point, bool) {
	u, v := b.Sub(a), d.Sub(c)
	den := u.Cross(v)
	if math.Abs(den) < 1e-9*u.Len()*v.Len() || den == 0 {
		return vision.Point{}, false
	}
	t := c.Sub(a).Cross(v) / den
	return a.Add(u.Mul(t)), true
}

// hull is the convex hull (gift wrapping is enough for so few points),
// clockwise on the screen.
func hull(ps []vision.Point) []vision.Point {
	start := 0
	for i, p := range ps {
		if p.X < ps[start].X || p.X == ps[start].X && p.Y < ps[start].Y {
			start = i
		}
	}
	var out []vision.Point
	at := start
	for {
		out = append(out, ps[at])
		next := (at + 1) % len(ps)
		for i, p := range ps {
			cr := ps[next].Sub(ps[at]).Cross(p.Sub(ps[at]))
			if cr < 0 || cr == 0 && p.Dist(ps[at]) > ps[next].Dist(ps[at]) {
				next = i
			}
		}
		at = next
		if at == start || len(out) > len(ps) {
			return out
		}
	}
}

func polyArea(ps []vision.Point) float64 {
	a := 0.0
	for i, p := range ps {
		a += p.Cross(ps[(i+1)%len(ps)])
	}
	return math.Abs(a) / 2
}
