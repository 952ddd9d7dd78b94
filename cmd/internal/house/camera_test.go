package house

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"lansquenet/hw"
	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/evidence"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/vision"
)

// told is a watcher that tells what it was given and then ends.
type told chan vision.Event

func (w told) Next(ctx context.Context) (vision.Event, error) {
	select {
	case e, ok := <-w:
		if !ok {
			return e, io.EOF
		}
		return e, nil
	case <-ctx.Done():
		return vision.Event{}, ctx.Err()
	}
}
func (w told) Stats() vision.Stats { return vision.Stats{} }
func (w told) Live() vision.Live   { return vision.Live{} }
func (w told) Picture() []byte     { return nil }

func saw(i int, r card.Rank) vision.Event {
	return vision.Event{Kind: vision.Card, I: i, Frame: uint64(10 * i), Rank: r, Suit: card.Hearts, Confidence: 0.99, Picture: []byte("jpeg")}
}

func doubts(i int, guess ...card.Rank) vision.Event {
	return vision.Event{Kind: vision.Unsure, I: i, Frame: uint64(10 * i), Guess: guess, Confidence: 0.4}
}

var quiet = slog.New(slog.DiscardHandler)

// table is a night of three with a bank that is covered: the first card is due.
func table(t *testing.T, actions ...string) *ledger.Croupier {
	t.Helper()
	c, err := ledger.Open(t.Context(), journal.NewMem(), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := append([]string{
		`{"do":"open","game":"lansquenet","profile":"pagat","seats":[{"name":"A","chips":100},{"name":"B","chips":100}],"banker":"A"}`,
		`{"do":"bank","seat":"A","amount":10}`, `{"do":"banco","seat":"B"}`}, actions...)
	for _, line := range all {
		a, err := game.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Submit(t.Context(), ledger.Request{Action: a, From: "host"}); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return c
}

// look has a camera tell events to a table until they are all taken.
func look(t *testing.T, cam *Camera, events ...vision.Event) {
	t.Helper()
	w := make(told, len(events))
	for _, e := range events {
		w <- e
	}
	close(w)
	cam.Watch(w)
	if err := cam.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "EOF") {
		t.Fatalf("the watcher's end: %v", err)
	}
}

func ranks(c *ledger.Croupier) string {
	var b strings.Builder
	for _, d := range c.State().View.Cards {
		b.WriteString(d.Card.Rank.String() + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestSureCardsGoToTheTable(t *testing.T) {
	c := table(t)
	cam := NewCamera(c, quiet)
	var kept []evidence.Picture
	cam.Keep = func(_ context.Context, p evidence.Picture) error { kept = append(kept, p); return nil }
	look(t, cam, saw(0, card.Seven), saw(1, card.Queen), saw(2, card.Two))
	if got := ranks(c); got != "7 Q 2" {
		t.Errorf("the table has %q", got)
	}
	if len(kept) != 3 || kept[2].Seq != c.State().Seq || kept[2].Rank != "2" || kept[2].Session != c.State().Session {
		t.Errorf("kept %+v", kept)
	}
}

func TestUnsureCardHoldsTheLaterOnes(t *testing.T) {
	c := table(t)
	cam := NewCamera(c, quiet)
	look(t, cam, saw(0, card.Seven), doubts(1, card.Eight, card.Six), saw(2, card.Two), doubts(3, card.Jack), saw(4, card.Four))
	if got := ranks(c); got != "7" {
		t.Fatalf("the table did not wait: %q", got)
	}
	if q := cam.View().Unsure; q == nil || q.I != 1 || len(q.Guess) != 2 {
		t.Fatalf("asked about %+v", q)
	}
	if err := cam.Answer(t.Context(), 3, card.Six, 0); err == nil {
		t.Error("an answer to a question not asked yet was taken")
	}
	if err := cam.Answer(t.Context(), 1, card.Eight, 0); err != nil {
		t.Fatal(err)
	}
	if got := ranks(c); got != "7 8 2" {
		t.Errorf("after the first answer: %q", got)
	}
	if err := cam.Answer(t.Context(), 3, card.NoRank, 0); err != nil { // that was a napkin
		t.Fatal(err)
	}
	if got := ranks(c); got != "7 8 2 4" || cam.View().Unsure != nil {
		t.Errorf("at the end: %q, asked %+v", got, cam.View().Unsure)
	}
}

func TestImpossibleCardIsAskedAbout(t *testing.T) {
	c := table(t)
	cam := NewCamera(c, quiet)
	v := c.State().View
	var same []vision.Event
	same = append(same, saw(0, card.Seven), saw(1, card.Queen))
	for i := range v.Unseen.Rank[card.Five] {
		five := saw(2+i, card.Five)
		five.Suit = card.Suit(1 + i%card.Suits)
		same = append(same, five)
	}
	n := len(same)
	look(t, cam, append(same, saw(n, card.Five))...)
	if got := len(c.State().View.Cards); got != n {
		t.Errorf("%d cards on the table, want %d", got, n)
	}
	if q := cam.View().Unsure; q == nil || q.I != n {
		t.Errorf("a five more than the shoe holds was not asked about: %+v", q)
	}
}

// TestLostCamera: a camera that goes and comes in a coup is told, journalled, and
// changes nothing on the table; meanwhile the host enters cards.
func TestLostCamera(t *testing.T) {
	c := table(t)
	cam := NewCamera(c, quiet)
	look(t, cam, saw(0, card.Seven), vision.Event{Kind: vision.Lost, Note: "The camera is gone."})
	before := c.State().Seq
	if v := cam.View(); v.State != "lost" || v.Trouble.Args["note"] != "The camera is gone." {
		t.Errorf("the page is told %+v", v)
	}
	if _, err := c.Submit(t.Context(), ledger.Request{Action: game.Action{Do: "card", Rank: card.Queen}, From: "host"}); err != nil {
		t.Fatal(err)
	}
	look(t, cam, vision.Event{Kind: vision.Found, Note: "The camera is back."}, saw(1, card.Two))
	if v := cam.View(); v.State != "ok" || v.Trouble.Key != "" {
		t.Errorf("when it is back the page is told %+v", v)
	}
	if got := ranks(c); got != "7 Q 2" {
		t.Errorf("the table has %q", got)
	}
	marks, err := c.Journal().Marks(t.Context(), c.State().Session)
	if err != nil || len(marks) != 2 || !marks[0].Lost || marks[0].Seq != before || marks[1].Lost || marks[1].Seq != before+1 {
		t.Errorf("journalled %+v, %v", marks, err)
	}
}

func TestStrayCardIsToldAndChangesNothing(t *testing.T) {
	c := table(t, `{"do":"void","reason":"test"}`)
	cam := NewCamera(c, quiet)
	before := c.State().Seq
	look(t, cam, saw(0, card.Nine))
	if c.State().Seq != before || cam.View().Trouble.Args["card"] != "9♥" {
		t.Errorf("seq %d, trouble %v", c.State().Seq, cam.View().Trouble)
	}
	if _, err := c.Submit(t.Context(), ledger.Request{Action: game.Action{Do: "burn", Rank: card.Nine}, From: "host"}); err != nil {
		t.Fatal(err)
	}
	if says := cam.View().Trouble.Key; says != "" {
		t.Errorf("burnt, and still: %q", says)
	}
}

func TestLamps(t *testing.T) {
	v := table(t).State().View
	if got, want := Lit(v, false), (hw.Table{Seats: 2, CardDue: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Lit(v, true); got.CardDue || !got.Ask {
		t.Errorf("while the host is asked: %+v", got)
	}
	v = table(t, `{"do":"card","rank":"7"}`, `{"do":"card","rank":"7"}`).State().View
	if got := Lit(v, false); got.Won != "bank" || got.Turn != 1 {
		t.Errorf("after a doublet: %+v", got)
	}
	v = table(t, `{"do":"close"}`).State().View
	if got := Lit(v, false); !got.Closed {
		t.Errorf("after the night: %+v", got)
	}
}

// TestHouseStops hosts pages and buttons and then ends the night: everything has
// to come down within the time a service is given.
func TestHouseStops(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := table(t)
	cam := NewCamera(c, quiet)
	cam.Watch(make(told))
	pages := http.NewServeMux()
	closing := make(chan struct{})
	pages.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-closing // a stream that would go on all night
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- Run(ctx, Parts{Croupier: c, Camera: cam, Buttons: noButtons{}, Meaning: nil, Listener: l, Handler: pages,
			Closing: func() { close(closing) }, Log: quiet})
	}()
	r, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the house does not stop")
	}
}

type noButtons struct{}

func (noButtons) Next(ctx context.Context) (hw.Press, error) {
	<-ctx.Done()
	return hw.Press{}, ctx.Err()
}
