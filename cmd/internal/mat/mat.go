// Package mat draws the table mat: a sheet to print that shows where the bank's
// card, the punters' card and the row between them go, with marks at its corners
// that must all be in the camera's picture. It promises dark paper, because white
// cards on white are hard to see, and no closed frame that could be taken for a
// card. It leaves reading to vision, which needs no mat, and finding the marks to
// vision.FindMat.
package mat

import (
	"fmt"
	"io"

	"github.com/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
)

// words are what stands beside the places: bank, punters, row.
var words = map[string][3]string{
	"en": {"Bank", "Punters", "All further cards"},
	"de": {"Bank", "Pointeure", "Alle weiteren Karten"},
	"fr": {"Banque", "Pontes", "Toutes les autres cartes"},
	"it": {"Banco", "Puntatori", "Tutte le altre carte"},
	"ru": {"Банк", "Понтёры", "Все следующие карты"},
}

// Sizes of a place: a card of the largest usual kind with a finger's breadth of
// room.
const (
	cardW, cardH = 63.5, 91.0
	room         = 6.0
)

// Write writes the mat as PDF, paper "A3" or "A4", in one of the five languages.
func Write(w io.Writer, paper, lang string) error {
	text, ok := words[lang]
	if !ok {
		return fmt.Errorf("there is no mat in the language %q: use en, de, fr, it or ru", lang)
	}
	if paper != "A3" && paper != "A4" {
		return fmt.Errorf("there is no mat on paper %q: use A3 or A4", paper)
	}
	p := fpdf.New("L", "mm", paper, "")
	p.SetTitle("Lansquenet", true)
	p.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	p.SetAutoPageBreak(false, 0)
	p.AddPage()
	width, height := p.GetPageSize()
	p.SetFillColor(20, 74, 50)
	p.Rect(0, 0, width, height, "F")

	p.SetDrawColor(214, 206, 180)
	p.SetTextColor(214, 206, 180)
	p.SetFont("go", "B", 15)
	for _, x := range [2]float64{0, width} {
		for _, y := range [2]float64{0, height} {
			mark(p, x, y, width, height)
		}
	}
	top := (height - cardH - 2*room) / 2
	w1 := cardW + 2*room
	edge := 16.0
	place(p, edge, top, w1, cardH+2*room, text[0])
	place(p, width-edge-w1, top, w1, cardH+2*room, text[1])
	place(p, edge+w1+10, top, width-2*(edge+w1+10), cardH+2*room, text[2])
	if err := p.Output(w); err != nil {
		return fmt.Errorf("mat: %w", err)
	}
	return nil
}

// mark is a bold angle in a corner of the sheet: vision.FindMat knows it by being
// so much thicker than the angles of the places.
func mark(p *fpdf.Fpdf, x, y, width, height float64) {
	const in, long = 8, 16
	sx, sy := 1.0, 1.0
	if x == width {
		sx = -1
	}
	if y == height {
		sy = -1
	}
	p.SetLineWidth(4)
	p.Line(x+sx*in, y+sy*in, x+sx*(in+long), y+sy*in)
	p.Line(x+sx*in, y+sy*in, x+sx*in, y+sy*(in+long))
}

// place is where cards go: four angles, which no reader takes for a card, and a
// word above.
func place(p *fpdf.Fpdf, x, y, w, h float64, text string) {
	const long = 9
	p.SetLineWidth(0.7)
	for _, c := range [4][4]float64{{x, y, 1, 1}, {x + w, y, -1, 1}, {x, y + h, 1, -1}, {x + w, y + h, -1, -1}} {
		p.Line(c[0], c[1], c[0]+c[2]*long, c[1])
		p.Line(c[0], c[1], c[0], c[1]+c[3]*long)
	}
	p.SetXY(x, y-12)
	p.CellFormat(w, 10, text, "", 0, "C", false, 0, "")
}
