package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"lansquenet/cmd/internal/config"
	"lansquenet/ledger"
	"lansquenet/ledger/journal"
)

// journalCommands are sessions, export, import, verify, replay and backup.
var journalCommands = []command{
	{"sessions", "[--json] [--data DIR]", "lists the nights of the journal, the newest last", runSessions},
	{"export", "ID [--salvage] [--data DIR]", "writes a night as JSON lines; ID latest is the newest", runExport},
	{"import", "FILE [--data DIR]", "reads nights back from JSON lines or a backup (- is standard input)", runImport},
	{"verify", "[ID or FILE] [--head HASH] [--data DIR]", "checks the hashes and the rules of a night, or of all", runVerify},
	{"replay", "ID or FILE [--json] [--speed X] [--data DIR]", "plays a night again", runReplay},
	{"backup", "FILE [--data DIR]", "copies the whole journal into one file, also while a night runs", runBackup},
}

// dataFlag is the folder in which nights and taught decks are kept.
func dataFlag(fs *flag.FlagSet) *string {
	c, err := config.Load("", os.Environ())
	if err != nil {
		c = config.Default() // whoever runs a night with that is told what is wrong
	}
	return fs.String("data", c.Data.Dir, "the folder `DIR` of nights and taught decks")
}

// errNoJournal is a data folder in which no night was ever played.
func errNoJournal(dir string) error {
	return fmt.Errorf("there is no journal in %s yet; --data names another folder", dir)
}

func openRead(dir string) (*journal.SQLite, error) {
	s, err := journal.OpenRead(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoJournal(dir)
	}
	return s, err
}

// nights is what a command's argument names: one night, by its ID or in a file,
// or all nights of a journal or of a backup.
type nights struct {
	list  []journal.Session // only ID is set for a night in a file
	store *journal.SQLite   // nil for a file of JSON lines
	file  io.ReadCloser
}

// find resolves the argument: "" is every night in dir.
func find(ctx context.Context, t terminal, dir, arg string) (*nights, error) {
	if arg == "-" {
		return &nights{list: []journal.Session{{ID: "from standard input"}}, file: io.NopCloser(t.in)}, nil
	}
	if fi, err := os.Stat(arg); arg != "" && err == nil && !fi.IsDir() {
		f, err := os.Open(arg)
		if err != nil {
			return nil, err
		}
		if !isDatabase(f) {
			return &nights{list: []journal.Session{{ID: "in " + arg}}, file: f}, nil
		}
		f.Close()
		dir, arg = arg, ""
	}
	s, err := openRead(dir)
	if err != nil {
		return nil, err
	}
	n := &nights{store: s}
	if arg == "" {
		n.list, err = s.Sessions(ctx)
	} else {
		n.list = make([]journal.Session, 1)
		n.list[0], err = s.Session(ctx, arg)
		if errors.Is(err, journal.ErrNoSession) {
			err = fmt.Errorf("%q is neither a file nor a night in %s; `lansquenet sessions` lists the nights", arg, dir)
		}
	}
	if err != nil {
		n.close()
		return nil, err
	}
	return n, nil
}

// isDatabase looks at how a file begins and leaves it at its start.
func isDatabase(f *os.File) bool {
	head := make([]byte, 16)
	n, _ := f.ReadAt(head, 0)
	return bytes.HasPrefix(head[:n], []byte("SQLite format 3\x00"))
}

func (n *nights) entries(ctx context.Context, s journal.Session) iter.Seq2[journal.Entry, error] {
	if n.store != nil {
		return n.store.Entries(ctx, s.ID, 0)
	}
	return ledger.Lines(n.file)
}

// marks are what the journal, or a backup, keeps of the camera in a night; a file
// of lines has none.
func (n *nights) marks(ctx context.Context, s journal.Session) ([]journal.Mark, error) {
	if n.store == nil {
		return nil, nil
	}
	return n.store.Marks(ctx, s.ID)
}

func (n *nights) close() {
	if n.store != nil {
		n.store.Close()
	}
	if n.file != nil {
		n.file.Close()
	}
}

func runSessions(ctx context.Context, t terminal, args []string) error {
	fset := flags(t, "sessions")
	dir := dataFlag(fset)
	asJSON := fset.Bool("json", false, "print one JSON object a night")
	if _, err := parse(fset, args, 0, 0); err != nil {
		return err
	}
	s, err := journal.OpenRead(*dir)
	if errors.Is(err, fs.ErrNotExist) {
		if !*asJSON {
			fmt.Fprintln(t.err, errNoJournal(*dir))
		}
		return nil // no nights are no mistake
	}
	if err != nil {
		return err
	}
	defer s.Close()
	list, err := s.Sessions(ctx)
	if err != nil {
		return err
	}
	for _, n := range list {
		if *asJSON {
			err = json.NewEncoder(t.out).Encode(n)
		} else {
			how := "open"
			if n.Closed {
				how = "closed"
			}
			if n.Imported {
				how += ", imported"
			}
			_, err = fmt.Fprintf(t.out, "%s  %s  %5d entries  %-16s  %s\n", n.ID, n.Began.Local().Format("Mon 2 Jan 2006 15:04"),
				n.Entries, how, n.Head)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func runImport(ctx context.Context, t terminal, args []string) error {
	fset := flags(t, "import")
	dir := dataFlag(fset)
	rest, err := parse(fset, args, 1, 1)
	if err != nil {
		return err
	}
	if rest[0] != "-" {
		if _, err := os.Stat(rest[0]); err != nil {
			return err
		}
	}
	n, err := find(ctx, t, *dir, rest[0])
	if err != nil {
		return err
	}
	defer n.close()
	s, err := journal.Open(*dir)
	if err != nil {
		return err
	}
	for _, night := range n.list {
		var im ledger.Imported
		var ierr error
		if n.file != nil {
			im, ierr = ledger.Import(ctx, s, n.file)
		} else {
			im, ierr = ledger.ImportEntries(ctx, s, n.entries(ctx, night))
		}
		if ierr == nil && im.New == im.Entries {
			ierr = importMarks(ctx, s, n, night)
		}
		if ierr != nil {
			s.Close()
			return fmt.Errorf("%s: nothing of this night was imported: %w", rest[0], ierr)
		}
		fmt.Fprintf(t.out, "%s: %d entries, %d of them new\n", im.Session, im.Entries, im.New)
	}
	return s.Close()
}

// importMarks takes over what a backup keeps of the camera in a night that is new here.
func importMarks(ctx context.Context, to journal.Store, from *nights, night journal.Session) error {
	marks, err := from.marks(ctx, night)
	for _, m := range marks {
		if err == nil {
			err = to.Mark(ctx, night.ID, m)
		}
	}
	return err
}

func runBackup(ctx context.Context, t terminal, args []string) error {
	fset := flags(t, "backup")
	dir := dataFlag(fset)
	rest, err := parse(fset, args, 1, 1)
	if err != nil {
		return err
	}
	s, err := openRead(*dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Backup(ctx, rest[0]); err != nil {
		return err
	}
	b, err := journal.OpenRead(rest[0])
	if err != nil {
		return err
	}
	defer b.Close()
	list, err := b.Sessions(ctx)
	if err != nil {
		return err
	}
	entries := uint64(0)
	for _, n := range list {
		entries += n.Entries
	}
	fmt.Fprintf(t.out, "%s: %d nights, %d entries\n", rest[0], len(list), entries)
	return nil
}
