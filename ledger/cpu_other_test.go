//go:build !unix

package ledger_test

import "time"

var began = time.Now()

func cpuTime() time.Duration { return time.Since(began) }
