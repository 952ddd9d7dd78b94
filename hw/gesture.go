package hw

import "time"

// meaning says what of a press a button tells apart.
type meaning struct {
	counts bool // held, it counts units
	hold   bool // short and long differ
	long   bool // and there is a third, longer one
}

// longHold is how many hold times a press lasts that has a third meaning.
const longHold = 3

// gesture makes presses of a contact's downs and ups. Like the contact it is a
// pure state machine on the time it is told.
type gesture struct {
	meaning
	holdAfter   time.Duration
	repeatAfter time.Duration

	on    bool          // a press is on that is not decided yet, or repeats
	down  time.Duration // when it began
	due   time.Duration // when the next unit is due
	times int           // units counted so far
	fired bool          // it is decided: the release will say nothing
}

// press is a kind of press and the moment of its first edge.
type press struct {
	kind  Kind
	at    time.Duration
	times int
}

// counted is a unit more on a button that is still held: for the ear, no press.
const counted Kind = 255

// feed tells the gesture what the contact said; from is when the press began.
func (g *gesture) feed(now time.Duration, ch change, from time.Duration) []press {
	switch ch {
	case wentDown:
		g.on, g.down, g.fired, g.times = true, from, false, 1
		g.due = from + g.holdAfter
		if g.hold || g.long || g.counts {
			return nil
		}
		g.fired = true
		return []press{{Short, from, 1}}
	case wentUp:
		p := g.tick(now) // what became due before the release comes first
		if g.on && !g.fired {
			k := Short
			if g.long && now-g.down >= g.holdAfter+leave {
				k = Hold
			}
			p = append(p, press{k, g.down, g.times})
		}
		g.on = false
		return p
	case gotStuck, gotWild:
		g.on = false
	}
	return nil
}

// tick tells the gesture that time has passed.
func (g *gesture) tick(now time.Duration) []press {
	if !g.on {
		return nil
	}
	switch {
	case g.counts:
		// A late look counts one unit, not all that were missed: nobody can see
		// how late the processor is.
		if now >= g.due {
			at := g.due
			for g.due <= now {
				g.due += g.repeatAfter
			}
			g.times++
			return []press{{counted, at, g.times}}
		}
	case g.long:
		if !g.fired && now-g.down >= longHold*g.holdAfter {
			g.fired = true
			return []press{{LongHold, g.down, 1}}
		}
	case g.hold:
		if !g.fired && now-g.down >= g.holdAfter {
			g.fired = true
			return []press{{Hold, g.down, 1}}
		}
	}
	return nil
}

// next is when the gesture wants to be told the time.
func (g *gesture) next() time.Duration {
	switch {
	case !g.on:
	case g.counts:
		return g.due
	case g.fired:
	case g.long:
		return g.down + longHold*g.holdAfter
	case g.hold:
		return g.down + g.holdAfter
	}
	return never
}
