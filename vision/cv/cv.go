// Package cv fulfils vision's interfaces with OpenCV through GoCV: it opens
// cameras, videos and folders, and finds and reads cards. It is the only
// package that uses cgo; built without it, every opener returns ErrNoCV.
package cv

import (
	"errors"
	"fmt"

	"lansquenet/ledger/card"
)

// ErrNoCV says that this build has no OpenCV.
var ErrNoCV = errors.New("this build has no OpenCV: build with cgo on a machine with libopencv-dev")

// SourceOptions say how a camera is opened; zero values leave a thing alone.
type SourceOptions struct {
	Width, Height int
	FPS           float64
	// Controls are set after every open and read back, by the names
	// auto_exposure, exposure, auto_white_balance, white_balance, auto_focus,
	// focus, gain, brightness, contrast, saturation, sharpness, power_line, in
	// the camera's own numbers, as v4l2-ctl --list-ctrls shows them.
	Controls map[string]float64
	// Note is told in a plain sentence what isn't as asked for but no reason to
	// stop: a camera's setting that it took differently, a torn picture in a
	// folder. It may be called from another goroutine. May be nil.
	Note func(string)
	// Opened is told what a live camera gives each time it was opened. It may be
	// called from another goroutine. May be nil.
	Opened func(Format)
	// Patient sources don't fail when the camera isn't there at first, but
	// say Lost and try on.
	Patient bool
}

func (o SourceOptions) note(sentence string) {
	if o.Note != nil {
		o.Note(sentence)
	}
}

func (o SourceOptions) opened(f Format) {
	if o.Opened != nil {
		o.Opened(f)
	}
}

// Format is what an opened camera says of itself. What it doesn't tell is zero.
type Format struct {
	Device   string    // its lasting name, or its address without a password
	Codec    string    // as MJPG
	W, H     int       // of its pictures
	FPS      float64   // that it promises
	Controls []Setting // read back, in the order in which they are set
	Differs  []string  // plain sentences: what was asked for and isn't so
}

// Setting is a camera's control with its value.
type Setting struct {
	Name  string
	Value int
}

// EyeOptions say how cards are read.
type EyeOptions struct {
	// Deck is the folder of a taught deck; "": the built-in reader.
	Deck string
	// Blind eyes find cards but don't read them: for teaching.
	Blind bool
}

// CardFile is what the nth picture of a card is called in a taught deck's folder;
// with n 0 it is a pattern for all of them.
func CardFile(c card.Card, n int) string {
	rank, number := c.Rank.String(), fmt.Sprint(n)
	if c.Rank == card.NoRank {
		rank = "none"
	}
	if n == 0 {
		number = "*"
	}
	return fmt.Sprintf("%s-%s-%s.png", rank, c.Suit, number)
}

// Reason is why a picture was not taken into a deck.
type Reason uint8

// The reasons.
const (
	Blurred    Reason = iota + 1
	BadOutline        // not cut like the cards before it
	SameCard          // Refused.Like shows it already
)

// Refused says that a picture is no good for a deck, and what to do.
type Refused struct {
	Why  Reason
	Like card.Card // with SameCard
}

func (r *Refused) Error() string {
	switch r.Why {
	case Blurred:
		return "the picture is blurred: focus the camera, and let the card lie still"
	case BadOutline:
		return "its outline is longer or wider than those of the cards before: let it lie whole and free, with the camera straight above"
	}
	return fmt.Sprintf("the card and the %v before are so alike that they can't be told apart: was one card laid twice, or is one picture bad?", r.Like)
}
