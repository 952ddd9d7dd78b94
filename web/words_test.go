package web

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lansquenet/ledger/game"
)

// The pages show what the engine says and offer what it offers: nothing in this
// package decides by a word of a game. Tables of words are fine, since a table
// can be read at a glance and added to.
func TestNoGameWordIsComparedWith(t *testing.T) {
	words := []string{game.Lansquenet, game.Skin, game.Zecchinetta, "doublet", "bank", "punters", "void", "match", "middle", "dead", "burn",
		"open", "cover", "banco", "pass", "close_bets", "card", "keep", "give", "sell", "claim", "bid", "close_sale", "shuffle", "shoe_out", "correct",
		"undo", "chips", "sit", "rise", "time_up", "close", "accept", "refuse", "max", "offer", "side", "side_accept", "take", "new_bank_card",
		"no_bank_card", "limits", "bet", "nocover", "first_card", "second_card", "draw", "capot", "decide", "sale", "closed", "turn", "bank_card",
		"negotiate", "pick", "bank_down", "hand_over", "betting", "reshuffle"}
	words = append(words, game.Profiles()...)
	for _, o := range game.Options() {
		words = append(append(words, o.Key), o.Values...)
	}
	compared := regexp.MustCompile(`(?:[!=]==?\s*|case\s+)"(` + strings.Join(words, "|") + `)"|"(` + strings.Join(words, "|") + `)"\s*[!=]==?`)
	phase := regexp.MustCompile(`[!=]=\s*game\.[A-Z]|case game\.`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"static/js/*.js", "static/js/page/*.js"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, more...)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if compared.MatchString(line) || phase.MatchString(line) {
				t.Errorf("%s:%d: %s", f, i+1, strings.TrimSpace(line))
			}
		}
	}
}
