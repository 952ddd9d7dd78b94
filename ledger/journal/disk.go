package journal

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// check ties the notes of a row to its entry, so that a flipped bit in them is
// found though the chain does not cover them. It is no guard against people.
func (n *Note) check(hash string) int64 {
	b := make([]byte, 0, 160)
	b = append(append(b, hash...), 0)
	b = append(append(b, n.Key...), 0)
	b = append(append(b, n.From...), 0)
	return int64(crc32.ChecksumIEEE(strconv.AppendBool(b, n.Closed)))
}

// nightCheck does the same for a row of the list of nights.
func nightCheck(n int64, id string, imported bool) int64 {
	return int64(crc32.ChecksumIEEE(fmt.Appendf(nil, "%d %q %t", n, id, imported)))
}

// makeDir creates a folder and those above it, and syncs the folder that names
// each, since a folder that a power cut takes back takes the journal along.
func makeDir(dir string) error {
	switch fi, err := os.Stat(dir); {
	case err == nil && !fi.IsDir():
		return fmt.Errorf("%s is a file, not a folder: name another", dir)
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
