package scene

import (
	"image/color"
	"math"
)

// drawHand draws a hand from above, fingers up, their tips at the texture's
// middle, and its shadow.
func drawHand(scale float64) (hand, shadow *texture) {
	flesh, crease, sleeve := color.RGBA{216, 168, 140, 255}, color.RGBA{186, 134, 108, 255}, color.RGBA{52, 50, 66, 255}
	figure := func(p pen, flesh, crease, sleeve color.Color) {
		p.fill(sleeve, outline{{-34, 330}, {-31, 178}, {-10, 170, 14, 170, 33, 180}, {42, 330}})
		p.fill(flesh, outline{{-27, 190}, {-30, 150, -42, 128, -40, 98}, {-38, 70, 30, 62, 36, 92}, {40, 120, 30, 150, 28, 190}})
		for _, f := range [5][5]float64{ // from knuckle to tip, and how thick
			{-31, 92, -33, 30, 17}, {-12, 84, -12, 5, 18.5}, {8, 82, 9, 1, 19}, {26, 88, 29, 20, 17.5}, {-34, 128, -66, 84, 19}} {
			p.line(crease, f[4]+1.6, f[0], f[1], f[2], f[3]+f[4]/2)
			p.line(flesh, f[4], f[0], f[1], f[2], f[3]+f[4]/2)
			dx, dy := f[2]-f[0], f[3]-f[1]
			l := math.Hypot(dx, dy)
			p.fill(color.RGBA{228, 190, 170, 255}, oval(f[2]+1*dx/l, f[3]+f[4]/2+1*dy/l, f[4]*0.3, f[4]*0.36)) // nail
		}
	}
	t, p := blank(180, 660, scale)
	figure(p, flesh, crease, sleeve)
	s, q := blank(180, 660, scale)
	dark := color.RGBA{0, 0, 0, 255}
	q.fill(dark, outline{{-34, 330}, {-31, 178}, {-42, 128, -40, 98}, {-38, 70, 30, 62, 36, 92}, {40, 120, 33, 180}, {42, 330}})
	for _, f := range [5][5]float64{{-31, 92, -33, 30, 17}, {-12, 84, -12, 5, 18.5}, {8, 82, 9, 1, 19}, {26, 88, 29, 20, 17.5}, {-34, 128, -66, 84, 19}} {
		q.line(dark, f[4], f[0], f[1], f[2], f[3]+f[4]/2)
	}
	return t, s.softened(5)
}
