package hw

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/host/v3/gpioioctl"
)

// SeatLamp is the name of a seat's lamp.
func SeatLamp(n int) string { return "seat " + strconv.Itoa(n) }

// Panel is everything soldered to one table: buttons, lamps, a buzzer, a number
// pad. It is safe for several goroutines.
type Panel struct {
	cfg     Config
	plan    Layout
	log     *slog.Logger
	start   time.Time
	presses chan Press
	clicks  chan struct{} // for the buzzer

	mu       sync.Mutex
	table    Table
	shown    chan struct{} // closed by the next Show
	troubles []Trouble
	off      map[string]bool // buttons and lamps whose whole chip is not there
	changed  chan struct{}   // closed when troubles change
}

// Open checks the configuration and prepares the panel; Run works it. The error
// is a mistake in the configuration. Hardware that is missing or busy is no
// error but a Trouble: the night goes on with what is there.
func Open(cfg Config, log *slog.Logger) (*Panel, error) {
	cfg = cfg.Defaults()
	plan, err := cfg.Plan()
	if err != nil {
		return nil, err
	}
	for _, pr := range plan.check(cfg) {
		if pr.Fatal {
			return nil, fmt.Errorf("hw: %s", pr.Says)
		}
	}
	if _, err := cfg.keyPlan(); err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Panel{cfg: cfg, plan: plan, log: log, start: time.Now(), presses: make(chan Press, 64), clicks: make(chan struct{}, 1),
		shown: make(chan struct{}), off: make(map[string]bool), changed: make(chan struct{})}, nil
}

// Run works the panel until the context ends, and then gives every line back
// and leaves the lamps dark. The error is always the context's: trouble with
// hardware is told by Troubles.
func (p *Panel) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	var header []*watched
	x := &expanders{panel: p, chips: map[uint16]*expander{}}
	for _, b := range p.plan.Buttons {
		if r, _ := parseLine(b.Line); r.chip != 0 {
			x.add(r, watch(b, p.cfg))
			continue
		}
		header = append(header, watch(b, p.cfg))
	}
	if len(header) > 0 {
		wg.Go(func() { p.runButtons(ctx, header) })
	}
	var lamps []*lamp
	for _, l := range p.plan.Lamps {
		open := func() (port, error) { return openHeaderLamp(l.Line) }
		if r, _ := parseLine(l.Line); r.chip != 0 {
			chip := x.chip(r.chip)
			chip.outs |= 1 << r.pin
			open = func() (port, error) { return expanderLamp{chip, r.pin}, nil }
		}
		lamps = append(lamps, &lamp{Lamp: l, open: open})
	}
	if len(x.chips) > 0 {
		wg.Go(func() { x.run(ctx) })
	}
	if len(lamps) > 0 {
		wg.Go(func() { p.runLamps(ctx, lamps) })
	}
	if p.cfg.Keypad != "" {
		wg.Go(func() { p.runKeypad(ctx) })
	}
	<-ctx.Done()
	wg.Wait()
	return ctx.Err()
}

// retry is the longest wait before lines that cannot be had are tried again.
const retry = 5 * time.Second

// runButtons watches buttons on the lines of GPIO chips. Those of one chip are
// asked for together, so that the kernel keeps the order of their edges. Those
// that cannot be had (the line busy, the chip not there or gone again) are tried
// until they can.
func (p *Panel) runButtons(ctx context.Context, idle []*watched) {
	var wg sync.WaitGroup
	defer wg.Wait()
	failed := make(chan []*watched)
	start := func(g *chipLines, bs []*watched) {
		wg.Go(func() {
			err := p.watcher(ctx, g, bs).run(ctx)
			g.close()
			if err == nil {
				return
			}
			for _, b := range bs {
				p.fail(b.Name, explain(b.Name, b.Line, nil, err))
				*b = *watch(b.Button, p.cfg) // what it knew of its line is void
			}
			select {
			case failed <- bs:
			case <-ctx.Done():
			}
		})
	}
	pause, again := time.Second, time.After(0)
	for {
		select {
		case bs := <-failed:
			idle, pause = append(idle, bs...), time.Second
			again = time.After(pause)
		case <-again:
			if idle = p.watchThose(idle, start); len(idle) > 0 {
				again = time.After(pause)
				pause = min(2*pause, retry)
			}
		case <-ctx.Done():
			return
		}
	}
}

// watchThose starts with the buttons whose lines can be had, chip by chip, tells
// what is wrong with the others, and returns these.
func (p *Panel) watchThose(bs []*watched, start func(*chipLines, []*watched)) (idle []*watched) {
	type wired struct {
		lines   []*gpioioctl.GPIOLine
		buttons []*watched
	}
	pull := gpio.PullUp
	if p.cfg.ActiveHigh {
		pull = gpio.PullDown
	}
	found := map[*gpioioctl.GPIOChip]wired{}
	for _, b := range bs {
		c, l, err := findLine(b.Line)
		if err == nil {
			// Alone at first, to tell which of a chip's lines is the busy one.
			var g *chipLines
			if g, err = requestInputs(c, []*gpioioctl.GPIOLine{l}, pull); err == nil {
				g.close()
			}
		}
		if err != nil {
			p.fail(b.Name, explain(b.Name, b.Line, l, err))
			idle = append(idle, b)
			continue
		}
		w := found[c]
		found[c] = wired{append(w.lines, l), append(w.buttons, b)}
	}
	for c, w := range found {
		g, err := requestInputs(c, w.lines, pull)
		if err != nil { // since a moment ago
			idle = append(idle, w.buttons...)
			continue
		}
		for _, b := range w.buttons {
			p.clear(b.Name)
		}
		start(g, w.buttons)
	}
	return idle
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

func (p *Panel) now() time.Duration { return time.Since(p.start) }

func (p *Panel) watcher(ctx context.Context, g group, bs []*watched) *watcher {
	return &watcher{group: g, buttons: bs, low: !p.cfg.ActiveHigh, now: p.now, health: p.judge,
		press: func(x Press) bool { return p.send(ctx, x) }, counted: func(*watched) { p.click() }}
}

// click lets the buzzer be heard once, where there is one: a unit was counted.
func (p *Panel) click() {
	select {
	case p.clicks <- struct{}{}:
	default:
	}
}

// send hands a press over. It waits while 64 of them are unread: what is
// pressed is not lost, and the levels tell what happened meanwhile.
func (p *Panel) send(ctx context.Context, x Press) bool {
	p.log.Debug("press", "button", x.Name, "kind", x.Kind.String(), "after", p.now()-x.At)
	select {
	case p.presses <- x:
		return true
	case <-ctx.Done():
		return false
	}
}

// judge tells of a button that got stuck or wild, and of its recovery.
func (p *Panel) judge(b *watched, ch change, _ time.Duration) {
	switch ch {
	case gotStuck:
		p.tell(Trouble{"stuck", b.Name, fmt.Sprintf(
			"The button %s is stuck down (line %s). It is ignored until it comes up.", b.Name, b.Line)})
	case gotWild:
		p.tell(Trouble{"noisy", b.Name, fmt.Sprintf(
			"The button %s will not come to rest (line %s): a loose wire? It is ignored until it is quiet.", b.Name, b.Line)})
	case gotFree, gotCalm:
		p.clear(b.Name)
	}
}

// Next waits for the next press. Presses of one chip come in the order of their
// edges.
func (p *Panel) Next(ctx context.Context) (Press, error) {
	select {
	case x := <-p.presses:
		return x, nil
	case <-ctx.Done():
		return Press{}, ctx.Err()
	}
}

// Show sets every lamp to what the table's state asks for. It returns at once.
func (p *Panel) Show(t Table) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t != p.table {
		p.table = t
		close(p.shown)
		p.shown = make(chan struct{})
	}
}

// Troubles is what is wrong with the panel now, sorted by name, and a channel
// that is closed as soon as that changes.
func (p *Panel) Troubles() ([]Trouble, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.troubles), p.changed
}

// fail notes why a button or lamp does not work. What its whole chip is the
// reason for is one trouble for all of them, until each works again.
func (p *Panel) fail(name string, t Trouble) {
	if t.Name == wholePanel {
		p.mu.Lock()
		p.off[name] = true
		p.mu.Unlock()
	}
	p.tell(t)
}

// tell notes a trouble; there is one for each name.
func (p *Panel) tell(t Trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, found := slices.BinarySearchFunc(p.troubles, t.Name, func(a Trouble, n string) int { return cmp.Compare(a.Name, n) })
	switch {
	case !found:
		p.troubles = slices.Insert(p.troubles, i, t)
	case p.troubles[i] == t, p.troubles[i].Code == "chip_gone":
		// A chip that went is missing now; that it was there says more.
		return
	default:
		p.troubles[i] = t
	}
	p.log.Warn("panel", "code", t.Code, "name", t.Name, "says", t.Says)
	close(p.changed)
	p.changed = make(chan struct{})
}

// clear takes back what was told of a button, a lamp or an expander.
func (p *Panel) clear(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wasOff := p.off[name]
	delete(p.off, name)
	well := func(name string) {
		i := slices.IndexFunc(p.troubles, func(t Trouble) bool { return t.Name == name })
		if i < 0 {
			return
		}
		p.troubles = slices.Delete(p.troubles, i, i+1)
		p.log.Info("panel well again", "name", name)
		close(p.changed)
		p.changed = make(chan struct{})
	}
	well(name)
	if wasOff && len(p.off) == 0 {
		well(wholePanel)
	}
}

// expanders are the MCP23017 chips of a panel.
type expanders struct {
	panel   *Panel
	chips   map[uint16]*expander
	pins    []lineRef
	buttons []*watched
}

func (x *expanders) chip(addr uint16) *expander {
	if x.chips[addr] == nil {
		x.chips[addr] = &expander{addr: addr, last: 0xffff}
	}
	return x.chips[addr]
}

func (x *expanders) add(r lineRef, b *watched) {
	x.chip(r.chip)
	x.pins, x.buttons = append(x.pins, r), append(x.buttons, b)
}

// run opens the bus, trying again for as long as it takes, and watches.
func (x *expanders) run(ctx context.Context) {
	for ctx.Err() == nil {
		bus, err := openBus(x.panel.cfg.Bus)
		if err != nil {
			x.panel.tell(Trouble{"expander", "expanders", "The port expanders are off. " + err.Error() + "."})
			sleep(ctx, 10*time.Second)
			continue
		}
		x.panel.clear("expanders")
		x.watch(ctx, bus)
		_ = bus.Close()
	}
}

func (x *expanders) watch(ctx context.Context, bus i2c.Bus) {
	p := x.panel
	g := &expanderLines{pins: x.pins, now: p.now, stop: make(chan struct{})}
	for _, c := range x.chips {
		c.dev = i2c.Dev{Bus: bus, Addr: c.addr}
		g.chips = append(g.chips, c)
	}
	slices.SortFunc(g.chips, func(a, b *expander) int { return cmp.Compare(a.addr, b.addr) })
	g.trouble = func(c *expander, err error) {
		name := "expander " + c.String()
		if err == nil {
			p.clear(name)
			return
		}
		p.tell(Trouble{"expander", name, silent(c.String())})
	}
	w := p.watcher(ctx, g, x.buttons)
	w.poll = polling
	if p.cfg.Interrupt != "" {
		c, l, err := findLine(p.cfg.Interrupt)
		if err == nil {
			// Open drain: the chips pull it low, we pull it up.
			var in *chipLines
			if in, err = requestInputs(c, []*gpioioctl.GPIOLine{l}, gpio.PullUp); err == nil {
				g.intr, w.poll = in, backstop
				defer g.close()
			}
		}
		if err != nil {
			p.tell(polled(explain(interrupt, p.cfg.Interrupt, l, err)))
		}
	}
	if err := w.run(ctx); err != nil {
		p.tell(polled(explain(interrupt, p.cfg.Interrupt, nil, err)))
		p.cfg.Interrupt = "" // poll from now on
	}
}

// interrupt is the name in a trouble with the expanders' interrupt line.
const interrupt = "interrupt"

// polled is a trouble with the interrupt line, which nobody need mend tonight.
func polled(t Trouble) Trouble {
	return Trouble{t.Code, interrupt, t.Says + " The port expanders are read without it, which is slower by a hundredth of a second."}
}
