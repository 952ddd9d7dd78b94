package main

import (
	"math"

	"lansquenet/cmd/internal/decks"
	"lansquenet/vision"
)

// seeCommands are classify, watch, eval and teach.
var seeCommands = []command{
	{"watch", "SOURCE [--json] [--deck NAME] [--roi X,Y,W,H]", "prints each card dealt in front of a camera", runWatch},
	{"classify", "IMAGE... [--json] [--deck NAME]", "prints the cards found in still pictures", runClassify},
	{"eval", "MANIFEST [--json]", "measures how well cards are read on a labelled set", runEval},
	{"teach", "--deck NAME SOURCE", "learns a deck from pictures or a video of its cards", runTeach},
}

// openEye loads the reader, for a taught deck when one is named.
func openEye(deck, data string) (vision.Eye, error) {
	if deck != "" {
		if _, err := decks.Folder(data, deck); err != nil {
			return nil, misuse("%w", err)
		}
	}
	return decks.Open(data, deck)
}

// thousandth and tenth cut numbers to what is worth printing.
func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }
func tenth(x float64) float64      { return math.Round(x*10) / 10 }
