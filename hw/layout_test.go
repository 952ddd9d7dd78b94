package hw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the plans in testdata")

func TestPlans(t *testing.T) {
	for name, c := range map[string]Config{
		"console": {Layout: Console, Buzzer: "GPIO12"},
		"seats-4": {Layout: Seats, Seats: 4},
		"seats-5": {Layout: Seats, Seats: 5},
		"seats-10": {Layout: Seats, Seats: 10, Expanders: []string{"0x20", "0x21"}, Interrupt: "GPIO4",
			Lamps: map[string]string{AskHost: "0x20.A6"}},
		"wrong": {Layout: Console, Lines: map[string]string{"pass": "GPIO17", "undo": "GPIO0", "bank": "0x20.A7", "deal": "GPIO10"},
			Expanders: []string{"0x20"}, Lamps: map[string]string{BankWon: "GPIO2"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.ASCII()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".txt")
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the plan has changed (-rewrite takes it over):\n%s", got)
			}
			svg, err := c.SVG()
			if err != nil {
				t.Fatal(err)
			}
			d := xml.NewDecoder(bytes.NewReader(svg))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal("the drawing is no XML:", err)
				}
			}
			l, _ := c.Plan()
			for _, b := range l.Buttons {
				if !bytes.Contains(svg, []byte(b.Name)) {
					t.Errorf("the drawing leaves out %s", b.Name)
				}
			}
		})
	}
}

// Every usual plan is sound: no line twice, none reserved, every seat with room
// has its buttons and its lamp.
func TestUsualPlansAreSound(t *testing.T) {
	try := func(c Config) {
		ps, err := c.Check()
		if err != nil || len(ps) > 0 {
			t.Errorf("%+v: %v %v", c, ps, err)
		}
		l, _ := c.Plan()
		for _, b := range l.Buttons {
			if r, _ := parseLine(b.Line); r.chip == 0 && headerPin(b.Line) == 0 {
				t.Errorf("%s: %s is not on the header", b.Name, b.Line)
			}
		}
	}
	try(Config{Layout: Console, Buzzer: "GPIO12"})
	for n := 2; n <= MaxSeats; n++ {
		c := Config{Layout: Seats, Seats: n}
		if n > 4 {
			c.Expanders, c.Interrupt = []string{"0x20", "0x21"}, "GPIO4"
		}
		try(c)
		l, _ := c.Plan()
		if len(l.Buttons) != 2*n || len(l.Lamps) != n+4 {
			t.Errorf("%d seats: %d buttons, %d lamps", n, len(l.Buttons), len(l.Lamps))
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct {
		Config
		says string
	}{
		{Config{Layout: "box"}, `layout = "box"`},
		{Config{Layout: Seats, Seats: 11}, "seats = 11"},
		{Config{Layout: Console, Lines: map[string]string{"cover": "17"}}, "write GPIO17"},
		{Config{Layout: Console, Lines: map[string]string{"cover": "GPIO28"}}, "GPIO2 to GPIO27"},
		{Config{Layout: Console, Lines: map[string]string{"cover": "GPIO017"}}, "GPIO017"},
		{Config{Layout: Console, Lines: map[string]string{"cover": "0x20.C1"}}, "0x20.C1"},
		{Config{Layout: Console, Lines: map[string]string{"cover": "0x28.A1"}}, "0x28.A1"},
		{Config{Layout: Console, Lines: map[string]string{"fold": "GPIO4"}}, `no button "fold"; it has cover, banco`},
		{Config{Layout: Console, Lamps: map[string]string{"moon": "GPIO4"}}, `no lamp "moon"`},
		{Config{Layout: Console, Lines: map[string]string{"cover": "GPIO27"}}, "cover and banco are both on line GPIO27"},
		{Config{Layout: Console, Lines: map[string]string{"cover": "GPIO1"}}, "EEPROM"},
		{Config{Layout: Console, Lines: map[string]string{"cover": "0x20.A1"}}, "does not list 0x20"},
		{Config{Layout: Console, Expanders: []string{"0x20", "0x20"}}, "listed twice"},
		{Config{Layout: Console, Expanders: []string{"0x20"}, Lines: map[string]string{"cover": "GPIO3"}}, "I²C"},
		{Config{Layout: Console, Expanders: []string{"0x20"}, Lines: map[string]string{"cover": "0x20.GPB7"}}, "must not be inputs"},
		{Config{Keypad: "auto", Keys: map[string]string{"KP77": "pass"}}, `no key "KP77"`},
		{Config{Keypad: "auto", Keys: map[string]string{"KP7": "fold"}}, `KP7 = "fold"`},
	} {
		_, err := Open(c.Config, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want …%s…", c.Config, err, c.says)
		}
	}
}

// The drawn header is the real one: a line's pin is where every Pi has it.
func TestHeader(t *testing.T) {
	for line, pin := range map[string]int{"GPIO2": 3, "GPIO3": 5, "GPIO14": 8, "GPIO17": 11, "GPIO18": 12, "GPIO27": 13,
		"GPIO10": 19, "GPIO25": 22, "GPIO0": 27, "GPIO1": 28, "GPIO12": 32, "GPIO26": 37, "GPIO21": 40} {
		if got := headerPin(line); got != pin {
			t.Errorf("%s is on pin %d, want %d", line, got, pin)
		}
	}
	seen := map[string]int{}
	for _, n := range header {
		seen[n]++
	}
	if len(seen) != 28+3 || seen["ground"] != 8 || seen["3.3 V"] != 2 || seen["5 V"] != 2 {
		t.Errorf("%v", seen)
	}
}
