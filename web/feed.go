package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"lansquenet/ledger"
	"lansquenet/ledger/journal"
)

// feed turns the table's states into snapshots, once for each state, language
// and kind of viewer, however many pages look at it.
type feed struct {
	table Table
	store journal.Store
	log   *slog.Logger
	run   string

	mu     sync.Mutex
	state  ledger.State
	key    feedKey
	made   map[string]shot // by language and camera
	roads  road
	poked  chan struct{}
	pokedN int
}

// feedKey is what a cached snapshot was made of.
type feedKey struct {
	session string
	seq     uint64
	trouble bool
	poke    int
}

func newFeed(t Table, store journal.Store, log *slog.Logger, run string) *feed {
	return &feed{table: t, store: store, log: log, run: run, poked: make(chan struct{})}
}

// poke makes every page look again although no entry was made: a phone joined,
// a camera was unplugged.
func (f *feed) poke() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pokedN++
	close(f.poked)
	f.poked = make(chan struct{})
}

// changed is how to wait for something newer than what current will answer.
func (f *feed) changed() (table, poked <-chan struct{}) {
	_, table = f.table.Changed()
	f.mu.Lock()
	defer f.mu.Unlock()
	return table, f.poked
}

// refresh brings the cache up to the table; f.mu is held.
func (f *feed) refresh() {
	st := f.table.State()
	key := feedKey{st.Session, st.Seq, st.Trouble != nil, f.pokedN}
	if f.made != nil && key == f.key {
		return
	}
	f.state, f.key, f.made = st, key, map[string]shot{}
	if err := f.roads.follow(context.Background(), f.store, st); err != nil {
		f.log.Warn("web: the roads of the night cannot be read", "error", err)
	}
}

// shot is one snapshot, ready to be sent.
type shot struct {
	session string
	seq     uint64
	event   []byte // as a message of the stream
	body    []byte // the JSON in it
}

func newShot(st ledger.State, s *snapshot) (shot, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return shot{}, err
	}
	event := fmt.Appendf(make([]byte, 0, len(body)+40), "id: %d\ndata: ", st.Seq)
	head := len(event)
	event = append(append(event, body...), "\n\n"...)
	return shot{st.Session, st.Seq, event, event[head : len(event)-2]}, nil
}

// current is the newest snapshot in a language. With a host's part it is made
// for this call, else it is shared.
func (f *feed) current(speak *speaker, camera string, host *hostPart) (shot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refresh()
	cache := speak.lang + " " + camera
	made, ok := f.made[cache]
	if ok && host == nil {
		return made, nil
	}
	s := take(f.state, f.roads.steps, speak)
	s.Run, s.Camera, s.Host = f.run, camera, host
	made, err := newShot(f.state, s)
	if err == nil && host == nil {
		f.made[cache] = made
	}
	return made, err
}

// roadStep is one decided coup as the roads show it.
type roadStep struct {
	Result string `json:"r"`
	Cards  int    `json:"n"` // cards dealt in it
}

// road follows a night and keeps how each coup of it ended.
type road struct {
	session string
	fold    *ledger.Fold
	steps   []roadStep
}

// follow folds what the journal holds beyond what was folded before. An undo or
// a correction needs no special case: coups are counted by the table, and the
// list is cut or mended to that count.
func (r *road) follow(ctx context.Context, store journal.Store, st ledger.State) error {
	if store == nil || st.Session == "" {
		return nil
	}
	if r.session != st.Session || r.fold == nil || r.fold.Seq() > st.Seq {
		*r = road{session: st.Session, fold: new(ledger.Fold)}
	}
	for e, err := range store.Entries(ctx, st.Session, r.fold.Seq()) {
		if err == nil {
			_, err = r.fold.Add(e)
		}
		if err != nil {
			r.fold = nil
			return err
		}
		v := r.fold.Table.View()
		r.note(v.Coups, roadStep{v.Result, len(v.Cards)})
		if e.Seq >= st.Seq {
			break
		}
	}
	return nil
}

// undecided are results of coups that do not count.
var undecided = map[string]bool{"": true, "void": true}

func (r *road) note(coups int, last roadStep) {
	if coups < len(r.steps) {
		// Shared with snapshots that were handed out, so it is cut by copying.
		r.steps = append([]roadStep(nil), r.steps[:coups]...)
	}
	switch {
	case undecided[last.Result] && coups == len(r.steps) || coups == 0:
	case coups == len(r.steps)+1:
		r.steps = append(r.steps[:len(r.steps):len(r.steps)], last)
	case coups == len(r.steps) && last.Cards > 0 && r.steps[coups-1].Result != last.Result && !undecided[last.Result]:
		fresh := append([]roadStep(nil), r.steps...)
		fresh[coups-1] = last
		r.steps = fresh
	}
}
