package table

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
	"lansquenet/ledger/say"
)

var rewrite = flag.Bool("rewrite", false, "write what the scenarios answer into their files, to be read line by line")

// TestScenarios plays testdata/scenarios. A file holds scenarios with an empty
// line between them: comments that begin with #, the doings one a line, a line
// of dashes, and what the table answers: what it hears, and at the end how it
// stands and what it waits for. A doing that has to be refused begins with "!". The doings:
//
//	open pagat A:100 B:100 banker=A packs=1 strip=8,9,10
//	A bank 12        any doing of a seat, with its amount
//	B side C 3 · C side_accept B 2 · B take 4 · B bet 7 5 · A limits 1 10
//	deal 7 Qh 2      cards, with a suit where it matters
//	burn K · void "two cards" · correct 2 9 · chips B 50 · sit D 100 · rise C
//	close_bets, shuffle, undo …   whatever else the host does
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, s := range strings.Split(strings.TrimSpace(string(b)), "\n\n") {
				out = append(out, scenario(t, s))
			}
			got := strings.Join(out, "\n\n") + "\n"
			if *rewrite {
				if err := os.WriteFile(f, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// scenario plays one and answers it with what the table said.
func scenario(t *testing.T, text string) string {
	script, want, _ := strings.Cut(text, "\n----\n")
	script = strings.TrimSuffix(script, "\n----")
	title, _, _ := strings.Cut(script, "\n")
	p := &player{t: t, title: title}
	for _, line := range strings.Split(script, "\n") {
		if !strings.HasPrefix(line, "#") {
			p.do(line)
		}
	}
	v := p.night.View()
	p.say(stand(v), "> "+say.In("en").Say(v.Prompt))
	got := strings.Join(p.said, "\n")
	if got != strings.TrimSpace(want) && !*rewrite {
		t.Errorf("%s\ngot:\n%s\nwant:\n%s", title, got, want)
	}
	return script + "\n----\n" + got
}

type player struct {
	t     *testing.T
	title string
	night Table
	book  chips.Book
	said  []string
}

func (p *player) say(lines ...string) { p.said = append(p.said, lines...) }

func (p *player) do(line string) {
	p.t.Helper()
	refused := strings.HasPrefix(line, "!")
	words := strings.Fields(strings.TrimPrefix(line, "!"))
	if words[0] == "deal" {
		for _, w := range words[1:] {
			p.apply(object(append([]string{"do", "card"}, faceOf(w)...)...), line, refused)
		}
		return
	}
	p.apply(parse(words), line, refused)
}

// apply does one action and checks what has to hold for every action: the
// receiver is as it was, a refusal changes nothing, the transfers lead to the
// chips shown, no chip is made or lost, and every choice offered is possible.
func (p *player) apply(b []byte, line string, refused bool) {
	p.t.Helper()
	before := p.night.View()
	a, err := game.Decode(b)
	next, o := p.night, game.Outcome{}
	if err == nil {
		next, o, err = p.night.Apply(a)
	}
	if !reflect.DeepEqual(before, p.night.View()) {
		p.t.Fatalf("%s: %q changed the table it was done at", p.title, line)
	}
	if refused != (err != nil) {
		p.t.Errorf("%s: %q: refused is %v: %v", p.title, line, err != nil, err)
	}
	if err != nil {
		r := err.(*game.Refusal)
		p.say(fmt.Sprintf("! %s: %s", r.Code, say.In("en").Say(r.Message)))
		if !reflect.DeepEqual(before, next.View()) {
			p.t.Errorf("%s: refusing %q changed the table", p.title, line)
		}
		return
	}
	for _, m := range o.Told {
		p.say(say.In("en").Say(m))
	}
	if err := p.book.Post(o.Transfers); err != nil {
		p.t.Fatalf("%s: %q: %v", p.title, line, err)
	}
	p.night = next
	balance(p.t, p.title+": "+line, &p.book, next.View())
	choices(p.t, p.title+": "+line, next)
}

// balance checks that the book says what the table shows.
func balance(t *testing.T, where string, book *chips.Book, v game.View) {
	t.Helper()
	shown := map[chips.Account]int64{chips.Bank: v.Bank}
	var bought int64
	for _, s := range v.Seats {
		shown[chips.Stack(s.Name)] = s.Chips
		shown[chips.Stake(s.Name)] = s.Stake
		bought += s.Bought - s.Cashed
	}
	shown[chips.Cage] = -bought
	for a, n := range shown {
		if n == 0 {
			delete(shown, a)
		}
	}
	if got := book.Balances(); !reflect.DeepEqual(got, shown) {
		t.Fatalf("%s: the book says %v, the table shows %v", where, got, shown)
	}
}

// choices checks that what the table offers can be done, with the smallest and
// the largest amount, and that the likeliest thing stands first.
func choices(t *testing.T, where string, night Table) {
	t.Helper()
	v := night.View()
	if v.Phase == game.Closed {
		for _, c := range v.Choices {
			if c.Do != "undo" && c.Do != "correct" {
				t.Errorf("%s: a closed table offers %+v", where, c)
			}
		}
		return
	}
	for _, s := range v.Seats {
		if s.IsTurn != (s.Name == v.Turn) || s.IsBank != (s.Name == v.Banker) {
			t.Errorf("%s: turn %q, banker %q, and seat %+v", where, v.Turn, v.Banker, s)
		}
	}
	switch first := v.Choices[0]; first.Do {
	case "bank", "keep", "give", "cover", "pass":
		if v.Turn != first.Seat {
			t.Errorf("%s: %q is asked, and the first choice is %+v", where, v.Turn, first)
		}
	}
	if v.Turn != "" && v.Choices[0].Seat != v.Turn {
		t.Errorf("%s: %s is asked and the first choice is %+v", where, v.Turn, v.Choices[0])
	}
	if first := v.Choices[0].Do; v.CardDue && v.Turn == "" && first != "card" {
		t.Errorf("%s: a card is due and the first choice is %s", where, first)
	}
	for _, c := range v.Choices {
		if c.Do == "correct" || c.Do == "undo" {
			continue
		}
		for _, n := range amounts(c) {
			a := game.Action{Do: c.Do, Seat: c.Seat, Amount: n, Reason: "test"}
			switch c.Do {
			case "sit":
				a.Name, a.Chips = "someone new", n
			case "limits":
				a.Min, a.Max = n, n
			}
			if len(c.Ranks) > 0 {
				a.Rank = c.Ranks[0]
			}
			if len(c.Against) > 0 {
				a.Against = c.Against[0]
			}
			if _, _, err := night.Apply(a); err != nil {
				t.Errorf("%s: offered %+v, but %d: %v", where, c, n, err)
			}
		}
	}
	for _, do := range []string{"bank", "keep", "give", "cover", "banco", "pass", "sell", "claim", "bid", "rise",
		"close_bets", "close_sale", "void", "card", "burn", "shuffle"} {
		for _, s := range v.Seats {
			if offered(v.Choices, do, s.Name) {
				continue
			}
			for _, n := range []int64{1, 2, 12, 24} {
				a := game.Action{Do: do, Seat: s.Name, Amount: n, Rank: card.Ten}
				if _, _, err := night.Apply(a); err == nil && !s.Claims {
					t.Errorf("%s: %s by %s with %d is possible and not offered", where, do, s.Name, n)
				}
			}
		}
	}
}

// offered says whether a seat, or the host, is offered a doing.
func offered(cs []game.Choice, do, seat string) bool {
	return slices.ContainsFunc(cs, func(c game.Choice) bool { return c.Do == do && (c.Seat == "" || c.Seat == seat) })
}

func amounts(c game.Choice) []int64 {
	if c.Amounts != nil {
		return c.Amounts
	}
	if c.Do == "chips" && c.Min == 0 {
		return []int64{1, c.Max}
	}
	return []int64{c.Min, c.Max}
}

// stand is how the table stands, in one line.
func stand(v game.View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "= %s", v.Phase)
	for _, s := range v.Seats {
		if s.Left {
			continue
		}
		fmt.Fprintf(&b, " %s %d", s.Name, s.Chips)
		if s.Stake > 0 {
			fmt.Fprintf(&b, "+%d", s.Stake)
		}
		if s.Claims {
			b.WriteString(" (claims)")
		}
		if s.Bid > 0 {
			fmt.Fprintf(&b, " (bids %d)", s.Bid)
		}
	}
	fmt.Fprintf(&b, ", banker %s", v.Banker)
	if v.Bank > 0 {
		fmt.Fprintf(&b, ", bank %d", v.Bank)
	}
	if v.Turn != "" && v.Turn != v.Banker {
		fmt.Fprintf(&b, ", turn %s", v.Turn)
	}
	if v.Need != nil {
		fmt.Fprintf(&b, ", need %v", v.Need)
	}
	if v.Sales > 0 {
		fmt.Fprintf(&b, ", sold %d×, opened by %s", v.Sales, v.Reach)
	}
	if len(v.Cards) > 0 {
		b.WriteString(", cards")
		for _, d := range v.Cards {
			b.WriteString(" " + d.Card.String())
			if d.Role != "" {
				b.WriteString("(" + d.Role + ")")
			}
		}
	}
	fmt.Fprintf(&b, ", coups %d", v.Coups)
	if v.Result != "" {
		b.WriteString(", result " + v.Result)
	}
	if v.Winners != nil {
		fmt.Fprintf(&b, ", winners %v", v.Winners)
	}
	return b.String()
}

// object writes a JSON object of string and raw values: names and values in
// turn.
func object(pairs ...string) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		v := pairs[i+1]
		if !strings.HasPrefix(v, "=") {
			q, _ := json.Marshal(v)
			v = "=" + string(q)
		}
		fmt.Fprintf(&b, "%q:%s", pairs[i], v[1:])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// faceOf is a card as the fields of an action: "7", "Qh", "10s".
func faceOf(w string) []string {
	suits := map[byte]string{'c': "clubs", 'd': "diamonds", 'h': "hearts", 's': "spades"}
	if s, ok := suits[w[len(w)-1]]; ok {
		return []string{"rank", w[:len(w)-1], "suit", s}
	}
	return []string{"rank", w}
}

// parse turns a scenario's line into an action's JSON.
func parse(w []string) []byte {
	number := func(s string) string { return "=" + s }
	switch do := w[0]; do {
	case "open":
		return parseOpen(w[1:])
	case "void":
		return object("do", do, "reason", strings.Trim(strings.Join(w[1:], " "), `"`))
	case "correct":
		return object(append([]string{"do", do, "card", number(w[1])}, faceOf(w[2])...)...)
	case "burn":
		if len(w) == 1 {
			return object("do", do)
		}
		return object(append([]string{"do", do}, faceOf(w[1])...)...)
	case "chips":
		return object("do", do, "seat", w[1], "amount", number(w[2]))
	case "sit":
		return object("do", do, "name", w[1], "chips", number(w[2]))
	case "rise":
		return object("do", do, "seat", w[1])
	}
	if len(w) == 1 {
		return object("do", w[0])
	}
	switch do := w[1]; do {
	case "side", "side_accept":
		return object("do", do, "seat", w[0], "against", w[2], "amount", number(w[3]))
	case "take":
		return object("do", do, "seat", w[0], "rank", w[2])
	case "bet":
		return object("do", do, "seat", w[0], "rank", w[2], "amount", number(w[3]))
	case "limits":
		return object("do", do, "seat", w[0], "min", number(w[2]), "max", number(w[3]))
	}
	pairs := []string{"do", w[1], "seat", w[0]}
	if len(w) > 2 {
		pairs = append(pairs, "amount", number(w[2]))
	}
	if len(w) > 3 {
		pairs = append(pairs, w[3], "=true")
	}
	return object(pairs...)
}

func parseOpen(w []string) []byte {
	name := game.Lansquenet
	if len(w) > 0 && (w[0] == game.Skin || w[0] == game.Zecchinetta) {
		name, w = w[0], w[1:]
		w = append([]string{""}, w...) // no profile
	}
	pairs := []string{"do", "open", "game", name}
	var seats, rules []string
	for i, s := range w {
		name, amount, isSeat := strings.Cut(s, ":")
		key, v, isRule := strings.Cut(s, "=")
		switch {
		case key == "banker":
			pairs = append(pairs, "banker", v)
		case key == "draw":
			pairs = append(pairs, "draw", "=["+v+"]")
		case isRule:
			if key == "strip" {
				v = `["` + strings.ReplaceAll(v, ",", `","`) + `"]`
			} else if v != "true" && v != "false" && (v[0] < '0' || v[0] > '9' || strings.Contains(v, ":")) {
				v = fmt.Sprintf("%q", v)
			}
			rules = append(rules, fmt.Sprintf("%q:%s", key, v))
		case isSeat:
			seats = append(seats, string(object("name", name, "chips", "="+amount)))
		case i == 0 && s != "":
			pairs = append(pairs, "profile", s)
		}
	}
	pairs = append(pairs, "seats", "=["+strings.Join(seats, ",")+"]")
	if rules != nil {
		pairs = append(pairs, "rules", "={"+strings.Join(rules, ",")+"}")
	}
	return object(pairs...)
}
