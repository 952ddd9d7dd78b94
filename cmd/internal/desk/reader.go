package desk

import (
	"log/slog"
	"sync"

	"lansquenet/cmd/internal/decks"
	"lansquenet/vision"
)

// Reader is an eye that can be exchanged for one of another deck while it is used.
type Reader struct {
	mu  sync.Mutex
	eye vision.Eye
}

// OpenReader loads the reader for the deck that the host chose on the page, or,
// when he chose none or it is broken, for the configured one; "" is the built-in
// reader. It says which deck it is.
func OpenReader(data, configured string, set Settings, log *slog.Logger) (*Reader, string, error) {
	if set.Deck != nil {
		eye, err := decks.Open(data, *set.Deck)
		if err == nil {
			return &Reader{eye: eye}, *set.Deck, nil
		}
		log.Warn("the deck chosen on the camera page can't be read; the configured one is used", "deck", *set.Deck, "why", err)
	}
	eye, err := decks.Open(data, configured)
	if err != nil {
		return nil, "", err
	}
	return &Reader{eye: eye}, configured, nil
}

// Look looks with the present eye.
func (r *Reader) Look(f vision.Frame, a vision.Ask) ([]vision.Sighting, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.eye.Look(f, a)
}

// Close closes the present eye.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.eye.Close()
}

// exchange puts another eye in the place of the present one.
func (r *Reader) exchange(eye vision.Eye) error {
	r.mu.Lock()
	old := r.eye
	r.eye = eye
	r.mu.Unlock()
	return old.Close()
}
