package web

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// script plays lines of actions at a house.
func (v *visitor) script(lines ...string) {
	v.h.t.Helper()
	for _, l := range lines {
		v.act(l)
	}
}

const openNight = `{"do":"open","game":"lansquenet","profile":"pagat","banker":"Rosa","seats":[{"name":"Anna","chips":120},{"name":"Émile","chips":120},{"name":"Жанна","chips":120},{"name":"Otto","chips":160},{"name":"Rosa","chips":140}]}`

// night plays some coups and stops in the middle of one.
func (v *visitor) night() {
	v.script(openNight,
		`{"do":"bank","seat":"Rosa","amount":12}`,
		`{"do":"cover","seat":"Anna","amount":5}`, `{"do":"cover","seat":"Émile","amount":7}`,
		`{"do":"card","rank":"9","suit":"clubs"}`, `{"do":"card","rank":"J","suit":"hearts"}`, `{"do":"card","rank":"3","suit":"spades"}`, `{"do":"card","rank":"9","suit":"hearts"}`,
		`{"do":"keep","seat":"Rosa","amount":24}`,
		`{"do":"cover","seat":"Anna","amount":5}`, `{"do":"cover","seat":"Émile","amount":7}`, `{"do":"cover","seat":"Жанна","amount":12}`,
		`{"do":"card","rank":"7","suit":"spades"}`, `{"do":"card","rank":"7","suit":"hearts"}`,
		`{"do":"keep","seat":"Rosa","amount":24}`,
		`{"do":"cover","seat":"Anna","amount":4}`, `{"do":"cover","seat":"Émile","amount":7}`, `{"do":"cover","seat":"Жанна","amount":8}`, `{"do":"pass","seat":"Otto"}`, `{"do":"close_bets"}`,
		`{"do":"card","rank":"7","suit":"spades"}`, `{"do":"card","rank":"Q","suit":"hearts"}`,
		`{"do":"card","rank":"2","suit":"clubs"}`, `{"do":"card","rank":"9","suit":"diamonds"}`, `{"do":"card","rank":"K","suit":"spades"}`, `{"do":"card","rank":"4","suit":"hearts"}`, `{"do":"card","rank":"J","suit":"clubs"}`)
}

func TestShots(t *testing.T) {
	if os.Getenv("LANSQUENET_SHOTS") == "" {
		t.Skip("set LANSQUENET_SHOTS to a folder to get pictures of the pages")
	}
	h := newHouse(t)
	host := h.host()
	host.night()
	for _, size := range [][2]int64{{390, 844}, {1280, 800}, {1920, 1080}} {
		b := newTab(t, h.srv.URL, size[0], size[1])
		for _, p := range []string{"/", "/tv"} {
			b.open(p + "?lang=en")
			b.until("seats", `document.querySelectorAll(".seat").length == 5`)
			b.run(chromedp.Sleep(300 * time.Millisecond))
			b.shot(fmt.Sprintf("%s-%d", map[string]string{"/": "table", "/tv": "tv"}[p], size[0]))
		}
		b.open("/host#pin=" + testPIN)
		b.until("the desk", `document.querySelector(".hand .front .choice") != null`)
		b.run(chromedp.Sleep(300 * time.Millisecond))
		b.shot(fmt.Sprintf("host-%d", size[0]))
	}
}
