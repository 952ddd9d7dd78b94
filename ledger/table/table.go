// Package table is one whole night as a pure fold of actions: it opens the game
// that `open` asks for, hands every further action to it, and adds what does
// not depend on the game: undo, correction, and the final object. It leaves the
// rules to the packages below ledger/game, and order, time and safekeeping to
// the Croupier.
package table

import (
	"slices"

	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// Table is the state of one night, a value: Apply answers with the next one and
// leaves the receiver as it was. The zero value is a night not yet opened.
type Table struct {
	game    game.Game
	log     history // of the coup that runs or was settled last
	earlier history // of the coup before it, for when its bank is taken back
}

// history is what undo and correct may reach: the accepted actions of a coup,
// the newest first. The oldest floor of them are out of undo's reach, because
// the bank that was posted after them has been taken back.
type history struct {
	last  *step
	steps int
	cards int64 // how many of them are cards
	floor int
}

// step is an accepted action with the table as it was before it. A step never
// changes, so tables share them.
type step struct {
	action game.Action
	moved  []chips.Transfer
	prev   *step
	before game.Game // the table that taking this back shows again
	log    history
}

// with is the history with one more step; taking it back shows the table
// before and its log again.
func (h history) with(s step) history {
	s.prev = h.last
	next := history{last: &s, steps: h.steps + 1, cards: h.cards, floor: h.floor}
	if s.action.Do == "card" {
		next.cards++
	}
	return next
}

// played are the actions, oldest first, with what they moved. Corrections are
// left out: they have been worked into the others.
func (h history) played() []*step {
	var out []*step
	for s := h.last; s != nil; s = s.prev {
		if s.action.Do != "correct" {
			out = append(out, s)
		}
	}
	slices.Reverse(out)
	return out
}

// Apply answers with the table after the action. The error is always a
// *game.Refusal, and then the table is the receiver.
func (t Table) Apply(a game.Action) (Table, game.Outcome, error) {
	switch {
	case a.Do == "open":
		return t.open(a)
	case t.game == nil:
		return t, game.Outcome{}, game.Refuse("no_night")
	case a.Do == "undo":
		return t.undo()
	case a.Do == "correct":
		return t.correct(a)
	}
	g, o, err := t.game.Apply(a)
	if err != nil {
		return t, game.Outcome{}, err
	}
	next := Table{game: g, earlier: t.earlier}
	done := step{action: a, moved: o.Transfers, before: t.game, log: t.log}
	if g.Begun() > t.game.Begun() {
		// A coup begins: only the one before it is kept, so that taking its
		// bank back shows the table as it was, to be corrected too.
		next.earlier = t.log
		done.log = history{}
		next.log = history{}.with(done)
	} else {
		next.log = t.log.with(done)
	}
	return next, o, nil
}

func (t Table) open(a game.Action) (Table, game.Outcome, error) {
	if t.game != nil {
		return t, game.Outcome{}, game.Refuse("already_open")
	}
	opener, ok := openers[a.Game]
	if !ok {
		_, err := game.Defaults(a.Game, a.Profile)
		return t, game.Outcome{}, err
	}
	g, o, err := opener(a)
	if err != nil {
		return t, game.Outcome{}, err
	}
	return Table{game: g}, o, nil
}

// undoable is the last step when undo may take it back, nil when not.
func (t Table) undoable() *step {
	if t.log.steps <= t.log.floor || t.ended() {
		return nil
	}
	return t.log.last
}

// ended says whether the session was ended by the host's own last action: that
// stands. A session that ended with its last coup can still be put right.
func (t Table) ended() bool {
	last := t.log.last
	return last != nil && (last.action.Do == "close" || last.action.Do == "time_up") && t.game.View().Phase == game.Closed
}

// undo takes back the last accepted action of this coup. What it moved is moved
// back; the entry that did it stays in the journal.
func (t Table) undo() (Table, game.Outcome, error) {
	s := t.undoable()
	if s == nil {
		return t, game.Outcome{}, game.Refuse("nothing_to_undo")
	}
	o := game.Outcome{Transfers: net(s.moved, nil)}
	o.Tell("told.undo", "what", describe(s.action))
	after := Table{game: s.before, log: s.log, earlier: t.earlier}
	if s.before.Begun() < t.game.Begun() {
		after.log, after.earlier = t.earlier, history{}
		after.log.floor = after.log.steps
	}
	return after, o, nil
}

// correct computes the coup anew with one of its cards changed.
func (t Table) correct(a game.Action) (Table, game.Outcome, error) {
	if t.ended() {
		return t, game.Outcome{}, game.Refuse("closed")
	}
	steps := t.log.played()
	at := nth(steps, a.Card)
	if at < 0 {
		return t, game.Outcome{}, game.Refuse("no_such_card", "n", a.Card, "max", t.log.cards).In("card")
	}
	var was, now []chips.Transfer
	var said []game.Message
	var log history
	for _, s := range steps[:at] {
		log = log.with(*s)
	}
	g, old := steps[at].before, steps[at].action
	for i, s := range steps[at:] {
		do := s.action
		if i == 0 {
			do.Rank, do.Suit = a.Rank, a.Suit
		}
		next, o, err := g.Apply(do)
		switch {
		case err != nil && i == 0:
			return t, game.Outcome{}, err
		case err != nil:
			return t, game.Outcome{}, game.Refuse("correct_later", "what", describe(do), "why", err.(*game.Refusal).Message)
		case next.Begun() > t.game.Begun():
			// The coup would have been over, and this card would have begun
			// another: it does not belong to the coup any more.
			return t, game.Outcome{}, game.Refuse("correct_later", "what", describe(do),
				"why", game.Refuse("not_now", "do", do.Do, "prompt", g.View().Prompt).Message)
		}
		log = log.with(step{action: do, moved: o.Transfers, before: g, log: log})
		was, now = append(was, s.moved...), append(now, o.Transfers...)
		g, said = next, o.Told
	}
	o := game.Outcome{Transfers: net(was, now)}
	o.Tell("told.correct", "n", a.Card, "was", face(old), "card", face(a))
	if len(o.Transfers) > 0 || g.View().Phase != t.game.View().Phase {
		// What the coup now says at its last action is news; the rest was heard.
		o.Told = append(o.Told, said...)
	}
	if t.log.floor > 0 {
		log.floor = log.steps
	}
	done := step{action: a, moved: o.Transfers, before: t.game, log: t.log}
	return Table{game: g, log: log.with(done), earlier: t.earlier}, o, nil
}

// nth is where the n-th card of these steps stands, -1 when there is none.
func nth(steps []*step, n int64) int {
	for i, s := range steps {
		if s.action.Do == "card" {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}

// Begun is how many coups have begun tonight, void ones included.
func (t Table) Begun() int {
	if t.game == nil {
		return 0
	}
	return t.game.Begun()
}

// View is what may be known of the table; before `open` only that.
func (t Table) View() game.View {
	if t.game == nil {
		return game.View{Prompt: game.Say("prompt.open"), Choices: []game.Choice{{Do: "open"}}}
	}
	v := t.game.View()
	v.Odds = chances(v)
	if s := t.undoable(); s != nil {
		v.UndoOf = s.action.Do
		v.Undo = describe(s.action)
		v.Choices = append(v.Choices, game.Choice{Do: "undo"})
	}
	if t.log.cards > 0 && !t.ended() {
		v.Choices = append(v.Choices, game.Choice{Do: "correct", Min: 1, Max: t.log.cards})
	}
	return v
}
