//go:build cgo && !linux

package cv

import "errors"

// setControls works on Linux only.
func setControls(string, map[string]float64) ([]string, error) {
	return nil, errors.New("camera controls are set on Linux only")
}
