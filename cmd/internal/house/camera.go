package house

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/evidence"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/vision"
	"lansquenet/web"
)

// Watcher is what tells the dealt cards; *vision.Watcher does.
type Watcher interface {
	Next(context.Context) (vision.Event, error)
	Stats() vision.Stats
	Live() vision.Live
	Picture() []byte
}

// Camera takes dealt cards to the table. A card the reader is sure of becomes
// the action `card`; one it is not sure of, or that the shoe cannot hold, becomes
// a question for the host, and all cards after it wait for his answer. A card
// when none is due is put before the table, which refuses it, and the host is
// told what lies there.
//
// It is what the host's page sees of the camera (web.Camera), and safe for
// several goroutines.
type Camera struct {
	table *ledger.Croupier
	log   *slog.Logger
	// Keep keeps the picture of an accepted card; nil: none is kept.
	Keep func(context.Context, evidence.Picture) error

	watch Watcher

	mu      sync.Mutex
	state   string             // "starting", "ok", "lost"
	lost    string             // what is wrong with the camera
	flaws   []vision.Flaw      // what is wrong with its pictures
	rate    float64            // pictures a second that come
	aside   func(vision.Event) // gets the cards instead of the table; nil: the table does
	marks   []journal.Mark     // since the start, also outside of a night
	stray   *stray
	asked   *vision.Event  // waits for the host
	held    []vision.Event // dealt after it
	changed chan struct{}
}

// stray is a card that lay down when none was due.
type stray struct {
	card card.Card
	seq  uint64 // of the table that refused it; a newer table has dealt with it
}

// NewCamera takes the cards that w tells to the table. The watcher is given by
// Watch, because its options ask the camera what the shoe can hold.
func NewCamera(table *ledger.Croupier, log *slog.Logger) *Camera {
	return &Camera{table: table, log: log, state: "starting", changed: make(chan struct{})}
}

// Watch sets whose cards Run takes to the table.
func (c *Camera) Watch(w Watcher) { c.watch = w }

// Possible says whether the shoe can still hold a card, as far as the table
// knows. Without a night everything is possible.
func (c *Camera) Possible(r card.Rank, _ card.Suit) bool {
	shoe := c.table.State().View.Unseen
	return shoe.Total == 0 || shoe.Rank[r] > 0
}

// Run takes cards to the table until the context or the pictures end (io.EOF).
func (c *Camera) Run(ctx context.Context) error {
	for {
		e, err := c.watch.Next(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("camera: %w", err)
		}
		if err := c.take(ctx, e); err != nil {
			return err
		}
	}
}

// Glance looks at a picture now and then, until the context ends, and says on the
// host's page when it is too dark or not sharp: long before a card is misread.
func (c *Camera) Glance(ctx context.Context) error {
	began, frames := time.Now(), uint64(0)
	for {
		live, stats := c.watch.Live(), c.watch.Stats()
		c.mu.Lock()
		if d := time.Since(began); d > time.Second {
			c.rate = float64(stats.Frames-frames) / d.Seconds()
			began, frames = time.Now(), stats.Frames
		}
		if !slices.Equal(live.Flaws, c.flaws) {
			c.flaws = live.Flaws
			c.wake()
		}
		c.mu.Unlock()
		select {
		case <-time.After(4 * time.Second):
		case <-ctx.Done():
			return nil
		}
	}
}

// ErrBusy says that the table needs the camera now.
var ErrBusy = errors.New("a coup runs, or a card waits for the host's word")

// Pause keeps cards from the table: until Resume each one told goes to aside
// instead, in the goroutine of Run. It is refused with ErrBusy while a card could
// be one of a coup.
func (c *Camera) Pause(aside func(vision.Event)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy() {
		return ErrBusy
	}
	c.aside, c.stray = aside, nil
	c.wake()
	return nil
}

// Resume gives the table its cards again.
func (c *Camera) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aside = nil
	c.wake()
}

// Busy says whether Pause would be refused.
func (c *Camera) Busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.busy()
}

func (c *Camera) busy() bool {
	v := c.table.State().View
	return c.asked != nil || takes(v) || slices.ContainsFunc(v.Choices, func(ch game.Choice) bool { return ch.Do == "void" })
}

// take deals with one event.
func (c *Camera) take(ctx context.Context, e vision.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.wake()
	switch e.Kind {
	case vision.Lost:
		c.state, c.lost = "lost", e.Note
		c.log.Warn("camera lost", "note", e.Note)
		c.mark(ctx, true, e.Note)
	case vision.Found:
		c.state, c.lost = "ok", ""
		c.log.Info("camera", "note", e.Note)
		c.mark(ctx, false, e.Note)
	case vision.Card, vision.Unsure:
		c.state, c.lost = "ok", ""
		if c.aside != nil {
			c.aside(e)
			return nil
		}
		if c.asked != nil {
			c.held = append(c.held, e)
			return nil
		}
		return c.deal(ctx, e)
	case vision.Back:
		if c.aside != nil {
			c.aside(e)
			return nil
		}
		c.log.Info("a card without a rank lies on the table", "frame", e.Frame)
	default:
		c.state = "ok"
	}
	return nil
}

// mark has it journalled that the camera went or came, so that a replay can say
// why a card was entered by hand.
func (c *Camera) mark(ctx context.Context, lost bool, note string) {
	if len(c.marks) == mostMarks {
		c.marks = c.marks[1:]
	}
	c.marks = append(c.marks, journal.Mark{At: time.Now(), Lost: lost, Note: note})
	if err := c.table.Camera(ctx, lost, note); err != nil {
		c.log.Warn("it was not journalled that the camera was lost or came back", "why", err)
	}
}

// mostMarks is how many losses and returns are remembered here.
const mostMarks = 40

// Marks are the camera's latest losses and returns since the start; those of a
// night are in its journal too.
func (c *Camera) Marks() []journal.Mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.marks)
}

// deal puts one dealt card before the table, or before the host.
func (c *Camera) deal(ctx context.Context, e vision.Event) error {
	if e.Kind == vision.Unsure {
		if st := c.table.State(); takes(st.View) {
			c.ask(e)
		} else {
			c.stray = &stray{seq: st.Seq}
		}
		return nil
	}
	a := game.Action{Do: "card", Rank: e.Rank, Suit: e.Suit, Confidence: e.Confidence, Frame: int64(e.Frame)}
	err := c.submit(ctx, a, e, "camera")
	var no *game.Refusal
	if !errors.As(err, &no) {
		return err
	}
	switch st := c.table.State(); {
	case takes(st.View):
		// The card is due and yet refused, because the shoe cannot hold it: it
		// was misread, or one was before it.
		c.ask(e)
	default:
		c.stray = &stray{card.Card{Rank: e.Rank, Suit: e.Suit}, st.Seq}
		c.log.Info("a card was refused", "card", c.stray.card, "why", no)
	}
	return nil
}

// takes says whether a card may come now: one that is due, or one that closes
// the bets or begins the next hand.
func takes(v game.View) bool {
	return slices.ContainsFunc(v.Choices, func(c game.Choice) bool { return c.Do == "card" })
}

// ask puts a card before the host.
func (c *Camera) ask(e vision.Event) {
	if len(e.Guess) == 0 && e.Rank != card.NoRank {
		e.Guess = []card.Rank{e.Rank}
	}
	c.asked = &e
	c.log.Info("the host is asked about a card", "i", e.I, "guess", fmt.Sprint(e.Guess), "confidence", e.Confidence)
}

// submit brings a card to the table. The error is a refusal, or trouble that the
// house does not know of yet.
func (c *Camera) submit(ctx context.Context, a game.Action, e vision.Event, from string) error {
	got, err := c.table.Submit(ctx, ledger.Request{Action: a, From: from})
	var no *game.Refusal
	switch {
	case errors.As(err, &no):
		return no
	case errors.Is(err, ledger.ErrStopped), ctx.Err() != nil:
		return nil // the house says it
	case err != nil:
		return fmt.Errorf("card %v: %w", a.Rank, err)
	}
	c.stray = nil
	if c.Keep != nil && len(e.Picture) > 0 {
		// A picture that cannot be kept is no reason to stop the table.
		if err := c.Keep(ctx, pictured(got, e)); err != nil {
			c.log.Warn("the picture of a card was not kept", "entry", got.Seq, "why", err)
		}
	}
	return nil
}

// pictured is the picture of a card with what the reader made of it.
func pictured(got ledger.Receipt, e vision.Event) evidence.Picture {
	p := evidence.Picture{Session: got.Session, Seq: got.Seq, At: time.Now(), JPEG: e.Picture, Reading: evidence.Reading{
		Rank: e.Rank.String(), Suit: e.Suit.String(), Confidence: e.Confidence, Frame: e.Frame}}
	for _, r := range e.Guess {
		p.Guess = append(p.Guess, r.String())
	}
	return p
}

// Answer is the host's word on the unsure card numbered i; NoRank says that it
// was no card. The cards that waited behind it follow at once.
func (c *Camera) Answer(ctx context.Context, i int, rank card.Rank, suit card.Suit) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked == nil || c.asked.I != i {
		return game.Refuse("no_question")
	}
	e := *c.asked
	if rank != card.NoRank {
		a := game.Action{Do: "card", Rank: rank, Suit: suit, Frame: int64(e.Frame)}
		if err := c.submit(ctx, a, e, "host"); err != nil {
			return err // the question stays
		}
		if err := c.table.State().Trouble; err != nil {
			return err
		}
	}
	defer c.wake()
	c.asked = nil
	for len(c.held) > 0 && c.asked == nil {
		next := c.held[0]
		c.held = c.held[1:]
		if err := c.deal(ctx, next); err != nil {
			return err
		}
	}
	return nil
}

// wake tells whoever waits on Changed; the lock is held.
func (c *Camera) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Changed is closed when View has changed.
func (c *Camera) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// View is how the camera does now.
func (c *Camera) View() web.CameraView {
	stats, seq := c.watch.Stats(), c.table.State().Seq
	c.mu.Lock()
	defer c.mu.Unlock()
	v := web.CameraView{State: c.state, FPS: c.rate}
	if c.state == "starting" && stats.Frames > 0 {
		v.State = "ok"
	}
	if c.asked != nil {
		v.Unsure = &web.Unsure{I: c.asked.I, Picture: c.asked.Picture, Guess: c.asked.Guess}
	}
	switch {
	case c.lost != "":
		v.Trouble = web.Note{Key: "camera.trouble.lost", Args: map[string]any{"note": c.lost}}
	case c.aside != nil:
		v.State, v.Trouble = "still", web.Note{Key: "camera.trouble.paused"}
	case c.stray != nil && c.stray.seq == seq && c.stray.card.Rank != card.NoRank:
		v.Trouble = web.Note{Key: "camera.trouble.stray.card", Args: map[string]any{"card": c.stray.card.String()}}
	case c.stray != nil && c.stray.seq == seq:
		v.Trouble = web.Note{Key: "camera.trouble.stray"}
	case len(c.flaws) > 0:
		v.Trouble = web.Note{Key: FlawKey(c.flaws[0])}
	}
	return v
}

// FlawKey is what the pages' catalogue says of a flaw.
func FlawKey(f vision.Flaw) string {
	return map[vision.Flaw]string{vision.TooDark: "camera.flaw.dark", vision.TooBright: "camera.flaw.bright", vision.Blurred: "camera.flaw.blurred"}[f]
}

// Frame is the newest picture as JPEG.
func (c *Camera) Frame() []byte { return c.watch.Picture() }
