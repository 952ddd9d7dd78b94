package script

import (
	"context"

	"lansquenet/ledger/game"
	"lansquenet/ledger/table"
)

// Bare is a table without a Croupier: nothing is kept and nobody is told. An
// `open` without a banker needs its draw in the script.
type Bare struct {
	Table table.Table
	Seq   uint64
}

// Apply applies an action; see Applier.
func (b *Bare) Apply(_ context.Context, a game.Action) (Done, error) {
	t, o, err := b.Table.Apply(a)
	if err != nil {
		return Done{}, err
	}
	b.Table = t
	b.Seq++
	v := t.View()
	return Done{b.Seq, v.Phase, v.Turn, o.Told}, nil
}

// Final is the table's final object, without what only a journal knows.
func (b *Bare) Final() any { return b.Table.Final() }
