//go:build cgo

package cv

import (
	"fmt"
	"image"
	"math"
	"slices"
	"sort"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/weights"
)

// The index stage finds cards by their printed ranks alone: white cards on white
// cloth, fans, cards mostly covered. A net says where a rank may be printed, how
// large and which way up; the corner net then reads it on the card supposed there.

const (
	// indexLeast is the probability from which a place is worth reading.
	indexLeast = 0.3
	// indexMost bounds the places read in one picture.
	indexMost = 80
	// indexLong is the longer side of the largest picture that the net is shown.
	indexLong = 1600
	// indexLow is how likely a rank found so must be when the cut is a little off.
	indexLow = 0.5
)

// indexSizes are how large the supposed card is tried, most decks print ranks
// larger than weights.IndexH says.
var indexSizes = []float64{1, 0.8, 0.66}

// index is a place where a rank may be printed.
type index struct {
	at   vision.Point
	down vision.Point // as long as the rank is high
	p    float32      // the net's probability
	way  float64      // how sure the net is of down's direction: 1 when it is sure
}

// card is the outline of the card whose first corner bears the index, on a table
// seen from straight above.
func (x index) card() vision.Quad { return x.on(table{}) }

// on is the outline of the card on a table known by another one.
func (x index) on(t table) vision.Quad {
	down := x.down.Mul(1 / weights.IndexH)
	across := vision.Point{X: down.Y, Y: -down.X}.Mul(vision.CardWide / vision.CardHigh)
	if t != (table{}) {
		d := t.Flat(down)
		across = t.Seen(vision.Point{X: d.Y, Y: -d.X}.Mul(vision.CardWide / vision.CardHigh))
	}
	corner := x.at.Sub(across.Mul(weights.IndexX)).Sub(down.Mul(weights.IndexY))
	return vision.Parallelogram(corner, across, down)
}

// sized is the index supposing that the card is k times as large.
func (x index) sized(k float64) index {
	x.down = x.down.Mul(k)
	return x
}

// indices finds where ranks may be printed in a grey picture.
func (r *reader) indices(grey gocv.Mat) (out []index) {
	b, err := grey.DataPtrUint8()
	if err != nil {
		panic("cv: a grey picture is not in one piece: " + err.Error())
	}
	blob := gocv.NewMatWithSizes([]int{1, 1, grey.Rows(), grey.Cols()}, gocv.MatTypeCV32F)
	defer blob.Close()
	data, err := blob.DataPtrFloat32()
	if err != nil {
		panic("cv: a fresh blob has no data: " + err.Error())
	}
	copy(data, normalise(b, 1, false))
	r.index.SetInput(blob, "")
	answer := r.index.Forward("")
	defer answer.Close()
	v, err := answer.DataPtrFloat32()
	const cell = weights.IndexCell
	rows, cols := (grey.Rows()+cell-1)/cell, (grey.Cols()+cell-1)/cell
	if err != nil || len(v) != 6*rows*cols {
		panic(fmt.Sprintf("cv: the index net gave %d numbers for %d×%d cells (%v)", len(v), cols, rows, err))
	}
	for i := range rows {
		for j := range cols {
			at := func(k int) float64 { return float64(v[(k*rows+i)*cols+j]) }
			if p := at(0); p < indexLeast || p < highest(v, rows, cols, i, j) {
				continue
			}
			turn, high := math.Atan2(at(4), at(3)), weights.IndexMid*math.Exp(at(5))
			out = append(out, index{
				at:   vision.Point{X: cell * (float64(j) + at(1)), Y: cell * (float64(i) + at(2))},
				down: vision.Point{X: -math.Sin(turn), Y: math.Cos(turn)}.Mul(high),
				p:    float32(at(0)),
				way:  math.Hypot(at(3), at(4)),
			})
		}
	}
	return out
}

// highest is the greatest value in the cells around one.
func highest(v []float32, rows, cols, i, j int) float64 {
	most := float32(0)
	for y := max(0, i-1); y <= min(rows-1, i+1); y++ {
		for x := max(0, j-1); x <= min(cols-1, j+1); x++ {
			most = max(most, v[y*cols+x])
		}
	}
	return float64(most)
}

// printed are the places in the picture where ranks may be printed, of every
// size, the most probable first.
func (l *look) printed() (out []index) {
	grey := gocv.NewMat()
	defer grey.Close()
	gocv.CvtColor(l.full, &grey, gocv.ColorBGRToGray)
	k := indexLong / float64(max(grey.Cols(), grey.Rows()))
	if k > 1 && k < 2 {
		k = 1
	}
	k = math.Min(2, k)
	var all []index
	for ; min(float64(grey.Cols()), float64(grey.Rows()))*k >= 64; k /= 2 {
		small := gocv.NewMat()
		how := gocv.InterpolationArea
		if k > 1 {
			how = gocv.InterpolationLinear
		}
		gocv.Resize(grey, &small, image.Point{}, k, k, how)
		kx, ky := float64(grey.Cols())/float64(small.Cols()), float64(grey.Rows())/float64(small.Rows())
		for _, x := range l.eye.read.indices(small) {
			x.at = vision.Point{X: (x.at.X+0.5)*kx - 0.5, Y: (x.at.Y+0.5)*ky - 0.5}
			x.down = x.down.Mul(kx)
			all = append(all, x)
		}
		small.Close()
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].p > all[j].p })
next:
	for _, x := range all {
		for _, o := range out {
			if x.at.Dist(o.at) < 0.5*min(x.down.Len(), o.down.Len()) {
				continue next
			}
		}
		out = append(out, x)
	}
	return out[:min(len(out), indexMost)]
}

// indexStage reads the cards of which nothing but an index was found.
func (l *look) indexStage() {
	var places []index
	var cards []vision.Quad // of each place those it can belong to
	var patches [][]float32
	tables := []table{{}}
	if t := tableIn(l.seen); t.slanted() {
		tables = append(tables, t.table)
	}
	for _, x := range l.printed() {
		if l.readAt(x.at) {
			continue
		}
		places = append(places, x)
		for _, t := range tables {
			for _, k := range indexSizes {
				q := x.sized(k).on(t)
				cards = append(cards, q)
				patches = append(patches, cornerPatch(l.full, q))
			}
		}
	}
	said := l.eye.read.corners(patches)
	var found []reading
	for i, x := range places {
		// How large a rank is printed differs from deck to deck; the net is surest
		// where the size is right.
		n := len(tables) * len(indexSizes)
		q, o := cards[n*i], said[n*i]
		for j := n*i + 1; j < n*(i+1); j++ {
			if clearest(said[j]) > clearest(o) {
				q, o = cards[j], said[j]
			}
		}
		s := l.readCorner(q, o)
		if s.least < indexLow {
			continue
		}
		if !s.firm(clearest(o), said[n*i:n*(i+1)]) || s.eitherWay(l.turned(q), x.way) {
			s.Confidence = min(s.Confidence, doubtful)
		}
		s.printed, s.Suit = true, l.pipOf(s.Quad)
		found = append(found, s)
	}
	l.seen = append(l.seen, found...)
	l.pair(found)
}

// firm says that an index is read without any doubt: surely in the size that fits it
// best, whose rank is that likely, or, with a little less, in all sizes alike.
func (r reading) firm(clearest float32, sizes []ranks) bool {
	if clearest >= 0.99 {
		return r.least >= 0.6 && !contradicted(r.Rank, 0.2, sizes...)
	}
	low := float32(r.least)
	for _, o := range sizes {
		low = min(low, o[r.Rank-1])
	}
	return low >= 0.9
}

// turned is what the net says of the index in a card's first corner when it is taken
// to stand upside down.
func (l *look) turned(q vision.Quad) ranks {
	half := end(q, 1)
	return l.eye.read.corners([][]float32{cornerPatch(l.full, half.Scale(1, indexOf(q).Sub(indexOf(half))))})[0]
}

// eitherWay says that an index can as well be read upside down, as another rank: a six
// as a nine, a B as an eight. Many can; then way, how sure the index net is of the
// direction, must count.
func (r reading) eitherWay(turned ranks, way float64) bool {
	const likely, directed = 0.8, 0.7
	return contradicted(r.Rank, likely, turned) && way < directed
}

// clearest is the probability of the likeliest rank.
func clearest(o ranks) float32 { return slices.Max(o[:card.Ranks]) }

// pair reads the whole card wherever two of its ends were found.
func (l *look) pair(ends []reading) {
	for i, a := range ends {
		for _, b := range ends[i+1:] {
			q, ok := between(a.Quad, b.Quad)
			if !ok || a.Rank != b.Rank {
				continue
			}
			if w := l.readUpright(q); w.Rank == a.Rank && w.ends[0] && w.ends[1] {
				l.seen = append(l.seen, w)
			}
		}
	}
}

// between is the card whose two indices the first corners of a and b bear, if
// they can be: turned by half a turn, and one known diagonal apart.
func between(a, b vision.Quad) (vision.Quad, bool) {
	const (
		off  = 14 * math.Pi / 180 // what the direction of an index may be wrong by
		size = 1.8                // and the size that it lets suppose
	)
	u, v := a[3].Sub(a[0]), b[3].Sub(b[0])
	down := u.Mul(1 / u.Len()).Sub(v.Mul(1 / v.Len()))
	from, to := indexOf(a), indexOf(b)
	d := to.Sub(from)
	// Seen along the card's diagonal, the long side lies at this angle. So does it
	// from index to index, as they are as far from either side.
	lean := math.Atan2(vision.CardWide*(1-2*weights.IndexX), vision.CardHigh*(1-2*weights.IndexY))
	wrong := math.Atan2(d.Cross(down), d.Dot(down)) - lean
	high := d.Len() * math.Cos(lean) / (1 - 2*weights.IndexY)
	k := high / math.Sqrt(u.Len()*v.Len())
	if u.Dot(v) > -sameTurn*u.Len()*v.Len() || math.Abs(wrong) > off || k > size || k < 1/size {
		return a, false
	}
	sin, cos := math.Sincos(lean)
	along := d.Mul(1 / d.Len())
	down = vision.Point{X: along.X*cos - along.Y*sin, Y: along.X*sin + along.Y*cos}.Mul(high)
	across := vision.Point{X: down.Y, Y: -down.X}.Mul(vision.CardWide / vision.CardHigh)
	corner := from.Sub(across.Mul(weights.IndexX)).Sub(down.Mul(weights.IndexY))
	return vision.Parallelogram(corner, across, down), true
}
