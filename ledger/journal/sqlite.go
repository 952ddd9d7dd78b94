package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// File is the name of the journal within a data folder.
const File = "journal.sqlite"

// SQLite is a journal on disk. Every entry is one row that holds the exported
// line as it stands, so that what is hashed is what is stored; a commit is
// acknowledged after the write-ahead log has been synced.
type SQLite struct {
	path string
	w    *sql.DB // one connection; nil when opened for reading
	r    *sql.DB
	lock *lock
	torn int64

	mu     sync.Mutex // guards what follows, and orders appends
	nights map[string]*tip
	last   int64 // number of the newest night
	ins    *sql.Stmt
	here   os.FileInfo // the database file as it was opened
}

// tip is where a night ends, so that an append need not read.
type tip struct {
	n    int64
	seq  uint64
	head string
}

// A row's id is the night's number and the entry's seq in one, so that a commit
// touches one page: the last leaf of the only tree.
const (
	schema = `
CREATE TABLE IF NOT EXISTS nights (
	n        INTEGER PRIMARY KEY,
	id       TEXT NOT NULL UNIQUE,
	imported INTEGER NOT NULL,
	sum      INTEGER NOT NULL     -- CRC-32 of the three before
) STRICT;
CREATE TABLE IF NOT EXISTS entries (
	id     INTEGER PRIMARY KEY, -- night << 32 | seq
	line   TEXT NOT NULL,       -- the entry as it is exported
	key    TEXT NOT NULL,       -- idempotency key
	source TEXT NOT NULL,       -- who sent it
	closed INTEGER NOT NULL,    -- the night was over with it
	sum    INTEGER NOT NULL     -- CRC-32 of the hash and the three before
) STRICT;
CREATE TABLE IF NOT EXISTS marks (
	night INTEGER NOT NULL,
	seq   INTEGER NOT NULL, -- the last entry before it
	at    INTEGER NOT NULL, -- milliseconds since 1970
	lost  INTEGER NOT NULL, -- 1: the camera was lost, 0: it came back
	note  TEXT NOT NULL,
	sum   INTEGER NOT NULL  -- CRC-32 of the five before
) STRICT;
PRAGMA application_id = 0x4c536b5a;
PRAGMA user_version = 1;`
	insertEntry   = `INSERT INTO entries (id, line, key, source, closed, sum) VALUES (?, ?, ?, ?, ?, ?)`
	layout        = 1
	applicationID = 0x4c536b5a
	seqBits       = 32
)

// Open opens the journal in a data folder for writing, and creates folder and
// journal when they are not there. One program at a time may: a second one gets
// an *InUse. A write that a power cut tore off is cut (see Torn).
func Open(dir string) (*SQLite, error) {
	s, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("journal: open %s: %w", dir, explain(err))
	}
	return s, nil
}

func open(dir string) (_ *SQLite, err error) {
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	s := &SQLite{path: filepath.Join(dir, File)}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.lock, err = takeLock(filepath.Join(dir, "lock")); err != nil {
		return nil, err
	}
	if s.torn, err = tornTail(s.path + "-wal"); err != nil {
		return nil, err
	}
	if s.w, err = connect(s.path, "rwc", "_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate"); err != nil {
		return nil, err
	}
	s.w.SetMaxOpenConns(1)
	if _, err := checkLayout(s.w); err != nil {
		return nil, err
	}
	if _, err := s.w.Exec("BEGIN IMMEDIATE;" + schema + "COMMIT;"); err != nil {
		return nil, err
	}
	// The names of database and log must survive a power cut as well as their
	// contents do.
	if err := syncDir(dir); err != nil {
		return nil, err
	}
	if s.ins, err = s.w.Prepare(insertEntry); err != nil {
		return nil, err
	}
	if s.here, err = os.Stat(s.path); err != nil {
		return nil, err
	}
	if s.r, err = connect(s.path, "ro", ""); err != nil {
		return nil, err
	}
	return s, s.loadTips()
}

// OpenRead opens a journal for reading: a data folder, also one that another
// program writes to, or a single file such as a backup.
func OpenRead(path string) (*SQLite, error) {
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		path = filepath.Join(path, File)
	}
	s, err := openRead(path)
	if err != nil {
		return nil, fmt.Errorf("journal: open %s: %w", path, explain(err))
	}
	return s, nil
}

func openRead(path string) (*SQLite, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	try := func(options string) (*SQLite, error) {
		db, err := connect(path, "ro", options)
		if err != nil {
			return nil, err
		}
		begun, err := checkLayout(db)
		if err == nil && !begun {
			// The power went before the tables were made: there is no night yet.
			err = fmt.Errorf("an empty file: %w", os.ErrNotExist)
		}
		if err != nil {
			db.Close()
			return nil, err
		}
		return &SQLite{path: path, r: db}, nil
	}
	s, err := try("")
	var se *sqlite.Error
	if errors.As(err, &se) {
		switch se.Code() & 0xff {
		case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
			// On a read-only file system there is no room for the shared memory
			// that goes with a log. Nobody else can be writing there.
			if fi, werr := os.Stat(path + "-wal"); werr != nil || fi.Size() == 0 {
				return try("immutable=1")
			}
		}
	}
	return s, err
}

func connect(path, mode, options string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: "mode=" + mode + "&_pragma=busy_timeout(5000)"}
	if options != "" {
		u.RawQuery += "&" + options
	}
	return sql.Open("sqlite", u.String())
}

// checkLayout refuses files that are no journal, and journals of the future. It
// says whether the journal's tables are there already.
func checkLayout(db *sql.DB) (begun bool, err error) {
	var app, version, tables int
	if err := db.QueryRow("PRAGMA application_id").Scan(&app); err != nil {
		return false, err
	}
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return false, err
	}
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return false, err
	}
	switch {
	case app != applicationID && (tables > 0 || app != 0):
		return false, errors.New("this is a database, but no journal of lansquenet")
	case version > layout:
		return false, fmt.Errorf("%w: layout %d, and this program knows up to %d", ErrLater, version, layout)
	}
	return tables > 0, nil
}

// Torn is how many bytes of an unfinished last write were cut when the journal
// was opened. They were never acknowledged.
func (s *SQLite) Torn() int64 { return s.torn }

// Path is the database file.
func (s *SQLite) Path() string { return s.path }

// Close implements Store.
func (s *SQLite) Close() error {
	var errs []error
	if s.r != nil {
		errs = append(errs, s.r.Close())
	}
	if s.ins != nil {
		errs = append(errs, s.ins.Close())
	}
	if s.w != nil {
		errs = append(errs, s.w.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("journal: close: %w", err)
	}
	return nil
}

func (s *SQLite) loadTips() error {
	s.nights = make(map[string]*tip)
	rows, err := s.r.Query("SELECT n, id FROM nights ORDER BY n")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var t tip
		var id string
		if err := rows.Scan(&t.n, &id); err != nil {
			return err
		}
		s.nights[id], s.last = &t, t.n
	}
	return rows.Err()
}

// tipOf reads where a night ends, once.
func (s *SQLite) tipOf(ctx context.Context, id string) (*tip, error) {
	t := s.nights[id]
	if t == nil {
		return nil, fmt.Errorf("%q: %w", id, ErrNoSession)
	}
	if t.seq > 0 {
		return t, nil
	}
	e, err := s.edge(ctx, t.n, "DESC")
	if err != nil {
		return nil, err
	}
	t.seq, t.head = e.Seq, e.Hash
	return t, nil
}

// Begin implements Store.
func (s *SQLite) Begin(ctx context.Context, m Meta, first Entry) error {
	if err := s.add(ctx, m, 0, []Entry{first}, false); err != nil {
		return fmt.Errorf("journal: begin %s: %w", m.Session, explain(err))
	}
	return nil
}

// Import implements Store.
func (s *SQLite) Import(ctx context.Context, m Meta, after uint64, entries []Entry) error {
	if err := s.add(ctx, m, after, entries, true); err != nil {
		return fmt.Errorf("journal: import %s: %w", m.Session, explain(err))
	}
	return nil
}

func (s *SQLite) add(ctx context.Context, m Meta, after uint64, entries []Entry, imported bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(ctx); err != nil {
		return err
	}
	t, fresh := &tip{n: s.last + 1, head: m.Genesis()}, s.nights[m.Session] == nil
	if !fresh {
		var err error
		if t, err = s.tipOf(ctx, m.Session); err != nil {
			return err
		}
	}
	if t.seq != after || !imported && !fresh {
		return fmt.Errorf("night %s has %d entries: %w", m.Session, t.seq, ErrOrder)
	}
	if len(entries) == 0 {
		return nil
	}
	seq, head := t.seq, t.head
	for _, e := range entries {
		if err := follows(e, seq+1, head); err != nil {
			return err
		}
		seq, head = e.Seq, e.Hash
	}
	// Once it is begun, a write is finished: a caller who goes away must not
	// leave it in doubt.
	ctx = context.WithoutCancel(ctx)
	tx, err := s.w.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if fresh {
		if _, err := tx.Exec("INSERT INTO nights (n, id, imported, sum) VALUES (?, ?, ?, ?)",
			t.n, m.Session, imported, nightCheck(t.n, m.Session, imported)); err != nil {
			return err
		}
	}
	ins := tx.Stmt(s.ins)
	for i := range entries {
		if err := insert(ctx, ins, t.n, &entries[i]); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if err := s.stillThere(); err != nil {
		return err
	}
	t.seq, t.head = seq, head
	s.nights[m.Session], s.last = t, max(s.last, t.n)
	return nil
}

// Append implements Store.
func (s *SQLite) Append(ctx context.Context, session string, e Entry) error {
	if err := s.append(ctx, session, &e); err != nil {
		return fmt.Errorf("journal: append %d: %w", e.Seq, explain(err))
	}
	return nil
}

func (s *SQLite) append(ctx context.Context, session string, e *Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(ctx); err != nil {
		return err
	}
	t, err := s.tipOf(ctx, session)
	if err != nil {
		return err
	}
	if err := follows(*e, t.seq+1, t.head); err != nil {
		return err
	}
	if err := insert(context.WithoutCancel(ctx), s.ins, t.n, e); err != nil {
		return err
	}
	if err := s.stillThere(); err != nil {
		return err
	}
	t.seq, t.head = e.Seq, e.Hash
	return nil
}

func (s *SQLite) writable(ctx context.Context) error {
	if s.w == nil {
		return ErrReadOnly
	}
	return ctx.Err()
}

func insert(ctx context.Context, ins *sql.Stmt, n int64, e *Entry) error {
	line, err := e.AppendLine(make([]byte, 0, 512))
	if err != nil {
		return err
	}
	_, err = ins.ExecContext(ctx, n<<seqBits|int64(e.Seq), string(line), e.Note.Key, e.Note.From,
		e.Note.Closed, e.Note.check(e.Hash))
	return err
}

// stillThere makes sure that what was written can be found again: a file that
// was removed, or a folder that was unmounted, is written to without complaint.
func (s *SQLite) stillThere() error {
	now, err := os.Stat(s.path)
	if err != nil {
		return fmt.Errorf("the journal is no longer where it was: %w", err)
	}
	if !os.SameFile(now, s.here) {
		return errors.New("the journal is no longer where it was: another file stands in its place")
	}
	if _, err := os.Stat(s.path + "-wal"); err != nil {
		return fmt.Errorf("the journal's log is no longer where it was: %w", err)
	}
	return nil
}
