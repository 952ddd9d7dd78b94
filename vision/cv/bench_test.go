//go:build cgo

package cv

import (
	"encoding/csv"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/scene"
)

// BenchmarkStages times what a look at one 1280×720 picture with a card consists
// of; see vision's BenchmarkGateStill for the picture in which nothing moves.
func BenchmarkStages(b *testing.B) {
	e := openTestEye(b)
	f := lyingCard(b, card.Card{Rank: card.Seven, Suit: card.Clubs})
	full, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
	if err != nil {
		b.Fatal(err)
	}
	defer full.Close()
	q, err := e.Outline(f)
	if err != nil {
		b.Fatal(err)
	}
	c := straighten(full, q)
	defer c.close()
	grey := gocv.NewMat()
	defer grey.Close()
	gocv.CvtColor(full, &grey, gocv.ColorBGRToGray)
	corners, pips, face := c.cornerPatches(), c.pipPatches(), [][]float32{c.facePatch()}
	all := image.Rect(0, 0, f.W, f.H)
	empty := vision.Frame{N: 1, W: f.W, H: f.H, Pix: make([]byte, len(f.Pix))}
	begin := func() { e.find.begin(full, &empty, all, 640, 0) }
	stages := []struct {
		name string
		do   func()
	}{
		{"shrink", begin},
		{"arrived", func() { begin(); e.find.arrived() }},
		{"find", func() {
			begin()
			m := e.find.mask(0)
			e.find.quads(e.find.shapes(m))
			m.Close()
		}},
		{"straighten", func() { s := straighten(full, q); s.close() }},
		{"corners", func() { e.read.corners(corners) }},
		{"face", func() { e.read.faces(face) }},
		{"suit", func() { e.read.pips(pips) }},
		{"indices", func() { e.read.indices(grey) }},
	}
	for _, s := range stages {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				s.do()
			}
		})
	}
	for name, effort := range map[string]vision.Effort{"glance": vision.Glance, "normal": vision.Normal, "thorough": vision.Thorough} {
		b.Run("look-"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Look(f, vision.Ask{Effort: effort}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// timed is an eye that notes how long it looks.
type timed struct {
	vision.Eye
	took []time.Duration
}

func (e *timed) Look(f vision.Frame, a vision.Ask) ([]vision.Sighting, error) {
	began := time.Now()
	defer func() { e.took = append(e.took, time.Since(began)) }()
	return e.Eye.Look(f, a)
}

// BenchmarkFilm times the frames of films of 1280×720 pixels in which cards are
// dealt: the looks, of the middle frame and of one in a hundred, and all the work.
func BenchmarkFilm(b *testing.B) {
	eye := &timed{Eye: openTestEye(b)}
	tables := []scene.Surface{scene.Felt, scene.Wood, scene.Cloth, scene.Slate}
	var frames, fps float64
	n := 0
	for b.Loop() {
		s := scene.New(scene.Options{Seed: uint64(n), Table: tables[n%len(tables)], Deck: scene.Deck(n % 5)})
		for i := range 6 {
			s.Deal(card.Card{Rank: card.Rank(1 + (5*i+n)%13), Suit: card.Suit(1 + i%4)}, scene.Spot{X: float64(30 * i), Turn: float64(9 * i)})
		}
		_, stats := watchAll(b, &scripted{Scene: s}, eye)
		frames += float64(stats.Frames)
		fps += stats.FPS
		n++
	}
	slices.Sort(eye.took)
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	b.ReportMetric(ms(eye.took[len(eye.took)/2]), "ms/look")
	b.ReportMetric(ms(eye.took[len(eye.took)*99/100]), "ms/look-p99")
	b.ReportMetric(float64(len(eye.took))/frames, "looks/frame")
	b.ReportMetric(fps/float64(n), "frames/s") // without drawing them
}

// labelled is a picture of one card and its rank.
type labelled struct {
	read func() (vision.Frame, error)
	rank card.Rank
}

// drawnSet is every rank on every table, the decks, lights and turns changing.
func drawnSet(tb testing.TB) (set []labelled) {
	for i, table := range []scene.Surface{scene.Felt, scene.Wood, scene.Cloth, scene.Slate} {
		s := scene.New(scene.Options{Seed: uint64(i), Table: table, Deck: scene.Deck((i + 1) % 5), Hurry: 6,
			Light: scene.Light{Warm: 0.2 * float64(i), Dim: 0.15 * float64(i)}, Lens: scene.Lens{Tilt: 8 * float64(i)}})
		for k, r := range card.All {
			f := shown(tb, s, card.Card{Rank: r, Suit: card.Suit(1 + k%4)}, float64(53*k%360))
			set = append(set, labelled{func() (vision.Frame, error) { return f, nil }, r})
		}
	}
	return set
}

// shown is the picture of a card that lies alone.
func shown(tb testing.TB, s *scene.Scene, c card.Card, turn float64) vision.Frame {
	s.Sweep()
	s.Deal(c, scene.Spot{Turn: turn})
	for {
		f, err := s.Next(tb.Context())
		if err != nil {
			tb.Fatal(err)
		}
		if !s.Busy() {
			if f, err = s.Next(tb.Context()); err != nil {
				tb.Fatal(err)
			}
			f.Pix = append([]byte(nil), f.Pix...)
			return f
		}
	}
}

// photoSet is pictures of single cards from the manifest that LANSQUENET_PHOTOS
// names, all of them with LANSQUENET_LONG; empty without a manifest.
func photoSet(tb testing.TB) (set []labelled) {
	name := os.Getenv("LANSQUENET_PHOTOS")
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		tb.Fatalf("%s: %d lines, %v", name, len(rows), err)
	}
	col := map[string]int{}
	for i, h := range rows[0] {
		col[h] = i
	}
	for _, row := range rows[1:] {
		r, err := card.ParseRank(row[col["label"]])
		if err != nil || !strings.HasPrefix(row[col["kind"]], "single") {
			continue // several cards, or a card without its table: not what the peer is made for
		}
		file := filepath.Join(filepath.Dir(name), row[col["file"]])
		set = append(set, labelled{func() (vision.Frame, error) { return ReadPicture(file) }, r})
	}
	const few = 80
	if os.Getenv("LANSQUENET_LONG") != "" || len(set) <= few {
		return set
	}
	var some []labelled // spread over the manifest, which is sorted by source
	for i := range few {
		some = append(some, set[i*len(set)/few])
	}
	return some
}

// BenchmarkPeer reads the same pictures with this reader and with a classical
// one, as hobby projects have it: bright contours with four corners, and the
// index compared with templates. Each reports how many it had right, wrong and
// not at all.
func BenchmarkPeer(b *testing.B) {
	eye := openTestEye(b)
	p := newPeer(b)
	defer p.close()
	readers := []struct {
		name string
		read func(vision.Frame) card.Rank
	}{
		{"lansquenet", func(f vision.Frame) card.Rank {
			seen, err := eye.Look(f, vision.Ask{Effort: vision.Thorough})
			if err != nil {
				b.Fatal(err)
			}
			if len(seen) == 0 || seen[0].Confidence < vision.Sure {
				return card.NoRank
			}
			return seen[0].Rank
		}},
		{"contours+templates", p.read},
	}
	for _, set := range []struct {
		name     string
		pictures []labelled
	}{{"drawn", drawnSet(b)}, {"photographs", photoSet(b)}} {
		if len(set.pictures) == 0 {
			continue
		}
		for _, r := range readers {
			b.Run(set.name+"/"+r.name, func(b *testing.B) {
				n, right, wrong := 0, 0, 0
				var busy time.Duration
				for b.Loop() {
					for _, l := range set.pictures {
						f, err := l.read()
						if err != nil {
							b.Fatal(err)
						}
						began := time.Now()
						got := r.read(f)
						busy += time.Since(began)
						n++
						switch got {
						case l.rank:
							right++
						case card.NoRank:
						default:
							wrong++
						}
					}
				}
				b.ReportMetric(100*float64(right)/float64(n), "%right")
				b.ReportMetric(100*float64(wrong)/float64(n), "%wrong")
				b.ReportMetric(busy.Seconds()*1000/float64(n), "ms/picture")
			})
		}
	}
}

// peer is the classical reader.
type peer struct{ templates [card.Ranks + 1]gocv.Mat }

// Sizes of the straightened card, of its corner and of an index in it.
const (
	peerW, peerH           = 200, 300
	peerCornerW, peerCorH  = 34, 48
	peerIndexW, peerIndexH = 70, 125
	peerMost               = 0.25 // share of the index's pixels that may differ
)

// newPeer takes its templates from the deck that it will see most, under a good
// lamp and upright.
func newPeer(b *testing.B) *peer {
	p := &peer{}
	s := scene.New(scene.Options{Seed: 1, Hurry: 6})
	for _, r := range card.All {
		f := shown(b, s, card.Card{Rank: r, Suit: card.Spades}, 0)
		for _, index := range p.indices(f) {
			if p.templates[r].Ptr() == nil {
				p.templates[r] = index
			} else {
				index.Close()
			}
		}
		if p.templates[r].Ptr() == nil {
			b.Fatalf("the peer finds no index on its own %v", r)
		}
	}
	return p
}

func (p *peer) close() {
	for _, r := range card.All {
		p.templates[r].Close()
	}
}

// read is the rank whose template differs least from an index in the picture.
func (p *peer) read(f vision.Frame) card.Rank {
	best, rank := peerMost*peerIndexW*peerIndexH, card.NoRank
	diff := gocv.NewMat()
	defer diff.Close()
	for _, index := range p.indices(f) {
		for _, r := range card.All {
			gocv.AbsDiff(index, p.templates[r], &diff)
			if d := float64(gocv.CountNonZero(diff)); d < best {
				best, rank = d, r
			}
		}
		index.Close()
	}
	return rank
}

// indices are the corners' largest dark shapes, of the card's two top corners
// either way its long sides may run.
func (p *peer) indices(f vision.Frame) (out []gocv.Mat) {
	full, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
	if err != nil {
		return nil
	}
	defer full.Close()
	grey, bright := gocv.NewMat(), gocv.NewMat()
	defer grey.Close()
	defer bright.Close()
	gocv.CvtColor(full, &grey, gocv.ColorBGRToGray)
	gocv.GaussianBlur(grey, &grey, image.Pt(5, 5), 0, 0, gocv.BorderDefault)
	gocv.Threshold(grey, &bright, 0, 255, gocv.ThresholdBinary|gocv.ThresholdOtsu)
	contours := gocv.FindContours(bright, gocv.RetrievalExternal, gocv.ChainApproxSimple)
	defer contours.Close()
	least := 0.01 * float64(f.W*f.H)
	for i := range contours.Size() {
		c := contours.At(i)
		if gocv.ContourArea(c) < least {
			continue
		}
		corners := gocv.ApproxPolyDP(c, 0.01*gocv.ArcLength(c, true), true)
		if corners.Size() == 4 {
			var q vision.Quad
			for k := range 4 {
				at := corners.At(3 - k) // contours run counter-clockwise
				q[k] = vision.Point{X: float64(at.X), Y: float64(at.Y)}
			}
			if w, h := q.Sides(); w > h {
				q = q.Turn(1)
			}
			if index, ok := p.index(full, q); ok {
				out = append(out, index)
			}
		}
		corners.Close()
	}
	return out
}

// index cuts the index out of a card's corner: black on white, stretched to one size.
func (p *peer) index(full gocv.Mat, q vision.Quad) (gocv.Mat, bool) {
	s := warp(full, q, peerW, peerH, 0)
	defer s.close()
	corner, ink := cut(s.grey, 3, 5, peerCornerW, peerCorH), gocv.NewMat()
	defer corner.Close()
	defer ink.Close()
	gocv.Resize(corner, &ink, image.Pt(4*peerCornerW, 4*peerCorH), 0, 0, gocv.InterpolationLinear)
	gocv.Threshold(ink, &ink, 0, 255, gocv.ThresholdBinaryInv|gocv.ThresholdOtsu)
	shapes := gocv.FindContours(ink, gocv.RetrievalExternal, gocv.ChainApproxSimple)
	defer shapes.Close()
	var box image.Rectangle
	for i := range shapes.Size() {
		if r := gocv.BoundingRect(shapes.At(i)); r.Dx()*r.Dy() > box.Dx()*box.Dy() {
			box = r
		}
	}
	if box.Empty() {
		return gocv.Mat{}, false
	}
	part := ink.Region(box)
	defer part.Close()
	out := gocv.NewMat()
	gocv.Resize(part, &out, image.Pt(peerIndexW, peerIndexH), 0, 0, gocv.InterpolationLinear)
	gocv.Threshold(out, &out, 127, 255, gocv.ThresholdBinary)
	return out, true
}
