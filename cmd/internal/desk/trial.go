package desk

import (
	"context"
	"slices"
	"sync"

	"lansquenet/cmd/internal/house"
	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/web"
)

// trial is a test with some cards: each is laid as in a game, told by the watcher
// as in a game, and the host says what it really was.
type trial struct {
	mu    sync.Mutex
	reads []web.Read
	jpegs [][]byte
	flaws []vision.Flaw // seen while cards were read
}

// trialCards is how many cards a test takes: one for each place, and one that
// covers another.
const trialCards = 4

// tall is how many pixels high a card has to be for its index to be read well.
const tall = 120

// StartTrial begins a test.
func (d *Desk) StartTrial(ctx context.Context) error {
	d.press.Lock()
	defer d.press.Unlock()
	t := &trial{}
	if err := d.setAside(ctx, t.saw, nil); err != nil {
		return err
	}
	t.forget() // what was told before the watcher began anew
	d.mu.Lock()
	defer d.mu.Unlock()
	d.trial = t
	return nil
}

// saw takes a card that the watcher tells.
func (t *trial) saw(e vision.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.reads) == trialCards {
		return
	}
	r := web.Read{I: len(t.reads), Rank: e.Rank, Suit: e.Suit, Guess: e.Guess, Sure: e.Kind == vision.Card, Back: e.Kind == vision.Back,
		Confidence: e.Confidence, Pixels: longSide(e.Quad)}
	t.reads, t.jpegs = append(t.reads, r), append(t.jpegs, e.Picture)
}

func (t *trial) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads, t.jpegs = nil, nil
}

// Judge is the host's word on the ith card of a test: what it is. NoRank says that
// there is no rank to see, or no card at all.
func (d *Desk) Judge(i int, really card.Rank) error {
	t, err := d.running()
	if err != nil {
		return err
	}
	flaws := d.o.Watcher.Live().Flaws
	t.mu.Lock()
	defer t.mu.Unlock()
	if i < 0 || i >= len(t.reads) || t.reads[i].Judged {
		return &web.Refused{Code: "trial_over"}
	}
	r := &t.reads[i]
	r.Judged, r.Really = true, really
	t.flaws = append(t.flaws, flaws...)
	return nil
}

// Missed says that the ith card of a test lies there and the camera doesn't see it.
func (d *Desk) Missed(i int) error {
	t, err := d.running()
	if err != nil {
		return err
	}
	flaws := d.o.Watcher.Live().Flaws
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.reads) == trialCards || len(t.reads) != i {
		return &web.Refused{Code: "trial_over"}
	}
	t.reads = append(t.reads, web.Read{I: len(t.reads), Missed: true, Judged: true})
	t.jpegs = append(t.jpegs, nil)
	t.flaws = append(t.flaws, flaws...)
	return nil
}

// EndTrial gives the camera back to the table.
func (d *Desk) EndTrial(ctx context.Context) error {
	d.press.Lock()
	defer d.press.Unlock()
	if _, err := d.running(); err != nil {
		return err
	}
	d.end(ctx)
	return nil
}

func (d *Desk) running() (*trial, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.trial == nil {
		return nil, &web.Refused{Code: "trial_over"}
	}
	return d.trial, nil
}

func (t *trial) picture(i int) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i < 0 || i >= len(t.jpegs) {
		return nil
	}
	return t.jpegs[i]
}

func (t *trial) view() *web.Trial {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := &web.Trial{Of: trialCards, Reads: slices.Clone(t.reads)}
	if len(t.reads) == trialCards && !slices.ContainsFunc(t.reads, func(r web.Read) bool { return !r.Judged }) {
		v.Verdict, v.Advice = verdict(t.reads, t.flaws)
	}
	return v
}

// verdict says how well a night can be played with what was read, and what would
// help: "good", "fair" when the host will be asked now and then, or "poor" when
// cards would be missed or misread.
func verdict(reads []web.Read, flaws []vision.Flaw) (word string, advice []web.Note) {
	var wrong, asked, missed, unseen int
	small := 0
	for _, r := range reads {
		if r.Pixels > 0 && (small == 0 || r.Pixels < small) {
			small = r.Pixels
		}
		switch {
		case r.Missed:
			missed++
		case r.Sure && r.Really != r.Rank:
			wrong++
		case r.Back && r.Really != card.NoRank:
			unseen++
		case !r.Sure && !r.Back:
			asked++
		}
	}
	word = "good"
	note := func(key string, n int) {
		advice = append(advice, web.Note{Key: key, Args: map[string]any{"n": n}})
	}
	if small > 0 && small < tall {
		word = "fair"
		advice = append(advice, web.Note{Key: "camera.advice.small", Args: map[string]any{"n": small, "least": tall}})
	}
	for _, f := range []vision.Flaw{vision.TooDark, vision.TooBright, vision.Blurred} {
		if slices.Contains(flaws, f) {
			word = "fair"
			advice = append(advice, web.Note{Key: house.FlawKey(f)})
		}
	}
	if asked > 0 {
		word = "fair"
		note("camera.advice.asked", asked)
	}
	if missed > 0 {
		word = "poor"
		note("camera.advice.missed", missed)
	}
	if unseen > 0 {
		word = "poor"
		note("camera.advice.unseen", unseen)
	}
	if wrong > 0 {
		word = "poor"
		note("camera.advice.wrong", wrong)
	}
	return word, advice
}
