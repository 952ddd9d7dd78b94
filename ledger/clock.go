package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lansquenet/ledger/game"
)

// tick is how often the clock is looked at. The agreed end is a matter of
// minutes at a table.
const tick = 5 * time.Second

// longestGap is the longest time between two looks, or between the last entry
// and the restart of the program, in which the agreed end can have been passed.
// What is longer is a clock that was set: a machine without a clock chip starts
// years behind and jumps when it finds the network.
const longestGap = 12 * time.Hour

// KeepTime sends `time_up` when the clock passes the agreed end of the night
// (house rule end_time, R-TIME), until the context ends. A night without an
// agreed end is let alone, and so is one that the host has timed up already.
func (c *Croupier) KeepTime(ctx context.Context) error {
	timer := time.NewTicker(tick)
	defer timer.Stop()
	before := c.lastEntry()
	for {
		now := c.opt.Now()
		st := c.State()
		if passes(before, now, st.View.Rules.EndTime) && st.Seq > 0 && !st.View.TimeUp && st.View.Phase != game.Closed {
			_, err := c.Submit(ctx, Request{Action: game.Action{Do: "time_up"}, Seq: &st.Seq, From: "clock"})
			var no *game.Refusal
			switch {
			case errors.Is(err, ErrStale):
				continue // somebody was quicker by a moment; look again
			case errors.As(err, &no), errors.Is(err, ErrStopped):
				// The host has the last word; and a table that stands still says so
				// itself.
			case err != nil && ctx.Err() == nil:
				return fmt.Errorf("ledger: time is up: %w", err)
			}
		}
		before = now
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
	}
}

// lastEntry is the clock at the last entry, or now when there is none.
func (c *Croupier) lastEntry() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last.IsZero() {
		return c.opt.Now()
	}
	return c.last
}

// passes says whether the time of day end, "HH:MM" by the machine's own zone,
// lies after before and not after now.
func passes(before, now time.Time, end string) bool {
	at, err := time.Parse("15:04", end)
	if gap := now.Sub(before); err != nil || gap <= 0 || gap > longestGap {
		return false
	}
	y, m, d := before.Local().Date()
	due := time.Date(y, m, d, at.Hour(), at.Minute(), 0, 0, time.Local)
	if !due.After(before) {
		due = time.Date(y, m, d+1, at.Hour(), at.Minute(), 0, 0, time.Local)
	}
	return !due.After(now)
}
