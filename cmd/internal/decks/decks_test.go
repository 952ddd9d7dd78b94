package decks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision/cv"
)

func TestFolder(t *testing.T) {
	for _, good := range []string{"Sicilian è", "36", "a.b", strings.Repeat("ж", longest)} {
		if dir, err := Folder("data", good); err != nil || dir != filepath.Join("data", "decks", good) {
			t.Errorf("%q: %q, %v", good, dir, err)
		}
	}
	for _, bad := range []string{"", ".", "..", ".teaching-1", "a/b", `a\b`, "a\nb", "a\xff", strings.Repeat("x", longest+1)} {
		if dir, err := Folder("data", bad); err == nil {
			t.Errorf("%q becomes %q", bad, dir)
		}
	}
}

// TestDraft: a deck comes to its place whole or not at all, over an older one.
func TestDraft(t *testing.T) {
	data := t.TempDir()
	lesson := func(keep bool, cards ...card.Card) {
		t.Helper()
		d, err := NewDraft(data, "old")
		if err != nil {
			t.Fatal(err)
		}
		defer d.Discard()
		for _, c := range cards {
			if err := os.WriteFile(filepath.Join(d.Dir, cv.CardFile(c, 1)), []byte("png"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Forget(cards[0]); err != nil {
			t.Fatal(err)
		}
		if keep {
			if _, err := d.Keep(); err != nil {
				t.Fatal(err)
			}
		}
	}
	seven, king, none := card.Card{Rank: card.Seven, Suit: card.Clubs}, card.Card{Rank: card.King, Suit: card.Hearts}, card.Card{}
	content := func() string {
		names, err := List(data)
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(data, "decks", "*", "*"))
		hidden, _ := filepath.Glob(filepath.Join(data, "decks", ".*", "*"))
		out := strings.Join(names, " ")
		for _, f := range append(files, hidden...) {
			out += " " + filepath.Base(f)
		}
		return out
	}
	lesson(true, seven, king)
	if got := content(); got != "old K-hearts-1.png" {
		t.Errorf("first: %q", got)
	}
	lesson(false, seven, seven)
	if got := content(); got != "old K-hearts-1.png" {
		t.Errorf("a lesson that was broken off: %q", got)
	}
	lesson(true, king, none)
	if got := content(); got != "old none--1.png" {
		t.Errorf("taught anew: %q", got)
	}
}

// TestPacks: every pack has each of its cards once.
func TestPacks(t *testing.T) {
	for _, p := range Packs {
		seen := map[card.Card]bool{}
		for _, c := range p.Cards() {
			seen[c] = true
		}
		if n := len(seen); n != len(p.Cards()) || !strings.HasSuffix(p.Name, map[int]string{52: "52", 40: "40", 36: "36", 32: "32"}[n]) {
			t.Errorf("%s has %d different cards of %d", p.Name, n, len(p.Cards()))
		}
	}
}
