//go:build cgo && matprofile

package cv

import (
	"testing"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// TestNoMatStaysOpen runs with -tags matprofile: memory of OpenCV is not
// collected, so each picture must be closed.
func TestNoMatStaysOpen(t *testing.T) {
	before := gocv.MatProfile.Count()
	e, err := NewEye(EyeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := lyingCard(t, card.Card{Rank: card.Nine, Suit: card.Spades})
	old := f
	for _, effort := range []vision.Effort{vision.Glance, vision.Normal, vision.Thorough} {
		if _, err := e.Look(f, vision.Ask{Effort: effort, Before: &old}); err != nil {
			t.Fatal(err)
		}
	}
	e.Close()
	if n := gocv.MatProfile.Count(); n != before {
		t.Errorf("%d pictures stayed open", n-before)
	}
}
