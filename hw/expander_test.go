package hw

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"
)

// mcp is an MCP23017 as its data sheet describes it: registers in pairs,
// pull-ups, and an INT output that stays low until GPIO is read.
type mcp struct {
	reg  [0x16]byte
	pins uint16 // what is outside: 1 is open or high
	seen uint16 // the inputs when GPIO was read last
	gone bool
}

func (m *mcp) pair(r byte) uint16 { return uint16(m.reg[r]) | uint16(m.reg[r+1])<<8 }

func (m *mcp) inputs() uint16 {
	dir := m.pair(regIODIR)
	// Without a pull-up an open input floats; it reads low here, as a warning.
	return m.pins&m.pair(regGPPU)&dir | m.pair(regOLAT)&^dir
}

// simBus is an I²C bus with such chips.
type simBus struct {
	mu    sync.Mutex
	chips map[uint16]*mcp
	txs   int
}

func newSimBus(addrs ...uint16) *simBus {
	b := &simBus{chips: map[uint16]*mcp{}}
	for _, a := range addrs {
		b.chips[a] = &mcp{}
		b.chips[a].reset()
	}
	return b
}

// reset is a dip of the supply.
func (m *mcp) reset() {
	m.reg = [0x16]byte{}
	m.reg[regIODIR], m.reg[regIODIR+1] = 0xff, 0xff
	m.pins, m.seen = 0xffff, 0
}

func (b *simBus) String() string                  { return "simulated" }
func (b *simBus) SetSpeed(physic.Frequency) error { return nil }
func (b *simBus) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.txs++
	m := b.chips[addr]
	if m == nil || m.gone {
		return errors.New("remote I/O error")
	}
	at := w[0]
	for _, v := range w[1:] {
		m.reg[at] = v
		at++
	}
	for i := range r {
		switch at {
		case regGPIO:
			r[i], m.seen = byte(m.inputs()), m.inputs()
		case regGPIO + 1:
			r[i], m.seen = byte(m.inputs()>>8), m.inputs()
		default:
			r[i] = m.reg[at]
		}
		at++
	}
	return nil
}

func (b *simBus) set(addr uint16, pin int, pressed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if pressed {
		b.chips[addr].pins &^= 1 << pin
	} else {
		b.chips[addr].pins |= 1 << pin
	}
}

// lamp is the level of an output pin.
func (b *simBus) lamp(addr uint16, pin int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.chips[addr]
	return m.pair(regIODIR)>>pin&1 == 0 && m.pair(regOLAT)>>pin&1 == 1
}

// withExpanders runs a panel of ten seats on two simulated chips.
func withExpanders(t *testing.T, f func(*testing.T, *Panel, *simBus, func() []string)) {
	synctest.Test(t, func(t *testing.T) {
		p, err := Open(Config{Layout: Seats, Seats: 10, Expanders: []string{"0x20", "0x21"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		bus := newSimBus(0x20, 0x21)
		x := &expanders{panel: p, chips: map[uint16]*expander{}}
		for _, b := range p.plan.Buttons {
			r, _ := parseLine(b.Line)
			x.add(r, watch(b, p.cfg))
		}
		var ls []*lamp
		for _, l := range p.plan.Lamps {
			if r, _ := parseLine(l.Line); r.chip != 0 {
				chip := x.chip(r.chip)
				chip.outs |= 1 << r.pin
				ls = append(ls, &lamp{Lamp: l, open: func() (port, error) { return expanderLamp{chip, r.pin}, nil }})
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { x.watch(ctx, bus) })
		wg.Go(func() { p.runLamps(ctx, ls) })
		var mu sync.Mutex
		var got []string
		wg.Go(func() {
			for {
				x, err := p.Next(ctx)
				if err != nil {
					return
				}
				mu.Lock()
				got = append(got, x.Name+" "+x.Kind.String())
				mu.Unlock()
			}
		})
		time.Sleep(100 * ms)
		f(t, p, bus, func() []string {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			g := got
			got = nil
			return g
		})
		cancel()
		wg.Wait()
	})
}

func TestTenSeatsOnExpanders(t *testing.T) {
	withExpanders(t, func(t *testing.T, p *Panel, bus *simBus, got func() []string) {
		press := func(addr uint16, pin int, held time.Duration) {
			bus.set(addr, pin, true)
			time.Sleep(held)
			bus.set(addr, pin, false)
			time.Sleep(100 * ms)
		}
		press(0x20, 0, 80*ms)
		press(0x20, 1, 80*ms)
		press(0x21, 10, 900*ms)
		want(t, got(), "seat 1 cover short", "seat 1 pass short", "seat 10 cover hold")

		// A lamp at each seat, on the right pin, and no input driven.
		for n := 1; n <= 10; n++ {
			p.Show(Table{Seats: 10, Turn: n})
			synctest.Wait()
			for m := 1; m <= 10; m++ {
				r, _ := parseLine(p.cfg.seatLines(m)[2])
				if bus.lamp(r.chip, r.pin) != (m == n) {
					t.Errorf("turn %d: lamp of seat %d is wrong", n, m)
				}
			}
		}
	})
}

func TestExpanderPulledAndBack(t *testing.T) {
	withExpanders(t, func(t *testing.T, p *Panel, bus *simBus, got func() []string) {
		p.Show(Table{Seats: 10, Turn: 1})
		bus.mu.Lock()
		bus.chips[0x20].gone = true
		bus.mu.Unlock()
		time.Sleep(2 * time.Second)
		list, _ := p.Troubles()
		if len(list) != 1 || list[0].Name != "expander 0x20" {
			t.Errorf("troubles: %+v", list)
		}
		// The other one works, and nothing is pressed by the pulled plug.
		bus.set(0x21, 0, true)
		time.Sleep(80 * ms)
		bus.set(0x21, 0, false)
		time.Sleep(time.Second)
		want(t, got(), "seat 6 cover short")
		p.Show(Table{Seats: 10, Turn: 2})
		// It comes back having forgotten everything.
		bus.mu.Lock()
		bus.chips[0x20].gone = false
		bus.chips[0x20].reset()
		bus.mu.Unlock()
		time.Sleep(2 * time.Second)
		if list, _ := p.Troubles(); len(list) > 0 {
			t.Errorf("troubles: %+v", list)
		}
		r, _ := parseLine(p.cfg.seatLines(2)[2])
		if !bus.lamp(r.chip, r.pin) {
			t.Error("the lamp that was due is dark")
		}
		want(t, got())
	})
}

// A dip of the supply makes every pin an input without pull-up. That is found
// within a second, and is no press.
func TestExpanderForgets(t *testing.T) {
	withExpanders(t, func(t *testing.T, p *Panel, bus *simBus, got func() []string) {
		p.Show(Table{Seats: 10, Turn: 3})
		for range 20 {
			time.Sleep(1234 * ms)
			bus.mu.Lock()
			bus.chips[0x20].reset()
			bus.mu.Unlock()
		}
		time.Sleep(2 * time.Second)
		r, _ := parseLine(p.cfg.seatLines(3)[2])
		if !bus.lamp(r.chip, r.pin) {
			t.Error("the lamp is dark after a dip")
		}
		bus.set(0x20, 4, true)
		time.Sleep(80 * ms)
		bus.set(0x20, 4, false)
		time.Sleep(time.Second)
		if g := got(); len(g) == 0 || g[len(g)-1] != "seat 3 cover short" || len(g) > 1 {
			t.Errorf("got %q", g)
		}
	})
}

func TestIdleBus(t *testing.T) {
	withExpanders(t, func(t *testing.T, _ *Panel, bus *simBus, _ func() []string) {
		count := func() int {
			bus.mu.Lock()
			defer bus.mu.Unlock()
			return bus.txs
		}
		n := count()
		time.Sleep(time.Minute)
		if per := (count() - n) / 60; per > 2*(1000/15+2) {
			t.Errorf("%d transfers a second while nobody presses", per)
		}
	})
}
