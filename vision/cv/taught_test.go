//go:build cgo

package cv

import (
	"testing"

	"lansquenet/ledger/card"
)

// TestConfusable: a card that was shown as two is named with both its names, and
// cards that differ are not.
func TestConfusable(t *testing.T) {
	e, err := NewEye(EyeOptions{Blind: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	dir := t.TempDir()
	nine, ten, king := card.Card{Rank: card.Nine, Suit: card.Spades}, card.Card{Rank: card.Ten, Suit: card.Spades}, card.Card{Rank: card.King, Suit: card.Hearts}
	save := func(as, really card.Card) {
		t.Helper()
		f := lyingCard(t, really)
		q, err := e.Outline(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := SaveCard(dir, as, 1, f, q); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Confusable(dir); err == nil {
		t.Error("an empty deck is no deck")
	}
	save(nine, nine)
	save(king, king)
	if pairs, err := Confusable(dir); err != nil || len(pairs) > 0 {
		t.Errorf("nine and king: %v, %v", pairs, err)
	}
	save(ten, nine)
	if pairs, err := Confusable(dir); err != nil || len(pairs) != 1 || pairs[0] != [2]card.Card{ten, nine} && pairs[0] != [2]card.Card{nine, ten} {
		t.Errorf("a nine taught as a ten: %v, %v", pairs, err)
	}
}
