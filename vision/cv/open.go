//go:build cgo

package cv

import (
	"context"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// Version names the OpenCV that is linked and the GoCV that binds it.
func Version() (opencv, gocvVersion string) { return gocv.OpenCVVersion(), gocv.Version() }

// Open opens a source as it is written on the command line.
func Open(ctx context.Context, source string, o SourceOptions) (vision.FrameSource, error) {
	return nil, ErrNoCV
}

// NewEye loads the reader.
func NewEye(o EyeOptions) (vision.Eye, error) { return nil, ErrNoCV }
