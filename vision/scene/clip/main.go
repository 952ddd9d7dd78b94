// Clip renders a clip of dealt cards with its truth beside it, for measuring a
// reader (`lansquenet eval`) or for feeding a simulated camera:
//
//	clip -cards 7S,QH,9C,7D [-seed N] [-size 640x480] [-fps 15] FOLDER/NAME
//
// writes FOLDER/NAME.mjpeg and FOLDER/NAME.truth.jsonl.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"lansquenet/ledger/card"
	"lansquenet/vision/scene"
)

func main() {
	if err := render(); err != nil {
		fmt.Fprintln(os.Stderr, "clip:", err)
		os.Exit(1)
	}
}

func render() error {
	cards := flag.String("cards", "7S,QH,9C,7D", "what is dealt: rank and suit's first letter")
	seed := flag.Uint64("seed", 1, "of noise and places")
	size := flag.String("size", "1280x720", "of the pictures")
	fps := flag.Float64("fps", 30, "pictures a second")
	wide := flag.Float64("wide", 0, "millimetres of table across the picture, 0 for the usual")
	flag.Parse()
	if flag.NArg() != 1 {
		return errors.New("name one clip to write: FOLDER/NAME")
	}
	o := scene.Options{Seed: *seed, FPS: *fps, Lens: scene.Lens{Wide: *wide}}
	if _, err := fmt.Sscanf(*size, "%dx%d", &o.W, &o.H); err != nil {
		return fmt.Errorf("-size %q: write it as 1280x720", *size)
	}
	s := scene.New(o)
	s.Wave(scene.Spot{Y: 100}) // so that the table is seen empty first
	for i, name := range strings.Split(*cards, ",") {
		c, err := parse(name)
		if err != nil {
			return err
		}
		s.Deal(c, scene.Spot{X: float64(i%4)*75 - 112, Y: float64(i/4)*100 - 20, Turn: float64(i*7%9) - 4})
	}
	video, err := os.Create(flag.Arg(0) + ".mjpeg")
	if err != nil {
		return err
	}
	truth, err := os.Create(flag.Arg(0) + ".truth.jsonl")
	if err != nil {
		return err
	}
	return errors.Join(s.Record(context.Background(), video, truth), video.Close(), truth.Close())
}

// parse reads a card such as 10H.
func parse(name string) (c card.Card, err error) {
	if len(name) < 2 {
		return c, fmt.Errorf("%q is no card; write 7S or 10H", name)
	}
	rank, suit := name[:len(name)-1], name[len(name)-1:]
	for _, s := range []string{"clubs", "diamonds", "hearts", "spades"} {
		if strings.EqualFold(suit, s[:1]) {
			if c.Suit, err = card.ParseSuit(s); err != nil {
				return c, err
			}
			c.Rank, err = card.ParseRank(rank)
			return c, err
		}
	}
	return c, fmt.Errorf("%q has no suit; write 7S or 10H", name)
}
