package vision

import (
	"math/rand/v2"
	"testing"
)

// TestRemains: of a card under its twin only plain paper may peep out, with the
// card's edges; they tell whether it lies there still or was itself pushed away.
func TestRemains(t *testing.T) {
	at := func(x, y float64) Quad { return Quad{{x, y}, {x + 100, y}, {x + 100, y + 140}, {x, y + 140}} }
	show := func(cards ...Quad) Frame {
		f := plain(320, 240, 70, 2, rand.New(rand.NewPCG(1, 2)))
		for _, q := range cards {
			r := q.Bounds()
			paint(f, r, 150) // where it ends
			paint(f, r.Inset(2), 230)
			paint(f, r.Inset(36), 40) // what is printed on it
		}
		return f
	}
	beneath, lies := at(70, 40), at(100, 50)
	rim := rimOf(show(beneath, lies), lies)
	for _, by := range []Point{{-8, -8}, {9, 9}, {0, 12}, {-12, 3}} {
		twin := lies.Scale(1, by)
		if !rim.remains(show(beneath, lies, twin), lies, twin) {
			t.Errorf("a twin laid off by %v: the card beneath it is taken to be gone", by)
		}
		if rim.remains(show(beneath, twin), lies, twin) {
			t.Errorf("pushed by %v: the card is taken to lie where it lay", by)
		}
	}
}
