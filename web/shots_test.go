package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lansquenet/ledger/card"
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

// TestShots takes pictures of the pages in states worth looking at.
func TestShots(t *testing.T) {
	if os.Getenv("LANSQUENET_SHOTS") == "" {
		t.Skip("set LANSQUENET_SHOTS to a folder to get pictures of the pages")
	}
	eye := newFakeEye()
	h := newHouse(t, func(o *Options) { o.Camera = eye })
	host := h.host()
	sizes := [][2]int64{{390, 844}, {1280, 800}, {1920, 1080}}
	var tabs []*tab
	for _, size := range sizes {
		tabs = append(tabs, newTab(t, h.srv.URL, size[0], size[1]))
	}
	only := os.Getenv("LANSQUENET_STATES") // some states, "" for all
	take := func(state string, pages ...string) {
		t.Helper()
		if !strings.Contains(","+only+",", ","+state+",") && only != "" {
			return
		}
		for i, b := range tabs {
			for _, p := range pages {
				if strings.HasPrefix(p, "/tv") && i != 2 || strings.HasPrefix(p, "/seat/") && i != 0 {
					continue
				}
				b.open(p)
				b.until("the table", `document.documentElement.dataset.seq !== undefined || ["/nights", "/night/latest"].includes(location.pathname)`)
				b.run(chromedp.Sleep(400 * time.Millisecond))
				name := strings.NewReplacer("/", "-", "?lang=", "-").Replace(strings.TrimPrefix(p, "/"))
				b.shot(fmt.Sprintf("%s-%s-%d", state, cmp.Or(name, "table"), sizes[i][0]))
			}
		}
	}
	for i, b := range tabs {
		if i == 1 {
			b.prefers("prefers-color-scheme", "light")
		} else {
			b.prefers("prefers-color-scheme", "dark")
		}
		b.open("/host#pin=" + testPIN)
		b.until("the desk", `document.querySelector(".opening .rules .rule") != null`)
		b.shot(fmt.Sprintf("idle-host-%d", sizes[i][0]))
	}
	take("idle", "/", "/tv")
	host.night()
	take("draw", "/?lang=en", "/tv?lang=en", "/host?lang=en")
	host.act(`{"do":"card","rank":"Q","suit":"clubs"}`)
	take("lost", "/tv?lang=de")
	host.script(`{"do":"bank","seat":"Anna","amount":40}`, `{"do":"cover","seat":"Émile","amount":10}`)
	var inv struct{ Code string }
	_, body := host.post("/api/invite", `{"seat":"Otto"}`)
	_ = json.Unmarshal([]byte(body), &inv)
	guest := tabs[0]
	guest.open("/join")
	guest.run(chromedp.SendKeys("#code", inv.Code))
	guest.press("sit down", `document.querySelector(".joining .go")`)
	guest.until("my page", `document.querySelector(".mydesk") != null`)
	host.act(`{"do":"pass","seat":"Жанна"}`)
	take("cover", "/?lang=en", "/tv?lang=en", "/seat/Otto?lang=en", "/host?lang=en", "/seat/Otto?lang=fr")
	host.script(`{"do":"cover","seat":"Otto","amount":20}`, `{"do":"cover","seat":"Rosa","amount":10}`, `{"do":"card","rank":"A","suit":"spades"}`, `{"do":"card","rank":"10","suit":"diamonds"}`, `{"do":"card","rank":"A","suit":"hearts"}`)
	take("won", "/tv?lang=en", "/seat/Otto?lang=en", "/host?lang=it")
	eye.ask(7, "8", "6", "3")
	take("unsure", "/host?lang=en")
	eye.ask(-1)
	take("nights", "/nights?lang=en", "/night/latest?lang=en", "/replay/latest?lang=en")
	host.act(`{"do":"close"}`)
	host.act(`{"do":"open","game":"lansquenet","profile":"it","banker":"Maximilian-Alexander v. Habsburg","seats":[{"name":"Maximilian-Alexander v. Habsburg","chips":1000000},{"name":"Bo","chips":5},{"name":"Жанна д'Арк из Орлеана на Луаре","chips":12345},{"name":"李小龍","chips":100},{"name":"Émile","chips":100},{"name":"f","chips":100},{"name":"Giuseppina","chips":100},{"name":"Hans","chips":100},{"name":"Ingrid","chips":100},{"name":"Jürgen","chips":100}]}`)
	take("ten", "/?lang=en", "/tv?lang=ru", "/host?lang=de")
	host.act(`{"do":"close"}`)
	host.script(`{"do":"open","game":"skin","banker":"Anna","seats":[{"name":"Anna","chips":100},{"name":"Émile","chips":100},{"name":"Жанна","chips":100},{"name":"Otto","chips":100}]}`,
		`{"do":"card","rank":"7","suit":"clubs"}`, `{"do":"accept","seat":"Émile"}`, `{"do":"card","rank":"K","suit":"hearts"}`, `{"do":"max","seat":"Émile","amount":10}`, `{"do":"offer","seat":"Anna","amount":6}`,
		`{"do":"card","rank":"4","suit":"spades"}`, `{"do":"accept","seat":"Жанна"}`, `{"do":"max","seat":"Жанна","amount":5}`, `{"do":"offer","seat":"Anna","amount":5}`,
		`{"do":"side","seat":"Жанна","against":"Émile","amount":3}`, `{"do":"side_accept","seat":"Émile","against":"Жанна","amount":3}`, `{"do":"pass","seat":"Жанна"}`, `{"do":"card","rank":"9","suit":"diamonds"}`, `{"do":"refuse","seat":"Otto"}`, `{"do":"card","rank":"2","suit":"diamonds"}`)
	take("skin", "/?lang=en", "/tv?lang=fr", "/host?lang=en")
	host.act(`{"do":"close"}`)
	host.script(`{"do":"open","game":"zecchinetta","banker":"Anna","seats":[{"name":"Anna","chips":100},{"name":"Émile","chips":100},{"name":"Жанна","chips":100},{"name":"Otto","chips":100}]}`,
		`{"do":"limits","seat":"Anna","min":1,"max":20}`, `{"do":"card","rank":"5","suit":"clubs"}`, `{"do":"card","rank":"J","suit":"hearts"}`, `{"do":"bet","seat":"Émile","rank":"5","amount":10}`, `{"do":"bet","seat":"Otto","rank":"J","amount":12}`, `{"do":"bet","seat":"Жанна","rank":"J","amount":3}`,
		`{"do":"card","rank":"A","suit":"spades"}`, `{"do":"card","rank":"3","suit":"spades"}`, `{"do":"bet","seat":"Émile","rank":"3","amount":5}`, `{"do":"card","rank":"5","suit":"hearts"}`)
	take("zec", "/?lang=en", "/tv?lang=it", "/host?lang=en")
}

// fakeEye stands in for a camera: it shows a picture and asks when told to.
type fakeEye struct {
	mu      sync.Mutex
	view    CameraView
	changed chan struct{}
	answers []string
}

func newFakeEye() *fakeEye {
	return &fakeEye{view: CameraView{State: "ok", FPS: 29.6}, changed: make(chan struct{})}
}

func (e *fakeEye) View() CameraView         { e.mu.Lock(); defer e.mu.Unlock(); return e.view }
func (e *fakeEye) Changed() <-chan struct{} { e.mu.Lock(); defer e.mu.Unlock(); return e.changed }
func (e *fakeEye) Frame() []byte            { return tinyJPEG }

func (e *fakeEye) Answer(_ context.Context, i int, r card.Rank, _ card.Suit) error {
	e.ask(-1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers = append(e.answers, fmt.Sprint(i, " ", r))
	return nil
}

// ask puts a question, or none for i below nought.
func (e *fakeEye) ask(i int, guesses ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.view.Unsure = nil
	if i >= 0 {
		e.view.Unsure = &Unsure{I: i, Picture: tinyJPEG}
		for _, g := range guesses {
			r, _ := card.ParseRank(g)
			e.view.Unsure.Guess = append(e.view.Unsure.Guess, r)
		}
	}
	close(e.changed)
	e.changed = make(chan struct{})
}

// tinyJPEG is a small picture, drawn here.
var tinyJPEG = func() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 320, 200))
	for y := range 200 {
		for x := range 320 {
			c := color.RGBA{20, 70, 50, 255}
			if x > 110 && x < 210 && y > 30 && y < 170 {
				c = color.RGBA{245, 240, 225, 255}
			}
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}()
