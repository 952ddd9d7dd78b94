//go:build cgo

package cv

import (
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// Eye finds and reads cards. It is for one goroutine.
type Eye struct {
	find *finder
	read *reader
	deck *taught // nil: the nets read
	dumb bool    // finds without reading
	turn int     // which of the later ways of looking come first in a film's next frame
}

// NewEye loads the reader.
func NewEye(o EyeOptions) (*Eye, error) {
	r, err := newReader()
	if err != nil {
		return nil, err
	}
	e := &Eye{find: newFinder(), read: r, dumb: o.Blind}
	if o.Deck != "" {
		if e.deck, err = loadDeck(o.Deck); err != nil {
			e.Close()
			return nil, err
		}
	}
	forgetStart()
	return e, nil
}

// certain is the confidence from which the finder need not look for a better
// outline of the same card.
const certain = 0.995

// noIndex is how sure the corner net must be that a corner bears no index.
const noIndex = 0.97

// thoroughLong is the size, for finder.begin, in which a still picture is looked at.
const thoroughLong = 800

// A film's frame must be done before the next one comes. When no card was
// certain after the first ways of looking, only few of the others are tried, and
// few outlines and corners read; what lies still gets the rest in the frames
// that follow.
const (
	firstMasks = 2 // tried in every frame
	filmMasks  = 1 // of the others, in turn
	filmQuads  = 1 // outlines of one mask that are read in every frame
	filmMore   = 1 // of the others, in turn
	// Corners that are read in every frame, and of the others in turn.
	filmCorners, filmMoreCorners = 2, 4
)

// Look finds the cards in a part of a picture, the most certain first.
func (e *Eye) Look(f vision.Frame, a vision.Ask) ([]vision.Sighting, error) {
	area := a.Area.Intersect(image.Rect(0, 0, f.W, f.H))
	if a.Area.Empty() {
		area = image.Rect(0, 0, f.W, f.H)
	}
	if area.Dx() < 16 || area.Dy() < 16 {
		return nil, nil
	}
	full, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
	if err != nil {
		return nil, err
	}
	defer full.Close()
	e.turn++
	l := look{eye: e, full: full, ask: a}
	for _, q := range a.Expected {
		l.again(q)
	}
	if a.Effort != vision.Thorough && l.certain() {
		return merged(l.seen, a.Effort == vision.Thorough), nil
	}
	before := a.Before
	if before != nil && (before.W != f.W || before.H != f.H) {
		before = nil
	}
	if e.dumb {
		return e.lookBlind(full, before, area, a), nil
	}
	long := 640
	if a.Effort == vision.Thorough {
		long = thoroughLong
	}
	_, size := a.Card.Sides()
	e.find.begin(full, before, area, long, size)
	for _, k := range a.Known {
		l.skip = append(l.skip, e.find.small(k))
	}
	for _, s := range l.seen {
		l.tried = append(l.tried, e.find.small(s.Quad))
	}
	l.search()
	return merged(l.seen, a.Effort == vision.Thorough), nil
}

// search reads what the finder, which has begun, and the later stages find.
func (l *look) search() {
	e, a := l.eye, l.ask
	l.try(e.find.quads(e.find.arrived()))
	if a.Effort != vision.Thorough && !l.certain() {
		n := len(l.seen)
		l.try(l.placed())
		l.seen = slices.DeleteFunc(l.seen, func(r reading) bool { return false })
		l.seen = append(l.seen[:n], slices.DeleteFunc(l.seen[n:], func(r reading) bool { return r.Rank == card.NoRank || r.Confidence < 0.5 })...)
	}
	for _, n := range e.ways(a.Effort) {
		if a.Effort != vision.Thorough && l.certain() {
			break
		}
		m := e.find.mask(n)
		shapes := e.find.shapes(m)
		m.Close()
		l.try(e.find.quads(shapes))
		l.shapes = append(l.shapes, shapes...)
	}
	if e.deck == nil && (a.Effort == vision.Thorough || a.Effort == vision.Normal && !l.certain()) {
		l.cornerStage()
	}
	if e.deck == nil && a.Effort == vision.Thorough {
		l.indexStage()
	}
}

// placed are the outlines of cards like those known, in the small picture.
func (l *look) placed() []vision.Quad {
	if ref := l.ask.Card; ref != (vision.Quad{}) {
		return l.eye.find.placed(ref)
	}
	return nil
}

// ways are the masks to try in one look.
func (e *Eye) ways(effort vision.Effort) (ns []int) {
	few, more := firstMasks, 0
	switch effort {
	case vision.Normal:
		more = filmMasks
	case vision.Thorough:
		few = masks
	}
	for n := range few {
		ns = append(ns, n)
	}
	for i := range more {
		ns = append(ns, firstMasks+(e.turn*more+i)%(masks-firstMasks))
	}
	return ns
}

// Close frees the nets and pictures.
func (e *Eye) Close() error {
	e.find.close()
	e.read.close()
	return nil
}

// look is one Look at work.
type look struct {
	eye    *Eye
	full   gocv.Mat
	ask    vision.Ask
	shapes []shape
	skip   []vision.Quad // of the cards known, in the small picture
	tried  []vision.Quad // likewise
	seen   []reading
}

// reading is a sighting and what else is known of how it came about.
type reading struct {
	vision.Sighting
	// ends says which of the two index corners, the first and the third, bear the rank.
	ends [2]bool
	// bent outlines are those of no rectangle on a table: of two cards that lie
	// on one another, or of a part of one.
	bent bool
	// printed says that nothing but an index was found, least is the lowest
	// probability of the rank in any cut of it.
	printed bool
	least   float64
}

func (l *look) certain() bool {
	for _, s := range l.seen {
		if s.Rank != card.NoRank && s.Confidence >= certain {
			return true
		}
	}
	return false
}

// try reads the outlines that were not tried yet, the best supported first.
func (l *look) try(quads []vision.Quad) {
	quads = slices.DeleteFunc(quads, l.known)
	if l.ask.Effort != vision.Thorough {
		quads = inTurn(quads, filmQuads, filmMore, l.eye.turn)
	}
	for _, q := range quads {
		if l.known(q) { // like one just read
			continue
		}
		l.tried = append(l.tried, q)
		l.seen = append(l.seen, l.readQuad(l.eye.find.full(q)))
	}
}

// inTurn are the first few of all, and some more of the others: with each turn
// the next ones.
func inTurn[T any](all []T, few, more, turn int) []T {
	if len(all) <= few+more {
		return all
	}
	some, rest := all[:few:few], all[few:]
	for i := range more {
		some = append(some, rest[(turn*more+i)%len(rest)])
	}
	return some
}

// again reads a card where it was read before.
func (l *look) again(q vision.Quad) {
	if s := l.readQuad(q); s.Rank != card.NoRank && s.Confidence >= certain {
		l.seen = append(l.seen, s)
	}
}

func (l *look) known(q vision.Quad) bool {
	for _, k := range l.skip {
		if k.Moved(q) < 0.03 {
			return true
		}
	}
	for _, t := range l.tried {
		if t.Moved(q) < 0.012 {
			return true
		}
	}
	return false
}

// readQuad reads the card in an outline, trying the second way round when it
// is not clear which sides are the long ones.
func (l *look) readQuad(q vision.Quad) reading {
	w, h := q.Sides()
	if w > h {
		q = q.Turn(1)
		w, h = h, w
	}
	s := l.readUpright(q)
	if h/w < 1.25 && (s.Rank == card.NoRank || s.Confidence < certain) {
		if t := l.readUpright(q.Turn(1)); better(t, s) {
			s = t
		}
	}
	return s
}

// better says which of two readings of the same card to believe.
func better(a, b reading) bool {
	if (a.Rank == card.NoRank) != (b.Rank == card.NoRank) {
		return a.Rank != card.NoRank
	}
	if a.Rank == card.NoRank {
		return false
	}
	return a.Confidence > b.Confidence
}

func (l *look) readUpright(q vision.Quad) reading {
	s := reading{Sighting: vision.Sighting{Quad: q, Whole: true}, bent: l.ask.Effort == vision.Thorough && bent(q, l.full.Cols(), l.full.Rows())}
	c := straighten(l.full, q)
	defer c.close()
	if d := l.eye.deck; d != nil {
		s.Score, s.Suit = d.read(c)
		judge(&s.Sighting)
		return s
	}
	corner := l.eye.read.corners(c.cornerPatches())
	opinions := corner
	// Without any index the face alone is no witness: it is asked in still
	// pictures only, and not believed.
	indexed := corner[0][card.Ranks] < noIndex || corner[1][card.Ranks] < noIndex
	if indexed || l.ask.Effort == vision.Thorough {
		opinions = append(opinions, l.eye.read.faces([][]float32{c.facePatch()})...)
	}
	s.Score = fuse(opinions...)
	judge(&s.Sighting)
	if s.Rank == card.NoRank {
		return s
	}
	for i := range s.ends {
		s.ends[i] = corner[i][s.Rank-1] > 0.5
	}
	s.Confidence = min(s.Confidence, most(s.Rank, opinions, l.ask.Effort == vision.Thorough))
	if s.Confidence > 0.5 {
		pip := l.eye.read.pips(c.pipPatches())
		s.Suit = fuseSuits(pip[0], pip[1])
	}
	return s
}

// bent says that an outline can't be that of a card lying flat, for any usual camera.
// w and h are the picture's size.
func bent(q vision.Quad, w, h int) bool {
	middle := vision.Point{X: float64(w) / 2, Y: float64(h) / 2}
	for _, focal := range []float64{0.75, 1} {
		ratio, skew, ok := q.Rectangle(middle, focal*float64(max(w, h)))
		// Cards are from 1.35 to 1.75 times as high as wide.
		if ok && ratio > 1.22 && ratio < 1.9 && math.Abs(skew) < 0.2 {
			return false
		}
	}
	return true
}
