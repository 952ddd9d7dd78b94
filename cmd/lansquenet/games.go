package main

// gameCommands are play, simulate and odds.
var gameCommands = []command{
	{"play", "FILE [--json] [--strict] [--data DIR]",
		"applies a script of actions and prints what each did; - is standard input", runPlay},
	{"simulate", "[--game G] [--packs N] [--ranks LIST] [--coups N] [--seed N] [--json]",
		"plays coups over the real engine and counts what came of them", runSimulate},
	{"odds", "[--packs N] [--ranks LIST] [--seen LIST] [--bank-card R --punters-card R] [--json]",
		"prints the exact odds of the next coup, or of one that runs", runOdds},
}
