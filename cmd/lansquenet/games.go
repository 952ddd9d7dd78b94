package main

// gameCommands are play, simulate and odds.
var gameCommands = []command{
	{"odds", "[--packs N] [--ranks LIST] [--seen LIST] [--bank-card R --punters-card R] [--json]",
		"prints the exact odds of the next coup, or of one that runs", runOdds},
}
