package scene

import (
	"fmt"
	"image/color"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"lansquenet/ledger/card"
)

// Deck is a pack of cards: the letters of its court, its typeface and its size.
// The zero value is the English deck.
type Deck uint8

// The decks.
const (
	English Deck = iota // A K Q J, poker size
	French              // A R D V
	German              // A K D B
	Russian             // Т К Д В
	Large               // A K Q J with very large indices
	Bare                // no indices at all, narrow as Italian cards are: to be taught
)

// ParseDeck reads a deck's name: en, fr, de, ru, large or bare.
func ParseDeck(name string) (Deck, error) {
	for i, d := range decks {
		if d.name == name {
			return Deck(i), nil
		}
	}
	return 0, fmt.Errorf("there is no deck %q: use en, fr, de, ru, large or bare", name)
}

type deck struct {
	name                   string
	ace, king, queen, jack string
	face                   func() *sfnt.Font
	w, h, corner           float64 // of the card, in millimetres
	index, squeeze         float64 // height of an index (0: there is none) and how narrow its letters are
	x, y                   float64 // of the index's middle from the card's top left
	column, pip, rows      float64 // from the middle column to the others, height of a pip, from first row to last
	red, black, back       color.RGBA
}

var decks = [...]deck{
	{"en", "A", "K", "Q", "J", bold, 63, 88, 3.2, 7.2, 0.92, 5.6, 7.6, 14.2, 12.4, 60,
		color.RGBA{196, 22, 28, 255}, color.RGBA{20, 20, 22, 255}, color.RGBA{40, 62, 130, 255}},
	{"fr", "A", "R", "D", "V", mono, 63, 88, 3.2, 7, 0.9, 5.6, 7.8, 14.2, 12.4, 60,
		color.RGBA{190, 30, 34, 255}, color.RGBA{24, 22, 24, 255}, color.RGBA{150, 34, 40, 255}},
	{"de", "A", "K", "D", "B", regular, 59, 91, 3.4, 7, 0.95, 5.4, 7.8, 13, 12.2, 62,
		color.RGBA{204, 32, 30, 255}, color.RGBA{22, 20, 20, 255}, color.RGBA{34, 96, 70, 255}},
	{"ru", "Т", "К", "Д", "В", bold, 57, 88, 3, 6.8, 0.9, 5.2, 7.4, 12.8, 12.2, 60,
		color.RGBA{198, 26, 40, 255}, color.RGBA{24, 24, 28, 255}, color.RGBA{96, 40, 110, 255}},
	{"large", "A", "K", "Q", "J", bold, 63, 88, 3.2, 13, 0.9, 8.6, 10.4, 11, 10, 50,
		color.RGBA{200, 20, 24, 255}, color.RGBA{16, 16, 18, 255}, color.RGBA{30, 30, 34, 255}},
	{"bare", "", "", "", "", nil, 54, 90, 2.6, 0, 0, 0, 0, 13, 12.4, 62,
		color.RGBA{188, 34, 24, 255}, color.RGBA{26, 44, 40, 255}, color.RGBA{112, 40, 34, 255}},
}

// A typeface is parsed once and only read afterwards.
var (
	bold    = sync.OnceValue(func() *sfnt.Font { return parsed(gobold.TTF) })
	mono    = sync.OnceValue(func() *sfnt.Font { return parsed(gomonobold.TTF) })
	regular = sync.OnceValue(func() *sfnt.Font { return parsed(goregular.TTF) })
)

func parsed(ttf []byte) *sfnt.Font {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err) // the typefaces are part of the program
	}
	return f
}

// index is what stands in the corner of a card of this rank.
func (d *deck) letters(r card.Rank) string {
	switch r {
	case card.Ace:
		return d.ace
	case card.King:
		return d.king
	case card.Queen:
		return d.queen
	case card.Jack:
		return d.jack
	}
	return r.String()
}

var paper = color.RGBA{246, 244, 238, 255}

// joker stands for a card that no pack counts.
const joker card.Rank = 254

// draw draws one card; the zero card is its back.
func (d *deck) draw(c card.Card, scale float64) *texture {
	t, p := blank(d.w, d.h, scale)
	p.fill(color.RGBA{196, 193, 186, 255}, tile(d.w, d.h, d.corner)) // the paper's cut edge
	p.fill(paper, tile(d.w-0.5, d.h-0.5, d.corner-0.2))
	if c.Rank == card.NoRank {
		d.drawBack(p)
		return t
	}
	if c.Rank == joker {
		d.drawJoker(p)
		return t
	}
	ink := d.black
	if c.Suit.Red() {
		ink = d.red
	}
	switch {
	case c.Rank >= card.Jack:
		d.drawCourt(p, c, ink)
	case c.Rank == card.Ace:
		size := 17.0
		if c.Suit == card.Spades {
			size = 25
		}
		p.fill(ink, pip(c.Suit, size)...)
	default:
		d.drawPips(p, c, ink)
	}
	if d.index == 0 {
		return t
	}
	for _, h := range [2]homography{turned(0), turned(180)} {
		q := p.with(shifted(d.x-d.w/2, d.y-d.h/2).then(h))
		q.word(ink, d.face(), d.letters(c.Rank), 0, 0, d.index, d.squeeze)
		q.with(shifted(0, d.index/2+4.1)).fill(ink, pip(c.Suit, 0.45+d.index*0.66)...)
	}
	return t
}

// columns are the places of the pips of a number card: column (−1, 0, 1) and
// height from the top (0) to the bottom (1).
var columns = map[card.Rank][][2]float64{
	card.Two:   {{0, 0}, {0, 1}},
	card.Three: {{0, 0}, {0, 0.5}, {0, 1}},
	card.Four:  {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
	card.Five:  {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}, {0, 0.5}},
	card.Six:   {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}, {-1, 0.5}, {1, 0.5}},
	card.Seven: {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}, {-1, 0.5}, {1, 0.5}, {0, 0.25}},
	card.Eight: {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}, {-1, 0.5}, {1, 0.5}, {0, 0.25}, {0, 0.75}},
	card.Nine: {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}, {-1, 1. / 3}, {1, 1. / 3}, {-1, 2. / 3}, {1, 2. / 3},
		{0, 0.5}},
	card.Ten: {{-1, 0}, {1, 0}, {-1, 1}, {1, 1}, {-1, 1. / 3}, {1, 1. / 3}, {-1, 2. / 3}, {1, 2. / 3},
		{0, 1. / 6}, {0, 5. / 6}},
}

func (d *deck) drawPips(p pen, c card.Card, ink color.RGBA) {
	for _, at := range columns[c.Rank] {
		h := shifted(at[0]*d.column, (at[1]-0.5)*d.rows)
		if at[1] > 0.5 {
			h = turned(180).then(h)
		}
		p.with(h).fill(ink, pip(c.Suit, d.pip)...)
	}
}

// drawJoker draws a jester's cap, and where other cards have their index the
// word, letter under letter: its J is no jack.
func (d *deck) drawJoker(p pen) {
	for i, c := range [3]color.RGBA{crimson, gold, azure} {
		q := p.with(turned(float64(i-1) * 42).then(shifted(0, 6)))
		q.fill(c, outline{{-9, 4}, {-7, -10, -5, -18, 0, -26}, {5, -18, 7, -10, 9, 4}})
		q.fill(gold, disc(0, -27, 2.4))
	}
	p.fill(skin, oval(0, 14, 10, 12))
	p.line(night, 1, -4, 19, 4, 19)
	p.fill(night, disc(-4, 11, 1.2), disc(4, 11, 1.2))
	if d.index == 0 {
		return
	}
	for _, h := range [2]homography{turned(0), turned(180)} {
		q := p.with(shifted(d.x-d.w/2, d.y-d.h/2).then(h))
		for i, l := range "JOKER" {
			q.word(d.black, d.face(), string(l), 0, 5.2*float64(i)-1, 4.6, d.squeeze)
		}
	}
}

func (d *deck) drawBack(p pen) {
	p.fill(d.back, tile(d.w-8, d.h-8, 1.5))
	light := color.RGBA{225, 222, 214, 255}
	const step = 5.5
	for x := -d.w/2 + 6; x <= d.w/2-6; x += step {
		for y := -d.h/2 + 6; y <= d.h/2-6; y += step {
			p.fill(light, polygon(x, y-1.9, x+1.9, y, x, y+1.9, x-1.9, y))
		}
	}
}

// pip is a suit's sign, size millimetres high, about its middle.
func pip(s card.Suit, size float64) []outline {
	var o []outline
	switch s {
	case card.Hearts:
		o = []outline{heart}
	case card.Diamonds:
		o = []outline{{{0, -0.5}, {0.1, -0.28, 0.25, -0.1, 0.39, 0}, {0.25, 0.1, 0.1, 0.28, 0, 0.5},
			{-0.1, 0.28, -0.25, 0.1, -0.39, 0}, {-0.25, -0.1, -0.1, -0.28, 0, -0.5}}}
	case card.Spades:
		o = []outline{heart.moved(scaled(1, -0.86)).moved(shifted(0, -0.07)), stem}
	case card.Clubs:
		o = []outline{disc(0, -0.26, 0.225), disc(-0.25, 0.08, 0.225), disc(0.25, 0.08, 0.225),
			polygon(-0.12, -0.1, 0.12, -0.1, 0.14, 0.12, -0.14, 0.12), stem}
	}
	for i := range o {
		o[i] = o[i].moved(scaled(size, size))
	}
	return o
}

// shadowInk is what shadows are drawn with.
var shadowInk = color.RGBA{0, 0, 0, 255}

var heart = outline{{0, 0.5}, {-0.12, 0.24, -0.46, 0.08, -0.46, -0.2}, {-0.46, -0.42, -0.3, -0.5, -0.21, -0.5},
	{-0.1, -0.5, -0.02, -0.42, 0, -0.3}, {0.02, -0.42, 0.1, -0.5, 0.21, -0.5}, {0.3, -0.5, 0.46, -0.42, 0.46, -0.2},
	{0.46, 0.08, 0.12, 0.24, 0, 0.5}}

var stem = outline{{-0.02, 0.05}, {-0.03, 0.3, -0.08, 0.42, -0.2, 0.5}, {0.2, 0.5}, {0.08, 0.42, 0.03, 0.3, 0.02, 0.05}}
