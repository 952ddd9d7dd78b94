//go:build cgo

package cv

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// TestPlaced: the outline of a card that was laid on another of the same white paper is
// found by the size of the pack, though there is no closed contour: on a plain table, on
// one of boards, when the upper one hides the lower, and turned. Of what isn't there
// nothing is proposed.
func TestPlaced(t *testing.T) {
	lower := laid(300, 180, 0.1)
	for name, c := range map[string]struct {
		upper  vision.Quad
		boards bool
	}{
		"a little off":       {laid(318, 190, 0.16), false},
		"turned":             {laid(310, 170, -0.5), false},
		"across":             {laid(300, 180, math.Pi/2), false},
		"on boards":          {laid(330, 195, 0.14), true},
		"on boards, across":  {laid(290, 180, 1.4), true},
		"beside it":          {laid(450, 200, 0.3), true},
		"hardly off":         {laid(306, 183, 0.1), false},
		"on boards and lean": {laid(305, 200, 0.35), true},
	} {
		r := rand.New(rand.NewPCG(4, 4))
		before := tabletop(r, c.boards)
		white(before, lower, r)
		after := vision.Frame{N: 1, W: before.W, H: before.H, Pix: append([]byte(nil), before.Pix...)}
		white(after, c.upper, r)
		full, err := gocv.NewMatFromBytes(after.H, after.W, gocv.MatTypeCV8UC3, after.Pix)
		if err != nil {
			t.Fatal(err)
		}
		f := newFinder()
		f.begin(full, &before, image.Rect(100, 40, 560, 340), 640, 140)
		best := math.Inf(1)
		for _, q := range f.placed(lower) {
			best = math.Min(best, c.upper.Moved(f.full(q)))
		}
		if best > 0.03 {
			t.Errorf("%s: the nearest outline is %.2f of a card's length off", name, best)
		}
		// The lower one was there before.
		f.begin(full, &after, image.Rect(100, 40, 560, 340), 640, 140)
		if q := f.placed(lower); len(q) > 0 {
			t.Errorf("%s: found %v where nothing came", name, q)
		}
		f.close()
		full.Close()
	}
}

// laid is a card of 100×140 pixels.
func laid(x, y, turn float64) (q vision.Quad) {
	sin, cos := math.Sincos(turn)
	for i, c := range [4][2]float64{{-50, -70}, {50, -70}, {50, 70}, {-50, 70}} {
		q[i] = vision.Point{X: x + c[0]*cos - c[1]*sin, Y: y + c[0]*sin + c[1]*cos}
	}
	return q
}

// tabletop is a table without cards, plain or of boards.
func tabletop(r *rand.Rand, boards bool) vision.Frame {
	f := vision.Frame{W: 640, H: 360, Pix: make([]byte, 3*640*360)}
	for y := range f.H {
		for x := range f.W {
			grey := 80.0
			if boards {
				grey += 40 * math.Sin(float64(x+2*y)*0.35+3*math.Sin(float64(y)*0.02))
			}
			dot(f, x, y, grey+2*r.NormFloat64())
		}
	}
	return f
}

// white paints a card's paper, with a thin grey line for its edge and some pips, smooth
// as a lens shows it.
func white(f vision.Frame, q vision.Quad, r *rand.Rand) {
	inner := q.Scale(0.98, q.Center().Mul(0.02))
	at := func(p vision.Point) (grey float64, ok bool) {
		switch {
		case !q.Contains(p):
			return 0, false
		case !inner.Contains(p):
			return 150, true
		}
		for k := range 3 {
			if p.Dist(q[0].Add(q[2].Sub(q[0]).Mul(0.3+0.2*float64(k)))) < 8 {
				return 40, true
			}
		}
		return 205, true
	}
	for y := range f.H {
		for x := range f.W {
			sum, n := 0.0, 0.0
			for k := range 9 {
				if grey, ok := at(vision.Point{X: float64(x) + float64(k%3-1)*0.5, Y: float64(y) + float64(k/3-1)*0.5}); ok {
					sum, n = sum+grey, n+1
				}
			}
			if n > 0 {
				under := float64(f.Pix[3*(y*f.W+x)])
				dot(f, x, y, (sum+(9-n)*under)/9+2*r.NormFloat64())
			}
		}
	}
}

func dot(f vision.Frame, x, y int, grey float64) {
	for c := range 3 {
		f.Pix[3*(y*f.W+x)+c] = byte(math.Min(255, math.Max(0, grey)))
	}
}
