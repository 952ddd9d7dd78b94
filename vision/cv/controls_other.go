//go:build cgo && !linux

package cv

import "errors"

// setControls works on Linux only.
func setControls(string, map[string]float64) ([]string, error) {
	return nil, errors.New("camera controls are set on Linux only")
}

// readControls reads nothing: the calls are the Linux kernel's.
func readControls(string) []Setting { return nil }
