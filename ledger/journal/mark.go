package journal

import (
	"context"
	"fmt"
	"hash/crc32"
	"time"
)

// Mark says that the camera was lost, or came back, between two entries of a
// night. See "Marks" in the package's documentation.
type Mark struct {
	Seq  uint64    // the last entry before it
	At   time.Time // UTC, whole milliseconds
	Lost bool      // false: it came back
	Note string    // a sentence: how it was lost
}

// check finds a changed row, as that of an entry's note does.
func (m *Mark) check(night int64) int64 {
	return int64(crc32.ChecksumIEEE(fmt.Appendf(nil, "%d %d %d %t %q", night, m.Seq, m.At.UnixMilli(), m.Lost, m.Note)))
}

// Mark implements Store.
func (s *SQLite) Mark(ctx context.Context, session string, m Mark) error {
	if err := s.mark(ctx, session, m); err != nil {
		return fmt.Errorf("journal: mark after entry %d: %w", m.Seq, explain(err))
	}
	return nil
}

func (s *SQLite) mark(ctx context.Context, session string, m Mark) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(ctx); err != nil {
		return err
	}
	t := s.nights[session]
	if t == nil {
		return fmt.Errorf("%q: %w", session, ErrNoSession)
	}
	_, err := s.w.ExecContext(context.WithoutCancel(ctx), "INSERT INTO marks (night, seq, at, lost, note, sum) VALUES (?, ?, ?, ?, ?, ?)",
		t.n, int64(m.Seq), m.At.UnixMilli(), m.Lost, m.Note, m.check(t.n))
	return err
}

// Marks implements Store.
func (s *SQLite) Marks(ctx context.Context, session string) ([]Mark, error) {
	out, err := s.marks(ctx, session)
	if err != nil {
		return nil, fmt.Errorf("journal: marks of night %s: %w", session, explain(err))
	}
	return out, nil
}

func (s *SQLite) marks(ctx context.Context, session string) (out []Mark, err error) {
	var known bool // a backup of earlier days has no such table
	if err := s.r.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'marks'").Scan(&known); err != nil || !known {
		return nil, err
	}
	rows, err := s.r.QueryContext(ctx, `SELECT night, seq, at, lost, note, marks.sum FROM marks JOIN nights ON n = night
		WHERE nights.id = ? ORDER BY marks.rowid`, session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m Mark
		var night, at, sum int64
		if err := rows.Scan(&night, &m.Seq, &at, &m.Lost, &m.Note, &sum); err != nil {
			return nil, err
		}
		m.At = time.UnixMilli(at).UTC()
		if m.check(night) != sum {
			return nil, fmt.Errorf("the mark after entry %d was changed", m.Seq)
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

// Mark implements Store.
func (m *Mem) Mark(_ context.Context, session string, k Mark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.find(session)
	if n == nil {
		return fmt.Errorf("journal: mark night %q: %w", session, ErrNoSession)
	}
	k.At = k.At.UTC().Truncate(time.Millisecond)
	n.marks = append(n.marks, k)
	return nil
}

// Marks implements Store.
func (m *Mem) Marks(_ context.Context, session string) ([]Mark, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n := m.find(session)
	if n == nil {
		return nil, fmt.Errorf("journal: marks of night %q: %w", session, ErrNoSession)
	}
	return n.marks[:len(n.marks):len(n.marks)], nil
}
