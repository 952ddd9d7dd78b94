package vision

import (
	"context"
	"errors"
	"image"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lansquenet/ledger/card"
)

// The stage below draws flat cards on a plain table and knows where they are,
// so that the tracker is tested without any reading: its eye sees every card
// that is not covered, wherever the watcher asks it to look.

type prop struct {
	x, y float64 // top left
	rank card.Rank
	look uint64 // cards of the same look are the same picture
	lost bool   // the eye doesn't find it
}

const propW, propH = 60, 84

func (p prop) quad() Quad {
	return Quad{{p.x, p.y}, {p.x + propW, p.y}, {p.x + propW, p.y + propH}, {p.x, p.y + propH}}
}

func (p prop) box() image.Rectangle {
	return image.Rect(int(p.x), int(p.y), int(p.x)+propW, int(p.y)+propH)
}

type stage struct {
	t     *testing.T
	cards []*prop         // lowest first
	hand  image.Rectangle // covers everything
	skin  byte            // how bright the hand is
	shift image.Point     // of the camera
	light float64
	doubt card.Rank // the eye can't tell this rank
	ghost *prop     // of the table, which the eye takes for a blank card when no card is seen
	// askew is by how much of its size a card's outline is found too large; nil: not.
	askew  func(p *prop) float64
	blind  bool // the eye sees nothing while the hand is in the picture
	keen   bool // the eye reads a card of which the hand hides a part
	peep   bool // of such a card it sees no more than a corner, and guesses the outline
	r      *rand.Rand
	w      *Watcher
	n      uint64
	told   []string
	frames []func() // what happens before each frame, in order
}

func newStage(t *testing.T) *stage {
	s := &stage{t: t, light: 1, skin: 120, r: rand.New(rand.NewPCG(8, 8))}
	s.w = Watch(s, s, Options{})
	return s
}

const stageW, stageH = 640, 360

func (s *stage) Next(context.Context) (Frame, error) {
	if len(s.frames) == 0 {
		return Frame{}, io.EOF
	}
	s.frames[0]()
	s.frames = s.frames[1:]
	f := plain(stageW, stageH, 70*s.light, 2, s.r)
	for _, p := range s.cards {
		s.draw(f, p)
	}
	if !s.hand.Empty() {
		paint(f, s.hand.Intersect(image.Rect(0, 0, stageW, stageH)), s.skin)
	}
	f.N = s.n
	s.n++
	return f, nil
}

func (s *stage) draw(f Frame, p *prop) {
	b := p.box().Add(s.shift)
	for y := max(0, b.Min.Y); y < min(stageH, b.Max.Y); y++ {
		for x := max(0, b.Min.X); x < min(stageW, b.Max.X); x++ {
			v := 215.0
			dx, dy := x-b.Min.X, y-b.Min.Y
			// Ink: a pattern of blocks that differs from look to look.
			if dx > 4 && dy > 4 && dx < propW-4 && dy < propH-4 && (p.look>>(uint(dx/12*7+dy/12)%61))&1 == 1 {
				v = 60
			}
			if dx == 0 || dy == 0 || dx == propW-1 || dy == propH-1 {
				v = 130
			}
			v = math.Min(255, v*s.light+s.r.NormFloat64()*2)
			for c := range 3 {
				f.Pix[3*(y*stageW+x)+c] = byte(math.Max(0, v))
			}
		}
	}
}

// Look sees each card of which nothing is covered.
func (s *stage) Look(f Frame, a Ask) ([]Sighting, error) {
	var out []Sighting
	if s.ghost != nil && len(s.cards) == 0 {
		out = append(out, Sighting{Quad: s.ghost.quad(), Whole: true, Confidence: 0.9})
	}
next:
	for i, p := range s.cards {
		b := p.box().Add(s.shift)
		if !b.In(a.Area) && !s.peep || !s.keen && !s.hand.Intersect(b).Empty() || s.blind && !s.hand.Empty() {
			continue
		}
		for _, o := range s.cards[i+1:] {
			if !o.box().Add(s.shift).Intersect(b).Empty() {
				continue next
			}
		}
		q := p.quad().Scale(1, Point{float64(s.shift.X) + s.r.NormFloat64()*0.2, float64(s.shift.Y) + s.r.NormFloat64()*0.2})
		if s.askew != nil {
			k := 1 + s.askew(p)
			q = q.Scale(k, q[0].Mul(1-k))
		}
		known := p.lost
		for _, k := range a.Known {
			known = known || k.Moved(q) < 0.03
		}
		if known {
			continue
		}
		g := Sighting{Quad: q, Whole: true}
		if s.peep && !s.hand.Intersect(b).Empty() {
			g.Whole, g.Quad = false, q.Scale(1.07, q[0].Mul(-0.07).Add(Point{12, -8}))
		}
		for r := range g.Score {
			g.Score[r] = -9
		}
		switch {
		case p.rank == card.NoRank:
			g.Score[0] = 0
		case p.rank == s.doubt:
			g.Score[p.rank], g.Score[p.rank%card.Ranks+1] = -0.6, -0.8
		default:
			g.Score[p.rank] = 0
		}
		g.Rank, g.Confidence, g.Guess = Likeliest(g.Score)
		out = append(out, g)
	}
	return out, nil
}

func (s *stage) Close() error { return nil }

// run plays what was asked for and returns what was told, in one line.
func (s *stage) run() string {
	for {
		e, err := s.w.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return strings.Join(s.told, " ")
		}
		if err != nil {
			s.t.Fatal(err)
		}
		switch e.Kind {
		case Card:
			if e.I != s.dealt() {
				s.t.Errorf("card %d is numbered %d", s.dealt(), e.I)
			}
			s.told = append(s.told, e.Rank.String())
		case Unsure:
			guess := "?"
			if len(e.Guess) > 0 {
				guess = e.Guess[0].String() + guess
			}
			s.told = append(s.told, guess)
		default:
			s.told = append(s.told, e.Kind.String())
		}
	}
}

func (s *stage) dealt() (n int) {
	for _, w := range s.told {
		if w != "back" && w != "cleared" {
			n++
		}
	}
	return n
}

func (s *stage) wait(frames int) {
	for range frames {
		s.frames = append(s.frames, func() {})
	}
}

// glide moves a card, held by the hand, in so many frames.
func (s *stage) glide(p *prop, x, y float64, frames int) {
	var fx, fy float64
	for i := range frames {
		s.frames = append(s.frames, func() {
			if i == 0 {
				fx, fy = p.x, p.y
			}
			k := float64(i+1) / float64(frames)
			p.x, p.y = fx+(x-fx)*k, fy+(y-fy)*k
			s.hand = image.Rect(int(p.x)+10, int(p.y)+propH, int(p.x)+60, stageH)
		})
	}
}

// handAway draws the hand back to the bottom.
func (s *stage) handAway() {
	for i := range 6 {
		s.frames = append(s.frames, func() { s.hand = s.hand.Add(image.Pt(0, 20+10*i)) })
	}
	s.frames = append(s.frames, func() { s.hand = image.Rectangle{} })
}

// bring puts a card at the right edge.
func (s *stage) bring(rank card.Rank, look uint64) *prop {
	p := &prop{x: stageW, y: 40, rank: rank, look: look}
	s.frames = append(s.frames, func() { s.cards = append(s.cards, p) })
	return p
}

// putBack lifts a card and lays it down again, there or a little elsewhere.
func (s *stage) putBack(p *prop, liftX, liftY, x, y float64) {
	s.glide(p, liftX, liftY, 9)
	s.glide(p, x, y, 9)
	s.handAway()
	s.wait(15)
}

// deal brings a card in from the right edge.
func (s *stage) deal(rank card.Rank, look uint64, x, y float64) *prop {
	p := s.bring(rank, look)
	s.glide(p, x, y, 12)
	s.handAway()
	s.wait(12)
	return p
}

// quick brings a card in half a second at 30 pictures a second, and the next one
// may follow at once.
func (s *stage) quick(rank card.Rank, look uint64, x, y float64) {
	p := s.bring(rank, look)
	s.glide(p, x, y, 6)
	for i := range 3 {
		s.frames = append(s.frames, func() { s.hand = s.hand.Add(image.Pt(0, 60+20*i)) })
	}
	s.frames = append(s.frames, func() { s.hand = image.Rectangle{} })
	s.wait(5)
}

// pass moves an empty hand across a place and away again.
func (s *stage) pass(x, y int) {
	for i := range 14 {
		s.frames = append(s.frames, func() {
			up := 13 - i
			if i < 7 {
				up = i
			}
			s.hand = image.Rect(x-30, stageH-up*(stageH-y)/6, x+30, stageH)
		})
	}
	s.frames = append(s.frames, func() { s.hand = image.Rectangle{} })
	s.wait(12)
}

const (
	lookA = 0x1b34c9a5e71d2f83
	lookB = 0xe2c5781b3da46f90
	lookC = 0x5a5a0ff0c33c9669
)

func TestTracker(t *testing.T) {
	// covered deals a card that the eye can't tell and covers it at once.
	covered := func(x, y float64) func(*stage) {
		return func(s *stage) {
			s.doubt = 6
			s.quick(6, lookA, 200, 100)
			s.quick(4, lookC, x, y)
			s.wait(12)
		}
	}
	for name, c := range map[string]struct {
		do   func(s *stage)
		want string
	}{
		"one card":              {func(s *stage) { s.deal(card.Seven, lookA, 200, 100) }, "7"},
		"side by side":          {func(s *stage) { s.deal(card.Seven, lookA, 100, 100); s.deal(card.Queen, lookB, 300, 100) }, "7 Q"},
		"on one another":        {func(s *stage) { s.deal(card.Seven, lookA, 200, 100); s.deal(card.Queen, lookB, 204, 97) }, "7 Q"},
		"equal ranks":           {func(s *stage) { s.deal(card.Seven, lookA, 200, 100); s.deal(card.Seven, lookB, 203, 98) }, "7 7"},
		"identical cards":       {func(s *stage) { s.deal(card.Seven, lookA, 200, 100); s.deal(card.Seven, lookA, 204, 103) }, "7 7"},
		"identical, same place": {func(s *stage) { s.deal(card.Seven, lookA, 200, 100); s.deal(card.Seven, lookA, 200, 100) }, "7 7"},
		"three identical":       {func(s *stage) { s.deal(2, lookA, 200, 100); s.deal(2, lookA, 205, 100); s.deal(2, lookA, 199, 103) }, "2 2 2"},
		"identical, out of sight on the way": {func(s *stage) {
			s.deal(card.Seven, lookA, 200, 100)
			p := s.bring(7, lookA)
			s.glide(p, 450, 70, 6)
			s.frames = append(s.frames, func() { s.blind = true })
			s.glide(p, 205, 104, 8)
			s.handAway()
			s.wait(12)
		}, "7 7"},
		"a hand":             {func(s *stage) { s.pass(300, 150) }, ""},
		"a hand over a card": {func(s *stage) { s.deal(card.Seven, lookA, 200, 100); s.pass(230, 90) }, "7"},
		"a hand that rests": {func(s *stage) {
			s.deal(5, lookA, 200, 100)
			s.frames = append(s.frames, func() { s.hand = image.Rect(180, 80, 300, 360) })
			s.wait(40)
			s.handAway()
			s.wait(20)
		}, "5"},
		"a hand as bright as the table that rests": {func(s *stage) {
			s.deal(5, lookA, 200, 100)
			s.frames = append(s.frames, func() { s.skin, s.hand = 88, image.Rect(180, 80, 300, 360) })
			s.wait(40)
			s.handAway()
			s.wait(20)
		}, "5"},
		"nudged": {func(s *stage) {
			p := s.deal(card.Seven, lookA, 200, 100)
			s.glide(p, 215, 108, 6)
			s.handAway()
			s.wait(15)
		}, "7"},
		"nudged far": {func(s *stage) {
			p := s.deal(card.Seven, lookA, 200, 100)
			s.glide(p, 290, 130, 9)
			s.handAway()
			s.wait(15)
		}, "7"},
		"lifted and put back": {func(s *stage) {
			p := s.deal(card.Seven, lookA, 200, 100)
			s.putBack(p, 260, 40, 201, 101)
		}, "7"},
		"peeled off and put back": {func(s *stage) {
			s.deal(9, lookB, 200, 100)
			p := s.deal(card.Seven, lookA, 202, 102)
			s.glide(p, 290, 40, 9)
			s.wait(8)
			s.glide(p, 202, 102, 9)
			s.handAway()
			s.wait(15)
		}, "9 7"},
		"told under a hand": {func(s *stage) {
			s.keen = true
			p := s.bring(7, lookA)
			s.glide(p, 200, 100, 9)
			s.frames = append(s.frames, func() { s.hand = image.Rect(190, 130, 280, stageH) })
			s.wait(10)
			s.handAway()
			s.wait(15)
		}, "7"},
		"a hand that rests on a half, outline askew": {func(s *stage) {
			s.deal(card.Seven, lookA, 200, 100)
			s.keen = true
			s.frames = append(s.frames, func() {
				s.hand = image.Rect(170, 150, 240, stageH)
				s.askew = func(*prop) float64 { return 0.3 }
			})
			s.wait(25)
			s.frames = append(s.frames, func() { s.askew = nil })
			s.handAway()
			s.wait(15)
		}, "7"},
		"lifted from its twin and put back": {func(s *stage) {
			s.deal(card.Seven, lookA, 200, 100)
			p := s.deal(card.Seven, lookA, 207, 104)
			s.putBack(p, 270, 40, 209, 97)
		}, "7 7"},
		"camera knocked": {func(s *stage) {
			s.deal(9, lookB, 100, 100)
			s.deal(card.Seven, lookA, 300, 100)
			s.frames = append(s.frames, func() { s.shift = image.Pt(14, 9) })
			s.wait(25)
			s.deal(4, lookC, 200, 90)
		}, "9 7 4"},
		"camera knocked far, outlines askew": {func(s *stage) {
			s.deal(9, lookB, 100, 100)
			s.deal(card.Seven, lookA, 300, 100)
			s.frames = append(s.frames, func() { s.shift = image.Pt(-20, 11) })
			s.askew = func(*prop) float64 { return 0.12 }
			s.wait(25)
			s.askew = nil
			s.deal(4, lookC, 200, 90)
		}, "9 7 4"},
		"camera knocked in mid-deal": {func(s *stage) {
			s.deal(9, lookB, 100, 100)
			s.deal(card.Seven, lookA, 300, 100)
			p := s.bring(4, lookC)
			s.glide(p, 440, 60, 6)
			s.frames = append(s.frames, func() { s.shift = image.Pt(14, -9) })
			s.glide(p, 305, 105, 6)
			s.handAway()
			s.wait(12)
			s.quick(card.Seven, lookA, 300, 100)
			s.wait(12)
		}, "9 7 4 7"},
		"camera knocked as the next card comes, identical": {func(s *stage) {
			s.deal(9, lookB, 100, 100)
			s.quick(card.Seven, lookA, 300, 100)
			p := s.bring(7, lookA)
			s.glide(p, 420, 70, 4)
			s.frames = append(s.frames, func() { s.shift = image.Pt(-17, -9) })
			s.glide(p, 302, 103, 4)
			s.handAway()
			s.wait(12)
		}, "9 7 7"},
		"camera knocked again and again": {func(s *stage) {
			s.deal(9, lookB, 100, 100)
			s.deal(card.Seven, lookA, 300, 100)
			s.quick(card.Queen, lookC, 304, 98)
			for i := range 12 {
				s.frames = append(s.frames, func() { s.shift = image.Pt([]int{14, -9, 8, -6, 5, -3, 2, -1, 1, 0, 0, 0}[i], -i%3) })
			}
			s.wait(3)
			s.quick(card.Seven, lookA, 300, 100)
			s.wait(12)
		}, "9 7 Q 7"},
		"identical, not seen to come": {func(s *stage) {
			s.blind = true
			s.deal(card.Seven, lookA, 200, 100)
			s.deal(card.Seven, lookA, 214, 109)
		}, "7 7"},
		"nudged on a stack, not seen to move": {func(s *stage) {
			s.blind = true
			s.deal(9, lookB, 203, 99)
			p := s.deal(card.Seven, lookA, 200, 100)
			s.glide(p, 214, 109, 6)
			s.handAway()
			s.wait(15)
		}, "9 7"},
		"identical, another between": {func(s *stage) {
			s.blind = true
			s.deal(4, lookA, 200, 100)
			s.deal(9, lookB, 202, 101)
			s.deal(4, lookA, 203, 102)
		}, "4 9 4"},
		"a lamp that flickers": {func(s *stage) {
			for i := range 120 {
				s.frames = append(s.frames, func() { s.light = 1 + 0.05*math.Sin(2.1*float64(i)) })
			}
			before := s.frames
			s.frames = nil
			s.deal(9, lookB, 100, 100)
			s.deal(card.Seven, lookA, 300, 100)
			s.wait(60)
			for i, do := range s.frames[:120] {
				s.frames[i] = func() { before[i](); do() }
			}
		}, "9 7"},
		"light changes": {func(s *stage) {
			s.deal(9, lookB, 100, 100)
			for i := range 20 {
				s.frames = append(s.frames, func() { s.light = 1 - float64(i)*0.02 })
			}
			s.wait(20)
			s.deal(card.Seven, lookA, 300, 100)
		}, "9 7"},
		"lamp off": {func(s *stage) {
			s.deal(9, lookB, 100, 100)
			s.frames = append(s.frames, func() { s.light = 0.5 })
			s.wait(30)
			s.deal(card.Seven, lookA, 300, 100)
		}, "9 7"},
		"swept off": {func(s *stage) {
			p := s.deal(9, lookB, 200, 100)
			q := s.deal(8, lookA, 204, 100)
			s.sweep(p, q)
			s.wait(25)
			s.deal(9, lookB, 200, 100)
		}, "9 8 cleared 9"},
		"outline that jumps about": {func(s *stage) {
			s.askew = func(*prop) float64 { return 0.07 * float64(s.n%2) }
			s.deal(card.Seven, lookA, 200, 100)
			s.deal(card.Queen, lookB, 300, 100)
		}, "7 Q"},
		"outline found wrongly now and then": {func(s *stage) {
			s.askew = func(*prop) float64 { return 0.2 * float64(s.n%3/2) }
			s.deal(card.Seven, lookA, 200, 100)
		}, "7"},
		"equal ranks, not seen to come": {func(s *stage) {
			s.blind = true
			s.deal(card.Seven, lookA, 200, 100)
			s.deal(card.Seven, lookB, 201, 101)
		}, "7 7"},
		"seen askew after it was told": {func(s *stage) {
			s.deal(card.Seven, lookA, 200, 100)
			s.askew = func(*prop) float64 { return 0.06 }
			s.pass(230, 90)
			s.pass(170, 90)
		}, "7"},
		"equal ranks far apart": {func(s *stage) {
			// The one that lies there, seen askew, is not the other one moved.
			s.deal(card.Jack, lookA, 100, 100)
			s.askew = func(p *prop) float64 { return map[bool]float64{true: 0.07}[p.look == lookA] }
			s.deal(card.Jack, lookB, 300, 100)
			s.pass(150, 90)
		}, "J J"},
		"unsure and covered at once": {covered(203, 98), "6? 4"},
		"unsure, camera knocked and covered at once": {func(s *stage) {
			s.doubt = 6
			s.deal(9, lookB, 60, 100)
			s.quick(6, lookA, 200, 100)
			s.frames = append(s.frames, func() { s.shift = image.Pt(-20, 11) })
			s.wait(2)
			s.quick(4, lookC, 203, 98)
			s.wait(12)
			s.pass(230, 90)
		}, "9 6? 4"},
		"unsure and covered exactly": {covered(200, 100), "6? 4"},
		"identical, same place, not seen to come": {func(s *stage) {
			s.deal(9, lookB, 60, 100)
			s.deal(card.Seven, lookA, 200, 100)
			s.blind = true
			s.deal(card.Seven, lookA, 204, 98)
		}, "9 7 7"},
		"a corner peeps out from under a hand": {func(s *stage) {
			s.deal(card.Seven, lookA, 200, 100)
			on := func(y, frames int) {
				s.frames = append(s.frames, func() { s.hand = image.Rect(150, y, 300, stageH) })
				s.wait(frames)
			}
			on(100, 12)
			s.frames = append(s.frames, func() { s.keen, s.peep = true, true })
			on(128, 20)
			s.handAway()
			s.wait(12)
		}, "7"},
		"nudged, not seen to move": {func(s *stage) {
			p := s.deal(card.Seven, lookA, 200, 100)
			s.blind = true
			s.glide(p, 215, 108, 6)
			s.handAway()
			s.wait(15)
		}, "7"},
		"not found where it came to lie": {func(s *stage) {
			s.deal(card.Seven, lookA, 200, 100)
			s.deal(9, lookB, 203, 98).lost = true
			s.wait(20)
			s.deal(4, lookC, 201, 101)
			s.wait(20)
		}, "7 ? 4"},
		"lifted and put back, not found": {func(s *stage) {
			p := s.deal(card.Seven, lookA, 200, 100)
			s.frames = append(s.frames, func() { p.lost = true })
			s.putBack(p, 260, 40, 203, 103)
			s.wait(20)
		}, "7"},
		"a back": {func(s *stage) { s.deal(card.NoRank, lookC, 200, 100); s.wait(20) }, "back"},
		"unsure": {func(s *stage) { s.doubt = 6; s.deal(6, lookA, 200, 100); s.wait(20); s.pass(230, 90) }, "6?"},
		"unsure, then sure": {func(s *stage) {
			s.doubt = 6
			s.deal(6, lookA, 200, 100)
			s.wait(20)
			s.frames = append(s.frames, func() { s.doubt = 0 })
			s.pass(230, 90)
			s.deal(4, lookC, 204, 99)
		}, "6? 4"},
		"lay there before": {func(s *stage) {
			s.cards = []*prop{{x: 100, y: 100, rank: 3, look: lookB}}
			s.wait(30)
			s.deal(4, lookC, 300, 99)
		}, "4"},
		"two a second": {func(s *stage) {
			for i, r := range []card.Rank{2, 9, 9, 12, 12, 1} {
				s.quick(r, lookA+uint64(i)*lookB, 200+float64(i), 100)
			}
			s.wait(10)
		}, "2 9 9 Q Q A"},
		"two a second, side by side": {func(s *stage) {
			for i, r := range []card.Rank{2, 9, 9, 12, 12, 1} {
				s.quick(r, lookA+uint64(i)*lookB, 60+80*float64(i), 100)
			}
			s.wait(10)
		}, "2 9 9 Q Q A"},
		"two a second at 15 fps": {func(s *stage) {
			for i, r := range []card.Rank{2, 9, 9, 12} {
				p := &prop{x: stageW, y: 40, rank: r, look: lookA + uint64(i)*lookB}
				s.frames = append(s.frames, func() { s.cards = append(s.cards, p) })
				s.glide(p, 200+float64(i), 100, 4)
				s.frames = append(s.frames, func() { s.hand = image.Rectangle{} })
				s.wait(3)
			}
			s.wait(10)
		}, "2 9 9 Q"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.wait(12)
			c.do(s)
			if got := s.run(); got != c.want {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}

// TestStart: what lies there in the first pictures was not dealt, whatever the
// light does while the camera finds its exposure; what comes right after the
// first picture was, even if a slow eye sees it lying in the second.
func TestStart(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(s *stage)
		want string
	}{
		"comes between two looks": {func(s *stage) {
			s.wait(1)
			s.frames = append(s.frames, func() { s.cards = []*prop{{x: 200, y: 100, rank: 7, look: lookA}} })
		}, "7"},
		"one lies, one comes": {func(s *stage) {
			s.cards = []*prop{{x: 60, y: 100, rank: 9, look: lookB}}
			s.wait(1)
			s.frames = append(s.frames, func() { s.cards = append(s.cards, &prop{x: 200, y: 100, rank: 7, look: lookA}) })
		}, "7"},
		"comes in the first pictures": {func(s *stage) {
			p := &prop{x: 230, y: 120, rank: 7, look: lookA}
			s.frames = append(s.frames, func() { s.cards = []*prop{p} })
			s.glide(p, 200, 100, 6)
			s.handAway()
		}, "7"},
		"comes where the table was taken for a card": {func(s *stage) {
			s.ghost = &prop{x: 204, y: 103}
			for range 8 {
				s.frames = append(s.frames, func() { s.hand = image.Rect(10, 200, 50+int(s.n%2)*20, 360) })
			}
			s.frames = append(s.frames, func() {
				s.hand, s.cards = image.Rectangle{}, []*prop{{x: 200, y: 100, rank: 7, look: lookA}}
			})
		}, "7"},
		"the exposure rises": {func(s *stage) {
			s.cards = []*prop{{x: 200, y: 100, rank: 7, look: lookA}}
			for i := range 8 {
				s.frames = append(s.frames, func() { s.light = math.Min(1.2, 0.25+0.15*float64(i)) })
			}
		}, ""},
		"the exposure falls": {func(s *stage) {
			s.cards = []*prop{{x: 200, y: 100, rank: 7, look: lookA}}
			for i := range 8 {
				s.frames = append(s.frames, func() { s.light = math.Max(0.8, 1.6-0.12*float64(i)) })
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			c.do(s)
			s.wait(30)
			if got := s.run(); got != c.want {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}

// sweep pushes cards off at the bottom.
func (s *stage) sweep(ps ...*prop) {
	for i := range 14 {
		s.frames = append(s.frames, func() {
			for _, p := range ps {
				p.y += 26
			}
			s.hand = image.Rect(100, 60+26*i, 400, 120+26*i)
		})
	}
	s.frames = append(s.frames, func() { s.hand = image.Rectangle{}; s.cards = nil })
}

// TestSettleDown: what was taken for a card for a moment, where one lies, is
// forgotten; what landed there and was read otherwise isn't.
func TestSettleDown(t *testing.T) {
	at := prop{x: 200, y: 100}.quad()
	for name, c := range map[string]struct {
		k    track
		kept bool
	}{
		"a shadow":           {track{rank: card.NoRank}, false},
		"the card itself":    {track{rank: 7, landed: true, fair: 3}, false},
		"another card on it": {track{rank: 9, landed: true, fair: 3}, true},
		"seen just now":      {track{rank: card.NoRank, updated: true}, true},
	} {
		c.k.quad, c.k.from = at, at
		l := &lying{quad: at, rank: 7}
		tr := Tracker{lying: []*lying{l}, tracks: []*track{&c.k}}
		tr.settleDown(map[*lying]bool{l: true})
		if kept := len(tr.tracks) == 1; kept != c.kept {
			t.Errorf("%s: kept %v, want %v", name, kept, c.kept)
		}
	}
}

// TestFind: the picture of a card is found where the camera moved it, and not
// where another card of the same rank lies.
func TestFind(t *testing.T) {
	s := newStage(t)
	s.cards = []*prop{{x: 200, y: 100, rank: 7, look: lookA}}
	s.wait(3)
	show := func() Frame {
		f, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	at := s.cards[0].quad()
	l := &lying{quad: at, rank: 7, looks: []appearance{appearanceOf(show(), at)}}
	s.shift = image.Pt(9, -6)
	q, same := l.find(show(), at.Center().Add(Point{X: 5, Y: -3}))
	if want := at.Scale(1, Point{X: 9, Y: -6}); same < alike || q.Moved(want) > 0.02 {
		t.Errorf("found with %.2f, %.3f beside it", same, q.Moved(want))
	}
	s.cards[0].look = lookB
	if _, same := l.find(show(), at.Center()); same > alike-0.15 {
		t.Errorf("another seven is taken for it with %.2f", same)
	}
}

// TestArriving: a card that is read while hands pass beside it has only flown to
// where another lies if it is there; elsewhere the picture counts, and where that is as
// it was, what shows is the card that was told, or the rest of it beside the next one.
func TestArriving(t *testing.T) {
	left, right := prop{x: 100, y: 100}.quad(), prop{x: 300, y: 100}.quad()
	two := &lying{quad: left, rank: 2, intact: true}
	k := &track{quad: right, from: right, rank: 9, beside: map[*lying]bool{two: true}, seen: 4}
	k.air[9] = 4
	tr := Tracker{frames: 100, lying: []*lying{two}, tracks: []*track{k}}
	var g Gate
	f := plain(stageW, stageH, 70, 2, rand.New(rand.NewPCG(1, 1)))
	for range 5 {
		g.Step(f)
	}
	see := func(q Quad) Sighting { return Sighting{Quad: q, Rank: 9, Confidence: 1, Whole: true} }
	if !tr.explained(f, &g, see(right), map[*lying]bool{}) {
		t.Error("where nothing changed and no card lies a card arrived")
	}
	k.quad = left.Scale(1, Point{X: 30})
	if tr.explained(f, &g, see(left), map[*lying]bool{}) {
		t.Error("a nine that flew over the two was taken for the two")
	}
	// Seen but once, and askew, it may be the nine that lies there.
	nine := &lying{quad: left, rank: 9, intact: true}
	k = &track{quad: left.Scale(1, Point{X: 30}), from: left.Scale(1, Point{X: 30}), rank: 9, beside: map[*lying]bool{nine: true}, seen: 1}
	k.air[9] = 1
	tr = Tracker{frames: 100, lying: []*lying{nine}, tracks: []*track{k}}
	if !tr.explained(f, &g, see(left), map[*lying]bool{}) {
		t.Error("a nine that lies there was taken for another, for one outline beside it")
	}
}

// TestAlone: what lay for a moment with nothing moving around it counts as seen,
// though the next hand is near before it is certain and then covers it.
func TestAlone(t *testing.T) {
	q := prop{x: 200, y: 100}.quad()
	r := rand.New(rand.NewPCG(1, 1))
	k := &track{quad: q, spot: q, from: q, beside: map[*lying]bool{}, gone: map[*lying]int{}}
	var g Gate
	for i := range 6 {
		f := plain(stageW, stageH, 70, 2, r)
		if i == 5 {
			paint(f, image.Rect(275, 100, 330, 180), 120)
		}
		g.Step(f)
		k.take(f, &g, Sighting{Quad: q, Rank: 6, Confidence: 0.7, Whole: true})
	}
	k.missed = 3
	if k.calm > 0 {
		t.Fatal("the hand is not near")
	}
	if k.unseen() {
		t.Error("a card that lay alone is forgotten")
	}
}

// TestNearestFirst: a sighting goes to the track that lies there, though
// another track of the same rank could have flown to it.
func TestNearestFirst(t *testing.T) {
	left, right := prop{x: 100, y: 100}.quad(), prop{x: 300, y: 100}.quad()
	resting := func(q Quad) *track {
		return &track{quad: q, spot: q, from: q, seen: 5, rank: card.Jack, promising: true, beside: map[*lying]bool{}, gone: map[*lying]int{}}
	}
	tr := Tracker{frames: 100, tracks: []*track{resting(left), resting(right)}}
	var g Gate
	f := plain(stageW, stageH, 70, 2, rand.New(rand.NewPCG(1, 1)))
	g.Step(f)
	g.Step(f)
	see := func(q Quad) Sighting { return Sighting{Quad: q, Rank: card.Jack, Confidence: 1, Whole: true} }
	tr.follow(f, &g, []Sighting{see(right.Scale(1, Point{X: 2})), see(left.Scale(1, Point{Y: 2}))})
	if len(tr.tracks) != 2 || tr.tracks[0].quad.Moved(left) > near || tr.tracks[1].quad.Moved(right) > near {
		t.Errorf("%d tracks, %.2f and %.2f away", len(tr.tracks), tr.tracks[0].quad.Moved(left), tr.tracks[1].quad.Moved(right))
	}
	// One that lies is not taken away by a sighting far off.
	lies := resting(left)
	lies.landed = true
	if _, ok := lies.continues(see(right)); ok {
		t.Error("a card that lies was taken to fly")
	}
}

// TestOtherwise: what was read as one rank on its way and lies in an outline that
// reads as another is asked about, even if the hand hid it for a moment.
func TestOtherwise(t *testing.T) {
	air := func(r card.Rank, n int) *track {
		k := &track{}
		k.air[r] = n
		return k
	}
	for name, c := range map[string]struct {
		landed, lost *track
		want         bool
	}{
		"read alike":           {air(8, 3), air(8, 2), false},
		"not read on its way":  {air(8, 1), &track{}, false},
		"otherwise once":       {air(8, 0), air(card.Jack, 1), false},
		"otherwise on its way": {air(8, 1), air(card.Jack, 2), true},
		"now so, now so":       {air(8, 2), air(card.Jack, 3), false},
	} {
		tr := Tracker{lost: []*track{c.lost}}
		if got := tr.otherwise(c.landed, 8); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestUnseen: what a hand hides again at once is told when it was read alike on
// its way, too, and forgotten when only something between fingers was.
func TestUnseen(t *testing.T) {
	q := prop{x: 200, y: 100}.quad()
	k := &track{quad: q, from: q, missed: 3}
	k.air[2], k.held[9] = 3, 2
	if !k.unseen() {
		t.Error("some readings between fingers count as a card")
	}
	k.air[card.Ace] = 7
	if k.unseen() {
		t.Error("an ace read seven times on its way is forgotten")
	}
}

// TestNote: a card is known to have lain untouched while another flew over it,
// though the hand's shadow is on a part of it, or the other already hides a part.
func TestNote(t *testing.T) {
	s := newStage(t)
	lies := &prop{x: 200, y: 100, rank: 7, look: lookA}
	comes := &prop{x: 230, y: 125, rank: 7, look: lookA}
	s.cards = []*prop{lies}
	s.wait(2)
	show := func() Frame {
		f, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	at := lies.quad()
	l := &lying{quad: at, rank: 7, looks: []appearance{appearanceOf(show(), at)}}
	tr := Tracker{lying: []*lying{l}}
	k := &track{quad: comes.quad(), rank: 7, beside: map[*lying]bool{}, gone: map[*lying]int{}}
	s.cards = append(s.cards, comes)
	if tr.note(show(), k); !k.beside[l] {
		t.Error("what lies half under another isn't recognised")
	}
	k.beside = map[*lying]bool{}
	s.wait(1)
	lies.x, lies.y = 60, 200 // it is the lower one that was pushed away
	if tr.note(show(), k); k.beside[l] || k.gone[l] == 0 {
		t.Error("a card that is gone is taken to lie there, or not taken to be gone")
	}
}

// TestLeaves: what was there before it went elsewhere is the card that lay there, and
// didn't come over it.
func TestLeaves(t *testing.T) {
	at := prop{x: 200, y: 100}.quad()
	l := &lying{quad: at}
	for name, c := range map[string]struct {
		from, to float64 // pixels beside it, of a card 84 long
		want     bool
	}{
		"pushed":                          {2, 20, true},
		"lifted, first read on its way":   {14, 60, true},
		"laid beside it":                  {25, 40, false},
		"laid on it, seen when it landed": {14, 18, false},
	} {
		k := &track{beside: map[*lying]bool{l: true}}
		k.air[7] = 3
		k.quad, k.from = at.Scale(1, Point{X: c.from}), at.Scale(1, Point{X: c.from})
		k.strayed = k.from.Moved(at.Scale(1, Point{X: c.to}))
		if k.leaves(l) != c.want || k.cameOver(l, 7) == c.want {
			t.Errorf("%s: leaves %v, came over %v", name, k.leaves(l), k.cameOver(l, 7))
		}
	}
}

// TestFromHand: a hand taken for a blank card is forgotten where a card is read.
func TestFromHand(t *testing.T) {
	f := plain(stageW, stageH, 70, 2, rand.New(rand.NewPCG(1, 1)))
	var g Gate
	g.Step(f)
	hand, lies := prop{x: 220, y: 140}.quad(), prop{x: 200, y: 100}.quad()
	k := &track{quad: hand, from: hand, spot: hand}
	k.take(f, &g, Sighting{Quad: hand, Whole: true, Confidence: 0.95})
	k.take(f, &g, Sighting{Quad: lies, Whole: true, Rank: 7, Confidence: 0.99})
	if k.from != lies || k.strayed != 0 {
		t.Errorf("the card is taken to come from %v, %.2f of its length away", k.from, k.strayed)
	}
}

// A card that was followed while the camera swung lies where it was followed to, though
// all else is moved along with the camera once it hangs still.
func TestFollowedWhileCameraSwings(t *testing.T) {
	s := newStage(t)
	props := []*prop{{x: 100, y: 100, look: lookA}, {x: 300, y: 100, look: lookB}}
	s.cards = props
	s.frames = append(s.frames, func() {}, func() { s.shift = image.Pt(24, 16) })
	before, _ := s.Next(t.Context())
	after, _ := s.Next(t.Context())
	g := Gate{cell: 8, w: stageW / 8, h: stageH / 8, swung: true}
	g.by = g.rest()
	g.by.shift = Point{3, 2}
	now := func(p *prop) Quad { return p.quad().Scale(1, Point{24, 16}) }
	at := func(f Frame, q Quad) *lying { return &lying{quad: q, looks: []appearance{appearanceOf(f, q)}} }
	followed, left := at(after, now(props[0])), at(before, props[1].quad())
	beneath, deep := at(before, now(props[0])), at(before, props[1].quad())
	beneath.under, deep.under = true, true
	tr := Tracker{lying: []*lying{beneath, followed, deep, left}}
	tr.knocked(after, &g)
	for i, l := range tr.lying {
		want := now(props[i/2])
		if d := l.quad.Moved(want); d > 0.01 {
			t.Errorf("card %d is off by %.2f of its length", i, d)
		}
	}
}
