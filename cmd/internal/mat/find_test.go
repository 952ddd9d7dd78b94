package mat

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lansquenet/vision"
)

// sheet is a mat as the printer makes it, without its words.
type sheet struct {
	w, h  float64 // millimetres
	lines []bool  // whether a line is printed, at each quarter of a millimetre
}

const dots = 4 // a millimetre

// printed reads the lines back out of the PDF, so that what is looked for is what
// is printed.
func printed(t *testing.T, paper string) sheet {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, paper, "en"); err != nil {
		t.Fatal(err)
	}
	var sh sheet
	box := regexp.MustCompile(`/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]`).FindSubmatch(b.Bytes())
	const mm = 25.4 / 72
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v * mm
	}
	sh.w, sh.h = number(string(box[1])), number(string(box[2]))
	across := int(sh.w*dots) + 1
	sh.lines = make([]bool, across*(int(sh.h*dots)+1))
	strokes := 0
	for rest := b.Bytes(); ; {
		at := bytes.Index(rest, []byte("stream\n"))
		if at < 0 {
			break
		}
		rest = rest[at+len("stream\n"):]
		z, err := zlib.NewReader(bytes.NewReader(rest))
		if err != nil {
			continue
		}
		text, _ := io.ReadAll(z) // a typeface's stream may end early; it has no lines
		width := 0.0
		for _, line := range strings.Split(string(text), "\n") {
			f := strings.Fields(line)
			switch {
			case len(f) == 2 && f[1] == "w":
				width = number(f[0])
			case len(f) == 7 && f[2] == "m" && f[5] == "l" && f[6] == "S":
				strokes++
				x0, y0, x1, y1 := number(f[0]), sh.h-number(f[1]), number(f[3]), sh.h-number(f[4])
				// Lines run along the paper's sides, and their ends are square.
				for y := int((min(y0, y1) - width/2) * dots); y < int((max(y0, y1)+width/2)*dots); y++ {
					for x := int((min(x0, x1) - width/2) * dots); x < int((max(x0, x1)+width/2)*dots); x++ {
						sh.lines[y*across+x] = true
					}
				}
			}
		}
	}
	if strokes != 4*2+3*4*2 {
		t.Fatalf("%d lines in the PDF", strokes)
	}
	return sh
}

// light is how light the sheet is at a place, from 0 (the table) over 1 (paper) to 2 (a line).
func (s sheet) light(x, y float64) int {
	if x < 0 || y < 0 || x > s.w || y > s.h {
		return 0
	}
	if s.lines[int(y*dots)*(int(s.w*dots)+1)+int(x*dots)] {
		return 2
	}
	return 1
}

// view is how a mat is looked at.
type view struct {
	w, h       int
	wide       float64 // millimetres across the picture's middle
	tilt, turn float64 // degrees
	x, y       float64 // of what the camera looks at, from the mat's middle
	table      [3]float64
	bright     float64
	hide       []vision.Point // places on the mat, from its top left, over which a hand lies
}

// place is where a pixel's ray meets the table, in millimetres on the mat.
func (v view) place(s sheet, px, py float64) (x, y float64) {
	sin, cos := math.Sincos(v.tilt * math.Pi / 180)
	focal := float64(v.w) / 2 / math.Tan(30*math.Pi/180)
	far := v.wide / float64(v.w) * focal
	u, w := px-float64(v.w)/2, py-float64(v.h)/2
	// The camera stands at the near side and looks down at its aim.
	dy, dz := w*cos-focal*sin, -w*sin-focal*cos
	k := far * cos / -dz
	x, y = u*k, far*sin+dy*k
	ts, tc := math.Sincos(v.turn * math.Pi / 180)
	return x*tc - y*ts + v.x + s.w/2, x*ts + y*tc + v.y + s.h/2
}

func (v view) picture(s sheet) vision.Frame {
	f := vision.Frame{W: v.w, H: v.h, Pix: make([]byte, 3*v.w*v.h)}
	r := rand.New(rand.NewPCG(3, 4))
	inks := [3][3]float64{v.table, {50, 74, 20}, {180, 206, 214}}
	for y := range v.h {
		for x := range v.w {
			var sum [3]float64
			for k := range 4 { // four samples a pixel
				mx, my := v.place(s, float64(x)+0.25+0.5*float64(k&1), float64(y)+0.25+0.5*float64(k>>1))
				ink := inks[s.light(mx, my)]
				for _, p := range v.hide {
					if math.Hypot(mx-p.X, my-p.Y) < 30 {
						ink = [3]float64{120, 150, 200}
					}
				}
				for c := range sum {
					sum[c] += ink[c] / 4
				}
			}
			lamp := v.bright * (1.05 - 0.3*float64(x)/float64(v.w))
			for c := range sum {
				f.Pix[3*(y*v.w+x)+c] = byte(math.Max(0, math.Min(255, sum[c]*lamp+3*r.NormFloat64())))
			}
		}
	}
	return f
}

var (
	wood  = [3]float64{58, 102, 158}
	cloth = [3]float64{203, 210, 214}
)

// TestCamerasFindThePrintedMat: whichever way the camera hangs over it, the outline
// joins the bends of the four marks, 8 mm in from the paper's corners.
func TestCamerasFindThePrintedMat(t *testing.T) {
	views := []view{
		{w: 1280, h: 720, wide: 560, table: wood, bright: 1},
		{w: 1280, h: 720, wide: 740, table: cloth, bright: 0.8, turn: 12, x: 15},
		{w: 1280, h: 720, wide: 640, table: wood, bright: 0.35, tilt: 25, turn: 180},
		{w: 640, h: 480, wide: 500, table: cloth, bright: 0.9, tilt: 12, turn: -7},
		{w: 1280, h: 720, wide: 800, table: cloth, bright: 1, tilt: 38, turn: 4},
		{w: 1920, h: 1080, wide: 1000, table: wood, bright: 0.6, turn: 90 + 20, x: -10},
	}
	for _, paper := range []string{"A3", "A4"} {
		s := printed(t, paper)
		for i, v := range views {
			if paper == "A4" {
				v.wide *= 0.72
			}
			m := vision.FindMat(v.picture(s))
			name := fmt.Sprintf("%s, view %d", paper, i)
			if !m.Found {
				t.Errorf("%s: not found, %d marks", name, m.Marks)
				continue
			}
			for _, p := range m.Quad {
				x, y := v.place(s, p.X, p.Y)
				off := math.Hypot(math.Min(x, s.w-x)-8, math.Min(y, s.h-y)-8)
				if off > 4 {
					t.Errorf("%s: a corner is %.1f mm from its mark", name, off)
				}
			}
		}
	}
}

// TestHiddenMarks: with a hand over a corner the mat isn't found, nor is one of the
// places on it taken for the mat.
func TestHiddenMarks(t *testing.T) {
	s := printed(t, "A3")
	v := view{w: 1280, h: 720, wide: 560, table: wood, bright: 1, hide: []vision.Point{{X: s.w - 8, Y: s.h - 8}}}
	m := vision.FindMat(v.picture(s))
	if m.Found || m.Marks != 3 {
		t.Fatalf("one hidden: %+v", m)
	}
	if x, y := v.place(s, m.Missing.X, m.Missing.Y); math.Hypot(x-(s.w-8), y-(s.h-8)) > 20 {
		t.Errorf("the missing one is said to be at %.0f, %.0f mm", x, y)
	}
	for _, v := range []view{
		{w: 1280, h: 720, wide: 560, table: wood, bright: 1, hide: []vision.Point{{X: 8, Y: 8}, {X: 8, Y: s.h - 8}}},
		{w: 1280, h: 720, wide: 300, table: wood, bright: 1},             // only the middle is in the picture
		{w: 1280, h: 720, wide: 560, table: wood, bright: 1, x: 2000},    // an empty table
		{w: 1280, h: 720, wide: 560, table: cloth, bright: 0.1, tilt: 9}, // too dark
	} {
		if m := vision.FindMat(v.picture(s)); m.Found || m.Marks > 2 {
			t.Errorf("%+v: %+v", v, m)
		}
	}
}
