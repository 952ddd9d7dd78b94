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

	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// clipScore is what became of the deals of one clip or of all.
type clipScore struct {
	Clip string `json:"clip,omitempty"`
	vision.Tally
	Latency int     `json:"latency_frames_p50"`
	FPS     float64 `json:"fps"`
	P50     float64 `json:"p50_ms"`
}

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
		sum.Add(c.Tally)
		sum.FPS, sum.P50 = max(sum.FPS, c.FPS), max(sum.P50, c.P50)
		if asJSON {
			err = enc.Encode(c)
		} else {
			err = c.print(t.out)
		}
		if err != nil {
			return err
		}
	}
	sum.Latency = sum.LateAt(0.5)
	if asJSON {
		return enc.Encode(sum)
	}
	sum.Clip = "all"
	return sum.print(t.out)
}

func (s *clipScore) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%-24s %v, %.2f ms a frame\n", s.Clip, s.Tally, s.P50)
	for _, n := range s.Notes {
		fmt.Fprintln(w, "   ", n)
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
		events = append(events, e)
	}
	c.Tally = vision.Compare(deals, events)
	c.Latency = c.LateAt(0.5)
	s := w.Stats()
	c.FPS, c.P50 = tenth(s.FPS), thousandth(s.P50.Seconds()*1000)
	return c, nil
}

func readTruth(name string) ([]vision.Deal, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []vision.Deal
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var d vision.Deal
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		out = append(out, d)
	}
	return out, sc.Err()
}
