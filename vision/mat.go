package vision

import (
	"cmp"
	"math"
	"slices"
)

// Mat is what was found of the printed mat in a picture.
type Mat struct {
	Found bool
	// Quad joins the bends of its four corner marks, clockwise, beginning at the
	// corner nearest to the picture's top left.
	Quad Quad
	// Marks is how many corner marks that belong together were seen.
	Marks int
	// Missing is about where the fourth lies when three were seen; it may be
	// outside of the picture.
	Missing Point
}

// The mat's corners are marked by light angles on dark paper. They are thicker
// than the angles around the places for cards, and short beside the distance to
// the next one.
const (
	leastThick, mostThick = 0.14, 0.35 // of an arm's length
	armLeast, armMost     = 0.03, 0.15 // arm of a mark over the distance to its neighbour
	onLine                = 0.25       // how far, in radians, an arm may point past its neighbour
	manyAngles            = 200        // only so many, the longest, are looked at
)

// FindMat looks for the four corner marks of the printed mat, whichever way it
// lies, as far as a camera over a table sees it tilted.
func FindMat(f Frame) Mat {
	marks := angles(f)
	// next lists for each mark those that one of its arms points to, and the
	// other way round, at a distance that fits the arms.
	next := make([][]int, len(marks))
	for i, a := range marks {
		for j, b := range marks {
			if i != j && a.pointsTo(b) && b.pointsTo(a) {
				next[i] = append(next[i], j)
			}
		}
	}
	var three, four Mat
	var size3, size4 float64
	two := false
	for i := range marks {
		for _, j := range next[i] {
			two = true
			for _, k := range next[j] {
				a, b, c := marks[i].bend, marks[j].bend, marks[k].bend
				if k == i || !elbow(a, b, c) {
					continue
				}
				// The fourth is about where a parallelogram has it.
				if size := math.Abs(b.Sub(a).Cross(c.Sub(b))); size > size3 {
					size3, three = size, Mat{Marks: 3, Missing: a.Add(c).Sub(b)}
				}
				for _, l := range next[k] {
					q := Quad{a, b, c, marks[l].bend}
					if l == i || l == j || !slices.Contains(next[l], i) || !q.Convex() {
						continue
					}
					if size := q.Area(); size > size4 {
						size4, four = size, Mat{Found: true, Marks: 4, Quad: q}
					}
				}
			}
		}
	}
	switch {
	case size4 > 0 && size3 < 2*size4:
		first := 0
		for i, p := range four.Quad {
			if p.X+p.Y < four.Quad[first].X+four.Quad[first].Y {
				first = i
			}
		}
		four.Quad = four.Quad.Turn(first)
		return four
	case size3 > 0:
		// Also when four smaller ones join up: they mark a place on the mat.
		return three
	case two:
		return Mat{Marks: 2}
	}
	return Mat{}
}

// elbow says that the way from a over b to c turns by about a right angle.
func elbow(a, b, c Point) bool {
	u, v := b.Sub(a), c.Sub(b)
	return math.Abs(u.Dot(v)) < 0.7*u.Len()*v.Len()
}

// angle is a mark of two straight arms that meet in its bend.
type angle struct {
	bend Point
	arms [2]Point // from the bend to the tips
}

func (a angle) length() float64 { return a.arms[0].Len() + a.arms[1].Len() }

// pointsTo says that one of the mark's arms runs towards another mark that is as
// far away as the next corner of the mat is.
func (a angle) pointsTo(b angle) bool {
	way := b.bend.Sub(a.bend)
	for _, arm := range a.arms {
		r := arm.Len() / way.Len()
		if r < armLeast || r > armMost {
			continue
		}
		if math.Abs(math.Atan2(arm.Cross(way), arm.Dot(way))) < onLine {
			return true
		}
	}
	return false
}

// angles finds the light angles in a picture.
func angles(f Frame) []angle {
	light := lightest(f)
	seen := make([]bool, len(light))
	var out []angle
	var blob []int
	longest := max(f.W, f.H) / 7
	for i, on := range light {
		if !on || seen[i] {
			continue
		}
		blob = append(blob[:0], i)
		seen[i] = true
		x0, y0, x1, y1 := f.W, f.H, 0, 0
		for n := 0; n < len(blob); n++ {
			x, y := blob[n]%f.W, blob[n]/f.W
			x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
			for yy := max(0, y-1); yy <= min(f.H-1, y+1); yy++ {
				for xx := max(0, x-1); xx <= min(f.W-1, x+1); xx++ {
					if k := yy*f.W + xx; light[k] && !seen[k] {
						seen[k] = true
						blob = append(blob, k)
					}
				}
			}
		}
		if w, h := x1-x0+1, y1-y0+1; max(w, h) < 9 || max(w, h) > longest || x0 == 0 || y0 == 0 || x1 == f.W-1 || y1 == f.H-1 {
			continue // a speck, a card, or cut off by the picture's edge
		}
		if a, ok := angleOf(blob, f.W); ok {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b angle) int { return cmp.Compare(b.length(), a.length()) })
	return out[:min(len(out), manyAngles)]
}

// lightest are the pixels that are clearly lighter than what lies around them.
func lightest(f Frame) []bool {
	// Sums over rectangles from the top left give the mean around each pixel.
	w, h := f.W, f.H
	sums := make([]uint32, (w+1)*(h+1))
	green := func(x, y int) uint32 { return uint32(f.Pix[3*(y*w+x)+1]) }
	for y := range h {
		row := uint32(0)
		for x := range w {
			row += green(x, y)
			sums[(y+1)*(w+1)+x+1] = sums[y*(w+1)+x+1] + row
		}
	}
	out := make([]bool, w*h)
	r := max(8, w/80)
	for y := range h {
		y0, y1 := max(0, y-r), min(h, y+r+1)
		for x := range w {
			x0, x1 := max(0, x-r), min(w, x+r+1)
			sum := sums[y1*(w+1)+x1] - sums[y0*(w+1)+x1] - sums[y1*(w+1)+x0] + sums[y0*(w+1)+x0]
			mean := sum / uint32((x1-x0)*(y1-y0))
			out[y*w+x] = green(x, y) > mean+mean/5+10
		}
	}
	return out
}

// angleOf says whether connected pixels of a picture w wide are two straight arms
// of about the same length that meet at their ends.
func angleOf(blob []int, w int) (angle, bool) {
	at := func(k int) Point { return Point{float64(k % w), float64(k / w)} }
	farthest := func(from Point) Point {
		p := from
		for _, k := range blob {
			if at(k).Dist(from) > p.Dist(from) {
				p = at(k)
			}
		}
		return p
	}
	// The tips are farthest from each other, the bend is farthest from the line
	// between them.
	one := farthest(at(blob[0]))
	two := farthest(one)
	one = farthest(two)
	line := two.Sub(one)
	var bend Point
	depth := 0.0
	for _, k := range blob {
		if d := math.Abs(line.Cross(at(k).Sub(one))) / line.Len(); d > depth {
			depth, bend = d, at(k)
		}
	}
	a := angle{bend, [2]Point{one.Sub(bend), two.Sub(bend)}}
	l0, l1 := a.arms[0].Len(), a.arms[1].Len()
	if math.Min(l0, l1) < 6 || math.Max(l0, l1) > 2*math.Min(l0, l1) {
		return a, false
	}
	cos := a.arms[0].Dot(a.arms[1]) / (l0 * l1)
	if math.Abs(cos) > 0.6 {
		return a, false
	}
	// As thick as an arm is, all pixels lie along the arms, and none is missing.
	thick := float64(len(blob)) / (l0 + l1)
	if share := 2 * thick / (l0 + l1); share < leastThick || share > mostThick {
		return a, false
	}
	var along [2][10]bool
	for _, k := range blob {
		v, near := at(k).Sub(bend), false
		for i, arm := range a.arms {
			u := v.Dot(arm) / arm.Dot(arm)
			if off := math.Abs(arm.Cross(v)) / arm.Len(); off <= 1.6*thick+1.5 && u > -0.5 {
				near = true
				along[i][min(9, max(0, int(u*10)))] = true
			}
		}
		if !near {
			return a, false
		}
	}
	return a, along[0] == full && along[1] == full
}

// full is an arm without a gap.
var full = [10]bool{true, true, true, true, true, true, true, true, true, true}
