package decks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/vision/cv"
)

func TestFolder(t *testing.T) {
	for _, good := range []string{"Sicilian è", "36", "a.b", strings.Repeat("ж", longest)} {
		if dir, err := Folder("data", good); err != nil || dir != filepath.Join("data", "decks", good) {
			t.Errorf("%q: %q, %v", good, dir, err)
		}
	}
	for _, bad := range []string{"", ".", "..", ".teaching-1", "a/b", `a\b`, "a\nb", "a\xff", " ", "a ", "a\u200bb", "a\u202eb", "a\u007f", strings.Repeat("x", longest+1)} {
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

// TestForgottenDrafts: what a program that was killed had begun to be taught goes
// with a later lesson; what another one teaches now stays.
func TestForgottenDrafts(t *testing.T) {
	data := t.TempDir()
	for name, age := range map[string]time.Duration{".teaching-killed": 2 * forgotten, ".teaching-runs": time.Minute, "old": 2 * forgotten} {
		dir := filepath.Join(data, "decks", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(dir, at, at); err != nil {
			t.Fatal(err)
		}
	}
	d, err := NewDraft(data, "new")
	if err != nil {
		t.Fatal(err)
	}
	d.Discard()
	left, err := os.ReadDir(filepath.Join(data, "decks"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != ".teaching-runs old" {
		t.Errorf("left is %q", got)
	}
}

// TestKeepThatFails leaves the older deck in its place.
func TestKeepThatFails(t *testing.T) {
	data := t.TempDir()
	old := filepath.Join(data, "decks", "old")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(old, "K-hearts-1.png"), []byte("png"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := NewDraft(data, "old")
	if err != nil {
		t.Fatal(err)
	}
	d.Discard() // somebody tidied up
	if _, err := d.Keep(); err == nil {
		t.Error("a draft that is gone was kept")
	}
	if _, err := os.Stat(filepath.Join(old, "K-hearts-1.png")); err != nil {
		t.Errorf("the older deck: %v", err)
	}
}
