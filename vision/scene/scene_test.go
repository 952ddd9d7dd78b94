package scene

import (
	"context"
	"hash/crc32"
	"io"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// next draws a frame or ends the test.
func next(t testing.TB, s *Scene) vision.Frame {
	t.Helper()
	f, err := s.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// short is a small, quick table for tests that need many frames.
func short(seed uint64) *Scene { return New(Options{W: 320, H: 180, Seed: seed, Hurry: 2}) }

func TestSameSeedSamePictures(t *testing.T) {
	sums := func(seed uint64) (sums []uint32) {
		s := short(seed)
		s.Deal(card.Card{Rank: card.Seven, Suit: card.Clubs}, Spot{-60, 0, 5})
		s.Wave(Spot{60, 0, 0})
		s.Sweep()
		for s.Busy() {
			sums = append(sums, crc32.ChecksumIEEE(next(t, s).Pix))
		}
		return sums
	}
	a, b, other := sums(1), sums(1), sums(2)
	if len(a) != len(b) {
		t.Fatalf("%d frames, then %d", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("frame %d differs", i)
		}
	}
	if a[0] == other[0] {
		t.Error("another seed gives the same picture")
	}
}

func TestFramesCountAndEnd(t *testing.T) {
	s := short(1)
	for n := range 3 {
		f := next(t, s)
		if f.N != uint64(n) || f.At != s.Time(f.N) || len(f.Pix) != 3*f.W*f.H {
			t.Errorf("frame %d: N %d, At %v, %d bytes", n, f.N, f.At, len(f.Pix))
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(context.Background()); err != io.EOF {
		t.Errorf("after Close: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := short(1).Next(ctx); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// bright is the mean value of what is seen around a place in millimetres.
func bright(s *Scene, f vision.Frame, x, y float64) float64 {
	px, py := s.cam.apply(x, y)
	sum := 0.0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			for _, v := range f.Pix[3*((int(py)+dy)*f.W+int(px)+dx):][:3] {
				sum += float64(v)
			}
		}
	}
	return sum / 27
}

func TestTruthIsWhatIsSeen(t *testing.T) {
	s := short(3)
	at := Spot{-90, -20, 0}
	s.Deal(card.Card{Rank: card.Two, Suit: card.Hearts}, at)
	white := func(f vision.Frame) bool { return bright(s, f, at.X+12, at.Y+5) > 180 }
	for s.Busy() {
		next(t, s)
	}
	truth := s.Truths()[0]
	if truth.Appear != 0 || truth.Settled != s.N() || truth.Covered != 0 {
		t.Errorf("%+v at frame %d", truth, s.N())
	}
	if !white(next(t, s)) {
		t.Error("no white card where it should lie")
	}
	covers := s.N()
	s.Deal(card.Card{Rank: card.King, Suit: card.Spades}, at)
	s.Sweep()
	for s.Busy() {
		next(t, s)
	}
	if got := s.Truths()[0].Covered; got != covers {
		t.Errorf("covered at frame %d, want %d", got, covers)
	}
	if white(next(t, s)) {
		t.Error("the card still lies there after the sweep")
	}
}

func TestFlicker(t *testing.T) {
	s := New(Options{W: 320, H: 180, Light: Light{Flicker: 0.05}})
	lo, hi := 255.0, 0.0
	for range 30 {
		v := bright(s, next(t, s), 0, 0)
		lo, hi = min(lo, v), max(hi, v)
	}
	if swing := hi / lo; swing < 1.05 || swing > 1.25 {
		t.Errorf("the light swings by %.2f, want about 1.1", swing)
	}
}

// TestEveryFace draws every card of every deck: a typeface that lacks a letter
// panics, and no two cards may look the same.
func TestEveryFace(t *testing.T) {
	for i := range decks {
		seen := map[uint32]card.Card{}
		for _, r := range card.All {
			for suit := card.Clubs; suit <= card.Spades; suit++ {
				c := card.Card{Rank: r, Suit: suit}
				sum := crc32.ChecksumIEEE(decks[i].draw(c, 2).Pix)
				if was, ok := seen[sum]; ok {
					t.Errorf("deck %s: %v looks like %v", decks[i].name, c, was)
				}
				seen[sum] = c
			}
		}
	}
}

func TestPerspective(t *testing.T) {
	h := Lens{Tilt: 30, Turn: 10}.homography(1280, 720)
	if x, y := h.apply(0, 0); hypot(x-640, y-360) > 1e-6 {
		t.Errorf("the middle of the table lies at %v, %v", x, y)
	}
	x, y := h.then(h.inverse()).apply(37, -21)
	if hypot(x-37, y+21) > 1e-6 {
		t.Errorf("there and back: %v, %v", x, y)
	}
	size := func(y float64) float64 {
		ax, ay := h.apply(-5, y)
		bx, by := h.apply(5, y)
		return hypot(bx-ax, by-ay)
	}
	if size(100) <= size(-100) {
		t.Error("what is nearer to the camera must look larger")
	}
}

// BenchmarkNext is the time of a 1280×720 picture with the hand in it, and
// without.
func BenchmarkNext(b *testing.B) {
	for _, busy := range []bool{true, false} {
		name := map[bool]string{true: "hand", false: "still"}[busy]
		b.Run(name, func(b *testing.B) {
			s := New(Options{})
			for b.Loop() {
				if busy && !s.Busy() {
					s.Deal(card.Card{Rank: card.Queen, Suit: card.Hearts}, Spot{})
				}
				next(b, s)
			}
		})
	}
}
