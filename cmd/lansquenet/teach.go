package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// packOrder is the order in which a pack is dealt while it is taught.
type packOrder struct {
	ranks []card.Rank
	suits []card.Suit
}

// cards are the pack's cards, suit after suit.
func (o packOrder) cards() []card.Card {
	var out []card.Card
	for _, s := range o.suits {
		for _, r := range o.ranks {
			out = append(out, card.Card{Rank: r, Suit: s})
		}
	}
	return out
}

func (o *packOrder) flags(fs *flag.FlagSet) {
	o.ranks = card.All[:]
	o.suits = []card.Suit{card.Clubs, card.Diamonds, card.Hearts, card.Spades}
	fs.Func("ranks", "the `LIST` of ranks in the order they are dealt, as in A,2,3,4,5,6,7,J,Q,K for an Italian pack", func(s string) error {
		o.ranks = nil
		for _, p := range strings.Split(s, ",") {
			r, err := card.ParseRank(p)
			if err != nil {
				return err
			}
			o.ranks = append(o.ranks, r)
		}
		return nil
	})
	fs.Func("suits", "the `LIST` of suits in the order they are dealt; clubs,diamonds,hearts,spades stand for any four", func(s string) error {
		o.suits = nil
		for _, p := range strings.Split(s, ",") {
			u, err := card.ParseSuit(p)
			if err != nil {
				return err
			}
			o.suits = append(o.suits, u)
		}
		return nil
	})
}

// runTeach learns a deck from pictures or from a video of its cards.
func runTeach(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "teach")
	name := fs.String("deck", "", "the `NAME` to give the deck")
	var order packOrder
	order.flags(fs)
	data := dataFlag(fs)
	rest, err := parse(fs, args, 1, 1)
	if err != nil {
		return err
	}
	if *name == "" {
		return misuse("--deck is missing: give the deck a name")
	}
	dir, err := deckFolder(*name, *data)
	if err != nil {
		return err
	}
	// The deck is made beside its place and moved there whole, so that a lesson
	// that fails leaves an older deck as it was.
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	draft, err := os.MkdirTemp(filepath.Dir(dir), ".teaching-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	if err := os.Chmod(draft, 0o755); err != nil {
		return err
	}
	n, err := learn(ctx, draft, rest[0], order)
	if err != nil {
		return err
	}
	// What can't tell its own pictures apart would be useless at the table.
	if err := checkDeck(draft); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Rename(draft, dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%d cards learned; use them with --deck %s, copy them from %s\n", n, *name, dir)
	return err
}

// learn fills dir and says how many cards it learned.
func learn(ctx context.Context, dir, source string, order packOrder) (int, error) {
	if st, err := os.Stat(source); err == nil && st.IsDir() {
		return learnPictures(ctx, dir, source, order)
	}
	return learnVideo(ctx, dir, source, order)
}

// learnPictures takes a folder with a picture of each card. Names that begin
// with a rank and a suit say which card it is; otherwise the order does.
func learnPictures(ctx context.Context, dir, folder string, order packOrder) (int, error) {
	names, err := cv.PictureNames(folder)
	if err != nil {
		return 0, err
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("%s: no pictures in this folder", folder)
	}
	eye, err := cv.NewEye(cv.EyeOptions{Blind: true})
	if err != nil {
		return 0, err
	}
	defer eye.Close()
	cards, named := make([]card.Card, len(names)), 0
	for i, n := range names {
		if c, ok := cardFromName(filepath.Base(n)); ok {
			cards[i] = c
			named++
		}
	}
	if named == 0 {
		pack := order.cards()
		if len(pack) != len(names) {
			return 0, fmt.Errorf("%s: %d pictures, but the pack has %d cards: name the pictures like 7-hearts.jpg, or give --ranks and --suits", folder, len(names), len(pack))
		}
		copy(cards, pack)
	} else if named < len(names) {
		for i, n := range names {
			if cards[i].Rank == card.NoRank {
				return 0, fmt.Errorf("%s: which card is it? Others here are named like 7-hearts.jpg", n)
			}
		}
	}
	count := map[card.Card]int{}
	for i, n := range names {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		f, err := cv.ReadPicture(n)
		if err != nil {
			return 0, err
		}
		q, err := eye.Outline(f)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", n, err)
		}
		count[cards[i]]++
		if err := cv.SaveCard(dir, cards[i], count[cards[i]], f, q); err != nil {
			return 0, err
		}
	}
	return len(names), nil
}

// lieStill is how many pictures in a row must be still before a card that is
// taught is taken; changed is how many cells of the gate a card at least is.
const (
	lieStill = 5
	changed  = 6
)

// learnVideo watches the pack being dealt in order, on a pile or side by side.
// It doesn't ask the tracker, which tells cards apart by what they are: here
// nothing is known of them but that each comes after the one before.
func learnVideo(ctx context.Context, dir, source string, order packOrder) (int, error) {
	eye, err := cv.NewEye(cv.EyeOptions{Blind: true})
	if err != nil {
		return 0, err
	}
	defer eye.Close()
	src, err := cv.Open(ctx, source, cv.SourceOptions{})
	if err != nil {
		return 0, err
	}
	defer src.Close()
	pack, n, still := order.cards(), 0, 0
	var gate vision.Gate
	var before vision.Frame
	keep := func(f vision.Frame) {
		gate.Keep(nil)
		pix := append(before.Pix[:0], f.Pix...)
		before = f
		before.Pix = pix
	}
	for {
		f, err := src.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		fresh := gate.Step(f)
		if still++; gate.Moving >= changed {
			still = 0
		}
		if fresh {
			keep(f)
		}
		if fresh || still != lieStill || gate.Changed < changed {
			continue
		}
		var area image.Rectangle
		for _, r := range gate.Regions(changed) {
			area = area.Union(r)
		}
		margin := max(f.W, f.H) / 40
		seen, err := eye.Look(f, vision.Ask{Area: area.Inset(-margin), Before: &before, Effort: vision.Normal})
		if err != nil {
			return 0, err
		}
		keep(f)
		if len(seen) == 0 {
			continue // a glass, or a shadow that stays
		}
		if n < len(pack) {
			if err := cv.SaveCard(dir, pack[n], 1, f, seen[0].Quad); err != nil {
				return 0, err
			}
		}
		n++
	}
	if n != len(pack) {
		return 0, fmt.Errorf("%s: %d cards were seen, but the pack has %d (%v of each suit): deal every card once, in order, each lying still for a second", source, n, len(pack), order.ranks)
	}
	return n, nil
}

// checkDeck loads a deck as the reader will.
func checkDeck(dir string) error {
	eye, err := cv.NewEye(cv.EyeOptions{Deck: dir})
	if err != nil {
		return err
	}
	return eye.Close()
}

var nameOfCard = regexp.MustCompile(`(?i)^(10|[2-9]|a|ace|j|jack|q|queen|k|king)[ _-]*(?:of)?[ _-]*(c|clubs?|d|diamonds?|h|hearts?|s|spades?)?(?:[ _.-].*)?$`)

// cardFromName reads names like 7-hearts.jpg, KS.png, ace_of_spades-2.jpg.
func cardFromName(name string) (card.Card, bool) {
	m := nameOfCard.FindStringSubmatch(strings.TrimSuffix(name, filepath.Ext(name)))
	if m == nil {
		return card.Card{}, false
	}
	rank := strings.ToUpper(m[1])
	if len(m[1]) > 2 {
		rank = rank[:1]
	}
	r, err := card.ParseRank(rank)
	if err != nil {
		return card.Card{}, false
	}
	c := card.Card{Rank: r}
	if m[2] != "" {
		c.Suit = map[byte]card.Suit{'c': card.Clubs, 'd': card.Diamonds, 'h': card.Hearts, 's': card.Spades}[strings.ToLower(m[2])[0]]
	}
	return c, true
}
