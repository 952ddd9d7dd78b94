package journal

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// Salvaged is what could be saved of a damaged night.
type Salvaged struct {
	Session string
	Entries []Entry     // whole ones, in the order of seq; each hashes to what it says
	Missing [][2]uint64 // the gaps, first and last seq of each
}

// Salvage looks for whole entries in the database file and its log, byte by
// byte and without SQLite, so that it works on a file which nothing else opens.
// An entry is whole when its hash is right. Entries after a gap are taken for
// this night's unless a row that can still be read says that they are another's;
// their seq has to lie after the gap. id may be "latest".
func Salvage(dir, id string) (Salvaged, error) {
	path := dir
	if fi, err := os.Stat(dir); err == nil && fi.IsDir() {
		path = filepath.Join(dir, File)
	}
	w := wreck{entries: make(map[string]Entry), night: make(map[string]int64)}
	for i, name := range []string{path, path + "-wal"} {
		b, err := os.ReadFile(name)
		if err != nil {
			if i > 0 && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return Salvaged{}, fmt.Errorf("journal: salvage: %w", err)
		}
		for e := range wholeEntries(b) {
			w.add(e, 0)
		}
	}
	for e, night := range rowByRow(path) {
		w.add(e, night)
	}
	return w.assemble(id)
}

// wreck is all that was found of a journal.
type wreck struct {
	entries map[string]Entry // by hash
	order   []string         // the hashes as they were found
	night   map[string]int64 // the number of an entry's night, where a row tells it
}

func (w *wreck) add(e Entry, night int64) {
	if _, twice := w.entries[e.Hash]; !twice {
		w.order = append(w.order, e.Hash)
	}
	w.entries[e.Hash] = e
	if night > 0 {
		w.night[e.Hash] = night
	}
}

// wholeEntries yields every line in b whose hash is right.
func wholeEntries(b []byte) iter.Seq[Entry] {
	start, mark := []byte(`{"seq":`), []byte(`,"hash":"`)
	return func(yield func(Entry) bool) {
		for {
			i := bytes.Index(b, start)
			if i < 0 {
				return
			}
			b = b[i:]
			// No entry is longer than a page of the longest kind; another start
			// before the end of this one means that it was cut.
			end := bytes.Index(b, mark)
			if next := bytes.Index(b[1:], start); end >= 0 && (next < 0 || end < next+1) && len(b) >= end+len(mark)+66 {
				line := b[:end+len(mark)+66]
				if e, err := ParseLine(line); err == nil {
					if body, err := e.appendBody(nil); err == nil && sum(body) == e.Hash && !yield(e) {
						return
					}
				}
			}
			b = b[1:]
		}
	}
}

// rowByRow yields the entries that SQLite still reaches one at a time, with the
// number of their night; lines that are longer than a page do not lie in one
// piece in the file.
func rowByRow(path string) iter.Seq2[Entry, int64] {
	return func(yield func(Entry, int64) bool) {
		s, err := openRead(path)
		if err != nil {
			return
		}
		defer s.Close()
		ctx := context.Background()
		var nights int64
		if s.r.QueryRowContext(ctx, "SELECT coalesce(max(n), 0) FROM nights").Scan(&nights) != nil {
			nights = 1
		}
		for n := int64(1); n <= nights; n++ {
			var last int64
			_ = s.r.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM entries WHERE id < ?", (n+1)<<seqBits).Scan(&last)
			for id := n<<seqBits + 1; id <= last; id++ {
				var line []byte
				if s.r.QueryRowContext(ctx, "SELECT line FROM entries WHERE id = ?", id).Scan(&line) != nil {
					continue
				}
				for e := range wholeEntries(line) {
					if !yield(e, n) {
						return
					}
				}
			}
		}
	}
}

// run is a stretch of entries that follow one another.
type run struct {
	entries []Entry
	id      string // of its night, "" when its first entry is lost
	night   int64  // the night's number, 0 when no row tells it
}

// runs puts the entries into stretches: those with a beginning, in the order of
// their nights, and those without, in the order of their seq.
func (w *wreck) runs() (heads, orphans []run) {
	next := make(map[string]Entry)
	for _, h := range w.order {
		next[w.entries[h].Prev] = w.entries[h]
	}
	for _, h := range w.order {
		e := w.entries[h]
		if _, inner := w.entries[e.Prev]; inner {
			continue
		}
		var r run
		for ok := true; ok; e, ok = next[e.Hash] {
			r.entries = append(r.entries, e)
			r.night = max(r.night, w.night[e.Hash])
		}
		if m, err := ParseGenesis(r.entries[0].Prev); err == nil && r.entries[0].Seq == 1 {
			r.id = m.Session
			heads = append(heads, r)
		} else {
			orphans = append(orphans, r)
		}
	}
	slices.SortStableFunc(heads, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.night, b.night), a.entries[0].At.Compare(b.entries[0].At))
	})
	slices.SortStableFunc(orphans, func(a, b run) int { return cmp.Compare(a.entries[0].Seq, b.entries[0].Seq) })
	return heads, orphans
}

// assemble puts the stretches of one night behind one another.
func (w *wreck) assemble(id string) (Salvaged, error) {
	heads, orphans := w.runs()
	i := slices.IndexFunc(heads, func(r run) bool { return r.id == id })
	if id == "latest" {
		i = len(heads) - 1
	}
	var out Salvaged
	night := int64(0)
	switch {
	case i >= 0:
		out.Session, out.Entries, night = heads[i].id, heads[i].entries, heads[i].night
	case len(heads) == 0 && len(orphans) > 0:
		out.Session = "of which the beginning is lost"
	default:
		return out, fmt.Errorf("journal: salvage %q: %w", id, ErrNoSession)
	}
	for _, r := range orphans {
		last := uint64(0)
		if n := len(out.Entries); n > 0 {
			last = out.Entries[n-1].Seq
		}
		another := night > 0 && r.night > 0 && night != r.night
		if first := r.entries[0].Seq; first > last+1 && !another {
			out.Missing = append(out.Missing, [2]uint64{last + 1, first - 1})
			out.Entries = append(out.Entries, r.entries...)
		}
	}
	return out, nil
}
