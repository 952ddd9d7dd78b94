package journal

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Session is one night in a store.
type Session struct {
	ID       string
	Meta     Meta
	Entries  uint64 // how many, which is the last seq
	Head     string // hash of the last entry
	Began    time.Time
	Last     time.Time // At of the last entry
	Closed   bool      // the night is over
	Imported bool      // it came out of a file, and is not carried on here
}

// MarshalJSON writes the night as it is listed: `sessions --json` and the pages'
// /api/sessions show the same.
func (s Session) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID       string    `json:"id"`
		Began    time.Time `json:"began"`
		Last     time.Time `json:"last"`
		Entries  uint64    `json:"entries"`
		Head     string    `json:"head"`
		Closed   bool      `json:"closed"`
		Imported bool      `json:"imported"`
		Program  string    `json:"program"`
		Rules    int       `json:"rules"`
		Profile  string    `json:"profile"`
		Deck     string    `json:"deck"`
		Camera   string    `json:"camera"`
	}{s.ID, s.Began, s.Last, s.Entries, s.Head, s.Closed, s.Imported,
		s.Meta.Program, s.Meta.Rules, s.Meta.Profile, s.Meta.Deck, s.Meta.Camera})
}

// Store keeps nights. Implementations are safe for several goroutines, of which
// one appends.
type Store interface {
	// Sessions lists the nights in the order in which they were begun here. The
	// order is the store's own, not the clock's.
	Sessions(ctx context.Context) ([]Session, error)

	// Session is one of them; ErrNoSession when there is none of that name.
	// "latest" is the last of Sessions.
	Session(ctx context.Context, id string) (Session, error)

	// Begin starts the night m with its first entry, both or neither.
	Begin(ctx context.Context, m Meta, first Entry) error

	// Append makes e the last entry of its night, durable or not at all. ErrOrder
	// when it does not follow the last one there.
	Append(ctx context.Context, session string, e Entry) error

	// Import adds a whole night, or the entries by which it is longer than what
	// is there, all or nothing. The caller has checked them.
	Import(ctx context.Context, m Meta, after uint64, entries []Entry) error

	// Entries yields a night's entries with Seq > after, in order. It ends with
	// an error in the last pair, a *Damage when what is stored is no entry.
	Entries(ctx context.Context, session string, after uint64) iter.Seq2[Entry, error]

	// Mark keeps, durable or not at all, what became of the camera in a night.
	Mark(ctx context.Context, session string, m Mark) error

	// Marks are a night's marks in the order in which they came.
	Marks(ctx context.Context, session string) ([]Mark, error)

	Close() error
}
