package journal

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// InUse refuses a second program that would write to the same journal.
type InUse struct {
	Path string
	PID  int // the other program, 0 when it is not known
}

func (e *InUse) Error() string {
	who := "another lansquenet"
	if e.PID > 0 {
		who = fmt.Sprintf("another lansquenet (process %d)", e.PID)
	}
	return who + " is writing to this data folder; stop it first, or choose another folder with --data"
}

// lock is held by the one program that writes. The operating system lets go of
// it when the program ends, however it ends.
type lock struct{ f *os.File }

func takeLock(path string) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		b := make([]byte, 32)
		n, _ := f.ReadAt(b, 0) // at the worst the process stays unnamed
		f.Close()
		if err != errLocked {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(string(b[:n])))
		return nil, &InUse{Path: path, PID: pid}
	}
	// The number is a courtesy to whoever comes second; the lock holds without.
	if f.Truncate(0) == nil {
		_, _ = fmt.Fprintf(f, "%d\n", os.Getpid())
	}
	return &lock{f}, nil
}

func (l *lock) release() error {
	_ = l.f.Truncate(0)
	return l.f.Close()
}
