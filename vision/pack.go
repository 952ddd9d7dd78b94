package vision

import "math"

// pack is what is known of the size of the cards: outlines that were read with certainty
// while nothing moved around them. Among other cards' edges some of them are found
// askew, but seldom twice in the same way, so the one that is most like all others tells the size.
type pack struct {
	outlines []Quad
	typical  Quad // zero while there are none
	told     Quad // the last one that was told; at that moment a hand is often near
}

const (
	packMost   = 15 // outlines that are kept
	packEnough = 3  // outlines that must be known before one is judged by them
)

// note adds an outline.
func (p *pack) note(q Quad) {
	if len(p.outlines) == packMost {
		p.outlines = append(p.outlines[:0], p.outlines[1:]...)
	}
	p.outlines = append(p.outlines, q)
	least := math.Inf(1)
	for i := len(p.outlines) - 1; i >= 0; i-- { // the latest of equals
		t, ok := TableOf(p.outlines[i])
		if !ok {
			continue
		}
		sum := 0.0
		for _, o := range p.outlines {
			sum += math.Min(differ(t, o), 0.3)
		}
		if sum < least {
			least, p.typical = sum, p.outlines[i]
		}
	}
}

// off is how far an outline's size is from the pack's, 0 when nothing is known of it.
func (p *pack) off(q Quad) float64 {
	t, ok := TableOf(p.typical)
	if len(p.outlines) < packEnough || !ok {
		return 0
	}
	return differ(t, q)
}

// odd says that an outline isn't that of a card, which a slanted view and the distance
// leave about as long for its width as the others: it is one of two cards, or of a part of
// one. least is how many outlines must be known to say so.
func (p *pack) odd(q Quad, least int) bool {
	const most = 0.15
	t, ok := TableOf(p.typical)
	if len(p.outlines) < least || !ok {
		return false
	}
	w, h := t.size(q)
	return math.Abs(math.Log(h*CardWide/(w*CardHigh))) > most
}

// differ is by which share, in all, a card's sides differ from those of one that shows
// how the table lies.
func differ(t Table, q Quad) float64 {
	w, h := t.size(q)
	return math.Abs(math.Log(w/CardWide)) + math.Abs(math.Log(h/CardHigh))
}
