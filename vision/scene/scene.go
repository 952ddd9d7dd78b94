// Package scene draws a table as a camera over it would see it: felt, wood or
// cloth under a lamp, cards with pips and court figures, a hand that lays them
// down and sweeps them off, shadows, perspective and sensor noise. It is a
// vision.FrameSource, so whatever reads a real camera reads it too.
//
// Its promise is that the same options, the same calls and the same number of
// frames give the same pictures, bit for bit. It knows no game: which card is
// laid where and when is its caller's business, and so is what a reader makes of
// the pictures.
//
// Sizes on the table are millimetres from the middle of what the camera sees, x
// to the right and y towards the dealer's hand at the bottom of the picture.
package scene

import (
	"context"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// Options say what the table, the camera and the light are like. The zero value
// is a green felt under a good lamp, seen by a 720p camera at 30 frames a second.
type Options struct {
	W, H  int     // of the picture; 0: 1280×720
	FPS   float64 // 0: 30
	Seed  uint64
	Table Surface
	Deck  Deck
	Lens  Lens
	Light Light
	// Hurry is how much faster than a calm dealer the hand moves; 0: 1.
	Hurry float64
}

// Spot is where a card comes to lie.
type Spot struct {
	X, Y float64 // its middle
	Turn float64 // in degrees, clockwise as the camera sees it
}

// Scene is a table with a camera over it.
type Scene struct {
	opt    Options
	cam    homography // millimetres on the table to pixels
	rnd    *rand.Rand
	still  *canvas // table and everything that lies still on it
	bare   *canvas // the table without cards
	frame  *canvas // the picture being made
	noise  []byte
	out    []byte
	faces  map[card.Card]*texture
	hand   *texture
	shade  *texture      // of the hand
	n      atomic.Uint64 // of the next frame; others read the time from it
	queue  []motion
	at     int // frame of the first motion in the queue
	lying  []placed
	truths []vision.Deal
	closed bool
}

type placed struct {
	spot  Spot
	truth int
	face  card.Card
}

// New lays the table. It takes some tenths of a second, which its pictures save.
func New(o Options) *Scene {
	if o.W == 0 || o.H == 0 {
		o.W, o.H = 1280, 720
	}
	if o.FPS == 0 {
		o.FPS = 30
	}
	if o.Hurry == 0 {
		o.Hurry = 1
	}
	s := &Scene{opt: o, rnd: rand.New(rand.NewPCG(o.Seed, 0x7ab1e)), faces: map[card.Card]*texture{}}
	s.cam = o.Lens.homography(o.W, o.H)
	gain := o.Light.field(o.W, o.H)
	s.bare = newCanvas(o.W, o.H, gain)
	s.bare.paint(o.Table, s.cam.inverse(), o.Seed)
	s.still, s.frame = s.bare.clone(), s.bare.clone()
	s.noise = noiseTable(s.rnd, o.Light.noise())
	s.out = make([]byte, 3*o.W*o.H)
	s.hand, s.shade = drawHand(s.scale())
	return s
}

// scale is how many pixels a millimetre takes in the middle of the picture.
func (s *Scene) scale() float64 {
	x0, y0 := s.cam.apply(-10, 0)
	x1, y1 := s.cam.apply(10, 0)
	return hypot(x1-x0, y1-y0) / 20
}

// Deal has the hand lay a card on a spot, after everything asked for before.
func (s *Scene) Deal(c card.Card, at Spot) { s.queue = append(s.queue, s.dealing(c, at)) }

// Back has the hand lay a card face down.
func (s *Scene) Back(at Spot) { s.queue = append(s.queue, s.dealing(card.Card{}, at)) }

// Joker has the hand lay a joker.
func (s *Scene) Joker(at Spot) { s.queue = append(s.queue, s.dealing(card.Card{Rank: joker}, at)) }

// Sweep has the hand take all cards off the table.
func (s *Scene) Sweep() { s.queue = append(s.queue, s.sweeping()) }

// Wave has the hand pass over a spot and lay nothing down.
func (s *Scene) Wave(at Spot) { s.queue = append(s.queue, s.waving(at)) }

// Busy says that the hand still has something to do.
func (s *Scene) Busy() bool { return len(s.queue) > 0 }

// N is the number of the next frame; any goroutine may ask for it.
func (s *Scene) N() uint64 { return s.n.Load() }

// Truths are all cards laid down so far, oldest first, for measuring a reader. A
// back and a joker have no rank.
func (s *Scene) Truths() []vision.Deal { return s.truths }

// Time is the scene's own time at frame n.
func (s *Scene) Time(n uint64) time.Duration {
	return time.Duration(float64(n) / s.opt.FPS * float64(time.Second))
}

// Next draws the next picture. It never waits: frames come as fast as they can
// be drawn, and At says when they would have been taken.
func (s *Scene) Next(ctx context.Context) (vision.Frame, error) {
	if s.closed {
		return vision.Frame{}, io.EOF
	}
	if err := ctx.Err(); err != nil {
		return vision.Frame{}, err
	}
	n := s.n.Load()
	from := s.still
	if len(s.queue) > 0 {
		s.frame.copy(s.still)
		m := s.queue[0]
		if over := m.draw(s.at); over {
			s.queue, s.at = s.queue[1:], 0
		} else {
			s.at++
		}
		from = s.frame
	}
	from.expose(s.out, s.noise, s.rnd)
	s.opt.Light.flicker(s.out, n)
	f := vision.Frame{N: n, At: s.Time(n), W: s.opt.W, H: s.opt.H, Pix: s.out}
	s.n.Store(n + 1)
	return f, nil
}

// Close ends the stream: the following Next returns io.EOF.
func (s *Scene) Close() error {
	s.closed = true
	return nil
}
