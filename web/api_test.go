package web

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

func TestWhoMayAct(t *testing.T) {
	h := newHouse(t)
	stranger, host := h.visitor(), h.host()
	for name, c := range map[string]struct {
		v    *visitor
		body string
		code int
		word string
	}{
		"a stranger":                      {stranger, openG01, 401, "login_first"},
		"a stranger with nonsense":        {stranger, `{`, 401, "login_first"},
		"the host with nonsense":          {host, `{`, 400, "bad_action"},
		"the host with an empty body":     {host, ``, 400, "bad_action"},
		"the host with a list":            {host, `[]`, 400, "bad_action"},
		"the host with an unknown do":     {host, `{"do":"fly"}`, 400, "bad_action"},
		"the host with an unknown field":  {host, `{"do":"undo","x":1}`, 400, "bad_action"},
		"the host with a negative seq":    {host, `{"do":"undo","seq":-1}`, 400, "bad_action"},
		"the host with a seq of text":     {host, `{"do":"undo","seq":"1"}`, 400, "bad_action"},
		"the host with two seqs":          {host, `{"do":"undo","seq":1,"seq":2}`, 400, "bad_action"},
		"the host with a key of number":   {host, `{"do":"undo","key":7}`, 400, "bad_action"},
		"the host with an empty key":      {host, `{"do":"undo","key":""}`, 400, "bad_action"},
		"the host with dice of his own":   {host, strings.Replace(openG01, `"banker":"A"`, `"draw":[1,2,3]`, 1), 400, "bad_action"},
		"the host with an unknown rule":   {host, strings.Replace(openG01, `"banker":"A"`, `"rules":{"x":1}`, 1), 400, "bad_rules"},
		"the host before a night is open": {host, `{"do":"bank","seat":"A","amount":5}`, 409, ""},
	} {
		t.Run(name, func(t *testing.T) {
			code, body := c.v.post("/api/actions", c.body)
			if code != c.code || errorCode(body) == "" || (c.word != "" && errorCode(body) != c.word) {
				t.Errorf("%d %s", code, body)
			}
		})
	}
}

func TestANightOverHTTP(t *testing.T) {
	h := newHouse(t)
	v := h.host()
	v.act(openG01)
	for _, a := range []string{`{"do":"bank","seat":"A","amount":12}`, `{"do":"cover","seat":"B","amount":5}`, `{"do":"cover","seat":"C","amount":7}`,
		`{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"2"}`, `{"do":"card","rank":"Q"}`} {
		v.act(a)
	}
	m := h.visitor().state()
	if got := fmt.Sprintln(m["chips"], m["banker"], m["phase"], m["seq"]); got != "map[A:88 B:105 C:107] B bank 8\n" {
		t.Error(got)
	}
	// The final object stands in the snapshot in its own form.
	want, err := json.Marshal(h.table.Final())
	if err != nil {
		t.Fatal(err)
	}
	if _, body := v.get("/api/state"); !strings.HasPrefix(body, string(want[:len(want)-1])+",") {
		t.Errorf("state begins %.300s\nwant %s", body, want)
	}
	// A refusal of the rules is 409 and changes nothing.
	code, body := v.post("/api/actions", `{"do":"cover","seat":"C","amount":1}`)
	if code != 409 || errorCode(body) == "" || v.state()["seq"] != m["seq"] {
		t.Errorf("%d %s", code, body)
	}
	// The journal as JSON lines, the night in the list.
	code, lines := v.get("/api/sessions/latest/journal")
	if code != 200 || strings.Count(lines, "\n") != 8 || !strings.HasPrefix(lines, `{"seq":1,"at":"`) {
		t.Errorf("%d %s", code, lines)
	}
	code, list := v.get("/api/sessions")
	var nights []struct {
		ID      string
		Entries int
	}
	if code != 200 || json.Unmarshal([]byte(list), &nights) != nil || len(nights) != 1 || nights[0].Entries != 8 {
		t.Fatalf("%d %s", code, list)
	}
	if code, again := v.get("/api/sessions/" + nights[0].ID + "/journal"); code != 200 || again != lines {
		t.Error(code, again)
	}
	if code, body := v.get("/api/sessions/none/journal"); code != 404 || errorCode(body) != "no_night" {
		t.Error(code, body)
	}
	if code, body := v.get("/api/sessions/" + nights[0].ID + "/replay"); code != 200 || strings.Count(body, `"hash":`) != 8 {
		t.Error(code, body)
	}
}

// Numbers and names come again every night: what was pressed upon the last one
// is refused, whatever it is. Who doesn't say which night he means is believed.
func TestAnotherNightIsStale(t *testing.T) {
	eye := newFakeEye()
	h := newHouse(t, func(o *Options) { o.Camera = eye })
	v := h.host()
	v.act(openG01)
	last := v.state()
	v.act(`{"do":"close"}`)
	v.act(openG01)
	eye.ask(3, "8")
	now := v.state()
	if now["session"] == last["session"] || now["seq"] != last["seq"] {
		t.Fatalf("night %v at %v after %v at %v", now["session"], now["seq"], last["session"], last["seq"])
	}
	for path, body := range map[string]string{
		"/api/actions":       `"do":"bank","seat":"A","amount":12,"seq":1`,
		"/api/invite":        `"seat":"A"`,
		"/api/revoke":        `"seat":"A"`,
		"/api/camera/answer": `"i":3,"rank":"8"`,
	} {
		if code, got := v.post(path, fmt.Sprintf(`{%s,"session":%q}`, body, last["session"])); code != 409 || errorCode(got) != "stale" {
			t.Errorf("%s upon the last night: %d %s", path, code, got)
		}
		if code, got := v.post(path, fmt.Sprintf(`{%s,"session":7}`, body)); code != 400 {
			t.Errorf("%s, a night that is no text: %d %s", path, code, got)
		}
	}
	if code, got := v.post("/api/camera/answer", fmt.Sprintf(`{"i":3,"rank":"8","session":%q,"run":"another"}`, now["session"])); code != 409 || errorCode(got) != "stale" {
		t.Errorf("an answer to another run's question: %d %s", code, got)
	}
	if len(eye.answers) > 0 {
		t.Error(eye.answers)
	}
	if code, got := v.post("/api/camera/answer", fmt.Sprintf(`{"i":3,"rank":"8","session":%q,"run":%q}`, now["session"], now["run"])); code != 200 {
		t.Errorf("an answer to this question: %d %s", code, got)
	}
	v.act(`{"do":"bank","seat":"A","amount":12,"seq":1}`)
	v.act(fmt.Sprintf(`{"do":"cover","seat":"B","amount":5,"seq":2,"session":%q}`, now["session"]))
	// A reader that has entry 3 of last night has nothing of this one.
	there := h.visitor().listenAt("/api/stream?session="+last["session"].(string), "Last-Event-ID", "3")
	if e := next(t, there); e.id != "3" {
		t.Error(e)
	}
}

// TestCameraInTheHistory: that the camera was lost and came back is told at the
// table and in a replay, each under a number of its own, and is no entry.
func TestCameraInTheHistory(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.act(openG01)
	host.act(`{"do":"bank","seat":"A","amount":12}`)
	seq := h.table.State().Seq
	for _, lost := range []bool{true, false} {
		if err := h.table.Camera(t.Context(), lost, ""); err != nil {
			t.Fatal(err)
		}
	}
	type told struct {
		Seq  uint64
		I    int
		Text string
	}
	var live struct {
		Seq     uint64
		History []told
	}
	var past struct {
		Steps []struct{ Table struct{ History []told } }
	}
	v := h.visitor()
	_, state := v.get("/api/state")
	_, replay := v.get("/api/sessions/latest/replay")
	if err := errors.Join(json.Unmarshal([]byte(state), &live), json.Unmarshal([]byte(replay), &past)); err != nil {
		t.Fatal(err)
	}
	if live.Seq != seq || len(past.Steps) != int(seq) {
		t.Fatalf("entry %d, %d steps, want %d", live.Seq, len(past.Steps), seq)
	}
	for name, list := range map[string][]told{"live": live.History, "replay": past.Steps[seq-1].Table.History} {
		n := len(list)
		if n < 3 || list[n-2] != (told{seq, list[n-3].I + 1, "The camera was lost."}) || list[n-1] != (told{seq, list[n-3].I + 2, "The camera was back."}) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

func TestStaleAndTwice(t *testing.T) {
	h := newHouse(t)
	v := h.host()
	v.act(openG01)
	seq := v.act(`{"do":"bank","seat":"A","amount":12,"seq":1,"key":"k1"}`)
	// The same press again, as a phone sends it that got no answer.
	if again := v.act(`{"do":"bank","seat":"A","amount":12,"seq":1,"key":"k1"}`); again != seq {
		t.Errorf("again %d, first %d", again, seq)
	}
	if got := v.state()["seq"]; got != float64(seq) {
		t.Errorf("seq %v", got)
	}
	code, body := v.post("/api/actions", `{"do":"cover","seat":"B","amount":5,"seq":1}`)
	if code != 409 || errorCode(body) != "stale" {
		t.Errorf("%d %s", code, body)
	}
	// Twenty taps at once, one state: one counts.
	var wg sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for i := range 20 {
		wg.Go(func() {
			code, _ := v.post("/api/actions", fmt.Sprintf(`{"do":"cover","seat":"B","amount":1,"seq":%d,"key":"tap%d"}`, seq, i))
			mu.Lock()
			codes[code]++
			mu.Unlock()
		})
	}
	wg.Wait()
	if codes[200] != 1 || codes[409] != 19 {
		t.Error(codes)
	}
}

func TestSeatKeys(t *testing.T) {
	h := newHouse(t)
	host, guest := h.host(), h.visitor()
	host.act(openG01)
	host.act(`{"do":"bank","seat":"A","amount":12}`)
	var inv struct{ URL, Code, QR string }
	invite := func() {
		t.Helper()
		code, body := host.post("/api/invite", `{"seat":"B"}`)
		if code != 200 || json.Unmarshal([]byte(body), &inv) != nil || len(inv.Code) != 6 || !strings.HasPrefix(inv.QR, "<svg") {
			t.Fatalf("%d %s", code, body)
		}
	}
	invite()
	if code, body := guest.post("/api/invite", `{"seat":"B"}`); code != 401 {
		t.Error(code, body)
	}
	if code, body := host.post("/api/invite", `{"seat":"nobody"}`); code != 404 {
		t.Error(code, body)
	}
	if code, body := guest.post("/api/join", `{"code":"AAAAAA"}`); code != 401 || errorCode(body) != "wrong_code" {
		t.Error(code, body)
	}
	code, body := guest.post("/api/join", fmt.Sprintf(`{"code":%q}`, strings.ToLower(inv.Code[:3])+" "+inv.Code[3:]))
	if code != 200 || !strings.Contains(body, `"/seat/B"`) {
		t.Fatalf("%d %s", code, body)
	}
	// The code is good once, the token beside it too.
	other := h.visitor()
	for _, again := range []string{inv.Code, inv.URL[strings.Index(inv.URL, "#")+1:]} {
		if code, body := other.post("/api/join", fmt.Sprintf(`{"code":%q}`, again)); code != 401 {
			t.Error(code, body)
		}
	}
	for body, want := range map[string]int{
		`{"do":"cover","seat":"C","amount":5}`: 403, `{"do":"undo"}`: 403, `{"do":"card","rank":"7"}`: 403,
		`{"do":"chips","seat":"B","amount":50}`: 403, `{"do":"rise","seat":"B"}`: 403, `{"do":"close"}`: 403,
	} {
		if code, answer := guest.post("/api/actions", body); code != want || errorCode(answer) == "" {
			t.Errorf("%s: %d %s", body, code, answer)
		}
	}
	for _, path := range []string{"/api/camera/frame.jpg", "/api/camera/unsure.jpg"} {
		if code, _ := guest.get(path); code != 403 {
			t.Error(path, code)
		}
		if code, _ := h.visitor().get(path); code != 401 {
			t.Error(path, code)
		}
	}
	guest.act(`{"do":"cover","seat":"B","amount":5}`)
	// Readers and guests learn nothing of the host's part.
	if _, ok := guest.state()["host"]; ok {
		t.Error("a guest sees the host's part")
	}
	if _, ok := host.state()["host"]; !ok {
		t.Error("the host does not see his part")
	}
	// A host may log in as often as he likes, since only wrong PINs are counted.
	for range 20 {
		h.host()
	}
	if code, _ := host.post("/api/revoke", `{"seat":"B"}`); code != 200 {
		t.Error(code)
	}
	if code, body := guest.post("/api/actions", `{"do":"cover","seat":"B","amount":1}`); code != 401 {
		t.Error(code, body)
	}
}

func TestPINTriesAreLimited(t *testing.T) {
	now := time.Now()
	var mu sync.Mutex
	h := newHouse(t, func(o *Options) { o.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now } })
	v := h.visitor()
	codes := map[int]int{}
	for range 12 {
		code, body := v.post("/api/login", `{"pin":"000000"}`)
		codes[code]++
		if errorCode(body) == "" {
			t.Error(body)
		}
	}
	if codes[401] != 5 || codes[429] != 7 {
		t.Error(codes)
	}
	// Even the right PIN waits, or 429 would tell right from wrong.
	res, _ := v.do("POST", "/api/login", `{"pin":"`+testPIN+`"}`)
	if res.StatusCode != 429 || res.Header.Get("Retry-After") == "" {
		t.Error(res.StatusCode, res.Header)
	}
	// A browser that holds a login has tries of its own.
	token, err := h.web.keys.give(true, "")
	if err != nil {
		t.Fatal(err)
	}
	if res, body := h.visitor().do("POST", "/api/login", `{"pin":"`+testPIN+`"}`, "Cookie", hostCookie+"="+token); res.StatusCode != 200 {
		t.Error("the host is locked out:", res.StatusCode, body)
	}
	mu.Lock()
	now = now.Add(time.Minute)
	mu.Unlock()
	res, body := v.do("POST", "/api/login", `{"pin":"`+testPIN+`"}`)
	if res.StatusCode != 200 {
		t.Fatal(res.StatusCode, body)
	}
	c := res.Header.Get("Set-Cookie")
	if !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Strict") {
		t.Error(c)
	}
	for _, bad := range []string{`{}`, `{"pin":5}`, `{"pin":""}`, `nonsense`} {
		if code, b := v.post("/api/login", bad); code != 400 && code != 429 || errorCode(b) == "" {
			t.Error(bad, code, b)
		}
	}
}

func TestLimiterCannotLockTheHostOut(t *testing.T) {
	now := time.Now()
	l := newLimiter[string](5, 20*time.Second, 30, 6*time.Second)
	for i := range 1000 {
		l.take(fmt.Sprint("stranger", i%100), now, false)
	}
	if ok, _ := l.take("another", now, false); ok {
		t.Error("the total is not limited")
	}
	if ok, _ := l.take("host", now, true); !ok {
		t.Error("the host is locked out")
	}
	now = now.Add(10 * time.Minute)
	l.take("x", now, false)
	if len(l.each) > 2 {
		t.Errorf("%d buckets are kept", len(l.each))
	}
}

func TestKeysOutliveARestart(t *testing.T) {
	file := t.TempDir() + "/keys.json"
	k, err := openKeyring(file, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	host, _ := k.give(true, "")
	seat, err := k.give(false, "Ж/ <img onerror=1>")
	if err != nil {
		t.Fatal(err)
	}
	k, err = openKeyring(file, func() time.Time { return time.Now().Add(time.Hour) })
	if err != nil {
		t.Fatal(err)
	}
	if g, ok := k.who(host); !ok || !g.Host {
		t.Error("the host is gone")
	}
	if g, ok := k.who(seat); !ok || g.Host || g.Seat != "Ж/ <img onerror=1>" {
		t.Error("the seat is gone", g)
	}
	k, err = openKeyring(file, func() time.Time { return time.Now().Add(grantAge + time.Minute) })
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := k.who(host); ok {
		t.Error("a login never ends")
	}
}

func TestStreamSendsSnapshots(t *testing.T) {
	h := newHouse(t)
	v := h.host()
	v.act(openG01)
	ch := h.visitor().listen()
	if e := next(t, ch); e.id != "1" || e.data["seq"] != float64(1) {
		t.Error(e)
	}
	seq := v.act(`{"do":"bank","seat":"A","amount":12}`)
	if e := next(t, ch); e.id != fmt.Sprint(seq) || e.data["bank"] != float64(12) {
		t.Error(e)
	}
	// One who has it all waits for the next; one who lacks some gets all at once.
	have, lack := h.visitor().listen("Last-Event-ID", fmt.Sprint(seq)), h.visitor().listen("Last-Event-ID", "1")
	if e := next(t, lack); e.id != fmt.Sprint(seq) {
		t.Error(e)
	}
	seq = v.act(`{"do":"cover","seat":"B","amount":5}`)
	if e := next(t, have); e.id != fmt.Sprint(seq) {
		t.Error(e)
	}
}

// Nothing is lost between a snapshot and the stream, whenever one joins.
func TestStreamJoinsAtAnyMoment(t *testing.T) {
	h := newHouse(t)
	v := h.host()
	v.act(openG01)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 60 {
			v.act(fmt.Sprintf(`{"do":"chips","seat":"A","amount":%d}`, 1+i%5))
		}
	}()
	var chans []<-chan event
joining:
	for {
		select {
		case <-done:
			break joining
		default:
			if len(chans) < 40 {
				seen := h.visitor().state()["seq"]
				chans = append(chans, h.visitor().listen("Last-Event-ID", fmt.Sprint(seen)))
			}
		}
	}
	last := v.act(`{"do":"chips","seat":"B","amount":1}`)
	for i, ch := range chans {
		for e := next(t, ch); e.data["seq"] != float64(last); e = next(t, ch) {
		}
		_ = i
	}
}

// A stream outlives every limit of the server: those on reading, writing and
// idling, and that on one answer. While nothing happens it is heard every second.
func TestAStreamOutlivesTheLimits(t *testing.T) {
	const limit = 400 * time.Millisecond
	store := journal.NewMem()
	table, err := ledger.Open(t.Context(), store, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Options{Table: table, Store: store, PINHash: pinHash, Answer: 3 * limit})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(w)
	srv.Config = NewHTTPServer(w)
	srv.Config.ReadHeaderTimeout, srv.Config.ReadTimeout, srv.Config.WriteTimeout, srv.Config.IdleTimeout = limit, limit, limit, limit
	srv.Start()
	t.Cleanup(func() { w.Close(); srv.Close() })

	res, err := http.Get(srv.URL + "/api/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	beats := 0
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for opened := false; lines.Scan(); {
		switch line := lines.Text(); {
		case line == ":":
			beats++
		case line == "id: 1":
			if beats < 5 {
				t.Errorf("heard %d times", beats)
			}
			return
		}
		if beats == 5 && !opened {
			opened = true
			a, err := game.Decode([]byte(openG01))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := table.Submit(t.Context(), ledger.Request{Action: a}); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatalf("the stream was cut after %d beats: %v", beats, lines.Err())
}

func TestStreamsAreLimited(t *testing.T) {
	h := newHouse(t, func(o *Options) { o.Streams = 3 })
	for range 3 {
		h.visitor().listen()
	}
	code, body := h.visitor().get("/api/stream")
	if code != 429 || errorCode(body) != "too_many_streams" {
		t.Error(code, body)
	}
}

func TestLanguages(t *testing.T) {
	h := newHouse(t)
	said := map[string]bool{}
	for _, l := range Languages {
		_, body := h.visitor().post("/api/login?lang="+l, `{"pin":"0"}`)
		var e struct{ Error struct{ Message string } }
		if json.Unmarshal([]byte(body), &e) != nil || said[e.Error.Message] {
			t.Errorf("%s: %s", l, body)
		}
		said[e.Error.Message] = true
	}
	v := h.visitor()
	v.get("/?lang=ru")
	if _, body := v.get("/"); !strings.Contains(body, `<html lang="ru"`) {
		t.Error("the choice is not kept")
	}
	if _, body := h.visitor().get("/", "Accept-Language", "de-AT,de;q=0.9,en;q=0.5"); !strings.Contains(body, `<html lang="de"`) {
		t.Error("the browser's wish is not heard")
	}
	if _, body := h.visitor().get("/", "Accept-Language", "xx;;;q=,"); !strings.Contains(body, `<html lang="en"`) {
		t.Error("nonsense is not English")
	}
}

// A list of requests that no guest sends. Each has to get its refusal, and the
// table has to be there afterwards.
func TestHostileRequests(t *testing.T) {
	h := newHouse(t)
	host := h.host()
	host.act(`{"do":"open","game":"lansquenet","profile":"pagat","banker":"A","seats":[{"name":"A","chips":100},{"name":"<img src=x onerror=alert(1)>","chips":100},{"name":"</script><script>","chips":9}]}`)
	v := h.visitor()
	big := strings.Repeat("x", maxBody+1)
	for _, c := range []struct {
		what, method, path, body string
		header                   []string
		want                     int
	}{
		{"DNS rebinding", "GET", "/api/state", "", []string{"Host", "evil.example"}, 421},
		{"DNS rebinding with a port", "GET", "/", "", []string{"Host", "evil.example:8080"}, 421},
		{"a host that looks like ours", "GET", "/", "", []string{"Host", "localhost.evil.example"}, 421},
		{"a host with an odd port", "GET", "/", "", []string{"Host", "127.0.0.1:evil"}, 421},
		{"our IPv6 address", "GET", "/api/state", "", []string{"Host", "[::1]:8080"}, 200},
		{"another site's form", "POST", "/api/login", `{"pin":"1"}`, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another site's origin", "POST", "/api/actions", `{"do":"undo"}`, []string{"Origin", "http://evil.example"}, 403},
		{"a body too large", "POST", "/api/login", big, nil, 413},
		{"an action too large", "POST", "/api/actions", big, nil, 413},
		{"a path upwards", "GET", "/static/../web.go", "", nil, 404},
		{"a path upwards, escaped", "GET", "/static/%2e%2e/%2e%2e/go.mod", "", nil, 404},
		{"a folder's list", "GET", "/static/", "", nil, 404},
		{"another folder's list", "GET", "/static/js/", "", nil, 404},
		{"a file outside", "GET", "/static//etc/passwd", "", nil, 404},
		{"a dotfile", "GET", "/.git/config", "", nil, 404},
		{"no such page", "GET", "/wp-login.php", "", nil, 404},
		{"another method", "DELETE", "/api/state", "", nil, 404},
		{"another method on actions", "GET", "/api/actions", "", nil, 404},
		{"a night upwards", "GET", "/api/sessions/..%2f..%2fetc/journal", "", nil, 404},
		{"a night with quotes", "GET", "/api/sessions/';drop%20table--/journal", "", nil, 404},
		{"a negative step", "GET", "/api/sessions/latest/replay?after=-1", "", nil, 400},
		{"the host's picture", "GET", "/api/camera/frame.jpg", "", nil, 401},
		{"an answer for the host", "POST", "/api/camera/answer", `{"i":1,"rank":"7"}`, nil, 401},
		{"a key made up", "POST", "/api/actions", `{"do":"undo"}`, []string{"Cookie", hostCookie + "=AAAA"}, 401},
		{"a huge cookie", "POST", "/api/actions", `{"do":"undo"}`, []string{"Cookie", hostCookie + "=" + strings.Repeat("A", 5000)}, 401},
		{"a header too large", "GET", "/", "", []string{"X-Big", strings.Repeat("A", 64<<10)}, 431},
		{"JSON in JSON in JSON", "POST", "/api/login", strings.Repeat("[", 20000), nil, 400},
		{"a language made up", "GET", "/api/state?lang=../../etc/passwd", "", nil, 200},
		{"a request smuggled by a header", "GET", "/api/state", "", []string{"X-Forwarded-Host", "evil.example", "X-Forwarded-For", "1.2.3.4"}, 200},
	} {
		res, body := v.do(c.method, c.path, c.body, c.header...)
		if res.StatusCode != c.want {
			t.Errorf("%s: %s %s: %d, want %d; %.200s", c.what, c.method, c.path, res.StatusCode, c.want, body)
		}
		if c.want >= 400 && c.want != 431 && errorCode(body) == "" {
			t.Errorf("%s: no refusal in the contract's form: %.200s", c.what, body)
		}
		if c.want != 431 {
			if p := res.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
				t.Errorf("%s: policy %q", c.what, p)
			}
		}
		t.Logf("%-32s %s %.60s → %d %s", c.what, c.method, c.path, res.StatusCode, errorCode(body))
	}
	// Names are names: nothing of them is markup on any page.
	for _, p := range []string{"/", "/tv", "/host", "/seat/%3Cimg%20src=x%20onerror=alert(1)%3E", "/replay/latest", "/night/%3Cscript%3E"} {
		_, body := v.get(p)
		if strings.Contains(body, "<img src=x") || strings.Contains(body, "</script><script>") || strings.Contains(body, "<script>alert") {
			t.Errorf("%s holds a guest's markup", p)
		}
	}
	if v.state()["seq"] != float64(1) {
		t.Error("the table has moved")
	}
}

// A client that sends its headers drop by drop is cut off, and others are
// served meanwhile.
func TestSlowHeaders(t *testing.T) {
	h := newHouse(t)
	srv := httptest.NewUnstartedServer(h.web)
	srv.Config = NewHTTPServer(h.web)
	srv.Config.ReadHeaderTimeout = 150 * time.Millisecond // before it starts: it reads this from then on
	srv.Start()
	defer srv.Close()
	h.srv = srv
	c, err := net.Dial("tcp", h.srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
	if code, _ := h.visitor().get("/healthz"); code != 200 {
		t.Error(code)
	}
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	b := make([]byte, 1000)
	for {
		if _, err := c.Read(b); err != nil {
			if ne, ok := err.(net.Error); ok && ne.Timeout() {
				t.Error("a slow client is kept for ever")
			}
			return
		}
	}
}

func TestHealthAndMetrics(t *testing.T) {
	h := newHouse(t)
	if code, body := h.visitor().get("/healthz"); code != 200 || !strings.Contains(body, `"ok":true`) {
		t.Error(code, body)
	}
	code, body := h.visitor().get("/metrics")
	for _, want := range []string{"lansquenet_http_requests_total", "lansquenet_streams_open 0", "lansquenet_seq 0"} {
		if code != 200 || !strings.Contains(body, want) {
			t.Errorf("%d, no %s", code, want)
		}
	}
}

func TestPagesAndAssets(t *testing.T) {
	h := newHouse(t)
	for _, p := range []string{"/", "/tv", "/host", "/seat/A", "/seat/A%2FB", "/join", "/replay/latest", "/nights", "/night/latest"} {
		res, body := h.visitor().do("GET", p, "")
		if res.StatusCode != http.StatusOK || !strings.Contains(body, "<main") || strings.Contains(body, "http://www") || strings.Contains(body, "style=") {
			t.Errorf("%s: %d %.200s", p, res.StatusCode, body)
		}
	}
	for _, p := range []string{"/replay/never", "/night/never"} {
		if res, body := h.visitor().do("GET", p, ""); res.StatusCode != http.StatusNotFound || !strings.Contains(body, "<main") {
			t.Errorf("%s: %d %.200s", p, res.StatusCode, body)
		}
	}
	for _, p := range []string{"/", "/healthz", "/metrics", "/api/state", "/api/sessions"} {
		if res, body := h.visitor().do("HEAD", p, ""); res.StatusCode != 200 || body != "" || res.Header.Get("Content-Type") == "" {
			t.Errorf("HEAD %s: %d %q", p, res.StatusCode, body)
		}
	}
	for name := range assets {
		res, _ := h.visitor().do("GET", "/static/"+assetVersion+"/"+name, "")
		if res.StatusCode != 200 || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
		res, _ = h.visitor().do("GET", "/static/"+name, "", "If-None-Match", res.Header.Get("ETag"))
		if res.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %d", name, res.StatusCode)
		}
	}
}
