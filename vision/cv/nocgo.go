//go:build !cgo

package cv

import (
	"context"

	"lansquenet/vision"
)

// Version is empty: there is no OpenCV in this build.
func Version() (opencv, gocv string) { return "", "" }

// Open returns ErrNoCV.
func Open(context.Context, string, SourceOptions) (vision.FrameSource, error) { return nil, ErrNoCV }

// NewEye returns ErrNoCV.
func NewEye(EyeOptions) (vision.Eye, error) { return nil, ErrNoCV }
