package hw

import (
	"fmt"
	"html"
	"strings"
)

// SVG is the plan as a drawing to print and keep in the box: the header with
// pin 1 at the top left, the expanders, how to connect, and what is wrong.
func (c Config) SVG() ([]byte, error) {
	l, err := c.Plan()
	if err != nil {
		return nil, err
	}
	c = c.Defaults()
	users := l.users(c)
	const width, top, step = 760, 70, 26
	var b strings.Builder
	y := top
	text := func(x, y int, anchor, class, s string) {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, html.EscapeString(s))
	}
	// pins draws two columns of pins; each has a number, a name and a user.
	pins := func(rows int, at func(row, column int) (number, name, user string)) {
		fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"76\" height=\"%d\" rx=\"6\" class=\"body\"/>\n", width/2-38, y-18, rows*step+10)
		for r := range rows {
			for col := range 2 {
				num, name, user := at(r, col)
				side, anchor := -1, "end"
				if col == 1 {
					side, anchor = 1, "start"
				}
				class := "pin"
				switch {
				case strings.HasPrefix(user, "* "), strings.HasPrefix(user, "~ "):
					class = "pin lamp"
				case user != "":
					class = "pin button"
				case name == "ground":
					class = "pin ground"
				case strings.HasSuffix(name, " V"):
					class = "pin power"
				}
				x := width/2 + side*18
				if num == "1" {
					fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"18\" class=\"%s\"/>\n", x-9, y-9, class)
				} else {
					fmt.Fprintf(&b, "<circle cx=\"%d\" cy=\"%d\" r=\"9\" class=\"%s\"/>\n", x, y, class)
				}
				text(x, y+4, "middle", "number", num)
				text(width/2+side*48, y+4, anchor, "name", name)
				if user != "" {
					fmt.Fprintf(&b, "<path d=\"M%d %dH%d\" class=\"wire\"/>\n", width/2+side*112, y, width/2+side*130)
					text(width/2+side*136, y+4, anchor, "user", user)
				}
			}
			y += step
		}
		y += 30
	}
	title := "Layout " + c.Layout
	if c.Layout == Seats {
		title += fmt.Sprintf(", %d seats", c.Seats)
	}
	if c.Layout == None {
		text(width/2, y, "middle", "user", "No buttons: the host page does everything.")
		y += step
	} else {
		pins(len(header)/2, func(r, col int) (string, string, string) {
			i := 2*r + col
			return fmt.Sprint(i + 1), header[i], users[header[i]]
		})
	}
	for _, e := range c.Expanders {
		a, err := parseAddress(e)
		if err != nil {
			continue
		}
		text(width/2, y, "middle", "title", fmt.Sprintf("MCP23017 at 0x%02x", a))
		y += 36
		pins(8, func(r, col int) (string, string, string) {
			// As on the chip: GPB0 is pin 1, GPA7 pin 28 across from it.
			pin, num := 8+r, r+1
			if col == 1 {
				pin, num = 7-r, 28-r
			}
			return fmt.Sprint(num), "GP" + pinName(pin), users[fmt.Sprintf("0x%02x.%s", a, pinName(pin))]
		})
	}
	for _, s := range c.legend() {
		text(30, y, "start", "note", s)
		y += 20
	}
	for _, p := range l.check(c) {
		class, mark := "note", "Mind: "
		if p.Fatal {
			class, mark = "wrong", "WRONG: "
		}
		text(30, y, "start", class, mark+p.Says)
		y += 20
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Pin plan\">\n", width, y)
	out.WriteString("<style>text{font:13px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}.number{font-size:9px}" +
		".name{fill:#555}.user{font-weight:bold}.note{font-size:12px}.wrong{font-size:12px;font-weight:bold;fill:#a00}" +
		".body{fill:#2b2b2b}.pin{fill:#d9d9d9;stroke:#888}.button{fill:#8ec5ff}.lamp{fill:#ffd166}.ground{fill:#999}.power{fill:#f4a9a9}" +
		".wire{stroke:#222}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n")
	fmt.Fprintf(&out, "<text x=\"%d\" y=\"34\" text-anchor=\"middle\" class=\"title\">%s</text>\n", width/2, html.EscapeString(title))
	return []byte(out.String() + b.String() + "</svg>\n"), nil
}
