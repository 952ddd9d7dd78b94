package hw

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// backstop is how often every level is read though no edge came: a release that
// went by unseen is found then. Ten looks a second cost next to nothing.
const backstop = 100 * time.Millisecond

// stormPause is how long a watcher sleeps between looks while a line storms, so
// that a broken wire cannot eat the processor. Levels decide, so the edges that
// the kernel drops meanwhile are not missed.
const stormPause = 5 * time.Millisecond

// watcher watches the buttons of one group of lines.
type watcher struct {
	group   group
	buttons []*watched // place i belongs to line i of the group
	low     bool       // a pressed button pulls its line low
	now     func() time.Duration
	poll    time.Duration // longest wait, nought for backstop

	press   func(Press) bool                      // false: nobody listens any more
	counted func(*watched)                        // a held button counted a unit
	health  func(*watched, change, time.Duration) // a button got stuck, wild or well again
}

// run looks whenever an edge comes or a button wants to be looked at, until the
// context ends or the lines fail. The error is the lines'.
func (w *watcher) run(ctx context.Context) error {
	defer context.AfterFunc(ctx, w.group.halt)()
	var (
		last   uint64        // the levels looked at last
		whole  time.Duration // when all lines were looked at last
		before time.Duration // the look before
	)
	for first := true; ctx.Err() == nil; first = false {
		storm := w.storms()
		if storm {
			time.Sleep(stormPause)
		}
		wait, now := cmp.Or(w.poll, backstop), w.now()
		for _, b := range w.buttons {
			wait = min(wait, b.next(now)-now)
		}
		line, rising, err := -1, false, error(nil)
		if !first {
			if line, rising, err = w.group.wait(max(wait, time.Millisecond)); err != nil {
				return err
			}
		}
		levels, err := w.group.read()
		if err != nil {
			return err
		}
		if w.low {
			levels, rising = ^levels, !rising
		}
		now = max(w.now(), before+1) // no two looks at the same moment: presses are sorted by it
		before = now
		// Between edges that wait to be read, only their own lines are looked at,
		// so that of two buttons the one whose edge came first goes first.
		all := line < 0 || storm || now-whole >= backstop
		if all {
			whole = now
		}
		var ps []Press
		for i, b := range w.buttons {
			if !all && i != line && b.next(now) > now {
				continue
			}
			pressed := levels>>i&1 == 1
			e := noEdge
			switch {
			case i == line && rising, !first && pressed && last>>i&1 == 0:
				e = pressEdge
			case i == line, !first && !pressed && last>>i&1 == 1:
				e = releaseEdge
			}
			got, health := b.look(now, pressed, e)
			for _, p := range got {
				if p.kind == counted {
					w.counted(b)
					continue
				}
				ps = append(ps, b.press(p))
			}
			for _, h := range health {
				w.health(b, h, now)
			}
			last = last&^(1<<i) | levels&(1<<i)
		}
		slices.SortStableFunc(ps, func(a, b Press) int { return cmp.Compare(a.At, b.At) })
		for _, p := range ps {
			if !w.press(p) {
				return nil
			}
		}
	}
	return nil
}

func (w *watcher) storms() bool {
	return slices.ContainsFunc(w.buttons, func(b *watched) bool { return b.phase == storming })
}
