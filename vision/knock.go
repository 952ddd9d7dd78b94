package vision

import "math"

// A knock makes the camera hang otherwise from then on: all that lay still is
// seen elsewhere at once, by one common motion. What is known of places is moved
// along, so that nothing seems to have come but what did.

// motion is how the whole picture moved: turned about its middle by so many
// radians, clockwise on the screen, and then shifted. Lengths are in cells.
type motion struct {
	turn   float64
	shift  Point
	middle Point
}

// of is where a place went.
func (m motion) of(p Point) Point {
	sin, cos := math.Sincos(m.turn)
	d := p.Sub(m.middle)
	return m.middle.Add(m.shift).Add(Point{d.X*cos - d.Y*sin, d.X*sin + d.Y*cos})
}

// back is the motion that undoes m.
func (m motion) back() motion {
	undo := motion{turn: -m.turn, middle: m.middle}
	undo.shift = m.middle.Sub(undo.of(m.middle.Add(m.shift)))
	return undo
}

const (
	mostShift = 12   // cells by which a knock may shift the picture
	mostTurn  = 0.02 // radians by which it may turn it, or somewhat more
	mostMarks = 200  // are compared
	fewMarks  = 20   // tell nothing
	spread    = 0.15 // of the picture's width: how far marks lie about, more than those of one card
)

// marks are cells, by number, at the edges of what lay still till now.
type marks struct {
	at   []int
	edge []float64 // how sharp they are there
}

// marks are found in the last picture, before it is compared with the one now.
func (g *Gate) marks() (m marks) {
	least := 3 * g.limit()
	for y := 1; y < g.h-1; y++ {
		for i := y*g.w + 1; i < (y+1)*g.w-1; i++ {
			dx, dy := int(g.last[i+1])-int(g.last[i-1]), int(g.last[i+g.w])-int(g.last[i-g.w])
			if dx*dx+dy*dy >= least*least &&
				!g.changed[i] && !g.changed[i-1] && !g.changed[i+1] && !g.changed[i-g.w] && !g.changed[i+g.w] {
				m.at = append(m.at, i)
			}
		}
	}
	return g.some(m, mostMarks, g.last)
}

// some are at most so many of the marks, with their edges in a picture.
func (g *Gate) some(m marks, most int, pic []uint8) (out marks) {
	every := (len(m.at) + most - 1) / most
	for i := 0; i < len(m.at); i += every {
		out.at = append(out.at, m.at[i])
		out.edge = append(out.edge, g.edge(pic, m.at[i]))
	}
	return out
}

// edge is by how much a picture's brightness changes from cell to cell.
func (g *Gate) edge(pic []uint8, i int) float64 {
	return math.Hypot(float64(pic[i+1])-float64(pic[i-1]), float64(pic[i+g.w])-float64(pic[i-g.w])) / 2
}

// soft is a picture a little blurred, but for its rim.
func (g *Gate) soft(pic []uint8) []uint8 {
	out := append([]uint8(nil), pic...)
	for y := 1; y < g.h-1; y++ {
		for i := y*g.w + 1; i < (y+1)*g.w-1; i++ {
			row := func(i int) int { return int(pic[i-1]) + 2*int(pic[i]) + int(pic[i+1]) }
			out[i] = uint8((row(i-g.w) + 2*row(i) + row(i+g.w)) / 16)
		}
	}
	return out
}

// wide says that marks lie about farther than those of a single card, which a hand
// may have pushed.
func (g *Gate) wide(m marks) bool {
	var sum Point
	sq := 0.0
	for _, i := range m.at {
		p := Point{float64(i % g.w), float64(i / g.w)}
		sum, sq = sum.Add(p), sq+p.Dot(p)
	}
	n := math.Max(1, float64(len(m.at)))
	mean := sum.Mul(1 / n)
	return math.Sqrt(math.Max(0, sq/n-mean.Dot(mean))) > spread*float64(g.w)
}

// fits is the share of marks in one picture that are seen in another where a motion
// takes them.
func (g *Gate) fits(m marks, was, is []uint8, by motion) float64 {
	sum := 0.0
	sin, cos := math.Sincos(by.turn)
	to := by.middle.Add(by.shift)
	for k, i := range m.at {
		dx, dy := float64(i%g.w)-by.middle.X, float64(i/g.w)-by.middle.Y
		v, ok := g.between(is, to.X+dx*cos-dy*sin, to.Y+dx*sin+dy*cos)
		if !ok {
			continue
		}
		if off := math.Abs(v-g.flick*float64(was[i])) / m.edge[k]; off < 1 {
			sum += 1 - off
		}
	}
	return sum / float64(len(m.at))
}

// between is a picture's value at a place between cells; outside there is none.
func (g *Gate) between(pic []uint8, x, y float64) (v float64, ok bool) {
	if x < 0 || y < 0 || x >= float64(g.w-1) || y >= float64(g.h-1) {
		return 0, false
	}
	i := int(y)*g.w + int(x)
	fx, fy := x-math.Floor(x), y-math.Floor(y)
	a := float64(pic[i])*(1-fx) + float64(pic[i+1])*fx
	b := float64(pic[i+g.w])*(1-fx) + float64(pic[i+g.w+1])*fx
	return a*(1-fy) + b*fy, true
}

// knock says whether the camera was knocked just now, and how the picture moved.
// It is asked before the picture is compared with the last one.
func (g *Gate) knock() (best motion, ok bool) {
	best.middle = Point{float64(g.w-1) / 2, float64(g.h-1) / 2}
	m := g.marks()
	if len(m.at) < fewMarks || !g.wide(m) {
		return best, false
	}
	if g.fits(m, g.last, g.now, best) > 0.6 {
		return best, false // most are where they were
	}
	// An edge between two cells is only to be had in soft pictures.
	was, is := g.soft(g.last), g.soft(g.now)
	few, m := g.some(m, mostMarks/4, was), g.some(m, mostMarks, was)
	stay := g.fits(m, was, is, best)
	fits := stay
	for _, turn := range []float64{0, -mostTurn, mostTurn} {
		by, most := best, 0.0
		try := func(m marks, turn float64, shift Point) {
			at := motion{turn, shift, best.middle}
			if s := g.fits(m, was, is, at); s > most {
				by, most = at, s
			}
		}
		for dy := -mostShift; dy <= mostShift; dy++ {
			for dx := -mostShift; dx <= mostShift; dx++ {
				try(few, turn, Point{float64(dx), float64(dy)})
			}
		}
		most = g.fits(m, was, is, by)
		for _, step := range []float64{0.5, 0.5, 0.25, 0.25, 0.1, 0.1} {
			turn, shift := by.turn, by.shift
			for a := -1.0; a <= 1; a++ {
				for dy := -step; dy <= step; dy += step {
					for dx := -step; dx <= step; dx += step {
						try(m, turn+a*step*2/float64(g.w), shift.Add(Point{dx, dy}))
					}
				}
			}
		}
		if most > fits {
			best, fits = by, most
		}
	}
	return best, fits > 0.55 && fits > stay+0.2
}

// follow moves what is known of the picture along with a knock. Cells are coarse
// and the motion isn't known exactly, so that at edges whatever is between the
// neighbours is taken to have been there.
func (g *Gate) follow(by motion) {
	back := by.back()
	for _, pic := range []struct {
		of   []uint8
		gain float64
	}{{g.last, g.flick}, {g.still, g.Light * g.flick}, {g.bare, g.Light * g.flick}} {
		was := append([]uint8(nil), pic.of...)
		for i, now := range g.now {
			p := back.of(Point{float64(i % g.w), float64(i / g.w)})
			x, y := int(math.Round(p.X)), int(math.Round(p.Y))
			lo, hi := uint8(255), uint8(0)
			for yy := max(0, y-1); yy <= min(g.h-1, y+1); yy++ {
				for xx := max(0, x-1); xx <= min(g.w-1, x+1); xx++ {
					v := was[yy*g.w+xx]
					lo, hi = min(lo, v), max(hi, v)
				}
			}
			v := uint8(math.Min(255, float64(now)/math.Max(0.1, pic.gain)))
			if lo > hi {
				pic.of[i] = v // came into sight
				continue
			}
			pic.of[i] = min(max(v, lo), hi)
		}
	}
}

// went is where an outline is seen after a knock.
func (g *Gate) went(q Quad) Quad {
	for i, p := range q {
		c := float64(g.cell)
		q[i] = g.by.of(p.Mul(1 / c).Sub(Point{0.5, 0.5})).Add(Point{0.5, 0.5}).Mul(c)
	}
	return q
}
