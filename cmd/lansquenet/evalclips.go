package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// deal is one line of a clip's truth.
type deal struct {
	I       int       `json:"i"`
	Rank    card.Rank `json:"rank"`
	Appear  uint64    `json:"appear"`
	Settled uint64    `json:"settled"`
	Covered uint64    `json:"covered"`
}

// clipScore is what became of the deals of one clip or of all.
type clipScore struct {
	Clip     string  `json:"clip,omitempty"`
	Deals    int     `json:"deals"`
	Hit      int     `json:"hit"`
	Misread  int     `json:"misread"`
	Unsure   int     `json:"unsure"`
	Miss     int     `json:"miss"`
	Phantom  int     `json:"phantom"`
	Latency  float64 `json:"latency_frames_p50"`
	FPS      float64 `json:"fps"`
	P50      float64 `json:"p50_ms"`
	latency  []float64
	problems []string
}

// slack is how many frames after the next card's appearance an event still
// counts for the one before.
const slack = 8

// truthExt ends the name of a clip's truth.
const truthExt = ".truth.jsonl"

// filmExts are the films that a clip may be.
var filmExts = []string{".mp4", ".mkv", ".avi", ".mjpeg"}

func isFilm(name string) bool { return slices.Contains(filmExts, strings.ToLower(filepath.Ext(name))) }

// truthsIn lists the clips of a folder by the truth beside them.
func truthsIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // Glob would take the name's brackets for a pattern
	if err != nil {
		return nil, err
	}
	var truths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), truthExt) {
			truths = append(truths, filepath.Join(dir, e.Name()))
		}
	}
	if len(truths) == 0 {
		return nil, fmt.Errorf("%s: no clips here: a clip is NAME.mp4 with NAME%s beside it", dir, truthExt)
	}
	return truths, nil
}

// evalClips measures on clips, each named by its truth.
func evalClips(ctx context.Context, t terminal, eye vision.Eye, truths []string, asJSON bool) error {
	var sum clipScore
	enc := json.NewEncoder(t.out)
	for _, name := range truths {
		c, err := evalClip(ctx, eye, name)
		if err != nil {
			return err
		}
		sum.addClip(c)
		if asJSON {
			err = enc.Encode(c)
		} else {
			err = c.print(t.out)
		}
		if err != nil {
			return err
		}
	}
	sum.Latency, sum.Clip = median(sum.latency), ""
	if asJSON {
		return enc.Encode(sum)
	}
	sum.Clip = "all"
	return sum.print(t.out)
}

func (s *clipScore) addClip(c clipScore) {
	s.Deals += c.Deals
	s.Hit += c.Hit
	s.Misread += c.Misread
	s.Unsure += c.Unsure
	s.Miss += c.Miss
	s.Phantom += c.Phantom
	s.latency = append(s.latency, c.latency...)
	s.FPS = max(s.FPS, c.FPS)
	s.P50 = max(s.P50, c.P50)
}

func (s *clipScore) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%-24s %3d deals: %d hit, %d misread, %d unsure, %d missed, %d phantom; %.0f frames after settling, %.2f ms a frame\n",
		s.Clip, s.Deals, s.Hit, s.Misread, s.Unsure, s.Miss, s.Phantom, s.Latency, s.P50)
	for _, p := range s.problems {
		fmt.Fprintln(w, "   ", p)
	}
	return err
}

// evalClip watches one clip and holds its events against the truth.
func evalClip(ctx context.Context, eye vision.Eye, truth string) (clipScore, error) {
	base := strings.TrimSuffix(truth, truthExt)
	c := clipScore{Clip: filepath.Base(base)}
	deals, err := readTruth(truth)
	if err != nil {
		return c, err
	}
	film := ""
	for _, ext := range filmExts {
		if _, err := os.Stat(base + ext); err == nil {
			film = base + ext
			break
		}
	}
	if film == "" {
		return c, fmt.Errorf("%s: its film %s.mp4 is missing", truth, base)
	}
	src, err := cv.Open(ctx, film, cv.SourceOptions{})
	if err != nil {
		return c, err
	}
	defer src.Close()
	w := vision.Watch(src, eye, vision.Options{})
	var events []vision.Event
	for {
		e, err := w.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return c, err
		}
		if e.Kind == vision.Card || e.Kind == vision.Unsure {
			events = append(events, e)
		}
	}
	c.compare(deals, events)
	s := w.Stats()
	c.FPS, c.P50 = tenth(s.FPS), thousandth(s.P50.Seconds()*1000)
	return c, nil
}

// compare gives each event to the earliest open deal in whose window it lies.
func (c *clipScore) compare(deals []deal, events []vision.Event) {
	c.Deals = len(deals)
	told := make([]*vision.Event, len(deals))
	for i := range events {
		e := &events[i]
		at := -1
		for d := range deals {
			end := ^uint64(0)
			if d+1 < len(deals) {
				end = deals[d+1].Appear + slack
			}
			if told[d] == nil && e.Frame >= deals[d].Appear && e.Frame < end {
				// Where two windows overlap, the one whose rank fits.
				if at < 0 || e.Rank == deals[d].Rank && e.Rank != deals[at].Rank {
					at = d
				}
			}
		}
		if at < 0 {
			c.Phantom++
			c.problems = append(c.problems, fmt.Sprintf("frame %d: phantom %s %v", e.Frame, e.Rank, e.Guess))
			continue
		}
		told[at] = e
	}
	for d, e := range told {
		switch {
		case e == nil:
			c.Miss++
			c.problems = append(c.problems, fmt.Sprintf("frame %d: %s missed", deals[d].Appear, deals[d].Rank))
		case e.Kind == vision.Unsure:
			c.Unsure++
			c.problems = append(c.problems, fmt.Sprintf("frame %d: %s unsure, guesses %v", e.Frame, deals[d].Rank, e.Guess))
		case e.Rank != deals[d].Rank:
			c.Misread++
			c.problems = append(c.problems, fmt.Sprintf("frame %d: %s read as %s (%.3f)", e.Frame, deals[d].Rank, e.Rank, e.Confidence))
		default:
			c.Hit++
			c.latency = append(c.latency, float64(e.Frame)-float64(deals[d].Settled))
		}
	}
	c.Latency = median(c.latency)
}

func readTruth(name string) ([]deal, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []deal
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var d deal
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		out = append(out, d)
	}
	return out, sc.Err()
}
