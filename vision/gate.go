package vision

import (
	"image"
	"math"
	"slices"
)

// Gate says cheaply where a picture differs from the one before and from the
// last time everything lay still. It averages the picture into cells of a few
// pixels and compares those, allowing for noise and for a change of light over
// the whole picture. A 1280×720 picture costs some tenths of a millisecond.
type Gate struct {
	cell      int // side of a cell in pixels
	w, h      int // size in cells
	px, py    int // size in pixels
	now, last []uint8
	sums      []uint32
	still     []uint8 // the picture when all lay still
	bare      []uint8 // the table without cards, as far as it was seen, in the light of still
	moved     []uint8 // frames since each cell last moved, at most 255
	changed   []bool  // cells that differ from still
	knocked   bool    // the camera was knocked: all lies elsewhere in the picture from now on
	swung     bool    // it swung first, and what moves was followed meanwhile
	by        motion  // how the picture moved then
	hung      hung    // how all was before it was knocked
	patience  int     // frames in which no swing is looked for
	flick     float64 // brightness of this picture over that of the last one
	Noise     float64 // typical difference between two pictures of the same thing, grey levels
	Moving    int     // cells that moved in this picture
	Changed   int     // cells that differ from the still picture
	Light     float64 // brightness of this picture over that of the still one
}

// cellsAcross is how many cells a picture is wide.
const cellsAcross = 160

// Step takes the next picture. A picture of another size begins anew, which it
// reports by fresh.
func (g *Gate) Step(f Frame) (fresh bool) {
	if f.W != g.px || f.H != g.py {
		g.begin(f)
		fresh = true
	}
	g.last, g.now = g.now, g.last
	g.shrink(f)
	if fresh {
		copy(g.last, g.now)
		copy(g.still, g.now)
		copy(g.bare, g.now)
	}
	g.knocked, g.swung = false, false
	if g.stir() >= fewMarks && g.patience <= swingAgain {
		g.jolt()
	}
	g.move()
	g.change()
	if g.patience > 0 {
		g.patience--
	} else if !g.knocked && g.Changed >= fewMarks && g.swing() {
		g.change()
	}
	return fresh
}

func (g *Gate) begin(f Frame) {
	*g = Gate{cell: max(2, (f.W+cellsAcross-1)/cellsAcross), px: f.W, py: f.H, Noise: 1}
	g.w, g.h = f.W/g.cell, f.H/g.cell
	n := g.w * g.h
	g.now, g.last, g.still, g.bare = make([]uint8, n), make([]uint8, n), make([]uint8, n), make([]uint8, n)
	g.sums = make([]uint32, g.w)
	g.moved, g.changed = make([]uint8, n), make([]bool, n)
	for i := range g.moved {
		g.moved[i] = 255
	}
}

// shrink averages green, the channel with the least noise, over some of each
// cell's pixels: all of a small cell's, eight of the usual cell of 8×8.
func (g *Gate) shrink(f Frame) {
	down, across := 1, 1
	if g.cell >= 6 {
		down, across = g.cell/2, 2
	}
	per := ((g.cell + down - 1) / down) * ((g.cell + across - 1) / across)
	div := uint32(per)
	for cy := 0; cy < g.h; cy++ {
		clear(g.sums)
		for dy := 0; dy < g.cell; dy += down {
			row := f.Pix[3*f.W*(cy*g.cell+dy):][:3*f.W]
			if g.cell == 8 {
				addEighths(g.sums, row)
				continue
			}
			for cx := range g.sums {
				o := 3*cx*g.cell + 1
				for dx := 0; dx < g.cell; dx += across {
					g.sums[cx] += uint32(row[o+3*dx])
				}
			}
		}
		out := g.now[cy*g.w : (cy+1)*g.w]
		for cx, s := range g.sums {
			out[cx] = uint8(s / div)
		}
	}
}

// addEighths adds four of each eight pixels' green to sums: the usual case, a
// picture 1280 pixels wide, without inner loop and bounds checks.
func addEighths(sums []uint32, row []byte) {
	for i := range sums {
		if len(row) < 24 {
			return
		}
		sums[i] += uint32(row[1]) + uint32(row[7]) + uint32(row[13]) + uint32(row[19])
		row = row[24:]
	}
}

// stir measures the noise and says how many cells differ from the last picture's
// by more than that.
func (g *Gate) stir() (cells int) {
	// The light of the whole picture may breathe: lamps flicker, exposure hunts.
	g.flick = gain(g.last, g.now)
	var hist [256]int
	fl := int(g.flick*256 + 0.5)
	for i, v := range g.now {
		d := int(v) - int(g.last[i])*fl>>8
		if d < 0 {
			d = -d
		}
		hist[min(d, 255)]++
	}
	med, n := 0, 0
	for d, c := range hist {
		if n += c; n*2 >= len(g.now) {
			med = d
			break
		}
	}
	follow := 0.1
	if float64(med) > g.Noise {
		follow = 0.6 // rather overlook something for a moment than see ghosts
	}
	g.Noise += (float64(med) - g.Noise) * follow
	for _, c := range hist[min(g.limit()+1, 255):] {
		cells += c
	}
	return cells
}

// move notes which cells moved in this picture.
func (g *Gate) move() {
	fl, limit := int(g.flick*256+0.5), g.limit()
	g.Moving = 0
	for i, v := range g.now {
		if differs(int(v), int(g.last[i]), fl, limit) {
			g.moved[i] = 0
			g.Moving++
		} else if g.moved[i] < 255 {
			g.moved[i]++
		}
	}
}

// change notes which cells differ from the still picture.
func (g *Gate) change() {
	g.Light = gain(g.still, g.now)
	li, limit := int(g.Light*256+0.5), g.limit()
	g.Changed = 0
	for i, v := range g.now {
		g.changed[i] = differs(int(v), int(g.still[i]), li, limit)
		if g.changed[i] {
			g.Changed++
		}
	}
}

// limit is how much a cell's brightness may change by noise.
func (g *Gate) limit() int { return int(math.Max(5, 4+5*g.Noise)) }

// differs says that a cell changed more than the light, by gain/256, and noise
// explain. How bright a cell really was that is nearly burnt out, nobody knows; and
// no camera's values follow the light exactly.
func differs(now, was, gain, limit int) bool {
	d, off := now-was*gain>>8, gain-256
	if off < 0 {
		off = -off
	}
	limit += now * off >> 10
	const burnt = 240
	return (d > limit || d < -limit) &&
		!(was >= burnt && now<<8 >= (burnt-limit)*gain) &&
		!(now >= burnt && was*gain >= (burnt-limit)<<8)
}

// gain is the median of b/a over cells that are neither dark nor burnt out.
func gain(a, b []uint8) float64 {
	var hist [512]int
	n := 0
	for i := 0; i < len(a); i += 3 {
		x, y := int(a[i]), int(b[i])
		if x < 12 || x > 245 || y > 245 {
			continue
		}
		hist[min(y*128/x, 511)]++
		n++
	}
	if n < len(a)/60 {
		return 1
	}
	k := 0
	for r, c := range hist {
		if k += c; k*2 >= n {
			// Within the bin of the median, by how far into it the half lies.
			in := float64(k) - float64(n)/2
			return (float64(r) + 1 - in/float64(c)) / 128
		}
	}
	return 1
}

// Keep makes the present picture the still one. What lies outside of cards is
// noted as the bare table.
func (g *Gate) Keep(cards []Quad) {
	for i, v := range g.bare {
		g.bare[i] = uint8(math.Min(255, float64(v)*g.Light+0.5))
	}
	covered := make([]bool, len(g.now))
	for _, q := range cards {
		g.each(q, 1.5, func(i int) { covered[i] = true })
	}
	for i, c := range covered {
		if !c {
			g.bare[i] = g.now[i]
		}
	}
	copy(g.still, g.now)
	g.hung = hung{}
	g.Light = 1
}

// Came says that something lies within an outline that didn't in the still
// picture. It says no while the light changes, as it does when a camera has just
// been opened: then everything looks new.
func (g *Gate) Came(q Quad) bool {
	_, _, changed := g.Within(q, 1)
	return changed > 0.5 && g.Changed*4 < len(g.now) && math.Abs(g.Light-1) < 0.1
}

// KeepIn makes the present picture the still one within an outline.
func (g *Gate) KeepIn(q Quad) {
	g.each(q, 1, func(i int) { g.still[i] = uint8(math.Min(255, float64(g.now[i])/math.Max(g.Light, 0.1))) })
	if g.hung.still != nil {
		back := g.hung.by.back()
		g.each(q, 1, func(i int) {
			if at, ok := g.cellAt(back.of(g.place(i))); ok {
				g.hung.still[at] = g.still[i]
			}
		})
	}
}

// Suppose takes the bare table within an outline to be like that around it,
// for a card that lay there before we came.
func (g *Gate) Suppose(q Quad) {
	in := map[int]bool{}
	g.each(q, 1, func(i int) { in[i] = true })
	sum, n := 0, 0
	g.each(q, 3, func(i int) {
		if !in[i] {
			sum += int(g.bare[i])
			n++
		}
	})
	if n > 0 {
		for i := range in {
			g.bare[i] = uint8(sum / n)
		}
	}
}

// Bare says whether the table shows within an outline: the picture is much more
// like the bare table than like what lay still there. A hand that rests on a card may
// be as bright as the table, but it is also seen beside the card.
func (g *Gate) Bare(q Quad) bool {
	var off, card float64
	n := 0
	g.each(q, -0.5, func(i int) {
		n++
		off += math.Abs(float64(g.now[i]) - g.Light*float64(g.bare[i]))
		card += math.Abs(g.Light * (float64(g.still[i]) - float64(g.bare[i])))
	})
	if n == 0 || off > 0.3*card+float64(n)*g.Noise {
		return false
	}
	// What lies within three cells around it, less what lies within one.
	rim, hidden := 0, 0
	for _, part := range []struct {
		grow float64
		add  int
	}{{3, 1}, {1, -1}} {
		g.each(q, part.grow, func(i int) {
			rim += part.add
			if g.changed[i] && math.Abs(float64(g.now[i])-g.Light*float64(g.bare[i])) > float64(g.limit()) {
				hidden += part.add
			}
		})
	}
	return hidden*5 < rim
}

// Shade is how bright the paper of a card is in the still picture: brighter than most of
// its cells, of which some are printed on.
func (g *Gate) Shade(q Quad) uint8 {
	var v []uint8
	g.each(q, -0.5, func(i int) { v = append(v, g.still[i]) })
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)*3/4]
}

// Paper is the number of cells that are about as bright as paper of a shade, and were
// clearly darker in the still picture: what came is as bright as a card.
func (g *Gate) Paper(shade uint8) (cells int) {
	now, was := float64(shade)*0.75*g.Light, float64(shade)*0.6
	for i, v := range g.now {
		if g.changed[i] && float64(v) > now && float64(g.still[i]) < was {
			cells++
		}
	}
	return cells
}

// each calls do for the cells whose centre lies within q, grown by so many cells.
func (g *Gate) each(q Quad, grow float64, do func(i int)) {
	c := q.Center()
	w, h := q.Sides()
	k := 1 + 2*grow*float64(g.cell)/math.Max(1, math.Min(w, h))
	for i := range q {
		q[i] = c.Add(q[i].Sub(c).Mul(k))
	}
	b := q.Bounds()
	x0, x1 := max(0, b.Min.X/g.cell), min(g.w-1, b.Max.X/g.cell)
	y0, y1 := max(0, b.Min.Y/g.cell), min(g.h-1, b.Max.Y/g.cell)
	half := float64(g.cell) / 2
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if q.Contains(Point{float64(x*g.cell) + half, float64(y*g.cell) + half}) {
				do(y*g.w + x)
			}
		}
	}
}

// Within tells of the cells in an outline: how many there are, which share
// moved within the last so many frames, and which share differs from the still
// picture.
func (g *Gate) Within(q Quad, frames int) (cells int, moving, changed float64) {
	m, c := 0, 0
	g.each(q, 0, func(i int) {
		cells++
		if int(g.moved[i]) < frames {
			m++
		}
		if g.changed[i] {
			c++
		}
	})
	if cells == 0 {
		return 0, 0, 0
	}
	return cells, float64(m) / float64(cells), float64(c) / float64(cells)
}

// Near says that something moves at the very rim of an outline, as the fingers
// do that still hold a card.
func (g *Gate) Near(q Quad) bool {
	n := 0
	g.each(q, 1, func(i int) {
		if g.stirs(i, 1) {
			n++
		}
	})
	return n >= 3
}

// Clear says that nothing moved within so many frames on a card or around it, as
// far as a hand that still holds it, or just lets go of it, would reach.
func (g *Gate) Clear(q Quad, frames int) bool {
	const around = 0.3 // of a card's length
	w, h := q.Sides()
	n := 0
	g.each(q, around*math.Max(w, h)/float64(max(1, g.cell)), func(i int) {
		if g.stirs(i, frames) {
			n++
		}
	})
	return n < 3
}

// stirs says that a cell moved within so many frames and a cell beside it too:
// a single one is the noise of a dark picture.
func (g *Gate) stirs(i, frames int) bool {
	at := func(j int) bool { return j >= 0 && j < len(g.moved) && int(g.moved[j]) < frames }
	return at(i) && (at(i-1) || at(i+1) || at(i-g.w) || at(i+g.w))
}

// Regions are the upright rectangles, in pixels, around connected groups of
// cells that differ from the still picture or moved just now, the largest
// first. Groups of less than least cells are left out.
func (g *Gate) Regions(least int) []image.Rectangle {
	seen := make([]bool, len(g.now))
	var out []image.Rectangle
	var sizes []int
	var stack []int
	on := func(i int) bool { return g.changed[i] || g.moved[i] == 0 }
	for i := range g.now {
		if seen[i] || !on(i) {
			continue
		}
		x0, y0, x1, y1, n := g.w, g.h, 0, 0, 0
		stack = append(stack[:0], i)
		seen[i] = true
		for len(stack) > 0 {
			j := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n++
			x, y := j%g.w, j/g.w
			x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
			// Cells two apart still belong together: a white card on white
			// cloth changes only at its edges and pips.
			for yy := max(0, y-2); yy <= min(g.h-1, y+2); yy++ {
				for xx := max(0, x-2); xx <= min(g.w-1, x+2); xx++ {
					if k := yy*g.w + xx; !seen[k] && on(k) {
						seen[k] = true
						stack = append(stack, k)
					}
				}
			}
		}
		if n < least {
			continue
		}
		r := image.Rect(x0*g.cell, y0*g.cell, min(g.px, (x1+1)*g.cell), min(g.py, (y1+1)*g.cell))
		at := len(out)
		for at > 0 && sizes[at-1] < n {
			at--
		}
		out = append(out[:at], append([]image.Rectangle{r}, out[at:]...)...)
		sizes = append(sizes[:at], append([]int{n}, sizes[at:]...)...)
	}
	return out
}
