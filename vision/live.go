package vision

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Grabber is an opened camera. Grab blocks for the next picture and puts its
// pixels into buf (grown as needed); any error means that the camera must be
// opened again. Only one goroutine uses a Grabber.
type Grabber interface {
	Grab(buf []byte) (pix []byte, w, h int, err error)
	Close() error
}

// LiveOptions say how patient a live source is. Zero values: 2.5 s, 250 ms, 5 s.
type LiveOptions struct {
	Silence        time.Duration // pictures older than this mean that the camera is lost
	Backoff, Slack time.Duration // first and longest wait before opening again
	Patient        bool          // open in the background, say Found when that is done, and Lost instead of failing
}

// KeepNewest makes a FrameSource of a camera. One goroutine grabs all the time
// and keeps only the newest picture, because a picture that waited in a queue
// shows a table that is no more. When pictures stop it says Lost, opens again
// with growing pauses, and says Found when they come back.
func KeepNewest(ctx context.Context, open func(context.Context) (Grabber, error), o LiveOptions) (FrameSource, error) {
	if o.Silence == 0 {
		o.Silence = 2500 * time.Millisecond
	}
	if o.Backoff == 0 {
		o.Backoff = 250 * time.Millisecond
	}
	if o.Slack == 0 {
		o.Slack = 5 * time.Second
	}
	ctx, stop := context.WithCancel(ctx)
	l := &live{open: open, opt: o, stop: stop, done: make(chan struct{}), fresh: make(chan struct{}, 1), there: !o.Patient}
	var g Grabber
	if !o.Patient {
		var err error
		if g, err = open(ctx); err != nil {
			stop()
			return nil, err
		}
	}
	l.heard = time.Now()
	go l.run(ctx, g)
	return l, nil
}

type live struct {
	open func(context.Context) (Grabber, error)
	opt  LiveOptions
	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	fresh   chan struct{} // holds a token while newest was not yet taken
	newest  Frame
	spare   [][]byte // buffers nobody looks at
	trouble error    // why the camera is not there, nil while it is
	heard   time.Time
	n       uint64
	start   time.Time

	given Frame // the frame the caller has; its buffer returns with the next call
	lost  bool  // Lost was told and Found not yet
	there bool  // a picture came, or the camera was opened at once
}

// run grabs until ctx ends. It never spins: every failure is followed by a pause.
func (l *live) run(ctx context.Context, g Grabber) {
	defer close(l.done)
	pause := time.Duration(0)
	for ctx.Err() == nil {
		if g == nil {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
			pause = min(max(2*pause, l.opt.Backoff), l.opt.Slack)
			var err error
			if g, err = l.open(ctx); err != nil {
				g = nil
				l.fail(err)
				continue
			}
		}
		buf := l.buffer()
		pix, w, h, err := g.Grab(buf)
		if err == nil && (w <= 0 || h <= 0 || len(pix) != 3*w*h) {
			err = errors.New("the camera gave a broken picture")
		}
		if err != nil {
			l.giveBack(buf)
			l.fail(err)
			_ = g.Close() // it is broken already; the reason is err
			g = nil
			continue
		}
		pause = l.opt.Backoff
		l.put(pix, w, h)
	}
	if g != nil {
		_ = g.Close()
	}
}

func (l *live) buffer() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.spare); n > 0 {
		b := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return b
	}
	return nil
}

func (l *live) giveBack(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b != nil {
		l.spare = append(l.spare, b)
	}
}

func (l *live) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trouble = err
}

func (l *live) put(pix []byte, w, h int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.start.IsZero() {
		l.start = now
	}
	if l.newest.Pix != nil {
		l.spare = append(l.spare, l.newest.Pix)
	}
	l.newest = Frame{N: l.n, At: now.Sub(l.start), Taken: now, W: w, H: h, Pix: pix}
	l.n++
	l.heard, l.trouble = now, nil
	select {
	case l.fresh <- struct{}{}:
	default:
	}
}

// Next waits for a picture that was not given yet. A *SourceEvent tells that
// the camera was lost or found.
func (l *live) Next(ctx context.Context) (Frame, error) {
	l.giveBack(l.given.Pix)
	l.given = Frame{}
	for {
		l.mu.Lock()
		silent := time.Since(l.heard)
		trouble := l.trouble
		l.mu.Unlock()
		if !l.lost && (silent >= l.opt.Silence || trouble != nil && silent >= l.opt.Silence/3) {
			l.lost = true
			return Frame{}, &SourceEvent{Kind: Lost, Note: lostNote(trouble)}
		}
		wait := l.opt.Silence - silent
		if trouble != nil {
			wait = l.opt.Silence/3 - silent
		}
		if l.lost {
			wait = time.Second
		}
		t := time.NewTimer(min(max(wait, time.Millisecond), l.opt.Silence/3))
		select {
		case <-ctx.Done():
			t.Stop()
			return Frame{}, ctx.Err()
		case <-l.done:
			t.Stop()
			return Frame{}, context.Canceled
		case <-t.C:
			continue
		case <-l.fresh:
			t.Stop()
		}
		if l.lost || !l.there {
			// Tell it first; the picture is still there for the next call.
			note := "The camera is back."
			if !l.lost {
				note = "The camera gives pictures."
			}
			l.lost, l.there = false, true
			l.mu.Lock()
			select {
			case l.fresh <- struct{}{}:
			default:
			}
			l.mu.Unlock()
			return Frame{}, &SourceEvent{Kind: Found, Note: note}
		}
		l.mu.Lock()
		f := l.newest
		l.newest = Frame{}
		l.mu.Unlock()
		if f.Pix == nil {
			continue
		}
		l.given = f
		return f, nil
	}
}

func lostNote(why error) string {
	if why == nil {
		return "The camera gives no more pictures; looking for it again. Check its cable and power."
	}
	return fmt.Sprintf("The camera is gone (%v); looking for it again. Check its cable and power.", why)
}

// Close ends the goroutine. It waits a little for it, but not for a camera
// whose driver blocks: that one closes itself when the driver returns.
func (l *live) Close() error {
	l.stop()
	select {
	case <-l.done:
	case <-time.After(500 * time.Millisecond):
	}
	return nil
}
