package vision

import (
	"context"
	"image"
	"time"

	"lansquenet/ledger/card"
)

// Options tune a Watcher; the zero value is right for a camera over a table.
type Options struct {
	// ROI is the part of the picture to look at; empty: all of it.
	ROI image.Rectangle
	// Possible says whether the shoe can still hold such a card (suit may be
	// NoSuit). A reading that it rules out leaves as Unsure. Nil: all can.
	Possible func(r card.Rank, s card.Suit) bool
	// Sure is the confidence from which a rank is told as Card; 0: 0.97.
	Sure float64
}

// Stats are the Watcher's own measurements since it began.
type Stats struct {
	Frames   uint64
	FPS      float64       // frames a second of working time
	P50, P99 time.Duration // work for one frame without waiting for it
}

// Live is the newest picture with what was made of it, for the camera page.
type Live struct {
	JPEG      []byte
	Frame     uint64
	Age       time.Duration
	W, H      int    // of the frame, which the quads refer to
	Cards     []Quad // outlines of the cards that lie on the table
	Sharpness string // in words, "" when good
	Light     string // in words, "" when good
}

// Watcher looks at a source and tells the cards that are dealt.
type Watcher struct {
	src FrameSource
	eye Eye
	opt Options
}

// Watch begins to look at src through eye. Close closes neither.
func Watch(src FrameSource, eye Eye, o Options) *Watcher {
	return &Watcher{src: src, eye: eye, opt: o}
}

// Next blocks until there is something to tell. io.EOF: the source ended.
func (w *Watcher) Next(ctx context.Context) (Event, error) {
	for {
		if _, err := w.src.Next(ctx); err != nil {
			return Event{}, err
		}
	}
}

// Stats may be called at any time, also from another goroutine.
func (w *Watcher) Stats() Stats { return Stats{} }

// Live may be called at any time, also from another goroutine.
func (w *Watcher) Live() Live { return Live{} }
