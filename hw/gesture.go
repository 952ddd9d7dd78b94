package hw

import "time"

// meaning says what of a press a button tells apart.
type meaning struct {
	repeats bool // held, it presses again and again
	hold    bool // short and long differ
	long    bool // and there is a third, longer one
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
	due   time.Duration // when the next repeat is due
	fired bool          // it is decided: the release will say nothing
}

// press is a kind of press and the moment of its first edge.
type press struct {
	kind Kind
	at   time.Duration
}

// feed tells the gesture what the contact said; from is when the press began.
func (g *gesture) feed(now time.Duration, ch change, from time.Duration) []press {
	switch ch {
	case wentDown:
		g.on, g.down, g.fired = true, from, false
		g.due = from + g.holdAfter
		if g.hold || g.long {
			return nil
		}
		g.fired = true
		return []press{{Short, from}}
	case wentUp:
		p := g.tick(now) // what became due before the release comes first
		if g.on && !g.fired {
			k := Short
			if now-g.down >= g.holdAfter+leave {
				k = Hold // only a button with a third meaning comes here so late
			}
			p = append(p, press{k, g.down})
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
	case g.repeats:
		// A late look gives one repeat, not all that were missed: nobody wants
		// five units because the processor was busy.
		if now >= g.due {
			at := g.due
			for g.due <= now {
				g.due += g.repeatAfter
			}
			return []press{{Repeat, at}}
		}
	case g.long:
		if !g.fired && now-g.down >= longHold*g.holdAfter {
			g.fired = true
			return []press{{LongHold, g.down}}
		}
	case g.hold:
		if !g.fired && now-g.down >= g.holdAfter {
			g.fired = true
			return []press{{Hold, g.down}}
		}
	}
	return nil
}

// next is when the gesture wants to be told the time.
func (g *gesture) next() time.Duration {
	switch {
	case !g.on:
	case g.repeats:
		return g.due
	case g.fired:
	case g.long:
		return g.down + longHold*g.holdAfter
	case g.hold:
		return g.down + g.holdAfter
	}
	return never
}
