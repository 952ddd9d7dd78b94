package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// digest ties the notes of a row to its entry, so that a change in them is
// found though the chain does not cover them.
func (n Note) digest(hash string) string {
	return sum(fmt.Appendf(nil, "%s %q %q %t", hash, n.Key, n.From, n.Closed))[:16]
}

func nightDigest(n int64, id string, imported bool) string {
	return sum(fmt.Appendf(nil, "%d %q %t", n, id, imported))[:16]
}

// makeDir creates a folder and those above it, and syncs the folder that names
// each, since a folder that a power cut takes back takes the journal along.
func makeDir(dir string) error {
	switch fi, err := os.Stat(dir); {
	case err == nil && !fi.IsDir():
		return fmt.Errorf("%s is a file, not a folder", dir)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := makeDir(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}

// damaged says whether SQLite found the file itself to be broken.
func damaged(err error) bool {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return false
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_MISMATCH:
		return true
	}
	return false
}

// explain puts what to do in front of SQLite's words for what people meet.
func explain(err error) error {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return err
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("the disk is full; make room and start again, nothing acknowledged is lost: %w", err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("the journal cannot be written to; see whether its disk was mounted read-only: %w", err)
	case sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("the journal cannot be opened; see whether its folder is there and may be written to: %w", err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("the disk failed; see whether it is full, broken or unplugged: %w", err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("the file is damaged; `export --salvage` writes what is whole, and a backup can take its place: %w", err)
	}
	return err
}
