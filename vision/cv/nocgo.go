//go:build !cgo

package cv

import (
	"context"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// Version is empty: there is no OpenCV in this build.
func Version() (opencv, gocv string) { return "", "" }

// Open returns ErrNoCV.
func Open(context.Context, string, SourceOptions) (vision.FrameSource, error) { return nil, ErrNoCV }

// Eye can't exist in this build.
type Eye struct{ vision.Eye }

// NewEye returns ErrNoCV.
func NewEye(EyeOptions) (*Eye, error) { return nil, ErrNoCV }

// ReadPicture returns ErrNoCV.
func ReadPicture(string) (vision.Frame, error) { return vision.Frame{}, ErrNoCV }

// PictureNames returns ErrNoCV.
func PictureNames(string) ([]string, error) { return nil, ErrNoCV }

// Outline returns ErrNoCV.
func (*Eye) Outline(vision.Frame) (vision.Quad, error) { return vision.Quad{}, ErrNoCV }

// Lesson can't take anything in this build.
type Lesson struct{}

// NewLesson begins a deck in a folder.
func NewLesson(string) *Lesson { return &Lesson{} }

// Take returns ErrNoCV.
func (*Lesson) Take(card.Card, int, vision.Frame, vision.Quad) error { return ErrNoCV }

// Forget returns ErrNoCV.
func (*Lesson) Forget(card.Card) error { return ErrNoCV }

// Confusable returns ErrNoCV.
func Confusable(string) ([][2]card.Card, error) { return nil, ErrNoCV }
