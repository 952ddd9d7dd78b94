// Package demo is a table without people: it draws a scene, deals from a shoe of
// its own, and has scripted players press simulated buttons. To the house it is a
// camera (vision.FrameSource) and a panel of buttons (hw.Buttons) and nothing
// else, so a night of the demo runs through every line a real one does.
//
// It promises that the same seed gives the same night when nothing but its own
// frames drives it. It never tells the table which card it dealt: that has to be
// seen. Who may do what it reads off the table's choices; it knows no rule.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"lansquenet/hw"
	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/vision"
	"lansquenet/vision/scene"
	"lansquenet/web"
)

// Options of a demo. The zero value plays Lansquenet for ever as fast as it is
// looked at.
type Options struct {
	Seed  uint64
	Coups int     // ends the night after so many; 0: plays on, night after night
	Speed float64 // frames at this many times their own pace; 0: as fast as they are asked for

	Game, Profile string // "": lansquenet by the rules of pagat
	Scene         scene.Options

	// Swap replaces a card on its way from the shoe to the table, unknown to the
	// dealer; nil: none is. It is what a test uses to show that only what is seen
	// counts.
	Swap func(n int, c card.Card) card.Card
}

// Asked is the host's side of the camera.
type Asked interface {
	View() web.CameraView
	Answer(ctx context.Context, i int, rank card.Rank, suit card.Suit) error
}

// Table is the demo's table.
type Table struct {
	opt     Options
	scene   *scene.Scene
	rnd     *rand.Rand
	table   *ledger.Croupier
	camera  Asked
	meaning func(game.View, hw.Press) (ledger.Request, bool)
	folk    []player

	shoe  []card.Card // what is left in it, next card last
	rest  int         // frames until somebody does something
	due   *dealt      // the card that the table has not heard of yet
	dealt []Deal
	laid  int  // cards that lie on the table
	ended bool // the night's last coup is over

	shuffled bool // the last thing done was to shuffle

	presses chan hw.Press
	taken   chan struct{}
	waiting bool // Next has been called before
	pressed int  // presses so far

	began time.Time // of the first frame, when the pace is a real one
}

// Deal is one card with what became of it.
type Deal struct {
	Dealt card.Card
	Read  card.Card // as it was journalled; zero while it was not
	By    string    // "camera", "host" (asked), or "" when it was missed and the host entered it
}

type dealt struct {
	card  card.Card
	seq   uint64 // the table's last entry before
	since uint64 // frame in which the hand began
	asked int    // frames since the host was asked about it
}

// New lays the table. Seat must be called before its first frame.
func New(o Options) *Table {
	if o.Game == "" {
		o.Game = "lansquenet"
	}
	if o.Game == "lansquenet" && o.Profile == "" {
		o.Profile = "pagat"
	}
	o.Scene.Seed = o.Seed
	rnd := rand.New(rand.NewPCG(o.Seed, 0x1a45))
	return &Table{opt: o, scene: scene.New(o.Scene), rnd: rnd, folk: people(rnd),
		presses: make(chan hw.Press), taken: make(chan struct{})}
}

// Seat sits the players down at a table: the croupier they play at, the camera
// whose questions their host answers, and what their buttons mean.
func (t *Table) Seat(c *ledger.Croupier, a Asked, m func(game.View, hw.Press) (ledger.Request, bool)) {
	t.table, t.camera, t.meaning = c, a, m
}

// Clock is the demo's own clock, which goes with its frames: it starts at the
// same moment for every night, so that even the journal's hashes are the same.
func (t *Table) Clock() time.Time {
	return time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC).Add(t.scene.Time(t.scene.N()))
}

// Dice are the demo's own, for the drawing of the first banker.
func (t *Table) Dice() io.Reader { return dice{t.rnd} }

type dice struct{ *rand.Rand }

func (d dice) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(d.Uint32())
	}
	return len(b), nil
}

// Deals are the cards dealt so far.
func (t *Table) Deals() []Deal { return t.dealt }

// Next lets the players do what they do and draws the next picture. io.EOF: the
// night is over.
func (t *Table) Next(ctx context.Context) (vision.Frame, error) {
	if err := t.act(ctx); err != nil {
		return vision.Frame{}, err
	}
	f, err := t.scene.Next(ctx)
	if err != nil || t.opt.Speed == 0 {
		return f, err
	}
	now := time.Now()
	if t.began.IsZero() {
		t.began = now
	}
	at := t.began.Add(time.Duration(float64(f.At) / t.opt.Speed))
	if late := now.Sub(at); late > time.Second {
		t.began = t.began.Add(late) // a slow machine shows the night slower, not in leaps
	}
	select {
	case <-time.After(at.Sub(now)):
	case <-ctx.Done():
		return f, ctx.Err()
	}
	f.Taken = time.Now()
	return f, nil
}

// Close ends the pictures.
func (t *Table) Close() error { return t.scene.Close() }

// frames is so many seconds in frames.
func (t *Table) frames(seconds float64) int {
	return int(seconds * float64(time.Second) / float64(t.scene.Time(1)))
}

// act is what happens between two frames: at most one thing.
func (t *Table) act(ctx context.Context) error {
	if t.scene.Busy() {
		return nil
	}
	st := t.table.State()
	if st.Trouble != nil {
		return io.EOF
	}
	if t.due != nil {
		return t.await(ctx, st)
	}
	if t.rest > 0 {
		t.rest--
		return nil
	}
	v := st.View
	switch {
	case st.Seq == 0 || v.Phase == game.Closed:
		if t.ended {
			return io.EOF
		}
		return t.open(ctx)
	case !t.ended && t.opt.Coups > 0 && v.Coups >= t.opt.Coups:
		t.ended = true
		return t.host(ctx, game.Action{Do: "time_up"})
	case len(v.Cards) == 0 && t.laid > 0:
		t.scene.Sweep()
		t.laid, t.rest = 0, t.frames(0.6)
		return nil
	case t.broke(v) != "":
		t.rest = t.frames(0.5)
		return t.host(ctx, game.Action{Do: "chips", Seat: t.broke(v), Amount: 60})
	case v.CardDue && !t.stillBetting(v):
		t.deal(v, st.Seq)
		return nil
	}
	return t.play(ctx, v)
}

// open begins a night.
func (t *Table) open(ctx context.Context) error {
	a := game.Action{Do: "open", Game: t.opt.Game, Profile: t.opt.Profile}
	for _, p := range t.folk {
		a.Seats = append(a.Seats, game.Buyin{Name: p.name, Chips: 120})
	}
	t.rest = t.frames(0.5)
	return t.host(ctx, a)
}

// broke is somebody who has nothing left at the beginning of a coup and may buy
// chips, "" for nobody: the demo's players never go home.
func (t *Table) broke(v game.View) string {
	if v.Phase != game.Bank && v.Phase != game.HandOver {
		return ""
	}
	for _, c := range v.Choices {
		i := slices.IndexFunc(v.Seats, func(s game.SeatView) bool { return s.Name == c.Seat && s.Chips == 0 && !s.Left })
		if c.Do == "chips" && i >= 0 && c.Max >= 60 {
			return c.Seat
		}
	}
	return ""
}

// stillBetting says whether somebody wants to bet before the next card, where
// bets are open and the card is what closes them.
func (t *Table) stillBetting(v game.View) bool {
	return slices.ContainsFunc(v.Choices, func(c game.Choice) bool { return c.Do == "bet" }) && t.rnd.Float64() < 0.7
}

// host is the scripted host at his page.
func (t *Table) host(ctx context.Context, a game.Action) error {
	_, err := t.table.Submit(ctx, ledger.Request{Action: a, From: "host"})
	if err != nil {
		return fmt.Errorf("demo: the host's %s: %w", a.Do, err)
	}
	return nil
}

// deal has the hand bring the next card of the shoe.
func (t *Table) deal(v game.View, seq uint64) {
	if len(t.shoe) != v.Unseen.Total {
		t.shoe = shuffled(v, t.rnd)
	}
	c := t.shoe[len(t.shoe)-1]
	t.shoe = t.shoe[:len(t.shoe)-1]
	t.dealt = append(t.dealt, Deal{Dealt: c})
	if t.opt.Swap != nil {
		c = t.opt.Swap(len(t.dealt)-1, c)
	}
	t.due = &dealt{card: c, seq: seq, since: t.scene.N()}
	t.scene.Deal(c, place(v, t.rnd))
	t.laid++
}

// await waits until the table has heard of the card on it. The host answers when
// he is asked about it; when nothing happens at all for a while, he looks himself
// and enters it, as at a real table.
func (t *Table) await(ctx context.Context, st ledger.State) error {
	if st.Seq > t.due.seq {
		t.settle(ctx, "camera", st)
		return nil
	}
	if q := t.camera.View().Unsure; q != nil {
		if t.due.asked++; t.due.asked < t.frames(1) {
			return nil // he walks over to look
		}
		err := t.say(func(s card.Suit) error { return t.camera.Answer(ctx, q.I, t.due.card.Rank, s) })
		if impossible(err) {
			err = t.camera.Answer(ctx, q.I, card.NoRank, card.NoSuit)
			if err == nil {
				return t.giveUp(ctx)
			}
		}
		if err != nil {
			return fmt.Errorf("demo: the host's answer: %w", err)
		}
		t.settle(ctx, "host", t.table.State())
		return nil
	}
	if int(t.scene.N()-t.due.since) < t.frames(4) {
		return nil
	}
	err := t.say(func(s card.Suit) error {
		return t.host(ctx, game.Action{Do: "card", Rank: t.due.card.Rank, Suit: s})
	})
	if impossible(err) {
		return t.giveUp(ctx)
	}
	if err != nil {
		return err
	}
	t.settle(ctx, "", t.table.State())
	return nil
}

// say has the host name the card that lies there. When the reader took an earlier
// card for this very one, the table holds that it cannot come again: the host
// then names its rank alone.
func (t *Table) say(name func(card.Suit) error) error {
	err := name(t.due.card.Suit)
	if impossible(err) {
		err = name(card.NoSuit)
	}
	return err
}

// giveUp is what is left when so many cards were misread that even the rank
// cannot come again: the host declares the coup void, and the shoe is made up
// anew.
func (t *Table) giveUp(ctx context.Context) error {
	if err := t.host(ctx, game.Action{Do: "void", Reason: "cards were misread"}); err != nil {
		return err
	}
	t.settle(ctx, "", t.table.State())
	return nil
}

func impossible(err error) bool {
	var no *game.Refusal
	return errors.As(err, &no) && no.Code == "impossible_card"
}

// settle notes what the table took the last card for.
func (t *Table) settle(ctx context.Context, by string, st ledger.State) {
	d := &t.dealt[len(t.dealt)-1]
	d.Read, d.By = t.heard(ctx, st.Session, t.due.seq), by
	t.due, t.rest = nil, t.frames(0.25)
	if !st.View.CardDue {
		t.rest = t.frames(1.6) // everybody looks at what has happened
	}
}

// heard is the card that was journalled first after entry seq.
func (t *Table) heard(ctx context.Context, session string, seq uint64) card.Card {
	for e, err := range t.table.Journal().Entries(ctx, session, seq) {
		if err == nil && e.Action.Do == "card" {
			return card.Card{Rank: e.Action.Rank, Suit: e.Action.Suit}
		}
	}
	return card.Card{}
}

// play has somebody do one of the things that may be done now: with a button
// where there is one for it, else on his phone.
func (t *Table) play(ctx context.Context, v game.View) error {
	a, thinks, ok := t.choose(v)
	if !ok {
		return fmt.Errorf("demo: nobody knows what to do in phase %q", v.Phase)
	}
	t.rest = thinks
	if press, ok := t.button(v, a); ok {
		return t.press(ctx, press)
	}
	from := "host"
	if a.Seat != "" {
		from = "seat:" + a.Seat
	}
	_, err := t.table.Submit(ctx, ledger.Request{Action: a, From: from})
	var no *game.Refusal
	if errors.As(err, &no) {
		return fmt.Errorf("demo: a choice was refused: %s by %q: %w", a.Do, a.Seat, err)
	}
	return err
}

// button looks for a press of the seat's own buttons, or of the banker's, that
// means the action.
func (t *Table) button(v game.View, a game.Action) (hw.Press, bool) {
	if t.meaning == nil || a.Seat == "" {
		return hw.Press{}, false
	}
	if a.Do == "cover" {
		a.Clip = true // as every button does
	}
	want, err := a.MarshalJSON()
	if err != nil {
		return hw.Press{}, false
	}
	seat := 1
	for _, s := range v.Seats {
		if s.Name == a.Seat {
			break
		}
		if !s.Left {
			seat++
		}
	}
	for _, p := range []hw.Press{{Job: hw.Cover, Seat: seat}, {Job: hw.Pass, Seat: seat}, {Job: hw.Bank}} {
		p.Name = string(p.Job)
		if p.Seat > 0 {
			p.Name = fmt.Sprintf("seat %d %s", p.Seat, p.Job)
		}
		p.Times, p.At = int(max(1, a.Amount)), t.scene.Time(t.scene.N())
		for p.Kind = hw.Short; p.Kind <= hw.LongHold; p.Kind++ {
			if req, ok := t.meaning(v, p); ok {
				if got, err := req.Action.MarshalJSON(); err == nil && string(got) == string(want) {
					return p, true
				}
			}
		}
	}
	return hw.Press{}, false
}

// press presses a simulated button and waits until it was dealt with, so that a
// night depends on its seed alone.
func (t *Table) press(ctx context.Context, p hw.Press) error {
	select {
	case t.presses <- p:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-t.taken:
		t.pressed++
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Buttons is the panel of simulated buttons.
func (t *Table) Buttons() hw.Buttons { return buttons{t} }

type buttons struct{ t *Table }

// Next waits for the next press. Being called again means that the one before
// was dealt with.
func (b buttons) Next(ctx context.Context) (hw.Press, error) {
	if b.t.waiting {
		select {
		case b.t.taken <- struct{}{}:
		case <-ctx.Done():
			return hw.Press{}, ctx.Err()
		}
	}
	select {
	case p := <-b.t.presses:
		b.t.waiting = true
		return p, nil
	case <-ctx.Done():
		return hw.Press{}, ctx.Err()
	}
}
