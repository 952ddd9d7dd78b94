package vision

import (
	"math"
	"slices"
)

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

// after is first one motion, then another.
func (m motion) after(first motion) motion {
	return motion{first.turn + m.turn, m.of(first.of(m.middle)).Sub(m.middle), m.middle}
}

// hung are the pictures of the gate before the camera was knocked, and how it hangs now.
// What lies still is found from these, however often the camera swings: moved once only.
type hung struct {
	still, bare []uint8
	by          motion
	sure        bool // it has come to rest, and by is as exact as can be
}

const (
	mostShift = 12   // cells by which a knock may shift the picture
	mostTurn  = 0.02 // radians by which it may turn it, or somewhat more
	farShift  = 18   // cells by which it may shift it in all, until it hangs still
	farTurn   = 0.08 // radians
	mostMarks = 200  // are compared
	fewMarks  = 20   // tell nothing
	spread    = 0.15 // of the picture's width: how far marks lie about, more than those of one card
)

// marks are cells, by number, at the edges of what lay still till now.
type marks struct {
	at   []int
	edge []float64 // how sharp they are there
}

// marks are those of an earlier picture in cells that will do.
func (g *Gate) marks(was []uint8, do func(i int) bool) (m marks) {
	least := 3 * g.limit()
	for y := 1; y < g.h-1; y++ {
		for i := y*g.w + 1; i < (y+1)*g.w-1; i++ {
			dx, dy := int(was[i+1])-int(was[i-1]), int(was[i+g.w])-int(was[i-g.w])
			if dx*dx+dy*dy >= least*least && do(i) && do(i-1) && do(i+1) && do(i-g.w) && do(i+g.w) {
				m.at = append(m.at, i)
			}
		}
	}
	return g.some(m, mostMarks, was)
}

// unchanged says that a cell looked in the last picture as it did when all was still.
func (g *Gate) unchanged(i int) bool { return !g.changed[i] }

// stopped says that a cell hasn't moved for a moment.
func (g *Gate) stopped(i int) bool { return g.moved[i] >= 2 }

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
		p := g.place(i)
		sum, sq = sum.Add(p), sq+p.Dot(p)
	}
	n := math.Max(1, float64(len(m.at)))
	mean := sum.Mul(1 / n)
	return math.Sqrt(math.Max(0, sq/n-mean.Dot(mean))) > spread*float64(g.w)
}

// fits is the share of marks in one picture that are seen in another, so much brighter,
// where a motion takes them.
func (g *Gate) fits(m marks, was, is []uint8, gain float64, by motion) float64 {
	sum := 0.0
	sin, cos := math.Sincos(by.turn)
	to := by.middle.Add(by.shift)
	for k, i := range m.at {
		dx, dy := float64(i%g.w)-by.middle.X, float64(i/g.w)-by.middle.Y
		v, ok := g.between(is, to.X+dx*cos-dy*sin, to.Y+dx*sin+dy*cos)
		if !ok {
			continue
		}
		if off := math.Abs(v-gain*float64(was[i])) / m.edge[k]; off < 1 {
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

// rest is the motion of a camera that hangs as it hung.
func (g *Gate) rest() motion {
	return motion{middle: Point{float64(g.w-1) / 2, float64(g.h-1) / 2}}
}

// search looks for the motion that takes most marks of an earlier picture to where they
// are seen now, about a first guess, and says which share fits, and which did at that guess.
func (g *Gate) search(m marks, p past, about motion) (best motion, fits, stay float64) {
	// An edge between two cells is only to be had in soft pictures.
	was, is := g.soft(p.of), g.soft(g.now)
	few, m := g.some(m, mostMarks/4, was), g.some(m, mostMarks, was)
	stay = g.fits(m, was, is, p.gain, about)
	best, fits = about, stay
	for _, turn := range []float64{0, -mostTurn, mostTurn} {
		by, most := about, 0.0
		try := func(m marks, turn float64, shift Point) {
			at := motion{turn, shift, about.middle}
			if s := g.fits(m, was, is, p.gain, at); s > most {
				by, most = at, s
			}
		}
		for dy := -mostShift; dy <= mostShift; dy++ {
			for dx := -mostShift; dx <= mostShift; dx++ {
				try(few, about.turn+turn, about.shift.Add(Point{float64(dx), float64(dy)}))
			}
		}
		most = g.fits(m, was, is, p.gain, by)
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
	return best, fits, stay
}

const (
	swingAgain = 8    // frames in which no other swing is looked for
	swept      = 45   // after a sweep that looked like one
	inPlace    = 0.6  // share of marks: the camera hangs as it did
	found      = 0.55 // share of marks that must fit where a knock took them,
	clearly    = 0.2  // so much more than without it
)

// jolt follows a knock since the last picture. It is asked before this one is compared
// with that.
func (g *Gate) jolt() {
	last := past{g.last, g.flick}
	m := g.marks(last.of, g.unchanged)
	if !g.tell(m) || g.fits(m, last.of, g.now, last.gain, g.rest()) > inPlace {
		return
	}
	by, fits, stay := g.search(m, last, g.rest())
	if fits < found || fits < stay+clearly {
		return
	}
	g.moveAlong(g.last, g.last, by, g.flick)
	g.follow(by, g.Light*g.flick)
	g.knocked, g.hung.sure = true, false
}

// swing follows a knock that wasn't noticed when it came, or not to its end, because the
// camera swung: now that it hangs still, all lies elsewhere than when it last did.
func (g *Gate) swing() bool {
	was, by, light, least := g.still, g.rest(), g.Light, clearly
	loose := g.hung.still != nil && !g.hung.sure
	if loose {
		was, by, least = g.hung.still, g.hung.by, 0
		light = gain(was, g.now)
	}
	m := g.marks(was, g.stopped)
	if !g.tell(m) || !loose && g.fits(m, was, g.now, light, by) > inPlace {
		return false
	}
	g.patience = swingAgain
	to, fits, stay := g.search(m, past{was, light}, by)
	if fits < found || fits < stay+least {
		return false
	}
	if to != by {
		g.follow(to.after(by.back()), light)
	}
	g.hung.sure = g.Moving < fewMarks
	g.knocked, g.swung = to != by, to != by
	return to != by
}

// tell says that marks are enough, and far enough from one another, to tell of a knock.
func (g *Gate) tell(m marks) bool { return len(m.at) >= fewMarks && g.wide(m) }

// past is an earlier picture, and how much brighter the one now is.
type past struct {
	of   []uint8
	gain float64
}

// follow moves what is known of the picture along with a knock. The picture now is so
// much brighter than the still one.
func (g *Gate) follow(by motion, light float64) {
	g.by = by
	if g.hung.still != nil && g.hung.by.wentFar(by) {
		// No camera swings so far: the cards are swept off together. Back to where all was.
		g.by = g.hung.by.back()
		copy(g.still, g.hung.still)
		copy(g.bare, g.hung.bare)
		g.hung, g.patience = hung{}, swept
		return
	}
	if g.hung.still == nil {
		g.hung = hung{still: slices.Clone(g.still), bare: slices.Clone(g.bare), by: g.rest()}
	}
	g.hung.by = by.after(g.hung.by)
	g.moveAlong(g.still, g.hung.still, g.hung.by, light)
	g.moveAlong(g.bare, g.hung.bare, g.hung.by, light)
}

// wentFar says that a motion after another takes the picture farther than a knock does.
func (m motion) wentFar(next motion) bool {
	all := next.after(m)
	return math.Abs(all.shift.X) > farShift || math.Abs(all.shift.Y) > farShift || math.Abs(all.turn) > farTurn
}

// moveAlong makes a picture of an earlier one as the camera sees it after a motion, so much
// darker than the picture now. Cells are coarse and the motion isn't known exactly, so
// that at edges whatever is between the neighbours is taken to have been there.
func (g *Gate) moveAlong(to, was []uint8, by motion, gain float64) {
	back := by.back()
	was = slices.Clone(was)
	for i, now := range g.now {
		p := back.of(g.place(i))
		x, y := int(math.Round(p.X)), int(math.Round(p.Y))
		lo, hi := uint8(255), uint8(0)
		for yy := max(0, y-1); yy <= min(g.h-1, y+1); yy++ {
			for xx := max(0, x-1); xx <= min(g.w-1, x+1); xx++ {
				v := was[yy*g.w+xx]
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		v := uint8(math.Min(255, float64(now)/math.Max(0.1, gain)))
		if lo > hi {
			to[i] = v // came into sight
			continue
		}
		to[i] = min(max(v, lo), hi)
	}
}

// place is where a cell is, in cells.
func (g *Gate) place(i int) Point { return Point{float64(i % g.w), float64(i / g.w)} }

// cellAt is the cell at a place, if there is one.
func (g *Gate) cellAt(p Point) (i int, ok bool) {
	x, y := int(math.Round(p.X)), int(math.Round(p.Y))
	return y*g.w + x, x >= 0 && y >= 0 && x < g.w && y < g.h
}

// went is where an outline is seen after a knock.
func (g *Gate) went(q Quad) Quad {
	for i, p := range q {
		c := float64(g.cell)
		q[i] = g.by.of(p.Mul(1 / c).Sub(Point{0.5, 0.5})).Add(Point{0.5, 0.5}).Mul(c)
	}
	return q
}
