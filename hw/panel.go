package hw

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"
)

// SeatLamp is the name of a seat's lamp.
func SeatLamp(n int) string { return "seat " + strconv.Itoa(n) }

// Panel is everything soldered to one table: buttons, lamps, a buzzer, a number
// pad. It is safe for several goroutines.
type Panel struct {
	cfg     Config
	log     *slog.Logger
	start   time.Time
	presses chan Press

	mu       sync.Mutex
	table    Table
	troubles []Trouble
	changed  chan struct{}
}

// Open checks the configuration and prepares the panel; Run works it. The error
// is a mistake in the configuration. Hardware that is missing or busy is no
// error but a Trouble: the night goes on with what is there.
func Open(cfg Config, log *slog.Logger) (*Panel, error) {
	cfg = cfg.Defaults()
	if !slices.Contains([]string{None, Console, Seats}, cfg.Layout) {
		return nil, fmt.Errorf("hw: layout %q: it is none, console or seats", cfg.Layout)
	}
	return &Panel{cfg: cfg, log: log, start: time.Now(), presses: make(chan Press, 64), changed: make(chan struct{})}, nil
}

// Run works the panel until the context ends, and then gives every line back.
// The error is always the context's: trouble with hardware is told by Troubles.
func (p *Panel) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// Next waits for the next press. Presses come in the order of their edges.
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
	p.table = t
	p.mu.Unlock()
}

// Troubles is what is wrong with the panel now, and a channel that is closed as
// soon as that changes.
func (p *Panel) Troubles() ([]Trouble, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.troubles), p.changed
}
