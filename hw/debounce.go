package hw

import "time"

// contact debounces one button. It is a pure state machine: it is told the time,
// the level of the line and whether an edge was seen, and answers what happened.
// Nothing is decided by counting edges, because the kernel drops them when
// nobody reads for a while; an edge only says that the line is worth a look, and
// what counts is the level found then and again a moment later.
//
//	free ─pressed→ touching ─still pressed after touch→ down ─released→ leaving
//	  ↑                │ released                         ↑               │ still
//	  └────────────────┘                                  └──pressed──────┤ released
//	  ↑                                                                   ↓
//	  └──────────────────────── bounce is over ───────────────────── settling
//
// A line that will not come to rest becomes storming, a button that stays down
// becomes stuck; both are ignored until they are well again.
type contact struct {
	bounce time.Duration // longest bounce of the contact
	stuck  time.Duration // how long a button may be held

	phase phase
	since time.Duration // when the phase was entered
	down  time.Duration // when the press that is on began: its first edge

	lastEdge time.Duration // newest edge
	restless time.Duration // since when no two edges were further apart than bounce
	edges    uint64        // how many there have been
}

type phase uint8

const (
	unread phase = iota // nothing known yet
	free
	touching
	down
	leaving
	settling
	stuckDown
	freeing // from stuckDown, until the release is no bounce
	storming
)

const (
	// touch is how long a press has to last: spikes that a cable picks up are
	// shorter, fingers never.
	touch = 3 * time.Millisecond
	// leave is how long a release has to last, so that a contact which lets go
	// for a moment under the finger does not end a long press.
	leave = 12 * time.Millisecond
	// calm is how long a storming line has to be quiet to be trusted again.
	calm = time.Second
	// restlessFor is how many bounce times a line may go without coming to rest:
	// a bounce is over after one, a finger cannot do it.
	restlessFor = 8
)

// change is what a contact has to say.
type change uint8

const (
	wentDown change = iota + 1
	wentUp
	gotStuck
	gotFree // after stuck
	gotWild // the line storms; a press that was on is void
	gotCalm // after gotWild
)

// edge is the direction of an edge, as the kernel reports it.
type edge uint8

const (
	noEdge edge = iota
	pressEdge
	releaseEdge
)

// look feeds the contact the level found now, and the edge that was the reason
// to look, if one was.
func (c *contact) look(now time.Duration, pressed bool, e edge) []change {
	gap := now - c.lastEdge
	if e != noEdge {
		if c.edges == 0 || gap > c.bounce {
			c.restless = now
		}
		c.lastEdge = now
		c.edges++
		if c.phase != storming && now-c.restless > restlessFor*c.bounce {
			c.enter(storming, now)
			return []change{gotWild}
		}
	}
	switch c.phase {
	case unread:
		if pressed {
			// Held since before the program started: nobody pressed it for us.
			c.enter(stuckDown, now)
			return []change{gotStuck}
		}
		c.enter(free, now)
	case free:
		if pressed {
			c.down = now
			c.enter(touching, now)
		}
	case touching:
		if now-c.since < touch {
			break
		}
		if !pressed {
			c.enter(free, now)
			break
		}
		c.enter(down, now)
		return []change{wentDown}
	case down:
		switch {
		case now-c.since < c.bounce: // still bouncing
		case !pressed:
			c.enter(leaving, now)
		case now-c.down >= c.stuck:
			c.enter(stuckDown, now)
			return []change{gotStuck}
		case e == pressEdge && gap > c.bounce:
			// A press on a line that was quiet and that we hold for pressed: its
			// release went by unseen. The next press must not be lost with it.
			c.down = now
			c.enter(touching, now)
			return []change{wentUp}
		}
	case leaving:
		switch {
		case pressed:
			// Back to down, where the bounce is long over.
			c.phase, c.since = down, c.down
		case now-c.since >= leave:
			c.enter(settling, now)
			return []change{wentUp}
		}
	case settling:
		if now-c.since < c.bounce {
			break
		}
		c.enter(free, now)
		if pressed {
			c.down = now
			c.enter(touching, now)
		}
	case stuckDown:
		if !pressed {
			c.enter(freeing, now)
		}
	case freeing:
		switch {
		case pressed:
			c.enter(stuckDown, now)
		case now-c.since >= c.bounce:
			c.enter(free, now)
			return []change{gotFree}
		}
	case storming:
		if now-c.lastEdge < calm {
			break
		}
		if pressed {
			c.enter(stuckDown, now)
			return []change{gotCalm, gotStuck}
		}
		c.enter(free, now)
		return []change{gotCalm}
	}
	return nil
}

func (c *contact) enter(p phase, now time.Duration) { c.phase, c.since = p, now }

// never is a moment that does not come.
const never = time.Duration(1<<63 - 1)

// next is when the contact wants to be looked at again, even if no edge comes.
func (c *contact) next(now time.Duration) time.Duration {
	switch c.phase {
	case touching:
		return c.since + touch
	case down:
		if over := c.since + c.bounce; now < over {
			return over
		}
		return c.down + c.stuck
	case leaving:
		return c.since + leave
	case settling, freeing:
		return c.since + c.bounce
	case storming:
		return c.lastEdge + calm
	}
	return never
}
