package vision

import "testing"

// TestPack: an outline found askew tells nothing of the pack when others were found
// well, nor does how a card is turned.
func TestPack(t *testing.T) {
	card := func(w, h, turn float64) Quad { return Parallelogram(Point{}, Point{X: w}, Point{Y: h}).turned(turn) }
	var p pack
	if p.off(card(100, 140, 0)) != 0 || p.odd(card(100, 140, 0), 1) {
		t.Error("something is known of a pack that wasn't seen")
	}
	for i, q := range []Quad{card(120, 170, 0), card(150, 130, 1), card(121, 169, 2), card(120, 171, 0.3), card(122, 230, 0)} {
		p.note(q)
		if i == 1 && p.off(card(120, 170, 0)) != 0 {
			t.Error("two outlines, of which one is wrong, tell a card's size")
		}
	}
	if w, h := p.typical.Sides(); w < 119 || w > 122 || h < 168 || h > 172 {
		t.Errorf("a typical card is %.0f×%.0f, want 120×170", w, h)
	}
	for _, q := range []Quad{card(120, 170, 0), card(120, 170, 1.2), card(170, 120, 0)} {
		if p.off(q) > 0.05 || p.odd(q, 1) {
			t.Errorf("%v is off by %.2f, odd: %v", q, p.off(q), p.odd(q, 1))
		}
	}
	// Nearer to the camera it is larger, but no odd one.
	if q := card(138, 196, 0); p.off(q) < 0.2 || p.odd(q, 1) {
		t.Errorf("a larger card is off by %.2f, odd: %v", p.off(q), p.odd(q, 1))
	}
	if q := card(150, 170, 0); !p.odd(q, 1) || p.odd(q, 9) {
		t.Error("an outline that is too wide isn't odd, or is with too little known")
	}
	for range 3 * packMost {
		p.note(card(90, 130, 0))
	}
	if len(p.outlines) != packMost || p.off(card(90, 130, 0)) > 1e-9 {
		t.Errorf("%d outlines are kept, another pack's card is off by %.2f", len(p.outlines), p.off(card(90, 130, 0)))
	}
}

// TestOutline: of a card that was told with an outline gone wrong a better one is
// believed once it was found often enough, and forgotten when the card is moved.
func TestOutline(t *testing.T) {
	told := Parallelogram(Point{X: 100, Y: 100}, Point{X: 100}, Point{Y: 110})
	well := Parallelogram(Point{X: 100, Y: 100}, Point{X: 100}, Point{Y: 140})
	other := Parallelogram(Point{X: 80, Y: 100}, Point{X: 120}, Point{Y: 140})
	var tr Tracker
	l := &lying{quad: told}
	for i, q := range []Quad{well, other, well, well} {
		if got := tr.outline(l); got != told {
			t.Fatalf("after %d looks its outline is %v", i, got)
		}
		tr.seenAgain(l, q)
	}
	if got := tr.outline(l); got != well {
		t.Errorf("it lies in %v, want %v", got, well)
	}
	if tr.sample() != well {
		t.Errorf("the pack's card is %v, want %v", tr.sample(), well)
	}
	away := told.Scale(1, Point{X: 300})
	if l.lies(away); tr.outline(l) != away {
		t.Errorf("moved away, it lies in %v, want %v", tr.outline(l), away)
	}
	// Within what no outline is more exact by, the one it has will do.
	l = &lying{quad: well.Scale(1, Point{X: 1})}
	for range looksAgain {
		tr.seenAgain(l, well)
	}
	if tr.outline(l) != l.quad {
		t.Error("it is taken to lie elsewhere for a pixel")
	}
}
