package vision

import (
	"image"
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
	l := &lying{quad: lies, looks: []appearance{appearanceOf(show(beneath, lies), lies)}}
	for _, by := range []Point{{-8, -8}, {9, 9}, {0, 12}, {-12, 3}} {
		twin := lies.Scale(1, by)
		if remains, left := l.remains(show(beneath, lies, twin), twin); !remains || left {
			t.Errorf("a twin laid off by %v: the card beneath it is taken to be gone", by)
		}
		if remains, left := l.remains(show(beneath, twin), twin); remains || !left {
			t.Errorf("pushed by %v: the card is taken to lie where it lay", by)
		}
	}
}

// TestSeenIn: of a card that lies where it lay what no hand hides is seen in its places,
// of one that lies a little elsewhere nothing is, though the whole looks much alike.
func TestSeenIn(t *testing.T) {
	s := newStage(t)
	p := &prop{x: 200, y: 100, rank: 7, look: lookA}
	s.cards = []*prop{p}
	show := func() likeness {
		s.wait(1)
		f, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return likenessOf(f, prop{x: 200, y: 100}.quad())
	}
	alone := show()
	if got := alone.seenIn(show()); got < 0.95 {
		t.Errorf("of the card alone %.2f is seen", got)
	}
	s.hand = image.Rect(190, 145, 300, stageH)
	if got := alone.seenIn(show()); got < 0.3 || got > 0.7 {
		t.Errorf("under a hand on its lower half %.2f is seen", got)
	}
	s.hand = image.Rectangle{}
	p.x, p.y = 206, 105
	if got := alone.seenIn(show()); got > 0.2 {
		t.Errorf("of a card that lies elsewhere %.2f is seen", got)
	}
}
