package hw

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestLamps(t *testing.T) {
	for _, c := range []struct {
		table Table
		lit   []string
		blink []string
	}{
		{Table{Seats: 3}, []string{NoCard}, nil},
		{Table{Seats: 3, Turn: 2}, []string{NoCard, "seat 2"}, nil},
		{Table{Seats: 3, CardDue: true}, nil, nil},
		{Table{Seats: 3, Turn: 1, Won: "bank"}, []string{BankWon, NoCard, "seat 1"}, nil},
		{Table{Seats: 3, Turn: 1, Won: "punters"}, []string{NoCard, PuntersWon, "seat 1"}, nil},
		{Table{Seats: 3, Ask: true}, []string{NoCard}, []string{AskHost}},
		{Table{Seats: 3, Turn: 7}, []string{NoCard}, nil},
		{Table{Seats: 3, Turn: 1, Ask: true, Won: "bank", Closed: true}, nil, nil},
	} {
		var lit, blink []string
		for name, l := range c.table.Lamps() {
			switch l {
			case Lit:
				lit = append(lit, name)
			case Blinking:
				blink = append(blink, name)
			}
		}
		slices.Sort(lit)
		if !slices.Equal(lit, c.lit) || !slices.Equal(blink, c.blink) {
			t.Errorf("%+v: lit %q blinking %q, want %q %q", c.table, lit, blink, c.lit, c.blink)
		}
	}
}

// board is lamps in memory.
type board struct {
	mu     sync.Mutex
	on     map[string]bool
	writes int
	broken bool
	gone   bool // its chip is unplugged
}

type boardPort struct {
	*board
	name string
}

func (b boardPort) light(on bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken {
		return errors.New("input/output error")
	}
	if b.gone {
		return syscall.ENODEV
	}
	b.on[b.name] = on
	b.writes++
	return nil
}

func (b boardPort) check() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone {
		return syscall.ENODEV
	}
	return nil
}

func (b boardPort) close() {}

func (b *board) lit() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var s []string
	for _, n := range slices.Sorted(maps.Keys(b.on)) {
		if b.on[n] {
			s = append(s, n)
		}
	}
	return s
}

func (b *board) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.writes
}

func withLamps(t *testing.T, f func(*testing.T, *Panel, *board)) {
	synctest.Test(t, func(t *testing.T) {
		p, err := Open(Config{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := &board{on: map[string]bool{}}
		var ls []*lamp
		for _, n := range []string{"seat 1", "seat 2", NoCard, BankWon, PuntersWon, AskHost, Buzzer} {
			ls = append(ls, &lamp{Lamp: Lamp{n, n}, open: func() (port, error) { return boardPort{b, n}, nil }})
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { p.runLamps(ctx, ls); close(done) }()
		f(t, p, b)
		cancel()
		<-done
		if lit := b.lit(); !b.broken && len(lit) > 0 {
			t.Errorf("%q still burn after the end", lit)
		}
	})
}

func TestLampsFollowTheTable(t *testing.T) {
	withLamps(t, func(t *testing.T, p *Panel, b *board) {
		p.Show(Table{Seats: 2, Turn: 1})
		synctest.Wait()
		want(t, b.lit(), NoCard, "seat 1")
		p.Show(Table{Seats: 2, Turn: 2, Won: "bank"})
		synctest.Wait()
		want(t, b.lit(), BankWon, Buzzer, NoCard, "seat 2")
		time.Sleep(time.Second)
		want(t, b.lit(), BankWon, NoCard, "seat 2")
		// Nothing changes: nothing is written.
		n := b.count()
		time.Sleep(time.Hour)
		if b.count() != n {
			t.Errorf("%d writes in an hour without change", b.count()-n)
		}
	})
}

func TestAskBlinks(t *testing.T) {
	withLamps(t, func(t *testing.T, p *Panel, b *board) {
		p.Show(Table{Seats: 2, Ask: true, CardDue: true})
		on := 0
		for range 100 {
			time.Sleep(100 * time.Millisecond)
			if slices.Contains(b.lit(), AskHost) {
				on++
			}
		}
		if on < 45 || on > 55 {
			t.Errorf("lit in %d of 100 looks", on)
		}
		p.Show(Table{Seats: 2, CardDue: true})
		synctest.Wait()
		want(t, b.lit())
	})
}

func TestCountedUnitsAreHeard(t *testing.T) {
	withLamps(t, func(t *testing.T, p *Panel, b *board) {
		p.Show(Table{Seats: 2, CardDue: true})
		time.Sleep(time.Second)
		p.click()
		time.Sleep(click / 2)
		want(t, b.lit(), Buzzer)
		time.Sleep(click)
		want(t, b.lit())
	})
}

func TestBrokenLampIsToldAndTriedAgain(t *testing.T) {
	withLamps(t, func(t *testing.T, p *Panel, b *board) {
		p.Show(Table{Seats: 2, Turn: 1})
		synctest.Wait()
		b.mu.Lock()
		b.broken = true
		b.mu.Unlock()
		p.Show(Table{Seats: 2, Turn: 2})
		synctest.Wait()
		list, _ := p.Troubles()
		if len(list) != 3 || list[0].Name != Buzzer || list[1].Name != "lamp seat 1" || list[2].Name != "lamp seat 2" {
			t.Errorf("troubles: %+v", list)
		}
		b.mu.Lock()
		b.broken = false
		b.mu.Unlock()
		time.Sleep(2 * retry)
		want(t, b.lit(), NoCard, "seat 2")
	})
}

// A chip that is unplugged while nothing happens at the table, and plugged in
// again dark: its lamps are one trouble, and burn again as they should.
func TestLampsComeBackWithTheirChip(t *testing.T) {
	withLamps(t, func(t *testing.T, p *Panel, b *board) {
		p.Show(Table{Seats: 2, Turn: 1})
		synctest.Wait()
		b.mu.Lock()
		b.gone = true
		b.mu.Unlock()
		time.Sleep(2 * retry)
		if list, _ := p.Troubles(); len(list) != 1 || list[0].Code != "chip_gone" || list[0].Name != wholePanel {
			t.Errorf("troubles: %+v", list)
		}
		b.mu.Lock()
		b.gone = false
		clear(b.on)
		b.mu.Unlock()
		time.Sleep(2 * retry)
		want(t, b.lit(), NoCard, "seat 1")
		if list, _ := p.Troubles(); len(list) > 0 {
			t.Errorf("troubles: %+v", list)
		}
	})
}
