package web

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lansquenet/ledger"
)

// looks opens every page of a night in the state it is in.
var looks = []string{"/", "/tv", "/host", "/seat/Anna", "/join", "/nights", "/night/latest", "/replay/latest"}

func (b *tab) settled(path string) {
	b.t.Helper()
	b.open(path)
	b.until("the page", `document.querySelector("main").childElementCount > 0 && document.querySelector("#top .where") && document.fonts.status === "loaded"`)
	if !strings.HasPrefix(path, "/join") && !strings.HasPrefix(path, "/night") {
		b.until("the table", `document.documentElement.dataset.seq !== undefined || document.querySelector("#pin")`)
	}
}

func TestAxeFindsNothing(t *testing.T) {
	eye := newFakeEye()
	h := newHouse(t, func(o *Options) { o.Camera = eye })
	host := h.host()
	// Colours do not depend on the size, nor places on the colours.
	for scheme, sizes := range map[string][][2]int64{"dark": {{390, 844}}, "light": {{1280, 800}}} {
		for _, size := range sizes {
			b := newTab(t, h.srv.URL, size[0], size[1])
			b.prefers("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce")
			look := func(what string) {
				t.Helper()
				for _, v := range b.Axe() {
					t.Errorf("%s %s %d: %s", what, scheme, size[0], v)
				}
			}
			b.open("/host#pin=" + testPIN)
			b.until("the desk", `document.querySelector(".hand .front .choice, .opening .rule") != null`)
			if h.table.State().Seq == 0 || h.table.State().View.Phase == "closed" {
				eval[bool](b, `(document.querySelectorAll("details").forEach((d) => { d.open = true; }), true)`)
				look("opening a night")
				host.night()
			}
			for _, p := range looks {
				b.settled(p)
				look(p)
			}
			b.settled("/host")
			eval[bool](b, `(document.querySelectorAll("details").forEach((d) => { d.open = true; }), true)`)
			look("the desk with all drawers open")
			eye.ask(int(size[0]), "8", "6", "3")
			b.until("the question", `document.querySelector("dialog.sheet[open]") != null`)
			look("an unsure card")
			eye.ask(-1)
			host.script(`{"do":"card","rank":"7"}`)
			b.settled("/tv")
			look("the wall after a coup")
			host.act(`{"do":"close"}`)
		}
	}
}

// cut lists what is wider than its place.
const cut = `(() => {
	const out = [];
	if (document.documentElement.scrollWidth > innerWidth) out.push("page " + document.documentElement.scrollWidth);
	for (const el of document.querySelectorAll("button, h1, h2, .prompt, .who, .what, .live, .sum, summary, th, .cell, .pct, .left, .outcome, .word")) {
		if (!el.checkVisibility() || el.matches(".vh")) continue;
		if (el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).display !== "inline" && getComputedStyle(el).textOverflow !== "ellipsis") out.push(el.className + " «" + el.textContent.slice(0, 40) + "» " + el.scrollWidth + ">" + el.clientWidth);
		const r = el.getBoundingClientRect();
		if (r.right > innerWidth + 1 && !el.closest(".scrollx")) out.push("right of the page: " + el.className + " «" + el.textContent.slice(0, 40) + "»");
	}
	if (/\b(?:[a-z]+\.)+[a-z_]+\b/.test([...document.querySelectorAll("button, h1, h2, h3, p, span, summary, label, option")].map((e) => e.childElementCount ? "" : e.textContent).filter((x) => /^[a-z]+\.[a-z_.]+$/.test(x)).join(" "))) out.push("a key without words");
	return out.join("\n");
})()`

// No page is wider than its screen, and no control is cut off, in any language.
func TestNothingOverflowsInAnyLanguage(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.night()
	for _, size := range [][2]int64{{360, 740}, {1280, 800}, {1920, 1080}} {
		b := newTab(t, h.srv.URL, size[0], size[1])
		b.open("/host#pin=" + testPIN)
		b.until("the desk", `document.querySelector(".hand .front .choice") != null`)
		for _, l := range Languages {
			for _, p := range looks {
				b.settled(p + "?lang=" + l)
				if got := eval[string](b, cut); got != "" {
					b.shot(fmt.Sprintf("cut-%s-%s-%d", strings.ReplaceAll(p, "/", "-"), l, size[0]))
					t.Errorf("%s %s %d:\n%s", p, l, size[0], got)
				}
			}
		}
	}
}

// The server goes away and comes back with the same journal, as after a pulled
// plug: the page says so within three seconds and is right within two after.
func TestPageTellsStaleAndComesBack(t *testing.T) {
	h := newHouse(t, func(o *Options) { o.Keys = t.TempDir() + "/keys.json" })
	host := h.host()
	host.night()
	addr := h.srv.Listener.Addr().String()
	b := newTab(t, h.srv.URL, 390, 844)
	b.settled("/?lang=en")
	b.until("live", `document.querySelector(".live").textContent === "live"`)

	h.web.Close()
	h.srv.CloseClientConnections()
	h.srv.Close()
	gone := time.Now()
	b.until("stale", `document.documentElement.hasAttribute("data-stale")`)
	t.Logf("stale after %v", time.Since(gone).Round(time.Millisecond))

	// Meanwhile the table moves on: a card comes through the camera.
	table, err := ledger.Open(t.Context(), h.store, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Options{Table: table, Store: h.store, PINHash: pinHash, Keys: h.web.o.Keys})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(w)
	srv.Listener.Close()
	srv.Listener = ln
	srv.Start()
	t.Cleanup(func() { w.Close(); srv.Close() })
	back := time.Now()
	// The host's login outlived the restart.
	seq := host.act(`{"do":"card","rank":"7","suit":"diamonds"}`)
	b.until("the newest state", fmt.Sprintf(`document.documentElement.dataset.seq === "%d" && !document.documentElement.hasAttribute("data-stale")`, seq))
	t.Logf("right after %v", time.Since(back).Round(time.Millisecond))
}

// Two hosts look at one state and press: one counts, the other is told.
func TestTwoHostsAndAnOldPage(t *testing.T) {
	h := newHouse(t)
	h.host().script(openG01)
	one, two := newTab(t, h.srv.URL, 390, 844), newTab(t, h.srv.URL, 1280, 800)
	for _, b := range []*tab{one, two} {
		b.open("/host?lang=en#pin=" + testPIN)
		b.until("the desk", `document.querySelector(".do-bank .go") != null`)
	}
	// The second host's press is on its way, seconds long, while the first's is
	// there at once.
	eval[bool](two, `(window.fetch = ((real) => async (url, o) => { if (String(url).includes("/api/actions")) await new Promise((go) => { window.release = go; }); return real(url, o); })(window.fetch), true)`)
	two.press("bank", `document.querySelector(".do-bank .go")`)
	two.until("the press on its way", `window.release && document.querySelector('[aria-busy="true"]')`)
	one.press("bank", `document.querySelector(".do-bank .go")`)
	one.until("the cover", `document.querySelector(".do-cover .go") != null`)
	eval[bool](two, `(window.release(), true)`)
	two.until("told that it is stale", `document.querySelector(".note.on")?.textContent.includes("moved on")`)
	if seq := h.table.State().Seq; seq != 2 {
		t.Errorf("%d entries, want 2", seq)
	}
}

// A page left over from last night, whose line is dead and whose entry has the
// number of tonight's, cannot act.
func TestLastNightsPageCannotAct(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.act(openG01)
	b := newTab(t, h.srv.URL, 390, 844)
	b.open("/host?lang=en#pin=" + testPIN)
	b.until("the desk", `document.querySelector(".do-bank .go") != null`)
	eval[bool](b, `(window.fetch = ((real) => (url, o) => String(url).includes("/api/stream") ? new Promise(() => {}) : real(url, o))(window.fetch), true)`)
	host.c.CloseIdleConnections() // his are cut as well, and a cut one is not tried again
	h.srv.CloseClientConnections()
	host.act(`{"do":"close"}`)
	host.act(openG01)
	b.press("bank", `document.querySelector(".do-bank .go")`)
	b.until("told that it is stale", `document.querySelector(".note.on")?.textContent.includes("moved on")`)
	if st := h.table.State(); st.Seq != 1 {
		t.Errorf("%d entries, want 1", st.Seq)
	}
}

// A guest scans a code, plays with his thumb, and cannot play for another.
func TestGuestPlaysFromHisPhone(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.act(openG01)
	_, body := host.post("/api/invite", `{"seat":"B"}`)
	var inv struct{ URL string }
	if err := json.Unmarshal([]byte(body), &inv); err != nil {
		t.Fatal(err)
	}
	b := newTab(t, h.srv.URL, 390, 844)
	b.open(strings.TrimPrefix(inv.URL, h.srv.URL))
	b.until("my seat", `location.pathname === "/seat/B" && document.querySelector(".mydesk") != null`)
	if eval[int](b, `document.querySelectorAll(".front .go").length`) != 0 {
		t.Error("buttons out of turn")
	}
	host.act(`{"do":"bank","seat":"A","amount":20}`)
	b.until("my turn", `document.body.classList.contains("myturn") && document.querySelector(".do-cover .go") != null`)
	b.press("five", `[...document.querySelectorAll(".do-cover .quick button")].find((x) => x.textContent === "5")`)
	b.until("the button says what it does", `document.querySelector(".do-cover .go").textContent === "Cover 5"`)
	b.press("cover", `document.querySelector(".do-cover .go")`)
	b.until("my stake", `document.querySelector(".cell.stake .n").textContent === "5"`)
	if got := h.table.State().View.Seats[1].Stake; got != 5 {
		t.Errorf("stake %d", got)
	}
	b.settled("/seat/C")
	if eval[int](b, `document.querySelectorAll(".front .go").length`) != 0 {
		t.Error("buttons for another's seat")
	}
}

// Who mistypes the PIN is told so where he looks.
// Before a night guests are told what they wait for, and not to open one; after it
// a phone leads to who owes whom. A wall has no fingers.
func TestBeforeAndAfterANight(t *testing.T) {
	h := newHouse(t)
	b := newTab(t, h.srv.URL, 390, 844)
	b.prefers("prefers-reduced-motion", "reduce")
	for _, lang := range Languages {
		for _, page := range []string{"/", "/tv", "/seat/A"} {
			b.open(page + "?lang=" + lang)
			b.until(page+" to speak to guests", `document.querySelector(".prompt").textContent === JSON.parse(document.querySelector("#page").textContent).words.idle`)
		}
	}
	host := h.host()
	host.act(openG01)
	host.act(`{"do":"close"}`)
	for page, want := range map[string]bool{"/": true, "/seat/A": true, "/tv": false} {
		b.open(page)
		b.until(page+" after the night", fmt.Sprintf(`(document.querySelector(".ended a").checkVisibility() && document.querySelector(".ended a").pathname === "/night/%s") === %v`, h.table.State().Session, want))
		b.until(page+" without the places of a coup", `document.querySelector(".top .where").textContent === JSON.parse(document.querySelector("#page").textContent).words["night.over"] && !document.querySelector(".coup").checkVisibility()`)
	}
}

func TestAWrongPINIsSaid(t *testing.T) {
	h := newHouse(t)
	b := newTab(t, h.srv.URL, 390, 844)
	b.open("/host?lang=en")
	b.until("the PIN", `document.querySelector("#pin") != null`)
	b.run(chromedp.SendKeys("#pin", "000000"))
	b.press("log in", `document.querySelector(".login .go")`)
	b.until("the refusal", `document.querySelector(".login .note").checkVisibility() && document.querySelector(".login .note").textContent.includes("PIN")`)
}

// The reader asks; the host answers with one press, and nothing else can be
// pressed meanwhile.
func TestUnsureCard(t *testing.T) {
	eye := newFakeEye()
	h := newHouse(t, func(o *Options) { o.Camera = eye })
	h.host().night()
	b := newTab(t, h.srv.URL, 390, 844)
	b.open("/host?lang=en#pin=" + testPIN)
	b.until("the desk", `document.querySelector(".hand .front") != null`)
	eye.ask(3, "8", "6")
	b.until("the question", `document.querySelector("dialog.sheet[open] img")?.naturalWidth > 0`)
	if !eval[bool](b, `document.elementFromPoint(60, 120).closest(".hand, .view, .top") === null`) {
		t.Error("the desk can be pressed behind the question")
	}
	b.press("six", `document.querySelector('.guesses [data-rank="6"]')`)
	b.until("no question", `document.querySelector("dialog.sheet[open]") === null`)
	if fmt.Sprint(eye.answers) != "[3 6]" {
		t.Error(eye.answers)
	}
	reader := newTab(t, h.srv.URL, 390, 844)
	eye.ask(4, "8")
	reader.settled("/")
	if eval[bool](reader, `document.querySelector("dialog") !== null || document.documentElement.outerHTML.includes("unsure\":{")`) {
		t.Error("a reader sees the question")
	}
}

// The roads as baccarat players draw them: a run goes down, turns right at the
// floor, and the next run stands in a new column.
func TestRoads(t *testing.T) {
	h := newHouse(t)
	b := newTab(t, h.srv.URL, 1280, 800)
	b.open("/")
	eval[bool](b, `(import("/static/js/roads.js").then((m) => { window.road = m; }), true)`)
	b.until("the module", `window.road`)
	places := func(steps string) string {
		return eval[string](b, fmt.Sprintf(`road.bigRoad([...%q].map((r) => ({r: {b: "bank", d: "doublet", p: "punters", v: "void"}[r]}))).map((p) => p.x + "." + p.y).join(" ")`, steps))
	}
	for steps, want := range map[string]string{
		"":               "",
		"bdb":            "0.0 0.1 0.2",
		"bpvpb":          "0.0 1.0 1.1 2.0",
		"bbbbbbbbp":      "0.0 0.1 0.2 0.3 0.4 0.5 1.5 2.5 1.0",
		"bbbbbbbppppppp": "0.0 0.1 0.2 0.3 0.4 0.5 1.5 1.0 1.1 1.2 1.3 1.4 2.4 3.4",
	} {
		if got := places(steps); got != want {
			t.Errorf("%s: %s, want %s", steps, got, want)
		}
	}
}

// What a phone fetches until the table stands there, and that it is little.
func TestBytesToFirstTable(t *testing.T) {
	h := newHouse(t)
	h.host().night()
	for _, p := range []string{"/", "/tv", "/host", "/seat/Anna"} {
		b := newTab(t, h.srv.URL, 390, 844)
		b.settled(p)
		got := eval[string](b, `JSON.stringify([performance.getEntriesByType("navigation")[0].transferSize, ...["script", "link", "css", "img"].map((k) => performance.getEntriesByType("resource").filter((r) => r.initiatorType === k || (k === "link" && r.initiatorType === "other")).reduce((n, r) => n + r.transferSize, 0)), performance.getEntriesByType("resource").filter((r) => !r.name.includes("/api/stream")).length, Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0)])`)
		var n []int
		if err := json.Unmarshal([]byte(got), &n); err != nil {
			t.Fatal(err)
		}
		total := n[0] + n[1] + n[2] + n[3] + n[4]
		t.Logf("%-11s page %d, all with fonts %d bytes in %d further requests, first paint %d ms", p, n[0], total, n[5], n[6])
		if total > 300_000 {
			t.Errorf("%s: %d bytes", p, total)
		}
	}
}
