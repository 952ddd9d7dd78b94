package main

import (
	"context"
	"encoding/json"
	"fmt"

	"lansquenet/ledger/game"
	"lansquenet/ledger/simulate"
)

// runSimulate plays many coups and prints the shares of each result.
func runSimulate(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "simulate")
	var o simulate.Options
	fs.StringVar(&o.Game, "game", game.Lansquenet, "the game `G`: lansquenet, skin or zecchinetta")
	fs.IntVar(&o.Packs, "packs", 1, "`N` packs in the shoe")
	rankList(fs, &o.Ranks, "ranks", "the `LIST` of ranks in the pack, as in A,7,8,9,10,J,Q,K; those of the game when left out")
	fs.IntVar(&o.Coups, "coups", 100_000, "`N` decided coups or hands to play")
	fs.Uint64Var(&o.Seed, "seed", 1, "`N` from which the cards are drawn; the same draws the same")
	fs.StringVar(&o.Reshuffle, "reshuffle", game.EveryCoup, "lansquenet: a fresh shoe every_coup, or only at its shoe_end")
	fs.StringVar(&o.ThirdCard, "third-card", game.Sweep, "zecchinetta: a third card that pairs is a sweep, matched or playette")
	asJSON := fs.Bool("json", false, "print one JSON object")
	if _, err := parse(fs, args, 0, 0); err != nil {
		return err
	}
	if o.Packs < 1 {
		return misuse("--packs %d: a shoe has at least one pack", o.Packs)
	}
	r, err := simulate.Run(ctx, o)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(t.err, "lansquenet simulate: stopped after %d coups\n", r.Coups)
	case err != nil:
		return misuse("%w", err)
	}
	if *asJSON {
		return json.NewEncoder(t.out).Encode(r)
	}
	_, err = fmt.Fprint(t.out, r)
	return err
}
