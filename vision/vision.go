// Package vision turns pictures of a table into one event for each card that
// was dealt. It is pure Go and can be tested with made-up sightings: where
// pictures come from and how a card is found and read in one picture lies
// behind FrameSource and Eye, which package cv fulfils with OpenCV.
//
// Its promise is to rather ask than to be wrong: a rank that was not certain
// in several frames leaves as Unsure, with guesses, and the host decides. It
// knows nothing of any game, only that cards are laid down and swept off.
//
// The stages, each a type of its own that is tested and timed alone:
//
//	FrameSource → Gate (did anything move?) → Eye (find, straighten, read) → Tracker (was a card dealt?)
package vision

import (
	"context"
	"fmt"
	"image"
	"time"

	"lansquenet/ledger/card"
)

// Frame is one picture of the table.
type Frame struct {
	N     uint64        // number in the stream, from 0; a live source skips numbers it dropped
	At    time.Duration // the source's own time, from its first frame
	Taken time.Time     // when a live picture reached this machine; zero for files
	W, H  int
	// Pix is blue, green, red for each pixel, row by row without gaps: 3·W·H
	// bytes. It belongs to the source and is valid until the next call of Next.
	Pix []byte
}

// Age is how old a live picture is at the moment now, and 0 for a file.
func (f Frame) Age(now time.Time) time.Duration {
	if f.Taken.IsZero() {
		return 0
	}
	return now.Sub(f.Taken)
}

// FrameSource is a camera, a video or a folder of pictures. Next blocks for
// the next picture; io.EOF ends the stream. A *SourceEvent error says that a
// live camera was lost or found again: it isn't the end, Next may be called on.
type FrameSource interface {
	Next(ctx context.Context) (Frame, error)
	Close() error
}

// SourceEvent is a live source saying that its pictures stopped or came back.
type SourceEvent struct {
	Kind Kind   // Lost or Found
	Note string // a plain sentence: what happened and what to do
}

func (e *SourceEvent) Error() string { return e.Note }

// Point is a place in a picture, in pixels from the top left.
type Point struct{ X, Y float64 }

// Quad is a card's outline: its four corners clockwise, the first the top left
// of the card as it is read (or turned by half a turn, which looks the same).
type Quad [4]Point

// Sighting is one card seen in one picture.
type Sighting struct {
	Quad       Quad
	Rank       card.Rank // NoRank: a back, a joker or a blank
	Suit       card.Suit
	Confidence float64     // how likely Rank (or, without one, that there is none) is right
	Guess      []card.Rank // the likeliest ranks, best first, when it isn't certain
	// Score is the natural logarithm of how likely each rank is, by card.Rank;
	// Score[0] is "no rank". Sightings of the same card are added up over frames.
	Score [card.Ranks + 1]float32
	// Whole says that all four sides of the card were found, not only a corner.
	Whole bool
}

// Ask says what to look for in a picture.
type Ask struct {
	Area image.Rectangle // the part of the picture to look at
	// Before is an earlier picture of the same size, in which the card sought
	// didn't lie there yet; it helps to find white paper on white cloth. May be nil.
	Before *Frame
	// Card is the outline of some card on this table, from which the size of
	// the others follows; zero when none was seen yet.
	Card Quad
	// Known are cards that lie where they lay; they need no reading again.
	Known []Quad
	// Expected are where cards were read in the picture before; they are read
	// there again first, which is cheap and keeps their outlines still.
	Expected []Quad
	Effort   Effort
}

// Effort says how much time a look may take.
type Effort uint8

// The efforts, cheapest first.
const (
	Glance   Effort = iota // something moves: only what is found at the first try
	Normal                 // until a card was read with certainty
	Thorough               // every way of looking, for still pictures of several cards
)

// Eye finds and reads the cards within an area of a picture.
type Eye interface {
	Look(f Frame, a Ask) ([]Sighting, error)
	Close() error
}

// Kind says what an Event is about.
type Kind uint8

// The kinds of events.
const (
	Card    Kind = iota + 1 // a card was dealt, its rank is certain
	Unsure                  // a card was dealt, the host must say which
	Back                    // a card without rank lies there: a back, a joker, a blank
	Cleared                 // the cards were swept off
	Lost                    // the camera's pictures stopped
	Found                   // the camera is back
)

var kindNames = [...]string{"", "card", "unsure", "back", "cleared", "lost", "found"}

// String is the kind as written by "watch --json".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Event is what the camera has to tell the table.
type Event struct {
	Kind       Kind
	I          int           // Card and Unsure: number of the dealt card, from 0
	Frame      uint64        // the frame at which it was decided
	T          time.Duration // that frame's time
	Rank       card.Rank     // Card only
	Suit       card.Suit     // Card only, NoSuit when not read
	Confidence float64       // 0…1
	Guess      []card.Rank   // Unsure: likeliest first, at most three
	Quad       Quad          // where the card lies; zero for Cleared, Lost, Found
	Picture    []byte        // a small JPEG of the card for the host; may be nil
	Age        time.Duration // how old the frame was when the decision fell; 0 for files
	Note       string        // Lost and Found: a plain sentence
}
