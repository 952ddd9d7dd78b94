//go:build cgo

package cv

import (
	"testing"

	"lansquenet/vision"
)

// TestFilms watches short films, drawn by vision/train/films.py with packs and
// typefaces that no net was trained on, 640×480 at 15 frames a second, and holds
// what is told against what was dealt: at least so many right, and nothing wrong
// or made up. The eye begins at every turn, for none is better than another.
func TestFilms(t *testing.T) {
	eye := openTestEye(t)
	for name, right := range map[string]int{"german": 5, "russian": 3} {
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
			if c.Deals != 6 || c.Hit < right || c.Misread > 0 || c.Phantom > 0 {
				t.Errorf("%s, turn %d: %v, want 6 deals, %d right or more, nothing misread or made up", name, turn, c, right)
			}
		}
	}
}
