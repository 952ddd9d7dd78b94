//go:build cgo

package cv

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/scene"
)

// webcam is a camera whose pictures are quickly drawn.
func webcam(seed uint64) scene.Options {
	return scene.Options{W: 640, H: 480, FPS: 15, Seed: seed, Hurry: 0.6}
}

// watchAll is everything that a watcher has to tell of a source, and its end.
func watchAll(t testing.TB, src vision.FrameSource, eye vision.Eye) ([]vision.Event, vision.Stats) {
	t.Helper()
	w := vision.Watch(src, eye, vision.Options{})
	var out []vision.Event
	for {
		e, err := w.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return out, w.Stats()
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
}

// ranksOf are the ranks told with certainty, in their order.
func ranksOf(events []vision.Event) string {
	var out []string
	for _, e := range events {
		if e.Kind == vision.Card {
			out = append(out, e.Rank.String())
		}
	}
	return strings.Join(out, " ")
}

// dealt is a scene in which cards are laid side by side.
func dealt(o scene.Options, of ...card.Rank) *scene.Scene {
	s := scene.New(o)
	s.Wave(scene.Spot{Y: 90})
	for i, r := range of {
		s.Deal(card.Card{Rank: r, Suit: card.Suit(1 + i%4)}, scene.Spot{X: float64(i%3)*80 - 80, Y: float64(5 * i), Turn: float64(7*i%20 - 10)})
	}
	return s
}

// chain shows one source after another, as one stream.
type chain struct {
	sources []vision.FrameSource
	n       uint64
	last    time.Duration
}

func (c *chain) Next(ctx context.Context) (vision.Frame, error) {
	for len(c.sources) > 0 {
		f, err := c.sources[0].Next(ctx)
		if errors.Is(err, io.EOF) {
			c.sources = c.sources[1:]
			continue
		}
		f.N, f.At = c.n, c.last
		c.n++
		c.last += time.Second / 15
		return f, err
	}
	return vision.Frame{}, io.EOF
}

func (c *chain) Close() error { return nil }

// TestSizeChangesMidStream has the camera come back with other pictures, as
// after a knock on its cable: the cards that lie there aren't told again and the
// next one is read.
func TestSizeChangesMidStream(t *testing.T) {
	eye := openTestEye(t)
	first := dealt(webcam(1), card.Queen)
	big := webcam(1)
	big.W, big.H = 960, 720
	second := dealt(big, card.Queen, card.Five)
	// The second film begins when its queen lies where the first one's lay.
	for len(second.Truths()) < 1 || second.Truths()[0].Settled == 0 {
		if _, err := second.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	events, _ := watchAll(t, &chain{sources: []vision.FrameSource{&scripted{Scene: first}, &scripted{Scene: second}}}, eye)
	if got := ranksOf(events); got != "Q 5" {
		t.Errorf("a queen, larger pictures, a five: %s", got)
	}
}

// TestCorruptFrames flips bytes of a Motion JPEG film and cuts it off. Torn
// pictures are left out or look strange, but what is told must be true and the
// end must be the end.
func TestCorruptFrames(t *testing.T) {
	eye := openTestEye(t)
	var film, truth bytes.Buffer
	if err := dealt(webcam(2), card.Nine, card.King).Record(t.Context(), &film, &truth); err != nil {
		t.Fatal(err)
	}
	const seed = 20
	r := rand.New(rand.NewPCG(seed, 0))
	b := film.Bytes()
	for range len(b) / 20000 { // about every third picture
		b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
	}
	b = b[:len(b)-5000]
	name := filepath.Join(t.TempDir(), "torn film.mjpeg")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := Open(t.Context(), name, SourceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	events, stats := watchAll(t, src, eye)
	for _, e := range events {
		if e.Kind == vision.Card && e.Rank != card.Nine && e.Rank != card.King {
			t.Errorf("seed %d: frame %d: %v, but only a nine and a king were dealt", seed, e.Frame, e.Rank)
		}
	}
	if got := ranksOf(events); strings.Count(got, "9") > 1 || strings.Count(got, "K") > 1 || got == "" || stats.Frames < 20 {
		t.Errorf("seed %d: %d frames, %s", seed, stats.Frames, got)
	}
}

// TestGoldenCounts deals small nights in which everything must be right.
func TestGoldenCounts(t *testing.T) {
	eye := openTestEye(t)
	for _, c := range []struct {
		deck scene.Deck
		want string
		of   []card.Rank
	}{
		{scene.English, "2 10 J", []card.Rank{card.Two, card.Ten, card.Jack}},
		{scene.Russian, "K Q 6", []card.Rank{card.King, card.Queen, card.Six}},
	} {
		o := webcam(3)
		o.Deck = c.deck
		s := dealt(o, c.of...)
		s.Sweep()
		events, _ := watchAll(t, &scripted{Scene: s}, eye)
		if got := ranksOf(events); got != c.want || events[len(events)-1].Kind != vision.Cleared {
			t.Errorf("deck %d: %q and last %v, want %q and cleared", c.deck, got, events[len(events)-1].Kind, c.want)
		}
	}
}

// TestNoRankForBacksAndJokers lays them at all angles on every table, still and
// filmed.
func TestNoRankForBacksAndJokers(t *testing.T) {
	eye := openTestEye(t)
	for i, table := range []scene.Surface{scene.Felt, scene.Wood, scene.Cloth, scene.Slate} {
		for j, lay := range []func(*scene.Scene, scene.Spot){(*scene.Scene).Back, (*scene.Scene).Joker} {
			if j == i%2 && os.Getenv("LANSQUENET_LONG") == "" {
				continue
			}
			o := webcam(uint64(10*i + j))
			o.Table, o.Deck = table, scene.Deck(i)
			s := scene.New(o)
			lay(s, scene.Spot{X: -50, Turn: float64(47 * i)})
			lay(s, scene.Spot{X: 50, Turn: float64(31*i + 20)})
			w := vision.Watch(&scripted{Scene: s}, eye, vision.Options{})
			for {
				e, err := w.Next(t.Context())
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if e.Kind == vision.Card {
					t.Errorf("table %d, kind %d: told as %v", i, j, e.Rank)
				}
			}
			f, err := s.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seen, err := eye.Look(f, vision.Ask{Effort: vision.Thorough})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range seen {
				if x.Rank != card.NoRank && x.Confidence >= vision.Sure {
					t.Errorf("table %d, kind %d: in a still picture %v (%.3f)", i, j, x.Rank, x.Confidence)
				}
			}
		}
	}
}

// loop shows the same pictures again and again.
type loop struct {
	frames []vision.Frame
	rounds int
	n      uint64
}

func (l *loop) Next(context.Context) (vision.Frame, error) {
	if l.n == uint64(l.rounds*len(l.frames)) {
		return vision.Frame{}, io.EOF
	}
	f := l.frames[l.n%uint64(len(l.frames))]
	f.N, f.At = l.n, time.Duration(l.n)*time.Second/15
	l.n++
	return f, nil
}

func (l *loop) Close() error { return nil }

// resident is the memory this process holds, in MB; 0 where nobody says.
func resident() float64 {
	b, err := os.ReadFile("/proc/self/statm")
	if f := strings.Fields(string(b)); err == nil && len(f) > 1 {
		n, _ := strconv.Atoi(f[1]) // the kernel's own number
		return float64(n*os.Getpagesize()) / (1 << 20)
	}
	return 0
}

// TestMemoryStaysFlat deals the same cards over and over. LANSQUENET_LONG deals
// them for as many frames as a camera takes in an hour.
func TestMemoryStaysFlat(t *testing.T) {
	eye := openTestEye(t)
	s := dealt(webcam(4), card.Seven, card.Ace)
	s.Sweep()
	src := &scripted{Scene: s, rest: 20}
	var frames []vision.Frame
	for {
		f, err := src.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Pix = bytes.Clone(f.Pix)
		frames = append(frames, f)
	}
	warm, rounds := 2, 3
	if os.Getenv("LANSQUENET_LONG") != "" {
		warm, rounds = 20, 54000/len(frames)
	}
	watchAll(t, &loop{frames: frames, rounds: warm}, eye)
	debug.FreeOSMemory() // what the heap keeps for later is no growth
	before := resident()
	events, _ := watchAll(t, &loop{frames: frames, rounds: rounds}, eye)
	debug.FreeOSMemory()
	after := resident()
	t.Logf("%d frames: %.1f MB before, %.1f MB after, %d events", rounds*len(frames), before, after, len(events))
	// A picture left behind by every frame is 0.9 MB; by every tenth, this.
	if grown := after - before; grown > 0.09*float64(min(200, rounds*len(frames))) {
		t.Errorf("%.1f MB more after %d frames", grown, rounds*len(frames))
	}
	if n := strings.Count(ranksOf(events), "7"); n != rounds {
		t.Errorf("the seven was dealt %d times and read %d times", rounds, n)
	}
}
