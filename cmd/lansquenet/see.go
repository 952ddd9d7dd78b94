package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// seeCommands are classify, watch, eval and teach.
var seeCommands = []command{
	{"watch", "SOURCE [--json] [--deck NAME] [--roi X,Y,W,H]", "prints each card dealt in front of a camera", runWatch},
	{"classify", "IMAGE... [--json] [--deck NAME]", "prints the cards found in still pictures", runClassify},
	{"eval", "MANIFEST [--json]", "measures how well cards are read on a labelled set", runEval},
	{"teach", "--deck NAME SOURCE", "learns a deck from pictures or a video of its cards", runTeach},
}

// deckFolder is where the deck of that name lies.
func deckFolder(name, data string) (string, error) {
	if name == "" || name != filepath.Base(name) || name[0] == '.' {
		return "", misuse("%q can't be a deck's name: use letters and digits", name)
	}
	return filepath.Join(data, "decks", name), nil
}

// openEye loads the reader, for a taught deck when one is named.
func openEye(deck, data string) (vision.Eye, error) {
	var o cv.EyeOptions
	if deck != "" {
		dir, err := deckFolder(deck, data)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("there is no deck %q in %s: teach it with `lansquenet teach --deck %s SOURCE`", deck, filepath.Dir(dir), deck)
		}
		o.Deck = dir
	}
	eye, err := cv.NewEye(o)
	if err != nil {
		return nil, err
	}
	return eye, nil
}

// thousandth and tenth cut numbers to what is worth printing.
func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }
func tenth(x float64) float64      { return math.Round(x*10) / 10 }
