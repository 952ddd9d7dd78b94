package hw

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/host/v3/gpioioctl"
)

// chips are the GPIO chips that were found when it was last looked for them. Only
// the character device (gpioioctl) and I²C (sysfs, by expander.go) are linked in:
// with periph's whole host package the driver of the Pi's registers would come
// along, which maps /dev/mem as root where /dev/gpiomem is missing and dies there
// of a bus error, and panics on a chip with fewer lines than a real Pi's.
var chips struct {
	sync.Mutex
	nodes string // what was in /dev then
	gone  []*gpioioctl.GPIOChip
}

// drivers loads periph's drivers, once.
var drivers = sync.OnceValues(func() (state *driverreg.State, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("hw: a GPIO driver of this machine is broken: %v", r)
		}
	}()
	chips.nodes = chipNodes()
	return driverreg.Init()
})

// chipNodes tells a chip that came, went or may be opened now from what was before.
func chipNodes() string {
	var b strings.Builder
	names, _ := filepath.Glob("/dev/gpiochip*") // the pattern is right
	for _, n := range names {
		if fi, err := os.Stat(n); err == nil {
			fmt.Fprintln(&b, n, fi.Mode(), fi.ModTime())
		}
	}
	return b.String()
}

// lookForChips makes gpioioctl.Chips what is there now; the caller holds the lock.
// periph looks only once, so that a chip which is plugged in later, or again,
// would not be found before the next start.
func lookForChips() error {
	state, err := drivers()
	if err != nil {
		return err
	}
	now := chipNodes()
	if now == chips.nodes {
		return nil
	}
	chips.nodes = now
	// Kept and never closed: their lines may be in use, and closing one closes
	// descriptor 0 and another number twice.
	chips.gone = append(chips.gone, gpioioctl.Chips...)
	gpioioctl.Chips = nil
	driver := func(d fmt.Stringer) bool { return d.String() == "ioctl-gpio" }
	for _, d := range state.Loaded {
		if driver(d) {
			_, err = d.Init()
		}
	}
	for _, f := range slices.Concat(state.Skipped, state.Failed) {
		if driver(f.D) {
			_, err = f.D.Init()
		}
	}
	if len(gpioioctl.Chips) == 0 {
		return nil // whoever looks for a line says so in better words
	}
	return err
}

// lineError is why a line cannot be had.
type lineError struct{ Trouble }

func (e *lineError) Error() string { return e.Says }

// findLine finds a line by name on any chip, whatever number the chip has. On a
// Pi's own header GPIO17 is also found where the kernel names its lines
// otherwise (older kernels say TXD1 for GPIO14).
func findLine(name string) (*gpioioctl.GPIOChip, *gpioioctl.GPIOLine, error) {
	chips.Lock()
	defer chips.Unlock()
	if err := lookForChips(); err != nil {
		return nil, nil, err
	}
	if len(gpioioctl.Chips) == 0 {
		return nil, nil, noChip()
	}
	for _, c := range gpioioctl.Chips {
		for _, l := range c.Lines() {
			// periph puts the chip's name before a line that sysfs knows too.
			if l.Name() == name || l.Name() == c.Name()+"-"+name {
				return c, l, nil
			}
		}
	}
	if r, err := parseLine(name); err == nil && r.gpio >= 0 {
		for _, c := range gpioioctl.Chips {
			pi := strings.HasPrefix(c.Label(), "pinctrl-bcm2") || c.Label() == "pinctrl-rp1"
			if !pi || r.gpio >= c.LineCount() {
				continue
			}
			if l := c.Lines()[r.gpio]; l.Name() != "" && !strings.HasPrefix(l.Name(), "GPIO") {
				return c, l, nil
			}
		}
	}
	return nil, nil, &lineError{Trouble{"line_missing", name, fmt.Sprintf(
		"There is no line %s on this machine (%s). Is this the right board, and is the line written as `gpioinfo` shows it?",
		name, chipNames())}}
}

func chipNames() string {
	var s []string
	for _, c := range gpioioctl.Chips {
		s = append(s, fmt.Sprintf("%s “%s” with %d lines", c.Name(), c.Label(), c.LineCount()))
	}
	return strings.Join(s, ", ")
}

// wholePanel is the name in a trouble that all buttons and lamps share.
const wholePanel = "panel"

// noChip explains why not one GPIO chip could be opened.
func noChip() error {
	nodes, _ := filepath.Glob("/dev/gpiochip*")
	for _, n := range nodes {
		f, err := os.Open(n)
		if errors.Is(err, fs.ErrPermission) {
			return &lineError{Trouble{"no_permission", wholePanel,
				"This user may not open " + n + ": add it to the group gpio (sudo usermod -aG gpio USER) and log in again."}}
		} else if err == nil {
			_ = f.Close()
		}
	}
	return &lineError{Trouble{"no_chip", wholePanel,
		"This machine has no GPIO chip: the buttons and lamps are off. The host page and a USB number pad do the same."}}
}

// group is a set of input lines that are read in one go.
type group interface {
	// wait returns after an edge on one of the lines or when d, which is more
	// than nought, has passed. The line is -1 when it is not known which.
	wait(d time.Duration) (line int, rising bool, err error)
	read() (uint64, error) // bit i is set while line i is high
	halt()                 // makes a wait that goes on return
	close()
}

// chipLines are input lines of one GPIO chip, requested together, so that the
// kernel keeps the order of edges between them.
type chipLines struct {
	set   *gpioioctl.LineSet
	index map[int]int // number on the chip → place in the group
}

// requestInputs asks the kernel for lines of one chip as inputs with edges.
func requestInputs(c *gpioioctl.GPIOChip, lines []*gpioioctl.GPIOLine, pull gpio.Pull) (*chipLines, error) {
	g := &chipLines{index: map[int]int{}}
	var ns []string
	for i, l := range lines {
		ns = append(ns, l.Name())
		g.index[l.Number()] = i
	}
	var err error
	g.set, err = c.LineSet(gpioioctl.LineInput, gpio.BothEdges, pull, ns...)
	return g, err
}

func (g *chipLines) wait(d time.Duration) (int, bool, error) {
	// Nought would wait for ever and less than nought not at all, so that a
	// caller in a loop would spin.
	n, e, err := g.set.WaitForEdge(max(d, time.Millisecond))
	switch {
	case err == nil:
		return g.index[n], e == gpio.RisingEdge, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return -1, false, nil
	}
	return -1, false, err
}

func (g *chipLines) read() (uint64, error) {
	v, err := g.set.Read(0)
	return uint64(v), err
}

// halt does nothing: no wait is longer than the backstop, and periph's own Halt
// races with the wait that it should end.
func (g *chipLines) halt()  {}
func (g *chipLines) close() { _ = g.set.Close() }

// is tells the kernel's error by its text too, because periph's ioctl calls
// keep nothing else of it.
func is(err error, no syscall.Errno) bool {
	return err != nil && (errors.Is(err, no) || strings.HasSuffix(err.Error(), no.Error()))
}

// explain turns the kernel's answer to a request into a sentence.
func explain(what, line string, l *gpioioctl.GPIOLine, err error) Trouble {
	switch {
	case is(err, syscall.EBUSY):
		by := "another program or driver"
		if l != nil && l.Consumer() != "" {
			by = l.Consumer()
		}
		return Trouble{"line_busy", what, fmt.Sprintf(
			"%s: line %s is held by %s. Stop that, or give %s another line; it is tried again by itself.", what, line, by, what)}
	case is(err, syscall.ENODEV), errors.Is(err, io.EOF), errors.Is(err, fs.ErrClosed):
		return Trouble{"chip_gone", wholePanel,
			"The GPIO chip has gone, and the buttons and lamps on it are off until it is back. Check the cable of its adapter."}
	case is(err, syscall.EACCES), is(err, syscall.EPERM):
		return Trouble{"no_permission", what, fmt.Sprintf("%s: this user may not use line %s: add it to the group gpio.", what, line)}
	}
	var le *lineError
	if errors.As(err, &le) {
		t := le.Trouble
		if t.Code == "line_missing" {
			t.Name, t.Says = what, what+": "+t.Says
		}
		return t
	}
	return Trouble{"line_failed", what, fmt.Sprintf("%s: line %s does not work: %v.", what, line, err)}
}
