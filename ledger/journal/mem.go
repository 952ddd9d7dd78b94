package journal

import (
	"context"
	"fmt"
	"iter"
	"sync"
)

// Mem is a journal in memory, for tests, demos and scripts: it keeps every
// promise but that of surviving the program. The zero value is empty and ready.
type Mem struct {
	mu     sync.RWMutex
	nights []*memNight
}

type memNight struct {
	Session
	entries []Entry
	marks   []Mark
}

// NewMem is an empty journal in memory.
func NewMem() *Mem { return new(Mem) }

func (m *Mem) find(id string) *memNight {
	if id == "latest" && len(m.nights) > 0 {
		return m.nights[len(m.nights)-1]
	}
	for _, n := range m.nights {
		if n.ID == id {
			return n
		}
	}
	return nil
}

// Sessions implements Store.
func (m *Mem) Sessions(ctx context.Context) ([]Session, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	out := make([]Session, 0, len(m.nights))
	for _, n := range m.nights {
		out = append(out, n.Session)
	}
	return out, ctx.Err()
}

// Session implements Store.
func (m *Mem) Session(ctx context.Context, id string) (Session, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n := m.find(id)
	if n == nil {
		return Session{}, fmt.Errorf("journal: %q: %w", id, ErrNoSession)
	}
	return n.Session, ctx.Err()
}

// Begin implements Store.
func (m *Mem) Begin(ctx context.Context, meta Meta, first Entry) error {
	if err := follows(first, 1, meta.Genesis()); err != nil {
		return fmt.Errorf("journal: begin %s: %w", meta.Session, err)
	}
	return m.add(ctx, meta, 0, []Entry{first}, false)
}

// Append implements Store.
func (m *Mem) Append(ctx context.Context, session string, e Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("journal: append %d: %w", e.Seq, err)
	}
	n := m.find(session)
	if n == nil {
		return fmt.Errorf("journal: append %d to %q: %w", e.Seq, session, ErrNoSession)
	}
	if err := follows(e, n.Entries+1, n.Head); err != nil {
		return fmt.Errorf("journal: append %d: %w", e.Seq, err)
	}
	n.push(e)
	return nil
}

// Import implements Store.
func (m *Mem) Import(ctx context.Context, meta Meta, after uint64, entries []Entry) error {
	return m.add(ctx, meta, after, entries, true)
}

func (m *Mem) add(ctx context.Context, meta Meta, after uint64, entries []Entry, imported bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("journal: begin %s: %w", meta.Session, err)
	}
	n := m.find(meta.Session)
	fresh := n == nil
	if fresh {
		n = &memNight{Session: Session{ID: meta.Session, Meta: meta, Head: meta.Genesis(), Imported: imported}}
	}
	seq, head := n.Entries, n.Head
	if seq != after || (!imported && !fresh) {
		return fmt.Errorf("journal: night %s has %d entries: %w", meta.Session, seq, ErrOrder)
	}
	for _, e := range entries {
		if err := follows(e, seq+1, head); err != nil {
			return fmt.Errorf("journal: append %d: %w", e.Seq, err)
		}
		seq, head = e.Seq, e.Hash
	}
	for _, e := range entries {
		n.push(e)
	}
	if fresh && len(entries) > 0 {
		m.nights = append(m.nights, n)
	}
	return nil
}

func (n *memNight) push(e Entry) {
	if n.Entries == 0 {
		n.Began = e.At
	}
	n.entries = append(n.entries, e)
	n.Entries, n.Head, n.Last, n.Closed = e.Seq, e.Hash, e.At, e.Note.Closed
}

// Entries implements Store.
func (m *Mem) Entries(ctx context.Context, session string, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		m.mu.RLock()
		n := m.find(session)
		var list []Entry
		if n != nil {
			list = n.entries[min(after, uint64(len(n.entries))):]
		}
		m.mu.RUnlock()
		if n == nil {
			yield(Entry{}, fmt.Errorf("journal: %q: %w", session, ErrNoSession))
			return
		}
		for _, e := range list {
			if err := ctx.Err(); err != nil {
				yield(Entry{}, err)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Close implements Store; a closed Mem can still be read.
func (m *Mem) Close() error { return nil }

// follows is the check every store makes before it takes an entry.
func follows(e Entry, seq uint64, head string) error {
	switch {
	case e.Seq != seq:
		return fmt.Errorf("%w: it should be %d", ErrOrder, seq)
	case e.Prev != head:
		return fmt.Errorf("%w: it was made after %s, and the last is %s", ErrOrder, short(e.Prev), short(head))
	case len(e.Hash) != 64:
		return fmt.Errorf("%w: it is not sealed", ErrOrder)
	}
	return nil
}
