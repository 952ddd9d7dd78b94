package web

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// player clicks a night on the host's page as a host does: what the desk offers
// in front, now and then something else.
type player struct {
	*tab
	h   *house
	rnd *rand.Rand
}

// openByHand fills the form and opens a night.
func (p *player) openByHand(game string, seats ...string) {
	p.t.Helper()
	p.until("the form", `document.querySelector(".opening .sitting li") != null`)
	p.press("the game "+game, fmt.Sprintf(`[...document.querySelectorAll(".opening .pick button")].find((b) => b.textContent === %q)`, game))
	for i, name := range seats {
		if eval[int](p.tab, `document.querySelectorAll(".sitting li").length`) <= i {
			p.press("one more seat", `document.querySelector(".opening fieldset > .minor")`)
		}
		p.run(chromedp.SendKeys(fmt.Sprintf(".sitting li:nth-child(%d) input[type=text]", i+1), name))
	}
	p.press("open", `document.querySelector(".opening .go.big")`)
	p.until("an open night", `document.querySelectorAll(".seat").length >= 2`)
}

// step presses one thing of those in front and waits for the table to move.
func (p *player) step() {
	p.t.Helper()
	before := eval[string](p.tab, `document.documentElement.dataset.seq`)
	n := p.rnd.IntN(1 << 30)
	// Among what can be pressed now: a rank, or the button of a choice. Things
	// that are not the first are tried less often, folded ones not at all.
	pick := fmt.Sprintf(`(() => {
		for (const box of document.querySelectorAll(".front .toggles")) if (!box.querySelector('[aria-checked="true"]')) box.children[%[1]d %% box.children.length].click();
		const all = [...document.querySelectorAll(".front .go:not(:disabled), .front .key:not(:disabled)")].filter((b) => b.checkVisibility());
		const keys = all.filter((b) => b.classList.contains("key"));
		if (keys.length) return keys[%[1]d %% keys.length];
		return %[1]d %% 10 < 6 ? all[0] : all[%[1]d %% all.length];
	})()`, n)
	p.press("something in front", pick)
	p.until("the table to move", fmt.Sprintf(`document.documentElement.dataset.seq !== %q || document.querySelector(".hand > .note.on") != null`, before))
}

func TestANightByClicking(t *testing.T) {
	for _, size := range [][2]int64{{390, 844}, {1280, 800}, {1920, 1080}} {
		for _, game := range []string{"Lansquenet", "Skin", "Zecchinetta"} {
			t.Run(fmt.Sprintf("%s %dx%d", game, size[0], size[1]), func(t *testing.T) { clickANight(t, game, size[0], size[1]) })
		}
	}
}

func clickANight(t *testing.T, game string, width, height int64) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	h := newHouse(t)
	p := &player{newTab(t, h.srv.URL, width, height), h, rand.New(rand.NewPCG(seed, 1))}
	p.prefers("prefers-reduced-motion", "reduce")
	p.open("/host?lang=en")
	p.run(chromedp.SendKeys("#pin", testPIN))
	p.press("log in", `document.querySelector(".login .go")`)
	p.openByHand(game, "Anna", "Жанна", "<img onerror=alert(1)>")
	// Two coups, or where chance makes a coup long, as many presses as it takes to
	// have seen most of what the desk offers.
	for i := 0; i < 12 || h.table.State().View.Coups < 2 && i < 60; i++ {
		p.step()
		if i == 25 {
			p.shot(fmt.Sprintf("click-%s-%d", game, width))
		}
	}
	if n := h.table.State().Seq; n < 10 {
		t.Errorf("only %d entries", n)
	}
	p.until("no overflow", `document.documentElement.scrollWidth <= innerWidth`)
	// Taking back: two taps in the corner.
	seq := h.table.State().Seq
	if h.table.State().View.UndoOf != "" {
		p.press("take back", `document.querySelector(".undo")`)
		p.press("take back again", `document.querySelector(".undo.armed")`)
		p.until("one taken back", fmt.Sprintf(`Number(document.documentElement.dataset.seq) > %d`, seq))
	}
	// The end of the night is one level down and asks twice.
	p.press("the last drawer", `[...document.querySelectorAll(".tools > details")].at(-1).querySelector("summary")`)
	p.press("close", `document.querySelector(".do-close .go")`)
	if h.table.State().View.Phase == "closed" {
		t.Fatal("one tap closed the night")
	}
	p.press("close again", `document.querySelector(".do-close .go.armed")`)
	p.until("the form for another night", `document.querySelector(".opening") != null`)
	var sum int64
	for _, s := range h.table.State().View.Seats {
		sum += s.Chips
	}
	if sum != 300 || h.table.State().View.Phase != "closed" {
		t.Errorf("%d chips, phase %s", sum, h.table.State().View.Phase)
	}
	if js := eval[string](p.tab, `document.body.innerHTML`); strings.Contains(js, "<img onerror") {
		t.Error("a name became markup")
	}
}
