// Package ledger is the Croupier: the one door through which everything that is
// done at the table goes. It promises that actions happen one after the other,
// that each is on disk before anybody is told of it, that what it shows is
// exactly what the journal adds up to, and that the same press sent twice counts
// once. The rules it leaves to ledger/table, the keeping to ledger/journal, and
// words, pages, cameras and buttons to those who call it.
package ledger

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/ledger/table"
)

// Request is one action on its way to the table.
type Request struct {
	Action  game.Action
	Seq     *uint64 // the state its sender looked at, nil when he does not say
	Session string  // the night he looked at, since each counts its entries anew; "" when he does not say
	Key     string  // idempotency key, "" for none
	From    string  // "camera", "button", "host", "seat:NAME", "script"
}

// Receipt says what became of an accepted action.
type Receipt struct {
	Session string
	Seq     uint64 // the action's entry
	Phase   game.Phase
	Turn    string
	Outcome game.Outcome
	Again   bool // this key was seen before; the receipt is that of the first time
}

// Told is what the table was told by one entry, or between it and the next.
type Told struct {
	Seq  uint64
	At   time.Time
	Do   string
	Coup int // the coup it belongs to, from 1; 0 before the first
	Said []game.Message
}

// State is the night as it stands: exactly what the journal adds up to.
type State struct {
	Session string // "" before the first night
	Meta    journal.Meta
	Seq     uint64
	Head    string
	View    game.View
	Final   Final          // the same in the contract's form
	History []Told         // newest last; shared, not to be changed
	Notice  []game.Message // what was found when the journal was opened: "carry on with card 5"
	Trouble error          // why the table stands still, nil while it does not
}

// Final is the night in the contract's own form.
type Final struct {
	table.Final
	Seq  uint64 `json:"seq"`
	Head string `json:"head"`
}

// Errors of Submit besides refusals.
var (
	// ErrStale refuses a request whose sender looked at an older state.
	ErrStale = errors.New("the table has moved on since")
	// ErrStopped answers everything after the journal failed: what cannot be
	// written down is not played.
	ErrStopped = errors.New("the table stands still, because its journal cannot be written")
)

// Options of a Croupier; the zero value serves.
type Options struct {
	Now     func() time.Time // the clock; nil: time.Now
	Chance  io.Reader        // the dice; nil: crypto/rand
	Program string           // the program's version, kept with each night
	Deck    string           // the deck the reader is set to
	Camera  string           // the source of the frames
	Anew    bool             // leave the last night as it is; the next open begins another
}

// Croupier orders the actions, journals them and holds the table.
type Croupier struct {
	store journal.Store
	opt   Options

	mu      sync.Mutex
	fold    *Fold
	view    game.View
	history []Told
	last    time.Time         // At of the last entry
	keys    map[string]uint64 // idempotency keys of this night
	recent  receipt           // of the last entry, for a press that is sent twice
	camera  journal.Mark      // what became of it last, as far as we were told
	marked  bool              // the night's last mark says that it is lost
	notice  []game.Message
	trouble error
	changed chan struct{}
}

// Open takes up the last night of the store where it was left, in the middle of
// a coup too. It goes through that night's journal and compares every transfer
// with what the rules yield; damage is a *journal.Damage and nothing is opened.
func Open(ctx context.Context, store journal.Store, opt Options) (*Croupier, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Chance == nil {
		opt.Chance = rand.Reader
	}
	c := &Croupier{store: store, opt: opt, changed: make(chan struct{})}
	c.fold, c.keys = newFold(), make(map[string]uint64)
	s, ok, err := lastNight(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("ledger: open: %w", err)
	}
	if ok && !opt.Anew {
		marks, err := store.Marks(ctx, s.ID)
		if err != nil {
			return nil, fmt.Errorf("ledger: open night %s: %w", s.ID, err)
		}
		for e, err := range store.Entries(ctx, s.ID, 0) {
			if err == nil {
				err = c.take(e)
			}
			var bad *journal.Damage
			if errors.As(err, &bad) {
				return nil, fmt.Errorf("ledger: open night %s: %w; put a backup in its place, or play in another data folder and save with `export --salvage` what is whole", s.ID, err)
			}
			if err != nil {
				return nil, fmt.Errorf("ledger: open night %s: %w", s.ID, err)
			}
			for len(marks) > 0 && marks[0].Seq == e.Seq {
				c.tellMark(marks[0])
				marks = marks[1:]
			}
		}
	}
	c.view = c.fold.Table.View()
	c.welcome()
	return c, nil
}

// lastNight is the night to carry on: the last one begun here, or, in a journal
// into which nights were only imported, the last of these.
func lastNight(ctx context.Context, store journal.Store) (journal.Session, bool, error) {
	all, err := store.Sessions(ctx)
	if err != nil || len(all) == 0 {
		return journal.Session{}, false, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if !all[i].Imported {
			return all[i], true, nil
		}
	}
	return all[len(all)-1], true, nil
}

// take folds one journalled entry in.
func (c *Croupier) take(e journal.Entry) error {
	out, err := c.fold.Add(e)
	if err != nil {
		return err
	}
	c.told(e, out)
	return nil
}

func (c *Croupier) told(e journal.Entry, out game.Outcome) {
	c.last = e.At
	if e.Note.Key != "" {
		c.keys[e.Note.Key] = e.Seq
	}
	if len(out.Told) > 0 {
		c.history = append(c.history, Told{Seq: e.Seq, At: e.At, Do: e.Action.Do, Coup: c.fold.Table.Begun(), Said: out.Told})
	}
}

// welcome says what the journal was found like, and where the night is carried
// on, when one is.
func (c *Croupier) welcome() {
	if s, ok := c.store.(interface{ Torn() int64 }); ok && s.Torn() > 0 {
		c.notice = append(c.notice, game.Say("resume.torn"))
	}
	if c.fold.Seq() == 0 || c.view.Phase == game.Closed {
		return
	}
	if c.view.CardDue {
		c.notice = append(c.notice, game.Say("resume.card", "card", int64(len(c.view.Cards)+1)))
	} else {
		c.notice = append(c.notice, game.Say("resume.night", "seq", int64(c.fold.Seq())))
	}
}

// Submit brings one action to the table: the rules decide, the journal writes,
// and only then it counts. The error is a *game.Refusal (the table says no and
// nothing changed), ErrStale, or ErrStopped with the trouble that stopped it.
func (c *Croupier) Submit(ctx context.Context, r Request) (Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trouble != nil {
		return Receipt{}, c.trouble
	}
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	if seq, seen := c.keys[r.Key]; seen && r.Key != "" {
		return c.again(ctx, r, seq)
	}
	if night := c.fold.Meta().Session; r.Session != "" && r.Session != night {
		return Receipt{}, fmt.Errorf("%w: this is night %q, and the request was made in %q", ErrStale, night, r.Session)
	}
	if r.Seq != nil && *r.Seq != c.fold.Seq() {
		return Receipt{}, fmt.Errorf("%w: entry %d is the last, and the request was made at %d",
			ErrStale, c.fold.Seq(), *r.Seq)
	}
	a, err := written(r.Action)
	if err != nil {
		return Receipt{}, err
	}
	if a.Draw != nil && r.From != "script" {
		// Whoever could send the numbers would choose the first banker.
		return Receipt{}, &game.Refusal{Code: "bad_action", Field: "draw",
			Message: game.Say("bad.unknown_field", "field", "draw", "got", "draw")}
	}
	fresh := a.Do == "open" && (c.fold.Seq() == 0 || c.view.Phase == game.Closed)
	fold, prev := c.fold.clone(), c.fold.Head()
	var meta journal.Meta
	if fresh {
		if meta, err = c.meta(ctx, a); err != nil {
			return Receipt{}, fmt.Errorf("ledger: %w", err)
		}
		fold, prev = newFold(), meta.Genesis()
		fold.Table, _ = tableFor(RulesVersion)
		if a.Banker == "" && a.Draw == nil {
			if a.Draw, err = c.draw(); err != nil {
				return Receipt{}, fmt.Errorf("ledger: draw the banker: %w", err)
			}
		}
	}
	after, out, err := fold.Table.Apply(a)
	if err != nil {
		return Receipt{}, err
	}
	view := after.View()
	e := journal.Entry{Seq: fold.Seq() + 1, At: c.opt.Now(), Action: a, Transfers: out.Transfers,
		Note: journal.Note{Key: r.Key, From: r.From, Closed: view.Phase == game.Closed}}
	if err := c.write(ctx, &e, prev, meta, fold); err != nil {
		c.trouble = fmt.Errorf("%w: %w", ErrStopped, err)
		c.wake()
		return Receipt{}, c.trouble
	}
	if fresh {
		c.history, c.keys = nil, make(map[string]uint64)
	}
	fold.Table = after
	c.fold, c.view, c.notice = fold, view, nil
	c.told(e, out)
	if fresh {
		c.marked = false
		_ = c.mark(ctx) // if nothing can be written any more, the next entry says so
	}
	c.wake()
	c.recent = receipt{a, Receipt{Session: fold.Meta().Session, Seq: e.Seq, Phase: view.Phase, Turn: view.Turn, Outcome: out}}
	return c.recent.Receipt, nil
}

// Camera notes with the night that is played, if one is, that the camera was
// lost or came back. Said again, also after a restart, it is not noted again. The
// table does not care: an error is no reason to stop it.
func (c *Croupier) Camera(ctx context.Context, lost bool, note string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.camera = journal.Mark{Lost: lost, Note: note}
	return c.mark(ctx)
}

// mark writes down what became of the camera, unless the night knows it.
func (c *Croupier) mark(ctx context.Context) error {
	if c.camera.Lost == c.marked || c.fold.Seq() == 0 || c.view.Phase == game.Closed {
		return nil
	}
	m := c.camera
	m.Seq, m.At = c.fold.Seq(), c.opt.Now().UTC().Truncate(time.Millisecond)
	if err := c.store.Mark(ctx, c.fold.Meta().Session, m); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	c.tellMark(m)
	c.wake()
	return nil
}

func (c *Croupier) tellMark(m journal.Mark) {
	c.marked = m.Lost
	c.history = append(c.history, OfCamera(m))
}

// OfCamera is what the table is told of the camera.
func OfCamera(m journal.Mark) Told {
	says := game.Say("camera.back")
	if m.Lost {
		says = game.Say("camera.lost")
	}
	return Told{Seq: m.Seq, At: m.At, Do: "camera", Said: []game.Message{says}}
}

// receipt is a receipt and what it was given for.
type receipt struct {
	action game.Action
	Receipt
}

// written is the action as it will be read back from the journal. What cannot be
// written is refused here, whoever made it: nothing is played that a later
// opening could not read.
func written(a game.Action) (game.Action, error) {
	b, err := a.MarshalJSON()
	if err != nil {
		b = fmt.Appendf(nil, `{"do":%q}`, a.Do) // Decode has the words for it
	}
	return game.Decode(b)
}

// write seals the entry, lets the chain of fold check it (so that an entry that
// could not be read back is never written) and puts it on disk.
func (c *Croupier) write(ctx context.Context, e *journal.Entry, prev string, meta journal.Meta, fold *Fold) error {
	if err := e.Seal(prev); err != nil {
		return fmt.Errorf("ledger: entry %d: %w", e.Seq, err)
	}
	if err := fold.chain.Add(e); err != nil {
		return fmt.Errorf("ledger: the rules yield what cannot be booked: %w", err)
	}
	// Whoever sent this may go away; the write is not his to break off.
	ctx = context.WithoutCancel(ctx)
	if e.Seq == 1 {
		return c.store.Begin(ctx, meta, *e)
	}
	return c.store.Append(ctx, fold.Meta().Session, *e)
}

// meta says what the night that begins is played with. Its name is drawn until
// it is new here: with a clock that stands still and dice with a seed it need
// not be at once.
func (c *Croupier) meta(ctx context.Context, open game.Action) (journal.Meta, error) {
	m := journal.Meta{Format: journal.Format, Program: c.opt.Program, Rules: RulesVersion, Profile: open.Profile,
		Deck: c.opt.Deck, Camera: c.opt.Camera}
	for {
		name, err := journal.NewSession(c.opt.Now(), c.opt.Chance)
		if err != nil {
			return m, err
		}
		switch _, err := c.store.Session(ctx, name); {
		case errors.Is(err, journal.ErrNoSession):
			m.Session = name
			return m, nil
		case err != nil:
			return m, err
		}
	}
}

// again answers a key that was seen before with the receipt of the first time.
// The same key on another action is a mistake of its sender and refused, since
// saying yes would leave him believing that both were done.
func (c *Croupier) again(ctx context.Context, r Request, seq uint64) (Receipt, error) {
	was := c.recent
	if was.Seq != seq {
		var err error
		if was, err = c.receiptOf(ctx, seq); err != nil {
			return Receipt{}, fmt.Errorf("ledger: look up entry %d: %w", seq, err)
		}
	}
	if !sameRequest(r.Action, was.action) {
		return Receipt{}, game.Refuse("key_used", "seq", int64(seq))
	}
	was.Again = true
	return was.Receipt, nil
}

// receiptOf plays the night up to an entry to see what was answered then.
func (c *Croupier) receiptOf(ctx context.Context, seq uint64) (receipt, error) {
	id, fold := c.fold.Meta().Session, newFold()
	for e, err := range c.store.Entries(ctx, id, 0) {
		if err != nil {
			return receipt{}, err
		}
		out, err := fold.Add(e)
		if err != nil {
			return receipt{}, err
		}
		if e.Seq == seq {
			v := fold.Table.View()
			return receipt{e.Action, Receipt{Session: id, Seq: seq, Phase: v.Phase, Turn: v.Turn, Outcome: out}}, nil
		}
	}
	return receipt{}, journal.ErrNoSession
}

// sameRequest compares a request with what was journalled for it, which may
// have been given the numbers of a draw.
func sameRequest(asked, done game.Action) bool {
	if asked.Draw == nil {
		done.Draw = nil
	}
	a, err1 := asked.MarshalJSON()
	b, err2 := done.MarshalJSON()
	return err1 == nil && err2 == nil && string(a) == string(b)
}

// draw takes numbers, each uniform over 0 … 2^31-1, from the dice.
func (c *Croupier) draw() ([]int64, error) {
	var b [4 * game.DrawNumbers]byte
	if _, err := io.ReadFull(c.opt.Chance, b[:]); err != nil {
		return nil, err
	}
	out := make([]int64, game.DrawNumbers)
	for i := range out {
		out[i] = int64(binary.BigEndian.Uint32(b[4*i:]) >> 1)
	}
	return out, nil
}

// wake tells everyone who waits on Changed.
func (c *Croupier) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// State is the night as it stands.
func (c *Croupier) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return State{Session: c.fold.Meta().Session, Meta: c.fold.Meta(), Seq: c.fold.Seq(), Head: c.fold.Head(),
		View: c.view, Final: c.final(), History: c.history[:len(c.history):len(c.history)], Notice: c.notice, Trouble: c.trouble}
}

// Changed is the last entry's number and a channel that is closed as soon as
// there is something newer to see: another entry, another night, or trouble.
func (c *Croupier) Changed() (seq uint64, next <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fold.Seq(), c.changed
}

// Final is the night in the contract's form.
func (c *Croupier) Final() Final {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.final()
}

func (c *Croupier) final() Final { return Final{table.FinalOf(c.view), c.fold.Seq(), c.fold.Head()} }

// Journal is the store behind the table, for those who list, export and replay
// nights. Nobody but the Croupier appends to it.
func (c *Croupier) Journal() journal.Store { return c.store }
