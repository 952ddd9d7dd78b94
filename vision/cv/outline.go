//go:build cgo

package cv

import (
	"image"
	"math"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// Outline finds the one card in a picture without reading it: the outline on
// which most ways of looking agree. A picture that is itself a card's scan,
// without anything around it, is taken whole.
func (e *Eye) Outline(f vision.Frame) (vision.Quad, error) {
	full, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
	if err != nil {
		return vision.Quad{}, err
	}
	defer full.Close()
	e.find.begin(full, nil, image.Rect(0, 0, f.W, f.H), 640, 0)
	best, score := e.elect(nil, vision.Quad{})
	ratio := float64(max(f.W, f.H)) / float64(min(f.W, f.H))
	share := best.Area() / float64(e.find.w*e.find.h)
	if score == 0 || ratio > 1.25 && ratio < 2 && share < 0.02 {
		w, h := float64(f.W-1), float64(f.H-1)
		return vision.Quad{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}, nil
	}
	return e.find.full(best), nil
}

// lookBlind finds the one card that arrived in an area, without reading it.
func (e *Eye) lookBlind(full gocv.Mat, before *vision.Frame, area image.Rectangle, a vision.Ask) []vision.Sighting {
	_, size := a.Card.Sides()
	e.find.begin(full, before, area, 640, size)
	q, score := e.elect(a.Known, a.Card)
	if score == 0 {
		return nil
	}
	s := vision.Sighting{Quad: e.find.full(q), Whole: true}
	if w, h := s.Quad.Sides(); w > h {
		s.Quad = s.Quad.Turn(1)
	}
	for r := 1; r <= card.Ranks; r++ {
		s.Score[r] = -float32(math.Log(card.Ranks))
	}
	judge(&s)
	return []vision.Sighting{s}
}

// elect is the outline, in the small picture, on which most ways of looking
// agree, other than those of known cards; its score is 0 when there is none. like
// is another card of the pack, if there is one.
func (e *Eye) elect(known []vision.Quad, like vision.Quad) (best vision.Quad, score float64) {
	type group struct {
		q     vision.Quad
		votes float64
	}
	var groups []group
	vote := func(q vision.Quad, votes float64) {
		for _, k := range known {
			if e.find.small(k).Moved(q) < 0.03 {
				return
			}
		}
		for i := range groups {
			if groups[i].q.Moved(q) < 0.03 {
				groups[i].votes += votes
				return
			}
		}
		groups = append(groups, group{q, votes})
	}
	// What was not there before says more than any edge.
	for _, q := range e.find.quads(e.find.arrived()) {
		vote(q, 3)
	}
	for n := range masks {
		m := e.find.mask(n)
		for _, q := range e.find.quads(e.find.shapes(m)) {
			vote(q, 1)
		}
		m.Close()
	}
	for _, g := range groups {
		w, h := g.q.Sides()
		ratio := math.Max(w, h) / math.Min(w, h)
		// Cards are from 1.3 (poker) to 1.9 (Italian) times as long as wide.
		fit := math.Exp(-math.Pow(math.Max(0, math.Abs(ratio-1.6)-0.3), 2) * 20)
		if w, h := like.Sides(); w > 0 {
			// A pile that is not quite square is wider or longer than its cards.
			off := ratio*math.Min(w, h)/math.Max(w, h) - 1
			fit = math.Exp(-100 * off * off)
		}
		if s := g.votes * fit * math.Sqrt(g.q.Area()); s > score {
			best, score = g.q, s
		}
	}
	return best, score
}
