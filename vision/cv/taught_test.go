//go:build cgo

package cv

import (
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"testing"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/scene"
)

// teachDrawn teaches cards that lie under a drawn camera.
func teachDrawn(t testing.TB, s *scene.Scene, cards []card.Card) (dir string) {
	t.Helper()
	e := openBlind(t)
	dir = t.TempDir()
	l := NewLesson(dir)
	for i, c := range cards {
		f := shown(t, s, c, float64(i%3)*4-4)
		q, err := e.Outline(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Take(c, 1, f, q); err != nil {
			t.Fatalf("%v of %v: %v", c.Rank, c.Suit, err)
		}
	}
	return dir
}

func openBlind(t testing.TB) *Eye {
	t.Helper()
	e, err := NewEye(EyeOptions{Blind: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// softened is a picture out of focus.
func softened(t testing.TB, f vision.Frame, sigma float64) vision.Frame {
	t.Helper()
	m, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	soft := gocv.NewMat() // m shares the frame's pixels
	defer soft.Close()
	gocv.GaussianBlur(m, &soft, image.Point{}, sigma, sigma, gocv.BorderDefault)
	if f.Pix, err = pixels(soft, nil); err != nil {
		t.Fatal(err)
	}
	return f
}

// fingered is a picture in which a finger lies from a point of the card outwards.
func fingered(f vision.Frame, q vision.Quad, r *rand.Rand) vision.Frame {
	f.Pix = append([]byte(nil), f.Pix...)
	w, h := q.Sides()
	tip := q.Center().Add(vision.Point{X: 0.2 * w * r.NormFloat64(), Y: 0.2 * h * r.NormFloat64()})
	to := q[r.IntN(4)]
	d := to.Sub(tip).Mul(1 / to.Dist(tip))
	half := w * (0.08 + 0.1*r.Float64())
	for y := range f.H {
		for x := range f.W {
			p := vision.Point{X: float64(x), Y: float64(y)}.Sub(tip)
			if across := p.Cross(d); p.Dot(d) > 0 && across < half && -across < half {
				copy(f.Pix[3*(y*f.W+x):], []byte{140, 168, 216})
			}
		}
	}
	return f
}

// view is a table on which a taught deck is read.
type view struct {
	name string
	opt  scene.Options
	blur float64
}

var views = []view{
	{"good", scene.Options{W: 640, H: 480, Lens: scene.Lens{Wide: 430}}, 0},
	{"small, dim, soft", scene.Options{W: 640, H: 480, Light: scene.Light{Dim: 0.5, Warm: 0.5}, Lens: scene.Lens{Wide: 576, Tilt: 15}}, 1.2},
	{"wood, aslant", scene.Options{W: 960, H: 540, Table: scene.Wood, Light: scene.Light{Warm: 0.6}, Lens: scene.Lens{Tilt: 20}}, 0},
	// With LANSQUENET_LONG only.
	{"out of focus", scene.Options{W: 640, H: 480, Lens: scene.Lens{Wide: 430}}, 3},
	{"glare", scene.Options{W: 640, H: 480, Light: scene.Light{Glare: 0.8}, Lens: scene.Lens{Wide: 430}}, 0},
	{"cloth, steep", scene.Options{W: 1280, H: 720, Table: scene.Cloth, Lens: scene.Lens{Tilt: 35, Turn: 20}}, 0},
	{"slate, dark", scene.Options{W: 1280, H: 720, Table: scene.Slate, Light: scene.Light{Dim: 0.7}}, 0},
	{"large", scene.Options{W: 1280, H: 720, Lens: scene.Lens{Wide: 384}}, 0},
}

// tallied counts readings by their confidence.
type tallied struct{ n, right [len(confidences)]int }

var confidences = [...]float64{vision.Sure, 0.95, 0.9, 0.5, 0}

func (c *tallied) add(s vision.Sighting, really card.Rank) {
	if s.Rank == card.NoRank {
		return
	}
	for i, least := range confidences {
		if s.Confidence >= least {
			c.n[i]++
			if s.Rank == really {
				c.right[i]++
			}
			return
		}
	}
}

// TestTaughtReliability reads a deck without indices as it was taught and as it
// wasn't: other tables, fingers, outlines that are a little or very wrong, cards
// that nobody taught, backs and jokers. What is told as certain must be right.
func TestTaughtReliability(t *testing.T) {
	some := views[:3]
	if os.Getenv("LANSQUENET_LONG") != "" {
		some = views
	}
	var pack, strange []card.Card
	for i, r := range card.All {
		s := []card.Suit{card.Clubs, card.Hearts, card.Spades, card.Diamonds}[i%4]
		pack = append(pack, card.Card{Rank: r, Suit: s})
		if r == card.Two || r == card.Seven || r == card.Jack {
			pack = append(pack, card.Card{Rank: r, Suit: s%4 + 1})
		}
	}
	// The three looks like the two of its suit nearly everywhere.
	for _, r := range []card.Rank{card.Three, card.Six, card.Queen} {
		strange = append(strange, card.Card{Rank: r, Suit: card.Hearts}, card.Card{Rank: r, Suit: card.Clubs})
	}
	untaught := map[card.Rank]bool{card.Three: true, card.Six: true, card.Queen: true}
	var known []card.Card
	for _, c := range pack {
		if !untaught[c.Rank] {
			known = append(known, c)
		}
	}
	known = append(known, card.Card{Rank: card.Two, Suit: card.Clubs})
	dir := teachDrawn(t, scene.New(scene.Options{W: 640, H: 480, Seed: 3, Deck: scene.Bare, Hurry: 8, Lens: scene.Lens{Wide: 430}}), known)
	eye, err := NewEye(EyeOptions{Deck: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer eye.Close()
	kinds := map[string]*tallied{}
	count := func(kind string, s vision.Sighting, really card.Rank) {
		if kinds[kind] == nil {
			kinds[kind] = &tallied{}
		}
		kinds[kind].add(s, really)
		if s.Rank != card.NoRank && s.Rank != really && s.Confidence >= vision.Sure {
			t.Errorf("%s: %v read as %v (%.4f)", kind, really, s.Rank, s.Confidence)
		}
		if s.Rank != card.NoRank && s.Rank != really && s.Confidence >= 0.8 {
			t.Errorf("%s: %v read as %v is said to be likely (%.4f)", kind, really, s.Rank, s.Confidence)
		}
	}
	free, sure := 0, 0
	for i, v := range some {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		v.opt.Deck, v.opt.Hurry, v.opt.Seed = scene.Bare, 8, uint64(20+i)
		s := scene.New(v.opt)
		see := func(kind string, f vision.Frame, really card.Rank) (first vision.Sighting) {
			seen, err := eye.Look(f, vision.Ask{})
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range seen {
				count(kind, x, really)
				if i == 0 {
					first = x
				}
			}
			return first
		}
		in := func(f vision.Frame, q vision.Quad) vision.Sighting {
			full, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
			if err != nil {
				t.Fatal(err)
			}
			defer full.Close()
			l := look{eye: eye, full: full}
			return l.readQuad(q).Sighting
		}
		for k, c := range known {
			f := softened(t, shown(t, s, c, float64(37*k+180*(k%2)%360)), max(v.blur, 0.1))
			x := see("free", f, c.Rank)
			free++
			if x.Rank == c.Rank && x.Confidence >= vision.Sure {
				sure++
			}
			see("finger", fingered(f, x.Quad, r), c.Rank)
			_, h := x.Quad.Sides()
			for _, by := range []float64{0.012, 0.04} {
				q := x.Quad
				for i := range q {
					q[i] = q[i].Add(vision.Point{X: by * h * r.NormFloat64(), Y: by * h * r.NormFloat64()})
				}
				count(fmt.Sprintf("outline %.1f%% off", 100*by), in(f, q), c.Rank)
			}
			q, by, side := x.Quad, 0.08+0.17*r.Float64(), r.IntN(4)
			a, b := side, (side+1)%4
			q[a], q[b] = q[a].Add(q[(side+3)%4].Sub(q[a]).Mul(by)), q[b].Add(q[(side+2)%4].Sub(q[b]).Mul(by))
			count("outline cut", in(f, q), c.Rank)
		}
		for k, c := range strange {
			see("not taught", softened(t, shown(t, s, c, float64(61*k)), max(v.blur, 0.1)), c.Rank)
		}
		s.Sweep()
		s.Joker(scene.Spot{Turn: 20})
		see("joker", settledPicture(t, s), card.NoRank)
		s.Sweep()
		s.Back(scene.Spot{Turn: 40})
		see("back", settledPicture(t, s), card.NoRank)
	}
	t.Logf("%d of %d cards that lie free told", sure, free)
	t.Logf("right of read, by confidence from: %v", confidences)
	for kind, c := range kinds {
		line := fmt.Sprintf("%-18s", kind)
		for i := range c.n {
			line += fmt.Sprintf(" %4d of %-4d", c.right[i], c.n[i])
		}
		t.Log(line)
	}
	if sure*100 < free*85 {
		t.Errorf("only %d of %d cards that lie free are told", sure, free)
	}
}

// settledPicture is the table when the hand is done.
func settledPicture(t testing.TB, s *scene.Scene) vision.Frame {
	t.Helper()
	for {
		f, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !s.Busy() {
			return f
		}
	}
}

// TestLessonRefuses: a picture that is no good is refused with the reason, a good
// one after it is taken.
func TestLessonRefuses(t *testing.T) {
	e := openBlind(t)
	dir := t.TempDir()
	l := NewLesson(dir)
	nine, ten, king := card.Card{Rank: card.Nine, Suit: card.Spades}, card.Card{Rank: card.Ten, Suit: card.Spades}, card.Card{Rank: card.King, Suit: card.Hearts}
	s := scene.New(scene.Options{W: 640, H: 480, Seed: 5, Deck: scene.Bare, Hurry: 8, Lens: scene.Lens{Wide: 430}})
	pictures := map[card.Card]vision.Frame{}
	for _, c := range []card.Card{nine, ten, king} {
		pictures[c] = shown(t, s, c, 6)
	}
	outline := func(f vision.Frame) vision.Quad {
		t.Helper()
		q, err := e.Outline(f)
		if err != nil {
			t.Fatal(err)
		}
		if w, h := q.Sides(); w > h {
			q = q.Turn(1)
		}
		return q
	}
	take := func(what string, as card.Card, f vision.Frame, q vision.Quad, want *Refused) {
		t.Helper()
		err := l.Take(as, 1, f, q)
		var got *Refused
		if errors.As(err, &got); (err != nil) != (want != nil) || got != nil && *got != *want {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		names, _ := PictureNames(dir)
		if kept := len(names) == len(l.taken); !kept {
			t.Errorf("%s: %d pictures of %d", what, len(names), len(l.taken))
		}
	}
	f := pictures[nine]
	blurred := softened(t, f, 4)
	take("blurred", nine, blurred, outline(f), &Refused{Why: Blurred})
	take("a nine", nine, f, outline(f), nil)
	take("the nine again", nine, f, outline(f), nil)
	take("a nine as a ten", ten, f, outline(f), &Refused{Why: SameCard, Like: nine})
	take("a ten", ten, pictures[ten], outline(pictures[ten]), nil)
	q := outline(pictures[king])
	long := q
	long[2], long[3] = q[2].Add(q[2].Sub(q[1]).Mul(0.2)), q[3].Add(q[3].Sub(q[0]).Mul(0.2))
	take("a king on a pile", king, pictures[king], long, &Refused{Why: BadOutline})
	take("a king", king, pictures[king], q, nil)
	if err := l.Forget(nine); err != nil {
		t.Fatal(err)
	}
	if names, _ := PictureNames(dir); len(names) != 2 {
		t.Errorf("after forgetting: %v", names)
	}
}

// TestConfusable: a card that was shown as two is named with both its names, and
// cards that differ are not.
func TestConfusable(t *testing.T) {
	e := openBlind(t)
	dir := t.TempDir()
	nine, ten, king := card.Card{Rank: card.Nine, Suit: card.Spades}, card.Card{Rank: card.Ten, Suit: card.Spades}, card.Card{Rank: card.King, Suit: card.Hearts}
	save := func(as, really card.Card) {
		t.Helper()
		f := lyingCard(t, really)
		q, err := e.Outline(f)
		if err != nil {
			t.Fatal(err)
		}
		// Each in a lesson of its own, as pictures copied together are.
		if err := NewLesson(dir).Take(as, 1, f, q); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Confusable(dir); err == nil {
		t.Error("an empty deck is no deck")
	}
	save(nine, nine)
	save(king, king)
	if pairs, err := Confusable(dir); err != nil || len(pairs) > 0 {
		t.Errorf("nine and king: %v, %v", pairs, err)
	}
	save(ten, nine)
	if pairs, err := Confusable(dir); err != nil || len(pairs) != 1 || pairs[0] != [2]card.Card{ten, nine} && pairs[0] != [2]card.Card{nine, ten} {
		t.Errorf("a nine taught as a ten: %v, %v", pairs, err)
	}
}
