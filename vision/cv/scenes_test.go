//go:build cgo

package cv

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/scene"
)

// night is a drawn evening: how it looks and how cards are laid.
type night struct {
	name string
	opt  scene.Options
	lay  string // "stack", "sides", "fan"
	// repeat deals the identical card twice in a row now and then.
	repeat bool
	// after changes frames on their way, as a knocked camera would.
	after func(f *vision.Frame)
}

// scripted feeds a scene and ends it when the hand is done.
type scripted struct {
	*scene.Scene
	rest  int
	after func(f *vision.Frame)
}

func (s *scripted) Next(ctx context.Context) (vision.Frame, error) {
	if !s.Busy() {
		if s.rest++; s.rest > 30 {
			return vision.Frame{}, io.EOF
		}
	}
	f, err := s.Scene.Next(ctx)
	if err == nil && s.after != nil {
		s.after(&f)
	}
	return f, err
}

// dealt is the night with so many cards to be dealt.
func (n night) dealt(cards int) *scene.Scene {
	s := scene.New(n.opt)
	r := rand.New(rand.NewPCG(n.opt.Seed, 99))
	var last card.Card
	spot := func(i int) scene.Spot {
		j := func(k float64) float64 { return k * (2*r.Float64() - 1) }
		switch n.lay {
		case "sides":
			switch i % 9 {
			case 0:
				return scene.Spot{X: -130, Y: j(10), Turn: j(12)}
			case 1:
				return scene.Spot{X: 130, Y: j(10), Turn: j(12)}
			}
		case "fan":
			return scene.Spot{X: -150 + float64(i%7)*40, Y: j(6), Turn: j(14)}
		}
		return scene.Spot{X: j(7), Y: j(7), Turn: j(10)}
	}
	for i := range cards {
		c := card.Card{Rank: card.Rank(1 + r.IntN(13)), Suit: card.Suit(1 + r.IntN(4))}
		if n.repeat && i > 0 && r.IntN(3) == 0 {
			c = last
		}
		last = c
		s.Deal(c, spot(i))
		if r.IntN(5) == 0 {
			s.Wave(scene.Spot{X: 200 * (2*r.Float64() - 1), Y: 60})
		}
		if n.lay == "fan" && i%7 == 6 || n.lay == "sides" && i%9 == 8 {
			s.Sweep()
		}
	}
	return s
}

// play deals cards before a watcher and holds its events against the truth.
func play(t testing.TB, eye vision.Eye, n night, cards int) vision.Tally {
	t.Helper()
	s := n.dealt(cards)
	events, _ := watchAll(t, &scripted{Scene: s, after: n.after}, eye)
	return vision.Compare(s.Truths(), events)
}

// knocked is a camera that hangs otherwise from picture n on.
func knocked(n uint64) func(*vision.Frame) {
	return func(f *vision.Frame) {
		if f.N < n {
			return
		}
		dx, dy := f.W/40, f.H/60
		for y := range f.H - dy { // upwards and to the left; the rim stays as it was
			copy(f.Pix[3*f.W*y:][:3*(f.W-dx)], f.Pix[3*(f.W*(y+dy)+dx):])
		}
	}
}

// nights are evenings of many kinds.
func nights() []night {
	var out []night
	tables := []struct {
		name string
		s    scene.Surface
	}{{"felt", scene.Felt}, {"wood", scene.Wood}, {"cloth", scene.Cloth}, {"slate", scene.Slate}}
	lays := []string{"stack", "sides", "fan"}
	decks := []struct {
		name string
		d    scene.Deck
	}{{"en", scene.English}, {"fr", scene.French}, {"de", scene.German}, {"ru", scene.Russian}, {"large", scene.Large}}
	for i, tb := range tables {
		for j, lay := range lays {
			d := decks[(i*3+j)%len(decks)]
			n := night{name: tb.name + "-" + lay + "-" + d.name, lay: lay}
			n.opt = scene.Options{Seed: uint64(10*i + j), Table: tb.s, Deck: d.d}
			switch (i + j) % 4 {
			case 0:
				n.opt.Hurry = 1.8
			case 1:
				n.opt.Light = scene.Light{Warm: 0.7, Noise: 4}
			case 2:
				n.opt.Lens = scene.Lens{Tilt: 30, Turn: 20}
				n.after = knocked(200)
			case 3:
				n.opt.Light = scene.Light{Dim: 0.6, Flicker: 0.04}
				n.repeat = true
			}
			if j == 0 {
				n.repeat = true
			}
			if (i+j)%5 == 4 {
				n.opt.W, n.opt.H, n.opt.FPS = 640, 480, 15
			}
			out = append(out, n)
		}
	}
	return out
}

// TestNights deals a few cards under each of many conditions. LANSQUENET_CARDS
// deals more of them, LANSQUENET_SEED others; LANSQUENET_ONLY, a pattern, chooses
// among the conditions.
func TestNights(t *testing.T) {
	eye, err := NewEye(EyeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer eye.Close()
	only, err := regexp.Compile(os.Getenv("LANSQUENET_ONLY"))
	if err != nil {
		t.Fatal(err)
	}
	cards, all := 4, vision.Tally{}
	some := nights()
	if os.Getenv("LANSQUENET_CARDS") == "" {
		some = []night{some[0], some[5], some[7], some[10]}
	}
	if _, err := fmt.Sscan(os.Getenv("LANSQUENET_CARDS"), &cards); err != nil && os.Getenv("LANSQUENET_CARDS") != "" {
		t.Fatalf("LANSQUENET_CARDS: %v", err)
	}
	seed := uint64(0)
	if _, err := fmt.Sscan(os.Getenv("LANSQUENET_SEED"), &seed); err != nil && os.Getenv("LANSQUENET_SEED") != "" {
		t.Fatalf("LANSQUENET_SEED: %v", err)
	}
	for _, n := range some {
		n.opt.Seed += 1000 * seed
		if !only.MatchString(n.name) {
			continue
		}
		for _, turn := range turns(t) {
			eye.turn = turn
			c := play(t, eye, n, cards)
			t.Logf("%-18s turn %d: %v", n.name, turn, c)
			for _, s := range c.Notes {
				t.Log("    ", s)
			}
			all.Add(c)
		}
	}
	t.Logf("%-18s %v", "all", all)
	if all.Misread > 0 || all.Phantom > 0 {
		t.Errorf("%d misread, %d phantoms: chips would have moved wrongly", all.Misread, all.Phantom)
	}
	if all.Hit*100 < all.Deals*90 {
		t.Errorf("only %d of %d deals were read", all.Hit, all.Deals)
	}
}
