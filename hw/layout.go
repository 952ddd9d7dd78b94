package hw

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Lamp is one lamp of a layout.
type Lamp struct {
	Name string // as in Table.Lamps, or "buzzer"
	Line string
}

// title is the lamp in words.
func (l Lamp) title() string {
	if l.Name == Buzzer {
		return Buzzer
	}
	return "lamp " + l.Name
}

// Buzzer is the name of the buzzer among the lamps.
const Buzzer = "buzzer"

// Layout is what a configuration puts on the table: every button and lamp with
// its line, in the order of the plan.
type Layout struct {
	Buttons []Button
	Lamps   []Lamp
}

// spot is a place of a usual plan.
type spot struct{ name, line string }

// The console needs eleven lines of the seventeen that nothing else wants.
var consoleButtons = []struct {
	spot
	job   Job
	means meaning
}{
	{spot{"cover", "GPIO17"}, Cover, meaning{counts: true}},
	{spot{"banco", "GPIO27"}, Banco, meaning{}},
	{spot{"pass", "GPIO22"}, Pass, meaning{}},
	{spot{"bank", "GPIO5"}, Bank, meaning{long: true}},
	{spot{"undo", "GPIO6"}, Undo, meaning{}},
	{spot{"deal", "GPIO13"}, Deal, meaning{}},
}

var tableLamps = []spot{
	{NoCard, "GPIO23"}, {BankWon, "GPIO24"}, {PuntersWon, "GPIO25"}, {AskHost, "GPIO16"},
}

// The seats layout without expanders reaches four seats: cover, pass and lamp
// of each on neighbouring pins.
var headerSeats = [][3]string{
	{"GPIO17", "GPIO27", "GPIO22"},
	{"GPIO5", "GPIO6", "GPIO13"},
	{"GPIO19", "GPIO26", "GPIO21"},
	{"GPIO20", "GPIO12", "GPIO18"},
}

// On an expander five seats have room. A7 and B7 are lamps, because by the
// maker's newer data sheets these two pins must not be inputs.
var expanderSeats = [][3]string{
	{"A0", "A1", "A7"}, {"A2", "A3", "B7"}, {"A4", "A5", "B6"}, {"B0", "B1", "B5"}, {"B2", "B3", "B4"},
}

// Plan lays the configuration out. A line set in Lines or Lamps goes before
// the usual plan; the error names what is not understood.
func (c Config) Plan() (Layout, error) {
	c = c.Defaults()
	var l Layout
	switch c.Layout {
	case None:
	case Console:
		for _, b := range consoleButtons {
			l.Buttons = append(l.Buttons, Button{Name: b.name, Job: b.job, Line: b.line, means: b.means})
		}
	case Seats:
		if c.Seats < 2 || c.Seats > MaxSeats {
			return l, fmt.Errorf("hw: seats = %d: a panel has 2 to %d seats", c.Seats, MaxSeats)
		}
		for n := 1; n <= c.Seats; n++ {
			at := c.seatLines(n)
			l.Buttons = append(l.Buttons,
				Button{Name: SeatLamp(n) + " cover", Job: Cover, Seat: n, Line: at[0], means: meaning{hold: true}},
				Button{Name: SeatLamp(n) + " pass", Job: Pass, Seat: n, Line: at[1], means: meaning{hold: true}})
			l.Lamps = append(l.Lamps, Lamp{SeatLamp(n), at[2]})
		}
	default:
		return l, fmt.Errorf("hw: layout = %q: it is none, console or seats", c.Layout)
	}
	if c.Layout != None {
		for _, s := range tableLamps {
			l.Lamps = append(l.Lamps, Lamp{s.name, s.line})
		}
	}
	if c.Layout == Console {
		// The console can have lamps at the seats too; they have no usual line.
		for n := 1; n <= MaxSeats; n++ {
			l.Lamps = append(l.Lamps, Lamp{SeatLamp(n), ""})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Lines)) {
		i := slices.IndexFunc(l.Buttons, func(b Button) bool { return b.Name == name })
		if i < 0 {
			return l, fmt.Errorf("hw: lines: the layout %s has no button %q; it has %s", c.Layout, name, names(l.Buttons))
		}
		l.Buttons[i].Line = c.Lines[name]
	}
	for _, name := range slices.Sorted(maps.Keys(c.Lamps)) {
		i := slices.IndexFunc(l.Lamps, func(b Lamp) bool { return b.Name == name })
		if i < 0 {
			return l, fmt.Errorf("hw: lamps: the layout %s has no lamp %q", c.Layout, name)
		}
		l.Lamps[i].Line = c.Lamps[name]
	}
	l.Lamps = append(l.Lamps, Lamp{Buzzer, c.Buzzer})
	l.Buttons = slices.DeleteFunc(l.Buttons, func(b Button) bool { return b.Line == "" })
	l.Lamps = slices.DeleteFunc(l.Lamps, func(b Lamp) bool { return b.Line == "" })
	for _, b := range l.Buttons {
		if _, err := parseLine(b.Line); err != nil {
			return l, fmt.Errorf("hw: %s: %w", b.Name, err)
		}
	}
	for _, b := range l.Lamps {
		if _, err := parseLine(b.Line); err != nil {
			return l, fmt.Errorf("hw: %s: %w", b.title(), err)
		}
	}
	return l, nil
}

// seatLines is the usual place of a seat's cover, pass and lamp: on the header
// while it has room, on the expanders as soon as there is one. A seat for which
// there is no room has no lines.
func (c Config) seatLines(n int) (at [3]string) {
	if len(c.Expanders) == 0 {
		if n <= len(headerSeats) {
			at = headerSeats[n-1]
		}
		return at
	}
	chip, k := (n-1)/len(expanderSeats), (n-1)%len(expanderSeats)
	if chip < len(c.Expanders) {
		for i, pin := range expanderSeats[k] {
			at[i] = c.Expanders[chip] + "." + pin
		}
	}
	return at
}

func names(bs []Button) string {
	var n []string
	for _, b := range bs {
		n = append(n, b.Name)
	}
	if n == nil {
		return "none"
	}
	return strings.Join(n, ", ")
}

// lineRef is a line's name taken apart.
type lineRef struct {
	gpio int    // number of a GPIO line, -1 for none
	chip uint16 // I²C address of an expander, 0 for none
	pin  int    // of an expander: 0 … 7 are A0 … A7, 8 … 15 are B0 … B7
	name string // any other line, by the kernel's name
}

// parseLine reads "GPIO17", "0x20.A3" or the kernel's name of any other line.
func parseLine(s string) (lineRef, error) {
	r := lineRef{gpio: -1}
	if num, ok := strings.CutPrefix(s, "GPIO"); ok {
		n, err := strconv.Atoi(num)
		if err == nil {
			if n < 0 || n > 27 || strconv.Itoa(n) != num {
				return r, fmt.Errorf("line %q: the header has GPIO2 to GPIO27", s)
			}
			r.gpio, r.name = n, s
			return r, nil
		}
	}
	if strings.HasPrefix(s, "0x") {
		addr, pin, ok := strings.Cut(s, ".")
		a, err := parseAddress(addr)
		pin = strings.TrimPrefix(pin, "GP") // the data sheet writes GPA3
		if !ok || err != nil || len(pin) != 2 || (pin[0] != 'A' && pin[0] != 'B') || pin[1] < '0' || pin[1] > '7' {
			return r, fmt.Errorf("line %q: a line of an expander is written 0x20.A0 to 0x27.B7", s)
		}
		r.chip, r.pin = a, int(pin[0]-'A')*8+int(pin[1]-'0')
		return r, nil
	}
	if s == "" || strings.TrimSpace(s) != s {
		return r, fmt.Errorf("line %q: write it as the kernel does, such as GPIO17", s)
	}
	if _, err := strconv.Atoi(s); err == nil {
		return r, fmt.Errorf("line %q: a bare number can mean a pin or a line; write GPIO%s for the line", s, s)
	}
	r.name = s
	return r, nil
}

// parseAddress reads an expander's I²C address.
func parseAddress(s string) (uint16, error) {
	a, err := strconv.ParseUint(s, 0, 8)
	if err != nil || a < 0x20 || a > 0x27 {
		return 0, fmt.Errorf("expander %q: an MCP23017 has an address from 0x20 to 0x27", s)
	}
	return uint16(a), nil
}
