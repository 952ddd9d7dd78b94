package ledger_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lansquenet/ledger"
	"lansquenet/ledger/journal"
)

// TestOldFormats reads the nights in testdata that were written by the first
// version of each format, as lines and as a database, and plays them again: they
// end in the same final object byte for byte. These files are never written
// anew; a change of the rules that breaks them needs a new rules version, with
// the old rules kept for old nights (see tableFor).
func TestOldFormats(t *testing.T) {
	files, err := filepath.Glob("testdata/format*/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	ctx := context.Background()
	stores := map[string]*journal.SQLite{}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(file, ".jsonl") + ".final.json")
			if err != nil {
				t.Fatal(err)
			}
			lines, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, err := ledger.Verify(ledger.Lines(strings.NewReader(string(lines))), "")
			if err != nil {
				t.Fatal(err)
			}
			if got := final(t, f.Final()); got != strings.TrimSpace(string(want)) {
				t.Errorf("ends in\n%s\nand not in\n%s", got, want)
			}
			dir := filepath.Dir(file)
			if stores[dir] == nil {
				if stores[dir], err = journal.OpenRead(filepath.Join(dir, journal.File)); err != nil {
					t.Fatal(err)
				}
			}
			if export(t, stores[dir], f.Meta().Session) != string(lines) {
				t.Error("the database holds other lines than the file")
			}
			m := journal.NewMem()
			if _, err := ledger.Import(ctx, m, strings.NewReader(string(lines))); err != nil {
				t.Error(err)
			}
			if export(t, m, "latest") != string(lines) {
				t.Error("comes out of an import otherwise")
			}
		})
	}
	for _, s := range stores {
		if err := s.Check(ctx); err != nil {
			t.Error(err)
		}
		s.Close()
	}
}
