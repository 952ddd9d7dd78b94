package vision

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"lansquenet/ledger/card"
)

// liveStage is a stage before a camera of 15 pictures a second and an eye that
// needs cost for a look: only the newest picture is there when the eye is free.
type liveStage struct {
	*stage
	cost   time.Duration
	began  time.Time
	at     int           // pictures taken
	old    time.Duration // how old the picture given is, beside the usual
	looked []time.Duration
	pause  int // after so many pictures the camera is lost for a minute; 0: never
}

const shot = time.Second / 15

func (l *liveStage) Next(ctx context.Context) (Frame, error) {
	if l.pause > 0 && l.at >= l.pause {
		l.pause = 0
		time.Sleep(2500 * time.Millisecond)
		return Frame{}, &SourceEvent{Kind: Lost, Note: "lost"}
	}
	due := int(time.Since(l.began)/shot) + 1
	if due <= l.at { // wait for the next one
		time.Sleep(time.Until(l.began.Add(time.Duration(l.at) * shot)))
		due = l.at + 1
	}
	var f Frame
	var err error
	for ; l.at < due; l.at++ {
		if f, err = l.stage.Next(ctx); err != nil {
			return f, err
		}
	}
	f.Taken = l.began.Add(time.Duration(due-1) * shot)
	if l.old > 0 {
		f.Taken = f.Taken.Add(-l.old)
	}
	return f, nil
}

func (l *liveStage) Look(f Frame, a Ask) ([]Sighting, error) {
	l.looked = append(l.looked, f.Age(time.Now()))
	time.Sleep(l.cost)
	return l.stage.Look(f, a)
}

func onLive(t *testing.T, cost time.Duration) *liveStage {
	l := &liveStage{stage: newStage(t), cost: cost, began: time.Now()}
	l.w = Watch(l, l, Options{})
	return l
}

// TestSlowEye: an eye that needs as long as six pictures take misses most of
// them, and still tells each card, once, and never out of an old picture.
func TestSlowEye(t *testing.T) {
	for _, cost := range []time.Duration{150 * time.Millisecond, 6 * shot} {
		synctest.Test(t, func(t *testing.T) {
			l := onLive(t, cost)
			l.wait(40)
			for i, r := range []card.Rank{7, 12, 9, 7} {
				l.deal(r, lookA+uint64(i)*lookB, 60+130*float64(i), 100)
				l.wait(60)
			}
			if got := l.run(); got != "7 Q 9 7" {
				t.Errorf("a look takes %v: told %q", cost, got)
			}
			for _, age := range l.looked {
				if age > newEnough {
					t.Errorf("a look takes %v: looked at a picture %v old", cost, age)
				}
			}
		})
	}
}

// TestOldPictures: nothing is made of pictures that are older than 200 ms.
func TestOldPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := onLive(t, 0)
		l.old = newEnough + time.Millisecond
		l.wait(40)
		l.deal(7, lookA, 200, 100)
		l.wait(40)
		if got := l.run(); got != "" || len(l.looked) > 0 {
			t.Errorf("told %q after %d looks", got, len(l.looked))
		}
	})
}

// TestLateDecision: a card that was decided while the camera went away is told
// when the camera is back.
func TestLateDecision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// First: with which picture is it decided?
		l := onLive(t, 5*shot)
		play := func() { l.wait(40); l.deal(7, lookA, 200, 100); l.wait(60) }
		play()
		var at int
		for {
			e, err := l.w.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == Card {
				at = int(e.Frame) + 1
				break
			}
		}
		l = onLive(t, 5*shot)
		l.pause = at
		play()
		var told []Kind
		for {
			e, err := l.w.Next(context.Background())
			if errors.Is(err, io.EOF) {
				break
			}
			told = append(told, e.Kind)
		}
		if len(told) != 2 || told[0] != Lost || told[1] != Card {
			t.Errorf("told %v, want the loss and then the card", told)
		}
	})
}
