package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision/scene"
)

// lesson is a small pack without indices, in the order in which it is taught.
var lesson = []card.Card{
	{Rank: card.Ace, Suit: card.Clubs}, {Rank: card.Seven, Suit: card.Clubs}, {Rank: card.King, Suit: card.Clubs},
	{Rank: card.Ace, Suit: card.Hearts}, {Rank: card.Seven, Suit: card.Hearts}, {Rank: card.King, Suit: card.Hearts},
}

var lessonFlags = []string{"--ranks", "A,7,K", "--suits", "clubs,hearts"}

// teach runs the command with a data folder.
func teach(t *testing.T, data, deck, source string, more ...string) (code int, stdout, stderr string) {
	t.Helper()
	return call(t, "", append([]string{"teach", "--data", data, "--deck", deck, source}, more...)...)
}

// readWith says which ranks watch tells of a film, by a taught deck.
func readWith(t *testing.T, data, deck, film string) string {
	t.Helper()
	code, stdout, stderr := call(t, "", "watch", "--json", "--data", data, "--deck", deck, film)
	if code != done || stderr != "" {
		t.Fatalf("watch: exit %d, %q", code, stderr)
	}
	var told []string
	for _, e := range lines[map[string]any](t, stdout) {
		if e["event"] == "card" {
			told = append(told, fmt.Sprint(e["rank"]))
		}
	}
	return strings.Join(told, " ")
}

// testFilm shows three cards of the lesson at other places, turned otherwise and
// under another light.
func testFilm(t *testing.T, dir string) (name, want string) {
	t.Helper()
	o := small(scene.Bare)
	o.Seed, o.Light.Warm, o.Table = 12, 0.3, scene.Wood
	return film(t, dir, "test", o, func(s *scene.Scene) {
		s.Wave(scene.Spot{Y: 90})
		for i, k := range []int{4, 2, 0} {
			s.Deal(lesson[k], scene.Spot{X: float64(80*i - 80), Turn: float64(9*i - 12)})
		}
	}), "7 K A"
}

// TestTeachByVideo deals a pack without indices before the camera and then plays
// with it; the deck's folder is all that there is to copy.
func TestTeachByVideo(t *testing.T) {
	needReader(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	dealing := film(t, dir, "lesson", small(scene.Bare), func(s *scene.Scene) {
		s.Wave(scene.Spot{Y: 90})
		for i, c := range lesson {
			s.Deal(c, scene.Spot{X: float64(i%3)*8 - 8, Turn: float64(i%2) * 6})
		}
	})
	code, stdout, stderr := teach(t, at("data"), "Sicilian è", dealing, lessonFlags...)
	if code != done || stderr != "" || !strings.Contains(stdout, "6 cards learned") {
		t.Fatalf("exit %d, %q, %q", code, stdout, stderr)
	}
	if err := os.CopyFS(at("elsewhere/decks/copied"), os.DirFS(at("data/decks/Sicilian è"))); err != nil {
		t.Fatal(err)
	}
	test, want := testFilm(t, dir)
	if got := readWith(t, at("elsewhere"), "copied", test); got != want {
		t.Errorf("read %q, want %q", got, want)
	}
	// A pack that isn't what was said is no deck, and the old one stays.
	code, _, stderr = teach(t, at("data"), "Sicilian è", dealing, "--ranks", "A,7", "--suits", "clubs,hearts")
	if code != failed || !strings.Contains(stderr, "but the pack has 4") {
		t.Errorf("two cards too many: exit %d, %q", code, stderr)
	}
	if left, _ := filepath.Glob(at("data/decks/Sicilian è/*.png")); len(left) != 6 {
		t.Errorf("the deck taught before has %d pictures", len(left))
	}
}

// TestTeachByPictures learns the same pack from a folder, by the files' names and
// by their order, and refuses folders that leave something open.
func TestTeachByPictures(t *testing.T) {
	needReader(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, d := range []string{"named", "ordered"} {
		if err := os.Mkdir(at(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range lesson {
		b := pictureOf(t, small(scene.Bare), c)
		write(t, at(fmt.Sprintf("named/%s of %s.png", c.Rank, c.Suit)), b)
		write(t, at(fmt.Sprintf("ordered/%02d.png", i)), b)
	}
	test, want := testFilm(t, dir)
	for deck, more := range map[string][]string{"named": nil, "ordered": lessonFlags} {
		code, stdout, stderr := teach(t, at("data"), deck, at(deck), more...)
		if code != done || stderr != "" || !strings.Contains(stdout, "6 cards learned") {
			t.Fatalf("%s: exit %d, %q, %q", deck, code, stdout, stderr)
		}
		if deck == "named" {
			if got := readWith(t, at("data"), deck, test); got != want {
				t.Errorf("read %q, want %q", got, want)
			}
		}
	}
	refused := func(says, deck string, more ...string) {
		t.Helper()
		code, _, stderr := teach(t, at("data"), "new", at(deck), more...)
		if code != failed || !strings.Contains(stderr, says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("exit %d, %q; want something about %q", code, stderr, says)
		}
		if _, err := os.Stat(at("data/decks/new")); err == nil {
			t.Error("it left a deck")
		}
	}
	refused("6 pictures, but the pack has 52", "ordered")
	write(t, at("named/somebody.png"), pictureOf(t, small(scene.Bare), lesson[0]))
	refused("which card is it", "named")
	if err := os.Remove(at("named/somebody.png")); err != nil {
		t.Fatal(err)
	}
	write(t, at("named/2 of clubs.png"), []byte("torn"))
	refused("not a picture", "named")
	// A deck that somebody spoiled is named with what is wrong in it.
	write(t, at("data/decks/named/holiday.png"), []byte("x"))
	if code, _, stderr := call(t, "", "watch", "--data", at("data"), "--deck", "named", test); code != failed || !strings.Contains(stderr, "holiday.png") {
		t.Errorf("a spoiled deck: exit %d, %q", code, stderr)
	}
}
