package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"
)

// guests are names for up to twelve seats, two of them as long as names get.
var guests = []string{"Anna", "Maximilian-Alexander v. Habsburg", "Жанна", "Émile", "Otto", "Rosa", "Giuseppina", "Hans", "Li", "Ingrid", "Jürgen", "Жанна д'Арк из Орлеана на Луаре"}

// party opens a night of a game for n guests, the first of them at the bank.
func party(game string, n int) string {
	type seat struct {
		Name  string `json:"name"`
		Chips int    `json:"chips"`
	}
	open := map[string]any{"do": "open", "game": game, "banker": guests[0]}
	if game == "lansquenet" {
		open["profile"] = "pagat"
	}
	var seats []seat
	for i, name := range guests[:n] {
		seats = append(seats, seat{name, 120 + 11111*(i%2)})
	}
	open["seats"] = seats
	b, err := json.Marshal(open)
	if err != nil {
		panic(err) // it is made of texts and numbers
	}
	return string(b)
}

// crowd plays a game to where most lies on the table.
func (v *visitor) crowd(game string, n int) {
	v.h.t.Helper()
	v.act(party(game, n))
	names := guests[:n]
	switch game {
	case "lansquenet":
		v.act(fmt.Sprintf(`{"do":"bank","seat":%q,"amount":40}`, names[0]))
		for _, name := range names[1:] {
			v.act(fmt.Sprintf(`{"do":"cover","seat":%q,"amount":%d}`, name, 40/n))
		}
		v.act(`{"do":"close_bets"}`)
		for _, r := range []string{"7", "Q", "2", "9", "K", "4", "J", "10", "A"} {
			v.act(fmt.Sprintf(`{"do":"card","rank":%q,"suit":"hearts"}`, r))
		}
	case "skin":
		ranks := []string{"7", "K", "4", "9", "2", "3", "5", "6", "8", "10", "J", "Q"}
		for i, name := range names[1:] {
			v.script(fmt.Sprintf(`{"do":"card","rank":%q,"suit":"clubs"}`, ranks[i+1]), fmt.Sprintf(`{"do":"accept","seat":%q}`, name))
			if i == 0 {
				v.act(`{"do":"card","rank":"A","suit":"spades"}`)
			}
			v.script(fmt.Sprintf(`{"do":"max","seat":%q,"amount":15}`, name), fmt.Sprintf(`{"do":"offer","seat":%q,"amount":10}`, names[0]))
			if i > 0 {
				v.script(fmt.Sprintf(`{"do":"side","seat":%q,"against":%q,"amount":3}`, name, names[i]),
					fmt.Sprintf(`{"do":"side_accept","seat":%q,"against":%q,"amount":3}`, names[i], name), fmt.Sprintf(`{"do":"pass","seat":%q}`, name))
			}
		}
	case "zecchinetta":
		v.script(fmt.Sprintf(`{"do":"limits","seat":%q,"min":1,"max":20}`, names[0]), `{"do":"card","rank":"5","suit":"clubs"}`, `{"do":"card","rank":"J","suit":"hearts"}`)
		for _, name := range names[1:] {
			v.script(fmt.Sprintf(`{"do":"bet","seat":%q,"rank":"5","amount":8}`, name), fmt.Sprintf(`{"do":"bet","seat":%q,"rank":"J","amount":2}`, name))
		}
		v.act(`{"do":"card","rank":"A","suit":"spades"}`)
	}
}

// On the wall the seats stand around the table as they do around the real one:
// the first below, the next to his right, against the clock. Nothing lies over
// anything else or leaves the screen, and a rank is as high as a tenth of it, so
// that it is read from four metres.
func TestSeatsStandAroundTheTable(t *testing.T) {
	const look = `(() => {
		const bad = [], boxes = [];
		const box = (what, el) => {
			const r = document.createRange();
			r.selectNodeContents(el);
			const b = el.matches(".seat, .card, img, .bar") ? el.getBoundingClientRect() : r.getBoundingClientRect();
			if (el.checkVisibility() && b.width && b.height) boxes.push({ what, x: b.left, y: b.top, r: b.right, b: b.bottom });
		};
		const seats = [...document.querySelectorAll(".seat")];
		for (const s of seats) { box("the seat of " + s.dataset.key, s); if (s.querySelector(".spot").textContent) box("what lies before " + s.dataset.key, s.querySelector(".spot")); }
		for (const c of document.querySelectorAll(".place .card, .sum, .row .card, .bar, .prompt, .top .where, .top .what, .top .who, .last, .joinqr img, .joinqr figcaption, .roads")) box(c.getAttribute("class") ?? c.tagName, c);
		const slack = innerHeight / 100; // a line of text is higher than its letters
		boxes.forEach((a, i) => {
			if (a.x < -slack || a.y < -slack || a.r > innerWidth + slack || a.b > innerHeight + slack) bad.push(a.what + " leaves the screen");
			for (const c of boxes.slice(i + 1)) if (Math.min(a.r, c.r) - Math.max(a.x, c.x) > slack && Math.min(a.b, c.b) - Math.max(a.y, c.y) > slack) bad.push(a.what + " and " + c.what + " lie over each other");
		});
		let last = -1;
		seats.forEach((s) => {
			const r = s.getBoundingClientRect(), x = r.x + r.width / 2 - innerWidth / 2, y = r.y + r.height / 2 - innerHeight * .43;
			const turn = (Math.atan2(x, y) + 2 * Math.PI + .01) % (2 * Math.PI); // from below, against the clock
			if (turn <= last) bad.push(s.dataset.key + " does not sit to the right of the one before");
			last = turn;
		});
		if (seats.length !== document.querySelectorAll(".felt .way path").length) bad.push("no arrow from each seat to the next");
		if (!document.querySelector(".seat.banker .word")?.textContent) bad.push("no word says who is the banker");
		return bad.join("\n");
	})()`
	h := newHouse(t)
	host := h.host()
	var walls []*tab
	for _, size := range [][2]int64{{1280, 720}, {1920, 1080}, {3840, 2160}} {
		b := newTab(t, h.srv.URL, size[0], size[1])
		b.prefers("prefers-reduced-motion", "reduce")
		walls = append(walls, b)
	}
	for i, n := range []int{3, 5, 8, 12} {
		for j, game := range []string{"lansquenet", "skin", "zecchinetta"} {
			host.crowd(game, n)
			b := walls[(i+j)%len(walls)]
			lang := Languages[(i+j)%len(Languages)]
			b.settled("/tv?lang=" + lang)
			b.until("the seats", fmt.Sprintf(`document.querySelectorAll(".seat").length === %d`, n))
			if bad := eval[string](b, look); bad != "" {
				b.shot(fmt.Sprintf("ring-%s-%d", game, n))
				t.Errorf("%s, %d seats, %s:\n%s", game, n, lang, bad)
			}
			if rank, screen := b.inked(".side.bank .place > .card"); rank < screen/10 {
				t.Errorf("%s: the bank's rank is %d pixels high on a screen of %d", game, rank, screen)
			}
			host.act(`{"do":"close"}`)
		}
	}
}

// The words in the wall's corners stand clear of every seat, with its word above it,
// whatever the house rules are called and however many sit there; and all of them
// can be read.
func TestCornersOfTheWall(t *testing.T) {
	const look = `(() => {
		const bad = [], words = JSON.parse(document.querySelector("#page").textContent).words;
		const gap = innerHeight / 400;
		const seats = [...document.querySelectorAll(".seat")].map((s) => {
			const word = s.querySelector(".word");
			word.textContent = words["seat.banker"]; // anybody may be it
			const b = s.getBoundingClientRect(), w = word.getBoundingClientRect();
			return { who: s.dataset.key, x: b.left, r: b.right, y: Math.min(b.top, w.top), b: Math.max(b.bottom, w.bottom) };
		});
		const corner = (name, text) => {
			const el = document.querySelector(name);
			if (text) el.textContent = text;
			const third = parseFloat(getComputedStyle(el).fontSize) / 3; // letters are higher than their line
			if (el.scrollHeight > el.clientHeight + third || el.scrollWidth > el.clientWidth + 1) bad.push(el.textContent + " is cut off");
			const range = document.createRange();
			range.selectNodeContents(el);
			for (const r of range.getClientRects())
				for (const s of seats) if (Math.min(r.right, s.r) - Math.max(r.left, s.x) > -gap && Math.min(r.bottom, s.b) - Math.max(r.top, s.y) > -gap) bad.push(el.textContent + " and the seat of " + s.who);
		};
		corner(".top .where");
		for (const rules of ["pagat", "ru", "it"]) corner(".top .what", words["game.lansquenet"] + " · " + words["profile." + rules]);
		corner(".top .who", words["bank.sold"].other.replace("{name}", "Giuseppina").replace("{n}", "3"));
		for (const name of [".last", ".marks", ".top .live"]) corner(name);
		// A wall that lost its table says so in larger letters.
		const root = document.documentElement, live = document.querySelector(".top .live"), was = live.textContent;
		const box = (el) => { const r = document.createRange(); r.selectNodeContents(el); return r.getBoundingClientRect(); };
		root.toggleAttribute("data-stale", true);
		live.textContent = words["live.stale"];
		corner(".top .live");
		const a = box(live);
		for (const name of [".marks", ".roads", ".last"]) {
			const el = document.querySelector(name), c = box(el);
			if (el.checkVisibility({ visibilityProperty: true }) && c.width && Math.min(a.right, c.right) > Math.max(a.left, c.left) && Math.min(a.bottom, c.bottom) - Math.max(a.top, c.top) > 2 * gap) bad.push(live.textContent + " and " + name + " lie over each other");
		}
		root.toggleAttribute("data-stale", false);
		live.textContent = was;
		return bad.join("\n");
	})()`
	h := newHouse(t)
	host := h.host()
	b := newTab(t, h.srv.URL, 1280, 720)
	b.prefers("prefers-reduced-motion", "reduce")
	for _, lang := range Languages {
		b.settled("/tv?lang=" + lang)
		for n := 2; n <= len(guests); n++ {
			host.act(party("lansquenet", n))
			b.until("the seats", fmt.Sprintf(`document.querySelectorAll(".seat").length === %d`, n))
			if bad := eval[string](b, look); bad != "" {
				b.shot(fmt.Sprintf("corner-%s-%d", lang, n))
				t.Errorf("%d seats, %s:\n%s", n, lang, bad)
			}
			host.act(`{"do":"close"}`)
		}
	}
}

// inked measures how high the rank in the middle of a card is drawn, and the
// screen.
func (b *tab) inked(card string) (rank, screen int) {
	b.t.Helper()
	shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	r := eval[[]float64](b, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()`, card))
	run := 0
	for y := r[1] + r[3]*.18; y < r[1]+r[3]*.8; y++ {
		ink := false
		for x := r[0] + r[2]*.3; x < r[0]+r[2]*.7; x++ {
			_, g, _, _ := img.At(int(x), int(y)).RGBA()
			ink = ink || g < 0x6000
		}
		if run++; !ink {
			run = 0
		}
		rank = max(rank, run)
	}
	return rank, img.Bounds().Dy()
}

// Bets between players cover nothing of the bank and are shown apart.
func TestBetsBetweenPlayersStandApart(t *testing.T) {
	h := newHouse(t)
	h.host().crowd("skin", 3)
	for path, want := range map[string]string{"/tv": "⇄\u00a03 ⇄\u00a03", "/": "⇄\u00a03Жанна ⇄\u00a03Maximilian-Alexander v. Habsburg"} {
		b := newTab(t, h.srv.URL, 1280, 800)
		b.prefers("prefers-reduced-motion", "reduce")
		b.settled(path + "?lang=en")
		b.until("the seats", `document.querySelectorAll(".seat").length === 3`)
		got := eval[string](b, `[".sum.bank", ".sum.covered", ".sum.aside"].map((x) => document.querySelector(x).textContent).join(" ") + ", " + [...document.querySelectorAll(".seat .stake .n")].map((x) => x.textContent).join(" ")`)
		if want := "Bank20 covered20 side bets6, – 10 10"; got != want {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
		if got := eval[string](b, `[...document.querySelectorAll(".held .bet")].filter((x) => x.checkVisibility()).map((x) => x.textContent).join(" ")`); got != want {
			t.Errorf("%s: the seats' bets are %q, want %q", path, got, want)
		}
	}
}

// A wall is dark; in a bright room it may be asked to be light.
func TestALightWall(t *testing.T) {
	h := newHouse(t)
	h.host().night()
	b := newTab(t, h.srv.URL, 1280, 720)
	b.prefers("prefers-color-scheme", "light")
	for path, want := range map[string]string{"/tv": "dark", "/tv?light": "light", "/": "light"} {
		b.settled(path)
		if got := eval[string](b, `getComputedStyle(document.documentElement).colorScheme`); got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
}
