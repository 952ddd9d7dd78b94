//go:build cgo

package cv

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// In a film the size of the pack's cards and the slant of the table are known once a
// card was read. Then an outline needs no closed contour, which white paper on white
// paper seldom gives: wherever enough of the four sides of a rectangle of that size lies
// on edges that weren't there before, a card may lie.

// edge is a point of the small picture at which brightness changes, on the table.
type edge struct {
	at    vision.Point // millimetres
	angle float64      // in which it runs, in degrees, 0–180
	fresh bool         // it wasn't there in the earlier picture
}

const (
	placedMost = 2    // outlines that are proposed
	sideOff    = 1.0  // millimetres: how far from a side its edge may lie
	sideTurn   = 6.0  // degrees: how far it may be turned
	paperNear  = 2.0  // pixels from an edge its paper is looked for
	slopeOver  = 2    // pixels
	sizeSlack  = 0.03 // of a card's size: how much larger or smaller it may look
	sideBin    = 2.0  // millimetres of a side that one edge stands for
	oldEdge    = 0.25 // what an edge counts that was there before
	leastEdges = 20   // of a card, in one direction
	mostFresh  = 8000
)

// placed are outlines of cards like ref, one of the full picture, in the small picture, the best
// supported first. There are none without an earlier picture.
func (f *finder) placed(ref vision.Quad) []vision.Quad {
	t, ok := tableOf(ref)
	if !ok {
		return nil
	}
	was, bare, ok := f.earlier()
	if !ok {
		return nil
	}
	changed := gocv.NewMat()
	defer changed.Close()
	gocv.AbsDiff(f.grey, was, &changed)
	gocv.Threshold(changed, &changed, changedBy, 255, gocv.ThresholdBinary)
	gocv.Dilate(changed, &changed, f.kernel)
	gocv.BitwiseOr(changed, bare, &changed)
	t.X, t.Y = t.X.Mul(f.scale), t.Y.Mul(f.scale)
	edges := f.edgesOn(t, changed, f.paper(ref))
	if len(edges) == 0 {
		return nil
	}
	type found struct {
		q  vision.Quad
		by float64
	}
	var all []found
	for _, angles := range directions(edges) {
		for _, r := range rectangles(edges, angles) {
			q := r.on(t)
			if q.Convex() && plausible(q) {
				all = append(all, found{q, r.by})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.by, a.by) })
	var out []vision.Quad
	for _, a := range all {
		if len(out) == placedMost {
			break
		}
		if slices.ContainsFunc(out, func(q vision.Quad) bool { return q.Moved(a.q) < 0.08 || q.Turn(2).Moved(a.q) < 0.08 }) {
			continue
		}
		q := a.q
		if r, _, ok := f.refine(q); ok && plausible(r) {
			q = r
		}
		out = append(out, q)
	}
	return out
}

// paper is how bright an edge's brighter side must be, from a card in the earlier picture.
func (f *finder) paper(ref vision.Quad) float64 {
	const share, grid = 0.6, 9 // shadow falls on some cards
	var v []float64
	for i := range grid * grid {
		a, b := (float64(i%grid)+0.5)/grid, (float64(i/grid)+0.5)/grid
		top, bottom := ref[0].Add(ref[1].Sub(ref[0]).Mul(a)), ref[3].Add(ref[2].Sub(ref[3]).Mul(a))
		p := top.Add(bottom.Sub(top).Mul(b))
		if x, y := int(p.X), int(p.Y); x >= 0 && y >= 0 && x < f.before.W && y < f.before.H {
			o := 3 * (y*f.before.W + x)
			v = append(v, (float64(f.before.Pix[o])+float64(f.before.Pix[o+1])+float64(f.before.Pix[o+2]))/3)
		}
	}
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return share * v[len(v)*3/4]
}

// edgesOn are the edges of the small picture, seen on the table; none when there are
// more than a card and its surroundings could have.
func (f *finder) edgesOn(t table, changed gocv.Mat, paper float64) []edge {
	m := f.canny(20, 50)
	canny, err := m.DataPtrUint8()
	if err != nil {
		return nil
	}
	fresh, err := changed.DataPtrUint8()
	if err != nil || len(fresh) != len(canny) {
		return nil
	}
	var out []edge
	n := 0
	for y := slopeOver; y < f.h-slopeOver; y++ {
		row := canny[y*f.w : (y+1)*f.w]
		for x := slopeOver; x < f.w-slopeOver; x++ {
			if row[x] == 0 {
				continue
			}
			slope := f.slope(x, y)
			if paper > 0 {
				// Along the slope to either side: a card's edge has paper on one of them.
				n := slope.Mul(paperNear / math.Max(slope.Len(), 1))
				at := vision.Point{X: float64(x), Y: float64(y)}
				if math.Max(f.at(at.Add(n)), f.at(at.Sub(n))) < paper {
					continue
				}
			}
			d := t.Flat(vision.Point{X: -slope.Y, Y: slope.X})
			a := math.Atan2(d.Y, d.X) * 180 / math.Pi
			if a < 0 {
				a += 180
			}
			out = append(out, edge{t.Flat(vision.Point{X: float64(x), Y: float64(y)}), a, fresh[y*f.w+x] != 0})
			if fresh[y*f.w+x] != 0 {
				n++
			}
		}
	}
	if n > mostFresh {
		return nil
	}
	return out
}

// slope is the direction in which the small picture gets brighter about a pixel, by the
// derivatives of a Gaussian: that of the nearest pixels alone, of which an edge makes
// steps, keeps to the picture's axes.
func (f *finder) slope(x, y int) (s vision.Point) {
	for dy := -slopeOver; dy <= slopeOver; dy++ {
		row := f.pix[(y+dy)*f.w+x-slopeOver:][:2*slopeOver+1]
		for dx, v := range row {
			w := slopeBy[dy+slopeOver][dx]
			s.X += w * float64(dx-slopeOver) * float64(v)
			s.Y += w * float64(dy) * float64(v)
		}
	}
	return s
}

// slopeBy are the weights of the pixels around one.
var slopeBy = func() (w [2*slopeOver + 1][2*slopeOver + 1]float64) {
	for y := range w {
		for x := range w[y] {
			dx, dy := float64(x-slopeOver), float64(y-slopeOver)
			w[y][x] = math.Exp(-(dx*dx + dy*dy) / 2)
		}
	}
	return w
}()

// directions are pairs of those, in degrees from 0 to 180, in which most fresh edges run
// and which stand about upright to one another, the first being that of less degrees.
func directions(edges []edge) (out [][2]float64) {
	const most, apart, askew = 4, 4, 9
	var hist, smooth [180]float64
	for _, e := range edges {
		if e.fresh {
			hist[int(e.angle)%180]++
		}
	}
	for i := range smooth {
		smooth[i] = hist[(i+179)%180] + hist[i] + hist[(i+1)%180]
	}
	middle := func(i int) float64 {
		sum, n := 0.0, 0.0
		for d := -2; d <= 2; d++ {
			h := hist[(i+d+180)%180]
			sum += h * (float64(d) + 0.5)
			n += h
		}
		return math.Mod(float64(i)+sum/n+180, 180)
	}
	// A board has many edges in one direction; a card has them in two.
	for len(out) < most {
		a, b, score := 0, 0, 0.0
		for i := range 90 {
			for k := i + 90 - askew; k <= i+90+askew; k++ {
				if s := min(smooth[i], smooth[(k+180)%180]); s > score {
					a, b, score = i, (k+180)%180, s
				}
			}
		}
		if score < leastEdges {
			break
		}
		one, other := middle(a), middle(b)
		out = append(out, [2]float64{min(one, other), max(one, other)})
		for d := -apart; d <= apart; d++ {
			smooth[(a+d+180)%180] = 0
		}
	}
	return out
}

// rectangle is a card on the table. Its sides run in two directions, which an outline
// that was found askew or a slanted view may put a little off the right angle.
type rectangle struct {
	axes [2]vision.Point
	u, v pair    // where its sides lie along the first and the second of them
	by   float64 // share of its sides that lie on edges
}

// on is the rectangle in a picture.
func (r rectangle) on(t table) (q vision.Quad) {
	for i, c := range [4][2]float64{{r.u.from, r.v.from}, {r.u.to, r.v.from}, {r.u.to, r.v.to}, {r.u.from, r.v.to}} {
		q[i] = t.Seen(r.axes[0].Mul(c[0]).Add(r.axes[1].Mul(c[1])))
	}
	return q
}

// runs says that an edge runs in a direction, both in degrees.
func runs(edge, angle float64) bool {
	off := math.Abs(edge - angle)
	return min(off, 180-off) < sideTurn
}

// rectangles are the cards whose sides run in two directions, in degrees.
func rectangles(edges []edge, angles [2]float64) (out []rectangle) {
	const (
		least      = 0.5 // share of all sides on edges
		leastFresh = 0.3 // share of them on fresh ones
	)
	var axes [2]vision.Point
	for i, a := range angles {
		sin, cos := math.Sincos(a * math.Pi / 180)
		axes[i] = vision.Point{X: cos, Y: sin}
	}
	det := axes[0].Cross(axes[1])
	var along, across lines // the first and the second axis
	for _, e := range edges {
		first, second := runs(e.angle, angles[0]), runs(e.angle, angles[1])
		if !first && !second {
			continue
		}
		u, v := e.at.Cross(axes[1])/det, axes[0].Cross(e.at)/det
		if first {
			along = append(along, stroke{v, u, e.fresh})
		} else {
			across = append(across, stroke{u, v, e.fresh})
		}
	}
	along.sort()
	across.sort()
	for _, size := range [2][2]float64{{vision.CardWide, vision.CardHigh}, {vision.CardHigh, vision.CardWide}} {
		wide, high := size[0], size[1]
		us, vs := across.pairs(wide, high), along.pairs(high, wide)
		for _, u := range us {
			for _, v := range vs {
				l0, f0 := across.covered(u.from, v)
				l1, f1 := across.covered(u.to, v)
				l2, f2 := along.covered(v.from, u)
				l3, f3 := along.covered(v.to, u)
				all := 2 * (u.to - u.from + v.to - v.from) / sideBin
				by := float64(l0+l1+l2+l3) / all
				if fresh := float64(f0+f1+f2+f3) / all; by < least || fresh < leastFresh {
					continue
				}
				out = append(out, rectangle{axes, u, v, by})
			}
		}
	}
	return out
}

// stroke is an edge that runs along a side: where the side lies, and where on it.
type stroke struct {
	off, on float64
	fresh   bool
}

// lines are strokes by where they lie.
type lines []stroke

func (ls lines) sort() {
	slices.SortFunc(ls, func(a, b stroke) int { return cmp.Compare(a.off, b.off) })
}

// pair is where two opposite sides lie.
type pair struct{ from, to float64 }

// pairs are where two sides may lie that are about so far apart and so long.
func (ls lines) pairs(apart, long float64) (out []pair) {
	const most, leastSide = 5, 0.12
	if len(ls) == 0 {
		return nil
	}
	lo, hi := ls[0].off, ls[len(ls)-1].off
	n := int(hi-lo) + 1
	if n < int(apart) {
		return nil
	}
	hist := make([]float64, n+2)
	for _, s := range ls {
		w := 1.0
		if !s.fresh {
			w = oldEdge
		}
		hist[int(s.off-lo)+1] += w
	}
	side := func(i int) float64 {
		if i < 1 || i > n {
			return 0
		}
		return min(hist[i-1]+hist[i]+hist[i+1], long)
	}
	// Cards farther off or nearer look smaller or larger, and outlines aren't exact.
	slack := int(apart*sizeSlack + 0.5)
	score, other := make([]float64, n+2), make([]int, n+2)
	for i := 1; i <= n; i++ {
		for d := -slack; d <= slack; d++ {
			k := i + int(apart+0.5) + d
			a, b := side(i), side(k)
			if s := a + b; min(a, b) >= leastSide*long && s > score[i] {
				score[i], other[i] = s, k
			}
		}
	}
	middle := func(i int) float64 {
		sum, all := 0.0, 0.0
		for k := max(0, i-1); k <= min(n+1, i+1); k++ {
			sum += hist[k] * float64(k)
			all += hist[k]
		}
		return lo + sum/all - 0.5
	}
	for len(out) < most {
		best := 0
		for i, s := range score {
			if s > score[best] {
				best = i
			}
		}
		if score[best] == 0 {
			break
		}
		out = append(out, pair{middle(best), middle(other[best])})
		for i := max(0, best-2); i <= min(n+1, best+2); i++ {
			score[i] = 0
		}
	}
	return out
}

// covered counts the pieces of a side that lie on edges, and on fresh ones.
func (ls lines) covered(off float64, side pair) (all, fresh int) {
	var every, recent uint64
	first, _ := slices.BinarySearchFunc(ls, off-sideOff, func(s stroke, off float64) int { return cmp.Compare(s.off, off) })
	for _, s := range ls[first:] {
		if s.off > off+sideOff {
			break
		}
		if s.on < side.from || s.on >= side.to {
			continue
		}
		bit := uint64(1) << uint((s.on-side.from)/sideBin)
		every |= bit
		if s.fresh {
			recent |= bit
		}
	}
	return bits.OnesCount64(every), bits.OnesCount64(recent)
}
