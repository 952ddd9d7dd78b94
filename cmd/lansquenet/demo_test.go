package main

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lansquenet/cmd/internal/demo"
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/vision/cv"
	"lansquenet/vision/scene"
)

// needReader skips a test on a build without OpenCV.
func needReader(t *testing.T) {
	t.Helper()
	eye, err := cv.NewEye(cv.EyeOptions{})
	if errors.Is(err, cv.ErrNoCV) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	_ = eye.Close()
}

// playDemo plays a night of the demo through the real reader.
func playDemo(t *testing.T, o demo.Options) demoEnd {
	t.Helper()
	end, err := hostDemo(t.Context(), terminal{nil, io.Discard, io.Discard}, o, true, "")
	if err != nil {
		t.Fatalf("seed %d: %v", o.Seed, err)
	}
	return end
}

// TestDemoIsSeen plays the same night three times. Twice it is the same to the
// last hash; the third time one card is exchanged on its way to the table, and
// the end has the card that lay there, not the one that was dealt.
func TestDemoIsSeen(t *testing.T) {
	needReader(t)
	// A smaller, slower camera than the demo's own, because this is long enough.
	o := demo.Options{Seed: 1, Coups: 1, Scene: scene.Options{W: 960, H: 540, FPS: 15}}
	first := playDemo(t, o)
	a, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := json.Marshal(playDemo(t, o)); string(b) != string(a) {
		t.Errorf("the same seed, and two ends:\n%s\n%s", a, b)
	}
	if f := first.Final; f.Coups != 1 || f.Phase != game.Closed || len(f.Winners) == 0 {
		t.Errorf("it did not end: %s", a)
	}
	for i, d := range first.deals {
		if d.Read.Rank != d.Dealt.Rank {
			t.Errorf("card %d: %v was read as %v in %s", i, d.Dealt, d.Read, a)
		}
	}
	bank := first.deals[0].Dealt.Rank
	other := card.King
	if bank == card.King {
		other = card.Ace
	}
	o.Swap = func(n int, c card.Card) card.Card {
		if n == 0 {
			c.Rank = other
		}
		return c
	}
	swapped := playDemo(t, o)
	if d := swapped.deals[0]; d.Dealt.Rank != bank || d.Read.Rank != other {
		t.Errorf("%v was dealt and %v drawn, and read was %v", bank, other, d.Read)
	}
	if c, _ := json.Marshal(swapped); string(c) == string(a) {
		t.Error("a card was exchanged, and nobody noticed")
	}
}

// TestNothingIsTouched calls run in ways that cannot work: one sentence that
// names the thing, exit code 1 or 2, and no journal.
func TestNothingIsTouched(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "wrong.toml")
	notVideo := filepath.Join(dir, "broken.mp4")
	for file, text := range map[string]string{config: "[web]\nlisten = \":0\"\nlisen = 1\n", notVideo: "this is no video"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	for _, c := range []struct {
		code int
		says string
		args []string
		cv   bool
	}{
		{failed, taken.Addr().String() + " is in use", []string{"--listen", taken.Addr().String()}, false},
		{failed, "lisen", []string{"--config", config}, false},
		{failed, "nowhere.toml", []string{"--config", filepath.Join(dir, "nowhere.toml")}, false},
		{failed, "no address to listen at", []string{"--listen", "what"}, false},
		{failed, "nowhere.mp4", []string{"--camera", filepath.Join(dir, "nowhere.mp4"), "--listen", "127.0.0.1:0"}, true},
		{failed, "broken.mp4", []string{"--camera", notVideo, "--listen", "127.0.0.1:0"}, true},
		{misused, "--what", []string{"--what"}, false},
	} {
		if c.cv {
			if _, v := cv.Version(); v == "" {
				continue
			}
		}
		args := append([]string{"run", "--data", data}, c.args...)
		code, stdout, stderr := call(t, "", args...)
		if code != c.code || !strings.Contains(stderr, strings.TrimPrefix(c.says, "--")) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, out %q, err %q", args, code, stdout, stderr)
		}
		if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: the data folder was made", args)
		}
	}
	// A data folder that is a file cannot be written by anybody, root neither.
	code, _, stderr := call(t, "", "run", "--data", notVideo, "--listen", "127.0.0.1:0")
	if code != failed || !strings.Contains(stderr, notVideo) || strings.Count(stderr, "\n") != 1 {
		t.Errorf("data folder is a file: exit %d, %q", code, stderr)
	}
}
