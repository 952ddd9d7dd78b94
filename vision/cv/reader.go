//go:build cgo

package cv

import (
	"fmt"
	"image"
	"math"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/weights"
)

const (
	rankClasses = card.Ranks + 1 // the last is "no rank"
	suitClasses = card.Suits + 1 // the last is "no suit"
)

// ranks are probabilities by rank from ace to king, and "no rank" last.
type ranks [rankClasses]float32

// suits are probabilities of clubs, diamonds, hearts, spades, and "no suit".
type suits [suitClasses]float32

// reader runs the nets on straightened cards.
type reader struct {
	corner, suit, face, index gocv.Net
}

func newReader() (*reader, error) {
	r := &reader{}
	for _, n := range []struct {
		name string
		data []byte
		net  *gocv.Net
	}{{"corner", weights.Corner, &r.corner}, {"suit", weights.Suit, &r.suit}, {"face", weights.Face, &r.face}, {"index", weights.Index, &r.index}} {
		net, err := gocv.ReadNetFromONNXBytes(n.data)
		if err != nil || net.Empty() {
			return nil, fmt.Errorf("the %s net can't be loaded (%v); OpenCV 4.6 or newer is needed", n.name, err)
		}
		*n.net = net
	}
	return r, nil
}

func (r *reader) close() {
	r.corner.Close()
	r.suit.Close()
	r.face.Close()
	r.index.Close()
}

// run feeds patches of one size to a net and returns a row of probabilities
// for each.
func run(net *gocv.Net, patches [][]float32, channels, h, w, classes int) [][]float32 {
	if len(patches) == 0 {
		return nil
	}
	// A net keeps memory for the largest batch it ever saw.
	const most = 8
	if len(patches) > most {
		return append(run(net, patches[:most], channels, h, w, classes), run(net, patches[most:], channels, h, w, classes)...)
	}
	blob := gocv.NewMatWithSizes([]int{len(patches), channels, h, w}, gocv.MatTypeCV32F)
	defer blob.Close()
	data, err := blob.DataPtrFloat32()
	if err != nil {
		panic("cv: a fresh blob has no data: " + err.Error())
	}
	for i, p := range patches {
		copy(data[i*channels*h*w:], p)
	}
	net.SetInput(blob, "")
	out := net.Forward("")
	defer out.Close()
	res, err := out.DataPtrFloat32()
	if err != nil || len(res) != len(patches)*classes {
		panic(fmt.Sprintf("cv: a net gave %d numbers for %d patches (%v)", len(res), len(patches), err))
	}
	rows := make([][]float32, len(patches))
	for i := range rows {
		rows[i] = append([]float32(nil), res[i*classes:(i+1)*classes]...)
	}
	return rows
}

// corners reads grey corner patches.
func (r *reader) corners(ps [][]float32) []ranks {
	out := make([]ranks, len(ps))
	for i, row := range run(&r.corner, ps, 1, weights.CornerH, weights.CornerW, rankClasses) {
		copy(out[i][:], row)
	}
	return out
}

// faces reads whole grey cards.
func (r *reader) faces(ps [][]float32) []ranks {
	out := make([]ranks, len(ps))
	for i, row := range run(&r.face, ps, 1, weights.FaceH, weights.FaceW, rankClasses) {
		copy(out[i][:], row)
	}
	return out
}

// pips reads coloured corner patches for the suit.
func (r *reader) pips(ps [][]float32) []suits {
	out := make([]suits, len(ps))
	for i, row := range run(&r.suit, ps, 3, weights.SuitH, weights.SuitW, suitClasses) {
		copy(out[i][:], row)
	}
	return out
}

// straight is one card straightened to weights.CardW×weights.CardH.
type straight struct {
	bgr, grey gocv.Mat
}

func (s straight) close() {
	s.bgr.Close()
	s.grey.Close()
}

// straighten lays a card flat. A card much larger than weights.CardW×weights.CardH is shrunk
// first by averaging, because sampling it would turn thin strokes to dust.
func straighten(full gocv.Mat, q vision.Quad) straight {
	return warp(full, q, weights.CardW, weights.CardH, weights.Margin)
}

func warp(full gocv.Mat, q vision.Quad, w, h int, margin float64) straight {
	src, quad := full, q
	_, long := q.Sides()
	if k := float64(h) / long; k < 0.75 {
		b := q.Bounds().Inset(-int(long/20) - 2).Intersect(image.Rect(0, 0, full.Cols(), full.Rows()))
		if !b.Empty() {
			part := full.Region(b)
			small := gocv.NewMat()
			defer small.Close()
			gocv.Resize(part, &small, image.Point{}, k*1.1, k*1.1, gocv.InterpolationArea)
			part.Close()
			kx, ky := float64(small.Cols())/float64(b.Dx()), float64(small.Rows())/float64(b.Dy())
			for i, p := range quad {
				quad[i] = vision.Point{
					X: (p.X-float64(b.Min.X)+0.5)*kx - 0.5,
					Y: (p.Y-float64(b.Min.Y)+0.5)*ky - 0.5,
				}
			}
			src = small
		}
	}
	m := perspective(quad, w, h, margin)
	defer m.Close()
	s := straight{gocv.NewMat(), gocv.NewMat()}
	gocv.WarpPerspective(src, &s.bgr, m, image.Pt(w, h))
	gocv.CvtColor(s.bgr, &s.grey, gocv.ColorBGRToGray)
	return s
}

func perspective(q vision.Quad, w, h int, margin float64) gocv.Mat {
	var from, to []gocv.Point2f
	for _, p := range q {
		from = append(from, gocv.Point2f{X: float32(p.X), Y: float32(p.Y)})
	}
	l, t, r, b := float32(margin), float32(margin), float32(float64(w)-1-margin), float32(float64(h)-1-margin)
	to = []gocv.Point2f{{X: l, Y: t}, {X: r, Y: t}, {X: r, Y: b}, {X: l, Y: b}}
	fv, tv := gocv.NewPoint2fVectorFromPoints(from), gocv.NewPoint2fVectorFromPoints(to)
	defer fv.Close()
	defer tv.Close()
	return gocv.GetPerspectiveTransform2f(fv, tv)
}

// cornerPatches are the grey patches for the rank of the two index corners.
func (s straight) cornerPatches() [][]float32 {
	a := patch(s.grey, false, weights.PatchW, weights.PatchH, weights.CornerW, weights.CornerH)
	b := patch(s.grey, true, weights.PatchW, weights.PatchH, weights.CornerW, weights.CornerH)
	return [][]float32{a, b}
}

// pipPatches are the coloured patches for the suit of the two index corners.
func (s straight) pipPatches() [][]float32 {
	return [][]float32{
		patch(s.bgr, false, weights.PatchW, weights.PatchH, weights.SuitW, weights.SuitH),
		patch(s.bgr, true, weights.PatchW, weights.PatchH, weights.SuitW, weights.SuitH),
	}
}

// facePatch is the whole card.
func (s straight) facePatch() []float32 {
	return patch(s.grey, false, weights.CardW, weights.CardH, weights.FaceW, weights.FaceH)
}

// patch cuts fromW×fromH from the top left, or with turned from the bottom
// right by half a turn, shrinks it and normalises it: planes of (x−mean)/(std+6).
func patch(m gocv.Mat, turned bool, fromW, fromH, toW, toH int) []float32 {
	x, y := 0, 0
	if turned {
		x, y = m.Cols()-fromW, m.Rows()-fromH
	}
	part := cut(m, x, y, fromW, fromH)
	defer part.Close()
	small := gocv.NewMat()
	defer small.Close()
	gocv.Resize(part, &small, image.Pt(toW, toH), 0, 0, gocv.InterpolationArea)
	b, err := small.DataPtrUint8()
	if err != nil {
		panic("cv: a shrunk patch is not in one piece: " + err.Error())
	}
	return normalise(b, small.Channels(), turned)
}

// normalise takes each channel's mean away and divides all by one spread, so
// that the light and its colour fall out; the 6 keeps noise on an empty patch
// small.
func normalise(b []byte, channels int, turned bool) []float32 {
	n := len(b) / channels
	out := make([]float32, len(b))
	var sq float64
	for c := range channels {
		sum := 0
		for i := c; i < len(b); i += channels {
			sum += int(b[i])
		}
		mean := float64(sum) / float64(n)
		for p := range n {
			x := float64(b[p*channels+c]) - mean
			sq += x * x
			at := p
			if turned {
				at = n - 1 - p
			}
			out[c*n+at] = float32(x)
		}
	}
	k := float32(1 / (math.Sqrt(sq/float64(len(b))) + 6))
	for i := range out {
		out[i] *= k
	}
	return out
}

// cut is a part of a picture, sharing its pixels; to be closed.
func cut(m gocv.Mat, x, y, w, h int) gocv.Mat { return m.Region(image.Rect(x, y, x+w, y+h)) }

func pt(x, y int) image.Point { return image.Pt(x, y) }
