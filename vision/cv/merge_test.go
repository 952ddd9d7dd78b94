//go:build cgo

package cv

import (
	"math"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// lying is the outline of a card 200 pixels high whose middle lies at x, y, turned by degrees.
func lying(x, y, degrees float64) vision.Quad {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	across, down := vision.Point{X: cos, Y: sin}.Mul(200*vision.CardWide/vision.CardHigh), vision.Point{X: -sin, Y: cos}.Mul(200)
	corner := vision.Point{X: x, Y: y}.Sub(across.Mul(0.5)).Sub(down.Mul(0.5))
	return vision.Parallelogram(corner, across, down)
}

// atIndex is what is supposed of a card by its i-th index alone: larger or
// smaller by k, and turned by degrees too many.
func atIndex(q vision.Quad, i int, k, degrees float64) vision.Quad {
	q = end(q, i)
	high := q[3].Sub(q[0]).Len()
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	u := q[3].Sub(q[0]).Mul(1 / high)
	u = vision.Point{X: u.X*cos - u.Y*sin, Y: u.X*sin + u.Y*cos}
	return index{at: indexOf(q), down: u.Mul(high * k * 0.085)}.card()
}

// TestBetween wants the whole card from its two ends, and no card from the ends of two.
func TestBetween(t *testing.T) {
	for turn := 0.0; turn < 360; turn += 40 {
		q := lying(300, 300, turn)
		got, ok := between(atIndex(q, 0, 0.8, 5), atIndex(q, 1, 1.2, -9))
		if !ok || q.Moved(got) > 0.02 {
			t.Errorf("turned by %v: the card at %v is found at %v, %v", turn, q, got, ok)
		}
		neighbour := lying(300+110*math.Cos(turn*math.Pi/180), 300+110*math.Sin(turn*math.Pi/180), turn)
		for name, b := range map[string]vision.Quad{
			"its own end": atIndex(q, 0, 1, 0), "the same end of a neighbour": atIndex(neighbour, 0, 1, 0),
			"the other end of a neighbour": atIndex(neighbour, 1, 1, 0), "a crossing card": atIndex(lying(300, 300, turn+90), 1, 1, 0),
		} {
			if got, ok := between(atIndex(q, 0, 1, 0), b); ok {
				t.Errorf("turned by %v: with %s it is a card at %v", turn, name, got)
			}
		}
	}
}

// TestMerged counts cards that were read in several ways.
func TestMerged(t *testing.T) {
	one, next := lying(300, 300, 20), lying(345, 310, 24)
	whole := func(q vision.Quad, r card.Rank, c float64) reading {
		return reading{Sighting: vision.Sighting{Quad: q, Rank: r, Confidence: c, Whole: true}, ends: [2]bool{true, true}}
	}
	corner := func(q vision.Quad, i int, r card.Rank, c float64) reading {
		return reading{Sighting: vision.Sighting{Quad: atIndex(q, i, 0.75, 4), Rank: r, Confidence: c}, ends: [2]bool{true, false}}
	}
	frame := vision.Quad{}
	for i, p := range one {
		frame[i] = one.Center().Add(p.Sub(one.Center()).Mul(0.86))
	}
	hull := vision.Quad{one[0], next[1], next[2], one[3]}
	bent := whole(hull, card.Nine, 0.999)
	bent.bent, bent.ends = true, [2]bool{true, false}
	none := whole(frame, card.NoRank, 0.99)
	none.ends = [2]bool{}
	crooked := whole(vision.Quad{frame[0], frame[1], one.Center(), frame[3]}, card.King, 0.995)
	crooked.bent, crooked.ends = true, [2]bool{false, true}
	oneEnd := whole(one, card.King, 1)
	oneEnd.ends[1] = false
	// beside is what is supposed by the index that a card for Skat bears beside its i-th.
	beside := func(q vision.Quad, i int, r card.Rank, c float64) reading {
		s := corner(q, i, r, c)
		s.Quad = off(s.Quad, (1-2*0.105)/0.75, 0)
		return s
	}
	told := func(r reading, suit card.Suit) reading {
		r.Suit = suit
		return r
	}
	// firm is an end of a card that lies crosswise on another.
	firm := func(q vision.Quad, rank card.Rank, least float64) reading {
		r := corner(q, 0, rank, 0.9999)
		r.Quad, r.least = atIndex(q, 0, 1, 0), least
		return r
	}
	// A knife across the card cut its outline short.
	short := whole(atIndex(one, 0, 0.6, 0), card.Nine, 0.999)
	short.ends[1] = false
	across := lying(195, 320, 110)
	other := lying(480, 330, 75)
	// Its index was taken to stand 20 pixels farther out, beyond its edge.
	aside := lying(318.8, 306.8, 20)
	for name, c := range map[string]struct {
		seen []reading
		want int
	}{
		"a card with four indices": {[]reading{whole(one, card.Nine, 0.99), beside(one, 0, card.Nine, 0.999), beside(one, 1, card.Nine, 0.999)}, 1},
		"two cards with four indices, by those alone": {[]reading{
			corner(one, 0, card.Nine, 0.9999), corner(one, 1, card.Nine, 0.9999), beside(one, 0, card.Nine, 0.999), beside(one, 1, card.Nine, 0.999),
			corner(other, 0, card.King, 0.9999), corner(other, 1, card.King, 0.9999), beside(other, 0, card.King, 0.999), beside(other, 1, card.King, 0.999)}, 2},
		"ends that differ in colour":      {[]reading{told(corner(one, 0, card.Nine, 0.999), card.Hearts), told(corner(one, 1, card.Nine, 0.999), card.Spades)}, 2},
		"neighbours in a fan alike":       {[]reading{told(corner(one, 0, card.Nine, 0.999), card.Clubs), told(corner(next, 0, card.Nine, 0.999), card.Spades)}, 2},
		"an outline cut short":            {[]reading{short, corner(one, 1, card.Nine, 0.999)}, 1},
		"a card on a card":                {[]reading{whole(one, card.Nine, 1), firm(across, card.Ace, 0.98)}, 2},
		"a figure that is a doubtful ace": {[]reading{whole(one, card.Nine, 1), firm(across, card.Ace, 0.5)}, 1},
		"another rank where a fourth is":  {[]reading{oneEnd, beside(one, 0, card.Nine, 0.999)}, 2},
		"ends surer than the whole":       {[]reading{whole(one, card.Nine, 0.99), corner(one, 0, card.Nine, 0.9999), corner(one, 1, card.Nine, 0.9999), corner(lying(320, 330, 20), 0, card.Ace, 0.999)}, 1},
		"an index beyond the edge":        {[]reading{whole(one, card.Nine, 0.999), corner(aside, 1, card.Nine, 0.99)}, 1},
		"a card and its ends":             {[]reading{whole(one, card.Nine, 1), corner(one, 0, card.Nine, 0.9), corner(one, 1, card.Nine, 0.99)}, 1},
		"two ends of a card":              {[]reading{corner(one, 0, card.Nine, 0.9), corner(one, 1, card.Nine, 0.99)}, 1},
		"the frame printed on a card":     {[]reading{whole(frame, card.King, 1), corner(one, 0, card.King, 0.99), corner(one, 1, card.King, 0.99)}, 1},
		"an index read as two ranks":      {[]reading{corner(one, 0, card.Nine, 0.99), corner(one, 0, card.Six, 0.9)}, 1},
		"a pip read as an index":          {[]reading{whole(one, card.Nine, 1), corner(lying(320, 330, 20), 0, card.Ace, 0.99)}, 1},
		"no card within a card":           {[]reading{whole(one, card.Nine, 1), none}, 1},
		"a fan of two":                    {[]reading{corner(one, 0, card.Nine, 0.99), whole(next, card.Nine, 1)}, 2},
		"a fan of two, by indices":        {[]reading{corner(one, 0, card.Nine, 0.99), corner(next, 0, card.Nine, 0.99), corner(next, 1, card.Nine, 0.99)}, 2},
		"the outline of two and both":     {[]reading{bent, corner(one, 0, card.Nine, 0.99), whole(next, card.Five, 0.99)}, 2},
		"an outline of two, nothing else": {[]reading{bent}, 1},
		"a crooked outline in a card":     {[]reading{whole(one, card.King, 1), crooked}, 1},
		"a crooked outline, one end read": {[]reading{oneEnd, crooked}, 1},
		"a figure that is half a rank":    {[]reading{whole(one, card.King, 1), corner(lying(310, 320, 200), 0, card.Jack, 0.8)}, 1},
	} {
		if got := merged(c.seen, true); len(got) != c.want {
			t.Errorf("%s: %d cards instead of %d: %+v", name, len(got), c.want, got)
		}
	}
}

// TestWorth wants less of what proved to be worth less, and nothing taken from what is sure.
func TestWorth(t *testing.T) {
	sure := reading{Sighting: vision.Sighting{Rank: card.Nine, Confidence: 0.995, Whole: true}}
	if got := sure.worth(); got != 0.995 {
		t.Errorf("what is sure is worth %v", got)
	}
	for w := range worths {
		doubt := reading{Sighting: vision.Sighting{Rank: card.Nine, Confidence: 0.95, Whole: witness(w) < cornerOnly},
			ends: [2]bool{witness(w) != noEnd, witness(w) == bothEnds}, printed: witness(w) == indexOnly}
		if doubt.witness() != witness(w) || doubt.worth() >= 0.9 {
			t.Errorf("witness %d: taken for %d, worth %v", w, doubt.witness(), doubt.worth())
		}
	}
}

// TestMost caps readings by what they rest on.
func TestMost(t *testing.T) {
	is := func(r card.Rank, p, none float32) (o ranks) {
		o[r-1], o[card.Ranks] = p, none
		return o
	}
	no := is(card.Queen, 0.01, 0.96)
	for name, c := range map[string]struct {
		said  []ranks
		still bool
		want  float64
	}{
		"two corners and a face":              {[]ranks{is(card.Queen, 0.99, 0), is(card.Queen, 0.9, 0), is(card.Queen, 0.9, 0)}, true, 1},
		"the face alone":                      {[]ranks{no, no, is(card.Queen, 0.999, 0)}, true, 0.9},
		"the face alone, in a film":           {[]ranks{no, no, is(card.Queen, 0.999, 0)}, false, 0.9},
		"a corner and a face":                 {[]ranks{no, is(card.Queen, 0.9, 0), is(card.Queen, 0.9, 0)}, true, 1},
		"a corner of another rank":            {[]ranks{is(card.Jack, 0.9, 0), is(card.Queen, 0.9, 0), is(card.Queen, 0.99, 0)}, false, doubtful},
		"three guesses":                       {[]ranks{is(card.Queen, 0.6, 0), is(card.Queen, 0.5, 0), is(card.Queen, 0.7, 0)}, true, doubtful},
		"three guesses, of which more follow": {[]ranks{is(card.Queen, 0.6, 0), is(card.Queen, 0.5, 0), is(card.Queen, 0.7, 0)}, false, 1},
		"a face that is no card":              {[]ranks{is(card.Queen, 0.6, 0), is(card.Queen, 0.91, 0), is(card.Queen, 0.01, 0.98)}, true, doubtful},
	} {
		if got := most(card.Queen, c.said, c.still); got != c.want {
			t.Errorf("%s: worth %v at most instead of %v", name, got, c.want)
		}
	}
}

// TestEitherWay doubts what is another rank upside down.
func TestEitherWay(t *testing.T) {
	turned := func(r card.Rank) (o ranks) {
		o[r-1] = 0.99
		return o
	}
	for _, c := range []struct {
		is, turned card.Rank
		way        float64
		want       bool
	}{{card.Eight, card.Jack, 0.6, true}, {card.Eight, card.Jack, 1, false}, {card.Eight, card.Eight, 0.6, false}, {card.Six, card.Nine, 0.95, false}, {card.Six, card.Nine, 0.3, true}} {
		r := reading{Sighting: vision.Sighting{Rank: c.is}}
		if got := r.eitherWay(turned(c.turned), c.way); got != c.want {
			t.Errorf("%v, upside down %v, direction %v: either way %v", c.is, c.turned, c.way, got)
		}
	}
}

// TestDisputed doubts an index on a card that as a whole seems to be another.
func TestDisputed(t *testing.T) {
	q := lying(300, 300, 20)
	for _, c := range []struct {
		rank card.Rank
		conf float64
		sure bool
	}{{card.King, 0.95, false}, {card.King, 0.6, true}, {card.Queen, 0.95, true}} {
		index := reading{Sighting: vision.Sighting{Quad: atIndex(q, 0, 1, 0), Rank: card.Queen, Confidence: 0.9999}, ends: [2]bool{true, false}, printed: true}
		face := reading{Sighting: vision.Sighting{Quad: q, Rank: c.rank, Confidence: c.conf, Whole: true}}
		got := merged([]reading{face, index}, true)
		if len(got) != 1 || got[0].Rank != card.Queen || (got[0].Confidence >= vision.Sure) != c.sure {
			t.Errorf("a whole %v of %v: %+v", c.rank, c.conf, got)
		}
	}
}

// TestFirm wants an index to be read alike in every size, or surely.
func TestFirm(t *testing.T) {
	is := func(r card.Rank, p float32, other card.Rank, q float32) (o ranks) {
		o[r-1], o[other-1] = p, q
		return o
	}
	for name, c := range map[string]struct {
		clearest float32
		least    float64
		size     ranks
		want     bool
	}{
		"surely":                         {0.995, 0.7, is(card.King, 0.7, card.Two, 0.15), true},
		"surely, but not a little aside": {0.995, 0.5, is(card.King, 0.9, card.Two, 0), false},
		"surely, but not in each size":   {0.995, 0.99, is(card.King, 0.5, card.Jack, 0.4), false},
		"alike in every size":            {0.96, 0.92, is(card.King, 0.93, card.Two, 0.05), true},
		"hardly in one size":             {0.98, 0.94, is(card.King, 0.74, card.Two, 0.06), false},
		"less than surely":               {0.96, 0.7, is(card.King, 0.93, card.Two, 0.05), false},
	} {
		r := reading{Sighting: vision.Sighting{Rank: card.King}, least: c.least}
		if got := r.firm(c.clearest, []ranks{is(card.King, c.clearest, card.Two, 0), c.size}); got != c.want {
			t.Errorf("%s: firm %v", name, got)
		}
	}
}

// TestBent tells a card seen from the side from the outline of two.
func TestBent(t *testing.T) {
	e := openTestEye(t)
	f := lyingCard(t, card.Card{Rank: card.Two, Suit: card.Clubs})
	q, err := e.Outline(f)
	if err != nil {
		t.Fatal(err)
	}
	if w, h := q.Sides(); w > h {
		q = q.Turn(1)
	}
	if bent(q, f.W, f.H) {
		t.Errorf("the card at %v is said to be none", q)
	}
	wide := vision.Quad{q[0], q[1].Add(q[1].Sub(q[0]).Mul(0.5)), q[2].Add(q[2].Sub(q[3]).Mul(0.5)), q[3]}
	if !bent(wide, f.W, f.H) {
		t.Errorf("two cards at %v are said to be one", wide)
	}
}
