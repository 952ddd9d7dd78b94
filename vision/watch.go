package vision

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"math"
	"slices"
	"sync"
	"time"

	"lansquenet/ledger/card"
)

// Options tune a Watcher; the zero value is right for a camera over a table.
type Options struct {
	// ROI is the part of the picture to look at; empty: all of it.
	ROI image.Rectangle
	// Possible says whether the shoe can still hold such a card (suit may be
	// NoSuit). A reading that it rules out leaves as Unsure. Nil: all can.
	Possible func(r card.Rank, s card.Suit) bool
	// Sure is the confidence from which a rank is told as Card; 0: the constant Sure.
	Sure float64
}

// Stats are the Watcher's own measurements since it began.
type Stats struct {
	Frames   uint64
	FPS      float64       // frames a second of working time
	P50, P99 time.Duration // work for one frame without waiting for it
}

// Live is what was made of the newest picture, for the camera page.
type Live struct {
	Frame  uint64
	Age    time.Duration
	W, H   int             // of the frame, which the quads refer to
	Cards  []Quad          // outlines of the cards that lie on the table
	Region image.Rectangle // the part of the picture that is looked at
	Flaws  []Flaw          // what makes the cards hard to read; none when all is well
}

// Flaw is what is wrong with a picture.
type Flaw uint8

// The flaws.
const (
	TooDark Flaw = iota + 1
	TooBright
	Blurred
)

// Region is a part of a picture in fractions of its width and height, so that it
// is the same part of a picture of another size. The zero Region is all of it.
type Region struct {
	X, Y, W, H float64
}

// In is the region in a picture of so many pixels.
func (r Region) In(w, h int) image.Rectangle {
	all := image.Rect(0, 0, w, h)
	at := func(f float64, n int) int { return int(math.Round(f * float64(n))) }
	in := image.Rect(at(r.X, w), at(r.Y, h), at(r.X+r.W, w), at(r.Y+r.H, h)).Intersect(all)
	if in.Empty() {
		return all
	}
	return in
}

// Watcher looks at a source and tells the cards that are dealt. Next is for one
// goroutine, everything else for any.
type Watcher struct {
	src   FrameSource
	eye   Eye
	opt   Options
	gate  Gate
	track Tracker

	quiet  int     // frames in a row in which nothing moved
	before Frame   // the picture when all was still
	queue  []Event // to be told
	late   []Event // decided too long after their picture came; told when the next one is there

	mu     sync.Mutex
	stats  Stats
	busy   time.Duration
	work   []time.Duration // of the last frames, a ring
	last   Frame           // a copy of the newest frame, made when somebody asks for it
	want   bool
	asked  chan struct{} // closed when last is filled
	cards  []Quad
	region *Region                      // set by Aim; nil: as the options say
	divert func(Frame, image.Rectangle) // set by Divert
	anew   chan struct{}                // closed by the next frame, which begins anew; nil: none does

	asking sync.Mutex // held by the one who waits for last and reads it
}

// Watch begins to look at src through eye. The caller closes both.
func Watch(src FrameSource, eye Eye, o Options) *Watcher {
	if o.Sure == 0 {
		o.Sure = Sure
	}
	return &Watcher{src: src, eye: eye, opt: o, track: Tracker{Sure: o.Sure, Possible: o.Possible}}
}

// Next blocks until there is something to tell. io.EOF: the source ended. A live
// camera's card is told from a picture of the last 200 ms; when the decision took
// longer it waits until the next picture is there, and so for the camera's return
// when that was lost.
func (w *Watcher) Next(ctx context.Context) (Event, error) {
	for len(w.queue) == 0 {
		f, err := w.src.Next(ctx)
		var se *SourceEvent
		if errors.As(err, &se) {
			return Event{Kind: se.Kind, Note: se.Note}, nil
		}
		if err != nil {
			return Event{}, err
		}
		if f.W <= 0 || f.H <= 0 || len(f.Pix) < 3*f.W*f.H {
			continue // a torn picture says nothing
		}
		began := time.Now()
		if f.Age(began) > newEnough {
			continue // it lay about while the camera was silent or this goroutine held up
		}
		divert := w.orders()
		w.queue, w.late = append(w.queue, w.late...), nil
		if divert != nil {
			divert(f, w.within(f))
			w.note(f, time.Since(began))
			continue
		}
		events, err := w.step(f)
		if err != nil {
			return Event{}, err
		}
		for i := range events {
			e := &events[i]
			e.Age = f.Age(time.Now())
			if e.Kind == Card || e.Kind == Unsure || e.Kind == Back {
				e.Picture = picture(f, e.Quad)
			}
		}
		if f.Age(time.Now()) > newEnough {
			// A slow eye. The camera may have gone meanwhile, and a card is only
			// told while the table is in sight.
			w.late = events
		} else {
			w.queue = append(w.queue, events...)
		}
		w.note(f, time.Since(began))
	}
	e := w.queue[0]
	w.queue = w.queue[1:]
	return e, nil
}

// Aim sets the part of the picture that is looked at, from the next frame on.
// Cards that lie outside of it are left alone.
func (w *Watcher) Aim(r Region) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.region = &r
}

// Divert hands every frame and the part of it that matters to f, in the goroutine
// of Next, instead of looking for dealt cards; f nil ends that. In both cases what lies on the table then is taken
// to have lain there before, and nothing of it is told. Divert returns when that
// is in force, or with the context's error when no frame comes.
func (w *Watcher) Divert(ctx context.Context, f func(Frame, image.Rectangle)) error {
	w.mu.Lock()
	w.divert = f
	if w.anew == nil {
		w.anew = make(chan struct{})
	}
	anew := w.anew
	w.mu.Unlock()
	select {
	case <-anew:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// orders takes what Divert has asked for since the last frame.
func (w *Watcher) orders() (divert func(Frame, image.Rectangle)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.anew != nil {
		w.gate = Gate{}
		w.track = Tracker{Sure: w.opt.Sure, Possible: w.opt.Possible, dealt: w.track.dealt}
		w.quiet, w.late = 0, nil
		close(w.anew)
		w.anew = nil
	}
	return w.divert
}

// step takes one frame through gate, eye and tracker.
func (w *Watcher) step(f Frame) ([]Event, error) {
	pw, ph := w.gate.px, w.gate.py
	fresh := w.gate.Step(f)
	w.track.frames++
	if fresh {
		if pw > 0 {
			w.track.rescale(float64(f.W)/float64(pw), float64(f.H)/float64(ph))
		}
		w.keep(f)
	}
	g := &w.gate
	if g.knocked {
		w.track.knocked(f, g)
		w.before.W = 0 // it shows the table as the camera sees it no more
	}
	if g.Moving < leastCells {
		w.quiet++
	} else {
		w.quiet = 0
	}
	area := w.area(f, fresh)
	if area.Empty() {
		if w.quiet >= settle && g.Changed > 0 {
			w.keep(f)
		}
		return nil, nil
	}
	ask := Ask{Area: area, Before: &w.before, Card: w.track.sample(), Known: w.track.known(g), Expected: w.track.expected(), Effort: Normal}
	if fresh {
		ask.Before = nil
	} else if w.quiet == 0 && len(ask.Expected) == 0 {
		ask.Effort = Glance
	}
	seen, err := w.eye.Look(f, ask)
	if err != nil {
		return nil, err
	}
	events := w.track.Step(f, g, seen)
	if w.quiet >= settle && (!w.track.Busy() || w.quiet >= 3*settle) {
		// What changed is no card: a glass, a shadow, a hand that rests.
		w.keep(f)
	}
	return events, nil
}

// newEnough is how old a live picture may be for a card to be told from it.
const newEnough = 200 * time.Millisecond

const (
	leastCells = 6 // cells that must change before it is worth a look
	settle     = 9 // still frames after which what is seen is taken as the table
)

// area is the part of the picture to look at: around all that changed.
func (w *Watcher) area(f Frame, fresh bool) image.Rectangle {
	all := w.within(f)
	if fresh {
		return all
	}
	var a image.Rectangle
	// What is followed is looked at even if its place looks as before.
	for _, k := range w.track.tracks {
		a = a.Union(k.quad.Bounds())
	}
	for _, l := range w.track.lying {
		if w.track.again(&w.gate, l) {
			a = a.Union(l.quad.Bounds())
		}
	}
	if w.gate.Changed+w.gate.Moving >= leastCells {
		for _, r := range w.gate.Regions(leastCells) {
			a = a.Union(r)
		}
	}
	if a.Empty() {
		return a
	}
	m := 3 * w.gate.cell
	_, h := w.track.sample().Sides()
	m = max(m, int(h*0.3))
	return a.Inset(-m).Intersect(all)
}

// within is the part of the picture that matters.
func (w *Watcher) within(f Frame) image.Rectangle {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.region != nil {
		return w.region.In(f.W, f.H)
	}
	all := image.Rect(0, 0, f.W, f.H)
	if r := w.opt.ROI.Intersect(all); !r.Empty() {
		return r
	}
	return all
}

// keep makes f the picture of the table at rest.
func (w *Watcher) keep(f Frame) {
	w.gate.Keep(w.track.outlines())
	pix := append(w.before.Pix[:0], f.Pix[:3*f.W*f.H]...)
	w.before = f
	w.before.Pix = pix
}

// note adds a frame's work to the measurements and serves who waits for a picture.
func (w *Watcher) note(f Frame, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const ring = 4096
	if len(w.work) < ring {
		w.work = append(w.work, d)
	} else {
		w.work[w.stats.Frames%ring] = d
	}
	w.stats.Frames++
	w.busy += d
	w.cards = w.cards[:0]
	for _, l := range w.track.lying {
		if !l.under {
			w.cards = append(w.cards, l.quad)
		}
	}
	if w.want {
		pix := append(w.last.Pix[:0], f.Pix...)
		w.last = f
		w.last.Pix = pix
		w.want = false
		close(w.asked)
	}
}

// Stats may be called at any time.
func (w *Watcher) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.stats
	if len(w.work) > 0 {
		v := slices.Clone(w.work)
		slices.Sort(v)
		s.P50, s.P99 = v[len(v)/2], v[len(v)*99/100]
	}
	if w.busy > 0 {
		s.FPS = float64(s.Frames) / w.busy.Seconds()
	}
	return s
}

// Newest is a copy of the newest frame, which use must not keep; it waits up to a
// second for the next one to come and says false when there was none yet.
func (w *Watcher) Newest(use func(Frame)) bool {
	w.asking.Lock()
	defer w.asking.Unlock()
	w.mu.Lock()
	if !w.want {
		w.want, w.asked = true, make(chan struct{})
	}
	asked := w.asked
	w.mu.Unlock()
	select {
	case <-asked:
	case <-time.After(time.Second):
	}
	w.mu.Lock()
	// Nobody else may ask meanwhile, so that the copy is this caller's own and
	// the next frame need not wait until he is done with it.
	w.want = false
	f := w.last
	w.mu.Unlock()
	if f.Pix == nil {
		return false
	}
	use(f)
	return true
}

// Live is about the newest picture; it waits up to a second for the next one.
func (w *Watcher) Live() (l Live) {
	w.Newest(func(f Frame) {
		w.mu.Lock()
		cards := slices.Clone(w.cards)
		w.mu.Unlock()
		l = Live{Frame: f.N, Age: f.Age(time.Now()), W: f.W, H: f.H, Cards: cards, Region: w.within(f), Flaws: flaws(f)}
	})
	return l
}

// Picture is the newest picture as JPEG, nil when there was none yet.
func (w *Watcher) Picture() (jpeg []byte) {
	w.Newest(func(f Frame) { jpeg = jpegOf(f, image.Rect(0, 0, f.W, f.H), 960) })
	return jpeg
}

// picture is a small JPEG of a card and a little around it.
func picture(f Frame, q Quad) []byte {
	w, h := q.Sides()
	r := q.Bounds().Inset(-int(math.Max(w, h) * 0.08)).Intersect(image.Rect(0, 0, f.W, f.H))
	return jpegOf(f, r, 320)
}

// jpegOf encodes a part of a frame, shrunk so that its longer side is at most long.
func jpegOf(f Frame, r image.Rectangle, long int) []byte {
	if r.Empty() {
		return nil
	}
	k := max(1, (max(r.Dx(), r.Dy())+long-1)/long)
	w, h := max(1, r.Dx()/k), max(1, r.Dy()/k)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var b, g, rr int
			for dy := range k {
				for dx := range k {
					px, py := min(r.Min.X+x*k+dx, f.W-1), min(r.Min.Y+y*k+dy, f.H-1)
					o := 3 * (py*f.W + px)
					b, g, rr = b+int(f.Pix[o]), g+int(f.Pix[o+1]), rr+int(f.Pix[o+2])
				}
			}
			o := img.PixOffset(x, y)
			n := k * k
			img.Pix[o], img.Pix[o+1], img.Pix[o+2], img.Pix[o+3] = uint8(rr/n), uint8(g/n), uint8(b/n), 255
		}
	}
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: 80}); err != nil {
		return nil // only a picture too large to encode, which k rules out
	}
	return buf.Bytes()
}

// flaws judges a picture's light and sharpness.
func flaws(f Frame) (found []Flaw) {
	var sum, n, burnt float64
	var diff, edges float64
	for y := 2; y < f.H-2; y += 4 {
		for x := 2; x < f.W-2; x += 4 {
			o := 3*(y*f.W+x) + 1
			v := float64(f.Pix[o])
			sum += v
			n++
			if v > 250 {
				burnt++
			}
			// Where brightness changes much over four pixels, how much of it
			// does it over one? A blurred edge spreads over many.
			wide := math.Abs(float64(f.Pix[o+6]) - float64(f.Pix[o-6]))
			if wide > 40 {
				edges += wide
				step := 0.0
				for d := -6; d < 6; d += 3 {
					step = math.Max(step, math.Abs(float64(f.Pix[o+d+3])-float64(f.Pix[o+d])))
				}
				diff += step
			}
		}
	}
	if n == 0 {
		return nil
	}
	switch mean := sum / n; {
	case mean < 35:
		found = append(found, TooDark)
	case burnt/n > 0.25:
		found = append(found, TooBright)
	}
	if edges/40 > n/500 && diff/edges < 0.36 {
		found = append(found, Blurred)
	}
	return found
}
