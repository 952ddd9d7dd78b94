package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"lansquenet/ledger/card"
)

// fakeDesk notes what it is told, and refuses with the code in no.
type fakeDesk struct {
	mu   sync.Mutex
	told []string
	no   string
	view DeskView
}

func (d *fakeDesk) tell(format string, args ...any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told = append(d.told, fmt.Sprintf(format, args...))
	if d.no == "fault" {
		return errors.New("disk full")
	}
	if d.no != "" {
		return &Refused{Code: d.no}
	}
	return nil
}

func (d *fakeDesk) Look(context.Context) DeskView {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.view
}
func (d *fakeDesk) Picture(of string, i int) []byte {
	if of == "trial" && i == 1 {
		return tinyJPEG
	}
	return nil
}
func (d *fakeDesk) Aim(r Region) error                  { return d.tell("aim %v", r) }
func (d *fakeDesk) FindMat() (MatView, error)           { return MatView{Found: true}, d.tell("mat") }
func (d *fakeDesk) ChooseDeck(name string) error        { return d.tell("deck %q", name) }
func (d *fakeDesk) StartTrial(context.Context) error    { return d.tell("trial") }
func (d *fakeDesk) Judge(i int, really card.Rank) error { return d.tell("judge %d %v", i, really) }
func (d *fakeDesk) Missed(i int) error                  { return d.tell("missed %d", i) }
func (d *fakeDesk) EndTrial(context.Context) error      { return d.tell("end") }
func (d *fakeDesk) StartLesson(_ context.Context, deck, pack string, replace bool) error {
	return d.tell("lesson %s %s %v", deck, pack, replace)
}
func (d *fakeDesk) Teach(_ context.Context, do string, i int) error { return d.tell("%s %d", do, i) }

func deskHouse(t *testing.T) (*fakeDesk, *house) {
	d := &fakeDesk{view: DeskView{State: "ok", Region: Region{W: 1, H: 1}}}
	return d, newHouse(t, func(o *Options) { o.Camera, o.Desk = newFakeEye(), d })
}

// deskDoors are all ways to the camera, with a body that the host may send.
var deskDoors = []struct{ path, body, tells string }{
	{"region", `{"region":{"x":0.25,"y":0.25,"w":0.5,"h":0.5}}`, "aim {0.25 0.25 0.5 0.5}"},
	{"region", `{"region":null}`, "aim {0 0 0 0}"},
	{"mat", `{}`, "mat"},
	{"deck", `{"deck":"old"}`, `deck "old"`},
	{"deck", `{"deck":""}`, `deck ""`},
	{"trial", `{"do":"start"}`, "trial"},
	{"trial", `{"do":"judge","i":2,"rank":"7"}`, "judge 2 7"},
	{"trial", `{"do":"judge","i":0,"rank":""}`, "judge 0 "},
	{"trial", `{"do":"missed","i":3}`, "missed 3"},
	{"trial", `{"do":"end"}`, "end"},
	{"lesson", `{"do":"start","deck":"new","pack":"italian40"}`, "lesson new italian40 false"},
	{"lesson", `{"do":"start","deck":"new","pack":"italian40","replace":true}`, "lesson new italian40 true"},
	{"lesson", `{"do":"snap","i":5}`, "snap 5"},
	{"lesson", `{"do":"finish"}`, "finish 0"},
	{"lesson", `{"do":"again","i":7}`, "again 7"},
}

// TestOnlyTheHostReachesTheCamera: neither a reader nor a guest with a key nor
// another site sees or sets anything.
func TestOnlyTheHostReachesTheCamera(t *testing.T) {
	d, h := deskHouse(t)
	host := h.host()
	host.act(openG01)
	_, body := host.post("/api/invite", `{"seat":"B"}`)
	guest := h.visitor()
	code := body[strings.Index(body, `"code":"`)+8:]
	if got, b := guest.post("/api/join", `{"code":"`+code[:strings.IndexByte(code, '"')]+`"}`); got != 200 {
		t.Fatalf("join: %d %s", got, b)
	}
	reads := []string{"/api/camera", "/api/camera/frame.jpg", "/api/camera/picture/trial/1"}
	for who, v := range map[string]*visitor{"a reader": h.visitor(), "a guest": guest} {
		for _, path := range reads {
			if got, _ := v.get(path); got != 401 && got != 403 {
				t.Errorf("%s gets %s: %d", who, path, got)
			}
		}
		for _, door := range deskDoors {
			if got, _ := v.post("/api/camera/"+door.path, door.body); got != 401 && got != 403 {
				t.Errorf("%s posts to %s: %d", who, door.path, got)
			}
		}
		// The page itself is there, and asks for the PIN.
		if got, page := v.get("/camera"); got != 200 || !strings.Contains(page, `"host":false`) {
			t.Errorf("%s opens the page: %d", who, got)
		}
	}
	for _, door := range deskDoors {
		if got, b := host.post("/api/camera/"+door.path, door.body, "Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"); got != 403 || errorCode(b) != "cross_origin" {
			t.Errorf("another site posts to %s: %d %s", door.path, got, b)
		}
	}
	if len(d.told) > 0 {
		t.Errorf("the camera was told %q", d.told)
	}
	for _, path := range reads {
		if got, _ := host.get(path); got != 200 {
			t.Errorf("the host gets %s: %d", path, got)
		}
	}
}

func TestCameraPresses(t *testing.T) {
	d, h := deskHouse(t)
	host := h.host()
	for _, door := range deskDoors {
		d.told = nil
		if code, body := host.post("/api/camera/"+door.path, door.body); code != 200 || strings.Join(d.told, "; ") != door.tells {
			t.Errorf("%s %s: %d %s, told %q, want %q", door.path, door.body, code, body, d.told, door.tells)
		}
	}
	d.told = nil
	for _, bad := range []struct{ path, body, code string }{
		{"region", `{}`, "missing"}, {"region", `{"region":{"x":0,"y":0,"w":1}}`, "bad_region"}, {"region", `{"region":"left"}`, "bad_region"},
		{"region", `{"region":{"x":0,"y":0,"w":0,"h":0}}`, "bad_region"}, {"region", `{"region":{"x":0,"y":0,"w":1e999,"h":1}}`, "bad_region"},
		{"region", `[`, "bad_json"}, {"deck", `{}`, "missing"}, {"deck", `{"deck":7}`, "bad_json"},
		{"trial", `{"do":"win"}`, "bad_do"}, {"trial", `{"do":"judge","i":0}`, "missing"}, {"trial", `{"do":"missed"}`, "missing"}, {"trial", `{"do":"judge","i":0,"rank":"Z"}`, "bad_json"},
		{"lesson", `{"do":""}`, "bad_do"}, {"lesson", `{"do":"skip"}`, "missing"}, {"lesson", `{"do":"again","i":"seven"}`, "bad_json"},
	} {
		if code, body := host.post("/api/camera/"+bad.path, bad.body); code != 400 || errorCode(body) != bad.code {
			t.Errorf("%s %s: %d %s, want %s", bad.path, bad.body, code, body, bad.code)
		}
	}
	if len(d.told) > 0 {
		t.Errorf("nonsense came through: %q", d.told)
	}
	// A refusal is said in the host's language; what is wrong on its own is 400.
	for no, want := range map[string]int{"camera_busy": 409, "bad_region": 400, "fault": 500} {
		d.no = no
		code, body := host.post("/api/camera/region?lang=de", `{"region":{"x":0,"y":0,"w":1,"h":1}}`)
		if code != want || no == "camera_busy" && !strings.Contains(body, "Coup läuft") {
			t.Errorf("%s: %d %s", no, code, body)
		}
	}
}

// TestNoDesk: without a camera there is nothing to set, and the page says so.
func TestNoDesk(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	if code, body := host.get("/api/camera"); code != http.StatusNotFound || errorCode(body) != "no_camera" {
		t.Errorf("%d %s", code, body)
	}
	b := newTab(t, h.srv.URL, 390, 844)
	b.Carry(host.c)
	b.open("/camera?lang=en")
	b.until("the page to say so", `document.querySelector("main").innerText.includes("There is no camera tonight")`)
}

// deskStates are what the camera page may have to show.
func deskStates() map[string]DeskView {
	full := DeskView{State: "ok", Source: "v4l2:/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0", Device: "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0",
		Codec: "MJPG", W: 1280, H: 720, Rate: 29, Promised: 30, Controls: []Setting{{"power_line", 1}, {"auto_exposure", 1}, {"exposure", 156}},
		Differs: []string{"gain 900 was asked for, the camera took 255"}, Region: Region{X: 0.1, Y: 0.1, W: 0.8, H: 0.8},
		Cards: [][4][2]float64{{{0.4, 0.3}, {0.5, 0.3}, {0.5, 0.6}, {0.4, 0.6}}}, CardPixels: 96, Flaws: []Note{{Key: "camera.flaw.dark"}, {Key: "camera.flaw.blurred"}},
		Spells: []Spell{{Lost: true, Note: "The camera is gone (it gives no pictures); looking for it again."}, {}},
		Deck:   "Sicilian", Decks: []string{"Sicilian", "Altenburger Spielkarten mit sehr langem Namen"}, Packs: []string{"french52", "italian40", "german36"}}
	states := map[string]DeskView{"idle": full}
	lost := full
	lost.State, lost.Busy, lost.W, lost.Trouble = "lost", true, 0, Note{"camera.trouble.lost", map[string]any{"note": "The camera is gone."}}
	states["lost"] = lost
	reads := []Read{{Rank: card.Seven, Suit: card.Clubs, Sure: true, Confidence: 0.999, Pixels: 96, Judged: true, Really: card.Seven},
		{I: 1, Guess: []card.Rank{card.Eight, card.Six}, Confidence: 0.4, Pixels: 97}}
	trial := func(reads []Read, more func(*Trial)) DeskView {
		v := full
		v.Trial = &Trial{Of: 4, Reads: reads}
		if more != nil {
			more(v.Trial)
		}
		return v
	}
	states["lay"], states["unsure"] = trial(reads[:1], nil), trial(reads, nil)
	states["sure"] = trial([]Read{{Rank: card.Queen, Suit: card.Diamonds, Sure: true, Confidence: 0.97}}, nil)
	states["back"] = trial([]Read{{Back: true}}, nil)
	states["verdict"] = trial([]Read{reads[0], {I: 1, Judged: true, Really: card.Eight}, {I: 2, Sure: true, Rank: card.King, Judged: true, Really: card.Queen}, {I: 3, Missed: true, Judged: true}}, func(c *Trial) {
		c.Verdict, c.Lying = "poor", 2
		c.Advice = []Note{{"camera.advice.small", map[string]any{"n": 96, "least": 120}}, {Key: "camera.flaw.bright"}}
		for _, key := range []string{"asked", "missed", "unseen", "wrong"} {
			c.Advice = append(c.Advice, Note{"camera.advice." + key, map[string]any{"n": 2}})
		}
	})
	lesson := func(l Lesson) DeskView { v := full; v.Lesson = &l; return v }
	one, two := LessonCard{I: 1, Rank: card.Queen, Suit: card.Spades, Taken: 1, Has: true}, LessonCard{I: 2, Rank: card.Jack, Suit: card.Hearts}
	states["lesson"] = lesson(Lesson{Deck: "Sicilian", Pack: "italian40", Of: 40, Done: 7, Next: &two, Last: &one, Trouble: Note{Key: "camera.lesson.nothing"}})
	states["check"] = lesson(Lesson{Deck: "Altenburg", Pack: "german36", Of: 36, Done: 36, Last: &two, Left: []LessonCard{two, one}, Checked: true, Twins: [][2]LessonCard{{one, two}}})
	return states
}

// Whatever the camera page shows, it fits a small phone in every language, and
// axe finds nothing.
func TestCameraPageInEveryLanguage(t *testing.T) {
	d, h := deskHouse(t)
	b := newTab(t, h.srv.URL, 360, 740)
	b.prefers("prefers-color-scheme", "light", "prefers-reduced-motion", "reduce")
	b.Carry(h.host().c)
	b.open("/camera?lang=en")
	b.until("the page", `document.querySelector(".itself dl")`)
	states := deskStates()
	for _, l := range Languages {
		b.settled("/camera?lang=" + l)
		for name, view := range states {
			d.mu.Lock()
			view.Deck = name // shows that the page has drawn this state
			view.Decks = []string{name, view.Decks[1]}
			d.view = view
			d.mu.Unlock()
			b.until(name, `document.querySelector('.deck [aria-pressed="true"]')?.textContent === "`+name+`"`)
			if got := eval[string](b, cut); got != "" {
				t.Errorf("%s in %s:\n%s", name, l, got)
			}
			if l == "en" {
				for _, v := range b.Axe() {
					t.Errorf("%s: %s", name, v)
				}
			}
			b.shot("desk-" + name + "-" + l)
		}
	}
}
