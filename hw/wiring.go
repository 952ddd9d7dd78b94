package hw

import (
	"fmt"
	"strings"
)

// Problem is something wrong with a layout on paper, before any hardware is
// looked at.
type Problem struct {
	Line  string
	Fatal bool // it cannot work; otherwise it may, if the line's other use is off
	Says  string
}

// reserved says what else wants a line of the header.
func (c Config) reserved(gpio int) (why string, fatal bool) {
	switch {
	case gpio <= 1:
		return "is kept for the identification EEPROM of HAT boards", true
	case gpio <= 3:
		return "is the I²C bus, which the port expanders need", len(c.Expanders) > 0
	case gpio >= 7 && gpio <= 11:
		return "belongs to SPI, if that is switched on", false
	case gpio == 14 || gpio == 15:
		return "is the serial console, if that is switched on", false
	}
	return "", false
}

// Check looks for mistakes in a layout: two functions on one line, a line that
// something else needs, a seat without room, an expander that is not declared.
func (c Config) Check() ([]Problem, error) {
	l, err := c.Plan()
	if err != nil {
		return nil, err
	}
	return l.check(c.Defaults()), nil
}

func (l Layout) check(c Config) (ps []Problem) {
	say := func(line string, fatal bool, f string, a ...any) {
		ps = append(ps, Problem{line, fatal, fmt.Sprintf(f, a...)})
	}
	declared := map[uint16]bool{}
	for _, e := range c.Expanders {
		a, err := parseAddress(e)
		switch {
		case err != nil:
			say(e, true, "%v", err)
		case declared[a]:
			say(e, true, "the expander %s is listed twice", e)
		}
		declared[a] = true
	}
	if len(c.Expanders) > 4 {
		say("", true, "%d expanders: four are enough for anything", len(c.Expanders))
	}
	users := map[lineRef]string{}
	use := func(name, line string, input bool) {
		r, err := parseLine(line)
		if err != nil {
			say(line, true, "%s: %v", name, err)
			return
		}
		key := r
		if r.gpio >= 0 || r.chip != 0 {
			key.name = ""
		}
		if other := users[key]; other != "" {
			say(line, true, "%s and %s are both on line %s: give one of them another line", other, name, line)
		}
		users[key] = name
		switch {
		case r.chip != 0 && !declared[r.chip]:
			say(line, true, "%s is on line %s, but expanders does not list 0x%02x", name, line, r.chip)
		case r.chip != 0 && input && r.pin%8 == 7:
			say(line, true, "%s is on line %s: pins A7 and B7 of an MCP23017 must not be inputs (data sheet of 2022); put a lamp there", name, line)
		case r.gpio >= 0:
			if why, fatal := c.reserved(r.gpio); why != "" {
				say(line, fatal, "%s is on line %s, which %s", name, line, why)
			}
		}
	}
	for _, b := range l.Buttons {
		use(b.Name, b.Line, true)
	}
	for _, b := range l.Lamps {
		use(b.title(), b.Line, false)
	}
	if c.Interrupt != "" {
		use("the expanders' interrupt", c.Interrupt, true)
	}
	if c.Layout == Seats {
		for n := 1; n <= c.Seats; n++ {
			has := false
			for _, b := range l.Buttons {
				has = has || b.Seat == n
			}
			if !has {
				say("", false, "seat %d has no buttons: the header has room for four seats, each port expander for five (expanders = [\"0x20\"]); the seat plays from its phone", n)
			}
		}
	}
	return ps
}

// header is the 40-pin header of every Pi since the B+: pin 1 first.
var header = [40]string{
	"3.3 V", "5 V", "GPIO2", "5 V", "GPIO3", "ground", "GPIO4", "GPIO14", "ground", "GPIO15",
	"GPIO17", "GPIO18", "GPIO27", "ground", "GPIO22", "GPIO23", "3.3 V", "GPIO24", "GPIO10", "ground",
	"GPIO9", "GPIO25", "GPIO11", "GPIO8", "ground", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "ground",
	"GPIO6", "GPIO12", "GPIO13", "ground", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "ground", "GPIO21",
}

// headerPin is the pin of a line, 0 when it is not on the header.
func headerPin(line string) int {
	for i, n := range header {
		if n == line {
			return i + 1
		}
	}
	return 0
}

// users is who is on each line of the header and of the expanders.
func (l Layout) users(c Config) map[string]string {
	m := map[string]string{}
	add := func(line, name string) {
		if r, err := parseLine(line); err == nil && r.chip != 0 {
			line = fmt.Sprintf("0x%02x.%s", r.chip, pinName(r.pin))
		}
		if m[line] != "" {
			name = m[line] + " + " + name
		}
		m[line] = name
	}
	for _, b := range l.Buttons {
		add(b.Line, b.Name)
	}
	for _, b := range l.Lamps {
		if b.Name == Buzzer {
			add(b.Line, "~ buzzer")
		} else {
			add(b.Line, "* "+b.Name)
		}
	}
	if len(c.Expanders) > 0 {
		add("GPIO2", "I²C data (SDA)")
		add("GPIO3", "I²C clock (SCL)")
		if c.Interrupt != "" {
			add(c.Interrupt, "expanders' INT")
		}
	}
	return m
}

func pinName(pin int) string { return string(rune('A'+pin/8)) + string(rune('0'+pin%8)) }

// legend says how a button, a lamp and an expander are connected.
func (c Config) legend() []string {
	s := []string{
		"Button: between its line and ground, nothing else (the Pi pulls the line up).",
		"* lamp: line → 330 Ω → LED → ground. More than 10 mA needs a transistor.",
	}
	if c.ActiveHigh {
		s[0] = "Button: between its line and 3.3 V, nothing else (the Pi pulls the line down)."
	}
	if c.Buzzer != "" {
		s = append(s, "~ buzzer: an active one for 3.3 V, through a transistor.")
	}
	if len(c.Expanders) > 0 {
		s = append(s, "Expander MCP23017: VDD 3.3 V (never 5 V), VSS ground, RESET 3.3 V, SDA pin 3, SCL pin 5, A0–A2 set its address.")
	}
	return s
}

// ASCII is the plan as text: the header as it lies with pin 1 at the top left,
// the expanders, how to connect, and what is wrong.
func (c Config) ASCII() (string, error) {
	l, err := c.Plan()
	if err != nil {
		return "", err
	}
	c = c.Defaults()
	users := l.users(c)
	var b strings.Builder
	fmt.Fprintf(&b, "Layout %s", c.Layout)
	if c.Layout == Seats {
		fmt.Fprintf(&b, ", %d seats", c.Seats)
	}
	b.WriteString("\n\n")
	if c.Layout == None {
		b.WriteString("No buttons: the host page does everything, and a USB number pad if keypad = \"auto\".\n")
		return b.String(), nil
	}
	fmt.Fprintf(&b, "%*s\n", 48, "the 40-pin header, seen from above")
	for i := 0; i < len(header); i += 2 {
		fmt.Fprintf(&b, "%22s %8s  %2d o o %-2d  %-8s %s\n", users[header[i]], header[i], i+1, i+2, header[i+1], users[header[i+1]])
	}
	for _, e := range c.Expanders {
		a, err := parseAddress(e)
		if err != nil {
			continue
		}
		fmt.Fprintf(&b, "\n%*s\n", 40, fmt.Sprintf("expander 0x%02x", a))
		for k := range 8 {
			at := func(pin int) string { return users[fmt.Sprintf("0x%02x.%s", a, pinName(pin))] }
			fmt.Fprintf(&b, "%22s  %s  o o  %s  %s\n", at(8+k), pinName(8+k), pinName(7-k), at(7-k))
		}
	}
	b.WriteString("\n")
	for _, s := range c.legend() {
		b.WriteString(s + "\n")
	}
	for _, p := range l.check(c) {
		mark := "Mind: "
		if p.Fatal {
			mark = "WRONG: "
		}
		b.WriteString(mark + p.Says + ".\n")
	}
	text := strings.Split(b.String(), "\n")
	for i, s := range text {
		text[i] = strings.TrimRight(s, " ")
	}
	return strings.Join(text, "\n"), nil
}
