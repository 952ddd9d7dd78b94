package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
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
// An entry is whole when its hash is right. Where entries are missing, those
// after the gap are told from another night's by what follows them, or, when the
// file has but one broken night, by there being no other. id may be "latest".
func Salvage(dir, id string) (Salvaged, error) {
	path := dir
	if fi, err := os.Stat(dir); err == nil && fi.IsDir() {
		path = filepath.Join(dir, File)
	}
	found := make(map[string]Entry) // by hash
	var order []string
	for i, name := range []string{path, path + "-wal"} {
		b, err := os.ReadFile(name)
		if err != nil {
			if i > 0 && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return Salvaged{}, fmt.Errorf("journal: salvage: %w", err)
		}
		for e := range wholeEntries(b) {
			if _, twice := found[e.Hash]; !twice {
				order = append(order, e.Hash)
			}
			found[e.Hash] = e
		}
	}
	for e := range rowByRow(path) {
		if _, twice := found[e.Hash]; !twice {
			order = append(order, e.Hash)
		}
		found[e.Hash] = e
	}
	return assemble(found, order, id)
}

// wholeEntries yields every line in b whose hash is right.
func wholeEntries(b []byte) func(func(Entry) bool) {
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

// rowByRow yields the entries that SQLite still reaches one at a time; lines
// that are longer than a page do not lie in one piece in the file.
func rowByRow(path string) func(func(Entry) bool) {
	return func(yield func(Entry) bool) {
		s, err := openRead(path)
		if err != nil {
			return
		}
		defer s.Close()
		ctx := context.Background()
		var nights, last int64
		if s.r.QueryRowContext(ctx, "SELECT coalesce(max(n), 0) FROM nights").Scan(&nights) != nil {
			nights = 1
		}
		for n := int64(1); n <= nights; n++ {
			last = 0
			_ = s.r.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM entries WHERE id < ?", (n+1)<<seqBits).Scan(&last)
			for id := n<<seqBits + 1; id <= last; id++ {
				var line []byte
				if s.r.QueryRowContext(ctx, "SELECT line FROM entries WHERE id = ?", id).Scan(&line) != nil {
					continue
				}
				for e := range wholeEntries(line) {
					if !yield(e) {
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
	night   string // of its first entry, "" when that is lost
}

// assemble puts entries into runs, and the runs of one night behind one another.
func assemble(found map[string]Entry, order []string, id string) (Salvaged, error) {
	next := make(map[string][]Entry)
	for _, h := range order {
		e := found[h]
		next[e.Prev] = append(next[e.Prev], e)
	}
	var heads, orphans []run
	for _, h := range order {
		e := found[h]
		if _, inner := found[e.Prev]; inner {
			continue
		}
		r := run{entries: []Entry{e}}
		for n := next[e.Hash]; len(n) > 0; n = next[n[0].Hash] {
			r.entries = append(r.entries, n[0])
		}
		if m, err := ParseGenesis(e.Prev); err == nil && e.Seq == 1 {
			r.night = m.Session
			heads = append(heads, r)
		} else {
			orphans = append(orphans, r)
		}
	}
	slices.SortStableFunc(heads, func(a, b run) int { return a.entries[0].At.Compare(b.entries[0].At) })
	i := slices.IndexFunc(heads, func(r run) bool { return r.night == id })
	if id == "latest" {
		i = len(heads) - 1
	}
	var out Salvaged
	switch {
	case i >= 0:
		out.Session, out.Entries = heads[i].night, heads[i].entries
	case len(heads) == 0 && len(orphans) > 0:
		out.Session = "of which the beginning is lost"
	default:
		return out, fmt.Errorf("journal: salvage %q: %w", id, ErrNoSession)
	}
	// Of the stretches whose beginning is lost, those can belong to this night
	// that lie after its last whole entry.
	slices.SortStableFunc(orphans, func(a, b run) int { return int(a.entries[0].Seq) - int(b.entries[0].Seq) })
	for _, r := range orphans {
		last := uint64(0)
		if n := len(out.Entries); n > 0 {
			last = out.Entries[n-1].Seq
		}
		if first := r.entries[0].Seq; first > last+1 {
			out.Missing = append(out.Missing, [2]uint64{last + 1, first - 1})
			out.Entries = append(out.Entries, r.entries...)
		}
	}
	return out, nil
}
