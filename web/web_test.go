package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"lansquenet/ledger"
	"lansquenet/ledger/journal"
)

const testPIN = "271828"

// house is a server on a real croupier with an in-memory journal.
type house struct {
	t     testing.TB
	web   *Server
	srv   *httptest.Server
	table *ledger.Croupier
	store journal.Store
}

// pinHash is a quick one: the real one is slow on purpose, and under the race
// detector slower than a page waits.
var pinHash = func() string {
	h, err := bcrypt.GenerateFromPassword([]byte(testPIN), bcrypt.MinCost)
	if err != nil {
		panic(err)
	}
	return string(h)
}()

func newHouse(t *testing.T, change ...func(*Options)) *house {
	t.Helper()
	store := journal.NewMem()
	table, err := ledger.Open(context.Background(), store, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return houseOn(t, table, store, change...)
}

func houseOn(t testing.TB, table *ledger.Croupier, store journal.Store, change ...func(*Options)) *house {
	t.Helper()
	o := Options{Table: table, Store: store, PINHash: pinHash}
	for _, f := range change {
		f(&o)
	}
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(w)
	srv.Config = NewHTTPServer(w)
	srv.Start()
	t.Cleanup(func() { w.Close(); srv.Close() })
	return &house{t, w, srv, table, store}
}

// visitor is one browser: cookies of its own.
type visitor struct {
	h *house
	c *http.Client
}

func (h *house) visitor() *visitor {
	jar, _ := cookiejar.New(nil) // no options, no error
	return &visitor{h, &http.Client{Jar: jar, Timeout: 20 * time.Second}}
}

func (h *house) host() *visitor {
	h.t.Helper()
	v := h.visitor()
	if code, body := v.post("/api/login", `{"pin":"`+testPIN+`"}`); code != 200 {
		h.t.Fatalf("login: %d %s", code, body)
	}
	return v
}

func (v *visitor) do(method, path, body string, header ...string) (*http.Response, string) {
	v.h.t.Helper()
	req, err := http.NewRequest(method, v.h.srv.URL+path, strings.NewReader(body))
	if err != nil {
		v.h.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	res, err := v.c.Do(req)
	if err != nil {
		v.h.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		v.h.t.Fatal(err)
	}
	return res, string(b)
}

func (v *visitor) post(path, body string, header ...string) (int, string) {
	v.h.t.Helper()
	res, b := v.do("POST", path, body, header...)
	return res.StatusCode, b
}

func (v *visitor) get(path string, header ...string) (int, string) {
	v.h.t.Helper()
	res, b := v.do("GET", path, "", header...)
	return res.StatusCode, b
}

// act sends an action and fails the test unless it is accepted.
func (v *visitor) act(body string) uint64 {
	v.h.t.Helper()
	code, b := v.post("/api/actions", body)
	var r struct {
		OK  bool
		Seq uint64
	}
	if code != 200 || json.Unmarshal([]byte(b), &r) != nil || !r.OK {
		v.h.t.Fatalf("%s: %d %s", body, code, b)
	}
	return r.Seq
}

func (v *visitor) state() map[string]any {
	v.h.t.Helper()
	code, b := v.get("/api/state")
	var m map[string]any
	if code != 200 || json.Unmarshal([]byte(b), &m) != nil {
		v.h.t.Fatalf("state: %d %s", code, b)
	}
	return m
}

const openG01 = `{"do":"open","game":"lansquenet","profile":"ru","banker":"A","seats":[{"name":"A","chips":100},{"name":"B","chips":100},{"name":"C","chips":100}]}`

// errorCode is the code of a refusal, "" when the body is none.
func errorCode(body string) string {
	var e struct {
		Error struct{ Code, Message string }
	}
	if json.Unmarshal([]byte(body), &e) != nil || e.Error.Message == "" {
		return ""
	}
	return e.Error.Code
}

// event is one message of a stream.
type event struct {
	id   string
	data map[string]any
}

// listen opens a stream and sends its messages on, until the test ends.
func (v *visitor) listen(header ...string) <-chan event {
	v.h.t.Helper()
	return v.listenAt("/api/stream", header...)
}

func (v *visitor) listenAt(path string, header ...string) <-chan event {
	v.h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, "GET", v.h.srv.URL+path, nil)
	if err != nil {
		v.h.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := (&http.Client{Jar: v.c.Jar}).Do(req)
	if err != nil {
		v.h.t.Fatal(err)
	}
	if ct := res.Header.Get("Content-Type"); res.StatusCode != 200 || !strings.HasPrefix(ct, "text/event-stream") {
		v.h.t.Fatalf("stream: %d %s", res.StatusCode, ct)
	}
	v.h.t.Cleanup(func() { cancel(); res.Body.Close() })
	out := make(chan event, 1000)
	go func() {
		defer close(out)
		sc := bufio.NewScanner(res.Body)
		sc.Buffer(nil, 1<<20)
		var e event
		for sc.Scan() {
			line := sc.Text()
			switch {
			case strings.HasPrefix(line, "id: "):
				e.id = line[4:]
			case strings.HasPrefix(line, "data: "):
				if json.NewDecoder(bytes.NewReader([]byte(line[6:]))).Decode(&e.data) != nil {
					return
				}
			case line == "" && e.data != nil:
				out <- e
				e = event{}
			}
		}
	}()
	return out
}

func next(t *testing.T, ch <-chan event) event {
	t.Helper()
	select {
	case e, ok := <-ch:
		if !ok {
			t.Fatal("the stream ended")
		}
		return e
	case <-time.After(20 * time.Second):
		t.Fatal("the stream says nothing")
	}
	panic("not reached")
}

func TestStateHasTheFinalsFieldsAndMore(t *testing.T) {
	h := newHouse(t)
	v := h.visitor()
	m := v.state()
	for _, k := range []string{"game", "phase", "banker", "chips", "bank", "stakes", "cards", "coups", "seq", "head", "turn", "prompt", "odds", "history"} {
		if _, ok := m[k]; !ok {
			t.Errorf("state has no %q", k)
		}
	}
}

// The PIN is kept so that a thief of the file needs long for each guess.
func TestPINIsHashedSlowly(t *testing.T) {
	h, err := HashPIN(testPIN)
	if err != nil {
		t.Fatal(err)
	}
	if cost, err := bcrypt.Cost([]byte(h)); err != nil || cost < bcrypt.DefaultCost {
		t.Errorf("cost %d, %v", cost, err)
	}
	if bcrypt.CompareHashAndPassword([]byte(h), []byte(testPIN)) != nil || bcrypt.CompareHashAndPassword([]byte(h), []byte("314159")) == nil {
		t.Error("the hash does not tell the PIN from another")
	}
}
