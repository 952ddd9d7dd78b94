package script

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"lansquenet/ledger/game"
	"lansquenet/ledger/say"
	"lansquenet/ledger/table"
)

// bare is a table without a Croupier: nothing is kept and nobody is told.
type bare struct {
	table table.Table
	seq   uint64
}

func (b *bare) Apply(_ context.Context, a game.Action) (Done, error) {
	t, o, err := b.table.Apply(a)
	if err != nil {
		return Done{}, err
	}
	b.table = t
	b.seq++
	v := t.View()
	return Done{b.seq, v.Phase, v.Turn, o.Told}, nil
}

func (b *bare) Final() any { return b.table.Final() }

// TestGoldenScripts plays the golden scripts by the real rules: all that they
// expect is so.
func TestGoldenScripts(t *testing.T) {
	files, err := filepath.Glob("../table/testdata/golden/*.jsonl")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err := Run(t.Context(), NewReader(f), &bare{}, Options{Strict: true, Say: say.In("en").Say})
		if err != nil || len(got.Unmet) > 0 || got.Applied == 0 {
			t.Errorf("%s: %+v, %v", filepath.Base(name), got, err)
		}
	}
}
