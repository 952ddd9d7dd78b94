package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// seenCard is one card in the answer of classify.
type seenCard struct {
	Rank       *card.Rank    `json:"rank,omitempty"` // left out for a back, a joker or a blank
	Suit       string        `json:"suit,omitempty"`
	Confidence float64       `json:"confidence"`
	Unsure     bool          `json:"unsure,omitempty"`
	Guess      []card.Rank   `json:"guess,omitempty"`
	Quad       [4][2]float64 `json:"quad"`
}

// classified is classify's answer for one picture.
type classified struct {
	File  string     `json:"file"`
	Ms    float64    `json:"ms"`
	Cards []seenCard `json:"cards"`
	Error string     `json:"error,omitempty"`
}

// runClassify prints the cards in still pictures.
func runClassify(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "classify")
	asJSON := fs.Bool("json", false, "print one JSON object a picture")
	deck := fs.String("deck", "", "read a taught deck by its `NAME`")
	data := dataFlag(fs)
	names, err := parse(fs, args, 1, -1)
	if err != nil {
		return err
	}
	eye, err := openEye(*deck, *data)
	if err != nil {
		return err
	}
	defer eye.Close()
	bad := false
	enc := json.NewEncoder(t.out)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := classifyFile(eye, name)
		bad = bad || c.Error != ""
		if *asJSON {
			if err := enc.Encode(c); err != nil {
				return err
			}
			continue
		}
		if c.Error != "" {
			fmt.Fprintf(t.err, "lansquenet classify: %s\n", c.Error)
			continue
		}
		fmt.Fprintf(t.out, "%s: %s\n", name, describe(c.Cards))
	}
	if bad {
		return errReported
	}
	return nil
}

// classifyFile reads one picture; what is wrong with it is in Error.
func classifyFile(eye vision.Eye, name string) classified {
	c := classified{File: name, Cards: []seenCard{}}
	f, err := cv.ReadPicture(name)
	if err != nil {
		c.Error = err.Error()
		return c
	}
	began := time.Now()
	seen, err := eye.Look(f, vision.Ask{Effort: vision.Thorough})
	c.Ms = thousandth(time.Since(began).Seconds() * 1000)
	if err != nil {
		c.Error = err.Error()
		return c
	}
	for _, s := range seen {
		// What the reader rather doesn't believe itself is no card to ask about: on
		// an empty table there is always something a little like one.
		if s.Rank == card.NoRank && isTable(s.Quad, f) || s.Rank != card.NoRank && s.Confidence < 0.5 {
			continue
		}
		c.Cards = append(c.Cards, seenAs(s))
	}
	return c
}

// isTable says that what looks like a card without rank is the picture itself:
// an empty table has four corners too. A picture of a card's proportions that
// stands upright may be a cut-out back, though.
func isTable(q vision.Quad, f vision.Frame) bool {
	ratio := float64(f.H) / float64(f.W)
	return q.Area() > 0.9*float64(f.W*f.H) && !(ratio > 1.36 && ratio < 1.62)
}

func seenAs(s vision.Sighting) seenCard {
	c := seenCard{Confidence: thousandth(s.Confidence)}
	if s.Rank != card.NoRank {
		c.Rank, c.Suit = &s.Rank, s.Suit.String()
		if s.Confidence < vision.Sure {
			c.Unsure, c.Guess = true, s.Guess
		}
	}
	for i, p := range s.Quad {
		c.Quad[i] = [2]float64{tenth(p.X), tenth(p.Y)}
	}
	return c
}

// describe says in words which cards were seen.
func describe(cards []seenCard) string {
	if len(cards) == 0 {
		return "no card"
	}
	text := ""
	for i, c := range cards {
		if i > 0 {
			text += ", "
		}
		switch {
		case c.Rank == nil:
			text += "a card without rank"
		case c.Unsure:
			text += fmt.Sprintf("perhaps %s (%.0f %%)", *c.Rank, 100*c.Confidence)
		default:
			s, _ := card.ParseSuit(c.Suit) // "" is no suit and needs none
			text += fmt.Sprintf("%s (%.1f %%)", card.Card{Rank: *c.Rank, Suit: s}, 100*c.Confidence)
		}
	}
	return text
}
