package desk

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lansquenet/cmd/internal/house"
	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/vision"
	"lansquenet/web"
)

// idle is a watcher before which nothing happens.
type idle struct {
	gone   bool // no pictures come
	aimed  vision.Region
	divert func(vision.Frame, image.Rectangle)
	begun  int // how often it began anew
}

func (w *idle) Next(ctx context.Context) (vision.Event, error) {
	<-ctx.Done()
	return vision.Event{}, ctx.Err()
}
func (w *idle) Stats() vision.Stats            { return vision.Stats{} }
func (w *idle) Picture() []byte                { return nil }
func (w *idle) Live() vision.Live              { return vision.Live{} }
func (w *idle) Newest(func(vision.Frame)) bool { return false }
func (w *idle) Aim(r vision.Region)            { w.aimed = r }
func (w *idle) Divert(ctx context.Context, f func(vision.Frame, image.Rectangle)) error {
	w.divert = f
	w.begun++
	if w.gone {
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

// before is a desk at a table where nothing was played yet.
func before(t *testing.T, w *idle, set Settings, actions ...string) *Desk {
	t.Helper()
	table, err := ledger.Open(t.Context(), journal.NewMem(), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range actions {
		a, err := game.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Submit(t.Context(), ledger.Request{Action: a, From: "host"}); err != nil {
			t.Fatal(err)
		}
	}
	cam := house.NewCamera(table, slog.New(slog.DiscardHandler))
	cam.Watch(w)
	return New(Options{Data: t.TempDir(), Set: set, Table: table, Camera: cam, Watcher: w})
}

// refused says that an error is the desk's no of that code.
func refused(err error, code string) bool {
	var no *web.Refused
	return errors.As(err, &no) && no.Code == code
}

// TestRegionOutlivesARestart, and a region that no card fits into is refused.
func TestRegionOutlivesARestart(t *testing.T) {
	w := &idle{}
	d := before(t, w, Settings{})
	want := web.Region{X: 0.25, Y: 0.1, W: 0.5, H: 0.8}
	if err := d.Aim(want); err != nil || w.aimed != vision.Region(want) {
		t.Fatalf("aimed at %v, %v", w.aimed, err)
	}
	for _, bad := range []web.Region{{X: 0.5, W: 0.6, H: 1}, {X: -0.1, W: 0.5, H: 0.5}, {W: 0.05, H: 0.5}, {Y: 2, W: 0.5, H: 0.5}} {
		if err := d.Aim(bad); !refused(err, "bad_region") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	set, err := Load(d.o.Data)
	if err != nil || set.Region == nil || *set.Region != want || set.Deck != nil {
		t.Fatalf("kept %+v, %v", set, err)
	}
	again := &idle{}
	before(t, again, set)
	if again.aimed != vision.Region(want) {
		t.Errorf("after a restart: %v", again.aimed)
	}
	if err := d.Aim(web.Region{}); err != nil || w.aimed != (vision.Region{}) {
		t.Errorf("the whole picture: %v, %v", w.aimed, err)
	}
	if set, err := Load(d.o.Data); err != nil || set.Region == nil || *set.Region != (web.Region{}) {
		t.Errorf("the whole picture is kept as %+v, %v", set, err)
	}
	if left, _ := filepath.Glob(filepath.Join(d.o.Data, "*")); len(left) != 1 {
		t.Errorf("the folder has %v", left)
	}
}

// TestBrokenSettings: what was set is lost, which is said, and the night goes on.
func TestBrokenSettings(t *testing.T) {
	dir := t.TempDir()
	if set, err := Load(dir); err != nil || set != (Settings{}) {
		t.Errorf("nothing set: %+v, %v", set, err)
	}
	for _, bad := range []string{`{"region"`, `{"region":{"x":0.9,"y":0,"w":0.9,"h":1}}`} {
		if err := os.WriteFile(filepath.Join(dir, File), []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if set, err := Load(dir); err == nil || !strings.Contains(err.Error(), File) || set != (Settings{}) {
			t.Errorf("%s: %+v, %v", bad, set, err)
		}
	}
}

// TestSettingsThatCannotBeKeptAreNotSet: a page that showed them would lie after
// the next start.
func TestSettingsThatCannotBeKeptAreNotSet(t *testing.T) {
	w := &idle{}
	d := before(t, w, Settings{})
	if err := os.RemoveAll(d.o.Data); err != nil {
		t.Fatal(err)
	}
	if err := d.Aim(web.Region{W: 0.5, H: 0.5}); err == nil || w.aimed != (vision.Region{}) {
		t.Errorf("aimed at %v, %v", w.aimed, err)
	}
}

// TestTrialThatIsLeft: a test that no page looks at for some minutes gives the
// camera back by itself; one that is looked at does not.
func TestTrialThatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &idle{}
		d := before(t, w, Settings{})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx) }()
		if err := d.StartTrial(ctx); err != nil {
			t.Fatal(err)
		}
		if err := d.StartTrial(ctx); !refused(err, "desk_busy") {
			t.Errorf("a second test: %v", err)
		}
		for range 10 {
			time.Sleep(left / 2)
			if d.Look(ctx).Trial == nil {
				t.Fatal("it ended although somebody looked")
			}
		}
		time.Sleep(left + time.Minute)
		if d.o.Camera.View().State == "still" || w.begun != 2 {
			t.Errorf("the camera is %+v, begun anew %d times", d.o.Camera.View(), w.begun)
		}
		if err := d.Missed(0); !refused(err, "trial_over") {
			t.Errorf("after it: %v", err)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestNoTrialWithoutPictures, nor in a coup: the table keeps its camera.
func TestNoTrialWithoutPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &idle{gone: true}
		d := before(t, w, Settings{})
		began := time.Now()
		if err := d.StartTrial(t.Context()); time.Since(began) >= 4*time.Second { // a page waits no longer
			t.Errorf("it is said after %v, %v", time.Since(began), err)
		} else if !refused(err, "camera_gone") || d.o.Camera.View().State == "still" || w.divert != nil {
			t.Errorf("%v, %+v", err, d.o.Camera.View())
		}
		if _, err := d.FindMat(); !refused(err, "camera_gone") {
			t.Errorf("the mat: %v", err)
		}
	})
	d := before(t, &idle{}, Settings{}, `{"do":"open","game":"lansquenet","profile":"pagat","seats":[{"name":"A","chips":100},{"name":"B","chips":100}],"banker":"A"}`,
		`{"do":"bank","seat":"A","amount":10}`)
	if err := d.StartTrial(t.Context()); !refused(err, "camera_busy") {
		t.Errorf("in a coup: %v", err)
	}
	if !d.Look(t.Context()).Busy {
		t.Error("the page isn't told")
	}
}

func TestWrongLessons(t *testing.T) {
	d := before(t, &idle{}, Settings{})
	for _, c := range []struct{ deck, pack, code string }{
		{"old", "tarot", "bad_pack"}, {"", "french52", "bad_deck"}, {"../up", "french52", "bad_deck"}, {".hidden", "french52", "bad_deck"}, {"a\nb", "french52", "bad_deck"},
	} {
		if err := d.StartLesson(t.Context(), c.deck, c.pack, false); !refused(err, c.code) {
			t.Errorf("%q %q: %v", c.deck, c.pack, err)
		}
	}
	if err := d.ChooseDeck("nobody's"); !refused(err, "no_deck") {
		t.Errorf("a deck that is not there: %v", err)
	}
	if err := d.Teach(t.Context(), "skip", 0); !refused(err, "lesson_over") {
		t.Errorf("no lesson: %v", err)
	}
}

// TestVerdict: what was read decides the word, and every fault its advice.
func TestVerdict(t *testing.T) {
	right := web.Read{Rank: card.Seven, Sure: true, Really: card.Seven, Pixels: 140}
	for _, c := range []struct {
		name  string
		read  web.Read // the last of four
		flaws []vision.Flaw
		want  string
	}{
		{"all right", right, nil, "good"},
		{"a back, and it was one", web.Read{Back: true, Pixels: 140}, nil, "good"},
		{"asked", web.Read{Guess: []card.Rank{card.Six}, Really: card.Six, Pixels: 140}, nil, "fair asked"},
		{"small", web.Read{Rank: card.Six, Sure: true, Really: card.Six, Pixels: 90}, nil, "fair small"},
		{"dark", right, []vision.Flaw{vision.TooDark}, "fair dark"},
		{"misread", web.Read{Rank: card.Six, Sure: true, Really: card.Eight, Pixels: 140}, nil, "poor wrong"},
		{"phantom", web.Read{Rank: card.Six, Sure: true, Pixels: 140}, nil, "poor wrong"},
		{"missed", web.Read{Missed: true}, nil, "poor missed"},
		{"no rank seen", web.Read{Back: true, Really: card.King, Pixels: 140}, nil, "poor unseen"},
		{"much at once", web.Read{Missed: true}, []vision.Flaw{vision.Blurred}, "poor blurred missed"},
	} {
		word, advice := verdict([]web.Read{right, right, right, c.read}, c.flaws)
		for _, n := range advice {
			word += " " + n.Key[strings.LastIndex(n.Key, ".")+1:]
		}
		if word != c.want {
			t.Errorf("%s: %q, want %q", c.name, word, c.want)
		}
	}
}

func TestWhyNoMat(t *testing.T) {
	for _, c := range []struct {
		mat  vision.Mat
		want string
	}{
		{vision.Mat{}, "none"},
		{vision.Mat{Marks: 2}, "two"},
		{vision.Mat{Marks: 3, Missing: vision.Point{X: 600, Y: 100}}, "topright hidden"},
		{vision.Mat{Marks: 3, Missing: vision.Point{X: 30, Y: 500}}, "bottomleft outside"},
		{vision.Mat{Marks: 3, Missing: vision.Point{X: 2, Y: 60}}, "topleft outside"},
	} {
		var got []string
		for _, n := range whyNot(c.mat, 640, 480, nil) {
			got = append(got, n.Key[strings.LastIndex(n.Key, ".")+1:])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q, want %q", c.mat, got, c.want)
		}
	}
	r := around([4][2]float64{{0.1, 0.2}, {0.9, 0.2}, {0.9, 0.99}, {0.1, 0.99}})
	if fmt.Sprintf("%.3f %.3f %.3f %.3f", r.X, r.Y, r.W, r.H) != "0.076 0.176 0.848 0.824" || !sound(r) {
		t.Errorf("around a mat: %+v", r)
	}
}

// TestPressesThatComeTooLate: the second tap of an impatient finger, or of another
// host, finds another card than the one it is about, and does nothing to it.
func TestPressesThatComeTooLate(t *testing.T) {
	d := before(t, &idle{}, Settings{})
	ctx := t.Context()
	if err := d.StartLesson(ctx, "old", "french32", false); err != nil {
		t.Fatal(err)
	}
	for _, press := range []struct {
		do   string
		i    int
		late bool
		done int // cards afterwards
	}{
		{"skip", 0, false, 1}, {"skip", 0, true, 1}, {"snap", 0, true, 1}, {"skip", 1, false, 2},
		{"back", 1, false, 1}, {"back", 1, true, 1}, {"again", 1, true, 1}, {"back", 0, false, 0}, {"back", 0, true, 0},
	} {
		err := d.Teach(ctx, press.do, press.i)
		if press.late && !refused(err, "lesson_over") || !press.late && err != nil {
			t.Errorf("%s %d: %v", press.do, press.i, err)
		}
		if got := d.Look(ctx).Lesson.Done; got != press.done {
			t.Errorf("after %s %d: %d cards are done", press.do, press.i, got)
		}
	}
	if err := d.Teach(ctx, "stop", 0); err != nil {
		t.Fatal(err)
	}
	if err := d.StartTrial(ctx); err != nil {
		t.Fatal(err)
	}
	if err := d.Missed(0); err != nil {
		t.Error(err)
	}
	if err := d.Missed(0); !refused(err, "trial_over") || len(d.Look(ctx).Trial.Reads) != 1 {
		t.Errorf("one card missed twice: %v", err)
	}
}

// TestDeckInUseTaughtAnew: the reader reads with the new pictures at once.
func TestDeckInUseTaughtAnew(t *testing.T) {
	d := before(t, &idle{}, Settings{})
	ctx := t.Context()
	reader, _, err := OpenReader(d.o.Data, "", Settings{}, d.o.Log)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	d.o.Reader = reader
	for _, c := range []struct {
		read  string // the deck that is read with
		fresh bool
	}{{"", false}, {"old", true}} {
		if err := d.ChooseDeck(c.read); err != nil {
			t.Fatal(err)
		}
		was := reader.eye
		if err := d.StartLesson(ctx, "old", "french32", true); err != nil {
			t.Fatal(err)
		}
		l := d.lesson
		f := vision.Frame{W: 200, H: 300, Pix: make([]byte, 3*200*300)}
		for i := range f.Pix {
			f.Pix[i] = uint8(i * i >> 7)
		}
		q := vision.Quad{{X: 10, Y: 10}, {X: 190, Y: 10}, {X: 190, Y: 290}, {X: 10, Y: 290}}
		if err := l.draft.Take(l.cards[0], 1, f, q); err != nil {
			t.Fatal(err)
		}
		for i := range l.cards {
			if err := d.Teach(ctx, "skip", i); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Teach(ctx, "finish", 0); err != nil {
			t.Fatal(err)
		}
		if fresh := reader.eye != was; fresh != c.fresh {
			t.Errorf("read with %q: loaded anew %v", c.read, fresh)
		}
	}
}
