package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/scene"
)

// small is a camera whose pictures are quickly drawn.
func small(deck scene.Deck) scene.Options {
	return scene.Options{W: 640, H: 480, FPS: 15, Seed: 11, Deck: deck, Hurry: 0.6}
}

// still is the table when the hand has done what it was asked to.
func still(t *testing.T, s *scene.Scene) vision.Frame {
	t.Helper()
	for s.Busy() {
		if _, err := s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	f, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// pngOf encodes a frame.
func pngOf(t *testing.T, f vision.Frame) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, f.W, f.H))
	for i := range f.W * f.H {
		img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2], img.Pix[4*i+3] = f.Pix[3*i+2], f.Pix[3*i+1], f.Pix[3*i], 255
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pictureOf is a drawn picture of one card; the zero card is a back.
func pictureOf(t *testing.T, o scene.Options, c card.Card) []byte {
	t.Helper()
	s := scene.New(o)
	if c.Rank == card.NoRank {
		s.Back(scene.Spot{Turn: 6})
	} else {
		s.Deal(c, scene.Spot{Turn: 6})
	}
	return pngOf(t, still(t, s))
}

func write(t *testing.T, name string, b []byte) string {
	t.Helper()
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// film draws a clip NAME.mjpeg with its truth beside it and returns its name.
func film(t *testing.T, dir, name string, o scene.Options, script func(*scene.Scene)) string {
	t.Helper()
	s := scene.New(o)
	script(s)
	var video, truth bytes.Buffer
	if err := s.Record(context.Background(), &video, &truth); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name+truthExt), truth.Bytes())
	return write(t, filepath.Join(dir, name+".mjpeg"), video.Bytes())
}

// lines decodes JSON lines.
func lines[T any](t *testing.T, text string) []T {
	t.Helper()
	var out []T
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		var v T
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		out = append(out, v)
	}
	return out
}

// TestClassify reads good pictures between bad ones: each has its line, in the
// order asked for, and the bad ones don't keep the others from being read.
func TestClassify(t *testing.T) {
	needReader(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	queen := pictureOf(t, small(scene.English), card.Card{Rank: card.Queen, Suit: card.Hearts})
	files := []struct{ name, rank, error string }{
		{write(t, at("the queen, Königin 女王.png"), queen), "Q", ""},
		{write(t, at("empty.jpg"), nil), "", "the file is empty"},
		{write(t, at("text.png"), []byte("no picture")), "", "not a picture"},
		{write(t, at("cut.png"), queen[:len(queen)/2]), "", "cut off"},
		{dir, "", "is a folder"},
		{at("nowhere.jpg"), "", "no such file"},
		{write(t, at("back.png"), pictureOf(t, small(scene.English), card.Card{})), "", ""},
		{write(t, at("table.png"), pngOf(t, still(t, scene.New(small(scene.English))))), "none", ""},
	}
	args := []string{"classify", "--json"}
	for _, f := range files {
		args = append(args, f.name)
	}
	code, stdout, stderr := call(t, "", args...)
	if code != failed || stderr != "" {
		t.Errorf("exit %d, %q", code, stderr)
	}
	got := lines[map[string]any](t, stdout)
	if len(got) != len(files) {
		t.Fatalf("%d lines for %d pictures:\n%s", len(got), len(files), stdout)
	}
	for i, f := range files {
		g := got[i]
		cards, _ := g["cards"].([]any)
		said, _ := g["error"].(string)
		if g["file"] != f.name || cards == nil || !strings.Contains(said, f.error) || (said == "") != (f.error == "") {
			t.Errorf("%s: %v", f.name, g)
		}
		switch {
		case f.rank == "none" && len(cards) > 0:
			t.Errorf("an empty table shows %v", cards)
		case f.rank == "":
			for _, c := range cards {
				if r, ok := c.(map[string]any)["rank"]; ok {
					t.Errorf("%s: rank %v", f.name, r)
				}
			}
		case f.rank == "Q":
			if len(cards) != 1 {
				t.Fatalf("%s: %v", f.name, g)
			}
			c := cards[0].(map[string]any)
			if c["rank"] != "Q" || c["suit"] != "hearts" || c["unsure"] != nil || len(c["quad"].([]any)) != 4 {
				t.Errorf("%s: %v", f.name, c)
			}
		}
	}
	if code, stdout, stderr = call(t, "", "classify", files[0].name); code != done || stderr != "" || !strings.Contains(stdout, "Q") {
		t.Errorf("in words: exit %d, %q, %q", code, stdout, stderr)
	}
}

// TestMostCertainFirst looks at several cards with a bright spot among them, and
// at their order.
func TestMostCertainFirst(t *testing.T) {
	needReader(t)
	o := small(scene.English)
	o.Light.Glare = 1
	s := scene.New(o)
	for i, r := range []card.Rank{card.Seven, card.King, card.Two} {
		s.Deal(card.Card{Rank: r, Suit: card.Suit(1 + i)}, scene.Spot{X: float64(i)*95 - 95, Turn: float64(40 * i)})
	}
	name := write(t, filepath.Join(t.TempDir(), "three.png"), pngOf(t, still(t, s)))
	_, stdout, _ := call(t, "", "classify", "--json", name)
	cards := lines[classified](t, stdout)[0].Cards
	if len(cards) != 3 {
		t.Fatalf("three cards lie there: %s", stdout)
	}
	for i, c := range cards[1:] {
		if c.Confidence > cards[i].Confidence {
			t.Errorf("a more certain card comes later: %s", stdout)
		}
	}
}

// TestSeeingMisused calls the commands in ways that can't work: exit code 1 or
// 2, nothing on standard output, one sentence that names what is wrong.
func TestSeeingMisused(t *testing.T) {
	needReader(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	clip := film(t, dir, "clip", small(scene.English), func(*scene.Scene) {})
	alone := write(t, at("alone [1].mp4"), []byte("film"))
	if err := os.Mkdir(at("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{misused, "missing", []string{"classify"}},
		{misused, "-what", []string{"classify", "--what", clip}},
		{failed, `no deck "sicilian"`, []string{"classify", "--deck", "sicilian", clip}},
		{misused, "deck's name", []string{"classify", "--deck", "../x", clip}},
		{misused, "missing", []string{"watch", "--json"}},
		{misused, "second", []string{"watch", clip, "second"}},
		{misused, "X,Y,W,H", []string{"watch", "--roi", "1,2,3", clip}},
		{misused, "X,Y,W,H", []string{"watch", "--roi", "1,2,3,0", clip}},
		{misused, "X,Y,W,H", []string{"watch", "--roi", "-1,2,3,4", clip}},
		{misused, "X,Y,W,H", []string{"watch", "--roi", "1,2,3,4,5", clip}},
		{misused, "which are 640×480", []string{"watch", "--json", "--roi", "640,0,100,100", clip}},
		{failed, `no deck "sicilian"`, []string{"watch", "--deck", "sicilian", clip}},
		{failed, "no such file", []string{"watch", at("nowhere.mp4")}},
		{failed, "the file is empty", []string{"watch", write(t, at("zero.mp4"), nil)}},
		{failed, "not a film", []string{"watch", write(t, at("torn.mp4"), []byte("no film at all"))}},
		{failed, "no pictures in this folder", []string{"watch", at("empty")}},
		{failed, "not a source", []string{"watch", write(t, at("notes.txt"), []byte("x"))}},
		{failed, "can't be reached", []string{"watch", "http://127.0.0.1:1/video"}},
		{failed, "no such camera", []string{"watch", "v4l2:" + at("video9")}},
		{failed, "can't be opened", []string{"watch", "gst:no_such_element"}},
		{failed, "no such manifest", []string{"eval", at("nowhere.csv")}},
		{failed, "no clips here", []string{"eval", at("empty")}},
		{failed, "alone [1].truth.jsonl is missing", []string{"eval", alone}},
		{failed, "the manifest is empty", []string{"eval", write(t, at("zero.csv"), nil)}},
		{failed, "label is missing", []string{"eval", write(t, at("columns.csv"), []byte("file,rank\na,7\n"))}},
		{failed, `picture 1, a.jpg: "11"`, []string{"eval", write(t, at("label.csv"), []byte("file,label\na.jpg,11\n"))}},
		{misused, "--deck is missing", []string{"teach", at("empty")}},
		{misused, "deck's name", []string{"teach", "--deck", ".hidden", at("empty")}},
		{failed, "no pictures in this folder", []string{"teach", "--deck", "x", at("empty")}},
		{failed, "no such file or folder", []string{"teach", "--deck", "x", at("nowhere")}},
		{misused, `"B" is no rank`, []string{"teach", "--deck", "x", "--ranks", "A,B", at("empty")}},
		{failed, "0 cards were seen", []string{"teach", "--deck", "x", clip}},
	} {
		args := append(c.args, "--data", at("data"))
		code, stdout, stderr := call(t, "", args...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, out %q, err %q; want %d and %q", c.args, code, stdout, stderr, c.code, c.says)
		}
	}
	if left, _ := filepath.Glob(at("data/decks/*")); len(left) > 0 {
		t.Errorf("lessons that failed left %v", left)
	}
	if left, _ := filepath.Glob(at("data/decks/.*")); len(left) > 0 {
		t.Errorf("lessons that failed left %v", left)
	}
}

// TestWatchAndEvalAgree watches a drawn clip and has it measured alone and in
// its folder.
func TestWatchAndEvalAgree(t *testing.T) {
	needReader(t)
	dir := t.TempDir()
	clip := film(t, dir, "clip", small(scene.English), func(s *scene.Scene) {
		s.Wave(scene.Spot{Y: 90})
		s.Deal(card.Card{Rank: card.Nine, Suit: card.Spades}, scene.Spot{X: -60})
		s.Back(scene.Spot{X: 60, Turn: 5})
		s.Deal(card.Card{Rank: card.Ace, Suit: card.Hearts}, scene.Spot{X: -60, Y: 4, Turn: -5})
		s.Sweep()
	})
	code, stdout, stderr := call(t, "", "watch", "--json", "--roi", "0,0,640,480", clip)
	if code != done || stderr != "" {
		t.Fatalf("exit %d, %q", code, stderr)
	}
	told := lines[map[string]any](t, stdout)
	var ranks []string
	kinds := map[string]int{}
	for _, e := range told {
		kinds[e["event"].(string)]++
		r, ok := e["rank"].(string)
		if ok != (e["event"] == "card") {
			t.Errorf("%v: only a card has a rank", e)
		}
		if ok {
			ranks = append(ranks, r)
			if e["i"] != float64(len(ranks)-1) {
				t.Errorf("%v: it is card %d", e, len(ranks)-1)
			}
		}
	}
	if strings.Join(ranks, " ") != "9 A" || kinds["cleared"] != 1 || kinds["unsure"] != 0 {
		t.Errorf("nine, back, ace, sweep:\n%s", stdout)
	}
	end := told[len(told)-1]
	for _, k := range []string{"frames", "fps", "p50_ms", "p99_ms", "rss_mb"} {
		if v, _ := end[k].(float64); end["event"] != "end" || v <= 0 {
			t.Errorf("the end says %v of %s", end[k], k)
		}
	}
	// The truth counts the back as a deal without rank; the reader's answer to
	// that is silence.
	name := strings.TrimSuffix(clip, ".mjpeg") + truthExt
	truth, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, l := range strings.SplitAfter(string(truth), "\n") {
		if !strings.Contains(l, `"rank":""`) {
			kept = append(kept, l)
		}
	}
	write(t, name, []byte(strings.Join(kept, "")))
	for _, what := range []string{clip, name, dir} {
		code, stdout, stderr = call(t, "", "eval", "--json", what)
		if code != done || stderr != "" {
			t.Fatalf("eval %s: exit %d, %q", what, code, stderr)
		}
		all := lines[map[string]any](t, stdout)
		sum := all[len(all)-1]
		for k, want := range map[string]float64{"deals": 2, "hit": 2, "misread": 0, "unsure": 0, "miss": 0, "phantom": 0} {
			if sum[k] != want {
				t.Errorf("eval %s: %s is %v, want %g", what, k, sum[k], want)
			}
		}
		if _, ok := sum["latency_frames_p50"].(float64); !ok {
			t.Errorf("eval %s: no latency: %v", what, sum)
		}
	}
}

// TestWatchFolder shows a folder of pictures of two sizes with other files and a
// torn picture among them: those are left out and named.
func TestWatchFolder(t *testing.T) {
	needReader(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	big := small(scene.English)
	big.W, big.H = 800, 600
	write(t, at("1.png"), pictureOf(t, small(scene.English), card.Card{Rank: card.Five, Suit: card.Clubs}))
	write(t, at("2.png"), pictureOf(t, big, card.Card{Rank: card.Five, Suit: card.Clubs}))
	write(t, at("3.png"), []byte("torn"))
	write(t, at("4.txt"), []byte("no picture"))
	code, stdout, stderr := call(t, "", "watch", "--json", dir)
	all := lines[map[string]any](t, stdout)
	end := all[len(all)-1]
	if code != done || end["frames"] != 2.0 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "3.png") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
}

// TestEvalPictures measures three pictures, of which one can't be read and one
// shows a back.
func TestEvalPictures(t *testing.T) {
	needReader(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.png"), pictureOf(t, small(scene.German), card.Card{Rank: card.Queen, Suit: card.Clubs}))
	write(t, filepath.Join(dir, "b.png"), pictureOf(t, small(scene.German), card.Card{}))
	manifest := write(t, filepath.Join(dir, "m.csv"), []byte("\ufefffile,kind,label,source\na.png,single,Q,drawn\nb.png,single,back,drawn\nc.png,single,7,drawn\n"))
	code, stdout, stderr := call(t, "", "eval", "--json", manifest)
	all := lines[map[string]any](t, stdout)
	sum := all[len(all)-1]
	if code != failed || !strings.Contains(stderr, "1 of its 3 pictures") || len(all) != 4 {
		t.Fatalf("exit %d, %q, %q", code, stdout, stderr)
	}
	for k, want := range map[string]float64{"images": 3, "right": 2, "wrong": 0, "unsure": 0, "none": 1} {
		if sum[k] != want {
			t.Errorf("%s is %v, want %g", k, sum[k], want)
		}
	}
	queens := sum["by_rank"].(map[string]any)["Q"].(map[string]any)
	if queens["right"] != 1.0 || sum["by_source"].(map[string]any)["drawn"].(map[string]any)["images"] != 3.0 || sum["p50_ms"].(float64) <= 0 {
		t.Errorf("%v", sum)
	}
}
