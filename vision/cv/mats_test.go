//go:build cgo && matprofile

package cv

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// TestNoMatStaysOpen runs with -tags matprofile: memory of OpenCV is not
// collected, so each picture must be closed.
func TestNoMatStaysOpen(t *testing.T) {
	before := gocv.MatProfile.Count()
	still := func(what string) {
		t.Helper()
		if n := gocv.MatProfile.Count(); n != before {
			t.Errorf("%s: %d pictures stayed open", what, n-before)
			before = n
		}
	}
	e, err := NewEye(EyeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	nine := card.Card{Rank: card.Nine, Suit: card.Spades}
	f := lyingCard(t, nine)
	old := f
	for _, effort := range []vision.Effort{vision.Glance, vision.Normal, vision.Thorough} {
		if _, err := e.Look(f, vision.Ask{Effort: effort, Before: &old}); err != nil {
			t.Fatal(err)
		}
	}
	q, err := e.Outline(f)
	if err != nil {
		t.Fatal(err)
	}
	watchAll(t, &scripted{Scene: dealt(webcam(5), card.Six)}, e)
	e.Close()
	still("an eye")

	deck := t.TempDir()
	if err := NewLesson(deck).Take(nine, 1, f, q); err != nil {
		t.Fatal(err)
	}
	if e, err = NewEye(EyeOptions{Deck: deck}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Look(f, vision.Ask{Effort: vision.Thorough}); err != nil {
		t.Fatal(err)
	}
	e.Close()
	still("a taught eye")

	dir := t.TempDir()
	film, err := os.Create(filepath.Join(dir, "film.mjpeg"))
	if err != nil {
		t.Fatal(err)
	}
	if err := dealt(webcam(6)).Record(t.Context(), film, io.Discard); err != nil {
		t.Fatal(err)
	}
	film.Close()
	if err := os.WriteFile(filepath.Join(dir, "torn.png"), []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{film.Name(), dir, filepath.Join(deck, "9-spades-1.png")} {
		src, err := Open(context.Background(), name, SourceOptions{})
		if err != nil {
			continue // a picture is no source; what it opened must be closed all the same
		}
		for err == nil {
			_, err = src.Next(context.Background())
		}
		src.Close()
	}
	_, _ = ReadPicture(filepath.Join(dir, "torn.png")) // fails, as it should
	still("sources")
}
