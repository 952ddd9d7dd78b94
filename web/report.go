package web

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-pdf/fpdf"
	"github.com/skip2/go-qrcode"

	"lansquenet/ledger/journal"
	"lansquenet/ledger/settle"
)

//go:embed font/ptserif.ttf
var fontRegular []byte

//go:embed font/ptserif-bold.ttf
var fontBold []byte

// settleJSON is what a night came to, for its page.
type settleJSON struct {
	ID       string        `json:"id"`
	Began    time.Time     `json:"began"`
	Head     string        `json:"head"`
	Closed   bool          `json:"closed"`
	Game     string        `json:"game"`
	Players  []playerJSON  `json:"players"`
	Payments []paymentJSON `json:"payments"`
	Points   []pointJSON   `json:"points"`
	Coups    int           `json:"coups"`
	Doublets int           `json:"doublets"`
	PerHour  float64       `json:"coups_an_hour"`
	Longest  struct {
		Banker string `json:"banker"`
		Coups  int    `json:"coups"`
	} `json:"longest"`
	Biggest struct {
		Number int   `json:"number"`
		Moved  int64 `json:"moved"`
	} `json:"biggest"`
	Winners []string `json:"winners"`
}

type playerJSON struct {
	Name   string   `json:"name"`
	Bought int64    `json:"bought"`
	Cashed int64    `json:"cashed"`
	Has    int64    `json:"has"`
	Net    int64    `json:"net"`
	Due    int64    `json:"due"` // the net in the currency's smallest coin, chips without a rate
	Coups  int      `json:"coups"`
	Won    int      `json:"won"`
	Luck   *float64 `json:"luck"` // chips better than the odds; nil where they are not known
}

type paymentJSON struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Amount int64  `json:"amount"`
	Lost   int64  `json:"lost"`
	Won    int64  `json:"won"`
}

type pointJSON struct {
	Seq  uint64           `json:"seq"`
	Coup int              `json:"coup"`
	Net  map[string]int64 `json:"net"`
}

// rate reads ?chips=10&minor=5: ten chips are worth five of the currency's
// smallest coins. Nothing said settles in chips.
func rate(c *gin.Context) (settle.Rate, bool) {
	if c.Query("chips") == "" && c.Query("minor") == "" {
		return settle.Rate{}, true
	}
	n, err1 := strconv.ParseInt(c.Query("chips"), 10, 64)
	m, err2 := strconv.ParseInt(c.Query("minor"), 10, 64)
	return settle.Rate{Chips: n, Minor: m}, err1 == nil && err2 == nil
}

// summed folds a night for a report and answers what stands in the way.
func (s *Server) summed(c *gin.Context) (journal.Session, *settle.Night, settle.Plan, bool) {
	n, ok := s.night(c)
	if !ok {
		return n, nil, settle.Plan{}, false
	}
	night, err := settle.Of(s.o.Store.Entries(c.Request.Context(), n.ID, 0))
	if err != nil {
		s.trouble(c, err)
		return n, nil, settle.Plan{}, false
	}
	r, ok := rate(c)
	plan, err := night.Settle(r)
	if !ok || err != nil {
		s.refuseField(c, http.StatusBadRequest, "bad_number", "chips")
		return n, nil, plan, false
	}
	return n, night, plan, true
}

func (s *Server) settle(c *gin.Context) {
	n, night, plan, ok := s.summed(c)
	if !ok {
		return
	}
	out := settleJSON{ID: n.ID, Began: n.Began, Head: n.Head, Closed: n.Closed, Game: night.Game, Coups: night.Coups,
		Doublets: night.Doublets, PerHour: night.PerHour, Winners: night.Winners,
		Players: []playerJSON{}, Payments: []paymentJSON{}, Points: []pointJSON{}}
	out.Longest.Banker, out.Longest.Coups = night.Longest.Banker, night.Longest.Coups
	out.Biggest.Number, out.Biggest.Moved = night.Biggest.Number, night.Biggest.Moved
	due := map[string]int64{}
	for _, d := range plan.Dues {
		due[d.Name] = d.Minor
	}
	for _, p := range night.Players {
		pj := playerJSON{Name: p.Name, Bought: p.Bought, Cashed: p.Cashed, Has: p.Chips + p.Posted, Net: p.Net, Due: due[p.Name], Coups: p.Coups, Won: p.Won}
		if p.Fair {
			pj.Luck = &p.Luck
		}
		out.Players = append(out.Players, pj)
	}
	for _, p := range plan.Payments {
		out.Payments = append(out.Payments, paymentJSON{p.From, p.To, p.Minor, p.Lost, p.Won})
	}
	for _, p := range night.Points {
		out.Points = append(out.Points, pointJSON{p.Seq, p.Coup, p.Net})
	}
	c.JSON(http.StatusOK, out)
}

// cell keeps a spreadsheet from taking a guest's name for a formula.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

func (s *Server) reportCSV(c *gin.Context) {
	n, night, plan, ok := s.summed(c)
	if !ok {
		return
	}
	speak := s.speaker(c)
	var b bytes.Buffer
	b.WriteString("\ufeff") // or spreadsheets take UTF-8 for something else
	w := csv.NewWriter(&b)
	row := func(cells ...string) { _ = w.Write(cells) } // a buffer takes everything
	num := func(n int64) string { return strconv.FormatInt(n, 10) }
	row(speak.own("night.player", nil), speak.own("night.bought", nil), speak.own("night.cashed", nil), speak.own("night.left", nil), speak.own("night.net", nil))
	for _, p := range night.Players {
		row(cell(p.Name), num(p.Bought), num(p.Cashed), num(p.Chips+p.Posted), num(p.Net))
	}
	row()
	row(speak.own("night.settle", nil))
	for _, p := range plan.Payments {
		row(cell(p.From), cell(p.To), num(p.Minor), s.why(speak, p))
	}
	row()
	row(speak.own("night.head", nil), n.Head)
	w.Flush()
	c.Header("Content-Disposition", `attachment; filename="`+n.ID+`.csv"`)
	c.Data(http.StatusOK, "text/csv; charset=utf-8", b.Bytes())
}

// why says what is paid, and for what.
func (s *Server) why(speak *speaker, p settle.Payment) string {
	n := speak.table.Number
	of := map[string]string{"from": p.From, "to": p.To, "n": n(p.Minor), "lost": n(p.Lost), "won": n(p.Won)}
	return speak.own("night.pays", of) + ". " + speak.own("night.pays.why", of)
}

func (s *Server) reportPDF(c *gin.Context) {
	n, night, plan, ok := s.summed(c)
	if !ok {
		return
	}
	b, err := s.pdf(s.speaker(c), n, night, plan)
	if err != nil {
		s.trouble(c, err)
		return
	}
	c.Header("Content-Disposition", `attachment; filename="`+n.ID+`.pdf"`)
	c.Data(http.StatusOK, "application/pdf", b)
}

// lineColours tell the players apart on paper; each line has its name at its
// end as well.
var lineColours = [][3]int{{23, 79, 148}, {160, 100, 0}, {29, 101, 52}, {162, 42, 23}, {98, 60, 150}, {0, 110, 118}, {70, 64, 50}, {160, 40, 110}}

// pdf sets the night on a sheet: who won and lost, who pays whom and why, how
// the chips went, and the head of the journal, also as a QR code.
func (s *Server) pdf(speak *speaker, n journal.Session, night *settle.Night, plan settle.Plan) ([]byte, error) {
	const left, width = 18.0, 174.0
	d := fpdf.New("P", "mm", "A4", "")
	d.SetMargins(left, 18, left)
	d.SetAutoPageBreak(true, 18)
	d.AddUTF8FontFromBytes("v", "", fontRegular)
	d.AddUTF8FontFromBytes("v", "B", fontBold)
	d.SetTitle(speak.own("night.title", map[string]string{"day": n.Began.Format("2006-01-02")}), true)
	d.SetCreator("lansquenet "+s.o.Version, true)
	d.AddPage()
	text := func(size float64, bold bool, gap float64, line string) {
		style := ""
		if bold {
			style = "B"
		}
		d.SetFont("v", style, size)
		d.MultiCell(width, size*.48, line, "", "L", false)
		d.Ln(gap)
	}
	text(24, true, 1, speak.own("night.title", map[string]string{"day": n.Began.Local().Format("2006-01-02")}))
	text(11, false, 5, speak.own("game."+night.Game, nil)+" · "+n.Began.Local().Format("15:04")+" – "+n.Last.Local().Format("15:04"))

	cols := []float64{70, 26, 26, 26, 26}
	line := func(bold bool, cells ...string) {
		style := ""
		if bold {
			style = "B"
		}
		d.SetFont("v", style, 11)
		for i, t := range cells {
			align := "R"
			if i == 0 {
				align = "L"
			}
			d.CellFormat(cols[i], 7.5, t, "B", 0, align, false, 0, "")
		}
		d.Ln(-1)
	}
	d.SetDrawColor(190, 180, 160)
	line(true, speak.own("night.player", nil), speak.own("night.bought", nil), speak.own("night.cashed", nil), speak.own("night.left", nil), speak.own("night.net", nil))
	var players []string
	for _, p := range night.Players {
		players = append(players, p.Name)
	}
	names := printed(players)
	for _, p := range night.Players {
		n := speak.table.Number
		line(false, fit(d, names[p.Name], cols[0]), n(p.Bought), n(p.Cashed), n(p.Chips+p.Posted), speak.signed(p.Net))
	}
	d.Ln(6)
	text(15, true, 2, speak.own("night.settle", nil))
	if len(plan.Payments) == 0 {
		text(11, false, 2, speak.own("night.even", nil))
	}
	for _, p := range plan.Payments {
		p.From, p.To = names[p.From], names[p.To]
		text(11, false, 1.5, s.why(speak, p))
	}
	text(9, false, 5, speak.own("night.odd", nil))
	if len(night.Points) > 1 {
		text(15, true, 2, speak.own("night.chips", nil))
		plotPDF(d, speak, night, names, left, width, 62)
	}
	if err := headPDF(d, speak, n.Head, left, width); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := d.Output(&b)
	return b.Bytes(), err
}

// fit shortens a name to a column.
func fit(d *fpdf.Fpdf, name string, width float64) string {
	r := []rune(name)
	for len(r) > 1 && d.GetStringWidth(string(r)) > width-2 {
		r = r[:len(r)-1]
	}
	if len(r) < len([]rune(name)) {
		r[len(r)-1] = '…'
	}
	return string(r)
}

func plotPDF(d *fpdf.Fpdf, speak *speaker, night *settle.Night, names map[string]string, left, width, height float64) {
	if d.GetY()+height > 270 {
		d.AddPage()
	}
	lo, hi := int64(0), int64(1)
	for _, p := range night.Points {
		for _, v := range p.Net {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	top, right := d.GetY(), left+width-38
	x := func(i int) float64 { return left + 12 + (right-left-12)*float64(i)/float64(len(night.Points)-1) }
	y := func(v int64) float64 { return top + height - height*float64(v-lo)/float64(hi-lo) }
	d.SetLineWidth(.2)
	d.SetFont("v", "", 8)
	d.SetDrawColor(200, 190, 170)
	for _, v := range []int64{lo, 0, hi} {
		d.Line(left+12, y(v), right, y(v))
		d.Text(left, y(v)+1, speak.signed(v))
	}
	d.SetLineWidth(.6)
	last := math.Inf(-1)
	for k, p := range night.Players {
		c := lineColours[k%len(lineColours)]
		d.SetDrawColor(c[0], c[1], c[2])
		d.SetTextColor(c[0], c[1], c[2])
		for i := 1; i < len(night.Points); i++ {
			d.Line(x(i-1), y(night.Points[i-1].Net[p.Name]), x(i), y(night.Points[i].Net[p.Name]))
		}
		at := y(night.Points[len(night.Points)-1].Net[p.Name]) + 1
		if math.Abs(at-last) < 3 {
			at = last + 3
		}
		last = at
		d.Text(right+2, at, fit(d, names[p.Name], 36))
	}
	d.SetTextColor(0, 0, 0)
	d.SetY(top + height + 8)
}

func headPDF(d *fpdf.Fpdf, speak *speaker, head string, left, width float64) error {
	if d.GetY() > 250 {
		d.AddPage()
	}
	png, err := qrcode.Encode(head, qrcode.Medium, 512)
	if err != nil {
		return err
	}
	top := d.GetY()
	d.RegisterImageOptionsReader("head", fpdf.ImageOptions{ImageType: "PNG"}, bytes.NewReader(png))
	d.ImageOptions("head", left, top, 26, 26, false, fpdf.ImageOptions{ImageType: "PNG"}, 0, "")
	d.SetXY(left+30, top+5)
	d.SetFont("v", "B", 11)
	d.CellFormat(width-30, 6, speak.own("night.head", nil), "", 2, "L", false, 0, "")
	d.SetFont("v", "", 10)
	d.MultiCell(width-30, 5, head, "", "L", false)
	return nil
}

// signed writes what was won with a plus, as the pages do: nought has no sign.
func (s *speaker) signed(n int64) string {
	if n > 0 {
		return "+" + s.table.Number(n)
	}
	return s.table.Number(n)
}
