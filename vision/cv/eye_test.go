//go:build cgo

package cv

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/scene"
)

// lyingCard is a drawn picture of one card that lies still.
func lyingCard(t testing.TB, c card.Card) vision.Frame {
	t.Helper()
	s := scene.New(scene.Options{Seed: 5})
	s.Deal(c, scene.Spot{Turn: 8})
	var f vision.Frame
	for k := 0; k < 60; k++ {
		var err error
		if f, err = s.Next(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	f.Pix = append([]byte(nil), f.Pix...)
	return f
}

func openTestEye(t testing.TB) *Eye {
	t.Helper()
	e, err := NewEye(EyeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestLookIsIndifferent changes the picture in ways that don't change the card.
func TestLookIsIndifferent(t *testing.T) {
	e := openTestEye(t)
	f := lyingCard(t, card.Card{Rank: card.Queen, Suit: card.Hearts})
	half := func(f vision.Frame) vision.Frame { // half a turn
		g := vision.Frame{W: f.W, H: f.H, Pix: make([]byte, len(f.Pix))}
		n := f.W * f.H
		for i := range n {
			copy(g.Pix[3*(n-1-i):], f.Pix[3*i:3*i+3])
		}
		return g
	}
	quarter := func(f vision.Frame) vision.Frame {
		g := vision.Frame{W: f.H, H: f.W, Pix: make([]byte, len(f.Pix))}
		for y := range f.H {
			for x := range f.W {
				copy(g.Pix[3*(x*g.W+g.W-1-y):], f.Pix[3*(y*f.W+x):3*(y*f.W+x)+3])
			}
		}
		return g
	}
	light := func(k float64) func(vision.Frame) vision.Frame {
		return func(f vision.Frame) vision.Frame {
			g := f
			g.Pix = make([]byte, len(f.Pix))
			for i, v := range f.Pix {
				g.Pix[i] = byte(math.Min(255, float64(v)*k))
			}
			return g
		}
	}
	blur := func(f vision.Frame) vision.Frame {
		g := f
		g.Pix = append([]byte(nil), f.Pix...)
		for i := 3; i < len(f.Pix)-3; i++ {
			g.Pix[i] = byte((int(f.Pix[i-3]) + 2*int(f.Pix[i]) + int(f.Pix[i+3])) / 4)
		}
		return g
	}
	same := func(f vision.Frame) vision.Frame { return f }
	for name, change := range map[string]func(vision.Frame) vision.Frame{
		"as it is": same, "half a turn": half, "a quarter turn": quarter, "dim": light(0.45), "bright": light(1.15), "blurred": blur,
	} {
		seen, err := e.Look(change(f), vision.Ask{Effort: vision.Thorough})
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) == 0 || seen[0].Rank != card.Queen || seen[0].Confidence < vision.Sure {
			t.Errorf("%s: the queen is seen as %+v", name, seen)
		}
	}
}

func TestSourcesSayWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for source, want := range map[string]string{
		filepath.Join(dir, "none.mp4"):         "there is no such file",
		filepath.Join(dir, "none"):             "there is no such file or folder",
		write("empty.mp4", ""):                 "empty",
		write("notes.txt", "hello"):            "not a source",
		dir:                                    "no pictures",
		"v4l2:" + filepath.Join(dir, "video9"): "there is no such camera",
		"":                                     "no camera named",
	} {
		if _, err := Open(t.Context(), source, SourceOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want something about %q", source, err, want)
		}
	}
	s, err := Open(t.Context(), write("torn.mp4", "this is no film at all"), SourceOptions{})
	if err == nil {
		_, err = s.Next(t.Context())
		s.Close()
	}
	if err == nil {
		t.Error("a torn film gave a picture")
	}
}

// TestInTurn wants the first ones every time and each of the others some time.
func TestInTurn(t *testing.T) {
	all := []int{10, 11, 12, 13, 14}
	seen := map[int]int{}
	for turn := range 4 {
		some := inTurn(all, 1, 2, turn)
		if len(some) != 3 || some[0] != 10 {
			t.Fatalf("turn %d: %v", turn, some)
		}
		for _, n := range some {
			seen[n]++
		}
	}
	for _, n := range all {
		if seen[n] == 0 {
			t.Errorf("%d never had its turn", n)
		}
	}
	if some := inTurn(all[:3], 1, 2, 7); len(some) != 3 {
		t.Errorf("of three, three may have a turn: %v", some)
	}
}
