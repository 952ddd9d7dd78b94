package journal

import (
	"errors"
	"fmt"

	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// Damage is an entry that cannot be trusted. Its text names the entry's seq and
// what is wrong with it.
type Damage struct {
	Seq  uint64 // the first bad entry
	What string
	// No is the refusal with which What ends, for those who put it into words;
	// nil when there is none. It is no cause to unwrap: nobody who asked the
	// table was refused anything.
	No *game.Refusal
}

func (d *Damage) Error() string { return fmt.Sprintf("seq %d: %s", d.Seq, d.What) }

// Errors that callers tell apart.
var (
	ErrNoSession = errors.New("there is no such night in this journal")
	ErrLater     = errors.New("written by a later version of this program")
	ErrOrder     = errors.New("the entry does not follow the last one")
	ErrReadOnly  = errors.New("this journal was opened for reading only")
)

// Chain checks entries in their order: sequence, hashes and the book of chips.
// The zero value waits for entry 1.
type Chain struct {
	Meta Meta
	Seq  uint64 // the last good entry, 0 before any
	Head string // its hash
	book chips.Book
	buf  []byte
}

// Add takes the next entry, or says with a *Damage why it cannot be the next.
func (c *Chain) Add(e *Entry) error {
	want := c.Seq + 1
	bad := func(form string, args ...any) error { return &Damage{Seq: want, What: fmt.Sprintf(form, args...)} }
	switch {
	case e.Seq == want:
	case e.Seq == c.Seq:
		return bad("entry %d stands there twice", e.Seq)
	case e.Seq > want:
		return bad("missing: entry %d follows entry %d", e.Seq, c.Seq)
	default:
		return bad("entry %d stands in its place", e.Seq)
	}
	body, err := e.appendBody(c.buf[:0])
	if err != nil {
		return bad("cannot be written: %v", err)
	}
	c.buf = body
	if h := sum(body); h != e.Hash {
		is, says := short(h), short(e.Hash)
		if is == says {
			is, says = h, e.Hash
		}
		return bad("changed: its contents hash to %s, but it says %s", is, says)
	}
	if want == 1 {
		if c.Meta, err = ParseGenesis(e.Prev); err != nil {
			if errors.Is(err, ErrLater) {
				return err
			}
			return bad("%v", err)
		}
	} else if e.Prev != c.Head {
		return bad("does not follow entry %d: it was written after %s, and entry %d is %s",
			c.Seq, short(e.Prev), c.Seq, short(c.Head))
	}
	if err := c.book.Post(e.Transfers); err != nil {
		return bad("its chips do not add up: %v", err)
	}
	c.Seq, c.Head = e.Seq, e.Hash
	return nil
}

// Clone is a chain of its own at the same place.
func (c *Chain) Clone() Chain {
	return Chain{Meta: c.Meta, Seq: c.Seq, Head: c.Head, book: *c.book.Clone()}
}

// Book is a copy of the balances after the last good entry.
func (c *Chain) Book() *chips.Book { return c.book.Clone() }

// short is enough of a hash for a person to compare.
func short(h string) string {
	if len(h) > 12 {
		return h[:12] + "…"
	}
	if h == "" {
		return "nothing"
	}
	return h
}
