package scene

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// outline is a closed shape: straight strokes and Bézier curves.
type outline []stroke

// stroke ends at its last point; one point is a straight line, two and three
// are curves, none closes the shape and the next stroke begins a new one.
type stroke []float64

// pen fills outlines on a card. Its map goes from the card's millimetres to
// pixels.
type pen struct {
	img *image.RGBA
	m   homography
}

// with is the same pen on paper that is moved by h first.
func (p pen) with(h homography) pen { return pen{p.img, h.then(p.m)} }

// fill paints outlines with one colour, smooth at their edges. Each is filled on
// its own, so that two that overlap cannot cut holes into each other.
func (p pen) fill(c color.Color, shapes ...outline) {
	for _, o := range shapes {
		p.fillOne(c, o)
	}
}

func (p pen) fillOne(c color.Color, o outline) {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, s := range o {
		for i := 0; i+1 < len(s); i += 2 {
			x, y := p.m.apply(s[i], s[i+1])
			lo[0], lo[1], hi[0], hi[1] = min(lo[0], x), min(lo[1], y), max(hi[0], x), max(hi[1], y)
		}
	}
	box := image.Rect(int(math.Floor(lo[0])), int(math.Floor(lo[1])), int(math.Ceil(hi[0]))+1, int(math.Ceil(hi[1]))+1)
	clip := box.Intersect(p.img.Rect)
	if clip.Empty() {
		return
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(x, y float64) (float32, float32) {
		x, y = p.m.apply(x, y)
		return float32(x - float64(box.Min.X)), float32(y - float64(box.Min.Y))
	}
	first := true
	for _, s := range o {
		switch {
		case len(s) == 0:
			z.ClosePath()
			first = true
		case first:
			x, y := at(s[0], s[1])
			z.MoveTo(x, y)
			first = false
		case len(s) == 2:
			x, y := at(s[0], s[1])
			z.LineTo(x, y)
		case len(s) == 4:
			bx, by := at(s[0], s[1])
			x, y := at(s[2], s[3])
			z.QuadTo(bx, by, x, y)
		default:
			bx, by := at(s[0], s[1])
			cx, cy := at(s[2], s[3])
			x, y := at(s[4], s[5])
			z.CubeTo(bx, by, cx, cy, x, y)
		}
	}
	z.ClosePath()
	z.Draw(p.img, box, image.NewUniform(c), image.Point{})
}

// line paints the way from point to point with a given width and round ends.
func (p pen) line(c color.Color, width float64, xy ...float64) {
	for i := 0; i+3 < len(xy); i += 2 {
		dx, dy := xy[i+2]-xy[i], xy[i+3]-xy[i+1]
		l := math.Hypot(dx, dy)
		if l == 0 {
			continue
		}
		nx, ny := -dy/l*width/2, dx/l*width/2
		p.fill(c, polygon(xy[i]+nx, xy[i+1]+ny, xy[i+2]+nx, xy[i+3]+ny, xy[i+2]-nx, xy[i+3]-ny, xy[i]-nx, xy[i+1]-ny),
			disc(xy[i], xy[i+1], width/2))
	}
	if n := len(xy); n >= 2 {
		p.fill(c, disc(xy[n-2], xy[n-1], width/2))
	}
}

func polygon(xy ...float64) (o outline) {
	for i := 0; i+1 < len(xy); i += 2 {
		o = append(o, stroke{xy[i], xy[i+1]})
	}
	return o
}

func disc(x, y, r float64) outline { return oval(x, y, r, r) }

func oval(x, y, rx, ry float64) outline {
	const k = 0.5523 // makes four cubic curves a circle
	return outline{{x, y - ry},
		{x + k*rx, y - ry, x + rx, y - k*ry, x + rx, y},
		{x + rx, y + k*ry, x + k*rx, y + ry, x, y + ry},
		{x - k*rx, y + ry, x - rx, y + k*ry, x - rx, y},
		{x - rx, y - k*ry, x - k*rx, y - ry, x, y - ry}}
}

// tile is a rectangle with round corners about its middle.
func tile(w, h, r float64) outline {
	k := r * (1 - 0.5523)
	x, y := w/2, h/2
	return outline{{-x + r, -y}, {x - r, -y}, {x - k, -y, x, -y + k, x, -y + r}, {x, y - r}, {x, y - k, x - k, y, x - r, y},
		{-x + r, y}, {-x + k, y, -x, y - k, -x, y - r}, {-x, -y + r}, {-x, -y + k, -x + k, -y, -x + r, -y}}
}

// moved is the outline seen through h, which must not be a perspective one.
func (o outline) moved(h homography) outline {
	m := make(outline, len(o))
	for i, s := range o {
		m[i] = make(stroke, len(s))
		for k := 0; k+1 < len(s); k += 2 {
			m[i][k], m[i][k+1] = h.apply(s[k], s[k+1])
		}
	}
	return m
}

// word writes text with its middle at x, y: h high (a capital letter's height)
// and each letter narrowed by squeeze.
func (p pen) word(c color.Color, f *sfnt.Font, text string, x, y, h, squeeze float64) {
	var buf sfnt.Buffer
	const em = 1000
	ppem := fixed.I(em)
	var all outline
	pen := 0.0
	high := 700.0
	if m, err := f.Metrics(&buf, ppem, 0); err == nil && m.CapHeight > 0 {
		high = float64(m.CapHeight) / 64
	}
	for i, r := range text {
		g, err := f.GlyphIndex(&buf, r)
		if err != nil || g == 0 {
			panic("scene: the typeface has no " + string(r)) // a deck is fixed in the program
		}
		segs, err := f.LoadGlyph(&buf, g, ppem, nil)
		if err != nil {
			panic(err)
		}
		if i > 0 {
			pen -= 60 // the two figures of a 10 stand close on a card
		}
		pt := func(q fixed.Point26_6) (float64, float64) { return float64(q.X)/64 + pen, float64(q.Y) / 64 }
		for k, s := range segs {
			ax, ay := pt(s.Args[0])
			bx, by := pt(s.Args[1])
			cx, cy := pt(s.Args[2])
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if k > 0 || len(all) > 0 {
					all = append(all, stroke{})
				}
				all = append(all, stroke{ax, ay})
			case sfnt.SegmentOpLineTo:
				all = append(all, stroke{ax, ay})
			case sfnt.SegmentOpQuadTo:
				all = append(all, stroke{ax, ay, bx, by})
			case sfnt.SegmentOpCubeTo:
				all = append(all, stroke{ax, ay, bx, by, cx, cy})
			}
		}
		adv, err := f.GlyphAdvance(&buf, g, ppem, 0)
		if err != nil {
			panic(err)
		}
		pen += float64(adv) / 64
	}
	k := h / high
	p.fill(c, all.moved(shifted(-pen/2, high/2).then(scaled(k*squeeze, k)).then(shifted(x, y))))
}

// blank is paper of w×h millimetres with a pen whose origin is the middle.
func blank(w, h, scale float64) (*texture, pen) {
	pw, ph := int(math.Ceil(w*scale))+2, int(math.Ceil(h*scale))+2
	img := image.NewRGBA(image.Rect(0, 0, pw, ph))
	return &texture{img, scale}, pen{img, scaled(scale, scale).then(shifted(float64(pw)/2, float64(ph)/2))}
}

// softened is the texture with its edges blurred over about r millimetres.
func (t *texture) softened(r float64) *texture {
	n := int(r*t.scale + 0.5)
	b := t.Bounds().Inset(-2 * n)
	img := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(img, t.Bounds().Add(image.Pt(2*n, 2*n)), t, image.Point{}, draw.Src)
	for range 2 {
		boxBlur(img.Pix, img.Rect.Dx(), img.Rect.Dy(), 4, img.Stride, n)
		boxBlur(img.Pix, img.Rect.Dy(), img.Rect.Dx(), img.Stride, 4, n)
	}
	return &texture{img, t.scale}
}

// boxBlur averages the alpha over 2n+1 pixels along one direction; shadows have
// no colour.
func boxBlur(pix []byte, along, across, step, row, n int) {
	line := make([]int, along)
	for a := range across {
		for i := range along {
			line[i] = int(pix[a*row+i*step+3])
		}
		sum := 0
		for i := -n; i < along; i++ {
			if i+n < along {
				sum += line[i+n]
			}
			if i-n-1 >= 0 {
				sum -= line[i-n-1]
			}
			if i >= 0 {
				pix[a*row+i*step+3] = byte(sum / (2*n + 1))
			}
		}
	}
}
