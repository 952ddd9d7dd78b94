package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"lansquenet/ledger/game"
)

// Sessions implements Store.
func (s *SQLite) Sessions(ctx context.Context) ([]Session, error) {
	out, err := s.sessions(ctx, "", "ORDER BY n")
	if err != nil {
		return nil, fmt.Errorf("journal: list nights: %w", explain(err))
	}
	return out, nil
}

// Session implements Store.
func (s *SQLite) Session(ctx context.Context, id string) (Session, error) {
	where := "WHERE id = ?"
	if id == "latest" {
		where = "WHERE ? <> '' ORDER BY n DESC LIMIT 1"
	}
	out, err := s.sessions(ctx, id, where)
	if err == nil && len(out) == 0 {
		err = ErrNoSession
	}
	if err != nil {
		return Session{}, fmt.Errorf("journal: night %q: %w", id, explain(err))
	}
	return out[0], nil
}

func (s *SQLite) sessions(ctx context.Context, arg, where string) ([]Session, error) {
	var args []any
	if arg != "" {
		args = append(args, arg)
	}
	rows, err := s.r.QueryContext(ctx, "SELECT n, id, imported, sum FROM nights "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Session
	var numbers []int64
	for rows.Next() {
		var n Session
		var number int64
		var sum int64
		if err := rows.Scan(&number, &n.ID, &n.Imported, &sum); err != nil {
			return nil, err
		}
		if sum != nightCheck(number, n.ID, n.Imported) {
			return nil, fmt.Errorf("night %s: its row in the list of nights was changed", n.ID)
		}
		out, numbers = append(out, n), append(numbers, number)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for i := range out {
		if err := s.describe(ctx, &out[i], numbers[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// describe fills in what a night's first and last entries tell of it.
func (s *SQLite) describe(ctx context.Context, n *Session, number int64) error {
	first, err := s.edge(ctx, number, "ASC")
	if err != nil {
		return fmt.Errorf("night %s: %w", n.ID, err)
	}
	last, err := s.edge(ctx, number, "DESC")
	if err != nil {
		return fmt.Errorf("night %s: %w", n.ID, err)
	}
	if n.Meta, err = ParseGenesis(first.Prev); err != nil {
		if errors.Is(err, ErrLater) {
			return err
		}
		return fmt.Errorf("night %s: %w", n.ID, &Damage{Seq: 1, What: err.Error()})
	}
	if n.Meta.Session != n.ID {
		return fmt.Errorf("night %s: %w", n.ID, &Damage{Seq: 1, What: "it belongs to night " + n.Meta.Session})
	}
	n.Entries, n.Head, n.Closed = last.Seq, last.Hash, last.Note.Closed
	n.Began, n.Last = first.At, last.At
	return nil
}

// edge is a night's first ("ASC") or last ("DESC") entry.
func (s *SQLite) edge(ctx context.Context, n int64, order string) (Entry, error) {
	rows, err := s.r.QueryContext(ctx, "SELECT id, line, key, source, closed, sum FROM entries WHERE id > ? AND id < ? ORDER BY id "+
		order+" LIMIT 1", n<<seqBits, (n+1)<<seqBits)
	if err != nil {
		return Entry{}, err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return Entry{}, err
		}
		return Entry{}, &Damage{Seq: 1, What: "missing: the night has no entries"}
	}
	return scan(rows, n)
}

// batch is how many rows are read at a time. Between batches no read
// transaction is open, so that a slow reader does not keep the log from being
// folded into the database.
const batch = 1024

// Entries implements Store.
func (s *SQLite) Entries(ctx context.Context, session string, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		after := after // an iterator may be run again
		fail := func(err error) {
			yield(Entry{}, fmt.Errorf("journal: night %s: %w", session, explain(err)))
		}
		var n int64
		q, args := "SELECT n FROM nights WHERE id = ?", []any{session}
		if session == "latest" {
			q, args = "SELECT n FROM nights ORDER BY n DESC LIMIT 1", nil
		}
		switch err := s.r.QueryRowContext(ctx, q, args...).Scan(&n); {
		case errors.Is(err, sql.ErrNoRows):
			fail(ErrNoSession)
			return
		case err != nil:
			fail(err)
			return
		}
		list := make([]Entry, 0, batch)
		for {
			var err error
			list, err = s.read(ctx, n, after, list[:0])
			for _, e := range list {
				if !yield(e, nil) {
					return
				}
				after = e.Seq
			}
			if err != nil {
				var d *Damage
				if !errors.As(err, &d) && damaged(err) {
					err = &Damage{Seq: after + 1, What: "cannot be read: " + explain(err).Error()}
				}
				fail(err)
				return
			}
			if len(list) < batch {
				return
			}
		}
	}
}

// read appends up to a batch of entries with seq > after, and with an error
// those before it.
func (s *SQLite) read(ctx context.Context, n int64, after uint64, list []Entry) ([]Entry, error) {
	rows, err := s.r.QueryContext(ctx, "SELECT id, line, key, source, closed, sum FROM entries WHERE id > ? AND id < ? ORDER BY id LIMIT ?",
		n<<seqBits|int64(after), (n+1)<<seqBits, batch)
	if err != nil {
		return list, err
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scan(rows, n)
		if err != nil {
			return list, err
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// scan reads one row and makes sure that it says the same in all its columns.
func scan(rows *sql.Rows, n int64) (Entry, error) {
	var id int64
	var line sql.RawBytes
	var note Note
	var check int64
	if err := rows.Scan(&id, &line, &note.Key, &note.From, &note.Closed, &check); err != nil {
		return Entry{}, err
	}
	seq := uint64(id - n<<seqBits)
	e, err := ParseLine(line)
	switch {
	case err != nil:
		return e, &Damage{Seq: seq, What: "changed: " + err.Error(), No: game.RefusalIn(err)}
	case e.Seq != seq:
		return e, &Damage{Seq: seq, What: fmt.Sprintf("entry %d stands in its place", e.Seq)}
	case note.check(e.Hash) != check:
		return e, &Damage{Seq: seq, What: "changed: what is noted beside it (key, sender, end of the night) is not what was written"}
	}
	e.Note = note
	return e, nil
}
