//go:build unix

package ledger_test

import (
	"syscall"
	"time"
)

// cpuTime is how long this program has kept a processor busy.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
