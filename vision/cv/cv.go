// Package cv fulfils vision's interfaces with OpenCV through GoCV: it opens
// cameras, videos and folders, and finds and reads cards. It is the only
// package that uses cgo; built without it, every opener returns ErrNoCV.
package cv

import "errors"

// ErrNoCV says that this build has no OpenCV.
var ErrNoCV = errors.New("this build has no OpenCV: build with cgo on a machine with libopencv-dev")

// SourceOptions say how a camera is opened; zero values leave a thing alone.
type SourceOptions struct {
	Width, Height int
	FPS           float64
	// Controls are set after every open and read back, by the names
	// exposure, auto_exposure, white_balance, auto_white_balance, focus,
	// auto_focus, gain, brightness, power_line.
	Controls map[string]float64
	// Patient sources don't fail when the camera isn't there at first, but
	// say Lost and try on.
	Patient bool
}

// EyeOptions say how cards are read.
type EyeOptions struct {
	// Deck is the folder of a taught deck; "": the built-in reader.
	Deck string
	// Blind eyes find cards but don't read them: for teaching.
	Blind bool
}
