package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"lansquenet/ledger/card"
	"lansquenet/ledger/odds"
)

// runOdds prints the exact odds of the next coup or of one that runs.
func runOdds(_ context.Context, t terminal, args []string) error {
	fs := flags(t, "odds")
	var q odds.Question
	fs.IntVar(&q.Packs, "packs", 1, "`N` packs in the shoe")
	rankList(fs, &q.Ranks, "ranks", "the `LIST` of ranks in the pack, as in A,7,8,9,10,J,Q,K; all when left out")
	rankList(fs, &q.Seen, "seen", "the `LIST` of cards out of the shoe, as in 7,Q,2,2")
	oneRank(fs, &q.Bank, "bank-card", "the bank's card `R` of a coup that runs")
	oneRank(fs, &q.Punt, "punters-card", "the punters' card `R` of a coup that runs")
	asJSON := fs.Bool("json", false, "print one JSON object")
	if _, err := parse(fs, args, 0, 0); err != nil {
		return err
	}
	if q.Packs == 0 {
		return misuse("--packs 0: a shoe has at least one pack")
	}
	a, err := odds.Ask(q)
	if err != nil {
		return misuse("%w", err)
	}
	if *asJSON {
		return json.NewEncoder(t.out).Encode(a)
	}
	_, err = fmt.Fprint(t.out, a)
	return err
}

// rankList is a flag that takes a list of ranks.
func rankList(fs *flag.FlagSet, to *[]card.Rank, name, usage string) {
	fs.Func(name, usage, func(s string) (err error) {
		*to, err = odds.ParseRanks(s)
		return err
	})
}

// oneRank is a flag that takes one rank.
func oneRank(fs *flag.FlagSet, to *card.Rank, name, usage string) {
	fs.Func(name, usage, func(s string) (err error) {
		*to, err = card.ParseRank(s)
		return err
	})
}
