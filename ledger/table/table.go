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
	game game.Game
	log  history
}

// history is what undo and correct may reach: the accepted actions of the coup
// that runs or was settled last. The first floor of them are out of undo's
// reach, because the bank that was posted after them has been taken back.
type history struct {
	steps []step
	floor int
}

// step is an accepted action with the table as it was before it.
type step struct {
	action game.Action
	before game.Game
	log    history
	moved  []chips.Transfer
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
	s := step{action: a, before: t.game, log: t.log, moved: o.Transfers}
	log := history{steps: append(slices.Clip(t.log.steps), s), floor: t.log.floor}
	if g.Begun() > t.game.Begun() {
		// A coup begins: only the one before it is kept, so that taking the
		// bank back shows the table as it was, corrections included.
		s.log.steps = slices.Clone(t.log.steps)
		for i := range s.log.steps {
			s.log.steps[i].log = history{}
		}
		log = history{steps: []step{s}}
	}
	return Table{game: g, log: log}, o, nil
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
	if len(t.log.steps) <= t.log.floor {
		return nil
	}
	s := &t.log.steps[len(t.log.steps)-1]
	if t.ended(s) {
		return nil
	}
	return s
}

// ended says whether the session was ended by the host's own last action: that
// stands. A session that ended with its last coup can still be put right.
func (t Table) ended(last *step) bool {
	return (last.action.Do == "close" || last.action.Do == "time_up") && t.game.View().Phase == game.Closed
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
	after := Table{game: s.before, log: s.log}
	if s.before.Begun() < t.game.Begun() {
		after.log.floor = len(after.log.steps)
	}
	return after, o, nil
}

// correct computes the coup anew with one of its cards changed.
func (t Table) correct(a game.Action) (Table, game.Outcome, error) {
	steps := t.log.steps
	if n := len(steps); n > 0 && t.ended(&steps[n-1]) {
		return t, game.Outcome{}, game.Refuse("closed")
	}
	// Earlier corrections have already been worked into the steps.
	steps = slices.DeleteFunc(slices.Clone(steps), func(s step) bool { return s.action.Do == "correct" })
	at, seen := -1, int64(0)
	for i := range steps {
		if steps[i].action.Do == "card" {
			if seen++; seen == a.Card {
				at = i
			}
		}
	}
	if at < 0 {
		r := game.Refuse("no_such_card", "n", a.Card, "max", seen)
		r.Field = "card"
		return t, game.Outcome{}, r
	}
	var was, now []chips.Transfer
	var said []game.Message
	old := steps[at].action
	again := slices.Clone(steps[:at])
	g := steps[at].before
	for i, s := range steps[at:] {
		was = append(was, s.moved...)
		if i == 0 {
			s.action.Rank, s.action.Suit = a.Rank, a.Suit
		}
		next, o, err := g.Apply(s.action)
		if err != nil {
			if i == 0 {
				return t, game.Outcome{}, err
			}
			return t, game.Outcome{}, game.Refuse("correct_later", "what", describe(s.action),
				"why", err.(*game.Refusal).Message)
		}
		s.before, s.moved = g, o.Transfers
		s.log = history{steps: slices.Clip(again)}
		again = append(again, s)
		now = append(now, o.Transfers...)
		said = o.Told
		g = next
	}
	o := game.Outcome{Transfers: net(was, now)}
	o.Tell("told.correct", "n", a.Card, "was", face(old), "card", face(a))
	if len(o.Transfers) > 0 || g.View().Phase != t.game.View().Phase {
		// What the coup now says at its last action is news; the rest was heard.
		o.Told = append(o.Told, said...)
	}
	log := history{steps: again}
	if t.log.floor > 0 {
		log.floor = len(again)
	}
	log.steps = append(slices.Clip(again), step{action: a, before: t.game, log: t.log, moved: o.Transfers})
	return Table{game: g, log: log}, o, nil
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
	if n := t.cards(); n > 0 {
		v.Choices = append(v.Choices, game.Choice{Do: "correct", Min: 1, Max: n})
	}
	return v
}

// cards is how many cards of this coup can be corrected.
func (t Table) cards() (n int64) {
	for i := range t.log.steps {
		if t.log.steps[i].action.Do == "card" {
			n++
		}
	}
	if k := len(t.log.steps); k > 0 && t.ended(&t.log.steps[k-1]) {
		return 0
	}
	return n
}
