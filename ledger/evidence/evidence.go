// Package evidence keeps the small picture of each card that was read, beside
// the journal, for the moment when somebody says that it was no seven. It
// promises never to grow beyond its bound (the oldest nights go first) and never
// to touch the journal. It does not promise that a picture is there: a night is
// played, replayed and settled without any.
package evidence

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// File is the name of the store within a data folder.
const File = "evidence.sqlite"

// Options bound a Store; the zero value serves.
type Options struct {
	MaxBytes   int64 // of all pictures together; 0: 256 MiB
	MaxPicture int   // of one picture; 0: 64 KiB
	MaxNights  int   // how many nights keep their pictures; 0: as many as fit
}

// Picture is what the camera saw of one card.
type Picture struct {
	Session string    `json:"session"`
	Seq     uint64    `json:"seq"` // of the entry it belongs to
	At      time.Time `json:"at"`
	JPEG    []byte    `json:"-"`
	Reading
}

// Reading is what the reader made of the picture.
type Reading struct {
	Rank       string   `json:"rank,omitempty"`
	Suit       string   `json:"suit,omitempty"`
	Confidence float64  `json:"confidence"`      // 0 to 1
	Guess      []string `json:"guess,omitempty"` // the ranks it could not choose between
	Frame      uint64   `json:"frame,omitempty"` // of the source
}

// Errors that callers tell apart.
var (
	ErrNone   = errors.New("no picture was kept of that card")
	ErrTooBig = errors.New("the picture is bigger than one may be")
	ErrNoJPEG = errors.New("the picture is no JPEG")
)

// Store keeps pictures in one SQLite file. It is safe for several goroutines.
type Store struct {
	db    *sql.DB
	opt   Options
	aside string

	mu    sync.Mutex
	bytes int64 // of all pictures
}

// The pictures of a night are removed together, so nights are numbered in the
// order in which their first picture came.
const schema = `
CREATE TABLE IF NOT EXISTS nights (n INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE IF NOT EXISTS pictures (
	night   INTEGER NOT NULL REFERENCES nights (n),
	seq     INTEGER NOT NULL,
	at      INTEGER NOT NULL, -- milliseconds since 1970
	reading TEXT NOT NULL,    -- JSON
	jpeg    BLOB NOT NULL,
	PRIMARY KEY (night, seq)
) STRICT;`

// Open opens the pictures in a data folder, and creates the file when it is not
// there. A file that is broken is set aside (see Aside) and a new one begun:
// pictures are no reason not to play.
func Open(dir string, opt Options) (*Store, error) {
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = 256 << 20
	}
	if opt.MaxPicture <= 0 {
		opt.MaxPicture = 64 << 10
	}
	path := filepath.Join(dir, File)
	s := &Store{opt: opt}
	err := s.open(path)
	if err == nil {
		return s, nil
	}
	if _, serr := os.Stat(path); serr != nil {
		return nil, fmt.Errorf("evidence: open %s: %w", path, err)
	}
	s.aside = path + time.Now().UTC().Format(".broken-20060102-150405.000")
	if rerr := os.Rename(path, s.aside); rerr != nil {
		return nil, fmt.Errorf("evidence: open %s: %w", path, errors.Join(err, rerr))
	}
	for _, tail := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + tail) // a log without its database is of no use to anybody
	}
	if err := s.open(path); err != nil {
		return nil, fmt.Errorf("evidence: open %s: %w", path, err)
	}
	return s, nil
}

func (s *Store) open(path string) (err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	// synchronous=NORMAL: a power cut may take the last pictures, but breaks
	// nothing, and the card is spared a sync for each.
	u := url.URL{Scheme: "file", Path: abs, RawQuery: "_pragma=busy_timeout(5000)&_pragma=auto_vacuum(INCREMENTAL)" +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate"}
	if s.db, err = sql.Open("sqlite", u.String()); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	defer func() {
		if err != nil {
			s.db.Close()
		}
	}()
	if _, err := s.db.Exec(schema); err != nil {
		return err
	}
	var said string
	if err := s.db.QueryRow("PRAGMA quick_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return errors.New(said)
	}
	return s.db.QueryRow("SELECT coalesce(sum(length(jpeg)), 0) FROM pictures").Scan(&s.bytes)
}

// Aside is the file that a broken store was moved to when this one was opened,
// "" when it was whole.
func (s *Store) Aside() string { return s.aside }

// Close closes the file.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("evidence: close: %w", err)
	}
	return nil
}

// Put keeps the picture of an entry, in place of an earlier one of that entry.
// Where there is no room the oldest nights lose theirs, and then the oldest
// cards of this one.
func (s *Store) Put(ctx context.Context, p Picture) error {
	if err := s.put(ctx, p); err != nil {
		return fmt.Errorf("evidence: keep the picture of entry %d: %w", p.Seq, err)
	}
	return nil
}

func (s *Store) put(ctx context.Context, p Picture) error {
	size := int64(len(p.JPEG))
	switch {
	case size > int64(s.opt.MaxPicture) || size > s.opt.MaxBytes:
		return fmt.Errorf("%w: %d bytes of at most %d", ErrTooBig, size, min(int64(s.opt.MaxPicture), s.opt.MaxBytes))
	case !bytes.HasPrefix(p.JPEG, []byte{0xff, 0xd8, 0xff}):
		return ErrNoJPEG
	}
	reading, err := json.Marshal(p.Reading)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO nights (session) VALUES (?) ON CONFLICT DO NOTHING", p.Session); err != nil {
		return err
	}
	var night int64
	if err := tx.QueryRowContext(ctx, "SELECT n FROM nights WHERE session = ?", p.Session).Scan(&night); err != nil {
		return err
	}
	free, err := drop(ctx, tx, "night = ? AND seq = ?", night, p.Seq)
	if err != nil {
		return err
	}
	total := s.bytes - free + size
	if free, err = s.prune(ctx, tx, night, total); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO pictures (night, seq, at, reading, jpeg) VALUES (?, ?, ?, ?, ?)",
		night, p.Seq, p.At.UnixMilli(), string(reading), p.JPEG); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	s.bytes = total - free
	if free > 0 {
		_, err = s.db.ExecContext(ctx, "PRAGMA incremental_vacuum")
	}
	return err
}

// prune makes room and returns how many bytes it freed.
func (s *Store) prune(ctx context.Context, tx *sql.Tx, night, total int64) (freed int64, err error) {
	for {
		var oldest, nights int64
		if err := tx.QueryRowContext(ctx, "SELECT min(n), count(*) FROM nights").Scan(&oldest, &nights); err != nil {
			return freed, err
		}
		full := total-freed > s.opt.MaxBytes
		switch {
		case !full && (s.opt.MaxNights <= 0 || nights <= int64(s.opt.MaxNights)):
			return freed, nil
		case oldest < night:
			n, err := drop(ctx, tx, "night = ?", oldest)
			if err == nil {
				_, err = tx.ExecContext(ctx, "DELETE FROM nights WHERE n = ?", oldest)
			}
			if err != nil {
				return freed, err
			}
			freed += n
		case full:
			var first sql.NullInt64
			if err := tx.QueryRowContext(ctx, "SELECT min(seq) FROM pictures WHERE night = ?", night).Scan(&first); err != nil {
				return freed, err
			}
			if !first.Valid {
				return freed, nil
			}
			n, err := drop(ctx, tx, "night = ? AND seq = ?", night, first.Int64)
			if err != nil {
				return freed, err
			}
			freed += n
		default: // too many nights, and this is the oldest
			return freed, nil
		}
	}
}

func drop(ctx context.Context, tx *sql.Tx, where string, args ...any) (freed int64, err error) {
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(sum(length(jpeg)), 0) FROM pictures WHERE "+where, args...).Scan(&freed); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM pictures WHERE "+where, args...)
	return freed, err
}

// Get is the picture of an entry; ErrNone when there is none.
func (s *Store) Get(ctx context.Context, session string, seq uint64) (Picture, error) {
	p := Picture{Session: session, Seq: seq}
	var at int64
	var reading string
	err := s.db.QueryRowContext(ctx, `SELECT at, reading, jpeg FROM pictures JOIN nights ON n = night
		WHERE session = ? AND seq = ?`, session, seq).Scan(&at, &reading, &p.JPEG)
	if err == nil {
		p.At = time.UnixMilli(at).UTC()
		err = json.Unmarshal([]byte(reading), &p.Reading)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNone
	}
	if err != nil {
		return p, fmt.Errorf("evidence: entry %d of %s: %w", seq, session, err)
	}
	return p, nil
}

// Picture is the JPEG of an entry alone, nil when there is none.
func (s *Store) Picture(ctx context.Context, session string, seq uint64) ([]byte, error) {
	p, err := s.Get(ctx, session, seq)
	if errors.Is(err, ErrNone) {
		return nil, nil
	}
	return p.JPEG, err
}

// List is what there is of a night, in the order of its entries, without the
// pictures themselves.
func (s *Store) List(ctx context.Context, session string) ([]Picture, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT seq, at, reading FROM pictures JOIN nights ON n = night
		WHERE session = ? ORDER BY seq`, session)
	if err != nil {
		return nil, fmt.Errorf("evidence: list %s: %w", session, err)
	}
	defer rows.Close()
	var out []Picture
	for rows.Next() {
		p := Picture{Session: session}
		var at int64
		var reading string
		if err := rows.Scan(&p.Seq, &at, &reading); err != nil {
			return nil, fmt.Errorf("evidence: list %s: %w", session, err)
		}
		p.At = time.UnixMilli(at).UTC()
		if err := json.Unmarshal([]byte(reading), &p.Reading); err != nil {
			return nil, fmt.Errorf("evidence: entry %d of %s: %w", p.Seq, session, err)
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// Bytes is how much all pictures take together.
func (s *Store) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}
