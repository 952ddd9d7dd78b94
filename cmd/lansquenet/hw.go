package main

import (
	"context"
	"fmt"
	"os"

	"lansquenet/cmd/internal/config"
	"lansquenet/hw"
)

// hwCommands are wiring.
var hwCommands = []command{
	{"wiring", "[--config FILE] [--layout console|seats] [--seats N] [--svg FILE] [--check]",
		"prints the pin plan of the buttons and lamps, and what is wrong with it", wiring},
}

// wiring is the command wiring.
func wiring(_ context.Context, t terminal, args []string) error {
	fs := flags(t, "wiring")
	file := fs.String("config", "", "`FILE` with the configuration")
	layout := fs.String("layout", "", "plan this layout instead: console or seats")
	seats := fs.Int("seats", 0, "with buttons at so many seats")
	svg := fs.String("svg", "", "write the plan as a drawing to `FILE`")
	check := fs.Bool("check", false, "look at this machine too: lines that are missing or busy")
	if _, err := parse(fs, args, 0, 0); err != nil {
		return err
	}
	all, err := config.Load(*file, os.Environ())
	if err != nil {
		return err
	}
	c := all.Buttons
	if *layout != "" {
		c.Layout = *layout
	}
	if *seats != 0 {
		c.Seats = *seats
	}
	if c.Layout == "" && *file == "" {
		c.Layout = hw.Console // who asks for a plan wants to see one
	}
	text, err := c.ASCII()
	if err != nil {
		return err
	}
	fmt.Fprint(t.out, text)
	if *svg != "" {
		b, err := c.SVG()
		if err != nil {
			return err
		}
		if err := os.WriteFile(*svg, b, 0o644); err != nil {
			return fmt.Errorf("the drawing cannot be written: %w", err)
		}
	}
	problems, err := c.Check()
	if err != nil {
		return err
	}
	wrong := 0
	for _, p := range problems {
		if p.Fatal {
			wrong++
		}
	}
	if *check {
		fmt.Fprintln(t.out)
		for _, f := range hw.Examine(c) {
			sign := "ok  "
			if !f.OK {
				sign = "BAD "
				wrong++
			}
			fmt.Fprintln(t.out, sign, f.Says)
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d things are wrong with this plan", wrong)
	}
	return nil
}
