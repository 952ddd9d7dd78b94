package hw

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

// lines is a group of lines in memory that behaves as the kernel's do: it keeps
// sixteen edges for each line and drops what comes after.
type lines struct {
	mu     sync.Mutex
	high   uint64
	gone   error
	edges  chan [2]int
	halted chan struct{}
	sent   int
	lost   int
	deaf   atomic.Bool // edges are lost
}

func newLines(n int) *lines {
	return &lines{high: ^uint64(0), edges: make(chan [2]int, 16*n), halted: make(chan struct{})}
}

func (l *lines) set(i int, pressed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	was, rising := l.high, 0
	if pressed {
		l.high &^= 1 << i
	} else {
		l.high |= 1 << i
		rising = 1
	}
	if l.high == was || l.deaf.Load() {
		return
	}
	l.sent++
	select {
	case l.edges <- [2]int{i, rising}:
	default:
		l.lost++
	}
}

func (l *lines) wait(d time.Duration) (int, bool, error) {
	if d <= 0 {
		panic("a wait of nought or less never ends, or spins")
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case e := <-l.edges:
		return e[0], e[1] == 1, l.failure()
	case <-t.C:
	case <-l.halted:
	}
	return -1, false, l.failure()
}

func (l *lines) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gone
}

func (l *lines) read() (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.high, l.gone
}

func (l *lines) halt()  { close(l.halted) }
func (l *lines) close() {}

// bench watches some buttons on lines in memory, on synctest's clock.
type bench struct {
	*lines
	got    []string
	pressd []Press
	looks  atomic.Int64
	mu     sync.Mutex
}

var benchButtons = []Button{
	{Name: "plain"},
	{Name: "counts", means: meaning{counts: true}},
	{Name: "hold", means: meaning{hold: true}},
	{Name: "long", means: meaning{long: true}},
	{Name: "other"},
}

func onBench(t *testing.T, f func(*bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{lines: newLines(len(benchButtons))}
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		w := &watcher{group: countingGroup{b}, low: true, now: func() time.Duration { return time.Since(start) },
			press: func(p Press) bool {
				b.mu.Lock()
				defer b.mu.Unlock()
				says := p.Name + " " + p.Kind.String()
				if p.Times > 1 {
					says += fmt.Sprintf(" ×%d", p.Times)
				}
				b.got = append(b.got, says)
				b.pressd = append(b.pressd, p)
				return true
			},
			counted: func(x *watched) {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.got = append(b.got, x.Name+" click")
			},
			health: func(x *watched, c change, _ time.Duration) {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.got = append(b.got, x.Name+" "+[...]string{gotStuck: "STUCK", gotFree: "FREE", gotWild: "WILD", gotCalm: "CALM"}[c])
			}}
		for _, x := range benchButtons {
			w.buttons = append(w.buttons, watch(x, Config{}.Defaults()))
		}
		done := make(chan error, 1)
		go func() { done <- w.run(ctx) }()
		time.Sleep(200 * ms)
		f(b)
		cancel()
		if err := <-done; err != nil && !errors.Is(err, b.failure()) {
			t.Errorf("run: %v", err)
		}
	})
}

type countingGroup struct{ *bench }

func (c countingGroup) read() (uint64, error) { c.looks.Add(1); return c.bench.read() }

// hold presses a line for a while, with bounce at both ends.
func (b *bench) press(i int, held, bounce time.Duration, r *rand.Rand) {
	b.bounce(i, true, bounce, r)
	time.Sleep(held - bounce)
	b.bounce(i, false, bounce, r)
}

// bounce brings a line to a level over d, going to and fro on the way.
func (b *bench) bounce(i int, to bool, d time.Duration, r *rand.Rand) {
	end := time.Now().Add(d)
	for at := to; time.Now().Before(end); at = !at {
		b.set(i, at)
		time.Sleep(min(time.Until(end), time.Duration(r.Int64N(int64(4*ms)))+20*time.Microsecond))
	}
	b.set(i, to)
}

func (b *bench) take() []string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	g := b.got
	b.got, b.pressd = nil, nil
	return g
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func dice(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func TestBouncingPressIsOne(t *testing.T) {
	onBench(t, func(b *bench) {
		r := dice(t)
		for n := range 2000 {
			b.press(n%3, 120*ms, 30*ms, r) // 30 ms at both ends
			time.Sleep(150 * ms)
			want(t, b.take(), benchButtons[n%3].Name+" short")
			if t.Failed() {
				t.Fatalf("press %d", n)
			}
		}
	})
}

func TestHoursOfBouncing(t *testing.T) {
	onBench(t, func(b *bench) {
		r := dice(t)
		start, presses := time.Now(), 0
		for time.Since(start) < 6*time.Hour {
			i := r.IntN(3)
			b.press(i, 70*ms+time.Duration(r.IntN(300))*ms, time.Duration(r.IntN(30))*ms, r)
			time.Sleep(time.Duration(60+r.IntN(20_000)) * ms)
			want(t, b.take(), benchButtons[i].Name+" short")
			presses++
			if t.Failed() {
				t.FailNow()
			}
		}
		t.Logf("%d presses, %d edges in %v", presses, b.sent, time.Since(start))
	})
}

func TestHolds(t *testing.T) {
	r := dice(t)
	onBench(t, func(b *bench) {
		b.press(0, 5*time.Second, 30*ms, r)
		time.Sleep(time.Second)
		want(t, b.take(), "plain short")

		b.press(2, 3*time.Second, 30*ms, r)
		time.Sleep(time.Second)
		want(t, b.take(), "hold hold")

		b.press(1, 1200*ms, 10*ms, r) // units at 0, 600, 850, 1100
		time.Sleep(time.Second)
		want(t, b.take(), "counts click", "counts click", "counts click", "counts short ×4")
	})
	onBench(t, func(b *bench) {
		for _, d := range []time.Duration{300 * ms, time.Second, 3 * time.Second} {
			b.press(3, d, 20*ms, r)
			time.Sleep(100 * ms)
		}
		want(t, b.take(), "long short", "long hold", "long long hold")
	})
}

// A contact that lets go for a moment in a long press does not end it.
func TestHoldWithDropouts(t *testing.T) {
	onBench(t, func(b *bench) {
		b.set(2, true)
		for range 10 {
			time.Sleep(50 * ms)
			b.set(2, false)
			time.Sleep(5 * ms)
			b.set(2, true)
		}
		time.Sleep(time.Second)
		b.set(2, false)
		time.Sleep(time.Second)
		want(t, b.take(), "hold hold")
	})
}

func TestLostReleaseDoesNotKillTheNextPress(t *testing.T) {
	onBench(t, func(b *bench) {
		// The release's edge never comes; the level is found by the backstop.
		b.set(0, true)
		time.Sleep(2 * time.Second)
		b.deaf.Store(true)
		b.set(0, false)
		b.deaf.Store(false)
		time.Sleep(300 * ms)
		b.press(0, 100*ms, 0, nil)
		time.Sleep(200 * ms)
		want(t, b.take(), "plain short", "plain short")

		// The release goes by between two looks: only the next press is seen.
		b.set(0, true)
		time.Sleep(2 * time.Second)
		b.deaf.Store(true)
		b.set(0, false)
		b.deaf.Store(false)
		b.set(0, true)
		time.Sleep(100 * ms)
		b.set(0, false)
		time.Sleep(200 * ms)
		want(t, b.take(), "plain short", "plain short")

		// Every edge is lost: looking alone finds the presses.
		b.deaf.Store(true)
		for range 5 {
			b.press(0, 250*ms, 0, nil)
			time.Sleep(250 * ms)
		}
		want(t, b.take(), slices.Repeat([]string{"plain short"}, 5)...)
	})
}

func TestTwoTogetherInOrderOfEdges(t *testing.T) {
	onBench(t, func(b *bench) {
		r := dice(t)
		for n := range 500 {
			first, second := n%2*4, 4-n%2*4
			b.set(first, true)
			if n%4 < 2 { // else even within one look
				time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
			}
			b.set(second, true)
			time.Sleep(100 * ms)
			b.set(first, false)
			b.set(second, false)
			time.Sleep(100 * ms)
			want(t, b.take(), benchButtons[first].Name+" short", benchButtons[second].Name+" short")
			if t.Failed() {
				t.FailNow()
			}
		}
	})
}

func TestStuckButtonIsNamedAndIgnored(t *testing.T) {
	r := dice(t)
	onBench(t, func(b *bench) {
		b.set(2, true)
		time.Sleep(30 * time.Second)
		want(t, b.take(), "hold hold", "hold STUCK")
		b.press(0, 100*ms, 20*ms, r) // the others work
		time.Sleep(time.Hour)
		want(t, b.take(), "plain short")
		b.bounce(2, false, 30*ms, r)
		time.Sleep(time.Second)
		want(t, b.take(), "hold FREE")
		b.press(2, 100*ms, 20*ms, r)
		time.Sleep(time.Second)
		want(t, b.take(), "hold short")
	})
}

// A button that is down when the program starts was not pressed for it.
func TestDownAtTheStart(t *testing.T) {
	w := watch(benchButtons[0], Config{}.Defaults())
	ps, health := w.look(0, true, noEdge)
	if len(ps) > 0 || !slices.Equal(health, []change{gotStuck}) {
		t.Errorf("first look: presses %v, health %v", ps, health)
	}
}

func TestStorm(t *testing.T) {
	r := dice(t)
	onBench(t, func(b *bench) {
		for _, gap := range []time.Duration{50 * time.Microsecond, 300 * time.Microsecond, 3 * ms, 20 * ms} {
			sent, looks := b.sent, b.looks.Load()
			at := false
			for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(gap) {
				at = !at
				b.set(0, at)
			}
			b.set(0, false)
			during := int(b.looks.Load() - looks)
			time.Sleep(2 * time.Second)
			got := b.take()
			presses := 0
			for _, g := range got {
				if g == "plain short" {
					presses++
				}
			}
			t.Logf("gap %v: %d edges, %d looks, %q", gap, b.sent-sent, during, got)
			// A wave as slow as a quick finger is known for a storm only after a while.
			if presses > 1 && gap < 10*ms || presses > 3 || !slices.Contains(got, "plain WILD") || got[len(got)-1] != "plain CALM" {
				t.Errorf("gap %v: %q", gap, got)
			}
			if during > 10_000/int(stormPause/ms)+2*int(300*ms/gap) {
				t.Errorf("gap %v: %d looks in ten seconds of storm", gap, during)
			}
			b.press(0, 100*ms, 20*ms, r)
			time.Sleep(time.Second)
			want(t, b.take(), "plain short")
		}
	})
}

// The others are heard while one line storms.
func TestPressInANeighboursStorm(t *testing.T) {
	onBench(t, func(b *bench) {
		stop := make(chan struct{})
		go func() {
			for at := true; ; at = !at {
				select {
				case <-stop:
					return
				case <-time.After(200 * time.Microsecond):
					b.set(0, at)
				}
			}
		}()
		time.Sleep(time.Second)
		b.take()
		for range 20 {
			b.press(2, 80*ms, 0, nil)
			time.Sleep(120 * ms)
		}
		close(stop)
		got := b.take()
		want(t, got, slices.Repeat([]string{"hold short"}, 20)...)
	})
}

func TestSpikesAreNoPress(t *testing.T) {
	onBench(t, func(b *bench) {
		for range 1000 {
			b.set(0, true)
			time.Sleep(time.Duration(50+rand.IntN(1500)) * time.Microsecond)
			b.set(0, false)
			time.Sleep(200 * ms)
		}
		want(t, b.take())
	})
}

func TestIdleLooksTenTimesASecond(t *testing.T) {
	onBench(t, func(b *bench) {
		looks := b.looks.Load()
		time.Sleep(time.Hour)
		if n := b.looks.Load() - looks; n > 3600*10+1 {
			t.Errorf("%d looks in an idle hour", n)
		}
	})
}

func TestVanishedLinesEndTheWatch(t *testing.T) {
	onBench(t, func(b *bench) {
		b.lines.mu.Lock()
		b.gone = fmt.Errorf("no such device")
		b.lines.mu.Unlock()
		looks := b.looks.Load()
		time.Sleep(time.Hour)
		if b.looks.Load()-looks > 1 {
			t.Errorf("%d looks at lines that are gone", b.looks.Load()-looks)
		}
	})
}

// Whatever a line does, presses never come closer together than two bounces,
// and every one of them is named as what it was.
func TestAnythingGoes(t *testing.T) {
	onBench(t, func(b *bench) {
		r := dice(t)
		for range 3000 {
			b.set(r.IntN(4), r.IntN(2) == 0)
			b.deaf.Store(r.IntN(5) == 0)
			time.Sleep(time.Duration(r.ExpFloat64() * float64(20*ms)))
		}
		synctest.Wait()
		last := map[string]time.Duration{}
		for _, p := range b.pressd {
			if before, ok := last[p.Name]; ok && p.At-before < 35*ms {
				t.Errorf("%s at %v and %v", p.Name, before, p.At)
			}
			last[p.Name] = p.At
		}
		if len(b.pressd) == 0 || strings.Count(strings.Join(b.got, "\n"), "short") == 0 {
			t.Error("nothing was ever pressed")
		}
	})
}

func BenchmarkLook(b *testing.B) {
	w := watch(benchButtons[0], Config{}.Defaults())
	w.look(0, false, noEdge)
	now := time.Duration(0)
	for b.Loop() {
		now += ms
		w.look(now, now/ms%200 < 80, noEdge)
	}
}
