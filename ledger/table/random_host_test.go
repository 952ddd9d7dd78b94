package table_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
	"lansquenet/ledger/table"
)

var (
	hostActions = flag.Int("host.actions", 15_000, "actions the random host tries")
	hostSeed    = flag.Uint64("host.seed", 1, "seed of its first night")
)

// TestRandomHost does anything in any order over all games and house rules and
// looks after every action whether the table still holds what it promises. A
// failure prints the night's seed and its script; -host.actions=5000000 is the
// long form, -host.seed=N begins with a given night.
func TestRandomHost(t *testing.T) {
	count := make(map[string]int)
	tried := 0
	seed := *hostSeed
	for ; tried < *hostActions; seed++ {
		n := night{c: newChance(seed), count: count}
		if err := n.play(t); err != nil {
			t.Fatalf("night %d, action %d: %v\n%s", seed, len(n.asked), err, n.script())
		}
		tried += len(n.asked)
	}
	t.Logf("%d actions in nights %d to %d", tried, *hostSeed, seed-1)
	var did []string
	for _, do := range everything {
		did = append(did, fmt.Sprintf("%s %d/%d", do, count[do], count[do+" asked"]))
		if count[do] == 0 && tried >= 15_000 {
			t.Errorf("%s was never accepted", do)
		}
	}
	t.Log("accepted of asked:", strings.Join(did, ", "))
}

// night is one night of the random host.
type night struct {
	c     chance
	count map[string]int
	asked []game.Action
	now   table.Table
	view  game.View
	book  chips.Book
	// What was accepted, with the table before and after, to be played again.
	steps []played
	// The actions the table should stand as if it had only seen them: undo and
	// correct change the list and keep the one before.
	as []version
}

type played struct {
	action      game.Action
	before      table.Table
	moved       []chips.Transfer
	after       game.View
	beforeViews game.View
}

// version is a list of actions and how many of them came before this coup.
type version struct {
	actions []game.Action
	begun   int
}

func (n *night) script() string {
	var b strings.Builder
	for _, a := range n.asked {
		line, err := a.MarshalJSON()
		if err != nil {
			line = fmt.Appendf(nil, "// %+v", a)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func (n *night) play(t *testing.T) error {
	name := pick(n.c, []string{game.Lansquenet, game.Lansquenet, game.Skin, game.Skin, game.Zecchinetta})
	n.view = n.now.View()
	if err := n.do(n.c.open(name)); err != nil {
		return err
	}
	long := 40 + n.c.IntN(160)
	for len(n.asked) < long && n.view.Phase != game.Closed && len(n.steps) > 0 {
		if n.c.once(6) {
			if err := n.checkChoices(); err != nil {
				return err
			}
		}
		if err := n.do(n.c.next(n.view)); err != nil {
			return err
		}
	}
	return n.again()
}

// do asks the table for one action and looks at what came of it.
func (n *night) do(a game.Action) error {
	// Only what can be written comes to a table.
	if b, err := a.MarshalJSON(); err != nil {
		return err
	} else if a, err = game.Decode(b); err != nil {
		return nil
	}
	n.asked = append(n.asked, a)
	n.count[a.Do+" asked"]++
	before, was := n.now, n.view
	after, out, err := before.Apply(a)
	if now := before.View(); !reflect.DeepEqual(now, was) {
		return fmt.Errorf("%s changed the table it was applied to: %s", a.Do, differ(was, now))
	}
	if err != nil {
		return n.refused(a, err, after, out)
	}
	n.count[a.Do]++
	if err := offered(was, a); err != nil {
		return err
	}
	n.now, n.view = after, after.View()
	n.steps = append(n.steps, played{a, before, out.Transfers, n.view, was})
	if err := n.book.Post(out.Transfers); err != nil {
		return fmt.Errorf("%s: %w", a.Do, err)
	}
	if err := n.balanced(); err != nil {
		return fmt.Errorf("%s: %w", a.Do, err)
	}
	if err := invariants(n.view); err != nil {
		return fmt.Errorf("%s: %w", a.Do, err)
	}
	if err := n.remember(a, was); err != nil {
		return err
	}
	if a.Do == "card" {
		n.count["settled: "+n.view.Result]++
		before := n.steps[max(len(n.steps)-2, 0)].beforeViews
		if err := settlement(before, was, n.view, a); err != nil {
			return fmt.Errorf("the second settlement disagrees: %w", err)
		}
	}
	return nil
}

// offered: whatever is accepted was among the choices, so that whoever only
// presses buttons can do it too.
func offered(v game.View, a game.Action) error {
	if a.Do == "claim" || a.Do == "cover" && a.Clip {
		return nil // claiming again changes nothing; clip cuts any amount down
	}
	n := a.Amount
	switch a.Do {
	case "sit":
		n = a.Chips
	case "correct":
		n = a.Card
	case "limits":
		n = a.Max
	}
	for _, o := range v.Choices {
		if o.Do == a.Do && (o.Seat == "" || o.Seat == a.Seat) &&
			(!limited(o) || n >= o.Min && n <= o.Max) && (o.Amounts == nil || slices.Contains(o.Amounts, n)) &&
			(o.Ranks == nil || a.Rank == card.NoRank || slices.Contains(o.Ranks, a.Rank)) &&
			(o.Against == nil || slices.Contains(o.Against, a.Against)) {
			return nil
		}
	}
	return fmt.Errorf("%+v was accepted and not offered: %+v", a, v.Choices)
}

// refused: a refusal says why and has changed nothing.
func (n *night) refused(a game.Action, err error, after table.Table, out game.Outcome) error {
	var r *game.Refusal
	switch {
	case !errors.As(err, &r):
		return fmt.Errorf("%s: %w is no refusal", a.Do, err)
	case r.Code == "" || r.Message.Key == "":
		return fmt.Errorf("%s: the refusal %+v says nothing", a.Do, r)
	case out.Transfers != nil || out.Told != nil:
		return fmt.Errorf("%s: refused and yet did %+v", a.Do, out)
	}
	if now := after.View(); !reflect.DeepEqual(now, n.view) {
		return fmt.Errorf("the refusal of %s changed the table: %s", a.Do, differ(n.view, now))
	}
	return nil
}

// balanced: the book of transfers says what the table says.
func (n *night) balanced() error {
	want := make(map[chips.Account]int64)
	add := func(a chips.Account, x int64) {
		if x != 0 {
			want[a] = x
			want[chips.Cage] -= x
		}
	}
	for _, s := range n.view.Seats {
		if s.Chips < 0 || s.Stake < 0 {
			return fmt.Errorf("%s stands at %d and %d", s.Name, s.Chips, s.Stake)
		}
		if s.Left && s.Chips+s.Stake != 0 {
			return fmt.Errorf("%s has left and has chips", s.Name)
		}
		add(chips.Stack(s.Name), s.Chips)
		add(chips.Stake(s.Name), s.Stake)
	}
	add(chips.Bank, n.view.Bank)
	if want[chips.Cage] == 0 {
		delete(want, chips.Cage)
	}
	if got := n.book.Balances(); !maps.Equal(got, want) {
		return fmt.Errorf("the book says %v, the table %v", got, want)
	}
	return nil
}

// remember keeps the list of actions the table should stand as if it had only
// seen them, and after undo and correct holds the table against it.
func (n *night) remember(a game.Action, was game.View) error {
	last := version{}
	if len(n.as) > 0 {
		last = n.as[len(n.as)-1]
	}
	switch a.Do {
	case "undo":
		n.as = n.as[:len(n.as)-1]
	case "correct":
		next := version{slices.Clone(last.actions), last.begun}
		k := int64(0)
		for i := last.begun; i < len(next.actions); i++ {
			if b := &next.actions[i]; b.Do == "card" {
				if k++; k == a.Card {
					b.Rank, b.Suit = a.Rank, a.Suit
				}
			}
		}
		n.as = append(n.as, next)
	default:
		begun := last.begun
		if n.steps[len(n.steps)-1].before.Begun() < n.now.Begun() {
			begun = len(last.actions)
		}
		n.as = append(n.as, version{append(slices.Clip(last.actions), a), begun})
		return nil
	}
	var want table.Table
	for _, b := range n.as[len(n.as)-1].actions {
		next, _, err := want.Apply(b)
		if err != nil {
			return fmt.Errorf("%s left a table that refuses its own %s: %w", a.Do, b.Do, err)
		}
		want = next
	}
	if w, got := bare(want.View()), bare(n.view); !reflect.DeepEqual(w, got) {
		return fmt.Errorf("%s did not lead where its actions lead: %s", a.Do, differ(w, got))
	}
	return nil
}

// bare is a view without what undo and correct may still reach, which does not
// depend on the actions alone.
func bare(v game.View) game.View {
	v.UndoOf, v.Undo = "", game.Message{}
	v.Choices = slices.DeleteFunc(slices.Clone(v.Choices), func(c game.Choice) bool { return c.Do == "undo" || c.Do == "correct" })
	if len(v.Choices) == 0 {
		v.Choices = nil
	}
	return v
}

// again plays the night once more: from every table that it went through, from
// actions as they are written, and all of it from the beginning.
func (n *night) again() error {
	var fresh table.Table
	for i, s := range n.steps {
		if now := s.before.View(); !reflect.DeepEqual(now, s.beforeViews) {
			return fmt.Errorf("the table before action %d has changed since: %s", i+1, differ(s.beforeViews, now))
		}
		b, err := s.action.MarshalJSON()
		if err != nil {
			return fmt.Errorf("%+v cannot be written: %w", s.action, err)
		}
		a, err := game.Decode(b)
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", b, err)
		}
		for what, from := range map[string]table.Table{"again": s.before, "from the beginning": fresh} {
			next, out, err := from.Apply(a)
			if err != nil {
				return fmt.Errorf("%s %s: %w", a.Do, what, err)
			}
			if !slices.Equal(out.Transfers, s.moved) {
				return fmt.Errorf("%s %s moved %v instead of %v", a.Do, what, out.Transfers, s.moved)
			}
			if v := next.View(); !reflect.DeepEqual(v, s.after) {
				return fmt.Errorf("%s %s led elsewhere: %s", a.Do, what, differ(s.after, v))
			}
			if what != "again" {
				fresh = next
			}
		}
	}
	return nil
}

// checkChoices: what is offered is accepted to its very limits, and not beyond.
func (n *night) checkChoices() error {
	must := func(a game.Action, want bool, why string) error {
		_, _, err := n.now.Apply(a)
		if (err == nil) != want {
			b, _ := a.MarshalJSON()
			return fmt.Errorf("offered %s, %s: %s: %v", why, b, map[bool]string{true: "refused", false: "accepted"}[want], err)
		}
		return nil
	}
	seen := make(map[string]bool)
	for _, o := range n.view.Choices {
		key := fmt.Sprint(o.Do, o.Seat, o.Against, o.Ranks)
		if seen[key] {
			return fmt.Errorf("offered twice: %+v", o)
		}
		seen[key] = true
		if o.Do == "correct" || o.Do == "open" {
			continue // whether it can be done depends on all later actions
		}
		ranks, against := o.Ranks, o.Against
		if ranks == nil {
			ranks = []card.Rank{card.NoRank}
		}
		if against == nil {
			against = []string{""}
		}
		for _, r := range ranks {
			for _, g := range against {
				a := game.Action{Do: o.Do, Seat: o.Seat, Rank: r, Against: g, Name: "Nobody", Reason: "x"}
				at := func(x int64) game.Action {
					b := a
					set(&b, x)
					switch b.Do {
					case "sit":
						b.Chips = x
					case "chips":
						b.Amount = x
					}
					return b
				}
				if o.Amounts != nil {
					for x := o.Amounts[0] - 1; x <= o.Amounts[len(o.Amounts)-1]+1; x++ {
						if err := must(at(x), slices.Contains(o.Amounts, x), fmt.Sprint(o)); err != nil {
							return err
						}
					}
					continue
				}
				lo, hi := o.Min, o.Max
				if o.Do == "chips" && lo == 0 {
					lo = 1
				}
				for _, x := range []int64{lo, hi} {
					if err := must(at(x), true, fmt.Sprint(o)); err != nil {
						return err
					}
				}
				if !limited(o) {
					continue
				}
				for _, x := range []int64{o.Min - 1, o.Max + 1} {
					if x > game.MaxAmount || x < 0 && o.Do != "chips" {
						continue // no action can say so
					}
					if err := must(at(x), false, fmt.Sprint(o)); err != nil {
						return err
					}
				}
			}
		}
		if o.Do == "card" || o.Do == "take" || o.Do == "bet" {
			for _, r := range card.All {
				a := game.Action{Do: o.Do, Seat: o.Seat, Rank: r, Amount: o.Min}
				if slices.Contains(o.Ranks, r) || o.Do == "bet" && otherBet(n.view, o, r) {
					continue
				}
				if err := must(a, false, fmt.Sprint(o)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func limited(o game.Choice) bool { return o.Min != 0 || o.Max != 0 }

// otherBet says whether another choice offers this seat a bet on the rank.
func otherBet(v game.View, o game.Choice, r card.Rank) bool {
	return slices.ContainsFunc(v.Choices, func(p game.Choice) bool {
		return p.Do == "bet" && p.Seat == o.Seat && slices.Contains(p.Ranks, r)
	})
}

// differ names the fields in which two views part.
func differ(a, b game.View) string {
	var out []string
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if p, q := x.Field(i).Interface(), y.Field(i).Interface(); !reflect.DeepEqual(p, q) {
			pj, _ := json.Marshal(p)
			qj, _ := json.Marshal(q)
			out = append(out, fmt.Sprintf("%s was %s, is %s", x.Type().Field(i).Name, pj, qj))
		}
	}
	return strings.Join(out, "; ")
}

// aside is what the host can always do and nobody waits for.
const aside = " burn shuffle shoe_out chips sit rise time_up close void undo correct "

// invariants are those of RULES 1.5 that can be seen.
func invariants(v game.View) error {
	staked, banker := int64(0), false
	for _, s := range v.Seats {
		staked += s.Stake
		if s.Name == v.Banker && !s.Left {
			banker = true
			if s.Stake != 0 {
				return fmt.Errorf("I4: the banker %s has a stake", s.Name)
			}
		}
		if s.IsTurn != (s.Name == v.Turn && !s.Left) {
			return fmt.Errorf("turn is %q, and %s says %v", v.Turn, s.Name, s.IsTurn)
		}
	}
	if !banker {
		return fmt.Errorf("the banker %q is not at the table", v.Banker)
	}
	sum := 0
	for _, k := range v.Unseen.Rank {
		if k < 0 {
			return fmt.Errorf("I7: unseen %v", v.Unseen)
		}
		sum += k
	}
	if sum < v.Unseen.Total || v.Unseen.Total > v.Unseen.Size {
		return fmt.Errorf("I7: %d unseen, %d in the shoe of %d", sum, v.Unseen.Total, v.Unseen.Size)
	}
	if v.Phase != game.Closed && (v.Prompt.Key == "" || len(v.Choices) == 0) {
		return fmt.Errorf("%s: the table does not say what it waits for", v.Phase)
	}
	goesOn := slices.ContainsFunc(v.Choices, func(c game.Choice) bool { return !strings.Contains(aside, " "+c.Do+" ") })
	if v.Phase != game.Closed && !goesOn {
		return fmt.Errorf("%s: the table is stuck: %+v", v.Phase, v.Choices)
	}
	if v.Phase == game.Closed {
		if v.Bank != 0 || staked != 0 || len(v.Winners) == 0 || v.Turn != "" {
			return fmt.Errorf("closed with %d in the bank, %d staked, winners %v, turn %q", v.Bank, staked, v.Winners, v.Turn)
		}
	}
	if v.Game != game.Lansquenet {
		return nil
	}
	limit := v.Bank
	if v.Rules.FirstMatchDouble || v.Rules.Capot {
		limit /= 2
	}
	dealing := v.Phase == game.Draw || v.Phase == game.SecondCard || v.Phase == game.FirstCard
	switch {
	case staked > limit:
		return fmt.Errorf("I3: %d staked against a bank of %d", staked, v.Bank)
	case dealing && v.Bank == 0:
		return fmt.Errorf("I3: cards without a bank in %s", v.Phase)
	case dealing && staked == 0 && v.Rules.BetTiming == game.BeforeCards:
		return fmt.Errorf("I3: cards without a stake in %s", v.Phase)
	case v.Rules.MaxSales > 0 && v.Sales > v.Rules.MaxSales:
		return fmt.Errorf("I11: %d sales", v.Sales)
	}
	return nil
}
