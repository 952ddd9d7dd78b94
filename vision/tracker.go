package vision

import (
	"cmp"
	"math"
	"slices"

	"lansquenet/ledger/card"
)

// Tracker decides from the sightings in one picture after another which cards
// were dealt. It keeps a list of the cards that lie on the table and follows
// what moves; a card counts as dealt once it lies still, uncovered and was read
// alike several times, and is neither one that lay there before nor one that
// was pushed, lifted and put back, or uncovered again.
type Tracker struct {
	// Sure is the confidence from which a rank is told; below it the host is asked.
	Sure float64
	// Possible may rule a card out; nil allows all.
	Possible func(card.Rank, card.Suit) bool

	lying  []*lying
	tracks []*track
	lost   []*track // seen to come, and out of sight before they landed
	dealt  int      // events told so far: the next card's number
	frames int      // gone by, looked at or not
	pack   pack
}

// lying is a card on the table.
type lying struct {
	quad   Quad
	rank   card.Rank    // NoRank: the host was asked, or it has none
	suit   card.Suit    // NoSuit unless it was plain
	looks  []appearance // how it looked whenever nothing moved around it, the latest last
	rested bool         // one of them was taken after it was told
	under  bool         // another card lies on it
	gone   int          // looks in a row in which its place had changed and it wasn't seen
	shade  uint8        // how bright its paper is; 0: it wasn't seen at rest yet
	intact bool         // its place looks as it did when all was still
	since  int          // the frame in which it was told
	lifted int          // the frame in which the card beneath showed; 0: it lies
	found  []Quad       // its outlines as they were found since
	tried  int          // looks in which they might have been
	flew   bool         // a card was seen to fly while this one lay untouched; none was told since, nor was all still
}

// appearance is a card's likeness, alone and with its rim, at one moment.
type appearance struct{ face, rim likeness }

// appearanceOf samples a frame within an outline and around it.
func appearanceOf(f Frame, q Quad) appearance { return appearance{likenessOf(f, q), rimOf(f, q)} }

// mostLooks are kept of a card. A hand may have rested on it in some of them.
const mostLooks = 4

// like is how well a picture agrees with the one of the card's looks that it agrees
// with best.
func (l *lying) like(face likeness) (best float64) {
	for _, a := range l.looks {
		best = max(best, face.like(a.face))
	}
	return best
}

// looksLike notes how the card looks now, unless that is known.
func (l *lying) looksLike(a appearance) {
	if a.face.v == nil || slices.ContainsFunc(l.looks, func(b appearance) bool { return a.face.like(b.face) > familiar && a.rim.like(b.rim) > familiar }) {
		return
	}
	if len(l.looks) == mostLooks {
		l.looks = append(l.looks[:1], l.looks[2:]...) // the first was read
	}
	l.looks = append(l.looks, a)
}

// remains says that of the card enough is seen outside of an outline to tell that it
// lies there still, and left that enough of its place is seen to tell that it doesn't.
// Of plain paper that peeps out the edge tells what the paper doesn't.
func (l *lying) remains(f Frame, except Quad) (remains, left bool) {
	now, hidden := rimOf(f, l.quad), behind(l.quad, except)
	if now.v == nil || hidden == nil {
		return false, false
	}
	left = true
	for _, a := range l.looks {
		if a.rim.v == nil {
			left = false
			continue
		}
		seen, all := a.rim.blocks(now, 3, hidden)
		remains = remains || all >= 3 && seen*2 > all
		left = left && all >= 5 && seen*5 < all
	}
	return remains, left
}

// track is something that may become a dealt card.
type track struct {
	quad    Quad
	from    Quad    // where it was first seen
	strayed float64 // how far it was seen from there, of its length
	spot    Quad    // where it came to lie, or was when it last moved
	landed  bool    // it lay still at its spot, if only for a moment
	alone   bool    // it lay there while nothing moved around it
	waited  int     // looks that saw it since it last moved
	still   int     // frames in a row in which it lay still
	calm    int     // frames in a row in which nothing moved around it either
	sat     int     // frames in all in which it lay where it lies and nothing moved around it
	seen    int     // sightings in all
	missed  int     // looks in a row that didn't see it
	flown   int     // sightings while it moved
	score   [card.Ranks + 1]float64
	weight  float64
	votes   [card.Ranks + 1]int // certain readings while all around was calm
	held    [card.Ranks + 1]int // certain readings while it lay still, but a hand was near
	suit    [card.Suits + 1]int
	look    appearance
	lay     lying               // how it lay while nothing moved around it
	beside  map[*lying]bool     // cards that lay untouched while this one was elsewhere
	gone    map[*lying]int      // sightings elsewhere while one of this rank wasn't where it lay
	air     [card.Ranks + 1]int // readings while it flew
	early   bool                // was there in the first picture
	whole   int
	partly  int // calm sightings of a corner alone
	fair    int // sightings where it lies that were read, if not with certainty
	updated bool
	over    bool // something comes over it
	// promising: the last sighting was read with some confidence
	promising bool
	rank      card.Rank
}

const (
	fresh      = 10    // frames in which a card just told may be seen better
	opening    = 12    // frames in which cards are taken to have lain there before
	near       = 0.035 // of a card's length: the same place
	jitter     = 0.060 // of a card's length: how far an outline may jump while the card lies still
	misfound   = 0.20  // of a card's length: how far off an outline may be found
	alike      = 0.80  // likeness of the same card
	familiar   = 0.95  // likeness of the same picture
	halfSeen   = 0.5   // of what is printed on a card: enough to tell that it lies where it lay
	flight     = 3.0   // of a card's length: how far one may fly from frame to frame
	shifted    = 0.05  // of a card's length: from where its edges are seen to be elsewhere
	nudge      = 0.60  // of a card's length: how far a card may have been pushed
	onTheWay   = 30    // looks that a card seen to come may be out of sight, in the hand
	exactly    = 0.02  // of a card's length: the same outline
	unlike     = 0.2   // of a card's sides: an outline so far from the pack's is wrong
	looksAgain = 4     // at a card that was told
	triesAgain = 12    // frames in which they are made
	aWhile     = 4     // looks that saw a card lie with nothing moving around it: it was dealt
	patient    = 14    // still frames after which the host is asked about a card that isn't certain
)

// Step takes the sightings of one frame. They must have been looked for
// wherever g reports changes.
func (t *Tracker) Step(f Frame, g *Gate, seen []Sighting) []Event {
	t.intact(g)
	t.flying(f, g)
	for _, k := range t.tracks {
		k.updated, k.over = false, k.overrun(g)
	}
	present := map[*lying]bool{}
	t.follow(f, g, slices.DeleteFunc(slices.Clone(seen), func(s Sighting) bool { return t.explained(f, g, s, present) }))
	t.settleDown(present)
	t.refresh(f, g, present)
	var out []Event
	keep := t.tracks[:0]
	for _, k := range t.tracks {
		if !k.updated {
			k.missed++
		}
		ev, done := t.decide(f, g, k)
		if ev != nil {
			out = append(out, *ev)
		}
		switch {
		case !done:
			keep = append(keep, k)
		case !k.landed && k.flown > 1:
			t.lost = append(t.lost, k)
		case ev != nil:
			t.told()
		}
	}
	t.tracks = keep
	t.lost = slices.DeleteFunc(t.lost, func(k *track) bool { k.missed++; return k.missed > onTheWay })
	if ev := t.unread(f, g, present); ev != nil {
		out = append(out, *ev)
	}
	if ev := t.sweep(f, g, present); ev != nil {
		out = append(out, *ev)
	}
	return out
}

// settleDown forgets what was taken for something new for a moment, under a
// shadow or in another light, and is a card that lies there after all.
func (t *Tracker) settleDown(present map[*lying]bool) {
	t.tracks = slices.DeleteFunc(t.tracks, func(k *track) bool {
		for l := range present {
			other := k.landed && k.fair > 0 && k.rank != l.rank // a card lies on it, of which only a corner peeps out
			if !k.updated && !other && k.from.Moved(l.quad) < 0.1 && k.quad.Moved(l.quad) < 2*near && !k.cameOver(l, l.rank) {
				return true
			}
		}
		return false
	})
}

// intact notes which cards look as they did when all was still.
func (t *Tracker) intact(g *Gate) {
	for _, l := range t.lying {
		_, moving, changed := g.Within(l.quad, 2)
		l.intact = l.lifted == 0 && moving < 0.04 && changed < 0.10
	}
}

// known are the outlines of the cards on top that lie where they lay, and need not be
// looked at.
func (t *Tracker) known(g *Gate) []Quad {
	var out []Quad
	t.intact(g)
	for _, l := range t.lying {
		switch {
		case !l.intact || l.under || t.overshadowed(l):
		case t.again(g, l):
			l.tried++
		default:
			out = append(out, l.quad)
		}
	}
	return out
}

// flying notes which cards lie untouched while something else of their size, as bright
// as their paper, is in the picture that wasn't there when all was still. A hand isn't as
// bright, and while a card is pushed or lifted it isn't where it lay. What
// comes to lie on one of them afterwards is another card, though it be its twin.
func (t *Tracker) flying(f Frame, g *Gate) {
	const size = 0.35 // of a card: the hand hides some of it, and in flight its edges are blurred
	if g.Moving < leastCells {
		return
	}
	for _, l := range t.lying {
		if l.under || l.lifted > 0 || l.shade == 0 {
			continue
		}
		if n, _, _ := g.Within(l.quad, 1); float64(g.Paper(l.shade)) > size*float64(n) && (l.intact || l.stays(f)) {
			l.flew = true
		}
	}
}

// overshadowed says that something that flew in may lie on l by now, though
// the place looks the same: an identical card, laid exactly on it.
func (t *Tracker) overshadowed(l *lying) bool {
	for _, k := range t.tracks {
		if k.missed < 5 && k.cameOver(l, l.rank) && k.quad.Moved(l.quad) < 1.2 {
			return true
		}
	}
	return false
}

// Busy says that something that may be a card is not decided yet.
func (t *Tracker) Busy() bool {
	for _, k := range t.tracks {
		if k.missed < 3 && (k.promising || k.still > 1) {
			return true
		}
	}
	return false
}

// expected are where promising tracks were seen last.
func (t *Tracker) expected() []Quad {
	var out []Quad
	for _, k := range t.tracks {
		if k.promising && k.missed < 2 && k.whole > 0 {
			out = append(out, k.quad)
		}
	}
	return out
}

// explained says that a sighting tells nothing new: it is a card that lies on
// the table, which is noted as present, or nothing changed where it was made.
func (t *Tracker) explained(f Frame, g *Gate, s Sighting, present map[*lying]bool) bool {
	arriving := false
	for _, l := range t.lying {
		switch {
		case !s.Whole && s.Rank == l.rank && samePlace(l.quad, s):
			present[l] = true // its corner still peeps out
			return true
		case s.Whole && s.Rank == l.rank && l.quad.Overlap(s.Quad) > 0.6 && (t.pack.odd(s.Quad, packEnough) || s.Confidence < t.Sure && t.pack.odd(s.Quad, 1)):
			return true // it and another, taken for one
		case l.under || l.lifted > 0:
		case l.quad.Overlap(s.Quad) < 0.6:
		case t.arriving(l, s):
			arriving = true
		case l.intact && s.Whole && s.Rank == l.rank && s.Confidence >= t.Sure && g.Clear(l.quad, 3):
			t.seenAgain(l, s.Quad)
			present[l] = true
			return true
		case l.intact, // seen askew, with its shadow or without its rim
			s.Rank == l.rank && !otherSuit(s.Suit, l.suit) && (l.shows(f) || !l.flew && l.stays(f)):
			present[l] = true
			return true
		}
	}
	if s.Rank == card.NoRank && !s.Whole {
		return true
	}
	// Where all looks as it did when it was still, nothing can have come; where
	// the bare table shows, something went, and left the outline of a hole.
	_, moving, changed := g.Within(s.Quad, 3)
	return moving < 0.04 && changed < 0.10 && !arriving && t.frames > opening || changed > 0.25 && g.Bare(s.Quad)
}

// otherSuit says that two suits, as far as they were read, differ.
func otherSuit(a, b card.Suit) bool { return a != b && a != card.NoSuit && b != card.NoSuit }

// shows says that the picture within the outline of a card is that card's still.
// The outline of a sighting may be askew; the card's own isn't.
func (l *lying) shows(f Frame) bool { return l.like(likenessOf(f, l.quad)) > alike }

// stays says that enough of what is printed on a card is seen where it lay, though
// a hand or its shadow may hide the rest.
func (l *lying) stays(f Frame) bool {
	now := likenessOf(f, l.quad)
	return slices.ContainsFunc(l.looks, func(a appearance) bool { return a.face.seenIn(now) >= halfSeen })
}

// find looks for the card's picture around a place, up to an eighth of its
// length away and a little turned, and says how well it fits there.
func (l *lying) find(f Frame, about Point) (at Quad, same float64) {
	_, long := l.quad.Sides()
	at = l.quad.Scale(1, about.Sub(l.quad.Center()))
	for _, step := range []float64{0.04, 0.02, 0.01} {
		from := at
		reach := 1
		if step == 0.04 {
			reach = 3
		}
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				for turn := -1; turn <= 1; turn++ {
					q := from.turned(float64(turn)*step/2).Scale(1, Point{float64(dx) * step * long, float64(dy) * step * long})
					if s := l.like(likenessOf(f, q)); s > same {
						at, same = q, s
					}
				}
			}
		}
	}
	return at, same
}

// refresh notes how cards look that were seen to lie where they lay, once nothing
// moves around them: when they were told, a hand or its shadow may have been on them.
func (t *Tracker) refresh(f Frame, g *Gate, present map[*lying]bool) {
	for _, l := range t.lying {
		if l.under || l.lifted > 0 || !l.intact && !present[l] || !g.Clear(l.quad, 3) || t.undecided(l) {
			continue
		}
		if q := t.outline(l); q != l.quad {
			// When it was told a hand or another card's edge led the outline astray.
			l.quad, l.looks = q, nil
		}
		l.looksLike(appearanceOf(f, l.quad))
		l.rested, l.flew = true, false
		if !l.intact {
			g.KeepIn(l.quad)
		}
		l.shade = g.Shade(l.quad)
	}
}

// seenAgain notes the outline of a card in one more look, while nothing moves around it.
func (t *Tracker) seenAgain(l *lying, q Quad) {
	if len(l.found) == looksAgain {
		return
	}
	if l.found = append(l.found, q); len(l.found) == looksAgain {
		t.pack.note(t.outline(l))
	}
}

// lies notes that the card lies elsewhere now.
func (l *lying) lies(at Quad) {
	if at != l.quad {
		l.quad, l.found, l.tried = at, nil, 0
	}
}

// outline is the one of a card's outlines that is most like the others and the pack's,
// once there are enough of them.
func (t *Tracker) outline(l *lying) Quad {
	if len(l.found) < looksAgain {
		return l.quad
	}
	const far = 0.1 // how far off doesn't matter any more
	best, least := l.quad, math.Inf(1)
	for _, q := range append(slices.Clone(l.found), l.quad) {
		sum := math.Min(t.pack.off(q), 2*far) * looksAgain / 2
		for _, o := range l.found {
			sum += math.Min(q.Moved(o), far)
		}
		if sum < least {
			best, least = q, sum
		}
	}
	if best.Moved(l.quad) < exactly {
		return l.quad
	}
	return best
}

// again says that a card is worth a few more looks, now that nothing moves around it:
// what is asked of it later depends on its outline.
func (t *Tracker) again(g *Gate, l *lying) bool {
	return !l.under && l.lifted == 0 && l.rank != card.NoRank && len(l.found) < looksAgain && l.tried < triesAgain && g.Clear(l.quad, 3)
}

// undecided says that something was seen on l of which it isn't known yet what it is.
func (t *Tracker) undecided(l *lying) bool {
	return slices.ContainsFunc(t.tracks, func(k *track) bool { return k.missed < 3 && k.quad.Overlap(l.quad) > 0.3 })
}

// follow gives each sighting to the track that it continues, the least
// far-fetched first, and begins tracks with the rest.
func (t *Tracker) follow(f Frame, g *Gate, seen []Sighting) {
	type pair struct {
		k    *track
		i    int
		cost float64
	}
	var pairs []pair
	for _, k := range t.tracks {
		for i, s := range seen {
			if cost, ok := k.continues(s); ok && !k.left(g, s) {
				pairs = append(pairs, pair{k, i, cost})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.cost, b.cost) })
	given := make([]bool, len(seen))
	for _, p := range pairs {
		if !p.k.updated && !given[p.i] {
			given[p.i] = true
			p.k.take(f, g, seen[p.i])
			t.note(f, p.k)
		}
	}
	for i, s := range seen {
		if !given[i] {
			k := &track{quad: s.Quad, from: s.Quad, spot: s.Quad, beside: map[*lying]bool{}, gone: map[*lying]int{}, early: t.frames <= opening/2 && !g.Came(s.Quad)}
			t.tracks = append(t.tracks, k)
			k.take(f, g, s)
			t.note(f, k)
		}
	}
}

// note remembers the cards that lay untouched while this one was elsewhere, or
// of which enough is seen beside it.
func (t *Tracker) note(f Frame, k *track) {
	for _, l := range t.lying {
		off := l.quad.Moved(k.quad)
		if l.under || l.lifted > 0 || k.beside[l] || off < 0.15 {
			continue
		}
		// What was just told may be seen better, of the other only how it looks.
		remains, left := l.intact && (l.rested || off > 0.5), false
		// Beside an outline that is too small a card's own edge is seen.
		if !remains && k.rank == l.rank && t.pack.off(k.quad) < unlike {
			remains, left = l.remains(f, k.quad)
		}
		if remains {
			k.beside[l] = true
		} else if left && off > 0.25 {
			k.gone[l]++
		}
	}
}

// continues says whether a sighting may be this card a moment later, and how
// far-fetched that would be.
func (k *track) continues(s Sighting) (cost float64, ok bool) {
	d := k.quad.Moved(s.Quad)
	same := k.promising && k.rank == s.Rank && s.Confidence > 0.8
	switch {
	case k.over:
		return 0, false
	case d < jitter && !k.another(s):
		return d, true
	case k.another(s):
		return 0, false
	case same && !k.landed && d < flight: // thrown, or filmed slowly
		return d / 4, true
	}
	return d, d < nudge
}

// another says that a sighting away from a card that lies there and was read is
// the next card, coming over it.
func (k *track) another(s Sighting) bool {
	return k.landed && k.quad.Moved(s.Quad) > near && s.Rank != card.NoRank && s.Confidence > 0.9 && s.Rank != k.rank &&
		k.promising && k.votes[k.rank]+k.held[k.rank] >= 2
}

// left says that a sighting elsewhere, where something moves, may be of the next card
// as well as of this one, which lay there for a while: it must be answered for first.
func (k *track) left(g *Gate, s Sighting) bool {
	if k.sat < aWhile || k.lay.quad.Moved(s.Quad) < jitter {
		return false
	}
	_, moving, _ := g.Within(s.Quad, 1)
	return k.still == 0 || k.missed > 0 || moving >= 0.02 // else one of the outlines is wrong
}

// arriving says that a sighting at the place of l continues a card that was
// seen to fly there while l lay untouched.
func (t *Tracker) arriving(l *lying, s Sighting) bool {
	for _, k := range t.tracks {
		if k.missed < 5 && k.cameOver(l, s.Rank) && (k.seen > 1 || l.flew) && k.quad.Moved(s.Quad) < nudge {
			return true
		}
	}
	return false
}

// cameOver says that the track was read as this rank in the air, away from l,
// while l lay untouched: then it is another card than l.
func (k *track) cameOver(l *lying, rank card.Rank) bool {
	return k.beside[l] && k.air[rank] > 0 && !k.leaves(l)
}

// leaves says that the track began as l: it was there before it went elsewhere. What
// comes to lie on l may first be seen almost there, but goes no farther.
func (k *track) leaves(l *lying) bool {
	began := k.from.Moved(l.quad)
	return began < jitter || began < 0.25 && k.strayed > 0.4
}

// came says that the track is another card than l: it was seen to come over it, or
// something flew while l lay untouched, or a card of this rank got out of sight on its
// way, and l's picture isn't where it was.
func (t *Tracker) came(f Frame, k *track, l *lying, rank card.Rank) bool {
	return k.cameOver(l, rank) || l.flew || t.onItsWay(l, rank) && !l.shows(f)
}

// onItsWay says that a card of this rank, and not l, was seen to come, and got out of
// sight in the hand.
func (t *Tracker) onItsWay(l *lying, rank card.Rank) bool {
	return slices.ContainsFunc(t.lost, func(c *track) bool { return c.cameOver(l, rank) })
}

// samePlace says that a sighting lies where an outline is. One that is only a
// corner need only share a corner.
func samePlace(q Quad, s Sighting) bool {
	if s.Whole {
		return q.Moved(s.Quad) < near
	}
	w, h := q.Sides()
	for _, p := range q {
		if p.Dist(s.Quad[0]) < 0.12*math.Max(w, h) {
			return true
		}
	}
	return false
}

// take adds a sighting to a track. The card lies still when nothing moves in it
// and at its rim; its outline may jump about meanwhile, as it does in the dark,
// but not wander off.
func (k *track) take(f Frame, g *Gate, s Sighting) {
	moved := k.seen == 0 || k.quad.Moved(s.Quad) >= jitter || k.spot.Moved(s.Quad) >= jitter
	k.updated, k.missed = true, 0
	k.strayed = max(k.strayed, k.from.Moved(s.Quad))
	if k.rank == card.NoRank && s.Rank != card.NoRank && !k.read() {
		k.from, k.strayed = s.Quad, 0 // till now it was a hand, or the outline of one
	}
	k.seen++
	_, moving, _ := g.Within(s.Quad, 1)
	_, there, _ := g.Within(k.quad, 1)
	k.waited++
	if moved && k.seen > 1 && k.quad.Moved(s.Quad) < misfound && moving < 0.02 && there < 0.02 {
		// Nothing moved, so one of the two outlines is wrong: the one that is read
		// worse.
		if _, conf, _ := Likeliest(k.mean()); s.Rank == card.NoRank || s.Confidence <= conf || k.sat >= aWhile && s.Confidence < Sure {
			k.rest()
			return
		}
		moved, k.spot = false, s.Quad
		k.score, k.weight = [card.Ranks + 1]float64{}, 0
		k.votes, k.held = [card.Ranks + 1]int{}, [card.Ranks + 1]int{}
	}
	switch {
	case !moved && moving < 0.02 && !g.Near(s.Quad):
		k.rest()
		if !g.Clear(s.Quad, 2) {
			k.calm = 0
			break
		}
		k.alone = true
		k.sat++
		if k.calm++; k.calm == 1 {
			k.fade() // a hand may have hidden part of it till now
		}
	default:
		k.still, k.calm = 0, 0
		k.flown++
		if s.Confidence > 0.6 {
			k.air[s.Rank]++
		}
		if moved {
			k.spot, k.landed, k.alone, k.waited, k.fair, k.sat = s.Quad, false, false, 0, 0, 0
			k.lay = lying{}
			k.early = k.early && (k.seen == 1 || moving < 0.3) // what flies in didn't lie there
			k.votes, k.held = [card.Ranks + 1]int{}, [card.Ranks + 1]int{}
			k.fade()
		}
	}
	if s.Whole {
		k.whole++
	}
	k.quad = s.Quad
	for i, v := range s.Score {
		k.score[i] += float64(v)
	}
	k.weight++
	if s.Rank == card.NoRank || s.Confidence >= Sure {
		if k.calm > 0 {
			k.votes[s.Rank]++
		} else {
			k.held[s.Rank]++
		}
	}
	if k.calm > 0 && !s.Whole {
		k.partly++
	}
	if s.Rank != card.NoRank && s.Confidence > 0.5 {
		k.fair++
	}
	k.suit[s.Suit]++
	k.rank = s.Rank
	k.promising = s.Rank != card.NoRank && s.Confidence > 0.8
	if moving < 0.02 {
		k.look = appearanceOf(f, s.Quad)
		if k.calm > 0 {
			k.lay = lying{quad: s.Quad, looks: []appearance{k.look}}
		}
	}
}

// read says that a rank was read at all.
func (k *track) read() bool {
	for r := 1; r <= card.Ranks; r++ {
		if k.air[r]+k.votes[r]+k.held[r] > 0 {
			return true
		}
	}
	return false
}

// rest counts a frame in which the card lay still.
func (k *track) rest() {
	if k.still++; k.still >= 2 {
		k.landed = true
	}
}

// fade lets what was read so far count for little from now on.
func (k *track) fade() {
	for i := range k.score {
		k.score[i] *= 0.3
	}
	k.weight *= 0.3
}

// mean are the scores of all readings on average.
func (k *track) mean() (m [card.Ranks + 1]float32) {
	for i, v := range k.score {
		m[i] = float32(v / math.Max(k.weight, 1e-9))
	}
	return m
}

// decide says whether a track has become a card, and whether it is done with.
func (t *Tracker) decide(f Frame, g *Gate, k *track) (*Event, bool) {
	if !k.landed {
		// Gone again without having lain: a hand, a sleeve, a passing card.
		return nil, k.missed > 6
	}
	rank, conf, guess := Likeliest(k.mean())
	certain := rank != card.NoRank && conf >= t.Sure && k.enough(rank) && k.agrees(rank) && !t.otherwise(k, rank)
	// What landed is answered for: when it is certain, when it lay for long, or
	// when it is covered or gone.
	if k.missed < 3 && !k.over && k.waited < 2*patient && (k.still < 2 || !certain && k.still < patient) {
		return nil, false
	}
	if t.knows(f, g, k, rank) {
		return nil, true
	}
	l := &lying{quad: k.quad, rank: rank, suit: k.plainSuit(), looks: []appearance{k.look}, intact: true, since: t.frames}
	if k.over {
		l.quad, l.looks, l.rested, l.since = k.lay.quad, k.lay.looks, true, t.frames-fresh
	}
	ev := Event{Frame: f.N, T: f.At, Confidence: conf, Quad: k.quad}
	switch {
	case rank == card.NoRank:
		// Without a rank it is only believed when it is plainly a whole card.
		if k.still < patient || k.whole < patient {
			return nil, k.missed >= 3
		}
		ev.Kind = Back
	case certain && (t.Possible == nil || t.Possible(rank, k.bestSuit())):
		ev.Kind, ev.Rank, ev.Suit, ev.I = Card, rank, k.bestSuit(), t.dealt
		t.dealt++
		if k.whole > 0 {
			t.pack.told = k.quad
		}
	default:
		if k.whole < 3 && k.fair < 3 || k.unseen() {
			return nil, k.missed >= 3 // too little to trouble the host with
		}
		ev.Kind, ev.Guess, ev.I = Unsure, guess, t.dealt
		ev.Confidence = math.Min(conf, t.Sure-0.001)
		t.dealt++
	}
	t.lay(l, k.quad)
	if k.shows() {
		g.KeepIn(k.quad)
	}
	if k.early && k.from.Moved(k.quad) < 0.5 && !g.Came(k.quad) {
		g.Suppose(k.quad)
		// It lay there when we came: nobody dealt it before our eyes.
		if ev.Kind != Back {
			t.dealt--
		}
		return nil, true
	}
	return &ev, true
}

// lay puts a card on the list, which was found so, and on those that it covers.
func (t *Tracker) lay(l *lying, found Quad) {
	for _, o := range t.lying {
		if o.quad.Overlap(found) > 0.6 {
			o.under = true
		}
	}
	t.lying = append(t.lying, l)
	if n := len(t.lying); n > 120 {
		t.lying = t.lying[n-120:]
	}
}

// overrun says that something comes over a card that lay there for a while.
func (k *track) overrun(g *Gate) bool {
	if k.sat < aWhile {
		return false
	}
	_, moving, _ := g.Within(k.lay.quad, 1)
	return moving > 0.25
}

// shows says that it is seen in this picture, and nothing over it.
func (k *track) shows() bool { return k.updated && !k.over }

// unseen says that it was neither seen to come nor to lie undisturbed, nor read
// alike more than by chance: what shows of a card between fingers.
func (k *track) unseen() bool {
	most := 0
	for r := 1; r <= card.Ranks; r++ {
		most = max(most, k.air[r]/2+k.held[r])
	}
	return !k.alone && k.from.Moved(k.quad) < 0.25 && k.missed >= 3 && most < 3
}

// enough says that a card was read alike often enough to be believed. It is
// read while nothing moves around it: few readings do when it was read alike in
// the air, many are asked for when it was read otherwise there, or when only a
// corner of it shows. Under a hand that stays it takes more still; and a card
// that is covered again at once had its time.
func (k *track) enough(rank card.Rank) bool {
	other, lying := 0, 0
	for r := 1; r <= card.Ranks; r++ {
		if card.Rank(r) != rank {
			other += k.air[r]
			lying += k.votes[r] + k.held[r]
		}
	}
	least := 4
	switch {
	case other+lying == 0 && k.air[rank]+k.votes[rank]+k.held[rank] >= 7:
		least = 2 // never read otherwise, neither in the hand nor under it
	case k.air[rank] >= 2 && other == 0:
		least = 3
	case other > k.air[rank]:
		least = 8
	}
	if k.partly*2 > k.votes[rank] {
		least += 4
	}
	if k.missed >= 3 && k.air[rank] >= other {
		least = 2
	}
	return k.votes[rank] >= least || k.votes[rank]+k.held[rank] >= 2*least+6
}

// agrees says that hardly any other rank was read with certainty.
func (k *track) agrees(rank card.Rank) bool {
	for r := 1; r <= card.Ranks; r++ {
		if card.Rank(r) != rank && (k.votes[r]+k.held[r])*5 > k.votes[rank]+k.held[rank] {
			return false
		}
	}
	return true
}

// otherwise says that what flew in was read as another rank, and hardly ever as
// this one, which then is that of an outline gone wrong. What was out of sight for
// a moment, in the hand, is still what landed.
func (t *Tracker) otherwise(k *track, rank card.Rank) bool {
	air := k.air
	for _, c := range t.lost {
		for r, n := range c.air {
			air[r] += n
		}
	}
	for r := 1; r <= card.Ranks; r++ {
		if card.Rank(r) != rank && air[r] > 1 && air[r] >= 2*air[rank] {
			return true
		}
	}
	return false
}

func (k *track) bestSuit() card.Suit {
	best, n := card.NoSuit, k.suit[0]/2
	for s := 1; s <= card.Suits; s++ {
		if k.suit[s] > n {
			best, n = card.Suit(s), k.suit[s]
		}
	}
	return best
}

// plainSuit is the suit when hardly any reading was of another.
func (k *track) plainSuit() card.Suit {
	s, all := k.bestSuit(), 0
	for _, n := range k.suit[1:] {
		all += n
	}
	if s == card.NoSuit || k.suit[s] < 3 || k.suit[s]*5 < all*4 {
		return card.NoSuit
	}
	return s
}

// knows says whether a settled track is a card that lay on the table already,
// and if so notes where it lies now.
func (t *Tracker) knows(f Frame, g *Gate, k *track, rank card.Rank) bool {
	var old *lying
	var place Quad
	best := 0.0
	for _, l := range t.lying {
		if l.rank != rank && l.rank != card.NoRank && rank != card.NoRank {
			continue
		}
		// Two suits of one colour are easily taken for one another.
		plain := k.plainSuit()
		if otherSuit(plain, l.suit) && (plain.Red() != l.suit.Red() || !k.leaves(l)) {
			continue
		}
		same, at, came := l.like(k.look.face), k.quad, t.came(f, k, l, rank)
		d := l.quad.Moved(k.quad)
		// The outline may be askew: what counts is whether the picture of the card is
		// to be found there.
		if d < nudge && k.missed == 0 && !l.under && !came {
			if q, how := l.find(f, k.quad.Center()); how > same {
				same, at = how, q
			}
		}
		// What was first seen here, and wherever it went from here, is the card that lay
		// here: pushed, lifted and put back, uncovered by a hand or seen better than when it was told.
		stays := l.stays(f)
		remains, left := l.remains(f, at)
		sameSuit := l.suit != card.NoSuit && plain == l.suit
		could := !l.under && l.rank == rank
		here := k.from.Moved(l.quad) < 0.25 && d < 0.25
		home := could && (k.leaves(l) && !l.flew && (same > alike || sameSuit) && (d < jitter || !stays && !remains) ||
			!came && here && (!l.rested || t.frames-l.since < fresh))
		if could && !home && same < alike && !came && l.quad.Overlap(k.quad) > 0.6 && stays {
			home, at = true, l.quad // its outline was found askew, at a hand that rests on it
		}
		if could && !home && !came && k.gone[l] >= 3 && k.from.Moved(l.quad) < nudge && d < nudge && (same > alike || sameSuit) {
			home = true // it was lifted: its place showed while it was in the hand
		}
		if could && !home && here && k.whole == 0 && k.flown <= 2 && !l.flew && !t.onItsWay(l, rank) {
			home, at = true, l.quad // a corner peeps out from under a hand: where its card lies is a guess
		}
		switch {
		case home:
			same = max(same, alike)
		case l.under:
			// Uncovered again: it lies exactly where it lay, and didn't fly in.
			if same = l.like(likenessOf(f, l.quad)); d > 2*near || same < alike || k.flown > 2 {
				continue
			}
			at = l.quad
		case d < near:
			// At the very place: another card if it was seen to come while this one
			// lay untouched, or doesn't look like it.
			if !l.rested {
				same += 0.15
			}
			if same < alike || came && (k.cameOver(l, rank) || l.like(likenessOf(f, l.quad)) < familiar) {
				continue
			}
		default:
			// Elsewhere: the same card only if it is gone from where it was.
			// A part of it that still peeps out from under what came says that it isn't.
			if left && l.rank == rank && d < nudge {
				same += 0.2
			}
			if l.intact || same < alike || came {
				continue
			}
			if l.lifted == 0 && remains && (at.Moved(l.quad) > shifted || !stays) {
				continue
			}
		}
		if same > best {
			old, best, place = l, same, at
		}
	}
	if old == nil {
		return false
	}
	if old.under {
		// It shows again, so what lay on it is gone.
		for _, l := range t.lying {
			if l != old && !l.under && !l.intact && l.quad.Overlap(old.quad) > 0.6 {
				l.lifted = t.frames
			}
		}
	}
	// A card that moved without a hand was moved by the camera, and so was all that
	// isn't seen to lie where it lay.
	if move := place.Center().Sub(old.quad.Center()); k.flown <= 2 {
		for _, l := range t.lying {
			if l != old && (l.under || !l.intact) {
				l.lies(l.quad.Scale(1, move))
			}
		}
	}
	if old.quad.Moved(place) > near {
		for i := range old.looks {
			old.looks[i].rim = likeness{} // something else lies around it now
		}
	}
	old.lies(place)
	old.under, old.gone, old.intact, old.lifted = false, 0, true, 0
	if place == k.quad {
		old.looksLike(k.look)
	}
	if k.shows() {
		g.KeepIn(place)
	}
	return true
}

// unread asks about a card that was seen to fly, and now lies on another, so that this
// one isn't seen any more, but isn't read, nor even found: under a lamp's reflection, or
// paper on paper.
func (t *Tracker) unread(f Frame, g *Gate, present map[*lying]bool) *Event {
	for _, l := range t.lying {
		if !l.flew || l.under || l.lifted > 0 || l.intact || present[l] || t.undecided(l) || !g.Clear(l.quad, settle) ||
			g.Bare(l.quad) || l.shows(f) || l.stays(f) {
			continue
		}
		t.lay(&lying{quad: l.quad, looks: []appearance{appearanceOf(f, l.quad)}, intact: true, since: t.frames}, l.quad)
		g.KeepIn(l.quad)
		t.told()
		t.dealt++
		return &Event{Kind: Unsure, Frame: f.N, T: f.At, Quad: l.quad, I: t.dealt - 1}
	}
	return nil
}

// told forgets what was seen to fly: that will have been the card that was told.
func (t *Tracker) told() {
	t.lost = nil
	for _, l := range t.lying {
		l.flew = false
	}
}

// drop takes cards off the list.
func (t *Tracker) drop(gone func(*lying) bool) (n int) {
	left := t.lying[:0]
	for _, l := range t.lying {
		if gone(l) {
			n++
			continue
		}
		left = append(left, l)
	}
	clear(t.lying[len(left):])
	t.lying = left
	return n
}

// sweep notices cards that are gone, when the bare table shows where they lay,
// and tells when the last one is.
func (t *Tracker) sweep(f Frame, g *Gate, present map[*lying]bool) *Event {
	for _, l := range t.lying {
		_, moving, changed := g.Within(l.quad, 3)
		switch {
		case l.lifted > 0:
			l.gone = 0
			if t.frames-l.lifted > 90 {
				l.gone = 6
			}
		case l.under && g.Bare(l.quad) && moving <= 0.02:
			l.gone++
		case l.under || l.intact || present[l] || moving > 0.02 || changed < 0.25 || !g.Bare(l.quad):
			l.gone = 0
		default:
			l.gone++
		}
	}
	// A card of the same rank on the move may be the one that is missed.
	moved := func(l *lying) bool {
		for _, k := range t.tracks {
			if r, conf, _ := Likeliest(k.mean()); k.missed < 3 && r == l.rank && conf > 0.8 && !k.cameOver(l, r) {
				return true
			}
		}
		return false
	}
	if t.drop(func(l *lying) bool { return l.gone >= 6 && !moved(l) }) == 0 || len(t.lying) > 0 {
		return nil
	}
	return &Event{Kind: Cleared, Frame: f.N, T: f.At}
}

// sample is the outline of a card of the pack, zero when none was seen yet.
func (t *Tracker) sample() Quad {
	if t.pack.typical == (Quad{}) {
		return t.pack.told
	}
	return t.pack.typical
}

// outlines are those of all cards on the table.
func (t *Tracker) outlines() []Quad {
	out := make([]Quad, len(t.lying))
	for i, l := range t.lying {
		out[i] = l.quad
	}
	return out
}

// knocked follows a knock of the camera.
func (t *Tracker) knocked(f Frame, g *Gate) {
	var there []Quad // cards that were followed while the camera swung
	for _, l := range t.lying {
		l.flew = false // all there is moved
		if l.under {
			continue
		}
		if same := l.like(likenessOf(f, l.quad)); same > alike && same > l.like(likenessOf(f, g.went(l.quad))) {
			there = append(there, l.quad)
		}
	}
	for _, l := range t.lying {
		if !slices.ContainsFunc(there, func(q Quad) bool { return q == l.quad || l.under && q.Overlap(l.quad) > 0.6 }) {
			l.lies(g.went(l.quad))
		}
	}
	if g.swung {
		// Tracks were seen where they are. Those of cards that lay there began with the swing.
		t.tracks = slices.DeleteFunc(t.tracks, func(k *track) bool {
			return slices.ContainsFunc(t.lying, func(l *lying) bool {
				return k.quad.Moved(l.quad) < misfound && k.from.Moved(l.quad) < nudge && (k.rank == l.rank || k.rank == card.NoRank)
			})
		})
		return
	}
	for _, k := range t.tracks {
		k.quad, k.from, k.spot, k.lay.quad = g.went(k.quad), g.went(k.from), g.went(k.spot), g.went(k.lay.quad)
	}
}

// rescale follows a change of the picture's size.
func (t *Tracker) rescale(kx, ky float64) {
	for _, l := range t.lying {
		q := l.quad
		for i, p := range q {
			q[i] = Point{p.X * kx, p.Y * ky}
		}
		l.lies(q)
	}
	t.tracks, t.pack = nil, pack{}
}
