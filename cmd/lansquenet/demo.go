package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"lansquenet/cmd/internal/config"
	"lansquenet/cmd/internal/demo"
	"lansquenet/cmd/internal/house"
	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// runDemo is the command demo: the night of `run`, with a rendered table for a
// camera and scripted players at simulated buttons. Its journal is a real one in
// a folder that is gone afterwards.
func runDemo(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "demo")
	headless := fs.Bool("headless", false, "no pages: play as fast as can be and print how it ended")
	seed := fs.Uint64("seed", 1, "`N` for the shoe, the players and the light")
	coups := fs.Int("coups", 0, "`N` decided coups, then the night ends; 0: on and on (10 when headless)")
	speed := fs.Float64("speed", 0, "`X` times as fast as people play; 0: 1, or as fast as can be when headless")
	asJSON := fs.Bool("json", false, "print the end as JSON")
	listen := fs.String("listen", "", "`ADDR` of the pages, as :8080")
	play := fs.String("game", "lansquenet", "lansquenet, skin or zecchinetta")
	profile := fs.String("profile", "pagat", "house rules of lansquenet: pagat, ru or it")
	if _, err := parse(fs, args, 0, 0); err != nil {
		return err
	}
	profiled := false
	fs.Visit(func(f *flag.Flag) { profiled = profiled || f.Name == "profile" })
	switch {
	case *coups < 0:
		return misuse("--coups %d: 0 or more", *coups)
	case !(*speed >= 0) || math.IsInf(*speed, 1):
		return misuse("--speed %v: a number, 0 or more", *speed)
	case !slices.Contains([]string{game.Lansquenet, game.Skin, game.Zecchinetta}, *play):
		return misuse("--game %s: lansquenet, skin or zecchinetta", *play)
	case !slices.Contains(game.Profiles(), *profile):
		return misuse("--profile %s: %s", *profile, strings.Join(game.Profiles(), ", "))
	case profiled && *play != game.Lansquenet:
		return misuse("--profile: only lansquenet has them, not %s", *play)
	}
	o := demo.Options{Seed: *seed, Coups: *coups, Speed: *speed, Game: *play}
	if *play == game.Lansquenet {
		o.Profile = *profile
	}
	if *headless && o.Coups == 0 {
		o.Coups = 10
	}
	if !*headless && o.Speed == 0 {
		o.Speed = 1
	}
	end, err := hostDemo(ctx, t, o, *headless, *listen)
	if err != nil {
		return err
	}
	if *headless || *asJSON {
		return end.print(t, *asJSON)
	}
	return nil
}

// demoEnd is how a night of the demo ended.
type demoEnd struct {
	Final ledger.Final `json:"final"`
	deals []demo.Deal
}

// hostDemo hosts a demo's night.
func hostDemo(ctx context.Context, t terminal, o demo.Options, headless bool, listen string) (demoEnd, error) {
	dir, err := os.MkdirTemp("", "lansquenet-demo-")
	if err != nil {
		return demoEnd{}, fmt.Errorf("no folder for the demo's journal: %w", err)
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(ctx)
	defer stop()

	table := demo.New(o)
	n := night{cfg: config.Default(), out: t.out, source: table, buttons: table.Buttons(), dice: table.Dice(), pages: !headless, passing: true,
		over:   stop,
		seated: func(c *ledger.Croupier, cam *house.Camera) { table.Seat(c, cam, meaning(1)) }}
	n.cfg.Data.Dir, n.cfg.Camera.Source = dir, "demo"
	if listen != "" {
		n.cfg.Web.Listen = listen
	}
	if headless {
		n.log, n.now = slog.New(slog.DiscardHandler), table.Clock
	} else {
		n.log = logger(t.err)
	}
	final, err := n.host(ctx)
	return demoEnd{final, table.Deals()}, err
}

// print writes the end, and on standard error how the cards were read.
func (e demoEnd) print(t terminal, asJSON bool) error {
	read, asked, missed, misread := 0, 0, 0, 0
	for _, d := range e.deals {
		switch {
		case d.Read.Rank == card.NoRank: // the night was broken off before it was told
		case d.Read.Rank != d.Dealt.Rank:
			misread++
		case d.By == "camera":
			read++
		case d.By == "host":
			asked++
		default:
			missed++
		}
	}
	fmt.Fprintf(t.err, "%d cards dealt: %d read, %d asked about, %d missed, %d misread\n", len(e.deals), read, asked, missed, misread)
	if asJSON {
		return json.NewEncoder(t.out).Encode(e)
	}
	f := e.Final
	fmt.Fprintf(t.out, "%s, %d coups, phase %s, banker %s\n", f.Game, f.Coups, f.Phase, f.Banker)
	for _, p := range slices.Sorted(maps.Keys(f.Chips)) {
		fmt.Fprintf(t.out, "%6d  %s\n", f.Chips[p], p)
	}
	return nil
}
