package vision

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// fakeCamera gives a picture every 33 ms until it is told to misbehave.
type fakeCamera struct {
	ctx    context.Context
	n      int
	stall  int // after so many pictures Grab blocks; 0: never
	fail   int // after so many pictures Grab fails; 0: never
	closed *atomic.Int32
}

func (c *fakeCamera) Grab(buf []byte) ([]byte, int, int, error) {
	time.Sleep(33 * time.Millisecond)
	c.n++
	if c.stall > 0 && c.n > c.stall {
		// As a driver does: block, then fail.
		time.Sleep(10 * time.Second)
		return buf, 0, 0, errors.New("select timed out")
	}
	if c.fail > 0 && c.n > c.fail {
		return buf, 0, 0, errors.New("no such device")
	}
	return append(buf[:0], make([]byte, 12)...), 2, 2, nil
}

func (c *fakeCamera) Close() error { c.closed.Add(1); return nil }

// untilEvent reads frames until a SourceEvent comes, and says when it came.
func untilEvent(t *testing.T, s FrameSource) *SourceEvent {
	t.Helper()
	for range 100000 {
		_, err := s.Next(t.Context())
		var e *SourceEvent
		if errors.As(err, &e) {
			return e
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no event came")
	return nil
}

func TestLiveNoticesAndComesBack(t *testing.T) {
	for _, how := range []string{"stall", "fail"} {
		synctest.Test(t, func(t *testing.T) {
			var opened, closed atomic.Int32
			open := func(ctx context.Context) (Grabber, error) {
				n := opened.Add(1)
				c := &fakeCamera{ctx: ctx, closed: &closed}
				switch {
				case n == 1 && how == "stall":
					c.stall = 10
				case n == 1:
					c.fail = 10
				case n < 5:
					return nil, errors.New("not plugged in")
				}
				return c, nil
			}
			s, err := KeepNewest(t.Context(), open, LiveOptions{})
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if e := untilEvent(t, s); e.Kind != Lost {
				t.Fatalf("%s: first event is %v", how, e.Kind)
			}
			if d := time.Since(began); d > 3*time.Second+10*33*time.Millisecond {
				t.Errorf("%s: noticed after %v", how, d)
			}
			if e := untilEvent(t, s); e.Kind != Found {
				t.Fatalf("%s: second event is %v", how, e.Kind)
			}
			if f, err := s.Next(t.Context()); err != nil || f.W != 2 {
				t.Errorf("%s: no picture after the camera is back: %v", how, err)
			}
			if n := opened.Load(); n != 5 {
				t.Errorf("%s: opened %d times, want 5", how, n)
			}
			s.Close()
			synctest.Wait()
			time.Sleep(time.Second)
			if closed.Load() != 2 {
				t.Errorf("%s: %d of 2 cameras closed", how, closed.Load())
			}
		})
	}
}

func TestLiveDoesNotSpin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int32
		s, err := KeepNewest(t.Context(), func(context.Context) (Grabber, error) {
			opened.Add(1)
			return nil, errors.New("not plugged in")
		}, LiveOptions{Patient: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		lost := 0
		for {
			_, err := s.Next(ctx)
			var e *SourceEvent
			if errors.As(err, &e) {
				lost++
				continue
			}
			break
		}
		if lost != 1 {
			t.Errorf("Lost was told %d times in an hour, want once", lost)
		}
		if n := opened.Load(); n < 600 || n > 740 {
			t.Errorf("tried to open %d times in an hour, want about every 5 s", n)
		}
	})
}

func TestLiveKeepsOnlyTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Int32
		s, err := KeepNewest(t.Context(), func(ctx context.Context) (Grabber, error) {
			return &fakeCamera{ctx: ctx, closed: &closed}, nil
		}, LiveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		a, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second) // the watcher is held up
		b, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if b.N < a.N+50 {
			t.Errorf("after two seconds came picture %d, following %d: an old one", b.N, a.N)
		}
		if age := b.Age(time.Now()); age > 40*time.Millisecond {
			t.Errorf("the picture is %v old", age)
		}
	})
}

func TestLiveMissingCameraIsAnError(t *testing.T) {
	_, err := KeepNewest(t.Context(), func(context.Context) (Grabber, error) { return nil, io.ErrNoProgress }, LiveOptions{})
	if !errors.Is(err, io.ErrNoProgress) {
		t.Fatalf("got %v", err)
	}
}

// TestPatientStart: a camera that isn't there, or whose opening hangs, holds
// nothing up at the start, is told of, and is used once it comes.
func TestPatientStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed, opened atomic.Int32
		began := time.Now()
		s, err := KeepNewest(t.Context(), func(ctx context.Context) (Grabber, error) {
			switch opened.Add(1) {
			case 1:
				time.Sleep(4 * time.Second) // a network that doesn't answer
				fallthrough
			case 2, 3:
				return nil, errors.New("not plugged in")
			}
			return &fakeCamera{ctx: ctx, closed: &closed}, nil
		}, LiveOptions{Patient: true})
		if err != nil || time.Since(began) > 0 {
			t.Fatalf("held up for %v, %v", time.Since(began), err)
		}
		if e := untilEvent(t, s); e.Kind != Lost || time.Since(began) > 3*time.Second {
			t.Errorf("%v after %v", e.Kind, time.Since(began))
		}
		if e := untilEvent(t, s); e.Kind != Found || time.Since(began) > 6*time.Second {
			t.Errorf("%v after %v", e.Kind, time.Since(began))
		}
		s.Close()
		synctest.Wait()
	})
}

// TestPatientStartIsTold: whoever was told before a restart that the camera was
// lost hears that it is there, though this source has never lost it.
func TestPatientStartIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Int32
		s, err := KeepNewest(t.Context(), func(ctx context.Context) (Grabber, error) {
			return &fakeCamera{ctx: ctx, closed: &closed}, nil
		}, LiveOptions{Patient: true})
		if err != nil {
			t.Fatal(err)
		}
		if e := untilEvent(t, s); e.Kind != Found {
			t.Errorf("told %v", e.Kind)
		}
		for range 10 {
			if _, err := s.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		synctest.Wait()
	})
}
