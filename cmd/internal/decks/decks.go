// Package decks is the folder of taught decks in a data folder, and how one comes
// into it: by pictures, by a film of a pack being dealt, or card by card before
// the camera while the host's page asks for them. It promises that a lesson that
// fails leaves an older deck of that name as it was, and that a deck is only taken
// in after the reader itself could load it.
//
// How a taught deck reads is package cv's; which card comes next is the caller's.
package decks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// longest is how many signs a deck's name has at most.
const longest = 40

// Folder is where the deck of that name lies in a data folder.
func Folder(data, name string) (string, error) {
	if name == "" || name != filepath.Base(name) || name[0] == '.' || name != strings.TrimSpace(name) || strings.ContainsFunc(name, unprintable) || utf8.RuneCountInString(name) > longest {
		return "", fmt.Errorf("%q can't be a deck's name: use up to %d letters and digits", name, longest)
	}
	return filepath.Join(data, "decks", name), nil
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) || r == '\\' || r == utf8.RuneError }

// List are the names of the decks in a data folder, in alphabetical order.
func List(data string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(data, "decks"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the taught decks cannot be listed: %w", err)
	}
	var names []string
	for _, e := range entries {
		if _, err := Folder(data, e.Name()); err == nil && e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Open loads the reader, for a taught deck when one is named.
func Open(data, name string) (vision.Eye, error) {
	var o cv.EyeOptions
	if name != "" {
		dir, err := Folder(data, name)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("there is no deck %q in %s: teach it with `lansquenet teach --deck %s SOURCE`, or on the camera page", name, filepath.Dir(dir), name)
		}
		o.Deck = dir
	}
	eye, err := cv.NewEye(o)
	if err != nil {
		return nil, err
	}
	return eye, nil
}

// Order is the order in which a pack is dealt while it is taught.
type Order struct {
	Ranks []card.Rank
	Suits []card.Suit
}

// Cards are the pack's cards, suit after suit.
func (o Order) Cards() []card.Card {
	var out []card.Card
	for _, s := range o.Suits {
		for _, r := range o.Ranks {
			out = append(out, card.Card{Rank: r, Suit: s})
		}
	}
	return out
}

// AllSuits are the four suits in the usual order. They stand for any four: cups
// and coins, acorns and bells.
var AllSuits = []card.Suit{card.Clubs, card.Diamonds, card.Hearts, card.Spades}

// Pack is a kind of pack that is sold: how its cards are called is the page's.
type Pack struct {
	Name string
	Order
}

// Packs are the kinds that the page offers.
var Packs = []Pack{
	{"french52", Order{card.All[:], AllSuits}},
	{"french36", Order{sixUp, AllSuits}},
	{"french32", Order{sixUp[1:], AllSuits}},
	{"italian40", Order{[]card.Rank{card.Ace, card.Two, card.Three, card.Four, card.Five, card.Six, card.Seven, card.Jack, card.Queen, card.King}, AllSuits}},
	{"german36", Order{sixUp, AllSuits}},
	{"german32", Order{sixUp[1:], AllSuits}},
}

var sixUp = []card.Rank{card.Six, card.Seven, card.Eight, card.Nine, card.Ten, card.Jack, card.Queen, card.King, card.Ace}

// Draft is a deck that is being taught. It lies beside its place and is moved
// there whole.
type Draft struct {
	Dir string
	*cv.Lesson
	place string
}

// NewDraft begins the deck of that name. The caller ends it with Discard, also
// after Keep.
func NewDraft(data, name string) (*Draft, error) {
	place, err := Folder(data, name)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return nil, err
	}
	if err := sweep(filepath.Dir(place)); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(place), hidden)
	if err != nil {
		return nil, err
	}
	d := &Draft{dir, cv.NewLesson(dir), place}
	if err := os.Chmod(dir, 0o755); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

// hidden is how the names of drafts begin, and forgotten how long nothing came into
// one whose lesson was broken off with the program.
const (
	hidden    = ".teaching-"
	forgotten = 24 * time.Hour
)

// sweep throws forgotten drafts away. A younger one may be of a lesson that runs,
// in another program too.
func sweep(decks string) error {
	drafts, err := os.ReadDir(decks)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		if !strings.HasPrefix(d.Name(), hidden) {
			continue
		}
		info, err := d.Info()
		if errors.Is(err, os.ErrNotExist) {
			continue // its lesson has just ended
		}
		if err != nil {
			return err
		}
		if time.Since(info.ModTime()) > forgotten {
			_ = os.RemoveAll(filepath.Join(decks, d.Name())) // what stays is in nobody's way
		}
	}
	return nil
}

// Check loads the deck as the reader will and says which cards of different ranks
// it could not tell apart.
func (d *Draft) Check() ([][2]card.Card, error) { return cv.Confusable(d.Dir) }

// Keep moves the deck to its place, over an older one, and says where that is.
func (d *Draft) Keep() (string, error) {
	// The older one goes only when the new one stands in its place.
	old := d.Dir + "-old"
	err := os.Rename(d.place, old)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	replaced := err == nil
	if err := os.Rename(d.Dir, d.place); err != nil {
		if replaced {
			err = errors.Join(err, os.Rename(old, d.place))
		}
		return "", err
	}
	_ = os.RemoveAll(old) // what stays is hidden and in nobody's way
	return d.place, nil
}

// Discard throws away what was not kept.
func (d *Draft) Discard() {
	_ = os.RemoveAll(d.Dir) // what stays is hidden and in nobody's way
}
