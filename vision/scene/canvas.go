package scene

import (
	"encoding/binary"
	"image"
	"math"
	"math/rand/v2"
)

// grain is the most that noise moves a value, up or down. A canvas keeps its
// values away from both ends by so much, which lets eight values be made noisy
// with a single addition.
const grain = 16

// canvas is a picture before the sensor has added its noise: blue, green, red,
// each kept grain below what will be seen and at most 255 − 2·grain.
type canvas struct {
	w, h int
	pix  []byte
	gain *lightField
}

func newCanvas(w, h int, gain *lightField) *canvas {
	return &canvas{w: w, h: h, pix: make([]byte, 3*w*h), gain: gain}
}

func (c *canvas) clone() *canvas {
	d := *c
	d.pix = append([]byte(nil), c.pix...)
	return &d
}

func (c *canvas) copy(from *canvas) { copy(c.pix, from.pix) }

// keep brings a value into the canvas's range.
func keep(v float32) byte {
	switch v -= grain; {
	case v <= 0:
		return 0
	case v >= 255-2*grain:
		return 255 - 2*grain
	}
	return byte(v)
}

// noiseTable draws one sheet of sensor noise of the given standard deviation;
// every frame uses it from another place on.
func noiseTable(rnd *rand.Rand, deviation float64) []byte {
	t := make([]byte, 1<<20)
	for i := range t {
		v := math.Round(rnd.NormFloat64() * deviation)
		t[i] = byte(grain + max(-grain, min(grain, v)))
	}
	return t
}

// expose writes the picture with noise to out. No byte can carry into its
// neighbour: a canvas value is at most 255 − 2·grain and noise at most 2·grain.
func (c *canvas) expose(out, noise []byte, rnd *rand.Rand) {
	for done := 0; done < len(out); {
		// Rows of a sensor are noisy on their own, so the sheet is cut anew often.
		from := rnd.IntN(len(noise)-8192) &^ 7
		n := min(8192, len(out)-done)
		src, dst, add := c.pix[done:done+n], out[done:done+n], noise[from:from+n]
		i := 0
		for ; i+8 <= n; i += 8 {
			binary.LittleEndian.PutUint64(dst[i:], binary.LittleEndian.Uint64(src[i:])+binary.LittleEndian.Uint64(add[i:]))
		}
		for ; i < n; i++ {
			dst[i] = src[i] + add[i]
		}
		done += n
	}
}

// texture is something flat to lay on a canvas: colour with alpha, alpha already
// multiplied in, size pixels a millimetre, its middle at the middle.
type texture struct {
	*image.RGBA
	scale float64
}

// place is the map from a texture's pixels to the picture's when it lies on spot.
func (s *Scene) place(t *texture, at Spot) homography {
	b := t.Bounds()
	return shifted(-float64(b.Dx())/2, -float64(b.Dy())/2).
		then(scaled(1/t.scale, 1/t.scale)).then(turned(at.Turn)).then(shifted(at.X, at.Y)).then(s.cam)
}

// lay draws a texture through the map h, lit by the canvas's light and made
// opaque only by the share of its own alpha.
func (c *canvas) lay(t *texture, h homography, share float32) {
	b := t.Bounds()
	tw, th := float64(b.Dx()), float64(b.Dy())
	var xs, ys [4]float64
	for i, p := range [4][2]float64{{0, 0}, {tw, 0}, {tw, th}, {0, th}} {
		xs[i], ys[i] = h.apply(p[0], p[1])
	}
	inv := h.inverse()
	top, bottom := extent(ys[:], c.h)
	for y := top; y < bottom; y++ {
		left, right := span(xs, ys, float64(y), c.w)
		for x := left; x < right; x++ {
			u, v := inv.apply(float64(x)+0.5, float64(y)+0.5)
			r, g, bl, a := t.at(u-0.5, v-0.5)
			if a == 0 {
				continue
			}
			gain := c.gain.at(x, y)
			a *= share / 255
			p := c.pix[3*(y*c.w+x):][:3]
			for k, v := range [3]float32{bl, g, r} {
				was := float32(p[k]) + grain
				p[k] = keep(was*(1-a) + v*share*gain[k])
			}
		}
	}
}

func extent(v []float64, limit int) (from, to int) {
	lo, hi := v[0], v[0]
	for _, e := range v {
		lo, hi = min(lo, e), max(hi, e)
	}
	return max(0, int(math.Floor(lo))), min(limit, int(math.Ceil(hi))+1)
}

// span is the part of a row that a four-sided outline covers.
func span(xs, ys [4]float64, y float64, limit int) (from, to int) {
	var hits []float64
	var room [8]float64
	hits = room[:0]
	for i := range 4 {
		j := (i + 1) % 4
		for _, row := range [2]float64{y, y + 1} {
			if (ys[i] <= row) != (ys[j] <= row) {
				hits = append(hits, xs[i]+(row-ys[i])/(ys[j]-ys[i])*(xs[j]-xs[i]))
			}
		}
		if ys[i] >= y && ys[i] <= y+1 && len(hits) < cap(hits) {
			hits = append(hits, xs[i])
		}
	}
	if len(hits) == 0 {
		return 0, 0
	}
	return extent(hits, limit)
}

// at is the texture between its pixels; outside there is nothing.
func (t *texture) at(u, v float64) (r, g, b, a float32) {
	x, y := int(math.Floor(u)), int(math.Floor(v))
	w, h := t.Rect.Dx(), t.Rect.Dy()
	if x < -1 || y < -1 || x >= w || y >= h {
		return
	}
	fx, fy := float32(u-float64(x)), float32(v-float64(y))
	add := func(x, y int, k float32) {
		if x < 0 || y < 0 || x >= w || y >= h {
			return
		}
		p := t.Pix[y*t.Stride+4*x:][:4]
		r += k * float32(p[0])
		g += k * float32(p[1])
		b += k * float32(p[2])
		a += k * float32(p[3])
	}
	add(x, y, (1-fx)*(1-fy))
	add(x+1, y, fx*(1-fy))
	add(x, y+1, (1-fx)*fy)
	add(x+1, y+1, fx*fy)
	return
}
