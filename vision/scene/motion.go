package scene

import (
	"math"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// motion is one thing the hand does. draw adds frame k of it to the scene's
// frame and says whether that was the last one.
type motion interface{ draw(k int) (over bool) }

// frames is how many frames a movement of so many seconds takes.
func (s *Scene) frames(seconds float64) int {
	return max(2, int(math.Round(seconds/s.opt.Hurry*s.opt.FPS)))
}

// ease goes from 0 to 1 as a hand does: slowly at both ends.
func ease(k, n int) float64 {
	t := min(1, float64(k)/float64(n))
	return t * t * (3 - 2*t)
}

// way is a hand's path between two spots.
func way(a, b Spot, t float64) Spot {
	return Spot{a.X + (b.X-a.X)*t, a.Y + (b.Y-a.Y)*t, a.Turn + (b.Turn-a.Turn)*t}
}

// deck is the deck of this table.
func (s *Scene) deck() *deck { return &decks[s.opt.Deck] }

// face is a card's picture, drawn when it is first needed.
func (s *Scene) face(c card.Card) *texture {
	t, ok := s.faces[c]
	if !ok {
		t = s.deck().draw(c, 1.25*s.scale())
		s.faces[c] = t
	}
	return t
}

// away is the spot below the picture from which the hand comes for a spot on the
// table.
func (s *Scene) away(at Spot) Spot {
	_, y := s.cam.inverse().apply(float64(s.opt.W)/2, float64(s.opt.H))
	return Spot{at.X*0.6 + 60, y + 75, at.Turn * 0.3}
}

// layCard draws a card with the thin shadow it throws lying, or the deeper one
// it throws in the hand.
func (s *Scene) layCard(on *canvas, c card.Card, at Spot, lift float64) {
	shadow := s.cardShadow()
	on.lay(shadow, s.place(shadow, Spot{at.X + 0.8 + 3*lift, at.Y + 1 + 4*lift, at.Turn}), 0.45)
	on.lay(s.face(c), s.place(s.face(c), at), 1)
}

// cardShadow is the soft shade of a card.
func (s *Scene) cardShadow() *texture {
	const key = 255
	c := card.Card{Rank: key}
	t, ok := s.faces[c]
	if !ok {
		d := s.deck()
		raw, p := blank(d.w, d.h, s.scale())
		p.fill(shadowInk, tile(d.w, d.h, d.corner))
		t = raw.softened(1.2)
		s.faces[c] = t
	}
	return t
}

// layHand draws the hand with its finger tips on a spot.
func (s *Scene) layHand(at Spot, lift float64) {
	s.frame.lay(s.shade, s.place(s.shade, Spot{at.X + 6 + 10*lift, at.Y + 8 + 14*lift, at.Turn}), 0.38)
	s.frame.lay(s.hand, s.place(s.hand, at), 1)
}

// dealing is the hand bringing a card: in, let go, out.
type dealing struct {
	s        *Scene
	card     card.Card
	at, from Spot
	grip     Spot // of the finger tips from the card's middle
	in, out  int
	truth    int
}

func (s *Scene) dealing(c card.Card, at Spot) motion {
	d := &dealing{s: s, card: c, at: at, from: s.away(at), truth: -1}
	d.from.Turn = at.Turn + 24*(s.rnd.Float64()-0.5)
	d.grip = Spot{8 * (s.rnd.Float64() - 0.5), 8 + 6*s.rnd.Float64(), 10 * (s.rnd.Float64() - 0.5)}
	d.in, d.out = s.frames(0.42+0.1*s.rnd.Float64()), s.frames(0.34+0.08*s.rnd.Float64())
	return d
}

func (d *dealing) draw(k int) bool {
	s := d.s
	if d.truth < 0 {
		d.truth = len(s.truths)
		told := d.card
		if told.Rank == joker {
			told = card.Card{} // whoever reads it must find no rank
		}
		s.truths = append(s.truths, vision.Deal{I: d.truth, Rank: told.Rank, Suit: told.Suit, Appear: s.n.Load()})
		s.cover(d.at)
	}
	fingers := func(on Spot) Spot { return Spot{on.X + d.grip.X, on.Y + d.grip.Y, d.grip.Turn} }
	if k <= d.in {
		at := way(d.from, d.at, ease(k, d.in))
		lift := 1 - ease(k, d.in)
		s.layCard(s.frame, d.card, at, lift)
		s.layHand(fingers(at), lift)
		if k == d.in { // let go: from now on it lies on the table
			s.layCard(s.still, d.card, d.at, 0)
			s.lying = append(s.lying, placed{d.at, d.truth, d.card})
		}
		return false
	}
	t := ease(k-d.in, d.out)
	s.layHand(way(fingers(d.at), fingers(s.away(d.at)), t), t)
	if k-d.in < d.out {
		return false
	}
	s.truths[d.truth].Settled = s.n.Load() + 1
	return true
}

// cover notes that cards at a spot are about to be covered.
func (s *Scene) cover(at Spot) {
	for _, p := range s.lying {
		if hypot(p.spot.X-at.X, p.spot.Y-at.Y) < s.deck().w && s.truths[p.truth].Covered == 0 {
			s.truths[p.truth].Covered = s.n.Load()
		}
	}
}

// sweeping is the hand taking all cards with it: over the table, and out.
type sweeping struct {
	s       *Scene
	in, out int
	cards   []Spot
	faces   []card.Card // as drawn
}

func (s *Scene) sweeping() motion {
	return &sweeping{s: s, in: s.frames(0.5), out: s.frames(0.5)}
}

func (w *sweeping) draw(k int) bool {
	s := w.s
	left := Spot{-230, -10, 0}
	if k == 0 {
		for _, p := range s.lying {
			w.cards = append(w.cards, p.spot)
			w.faces = append(w.faces, p.face)
			if t := &s.truths[p.truth]; t.Covered == 0 {
				t.Covered = s.n.Load()
			}
		}
		s.lying = nil
	}
	if k <= w.in {
		t := ease(k, w.in)
		s.layHand(way(s.away(left), left, t), 1-t)
		if k == w.in {
			s.still.copy(s.bare)
		}
		return false
	}
	t := ease(k-w.in, w.out)
	hand := way(left, Spot{420, 160, 30}, t)
	for i, at := range w.cards {
		at.X = max(at.X, hand.X-10)
		if at.X == hand.X-10 {
			at.Y += (hand.Y - at.Y) * 0.6 * t
			at.Turn += 40 * t
		}
		s.layCard(s.frame, w.faces[i], at, 0.1)
	}
	s.layHand(hand, 0.1)
	return k-w.in >= w.out
}

// waving is the hand passing without a card.
type waving struct {
	s       *Scene
	at      Spot
	in, out int
}

func (s *Scene) waving(at Spot) motion {
	return &waving{s, at, s.frames(0.4), s.frames(0.4)}
}

func (w *waving) draw(k int) bool {
	t := ease(k, w.in)
	if k > w.in {
		t = 1 - ease(k-w.in, w.out)
	}
	w.s.layHand(way(w.s.away(w.at), w.at, t), 0.3+0.7*(1-t))
	return k >= w.in+w.out
}
