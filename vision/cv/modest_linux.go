//go:build cgo

package cv

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// forgetStart gives the kernel back the pages of the program's code. OpenCV brings
// some 260 libraries, most of which do nothing after their start, yet stay
// resident. What is still needed is mapped again from the page cache when it runs.
// Should it fail, only memory is lost.
func forgetStart() {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		var from, to uintptr
		var may, skip, file string
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s %s %s %s %s", &from, &to, &may, &skip, &skip, &skip, &file); n < 7 {
			continue // not a file's
		}
		// Code is never written to, so nothing is lost.
		if may == "r-xp" && file[0] == '/' {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}
