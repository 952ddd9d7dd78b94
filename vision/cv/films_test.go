//go:build cgo

package cv

import (
	"testing"

	"lansquenet/vision"
)

// TestFilms watches short films, drawn by vision/train/films.py with packs and
// typefaces that no net was trained on, and holds what is told against what was dealt: at least
// so many right, and nothing wrong or made up. In "lifted" a card is lifted from its
// twin and put back, and another is turned where it lies; the others are of 15 frames a
// second. The eye begins at every turn, for none is better than another.
func TestFilms(t *testing.T) {
	eye := openTestEye(t)
	for name, want := range map[string]struct{ deals, right int }{"german": {6, 5}, "russian": {6, 3}, "lifted": {2, 2}} {
		film := "testdata/" + name
		for turn := range 3 {
			src, err := Open(t.Context(), film+".mp4", SourceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			eye.turn = turn
			events, _ := watchAll(t, src, eye)
			src.Close()
			c := vision.Compare(dealsOf(t, film+".truth.jsonl", variant{}), events)
			t.Logf("%s, turn %d: %v %v", name, turn, c, c.Notes)
			if c.Deals != want.deals || c.Hit < want.right || c.Misread > 0 || c.Phantom > 0 {
				t.Errorf("%s, turn %d: %v, want %d deals, %d right or more, nothing misread or made up", name, turn, c, want.deals, want.right)
			}
		}
	}
}
