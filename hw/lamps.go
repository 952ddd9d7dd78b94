package hw

import (
	"context"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/host/v3/gpioioctl"
)

// blink is half the period of a blinking lamp.
const blink = 500 * time.Millisecond

// click is how long the buzzer sounds for a unit counted or a turn passed on.
const click = 40 * time.Millisecond

// port lights one lamp.
type port interface {
	light(on bool) error
	check() error // is its line still there?
	close()
}

// lamp is a lamp of the layout and what it shows now.
type lamp struct {
	Lamp
	open func() (port, error)
	port port
	on   bool
	due  time.Time // of the next try, or of the next look whether its line is there
}

// runLamps shows the table's state on the lamps until the context ends, and
// leaves them dark.
func (p *Panel) runLamps(ctx context.Context, lamps []*lamp) {
	defer func() {
		for _, l := range lamps {
			if l.port != nil {
				_ = l.port.light(false)
				l.port.close()
			}
		}
	}()
	var (
		before  Table
		tune    []time.Duration // what is left of the buzzer's tune: on, off, on, …
		buzz    bool
		tuneDue time.Time
		started = time.Now()
	)
	for {
		p.mu.Lock()
		table, wake := p.table, p.shown
		p.mu.Unlock()
		now := time.Now()
		if t := table.tune(before); t != nil {
			tune, buzz, tuneDue = t, false, now
		}
		before = table
		for len(tune) > 0 && !now.Before(tuneDue) {
			buzz, tuneDue, tune = !buzz, tuneDue.Add(tune[0]), tune[1:]
		}
		if len(tune) == 0 && !now.Before(tuneDue) {
			buzz = false
		}
		lights := table.Lamps()
		phase := now.Sub(started)/blink%2 == 0
		next := time.Hour
		for _, l := range lamps {
			on := lights[l.Name] == Lit || lights[l.Name] == Blinking && phase
			if l.Name == Buzzer {
				on = buzz
			}
			p.show(l, on, now)
			next = min(next, l.due.Sub(now))
			if lights[l.Name] == Blinking {
				next = min(next, blink-now.Sub(started)%blink)
			}
		}
		if buzz || len(tune) > 0 {
			next = min(next, tuneDue.Sub(now))
		}
		t := time.NewTimer(max(next, time.Millisecond))
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-wake:
			t.Stop()
		case <-p.clicks:
			t.Stop()
			if len(tune) == 0 {
				tune, buzz, tuneDue = []time.Duration{click}, false, time.Now()
			}
		case <-t.C:
		}
	}
}

// show brings one lamp to the wanted state, when it can. A lamp whose chip was
// away and is back has forgotten what it showed, and nothing else may change for
// an hour, so that its line is looked at now and then.
func (p *Panel) show(l *lamp, on bool, now time.Time) {
	due := !now.Before(l.due)
	if due {
		l.due = now.Add(retry)
	}
	var err error
	switch {
	case l.port == nil && !due:
		return
	case l.port == nil:
		if l.port, err = l.open(); err == nil {
			err = l.port.light(on)
		}
	case l.on != on:
		err = l.port.light(on)
	case due:
		err = l.port.check()
	default:
		return
	}
	if err == nil {
		l.on = on
		p.clear(l.title())
		return
	}
	if l.port != nil {
		l.port.close()
	}
	l.port, l.due = nil, now.Add(retry)
	p.fail(l.title(), explain(l.title(), l.Line, nil, err))
}

// tune is what the buzzer plays when the table goes from one state to another:
// lengths of sound and silence in turn, nil for nothing. A buzzer is told of
// changes, so a restart is silent but for a question that is still open.
func (t Table) tune(before Table) []time.Duration {
	const ms = time.Millisecond
	switch {
	case t.Closed:
		return nil
	case t.Ask && !before.Ask:
		return []time.Duration{120 * ms, 120 * ms, 120 * ms, 120 * ms, 120 * ms}
	case t.Won != "" && t.Won != before.Won:
		return []time.Duration{400 * ms}
	case t.Turn != before.Turn && t.Turn > 0 && before.Turn > 0:
		return []time.Duration{click}
	}
	return nil
}

// headerLamp is a lamp on a line of a GPIO chip.
type headerLamp struct{ set *gpioioctl.LineSet }

func openHeaderLamp(name string) (port, error) {
	c, l, err := findLine(name)
	if err != nil {
		return nil, err
	}
	set, err := c.LineSet(gpioioctl.LineOutput, gpio.NoEdge, gpio.PullNoChange, l.Name())
	if err != nil {
		return nil, err
	}
	return headerLamp{set}, nil
}

func (h headerLamp) light(on bool) error {
	var v gpio.GPIOValue
	if on {
		v = 1
	}
	return h.set.Out(v, 1)
}

func (h headerLamp) check() error { _, err := h.set.Read(1); return err }

func (h headerLamp) close() { _ = h.set.Close() }

// expanderLamp is a lamp on a line of an expander.
type expanderLamp struct {
	x   *expander
	pin int
}

func (e expanderLamp) light(on bool) error { e.x.light(e.pin, on); return nil }
func (e expanderLamp) check() error        { return nil } // those who read it look after it
func (e expanderLamp) close()              {}
