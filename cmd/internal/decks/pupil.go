package decks

import (
	"image"
	"time"

	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// Pupil watches a pack being laid before the camera, on a pile or side by side. It
// doesn't ask the tracker, which tells cards apart by what they are: here nothing
// is known of them but that each comes after the one before. It is for one
// goroutine.
type Pupil struct {
	eye    *cv.Eye
	gate   vision.Gate
	before vision.Frame
	wait   time.Duration // how long a card has to lie still at least
	still  int           // pictures in a row in which nothing moved
	moved  time.Duration // when something moved last, in the source's time
	looked bool          // since then
	card   vision.Quad   // the latest that was taken
}

// lieStill is how many pictures in a row must be still before a card that is
// taught is taken; changed is how many cells of the gate a card at least is.
const (
	lieStill = 5
	changed  = 6
)

// Patience is how long a card has to lie still before a camera: a hand that lays
// it rests on it for a moment.
const Patience = 800 * time.Millisecond

// NewPupil loads what finds cards and waits so long for each to lie still; a film
// needs no more than a few pictures. The caller closes it.
func NewPupil(wait time.Duration) (*Pupil, error) {
	eye, err := cv.NewEye(cv.EyeOptions{Blind: true})
	if err != nil {
		return nil, err
	}
	return &Pupil{eye: eye, wait: wait}, nil
}

// Close frees what NewPupil loaded.
func (p *Pupil) Close() error { return p.eye.Close() }

// Watch takes the next picture and says where a card has come to lie within a part
// of it. With now it doesn't wait until the card lies still.
func (p *Pupil) Watch(f vision.Frame, within image.Rectangle, now bool) (q vision.Quad, found bool, err error) {
	fresh := p.gate.Step(f)
	if p.still++; fresh || p.gate.Moving >= changed {
		p.still, p.moved, p.looked = 0, f.At, false
	}
	if fresh {
		p.keep(f)
	}
	if !now {
		if p.looked || p.still < lieStill || f.At-p.moved < p.wait {
			return q, false, nil
		}
		p.looked = true
		if p.gate.Changed < changed {
			return q, false, nil
		}
	}
	area := within
	if !now {
		area = image.Rectangle{}
		for _, r := range p.gate.Regions(changed) {
			area = area.Union(r)
		}
		margin := max(f.W, f.H) / 40
		area = area.Inset(-margin).Intersect(within)
	}
	if area.Empty() {
		return q, false, nil // something outside moved
	}
	seen, err := p.eye.Look(f, vision.Ask{Area: area, Before: &p.before, Card: p.card, Effort: vision.Normal})
	if err != nil {
		return q, false, err
	}
	p.keep(f)
	if len(seen) == 0 {
		return q, false, nil // a glass, or a shadow that stays
	}
	return seen[0].Quad, true, nil
}

// Took says that a card was found well: the next ones are cut like it, which tells
// a card from the pile that it lies on.
func (p *Pupil) Took(q vision.Quad) { p.card = q }

// keep makes f the picture in which the next card does not lie yet.
func (p *Pupil) keep(f vision.Frame) {
	p.gate.Keep(nil)
	pix := append(p.before.Pix[:0], f.Pix...)
	p.before = f
	p.before.Pix = pix
}
