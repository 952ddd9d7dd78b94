//go:build cgo && linux

package cv

import (
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// TestStartIsForgotten wants the pages of code back after it ran, and the eye to see as before.
func TestStartIsForgotten(t *testing.T) {
	e := openTestEye(t)
	f := lyingCard(t, card.Card{Rank: card.Ten, Suit: card.Hearts})
	look := func() {
		t.Helper()
		seen, err := e.Look(f, vision.Ask{})
		if err != nil || len(seen) == 0 || seen[0].Rank != card.Ten {
			t.Fatalf("the ten is seen as %+v, %v", seen, err)
		}
	}
	look()
	before := resident()
	forgetStart()
	after := resident()
	if before-after < 4 {
		t.Errorf("%.1f MB before, %.1f MB after", before, after)
	}
	look()
}
