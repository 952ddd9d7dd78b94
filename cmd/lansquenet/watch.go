package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"strings"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// dealtLine is one line of watch --json that tells a card.
type dealtLine struct {
	Event      string      `json:"event"`
	I          *int        `json:"i,omitempty"`
	Frame      uint64      `json:"frame"`
	T          float64     `json:"t"`
	Rank       string      `json:"rank,omitempty"`
	Suit       string      `json:"suit,omitempty"`
	Guess      []card.Rank `json:"guess,omitempty"`
	Confidence *float64    `json:"confidence,omitempty"`
	Note       string      `json:"note,omitempty"`
}

// endLine is the last line of watch --json.
type endLine struct {
	Event  string  `json:"event"`
	Frames uint64  `json:"frames"`
	FPS    float64 `json:"fps"`
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	RSS    float64 `json:"rss_mb"`
}

// runWatch prints each card that is dealt in front of a camera.
func runWatch(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "watch")
	asJSON := fs.Bool("json", false, "print one JSON object an event")
	deck := fs.String("deck", "", "read a taught deck by its `NAME`")
	var roi image.Rectangle
	fs.Func("roi", "look only at the part `X,Y,W,H` of the picture, in pixels", func(s string) error {
		var x, y, w, h int
		n, err := fmt.Sscanf(s+"\n", "%d,%d,%d,%d\n", &x, &y, &w, &h)
		if most := 1 << 20; err != nil || n != 4 || w <= 0 || h <= 0 || x < 0 || y < 0 || max(x, y, w, h) > most {
			return fmt.Errorf("--roi wants X,Y,W,H in pixels, as in 100,50,800,600")
		}
		roi = image.Rect(x, y, x+w, y+h)
		return nil
	})
	data := dataFlag(fs)
	rest, err := parse(fs, args, 1, 1)
	if err != nil {
		return err
	}
	eye, err := openEye(*deck, *data)
	if err != nil {
		return err
	}
	defer eye.Close()
	src, err := cv.Open(ctx, rest[0], cv.SourceOptions{Note: func(s string) { fmt.Fprintf(t.err, "lansquenet watch: %s\n", s) }})
	if err != nil {
		return err
	}
	defer src.Close()
	began := time.Now()
	w := vision.Watch(&within{FrameSource: src, roi: roi}, eye, vision.Options{ROI: roi})
	enc := json.NewEncoder(t.out)
	for {
		e, err := w.Next(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		if *asJSON {
			err = enc.Encode(lineOf(e))
		} else {
			_, err = fmt.Fprintln(t.out, sayEvent(e))
		}
		if err != nil {
			return err
		}
	}
	s := w.Stats()
	end := endLine{Event: "end", Frames: s.Frames, FPS: tenth(float64(s.Frames) / time.Since(began).Seconds()),
		P50: thousandth(s.P50.Seconds() * 1000), P99: thousandth(s.P99.Seconds() * 1000), RSS: tenth(residentMB())}
	if *asJSON {
		return enc.Encode(end)
	}
	_, err = fmt.Fprintf(t.out, "%d frames, %.0f a second; a frame takes %.2f ms (1 in 100: %.1f ms); %.0f MB of memory\n",
		end.Frames, end.FPS, end.P50, end.P99, end.RSS)
	return err
}

// within refuses pictures that a region of interest lies outside of: whoever
// gave it meant something else.
type within struct {
	vision.FrameSource
	roi image.Rectangle // empty: anything goes
}

func (s *within) Next(ctx context.Context) (vision.Frame, error) {
	f, err := s.FrameSource.Next(ctx)
	if err == nil && !s.roi.Empty() && !s.roi.Overlaps(image.Rect(0, 0, f.W, f.H)) {
		return f, misuse("--roi lies outside the pictures, which are %d×%d", f.W, f.H)
	}
	return f, err
}

func lineOf(e vision.Event) dealtLine {
	l := dealtLine{Event: e.Kind.String(), Frame: e.Frame, T: thousandth(e.T.Seconds()), Note: e.Note}
	switch e.Kind {
	case vision.Card:
		l.Rank, l.Suit = e.Rank.String(), e.Suit.String()
		l.I = &e.I
	case vision.Unsure:
		l.Guess = e.Guess
		l.I = &e.I
	case vision.Back:
	default:
		return l
	}
	c := thousandth(e.Confidence)
	l.Confidence = &c
	return l
}

func sayEvent(e vision.Event) string {
	at := fmt.Sprintf("%7.2f s  ", e.T.Seconds())
	switch e.Kind {
	case vision.Card:
		return at + fmt.Sprintf("%s (%.1f %%)", card.Card{Rank: e.Rank, Suit: e.Suit}, 100*e.Confidence)
	case vision.Unsure:
		var g []string
		for _, r := range e.Guess {
			g = append(g, r.String())
		}
		return at + "not sure which card: " + strings.Join(g, ", ") + "? Ask the host."
	case vision.Back:
		return at + "a card without rank: a back or a joker"
	case vision.Cleared:
		return at + "the cards were swept off"
	}
	return at + e.Note
}

// residentMB is the memory this process holds, 0 where the system doesn't say.
func residentMB() float64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(b), &size, &resident); err != nil {
		return 0
	}
	return resident * float64(os.Getpagesize()) / (1 << 20)
}
