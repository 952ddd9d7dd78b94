package hw

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	_ "periph.io/x/host/v3/sysfs" // the kernel's I²C buses
)

// Registers of the MCP23017 with IOCON.BANK = 0, where the A and B halves
// alternate (Microchip DS20001952, table 3-5).
const (
	regIODIR   = 0x00 // 1: input
	regGPINTEN = 0x04 // 1: a change pulls INT
	regINTCON  = 0x08 // 0: a change against the level before
	regIOCON   = 0x0a
	regGPPU    = 0x0c // 1: pull-up of 100 kΩ
	regGPIO    = 0x12 // levels; reading lets INT go
	regOLAT    = 0x14 // output latches

	// One INT for both halves, open drain, so that all expanders share a line.
	ioconMirrorOpenDrain = 0x44
)

// expander is one MCP23017: sixteen lines, of which lamps are outputs and all
// others inputs with pull-up. It is safe for several goroutines.
type expander struct {
	addr uint16
	mu   sync.Mutex
	dev  i2c.Dev
	outs uint16 // which lines are outputs
	lit  uint16 // which of them are high
	last uint16 // the levels read last
	up   bool   // set up and answering
}

func (x *expander) String() string { return fmt.Sprintf("0x%02x", x.addr) }

func (x *expander) write(reg byte, v uint16) error {
	return x.dev.Tx([]byte{reg, byte(v), byte(v >> 8)}, nil)
}

// setup writes every register that matters, lamps first, so that none flashes.
func (x *expander) setup() error {
	ins := ^x.outs
	if err := x.dev.Tx([]byte{regIOCON, ioconMirrorOpenDrain}, nil); err != nil {
		return err
	}
	for _, r := range []struct {
		reg byte
		v   uint16
	}{{regOLAT, x.lit}, {regGPPU, ins}, {regIODIR, ins}, {regINTCON, 0}, {regGPINTEN, ins}} {
		if err := x.write(r.reg, r.v); err != nil {
			return err
		}
	}
	return nil
}

// errForgot is a chip that answers but has lost its registers in a dip of its
// supply. Its open inputs float then, so that its levels mean nothing.
var errForgot = errors.New("the expander was reset")

// levels reads all lines, and in the same transfer the pull-ups, which tell
// whether the chip is still set up. A chip that is not keeps its last levels, so
// that a pulled plug is neither a press nor a release.
func (x *expander) levels() (uint16, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.up {
		return x.last, nil
	}
	var b [regGPIO + 2 - regGPPU]byte
	err := x.dev.Tx([]byte{regGPPU}, b[:])
	if err == nil && word(b[:]) != ^x.outs {
		err = errForgot
	}
	if err != nil {
		x.up = false
		return x.last, err
	}
	x.last = word(b[regGPIO-regGPPU:])
	return x.last, nil
}

// word is a pair of registers, A low and B high.
func word(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }

// check sets a chip up that is new, that answers again, or that has forgotten
// everything in a dip of its supply.
func (x *expander) check() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.up {
		var b [2]byte
		if err := x.dev.Tx([]byte{regIODIR}, b[:]); err != nil {
			x.up = false
			return err
		}
		if word(b[:]) == ^x.outs {
			return nil
		}
	}
	if err := x.setup(); err != nil {
		return err
	}
	x.up = true
	return nil
}

// light sets a lamp. While the chip does not answer it is only noted, and shown
// by the next setup; that the chip does not answer is told by those who read it.
func (x *expander) light(pin int, on bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if on {
		x.lit |= 1 << pin
	} else {
		x.lit &^= 1 << pin
	}
	if x.up && x.write(regOLAT, x.lit) != nil {
		x.up = false
	}
}

// checkEvery is how often expanders are asked whether they still know what they
// are for.
const checkEvery = time.Second

// polling is how often expanders without an interrupt line are read: with the
// time a press must last, still within 20 ms of the finger.
const polling = 15 * time.Millisecond

// expanderLines are the input lines of all expanders as one group.
type expanderLines struct {
	chips   []*expander
	pins    []lineRef
	intr    group // the line their INT outputs pull low, nil to poll
	now     func() time.Duration
	trouble func(x *expander, err error) // nil: well again

	stop    chan struct{}
	once    sync.Once
	checked time.Duration
	started bool
}

func (g *expanderLines) wait(d time.Duration) (int, bool, error) {
	if g.intr != nil {
		_, _, err := g.intr.wait(d)
		return -1, false, err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-g.stop:
	}
	return -1, false, nil
}

// read never fails: an expander that does not answer is told as trouble, and
// the others go on.
func (g *expanderLines) read() (bits uint64, _ error) {
	if now := g.now(); !g.started || now-g.checked >= checkEvery {
		g.started, g.checked = true, now
		for _, x := range g.chips {
			g.trouble(x, x.check())
		}
	}
	levels := make(map[uint16]uint16, len(g.chips))
	for _, x := range g.chips {
		v, err := x.levels()
		if errors.Is(err, errForgot) {
			err = x.check()
		}
		if err != nil {
			g.trouble(x, err)
		}
		levels[x.addr] = v
	}
	for i, p := range g.pins {
		bits |= uint64(levels[p.chip]>>p.pin&1) << i
	}
	return bits, nil
}

func (g *expanderLines) halt() {
	g.once.Do(func() { close(g.stop) })
	if g.intr != nil {
		g.intr.halt()
	}
}

func (g *expanderLines) close() {
	if g.intr != nil {
		g.intr.close()
	}
}

// openBus opens the I²C bus of the header, which is number 1 on every Pi.
func openBus(name string) (i2c.BusCloser, error) {
	if _, err := drivers(); err != nil {
		return nil, err
	}
	if name == "" && slices.ContainsFunc(i2creg.All(), func(r *i2creg.Ref) bool { return r.Number == 1 }) {
		name = "1"
	}
	b, err := i2creg.Open(name)
	if err != nil {
		return nil, fmt.Errorf("I²C is off or this user may not use it: switch it on in raspi-config, and add the user to the group i2c (%w)", err)
	}
	return b, nil
}
