package scene

import (
	"math"
)

// Surface is what the table is covered with.
type Surface uint8

// The surfaces.
const (
	Felt  Surface = iota // green baize
	Wood                 // planks
	Cloth                // a white tablecloth
	Slate                // nearly black
)

// Light is the lamp and what the sensor makes of it. The zero value is a good
// lamp a little to one side.
type Light struct {
	Dim   float64 // 0: bright … 1: dark
	Warm  float64 // 0: white … 1: a candle
	Glare float64 // 0: none … 1: a bright spot that washes out a part of the table
	Noise float64 // standard deviation of a value; 0: 2.5, more in the dark
	// Flicker is by which share the light swings from picture to picture, as lamps
	// on alternating current do before a camera; 0: steady.
	Flicker float64
}

// flicker lights picture n as the lamp does at that moment.
func (l Light) flicker(pix []byte, n uint64) {
	if l.Flicker == 0 {
		return
	}
	const beat = 2.1 // radians from picture to picture
	k := 1 + l.Flicker*math.Sin(beat*float64(n))
	var lit [256]byte
	for v := range lit {
		lit[v] = byte(min(255, k*float64(v)+0.5))
	}
	for i, v := range pix {
		pix[i] = lit[v]
	}
}

func (l Light) noise() float64 {
	if l.Noise > 0 {
		return l.Noise
	}
	return 2.5 + 3*l.Dim
}

// lightField is how bright the table is at every 8th pixel, for each colour.
type lightField struct {
	w    int
	gain [][3]float32
}

func (f *lightField) at(x, y int) *[3]float32 { return &f.gain[(y>>3)*f.w+(x>>3)] }

func (l Light) field(w, h int) *lightField {
	f := &lightField{w: (w + 7) / 8}
	rows := (h + 7) / 8
	f.gain = make([][3]float32, f.w*rows)
	diag := math.Hypot(float64(w), float64(h))
	for y := range rows {
		for x := range f.w {
			px, py := float64(8*x)/diag, float64(8*y)/diag
			far := math.Hypot(px-0.36, py-0.22)
			v := (1.02 - 0.55*far*far) * math.Pow(0.2, l.Dim)
			spot := math.Hypot(px-0.6, py-0.3) / 0.12
			v *= 1 + 0.8*l.Glare*math.Exp(-spot*spot)
			f.gain[y*f.w+x] = [3]float32{float32(v * (1 - 0.55*l.Warm)), float32(v * (1 - 0.2*l.Warm)), float32(v)}
		}
	}
	return f
}

// paint covers the canvas with a surface that lies in the table's plane.
func (c *canvas) paint(s Surface, inv homography, seed uint64) {
	for y := range c.h {
		for x := range c.w {
			u, v := inv.apply(float64(x)+0.5, float64(y)+0.5)
			r, g, b := s.colour(float32(u), float32(v), uint32(seed))
			gain := c.gain.at(x, y)
			p := c.pix[3*(y*c.w+x):][:3]
			p[0], p[1], p[2] = keep(b*gain[0]), keep(g*gain[1]), keep(r*gain[2])
		}
	}
}

// colour is the surface's colour at a place in millimetres.
func (s Surface) colour(x, y float32, seed uint32) (r, g, b float32) {
	fine, broad := smooth(x*1.3, y*1.3, seed)-0.5, smooth(x/23, y/23, seed+1)-0.5
	switch s {
	case Wood:
		const plank = 118
		n := math.Floor(float64(y) / plank)
		shift := 400 * unit(int32(n), 7, seed)
		bend := 9 * smooth(x/160+shift, y/28, seed+2)
		ring := float32(math.Sin(float64(y/5.5 + bend)))
		v := 1 + 0.09*ring + 0.16*fine + 0.25*(unit(int32(n), 3, seed)-0.5) + 0.1*broad
		if edge := float64(y) - n*plank; edge < 1.2 {
			v *= 0.55
		}
		return 158 * v, 102 * v, 58 * v
	case Cloth:
		weave := float32(math.Sin(float64(x)*4) * math.Sin(float64(y)*4))
		v := 1 + 0.03*fine + 0.05*broad + 0.015*weave
		return 214 * v, 210 * v, 203 * v
	case Slate:
		v := 1 + 0.3*fine + 0.2*broad
		return 38 * v, 40 * v, 44 * v
	}
	v := 1 + 0.22*fine + 0.14*broad
	return 22 * v, 108 * v, 62 * v
}

// unit is a number from 0 to 1 that belongs to a place on a grid.
func unit(x, y int32, seed uint32) float32 {
	h := uint32(x)*0x9e3779b1 ^ uint32(y)*0x85ebca77 ^ seed*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return float32(h>>8) / (1 << 24)
}

// smooth is noise from 0 to 1 that changes over about one unit.
func smooth(x, y float32, seed uint32) float32 {
	fx, fy := math.Floor(float64(x)), math.Floor(float64(y))
	ix, iy := int32(fx), int32(fy)
	u, v := x-float32(fx), y-float32(fy)
	u, v = u*u*(3-2*u), v*v*(3-2*v)
	a := unit(ix, iy, seed)*(1-u) + unit(ix+1, iy, seed)*u
	b := unit(ix, iy+1, seed)*(1-u) + unit(ix+1, iy+1, seed)*u
	return a*(1-v) + b*v
}
