package hw

import "time"

// Button is one button of a layout.
type Button struct {
	Name  string // "cover", "seat 3 pass"
	Job   Job
	Seat  int
	Line  string // "GPIO17", "0x20.A3", "KEY_KP1"
	means meaning
}

// watched is a button with the machines that watch it.
type watched struct {
	Button
	contact
	gesture
}

func watch(b Button, c Config) *watched {
	return &watched{Button: b,
		contact: contact{bounce: time.Duration(c.Debounce), stuck: time.Duration(c.Stuck)},
		gesture: gesture{meaning: b.means, holdAfter: time.Duration(c.Hold), repeatAfter: time.Duration(c.Repeat)},
	}
}

// look feeds both machines and tells what came of it: presses, and changes of
// the button's health.
func (w *watched) look(now time.Duration, pressed bool, e edge) (ps []press, health []change) {
	for _, ch := range w.contact.look(now, pressed, e) {
		ps = append(ps, w.gesture.feed(now, ch, w.contact.down)...)
		if ch >= gotStuck {
			health = append(health, ch)
		}
	}
	return append(ps, w.gesture.tick(now)...), health
}

// next is when the button wants to be looked at again.
func (w *watched) next(now time.Duration) time.Duration {
	return min(w.contact.next(now), w.gesture.next())
}

// press is the press as the table hears of it.
func (b Button) press(p press) Press {
	return Press{Name: b.Name, Job: b.Job, Seat: b.Seat, Kind: p.kind, Times: p.times, At: p.at}
}
