package ledger

import (
	"fmt"
	"slices"

	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/ledger/table"
)

// RulesVersion is the version of the rules by which nights are played now. A
// night names the version it was played by, and tableFor keeps the older ones.
const RulesVersion = 1

// Fold goes through a night's entries one by one, checks each against the chain
// and against the rules, and holds what they add up to. Opening a night,
// verifying and replaying it are all this.
type Fold struct {
	Table table.Table
	chain journal.Chain
}

// tableFor is the empty table that plays by a version of the rules. A change of
// the rules that would settle an old night otherwise gets a new number, and the
// old rules stay reachable here.
func tableFor(rules int) (table.Table, bool) { return table.Table{}, rules == RulesVersion }

func newFold() *Fold { return new(Fold) }

// clone is a fold of its own, so that a step can be tried and thrown away.
func (f *Fold) clone() *Fold { return &Fold{Table: f.Table, chain: f.chain.Clone()} }

// Seq is the last entry taken, 0 before any.
func (f *Fold) Seq() uint64 { return f.chain.Seq }

// Head is its hash.
func (f *Fold) Head() string { return f.chain.Head }

// Meta is what the night was played with, empty before entry 1.
func (f *Fold) Meta() journal.Meta { return f.chain.Meta }

// Final is the night as it stands.
func (f *Fold) Final() Final {
	return Final{f.Table.Final(), f.chain.Seq, f.chain.Head}
}

// Add takes the next entry. The error is a *journal.Damage naming the entry
// when the chain is broken or the rules do not yield what is journalled.
func (f *Fold) Add(e journal.Entry) (game.Outcome, error) {
	if err := f.chain.Add(&e); err != nil {
		return game.Outcome{}, err
	}
	if e.Seq == 1 {
		t, ok := tableFor(f.chain.Meta.Rules)
		if !ok {
			return game.Outcome{}, fmt.Errorf("%w: rules %d, and this program knows up to %d",
				journal.ErrLater, f.chain.Meta.Rules, RulesVersion)
		}
		f.Table = t
	}
	next, out, err := f.Table.Apply(e.Action)
	if err != nil {
		if no := game.RefusalIn(err); no != nil {
			return out, &journal.Damage{Seq: e.Seq, No: no,
				What: fmt.Sprintf("the rules refuse this %s: %v", e.Action.Do, no)}
		}
		return out, &journal.Damage{Seq: e.Seq, What: err.Error()}
	}
	if !slices.Equal(out.Transfers, e.Transfers) {
		return out, &journal.Damage{Seq: e.Seq, What: "its chips are not what the rules yield: " +
			differ(out.Transfers, e.Transfers)}
	}
	f.Table = next
	return out, nil
}

// differ names the first transfer in which the two lists part.
func differ(rules, there []chips.Transfer) string {
	show := func(ts []chips.Transfer, i int) string {
		if i >= len(ts) {
			return "nothing"
		}
		return fmt.Sprintf("%d from %s to %s", ts[i].Amount, ts[i].From, ts[i].To)
	}
	i := 0
	for i < len(rules) && i < len(there) && rules[i] == there[i] {
		i++
	}
	return fmt.Sprintf("transfer %d is %s and should be %s", i+1, show(there, i), show(rules, i))
}
