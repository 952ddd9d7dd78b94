package ledger

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// Step is one entry of a night that is played again: the entry, what it did, and
// the night after it.
type Step struct {
	Entry   journal.Entry
	Outcome game.Outcome
	Fold    *Fold // the same one at every step
}

// Replay plays a night again by the rules it was played by, and checks each
// entry as Open does: what it shows is what was. It ends at the first error.
func Replay(entries iter.Seq2[journal.Entry, error]) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		f := newFold()
		for e, err := range entries {
			if err != nil {
				yield(Step{}, err)
				return
			}
			out, err := f.Add(e)
			if err != nil {
				yield(Step{Entry: e}, err)
				return
			}
			if !yield(Step{e, out, f}, nil) {
				return
			}
		}
	}
}

// Verify goes through a night and returns what it adds up to. The error is a
// *journal.Damage naming the first bad entry: one that was changed, is missing,
// stands elsewhere or was added, or whose chips the rules do not yield. A head
// that somebody noted, when given, must be the last entry's hash: only it can
// show that a night was cut off at its end or written anew as a whole.
func Verify(entries iter.Seq2[journal.Entry, error], head string) (*Fold, error) {
	f := newFold()
	noted := uint64(0) // the entry whose hash is head
	for s, err := range Replay(entries) {
		if err != nil {
			return f, err
		}
		f = s.Fold
		if s.Entry.Hash == head {
			noted = s.Entry.Seq
		}
	}
	switch {
	case f.Seq() == 0:
		return f, errors.New("there are no entries")
	case head == "" || noted == f.Seq():
		return f, nil
	case noted == 0:
		return f, &journal.Damage{Seq: f.Seq() + 1, What: fmt.Sprintf(
			"missing: the noted head %s is that of no entry here, so the night was cut off after entry %d or written anew", head, f.Seq())}
	}
	return f, &journal.Damage{Seq: noted + 1, What: fmt.Sprintf(
		"added: the noted head is that of entry %d, and %d follow it", noted, f.Seq()-noted)}
}

// BadLine is a line of a file that is no entry.
type BadLine struct {
	Line int
	Err  error
}

func (b *BadLine) Error() string { return fmt.Sprintf("line %d: %v", b.Line, b.Err) }
func (b *BadLine) Unwrap() error { return b.Err }

// maxLine is far more than the longest entry, an `open` with many seats.
const maxLine = 1 << 20

// Lines reads a night's entries from a file of JSON lines. A line that is no
// entry ends it with a *BadLine. Blank lines are passed over.
func Lines(r io.Reader) iter.Seq2[journal.Entry, error] {
	return numbered(r, new(int))
}

// numbered is Lines that tells in n which line it has come to.
func numbered(r io.Reader, n *int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		in := bufio.NewScanner(r)
		in.Buffer(make([]byte, 1<<16), maxLine)
		seq := uint64(1)
		for in.Scan() {
			*n++
			line := in.Bytes()
			if *n == 1 { // editors on some systems begin a file with a byte order mark
				line = bytes.TrimPrefix(line, []byte("\uFEFF"))
			}
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			e, err := journal.ParseLine(line)
			if err != nil {
				yield(e, &BadLine{*n, &journal.Damage{Seq: seq, What: err.Error(), No: game.RefusalIn(err)}})
				return
			}
			seq = e.Seq + 1
			if !yield(e, nil) {
				return
			}
		}
		if err := in.Err(); err != nil {
			yield(journal.Entry{}, &BadLine{*n + 1, err})
		}
	}
}

// Export writes a night as JSON lines, as the package documentation of journal
// describes them.
func Export(ctx context.Context, store journal.Store, id string, w io.Writer) error {
	out := bufio.NewWriter(w)
	var line []byte
	for e, err := range store.Entries(ctx, id, 0) {
		if err == nil {
			line, err = e.AppendLine(line[:0])
		}
		if err != nil {
			out.Flush() // what is whole is better than nothing
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Imported says what an import did.
type Imported struct {
	Session string
	Entries uint64 // in the file
	New     uint64 // of these, how many were not there before
	Closed  bool
}

// Import reads a night from JSON lines into the store, all of it or nothing.
// Every entry is checked as Verify does. Importing it again changes nothing; a
// longer file of the same night adds what is missing; one that tells the night
// otherwise is refused. A bad entry is a *BadLine.
func Import(ctx context.Context, store journal.Store, r io.Reader) (Imported, error) {
	line := 0
	im, err := ImportEntries(ctx, store, numbered(r, &line))
	var d *journal.Damage
	var b *BadLine
	if errors.As(err, &d) && !errors.As(err, &b) {
		err = &BadLine{line, err}
	}
	return im, err
}

// ImportEntries is Import from any source of entries, such as another store.
func ImportEntries(ctx context.Context, store journal.Store, entries iter.Seq2[journal.Entry, error]) (Imported, error) {
	f := newFold()
	var list []journal.Entry
	for s, err := range Replay(entries) {
		if err != nil {
			return Imported{}, err
		}
		f = s.Fold
		s.Entry.Note = journal.Note{From: "import"}
		list = append(list, s.Entry)
	}
	if len(list) == 0 {
		return Imported{}, errors.New("there are no entries")
	}
	list[len(list)-1].Note.Closed = f.Table.View().Phase == game.Closed
	im := Imported{Session: f.Meta().Session, Entries: f.Seq(), Closed: list[len(list)-1].Note.Closed}
	there := uint64(0)
	switch _, err := store.Session(ctx, im.Session); {
	case errors.Is(err, journal.ErrNoSession):
	case err != nil:
		return im, err
	default:
		for e, err := range store.Entries(ctx, im.Session, 0) {
			if err != nil {
				return im, err
			}
			if e.Seq > f.Seq() {
				break
			}
			if e.Hash != list[e.Seq-1].Hash {
				return im, fmt.Errorf("night %s is here already and differs from entry %d on; nothing was imported", im.Session, e.Seq)
			}
			there = e.Seq
		}
	}
	im.New = im.Entries - there
	if im.New == 0 {
		return im, nil
	}
	return im, store.Import(ctx, f.Meta(), there, list[there:])
}
