//go:build cgo

package cv

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// variant is a way in which the same film could have been taken otherwise.
type variant struct {
	name  string
	every float64 // only one of so many pictures is seen; 0: each
	// change works on a picture, the n-th of the stream.
	change func(n uint64, m *gocv.Mat)
}

// variants are those that a reader of cards must not mind, and the mirror, in
// which there is nothing to read but nothing may be made up either.
func variants() []variant {
	all := func(do func(m *gocv.Mat)) func(uint64, *gocv.Mat) { return func(_ uint64, m *gocv.Mat) { do(m) } }
	gain := func(k float64) func(*gocv.Mat) {
		return func(m *gocv.Mat) { gocv.ConvertScaleAbs(*m, m, k, 0) }
	}
	turn := func(r gocv.RotateFlag) func(*gocv.Mat) { return func(m *gocv.Mat) { gocv.Rotate(*m, m, r) } }
	resize := func(w, h int) func(*gocv.Mat) {
		return func(m *gocv.Mat) { gocv.Resize(*m, m, image.Pt(w, h), 0, 0, gocv.InterpolationArea) }
	}
	blur := func(size int) func(*gocv.Mat) {
		return func(m *gocv.Mat) {
			if size > 1 {
				gocv.GaussianBlur(*m, m, image.Pt(size|1, size|1), 0, 0, gocv.BorderDefault)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	return []variant{
		{"as it is", 0, nil},
		{"turned 90°", 0, all(turn(gocv.Rotate90Clockwise))},
		{"turned 180°", 0, all(turn(gocv.Rotate180Clockwise))},
		{"turned 270°", 0, all(turn(gocv.Rotate90CounterClockwise))},
		{"darker", 0, all(gain(0.6))},
		{"brighter", 0, all(gain(1.4))},
		{"warm", 0, all(func(m *gocv.Mat) {
			ch := gocv.Split(*m)
			gocv.ConvertScaleAbs(ch[0], &ch[0], 0.55, 0)
			gocv.ConvertScaleAbs(ch[1], &ch[1], 0.85, 0)
			gocv.Merge(ch, m)
			for _, c := range ch {
				c.Close()
			}
		})},
		{"blurred", 0, all(blur(5))},
		{"noisy", 0, all(func(m *gocv.Mat) {
			p, err := m.DataPtrUint8()
			if err != nil {
				panic(err)
			}
			for i := range p {
				p[i] = uint8(min(255, max(0, float64(p[i])+8*r.NormFloat64())))
			}
		})},
		{"small, 15 fps", 2, all(resize(640, 360))},
		{"1.5 times as fast", 1.5, nil},
		{"2.8 times as fast", 2.8, nil},
		{"knocked", 0, func(n uint64, m *gocv.Mat) {
			// Every so often the camera is knocked and hangs otherwise from then on.
			k := float64(n / 180 % 4)
			dx, dy := 0.022*float64(m.Cols())*math.Sin(2*k), 0.02*float64(m.Rows())*math.Sin(3*k)
			rot := gocv.GetRotationMatrix2D(image.Pt(m.Cols()/2, m.Rows()/2), 1.2*math.Sin(k), 1)
			rot.SetDoubleAt(0, 2, rot.GetDoubleAt(0, 2)+dx)
			rot.SetDoubleAt(1, 2, rot.GetDoubleAt(1, 2)+dy)
			gocv.WarpAffineWithParams(*m, m, rot, image.Pt(m.Cols(), m.Rows()), gocv.InterpolationLinear, gocv.BorderReplicate, color.RGBA{})
			rot.Close()
		}},
		{"squeezed as JPEG", 0, all(func(m *gocv.Mat) {
			b, err := gocv.IMEncodeWithParams(".jpg", *m, []int{gocv.IMWriteJpegQuality, 35})
			if err != nil {
				panic(err)
			}
			defer b.Close()
			d, err := gocv.IMDecode(b.GetBytes(), gocv.IMReadColor)
			if err != nil {
				panic(err)
			}
			defer d.Close()
			d.CopyTo(m)
		})},
		{"flickering", 0, func(n uint64, m *gocv.Mat) { gain(1 + 0.05*math.Sin(2.1*float64(n)))(m) }},
		{"hunting", 0, func(n uint64, m *gocv.Mat) {
			// Focus and exposure are found within the first second.
			if k := 1 - float64(n)/22; k > 0 {
				blur(int(21 * k))(m)
				gain(1 + 0.6*k*math.Cos(9*k))(m)
			}
		}},
		{"mirrored", 0, all(func(m *gocv.Mat) { gocv.Flip(*m, m, 1) })},
	}
}

// varied is a film seen otherwise.
type varied struct {
	vision.FrameSource
	variant
	n   uint64
	mat gocv.Mat
	buf []byte
}

func (v *varied) Next(ctx context.Context) (vision.Frame, error) {
	for {
		f, err := v.FrameSource.Next(ctx)
		if err != nil {
			return f, err
		}
		if v.every > 0 && f.N < uint64(math.Ceil(float64(v.n)*v.every)) {
			continue
		}
		f.N = v.n
		v.n++
		if v.change == nil {
			return f, nil
		}
		m, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
		if err != nil {
			return f, err
		}
		m.CopyTo(&v.mat)
		m.Close()
		v.change(f.N, &v.mat)
		f.W, f.H = v.mat.Cols(), v.mat.Rows()
		v.buf, err = pixels(v.mat, v.buf)
		f.Pix = v.buf
		return f, err
	}
}

// dealsOf are the deals of a clip, in the frames that a variant leaves.
func dealsOf(t *testing.T, truth string, v variant) []vision.Deal {
	t.Helper()
	f, err := os.Open(truth)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []vision.Deal
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var d vision.Deal
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatalf("%s: %v", truth, err)
		}
		if v.every > 0 {
			for _, n := range []*uint64{&d.Appear, &d.Settled, &d.Covered} {
				*n = uint64(math.Ceil(float64(*n) / v.every))
			}
		}
		out = append(out, d)
	}
	return out
}

// turns are where an eye may stand in its round of the later ways of looking when
// a film begins: which way meets which picture is chance, and nothing may hang on
// it. LANSQUENET_TURNS says how many of them are tried, otherwise one is.
func turns(t testing.TB) []int {
	n := 1
	if s := os.Getenv("LANSQUENET_TURNS"); s != "" {
		if _, err := fmt.Sscan(s, &n); err != nil {
			t.Fatalf("LANSQUENET_TURNS: %v", err)
		}
	}
	return []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}[:n]
}

// TestClips watches the clips in the folder LANSQUENET_CLIPS in many variants.
// LANSQUENET_ONLY, a pattern, chooses among them by "clip/variant".
func TestClips(t *testing.T) {
	dir := os.Getenv("LANSQUENET_CLIPS")
	if dir == "" {
		t.Skip("LANSQUENET_CLIPS names no folder")
	}
	only, err := regexp.Compile(os.Getenv("LANSQUENET_ONLY"))
	if err != nil {
		t.Fatal(err)
	}
	truths, err := filepath.Glob(filepath.Join(dir, "*.truth.jsonl"))
	if err != nil || len(truths) == 0 {
		t.Fatalf("%s: no clips here (%v)", dir, err)
	}
	eye := openTestEye(t)
	all := vision.Tally{}
	for _, v := range variants() {
		sum := vision.Tally{}
		for _, truth := range truths {
			base := strings.TrimSuffix(truth, ".truth.jsonl")
			if !only.MatchString(filepath.Base(base) + "/" + v.name) {
				continue
			}
			for _, turn := range turns(t) {
				src, err := Open(t.Context(), base+".mp4", SourceOptions{})
				if err != nil {
					t.Fatal(err)
				}
				film := &varied{FrameSource: src, variant: v, mat: gocv.NewMat()}
				eye.turn = turn
				events, _ := watchAll(t, film, eye)
				film.mat.Close()
				src.Close()
				c := vision.Compare(dealsOf(t, truth, v), events)
				for _, n := range c.Notes {
					t.Logf("    %s, %s, turn %d: %s", filepath.Base(base), v.name, turn, n)
				}
				sum.Add(c)
			}
		}
		if sum.Deals > 0 {
			t.Logf("%-18s %v", v.name, sum)
		}
		if v.name != "mirrored" {
			all.Add(sum)
		}
	}
	t.Logf("%-18s %v", "all but mirrored", all)
	if all.Misread > 0 || all.Phantom > 0 || all.Miss > 0 {
		t.Errorf("%d misread, %d phantoms, %d missed", all.Misread, all.Phantom, all.Miss)
	}
}
