package vision

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// grain is noise of deviation 1, drawn once: frames take it from any place on.
var grain = func() []float64 {
	r := rand.New(rand.NewPCG(7, 7))
	g := make([]float64, 1<<16)
	for i := range g {
		g[i] = r.NormFloat64()
	}
	return g
}()

// plain is a frame of one grey with noise from a seeded source.
func plain(w, h int, grey float64, noise float64, r *rand.Rand) Frame {
	f := Frame{W: w, H: h, Pix: make([]byte, 3*w*h)}
	from := 0
	for i := range f.Pix {
		if i%4096 == 0 {
			from = r.IntN(len(grain) - 4096)
		}
		f.Pix[i] = byte(min(255, max(0, grey+noise*grain[from+i%4096])))
	}
	return f
}

// paint fills a rectangle.
func paint(f Frame, r image.Rectangle, grey byte) Frame {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := 3 * r.Min.X; x < 3*r.Max.X; x++ {
			f.Pix[3*f.W*y+x] = grey
		}
	}
	return f
}

func TestGateStillPictureChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var g Gate
	for i := range 20 {
		g.Step(plain(640, 480, 90, 9, r))
		if i > 3 && (g.Moving >= leastCells || len(g.Regions(leastCells)) > 0) {
			t.Fatalf("frame %d: %d cells moved, %d changed in a still, noisy picture", i, g.Moving, g.Changed)
		}
	}
}

// TestGateForgivesLight: a lamp flickers over a table with white cards, which are
// nearly burnt out, and a dark one.
func TestGateForgivesLight(t *testing.T) {
	for _, depth := range []float64{0.02, 0.06} {
		r := rand.New(rand.NewPCG(2, 2))
		var g Gate
		for i := range 20 {
			f := paint(plain(640, 480, 90, 3, r), image.Rect(100, 100, 200, 240), 200)
			paint(f, image.Rect(300, 100, 400, 240), 248)
			paint(f, image.Rect(300, 300, 400, 400), 30)
			k := 1 + depth*math.Sin(2.1*float64(i))
			for j := range f.Pix {
				f.Pix[j] = byte(min(255, float64(f.Pix[j])*k))
			}
			g.Step(f)
			if i > 3 && (g.Moving > 2 || g.Changed > 2) {
				t.Fatalf("frame %d: %d cells moved and %d changed though only the light breathed", i, g.Moving, g.Changed)
			}
		}
	}
}

func TestGateFindsWhatCame(t *testing.T) {
	for _, size := range []image.Point{{1280, 720}, {640, 480}, {800, 600}, {320, 240}} {
		r := rand.New(rand.NewPCG(3, 3))
		var g Gate
		for range 5 {
			g.Step(plain(size.X, size.Y, 80, 4, r))
		}
		card := image.Rect(size.X/2, size.Y/3, size.X/2+size.X/10, size.Y/3+size.Y/4)
		g.Step(paint(plain(size.X, size.Y, 80, 4, r), card, 210))
		rs := g.Regions(6)
		if len(rs) != 1 {
			t.Fatalf("%v: %d regions, want the one card", size, len(rs))
		}
		if !card.In(rs[0].Inset(-g.cell)) || rs[0].Dx() > card.Dx()+3*g.cell {
			t.Errorf("%v: card at %v, found %v", size, card, rs[0])
		}
		q := Quad{{float64(card.Min.X), float64(card.Min.Y)}, {float64(card.Max.X), float64(card.Min.Y)}, {float64(card.Max.X), float64(card.Max.Y)}, {float64(card.Min.X), float64(card.Max.Y)}}
		if _, moving, changed := g.Within(q, 1); moving < 0.9 || changed < 0.9 {
			t.Errorf("%v: within the card %.2f moved, %.2f changed", size, moving, changed)
		}
		g.KeepIn(q)
		g.Step(paint(plain(size.X, size.Y, 80, 4, r), card, 210))
		if _, moving, changed := g.Within(q, 1); moving > 0.1 || changed > 0.1 {
			t.Errorf("%v: kept, but %.2f moved, %.2f changed", size, moving, changed)
		}
	}
}

func TestGateBeginsAnewAtAnotherSize(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var g Gate
	if !g.Step(plain(640, 480, 80, 4, r)) || g.Step(plain(640, 480, 80, 4, r)) || !g.Step(plain(320, 240, 80, 4, r)) {
		t.Fatal("only the first picture of a size is fresh")
	}
	if g.Changed != 0 {
		t.Fatalf("%d cells changed in the first picture of a size", g.Changed)
	}
}

func BenchmarkGateStill(b *testing.B) {
	f := plain(1280, 720, 90, 5, rand.New(rand.NewPCG(5, 5)))
	var g Gate
	for b.Loop() {
		g.Step(f)
	}
}

// TestGateFollowsAKnock: the camera is shifted and turned a little, while a hand is
// in the picture. Nothing has moved then but the hand, and outlines are known where
// they are seen now. What is pushed by a hand is no knock, nor is a hand over all.
func TestGateFollowsAKnock(t *testing.T) {
	cards := []Quad{prop{x: 100, y: 100}.quad(), prop{x: 380, y: 170}.quad().turned(0.3)}
	r := rand.New(rand.NewPCG(6, 6))
	// draw paints cards as a camera sees them that hangs by m otherwise, and a hand.
	draw := func(m motion, light float64, hand image.Rectangle, cards ...Quad) Frame {
		f := plain(stageW, stageH, 70*light, 2, r)
		back := m.back()
		for y := range stageH {
			for x := range stageW {
				p := back.of(Point{float64(x), float64(y)})
				for _, q := range cards {
					if q.Contains(p) {
						grey := 205.0
						if q.Scale(0.5, q.Center().Mul(0.5)).Contains(p) {
							grey = 90
						}
						paint(f, image.Rect(x, y, x+1, y+1), byte(grey*light))
					}
				}
			}
		}
		return paint(f, hand, byte(120*light))
	}
	hand := image.Rect(500, 200, 600, 360)
	at := func(turn, x, y float64) motion { return motion{turn, Point{x, y}, Point{stageW / 2, stageH / 2}} }
	for _, m := range []motion{at(0, 22, 0), at(0, -7, 30), at(0.015, 12, -5), at(-0.02, -30, 14)} {
		var g Gate
		for range 5 {
			g.Step(draw(at(0, 0, 0), 1, image.Rectangle{}, cards...))
		}
		g.Step(draw(at(0, 0, 0), 1, hand, cards...))
		changed := g.Changed
		g.Step(draw(m, 1.1, hand, cards...))
		if !g.knocked {
			t.Errorf("%v: a knock isn't noticed", m)
			continue
		}
		for _, q := range cards {
			want := q
			for i, p := range q {
				want[i] = m.of(p)
			}
			if off := want.Moved(g.went(q)); off > near/2 {
				t.Errorf("%v: a card is taken to lie %.3f of its length off", m, off)
			}
			if _, moving, changed := g.Within(want, 1); moving > 0.02 || changed > 0.05 {
				t.Errorf("%v: in a card %.2f moved and %.2f changed", m, moving, changed)
			}
		}
		if g.Moving > changed/2 || g.Changed > changed*5/4 {
			t.Errorf("%v: %d cells moved and %d changed, by a hand of %d", m, g.Moving, g.Changed, changed)
		}
	}
	// It swings, too fast to be followed or only at first, and then hangs still elsewhere.
	for _, m := range []motion{at(0, 22, 0), at(0.015, 12, -5), at(-0.02, -30, 14)} {
		for _, first := range []motion{at(0, 0, 0), at(0, 16, 12)} {
			var g Gate
			went := slices.Clone(cards)
			step := func(f Frame) (knocked bool) {
				if g.Step(f); g.knocked {
					for i, q := range went {
						went[i] = g.went(q)
					}
				}
				return g.knocked
			}
			for range 5 {
				step(draw(at(0, 0, 0), 1, image.Rectangle{}, cards...))
			}
			step(draw(first, 1, image.Rectangle{}, cards...))
			step(plain(stageW, stageH, 85, 2, r))
			step(plain(stageW, stageH, 95, 2, r))
			noticed := 0
			for range 8 {
				if step(draw(m, 1.1, image.Rectangle{}, cards...)) {
					noticed++
				}
			}
			if noticed != 1 || g.Changed > fewMarks {
				t.Errorf("%v after %v: noticed %d times that it swung, then %d cells differ", m, first, noticed, g.Changed)
			}
			for i, q := range cards {
				want := q
				for j, p := range q {
					want[j] = m.of(p)
				}
				if off := want.Moved(went[i]); off > near/2 {
					t.Errorf("%v after %v: a card is taken to lie %.3f of its length off", m, first, off)
				}
			}
		}
	}
	for name, f := range map[string]Frame{
		"one card is pushed": draw(at(0, 0, 0), 1, hand, cards[0].Scale(1, Point{12, 5}), cards[1]),
		"a hand over all":    draw(at(0, 0, 0), 1, image.Rect(60, 60, 600, 360), cards...),
	} {
		var g Gate
		for range 5 {
			g.Step(draw(at(0, 0, 0), 1, image.Rectangle{}, cards...))
		}
		for range 4 {
			if g.Step(f); g.knocked {
				t.Errorf("%s: taken for a knock", name)
			}
		}
	}
	var g Gate
	for range 5 {
		g.Step(draw(at(0, 0, 0), 1, image.Rectangle{}, cards[0]))
	}
	for range 4 {
		if g.Step(draw(at(0, 9, 3), 1, image.Rectangle{}, cards[0])); g.knocked {
			t.Error("the only card that lies there is pushed: taken for a knock")
		}
	}
	// All cards are swept off together: it looks like a swing at first, which is taken back.
	for _, fast := range []float64{6, 10, 20} {
		var g Gate
		went := slices.Clone(cards)
		for range 5 {
			g.Step(draw(at(0, 0, 0), 1, image.Rectangle{}, cards...))
		}
		for y := fast; y < stageH+200; y += fast {
			g.Step(draw(at(0, 0, y), 1, image.Rectangle{}, cards...))
			for i, q := range went {
				if g.knocked {
					went[i] = g.went(q)
				}
			}
		}
		for i, q := range cards {
			if off := q.Moved(went[i]); off > near {
				t.Errorf("swept off by %v pixels a frame: a card that is gone is taken to have lain %.2f of its length off", fast, off)
			}
			if _, _, changed := g.Within(went[i], 1); changed < 0.8 {
				t.Errorf("swept off by %v pixels a frame: only %.2f of its place looks otherwise", fast, changed)
			}
		}
	}
}
