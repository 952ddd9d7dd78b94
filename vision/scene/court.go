package scene

import (
	"image/color"

	"lansquenet/ledger/card"
)

// The colours of the court's clothes.
var (
	skin    = color.RGBA{243, 214, 186, 255}
	gold    = color.RGBA{226, 172, 44, 255}
	crimson = color.RGBA{186, 30, 36, 255}
	azure   = color.RGBA{38, 66, 140, 255}
	night   = color.RGBA{24, 22, 26, 255}
)

// drawCourt draws a king, queen or jack: a bust in a frame, the same upside down
// below, a pip in each half's corner.
func (d *deck) drawCourt(p pen, c card.Card, ink color.RGBA) {
	w, h := d.w*0.66, d.h*0.76
	p.fill(azure, tile(w+1, h+1, 0.6))
	p.fill(paper, tile(w, h, 0.4))
	robe, lining := crimson, azure
	if c.Suit == card.Spades || c.Suit == card.Diamonds {
		robe, lining = azure, crimson
	}
	for _, turn := range [2]homography{turned(0), turned(180)} {
		half := p.with(turn)
		bust(half, c.Rank, w, robe, lining)
		half.with(shifted(-w/2+6.4, -h/2+6.8)).fill(ink, pip(c.Suit, 9.6)...)
	}
	p.fill(gold, polygon(-w/2, 3.4, w/2, -4.6, w/2, -2.8, -w/2, 5.2))
	p.line(night, 0.4, -w/2, 3.4, w/2, -4.6)
	p.line(night, 0.4, -w/2, 5.2, w/2, -2.8)
}

// bust draws the upper half of a figure, above the middle line.
func bust(p pen, r card.Rank, w float64, robe, lining color.RGBA) {
	half := w / 2
	p.fill(robe, outline{{-half, 4.8}, {-half, -3}, {-half + 2, -9, -9, -12, -5, -13.5}, {5, -13.5}, {9, -12, half - 2, -9, half, -3}, {half, -4}})
	p.fill(lining, outline{{-7, 1.4}, {-9, -6, -6, -11, -4, -13.4}, {4, -13.4}, {6, -11, 9, -6, 7, -1.4}})
	p.fill(gold, polygon(-2.2, 0.8, -1.6, -13, 1.6, -13, 2.2, -0.2))
	for y := -11.5; y < -1; y += 2.6 {
		p.fill(night, disc(0, y, 0.7))
		for _, x := range [2]float64{-half + 4, half - 4} {
			p.fill(gold, polygon(x, y+2.2, x+1.3, y+3.5, x, y+4.8, x-1.3, y+3.5))
		}
	}
	p.fill(paper, outline{{-6, -12}, {-4, -15.4, 4, -15.4, 6, -12}, {4, -10.6, -4, -10.6, -6, -12}}) // collar
	hair := gold
	if r == card.Jack {
		hair = color.RGBA{150, 92, 40, 255}
	}
	long := -13.5
	if r == card.Queen {
		long = -11.5
	}
	p.fill(hair, outline{{-7, long}, {-9, -20, -7, -26, 0, -26.4}, {7, -26, 9, -20, 7, long}, {4.4, -17, 4.4, -22, 0, -22.6}, {-4.4, -22, -4.4, -17, -7, long}})
	p.fill(skin, oval(0, -19, 4.7, 6.1))
	for _, x := range [2]float64{-1.8, 1.8} {
		p.fill(night, oval(x, -20, 0.65, 0.45))
		p.line(night, 0.3, x-1, -21.2, x+1, -21.3)
	}
	p.line(night, 0.35, 0.2, -19.8, -0.7, -17.6, 0.3, -17.4)
	p.line(crimson, 0.6, -1.2, -15.6, 1.2, -15.6)
	switch r {
	case card.King:
		p.fill(hair, outline{{-4.4, -17.4}, {-3.4, -12.6, -1.4, -11.4, 0, -11}, {1.4, -11.4, 3.4, -12.6, 4.4, -17.4}, {2, -15, -2, -15, -4.4, -17.4}})
		p.line(crimson, 0.6, -1, -15, 1, -15)
		p.fill(gold, polygon(-6.8, -24, -8, -31, -4, -27.4, 0, -32.4, 4, -27.4, 8, -31, 6.8, -24))
		p.fill(crimson, disc(0, -26, 1.1), disc(-4, -25.6, 0.8), disc(4, -25.6, 0.8))
		p.line(night, 1, half-5, -1, half-5, -24) // sword
		p.line(gold, 1.2, half-8, -9, half-2, -9)
	case card.Queen:
		p.fill(gold, outline{{-6, -24.4}, {-6.6, -29, -3, -27, -3, -29.6}, {0, -27, 0, -31.6, 0, -31.6}, {0, -27, 3, -27, 3, -29.6}, {3, -27, 6.6, -29, 6, -24.4}})
		p.fill(azure, disc(0, -26.4, 1), disc(-3.6, -25.8, 0.7), disc(3.6, -25.8, 0.7))
		for _, a := range [5][2]float64{{0, -1.9}, {1.8, -0.5}, {1.1, 1.6}, {-1.1, 1.6}, {-1.8, -0.5}} {
			p.fill(crimson, disc(half-6+a[0], -13+a[1], 1.3)) // flower
		}
		p.fill(gold, disc(half-6, -13, 1.1))
		p.line(color.RGBA{40, 110, 60, 255}, 0.7, half-6, -11, half-7.5, -4)
	case card.Jack:
		p.fill(robe, outline{{-7.4, -23.6}, {-8, -28, 6, -30, 8, -25}, {7, -24, 7, -23.6, 7, -23.2}})
		p.fill(gold, polygon(-7.6, -24.4, 7.4, -24, 7.2, -22.8, -7.4, -23.2))
		p.fill(crimson, outline{{5, -27}, {9, -33, 13, -31, 14, -27}, {11, -29, 8, -28, 6, -25.6}}) // feather
		p.line(night, 0.9, half-4.4, -1, half-4.4, -22)                                             // halberd
		p.fill(color.RGBA{150, 156, 166, 255}, outline{{half - 4.4, -25}, {half - 1, -23, half - 1, -18, half - 4.4, -16}})
	}
}
