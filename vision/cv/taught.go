//go:build cgo

package cv

import (
	"fmt"
	"math"
	"path/filepath"
	"sort"
	"strings"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/weights"
)

// A taught deck is a folder of pictures, one or more for each card, each
// straightened to weights.CardW×CardH and named RANK-SUIT-N.png, as in
// 7-hearts-1.png or K--1.png when the suit has no name here. It can be copied,
// looked at, and mended by throwing a picture away.

// pattern is one picture of a taught card.
type pattern struct {
	rank card.Rank
	suit card.Suit
	face []float32 // blue, green, red planes of patternW×patternH, length 1
}

const (
	patternW, patternH = 42, 58
	patternShift       = 2 // how far a card's outline may be off, in cells of the pattern
	// taughtLeast is the likeness below which a card is none of the deck.
	taughtLeast = 0.55
	// Between taughtPoor and taughtGood a likeness is worth ever more: the right
	// picture of a card that lies free is 0.9 and more alike, the best wrong one of
	// something else up to 0.8.
	taughtPoor, taughtGood = 0.70, 0.90
	// familiar is what the right picture leaves unexplained of a part of a card
	// that lies free, strange what no picture of it does.
	familiar, strange = 0.03, 0.07
	// taughtSteep turns how much more another rank leaves unexplained into a ratio
	// of probabilities: with half as much again it is a hundredth as likely.
	taughtSteep = 12
	// taughtFloor is the logarithm of how unlikely any rank can become.
	taughtFloor = 12
	// taughtDoubt is what is left of scores that don't make a card certain: it may well
	// be one that nobody taught.
	taughtDoubt = 0.3
	// taughtSuit is how much less alike the same rank in other suits must be for
	// the suit to be told.
	taughtSuit = 0.05
)

// taught reads cards by their likeness to a deck's pictures.
type taught struct {
	patterns []pattern
}

// loadDeck reads a taught deck.
func loadDeck(dir string) (*taught, error) {
	names, err := PictureNames(dir)
	if err != nil {
		return nil, fmt.Errorf("deck %s: %w", dir, err)
	}
	t := &taught{}
	for _, n := range names {
		r, s, err := parsePictureName(filepath.Base(n))
		if err != nil {
			return nil, fmt.Errorf("deck %s: %w", dir, err)
		}
		m := gocv.IMRead(n, gocv.IMReadColor)
		if m.Empty() || m.Cols() != weights.CardW || m.Rows() != weights.CardH {
			m.Close()
			return nil, fmt.Errorf("deck %s: %s is not a picture of %d×%d", dir, filepath.Base(n), weights.CardW, weights.CardH)
		}
		t.patterns = append(t.patterns, pattern{r, s, faceVector(m, 0, 0)})
		m.Close()
	}
	if len(t.patterns) == 0 {
		return nil, fmt.Errorf("deck %s: holds no pictures; teach it again", dir)
	}
	return t, nil
}

func parsePictureName(name string) (card.Rank, card.Suit, error) {
	parts := strings.Split(strings.TrimSuffix(name, filepath.Ext(name)), "-")
	if len(parts) == 3 {
		r, err := card.ParseRank(parts[0])
		if parts[0] == "none" {
			r, err = card.NoRank, nil
		}
		if err == nil && parts[1] == "" {
			return r, card.NoSuit, nil
		}
		if s, serr := card.ParseSuit(parts[1]); err == nil && serr == nil {
			return r, s, nil
		}
	}
	return 0, 0, fmt.Errorf("%s: a deck's picture is named like 7-hearts-1.png", name)
}

// twins is how much less alike than its own picture the picture of another rank
// must be: with less the reader would never be certain of either. Two pictures of
// one card differ by about 0.01, a nine and a ten by 0.05.
const twins = 0.025

func (p pattern) twin(o pattern) bool {
	return p.rank != o.rank && alike(p.face, o.face) > 1-twins
}

// Confusable loads a taught deck and lists the pairs of its cards of different
// ranks that are too alike to be told apart, as when one card was shown twice.
func Confusable(dir string) ([][2]card.Card, error) {
	t, err := loadDeck(dir)
	if err != nil {
		return nil, err
	}
	var pairs [][2]card.Card
	for i, p := range t.patterns {
		for _, o := range t.patterns[:i] {
			if p.twin(o) {
				pairs = append(pairs, [2]card.Card{{Rank: o.rank, Suit: o.suit}, {Rank: p.rank, Suit: p.suit}})
			}
		}
	}
	return pairs, nil
}

// faceVector is a straightened card as a vector of length 1 without its mean,
// cut dx, dy pixels aside.
func faceVector(m gocv.Mat, dx, dy int) []float32 {
	const in = weights.Margin + 2
	r := cut(m, in+dx, in+dy, weights.CardW-2*in, weights.CardH-2*in)
	defer r.Close()
	small := gocv.NewMat()
	defer small.Close()
	gocv.Resize(r, &small, pt(patternW, patternH), 0, 0, gocv.InterpolationArea)
	b, err := small.DataPtrUint8()
	if err != nil {
		panic("cv: a shrunk card is not in one piece: " + err.Error())
	}
	v := normalise(b, 3, false)
	var sq float64
	for _, x := range v {
		sq += float64(x) * float64(x)
	}
	k := float32(1 / math.Sqrt(math.Max(sq, 1e-9)))
	for i := range v {
		v[i] *= k
	}
	return v
}

// read compares a straightened card with every picture, both ways round and a
// little aside, and scores the ranks.
func (t *taught) read(c straight) (scores [card.Ranks + 1]float32, suit card.Suit) {
	best := map[card.Card]float64{}
	var at, like []float32 // the card cut as it fits best, and what it fits
	top := 0.0
	for dy := -patternShift; dy <= patternShift; dy += patternShift {
		for dx := -patternShift; dx <= patternShift; dx += patternShift {
			v := faceVector(c.bgr, dx, dy)
			for _, p := range t.patterns {
				k := card.Card{Rank: p.rank, Suit: p.suit}
				l := alike(v, p.face)
				best[k] = math.Max(best[k], l)
				if l > top {
					top, at, like = l, v, p.face
				}
			}
		}
	}
	if top < taughtLeast {
		for r := 1; r <= card.Ranks; r++ {
			scores[r] = -taughtFloor
		}
		return scores, card.NoSuit
	}
	type hit struct {
		c card.Card
		l float64
	}
	var hits []hit
	for k, l := range best {
		hits = append(hits, hit{k, l})
	}
	sort.Slice(hits, func(i, j int) bool { return hits[i].l > hits[j].l })
	for r := range scores {
		scores[r] = -taughtFloor
	}
	for _, h := range hits {
		s := float32(math.Max(taughtSteep*math.Log(unlike(top)/unlike(h.l)), -taughtFloor))
		scores[h.c.Rank] = max(scores[h.c.Rank], s)
	}
	if scores[0] == 0 { // it is one of the pictures of what is no rank
		return scores, card.NoSuit
	}
	scores[0] = -taughtFloor
	fit := math.Min(ramp(top, taughtPoor, taughtGood), ramp(worstPart(at, like), strange, familiar))
	for r := 1; r <= card.Ranks; r++ {
		scores[r] *= float32(fit)
	}
	if _, sure, _ := vision.Likeliest(scores); sure < vision.Sure {
		for r := 1; r <= card.Ranks; r++ {
			scores[r] *= taughtDoubt
		}
	}
	suit = hits[0].c.Suit
	for _, h := range hits[1:] {
		// Two kings may differ in little but a small sign.
		if h.c.Rank == hits[0].c.Rank && hits[0].l-h.l < taughtSuit {
			suit = card.NoSuit
		}
	}
	return scores, suit
}

// unlike is the share of a card that a picture of this likeness leaves
// unexplained. It is never nothing: a camera has its noise.
func unlike(l float64) float64 { return 1 - l*l + 0.01 }

// ramp is 0 at from, 1 at to, and goes straight between and on beyond neither.
func ramp(v, from, to float64) float64 {
	return math.Min(1, math.Max(0, (v-from)/(to-from)))
}

// worstPart is how much a picture leaves unexplained in that twelfth of a card in
// which it leaves most, as a share of all that the card shows. A three is a two
// nearly everywhere; in its middle it is none.
func worstPart(v, p []float32) float64 {
	const n, across, down = patternW * patternH, 3, 4
	l, turned := compare(v, p)
	var parts [across * down]float64
	worst := 0.0
	for c := range 3 {
		for i := range n {
			j := i
			if turned {
				j = n - 1 - i
			}
			d := float64(v[c*n+i]) - l*float64(p[c*n+j])
			at := &parts[i/patternW*down/patternH*across+i%patternW*across/patternW]
			*at += d * d
			worst = math.Max(worst, *at)
		}
	}
	return worst
}

// alike is the likeness of two vectors, either way round.
func alike(a, b []float32) float64 {
	l, _ := compare(a, b)
	return l
}

// compare is the likeness of two vectors, and whether one of them had to be
// turned by half for it.
func compare(a, b []float32) (l float64, turned bool) {
	var up, down float32
	const n = patternW * patternH
	for c := 0; c < 3; c++ {
		x, y := a[c*n:(c+1)*n], b[c*n:(c+1)*n]
		for i, v := range x {
			up += v * y[i]
			down += v * y[n-1-i]
		}
	}
	return float64(max(up, down)), down > up
}
