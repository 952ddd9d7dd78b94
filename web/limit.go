package web

import (
	"net/netip"
	"sync"
	"time"
)

// bucket is a token bucket: burst tries at once, then one more every refill.
type bucket struct {
	tokens float64
	last   time.Time
}

func (b *bucket) take(now time.Time, burst int, refill time.Duration) (ok bool, wait time.Duration) {
	if b.last.IsZero() {
		b.tokens = float64(burst)
	} else if d := now.Sub(b.last); d > 0 {
		b.tokens = min(float64(burst), b.tokens+float64(d)/float64(refill))
	}
	b.last = now
	if b.tokens < 1 {
		return false, time.Duration((1 - b.tokens) * float64(refill))
	}
	b.tokens--
	return true, 0
}

// limiter keeps a bucket for each key and one for all together. The buckets of
// keys not seen for a while are forgotten, so that it stays small whoever asks.
type limiter[K comparable] struct {
	burst, total   int
	refill, totalR time.Duration

	mu    sync.Mutex
	each  map[K]*bucket
	all   bucket
	swept time.Time
}

func newLimiter[K comparable](burst int, refill time.Duration, total int, totalRefill time.Duration) *limiter[K] {
	return &limiter[K]{burst: burst, refill: refill, total: total, totalR: totalRefill, each: map[K]*bucket{}}
}

// take spends a try of k's. With exempt the try does not count in total: a host
// whose address has logged in before is not locked out by a stranger's tries.
func (l *limiter[K]) take(k K, now time.Time, exempt bool) (ok bool, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > time.Minute {
		l.swept = now
		for k, b := range l.each {
			if now.Sub(b.last) > time.Duration(l.burst)*l.refill {
				delete(l.each, k)
			}
		}
	}
	b := l.each[k]
	if b == nil {
		b = &bucket{}
		l.each[k] = b
	}
	if ok, wait = b.take(now, l.burst, l.refill); !ok || l.total == 0 || exempt {
		return ok, wait
	}
	return l.all.take(now, l.total, l.totalR)
}

// refund gives a try back: it was none that has to be limited.
func (l *limiter[K]) refund(k K, exempt bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.each[k]; b != nil {
		b.tokens = min(float64(l.burst), b.tokens+1)
	}
	if l.total != 0 && !exempt {
		l.all.tokens = min(float64(l.total), l.all.tokens+1)
	}
}

// gate counts what is open at the same time: in all, and for each address.
// Loopback is this machine itself and has no limit of its own.
type gate struct {
	all, each int

	mu   sync.Mutex
	open int
	by   map[netip.Addr]int
}

func (g *gate) enter(a netip.Addr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open >= g.all || (g.by[a] >= g.each && !a.IsLoopback()) {
		return false
	}
	if g.by == nil {
		g.by = map[netip.Addr]int{}
	}
	g.open++
	g.by[a]++
	return true
}

func (g *gate) leave(a netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
	if g.by[a]--; g.by[a] <= 0 {
		delete(g.by, a)
	}
}

func (g *gate) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open
}
