// Package desk is what the host does with the camera on its page: he drags the
// region that is looked at, has the mat found, chooses a deck, lays a few cards to
// see whether they are read, and teaches a deck card by card.
//
// It promises that what he sets is kept over a restart and in force with the next
// picture, that no card laid for a test or a lesson comes to the table, and that a
// test or lesson that nobody looks at any more ends by itself. It leaves the
// pictures to vision, what a taught deck is to decks, and every word to the pages.
package desk

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"lansquenet/cmd/internal/decks"
	"lansquenet/cmd/internal/house"
	"lansquenet/ledger"
	"lansquenet/ledger/journal"
	"lansquenet/vision"
	"lansquenet/vision/cv"
	"lansquenet/web"
)

// Watcher is what tells the dealt cards, as far as the page needs it;
// *vision.Watcher is it.
type Watcher interface {
	Aim(vision.Region)
	Divert(context.Context, func(vision.Frame, image.Rectangle)) error
	Newest(func(vision.Frame)) bool
	Live() vision.Live
}

// Options are what a desk works with. Format, Marks and Log may be nil.
type Options struct {
	Data    string // folder
	Source  string // as configured
	Deck    string // that is read now
	Set     Settings
	Table   *ledger.Croupier
	Camera  *house.Camera
	Watcher Watcher
	Reader  *Reader
	Format  func() *cv.Format                                                 // what the camera says of itself, nil while it doesn't
	Marks   func(ctx context.Context, session string) ([]journal.Mark, error) // of a night
	Log     *slog.Logger
}

// Desk is the camera page's other side (web.Desk). It is safe for several
// goroutines.
type Desk struct {
	o Options

	press sync.Mutex // one press at a time

	mu     sync.Mutex // held for a moment only, by the camera's goroutine too
	set    Settings
	deck   string
	trial  *trial
	lesson *lesson
	asked  time.Time // when a page last asked
}

// New opens the desk. What was set before is in force from the first picture on.
func New(o Options) *Desk {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Format == nil {
		o.Format = func() *cv.Format { return nil }
	}
	if o.Set.Region != nil {
		o.Watcher.Aim(vision.Region(*o.Set.Region))
	}
	return &Desk{o: o, set: o.Set, deck: o.Deck, asked: time.Now()}
}

// left is how long a test or lesson goes on while no page looks at it.
const left = 5 * time.Minute

// Run ends tests and lessons that were left, until the context ends.
func (d *Desk) Run(ctx context.Context) error {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			d.mu.Lock()
			forgotten := time.Since(d.asked) > left && (d.trial != nil || d.lesson != nil)
			d.mu.Unlock()
			if forgotten {
				d.o.Log.Info("a test or a lesson before the camera was left; the table has the camera again")
				d.press.Lock()
				d.end(ctx)
				d.press.Unlock()
			}
		case <-ctx.Done():
			d.press.Lock()
			defer d.press.Unlock()
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.lesson != nil {
				d.lesson.close()
				d.lesson = nil
			}
			return nil
		}
	}
}

// Look is everything that the page shows.
func (d *Desk) Look(ctx context.Context) web.DeskView {
	live, view, state := d.o.Watcher.Live(), d.o.Camera.View(), d.o.Table.State()
	v := web.DeskView{State: view.State, Trouble: view.Trouble, Source: d.o.Source, Rate: math.Round(view.FPS), W: live.W, H: live.H,
		Busy: d.o.Camera.Busy(), Region: web.Region{W: 1, H: 1}}
	for _, f := range live.Flaws {
		v.Flaws = append(v.Flaws, web.Note{Key: house.FlawKey(f)})
	}
	if live.W > 0 {
		w, h := float64(live.W), float64(live.H)
		r := live.Region
		v.Region = web.Region{X: float64(r.Min.X) / w, Y: float64(r.Min.Y) / h, W: float64(r.Dx()) / w, H: float64(r.Dy()) / h}
		for _, q := range live.Cards {
			v.Cards = append(v.Cards, share(q, live.W, live.H))
			v.CardPixels = max(v.CardPixels, longSide(q))
		}
	}
	v.Spells = d.spells(ctx, state.Session)
	names, err := decks.List(d.o.Data)
	if err != nil {
		d.o.Log.Warn("camera page", "why", err)
	}
	v.Decks = names
	for _, p := range decks.Packs {
		v.Packs = append(v.Packs, p.Name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = time.Now()
	v.Deck = d.deck
	if f := d.o.Format(); f != nil {
		v.Device, v.Codec, v.Promised, v.Differs = f.Device, f.Codec, f.FPS, f.Differs
		for _, c := range f.Controls {
			v.Controls = append(v.Controls, web.Setting(c))
		}
	}
	if d.trial != nil {
		v.Trial = d.trial.view()
		v.Trial.Lying = len(v.Cards)
	}
	if d.lesson != nil {
		v.Lesson = d.lesson.view()
	}
	return v
}

// spells are the camera's losses and returns in this night, or, while none is
// played, since the start.
func (d *Desk) spells(ctx context.Context, session string) (out []web.Spell) {
	marks := d.o.Camera.Marks()
	if session != "" && d.o.Marks != nil {
		kept, err := d.o.Marks(ctx, session)
		if err != nil {
			d.o.Log.Warn("camera page", "why", err)
		}
		marks = kept
	}
	for _, m := range marks {
		out = append(out, web.Spell{At: m.At, Lost: m.Lost, Note: m.Note})
	}
	return out
}

// share is an outline in fractions of the picture.
func share(q vision.Quad, w, h int) (out [4][2]float64) {
	for i, p := range q {
		out[i] = [2]float64{p.X / float64(w), p.Y / float64(h)}
	}
	return out
}

// longSide is a card's height in pixels.
func longSide(q vision.Quad) int {
	w, h := q.Sides()
	return int(math.Round(math.Max(w, h)))
}

// Aim sets the region that is looked at and keeps it; the zero region is the
// whole picture.
func (d *Desk) Aim(r web.Region) error {
	if r != (web.Region{}) && !sound(r) {
		return &web.Refused{Code: "bad_region"}
	}
	d.press.Lock()
	defer d.press.Unlock()
	return d.aim(r)
}

func (d *Desk) aim(r web.Region) error {
	if err := d.keep(func(s *Settings) { s.Region = &r }); err != nil {
		return err
	}
	d.o.Watcher.Aim(vision.Region(r))
	return nil
}

// keep changes the settings and writes them; what cannot be written isn't set.
func (d *Desk) keep(change func(*Settings)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	set := d.set
	change(&set)
	if err := set.save(d.o.Data); err != nil {
		return err
	}
	d.set = set
	return nil
}

// FindMat looks for the printed mat and, when it is there, has the region
// enclose it.
func (d *Desk) FindMat() (web.MatView, error) {
	d.press.Lock()
	defer d.press.Unlock()
	var mat vision.Mat
	var w, h int
	if !d.o.Watcher.Newest(func(f vision.Frame) { mat, w, h = vision.FindMat(f), f.W, f.H }) {
		return web.MatView{}, &web.Refused{Code: "camera_gone"}
	}
	v := web.MatView{Found: mat.Found}
	if !mat.Found {
		v.Why = whyNot(mat, w, h, d.o.Watcher.Live().Flaws)
		return v, nil
	}
	v.Quad = share(mat.Quad, w, h)
	v.Region = around(v.Quad)
	return v, d.aim(v.Region)
}

// around is the region about a mat's marks, with the paper's edge beyond them.
func around(q [4][2]float64) web.Region {
	const edge = 0.03 // of the mat's size
	x0, y0, x1, y1 := 1.0, 1.0, 0.0, 0.0
	for _, p := range q {
		x0, x1, y0, y1 = min(x0, p[0]), max(x1, p[0]), min(y0, p[1]), max(y1, p[1])
	}
	mx, my := edge*(x1-x0), edge*(y1-y0)
	x0, y0, x1, y1 = max(0, x0-mx), max(0, y0-my), min(1, x1+mx), min(1, y1+my)
	return web.Region{X: x0, Y: y0, W: x1 - x0, H: y1 - y0}
}

// whyNot says in the catalogue's sentences why no mat was found.
func whyNot(m vision.Mat, w, h int, flaws []vision.Flaw) (why []web.Note) {
	switch m.Marks {
	case 3:
		corner := "camera.mat.three."
		x, y := m.Missing.X, m.Missing.Y
		if y < float64(h)/2 {
			corner += "top"
		} else {
			corner += "bottom"
		}
		if x < float64(w)/2 {
			corner += "left"
		} else {
			corner += "right"
		}
		where := "camera.mat.hidden"
		const rim = 0.02 // a mark that touches the picture's edge isn't seen either
		if dx, dy := rim*float64(w), rim*float64(h); x < dx || y < dy || x > float64(w)-dx || y > float64(h)-dy {
			where = "camera.mat.outside"
		}
		why = append(why, web.Note{Key: corner}, web.Note{Key: where})
	case 2:
		why = append(why, web.Note{Key: "camera.mat.two"})
	default:
		why = append(why, web.Note{Key: "camera.mat.none"})
	}
	for _, f := range flaws {
		why = append(why, web.Note{Key: house.FlawKey(f)})
	}
	return why
}

// ChooseDeck reads with a taught deck from the next picture on, or with the
// built-in reader for "".
func (d *Desk) ChooseDeck(name string) error {
	d.press.Lock()
	defer d.press.Unlock()
	names, err := decks.List(d.o.Data)
	if err != nil {
		return err
	}
	if name != "" && !slices.Contains(names, name) {
		return &web.Refused{Code: "no_deck"}
	}
	eye, err := d.open(name)
	if err != nil {
		return err
	}
	if err := d.keep(func(s *Settings) { s.Deck = &name }); err != nil {
		return errors.Join(err, eye.Close())
	}
	d.mu.Lock()
	d.deck = name
	d.mu.Unlock()
	return d.o.Reader.exchange(eye)
}

func (d *Desk) open(deck string) (vision.Eye, error) {
	eye, err := decks.Open(d.o.Data, deck)
	if err != nil {
		d.o.Log.Warn("a taught deck cannot be read", "deck", deck, "why", err)
		return nil, &web.Refused{Code: "broken_deck", Args: map[string]any{"why": err.Error()}}
	}
	return eye, nil
}

// refresh loads a deck anew that was taught over itself, when it is the one that is
// read with.
func (d *Desk) refresh(deck string) error {
	d.mu.Lock()
	read := d.deck == deck
	d.mu.Unlock()
	if !read {
		return nil
	}
	eye, err := d.open(deck)
	if err != nil {
		return err
	}
	return d.o.Reader.exchange(eye)
}

// setAside takes the camera from the table and has its frames begin anew; divert
// gets them, nil for the reader.
func (d *Desk) setAside(ctx context.Context, cards func(vision.Event), divert func(vision.Frame, image.Rectangle)) error {
	d.mu.Lock()
	taken := d.trial != nil || d.lesson != nil
	d.mu.Unlock()
	if taken {
		return &web.Refused{Code: "desk_busy"}
	}
	if err := d.o.Camera.Pause(cards); err != nil {
		return &web.Refused{Code: "camera_busy"}
	}
	if err := d.anew(ctx, divert); err != nil {
		d.o.Camera.Resume()
		gone, stop := context.WithCancel(ctx)
		stop()
		_ = d.o.Watcher.Divert(gone, nil) // as soon as there are pictures; a page doesn't wait for that
		return &web.Refused{Code: "camera_gone"}
	}
	return nil
}

// anew is Divert with the patience of somebody who pressed a button.
func (d *Desk) anew(ctx context.Context, divert func(vision.Frame, image.Rectangle)) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer stop()
	return d.o.Watcher.Divert(ctx, divert)
}

// end ends whatever is before the camera and gives it back to the table. First
// the watcher begins anew, so that nothing laid for a test can be told as dealt;
// without pictures nothing can be told anyway, and the first one begins anew.
func (d *Desk) end(ctx context.Context) {
	if err := d.anew(ctx, nil); err != nil {
		d.o.Log.Info("the camera gives no pictures now", "why", err)
	}
	d.mu.Lock()
	lesson := d.lesson
	d.trial, d.lesson = nil, nil
	d.mu.Unlock()
	if lesson != nil {
		lesson.close()
	}
	d.o.Camera.Resume()
}

// Picture is a picture of a test's or lesson's card, nil when there is none.
func (d *Desk) Picture(of string, i int) []byte {
	d.mu.Lock()
	trial, lesson := d.trial, d.lesson
	d.mu.Unlock()
	switch {
	case of == "trial" && trial != nil:
		return trial.picture(i)
	case of == "lesson" && lesson != nil:
		return lesson.picture(i)
	}
	return nil
}
