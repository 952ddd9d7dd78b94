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

	"lansquenet/cmd/internal/decks"
	"lansquenet/ledger/card"
	"lansquenet/vision/cv"
)

// packOrder is the order of a pack as it is given on the command line.
type packOrder struct{ decks.Order }

func (o *packOrder) flags(fs *flag.FlagSet) {
	o.Ranks, o.Suits = card.All[:], decks.AllSuits
	fs.Func("ranks", "the `LIST` of ranks in the order they are dealt, as in A,2,3,4,5,6,7,J,Q,K for an Italian pack", func(s string) error {
		o.Ranks = nil
		for _, p := range strings.Split(s, ",") {
			r, err := card.ParseRank(p)
			if err != nil {
				return err
			}
			o.Ranks = append(o.Ranks, r)
		}
		return nil
	})
	fs.Func("suits", "the `LIST` of suits in the order they are dealt; clubs,diamonds,hearts,spades stand for any four", func(s string) error {
		o.Suits = nil
		for _, p := range strings.Split(s, ",") {
			u, err := card.ParseSuit(p)
			if err != nil {
				return err
			}
			o.Suits = append(o.Suits, u)
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
	if _, err := decks.Folder(*data, *name); err != nil {
		return misuse("%w", err)
	}
	draft, err := decks.NewDraft(*data, *name)
	if err != nil {
		return err
	}
	defer draft.Discard()
	n, err := learn(ctx, draft, rest[0], order.Order)
	if err != nil {
		return err
	}
	// What can't tell its own pictures apart would be useless at the table.
	twins, err := draft.Check()
	if err != nil {
		return err
	}
	if len(twins) > 0 {
		return fmt.Errorf("%s: the pictures of %v and %v are so alike that they can't be told apart: was one card laid twice, or is one picture bad?", rest[0], twins[0][0], twins[0][1])
	}
	dir, err := draft.Keep()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%d cards learned; use them with --deck %s, copy them from %s\n", n, *name, dir)
	return err
}

// learn fills a draft and says how many cards it learned.
func learn(ctx context.Context, draft *decks.Draft, source string, order decks.Order) (int, error) {
	if st, err := os.Stat(source); err == nil && st.IsDir() {
		return learnPictures(ctx, draft, source, order)
	}
	return learnVideo(ctx, draft, source, order)
}

// learnPictures takes a folder with a picture of each card. Names that begin
// with a rank and a suit say which card it is; otherwise the order does.
func learnPictures(ctx context.Context, draft *decks.Draft, folder string, order decks.Order) (int, error) {
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
		pack := order.Cards()
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
		if err := draft.Take(cards[i], count[cards[i]], f, q); err != nil {
			return 0, fmt.Errorf("%s: %w", n, err)
		}
	}
	return len(names), nil
}

// learnVideo watches the pack being dealt in order, on a pile or side by side.
func learnVideo(ctx context.Context, draft *decks.Draft, source string, order decks.Order) (int, error) {
	pupil, err := decks.NewPupil(0)
	if err != nil {
		return 0, err
	}
	defer pupil.Close()
	src, err := cv.Open(ctx, source, cv.SourceOptions{})
	if err != nil {
		return 0, err
	}
	defer src.Close()
	pack, n := order.Cards(), 0
	for {
		f, err := src.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		q, found, err := pupil.Watch(f, image.Rect(0, 0, f.W, f.H), false)
		if err != nil {
			return 0, err
		}
		if !found {
			continue
		}
		if n < len(pack) {
			if err := draft.Take(pack[n], 1, f, q); err != nil {
				return 0, fmt.Errorf("%s: %v, card %d of the film: %w", source, pack[n], n+1, err)
			}
			pupil.Took(q)
		}
		n++
	}
	if n != len(pack) {
		return 0, fmt.Errorf("%s: %d cards were seen, but the pack has %d (%v of each suit): deal every card once, in order, each lying still for a second", source, n, len(pack), order.Ranks)
	}
	return n, nil
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
