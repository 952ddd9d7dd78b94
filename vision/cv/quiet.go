//go:build cgo

package cv

// void lansquenet_quiet(void);
import "C"

// OpenCV and FFmpeg write what they think of a broken file to standard error,
// in many lines of their own. Everything that goes wrong is an error here, and
// said once.
func init() { C.lansquenet_quiet() }
