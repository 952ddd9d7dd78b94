package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Check looks at the database itself: SQLite's own test of its pages, and
// whether every entry belongs to a night of the list. What the entries say is
// checked by reading them.
func (s *SQLite) Check(ctx context.Context) error {
	if err := s.check(ctx); err != nil {
		return fmt.Errorf("journal: check %s: %w", s.path, explain(err))
	}
	return nil
}

func (s *SQLite) check(ctx context.Context) error {
	rows, err := s.r.QueryContext(ctx, "PRAGMA integrity_check(1)")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var said string
		if err := rows.Scan(&said); err != nil {
			return err
		}
		if said != "ok" {
			return errors.New("the file is damaged: " + said)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	var stray int64
	if err := s.r.QueryRowContext(ctx,
		"SELECT count(*) FROM entries WHERE id >> 32 NOT IN (SELECT n FROM nights)").Scan(&stray); err != nil {
		return err
	}
	if stray > 0 {
		return fmt.Errorf("%d entries belong to no night of the list", stray)
	}
	return nil
}

// Backup writes the whole journal, as it stands at one moment, into one file,
// also while another program writes to it. A file of that name is replaced only
// by a finished backup.
func (s *SQLite) Backup(ctx context.Context, file string) error {
	if err := s.backup(ctx, file); err != nil {
		return fmt.Errorf("journal: back up to %s: %w", file, explain(err))
	}
	return nil
}

func (s *SQLite) backup(ctx context.Context, file string) error {
	if a, err := os.Stat(file); err == nil {
		if a.IsDir() {
			return errors.New("it is a folder; name a file")
		}
		if b, err := os.Stat(s.path); err == nil && os.SameFile(a, b) {
			return errors.New("that is the journal itself")
		}
	}
	part := file + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	defer os.Remove(part) // there only when something failed
	if _, err := s.r.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return err
	}
	f, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := os.Rename(part, file); err != nil {
		return err
	}
	return syncDir(filepath.Dir(file))
}
