package scene

import "math"

func hypot(x, y float64) float64 { return math.Hypot(x, y) }

// homography maps a plane onto a plane, row by row: x' = (h0x + h1y + h2)/w with
// w = h6x + h7y + h8.
type homography [9]float64

func (h homography) apply(x, y float64) (float64, float64) {
	w := h[6]*x + h[7]*y + h[8]
	return (h[0]*x + h[1]*y + h[2]) / w, (h[3]*x + h[4]*y + h[5]) / w
}

// then is the map that applies h first and g to what comes out.
func (h homography) then(g homography) (p homography) {
	for r := range 3 {
		for c := range 3 {
			for k := range 3 {
				p[3*r+c] += g[3*r+k] * h[3*k+c]
			}
		}
	}
	return p
}

func (h homography) inverse() homography {
	a, b, c, d, e, f, g, i, j := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8]
	det := a*(e*j-f*i) - b*(d*j-f*g) + c*(d*i-e*g)
	m := homography{e*j - f*i, c*i - b*j, b*f - c*e, f*g - d*j, a*j - c*g, c*d - a*f, d*i - e*g, b*g - a*i, a*e - b*d}
	for k := range m {
		m[k] /= det
	}
	return m
}

func shifted(x, y float64) homography { return homography{1, 0, x, 0, 1, y, 0, 0, 1} }
func scaled(x, y float64) homography  { return homography{x, 0, 0, 0, y, 0, 0, 0, 1} }

// turned is a turn by degrees, clockwise when y points down.
func turned(degrees float64) homography {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return homography{c, -s, 0, s, c, 0, 0, 0, 1}
}

// Lens is how the camera hangs. The zero value looks nearly straight down on
// half a metre of table.
type Lens struct {
	Wide float64 // millimetres of table across the middle of the picture; 0: 560
	Tilt float64 // degrees from straight down, the camera standing at the dealer's side
	Turn float64 // degrees by which the camera is twisted
}

// homography is the pinhole camera of the lens: it looks at the middle of the
// table from as far away as makes a picture of a usual field of view (60°).
func (l Lens) homography(w, h int) homography {
	wide := l.Wide
	if wide == 0 {
		wide = 560
	}
	far := wide / 2 / math.Tan(math.Pi/6)
	focal := float64(w) / wide * far
	sin, cos := math.Sincos(l.Tilt * math.Pi / 180)
	// A point (x, y, 0) of the table lies, for the camera, at x to the right,
	// y·cos downwards and far − y·sin away.
	project := homography{focal, 0, 0, 0, focal * cos, 0, 0, -sin, far}
	return turned(l.Turn).then(project).then(shifted(float64(w)/2, float64(h)/2))
}
