package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// tap touches the middle of what a script finds, three times in a fifth of a
// second as a bouncing finger does, and has the page come to what the first touch
// leads to before the second is handed to it. The place is fixed by the first: a
// finger does not follow what moves. So is the time: the touches say themselves
// when they were, however slow the machine is.
func (b *tab) tap(what, js, then string) {
	b.t.Helper()
	b.until(what, `(() => { const el = `+js+`; el?.scrollIntoView({block: "center"}); return el && el.checkVisibility(); })()`)
	at := eval[[]float64](b, `(() => { const r = (`+js+`).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	began := float64(time.Now().UnixMilli()) / 1000
	for i := range 3 {
		when := input.TimeSinceEpoch(began + float64(i)/10)
		b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			for _, touch := range []input.DispatchTouchEventParams{
				{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}, Timestamp: when},
				{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}, Timestamp: when},
			} {
				if _, err := cdp.Call(ctx, t, input.DispatchTouchEvent, touch); err != nil {
					return err
				}
			}
			return nil
		}))
		if i == 0 {
			b.until("what a tap on "+what+" does", then)
		}
	}
	time.Sleep(400 * time.Millisecond) // nobody's next press comes sooner
}

// A finger that bounces is one press: not two cards of a rank, not a pass for
// the neighbour too, and not both taps of a thing that asks for two.
func TestADoubleTapIsOnePress(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.script(openG01, `{"do":"bank","seat":"A","amount":20}`)
	b := newTab(t, h.srv.URL, 390, 844)
	b.prefers("prefers-reduced-motion", "reduce")
	b.open("/host?lang=en#pin=" + testPIN)
	at := func(seq int) string { return fmt.Sprintf(`Number(document.documentElement.dataset.seq) === %d`, seq) }
	b.tap("pass", `document.querySelector(".do-pass .go")`, at(3))
	host.act(`{"do":"cover","seat":"C","amount":5}`)
	b.until("the page is up to date", at(4))
	b.tap("no more bets", `document.querySelector(".do-close_bets .go")`, at(5))
	b.tap("a rank", `document.querySelector('.front [data-rank="7"]')`, at(6))
	b.tap("take back", `document.querySelector(".undo")`, `document.querySelector(".undo.armed")`)
	b.until("asked again", `document.querySelector(".undo.armed") != null`)
	var did []string
	for _, e := range h.table.State().History {
		did = append(did, e.Do)
	}
	if got, want := strings.Join(did, " "), "open bank pass cover close_bets card"; got != want {
		t.Errorf("the table was told %q, want %q", got, want)
	}
}

// While one is setting an amount the others go on playing: what he has set,
// picked or typed stays, and so do the places of his buttons.
func TestOthersDoNotWipeWhatOneIsSetting(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.script(`{"do":"open","game":"zecchinetta","banker":"A","seats":[{"name":"A","chips":100},{"name":"B","chips":100},{"name":"C","chips":100}]}`,
		`{"do":"card","rank":"5"}`, `{"do":"card","rank":"J"}`)
	_, body := host.post("/api/invite", `{"seat":"B"}`)
	var inv struct{ URL string }
	if err := json.Unmarshal([]byte(body), &inv); err != nil {
		t.Fatal(err)
	}
	guest := newTab(t, h.srv.URL, 390, 844)
	guest.open(strings.TrimPrefix(inv.URL, h.srv.URL))
	guest.press("the jack", `[...document.querySelectorAll(".do-bet .toggles button")].find((b) => b.textContent === "J")`)
	guest.run(chromedp.Focus(".do-bet input"), chromedp.SendKeys(".do-bet input", "3"))

	desk := newTab(t, h.srv.URL, 1280, 800)
	desk.open("/host?lang=en#pin=" + testPIN)
	desk.press("the first drawer", `document.querySelector(".tools > details summary")`)
	desk.run(chromedp.SendKeys(".do-void input", "a card fell"))
	desk.press("the people's drawer", `document.querySelectorAll(".tools > details summary")[1]`)
	desk.press("take back", `document.querySelector(".undo")`)
	desk.run(chromedp.Focus(".do-void input"))
	desk.press("take back", `document.querySelector(".undo")`)
	desk.until("asked again", `document.querySelector(".undo.armed") != null`)

	seq := host.act(`{"do":"bet","seat":"C","rank":"5","amount":4}`)
	for _, b := range []*tab{guest, desk} {
		b.until("the bet", fmt.Sprintf(`Number(document.documentElement.dataset.seq) === %d`, seq))
	}
	if got := eval[string](guest, `document.querySelector(".do-bet .toggles [aria-checked=true]")?.textContent + " " + document.querySelector(".do-bet input").value + " " + (document.activeElement === document.querySelector(".do-bet input"))`); got != "J 3 true" {
		t.Errorf("the guest has %q, want rank J, amount 3 and the cursor there", got)
	}
	if got := eval[string](desk, `document.querySelector(".do-void input").value`); got != "a card fell" {
		t.Errorf("the host's reason is %q", got)
	}
	// The first tap was for another entry than the second would take back.
	if got := eval[string](desk, `document.querySelector(".undo.armed") ? "armed" : document.querySelector(".undo .label").textContent`); !strings.HasPrefix(got, "Take back") {
		t.Errorf("the corner says %q", got)
	}
	guest.press("bet", `document.querySelector(".do-bet .go")`)
	guest.until("my stake", `document.querySelector(".cell.stake .n").textContent === "3"`)
}

// A number is read at a glance: it stands on one line inside its frame, however
// long it is and whatever the names beside it are; so do the words above it.
func TestLongNumbersStayWhole(t *testing.T) {
	h := newHouse(t)
	h.host().script(`{"do":"open","game":"lansquenet","profile":"pagat","banker":"A","seats":[{"name":"A","chips":999999999},{"name":"`+strings.Repeat("W", 32)+`","chips":999999999},{"name":"C","chips":100},{"name":"D","chips":100},{"name":"E","chips":100}]}`,
		`{"do":"bank","seat":"A","amount":100}`, `{"do":"cover","seat":"`+strings.Repeat("W", 32)+`","amount":50}`)
	for _, look := range []struct {
		path          string
		width, height int64
	}{{"/", 390, 844}, {"/seat/A", 390, 844}, {"/night/latest", 390, 844}, {"/host", 1280, 800}, {"/tv", 1920, 1080}} {
		b := newTab(t, h.srv.URL, look.width, look.height)
		b.prefers("prefers-reduced-motion", "reduce")
		if look.path == "/host" {
			b.open("/host#pin=" + testPIN)
			b.until("the desk", `document.querySelector(".seat .chips") != null`)
		}
		b.settled(look.path + "?lang=en")
		b.until("numbers", `document.querySelector(".seat .chips, td") != null`)
		if bad := eval[string](b, `(() => {
			const bad = [document.documentElement.scrollWidth > innerWidth ? "the page is too wide" : ""];
			for (const el of document.querySelectorAll(".seat .chips, .seat .stake .n, .cell .n, td:not(:first-child), thead th:not(:last-child)")) {
				if (!el.checkVisibility() || !el.textContent) continue;
				const r = document.createRange();
				r.selectNodeContents(el);
				const lines = new Set([...r.getClientRects()].map((x) => Math.round(x.top))).size;
				const frame = el.closest(".seat, .mydesk, table").getBoundingClientRect();
				if (lines > 1 || r.getBoundingClientRect().right > frame.right + 1) bad.push(el.className + " " + el.textContent);
			}
			return bad.filter(Boolean).join("; ");
		})()`); bad != "" {
			b.shot("long" + strings.ReplaceAll(look.path, "/", "-"))
			t.Errorf("%s: %s", look.path, bad)
		}
	}
}

// A guest's own history holds what he did and what befell him, and nothing of
// another whose name holds his.
func TestMyHistoryIsMine(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.script(`{"do":"open","game":"lansquenet","profile":"pagat","banker":"Annabel","seats":[{"name":"Annabel","chips":100},{"name":"Anna","chips":100},{"name":"C","chips":100}]}`,
		`{"do":"bank","seat":"Annabel","amount":20}`, `{"do":"cover","seat":"Anna","amount":5}`, `{"do":"pass","seat":"C"}`)
	b := newTab(t, h.srv.URL, 390, 844)
	b.open("/seat/Anna?lang=en")
	b.until("her history", `document.querySelector("details .history li") != null`)
	got := eval[string](b, `[...document.querySelectorAll("details .history li span")].map((x) => x.textContent).join(" ")`)
	if !strings.Contains(got, "Anna covers 5") || strings.Contains(got, "Annabel banks") || strings.Contains(got, "C passes") {
		t.Errorf("Anna's history: %q", got)
	}
}
