//go:build cgo

package cv

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

const (
	// lessonAspect is by which share a card's outline may be longer or shorter
	// than those of the same pack: cards are cut alike, and a camera a little
	// aslant changes less.
	lessonAspect = 0.12
	// lessonSharp is how much of its contrast a picture must change by from one
	// pixel to the next where it changes most.
	lessonSharp = 0.10
)

// Lesson takes in the pictures of a deck being taught. What it can see to be bad
// it refuses at once, while the card still lies there.
type Lesson struct {
	dir   string
	taken []sample
}

// sample is a picture that was taken in.
type sample struct {
	pattern
	n      int
	aspect float64
}

// NewLesson begins a deck in an empty folder.
func NewLesson(dir string) *Lesson { return &Lesson{dir: dir} }

// Take adds the card in an outline as its nth picture. The error is a *Refused
// when the picture is no good.
func (l *Lesson) Take(c card.Card, n int, f vision.Frame, q vision.Quad) error {
	full, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
	if err != nil {
		return err
	}
	defer full.Close()
	w, h := q.Sides()
	if w > h {
		q, w, h = q.Turn(1), h, w
	}
	s := straighten(full, q)
	defer s.close()
	p := sample{pattern{c.Rank, c.Suit, faceVector(s.bgr, 0, 0)}, n, h / w}
	if err := l.judge(s, p); err != nil {
		return err
	}
	name := filepath.Join(l.dir, CardFile(c, n))
	png, err := gocv.IMEncode(gocv.PNGFileExt, s.bgr)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer png.Close()
	if err := os.WriteFile(name, png.GetBytes(), 0o644); err != nil {
		return err
	}
	l.taken = append(slices.DeleteFunc(l.taken, func(o sample) bool {
		return o.rank == c.Rank && o.suit == c.Suit && o.n == n
	}), p)
	return nil
}

// judge says what is wrong with a picture.
func (l *Lesson) judge(s straight, p sample) error {
	if sharpness(s.grey) < lessonSharp {
		return &Refused{Why: Blurred}
	}
	if len(l.taken) > 0 {
		var aspects []float64
		for _, o := range l.taken {
			aspects = append(aspects, o.aspect)
		}
		slices.Sort(aspects)
		if r := p.aspect / aspects[len(aspects)/2]; r > 1+lessonAspect || r < 1/(1+lessonAspect) {
			return &Refused{Why: BadOutline}
		}
	}
	for _, o := range l.taken {
		if p.twin(o.pattern) {
			return &Refused{Why: SameCard, Like: card.Card{Rank: o.rank, Suit: o.suit}}
		}
	}
	return nil
}

// Forget throws away the pictures of a card.
func (l *Lesson) Forget(c card.Card) error {
	names, err := filepath.Glob(filepath.Join(l.dir, CardFile(c, 0)))
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := os.Remove(n); err != nil {
			return err
		}
	}
	l.taken = slices.DeleteFunc(l.taken, func(o sample) bool { return o.rank == c.Rank && o.suit == c.Suit })
	return nil
}

// sharpness is the steepest change of a straightened card from one pixel to the
// next, as a share of its contrast. It asks for few pixels only, so that a card
// with a single sign has enough of them, and not for the very steepest, so that
// noise counts little.
func sharpness(grey gocv.Mat) float64 {
	const in = 3 * 4 // the card's rim says more of the table than of the card
	r := cut(grey, in, in, grey.Cols()-2*in, grey.Rows()-2*in)
	defer r.Close()
	calm, dx, dy := gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
	defer calm.Close()
	defer dx.Close()
	defer dy.Close()
	gocv.MedianBlur(r, &calm, 3)
	gocv.Sobel(calm, &dx, gocv.MatTypeCV16S, 1, 0, 3, 1.0/8, 0, gocv.BorderDefault)
	gocv.Sobel(calm, &dy, gocv.MatTypeCV16S, 0, 1, 3, 1.0/8, 0, gocv.BorderDefault)
	xs, errX := dx.DataPtrInt16()
	ys, errY := dy.DataPtrInt16()
	b, errB := calm.DataPtrUint8()
	if errX != nil || errY != nil || errB != nil {
		panic("cv: a smoothed card is not in one piece")
	}
	var steep [256]int
	var grade [256]int
	for i := range b {
		steep[min(255, int(math.Hypot(float64(xs[i]), float64(ys[i]))))]++
		grade[b[i]]++
	}
	contrast := atShare(grade, len(b), 0.99) - atShare(grade, len(b), 0.01)
	if contrast < 10 {
		return 0 // nothing is printed on it that could be seen
	}
	return float64(atShare(steep, len(b), 0.995)) / float64(contrast)
}

// atShare is the value that a share of n counted values doesn't exceed.
func atShare(counts [256]int, n int, share float64) int {
	sum := 0
	for v, c := range counts {
		if sum += c; float64(sum) >= share*float64(n) {
			return v
		}
	}
	return len(counts) - 1
}
