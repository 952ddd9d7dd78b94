package hw

import (
	"fmt"
	"os"
	"strings"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/host/v3/gpioioctl"
)

// Finding is one thing Examine looked at.
type Finding struct {
	OK   bool
	Says string // what was found, and what to do when it is not well
}

// Examine looks whether the configured panel is really there: the layout on
// paper, every line, every expander, the number pad. It asks for each line and
// gives it back at once, so it must not run beside a panel that is at work:
// that one's lines are found busy.
func Examine(cfg Config) []Finding {
	cfg = cfg.Defaults()
	plan, err := cfg.Plan()
	if err != nil {
		return []Finding{{false, err.Error()}}
	}
	if _, err := cfg.keyPlan(); err != nil {
		return []Finding{{false, err.Error()}}
	}
	var fs []Finding
	say := func(ok bool, f string, a ...any) { fs = append(fs, Finding{ok, fmt.Sprintf(f, a...)}) }
	if cfg.Layout == None && cfg.Keypad == "" {
		say(true, "no buttons are configured: the host page does everything")
		return fs
	}
	for _, p := range plan.check(cfg) {
		say(!p.Fatal, "%s", p.Says)
	}
	if cfg.Layout != None {
		fs = append(fs, examineLines(cfg, plan)...)
	}
	if len(cfg.Expanders) > 0 {
		fs = append(fs, examineExpanders(cfg)...)
	}
	if cfg.Keypad != "" {
		f, err := openKeypad(cfg.Keypad)
		if err == nil {
			say(true, "number pad: %s", f.Name())
			_ = f.Close()
		} else {
			say(false, "%s", padTrouble(err).Says)
		}
	}
	return fs
}

// examineLines tries every line of the header that the layout uses.
func examineLines(cfg Config, plan Layout) (fs []Finding) {
	type user struct{ name, line string }
	var in, out []user
	for _, b := range plan.Buttons {
		in = append(in, user{b.Name, b.Line})
	}
	if cfg.Interrupt != "" {
		in = append(in, user{"the expanders' interrupt", cfg.Interrupt})
	}
	for _, l := range plan.Lamps {
		out = append(out, user{l.title(), l.Line})
	}
	well := 0
	try := func(u user, request func(*gpioioctl.GPIOChip, *gpioioctl.GPIOLine) error) {
		if r, _ := parseLine(u.line); r.chip != 0 {
			return
		}
		c, l, err := findLine(u.line)
		if err == nil {
			err = request(c, l)
		}
		if err != nil {
			fs = append(fs, Finding{false, explain(u.name, u.line, l, err).Says})
			return
		}
		well++
	}
	pull, rest := gpio.PullUp, uint64(1)
	if cfg.ActiveHigh {
		pull, rest = gpio.PullDown, 0
	}
	var down []string
	for _, u := range in {
		try(u, func(c *gpioioctl.GPIOChip, l *gpioioctl.GPIOLine) error {
			g, err := requestInputs(c, []*gpioioctl.GPIOLine{l}, pull)
			if err != nil {
				return err
			}
			defer g.close()
			if v, err := g.read(); err != nil {
				return err
			} else if v != rest {
				down = append(down, u.name)
			}
			return nil
		})
	}
	for _, u := range out {
		// A lamp's line is only looked up: asking for it would switch it.
		try(u, func(*gpioioctl.GPIOChip, *gpioioctl.GPIOLine) error { return nil })
	}
	if len(down) > 0 {
		fs = append(fs, Finding{false, fmt.Sprintf("%s: pressed now. If nobody does, the button is stuck or wired to the wrong side.", strings.Join(down, ", "))})
	}
	if len(fs) > 0 && len(gpioioctl.Chips) == 0 {
		return fs[:1] // without a chip every line says the same
	}
	if well > 0 {
		model, _ := os.ReadFile("/proc/device-tree/model")
		fs = append(fs, Finding{true, strings.TrimSpace(fmt.Sprintf("%d lines are there and free (%s) %s", well, chipNames(), strings.Trim(string(model), "\x00")))})
	}
	return fs
}

func examineExpanders(cfg Config) (fs []Finding) {
	bus, err := openBus(cfg.Bus)
	if err != nil {
		return []Finding{{false, "The port expanders are off. " + err.Error() + "."}}
	}
	defer bus.Close()
	for _, e := range cfg.Expanders {
		addr, err := parseAddress(e)
		if err != nil {
			continue // the layout's check has said so
		}
		var b [2]byte
		if err := (&i2c.Dev{Bus: bus, Addr: addr}).Tx([]byte{regIODIR}, b[:]); err != nil {
			fs = append(fs, Finding{false, silent(e)})
			continue
		}
		fs = append(fs, Finding{true, "port expander " + e + " answers"})
	}
	return fs
}

// silent is the sentence for an expander that does not answer.
func silent(name string) string {
	return fmt.Sprintf("The port expander %s does not answer: check its cable, supply and address pins. Its buttons and lamps are off until it does.", name)
}
