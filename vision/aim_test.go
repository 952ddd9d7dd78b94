package vision

import (
	"context"
	"image"
	"testing"

	"lansquenet/ledger/card"
)

// TestRegionIsTheSamePartOfAnotherPicture: fractions outlive a camera that gives
// other sizes, and nonsense means the whole picture.
func TestRegionIsTheSamePartOfAnotherPicture(t *testing.T) {
	r := Region{0.25, 0.5, 0.5, 0.25}
	if got := r.In(1280, 720); got != image.Rect(320, 360, 960, 540) {
		t.Error(got)
	}
	if got := r.In(640, 480); got != image.Rect(160, 240, 480, 360) {
		t.Error(got)
	}
	for _, none := range []Region{{}, {2, 2, 1, 1}, {0.1, 0.1, 0.0001, 0.5}} {
		if got := none.In(640, 480); got != image.Rect(0, 0, 640, 480) {
			t.Errorf("%v: %v", none, got)
		}
	}
}

// TestAim: what lies outside of the region isn't dealt, and the region can be
// moved while cards are dealt.
func TestAim(t *testing.T) {
	s := newStage(t)
	s.w.Aim(Region{0, 0, 0.5, 1})
	s.wait(30)
	s.deal(card.Seven, lookA, 60, 100)
	s.wait(30)
	s.deal(card.Queen, lookB, 420, 100) // outside
	s.wait(60)
	s.frames = append(s.frames, func() { s.w.Aim(Region{}) })
	s.wait(10)
	s.deal(card.Nine, lookA+lookB, 540, 100)
	s.wait(60)
	if got := s.run(); got != "7 9" {
		t.Errorf("told %q", got)
	}
}

// TestDivert: while frames go elsewhere no card is told, and what came to lie
// meanwhile counts as having lain there before, also a card that is just laid.
func TestDivert(t *testing.T) {
	s := newStage(t)
	diverted := 0
	order := func(f func(Frame, image.Rectangle)) {
		s.frames = append(s.frames, func() {
			done, cancel := context.WithCancel(t.Context())
			cancel() // the frame that puts it in force is the next one
			_ = s.w.Divert(done, f)
		})
	}
	s.wait(30)
	s.deal(card.Seven, lookA, 60, 100)
	s.wait(30)
	order(func(Frame, image.Rectangle) { diverted++ })
	s.wait(5)
	s.deal(card.Queen, lookB, 200, 100)
	s.wait(30)
	s.deal(card.King, lookB+1, 300, 100)
	order(nil)
	s.wait(40)
	s.deal(card.Nine, lookA+lookB, 440, 100)
	s.wait(40)
	if got := s.run(); got != "7 9" {
		t.Errorf("told %q", got)
	}
	if diverted < 40 {
		t.Errorf("%d frames were diverted", diverted)
	}
}
