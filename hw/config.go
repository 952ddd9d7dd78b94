package hw

import (
	"fmt"
	"time"
)

// MaxSeats is how many seats a panel can have.
const MaxSeats = 10

// Layouts of a panel.
const (
	None    = "none"    // no GPIO at all: the host page, and the number pad if there is one
	Console = "console" // one box that goes round, acting for the seat in turn
	Seats   = "seats"   // cover and pass at every seat, with a lamp
)

// Config is the part [buttons] of the configuration file. The zero value means
// no panel; Defaults fills in what a layout leaves open.
type Config struct {
	Layout string `toml:"layout"` // "none", "console" or "seats"
	Seats  int    `toml:"seats"`  // how many seats have buttons (layout seats), 2 to 10

	// Lines by button and by lamp, where the layout's own plan is not followed:
	// cover = "GPIO17", "seat 3 pass" = "0x20.A5". An empty line leaves the
	// button or lamp away.
	Lines map[string]string `toml:"lines"`
	Lamps map[string]string `toml:"lamps"`

	Buzzer    string   `toml:"buzzer"`    // line of a buzzer, "" for none
	Expanders []string `toml:"expanders"` // I²C addresses of MCP23017 chips: "0x20"
	Bus       string   `toml:"i2c_bus"`   // I²C bus, "" for the first one
	Interrupt string   `toml:"interrupt"` // line the expanders' INT outputs pull low, "" to poll

	Keypad string            `toml:"keypad"` // "" for none, "auto", or a device such as /dev/input/by-id/…
	Keys   map[string]string `toml:"keys"`   // key → button where the usual plan is not followed: KP1 = "seat 1 cover"

	Unit       int64    `toml:"unit"`        // chips that one press of cover stands for
	ActiveHigh bool     `toml:"active_high"` // buttons pull up to 3.3 V instead of down to ground
	Debounce   Duration `toml:"debounce"`    // longest bounce of a contact
	Hold       Duration `toml:"hold"`        // from here on a press is a long one
	Repeat     Duration `toml:"repeat"`      // between two units that a held button counts
	Stuck      Duration `toml:"stuck"`       // from here on a button is stuck
}

// Defaults is the configuration with every value that was left open filled in.
func (c Config) Defaults() Config {
	if c.Layout == "" {
		c.Layout = None
	}
	if c.Layout == Seats && c.Seats == 0 {
		c.Seats = 4
	}
	if c.Unit == 0 {
		c.Unit = 1
	}
	for _, d := range []struct {
		at *Duration
		to time.Duration
	}{{&c.Debounce, 35 * time.Millisecond}, {&c.Hold, 600 * time.Millisecond},
		{&c.Repeat, 250 * time.Millisecond}, {&c.Stuck, 20 * time.Second}} {
		if *d.at == 0 {
			*d.at = Duration(d.to)
		}
	}
	return c
}

// Duration is a time in a configuration file, written "35ms" or "20s".
type Duration time.Duration

// UnmarshalText reads Go's notation of durations.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return fmt.Errorf("%q is no duration such as 35ms or 20s", b)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes Go's notation of durations.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }
