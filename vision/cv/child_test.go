//go:build cgo

package cv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// TestChildIsKilled kills what writes a Raspberry Pi camera's pictures, and stops
// it: both are noticed, and another child takes its place. That it takes no
// longer than three seconds is for a clock that no other program holds up
// (vision.TestLiveNoticesAndComesBack, hw/bench).
func TestChildIsKilled(t *testing.T) {
	var b bytes.Buffer
	if err := dealt(webcam(7), card.Four).Record(t.Context(), &b, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	picture, err := vision.NewJPEGs(&b).Next()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	fifo, child, said := filepath.Join(dir, "fifo"), filepath.Join(dir, "child"), filepath.Join(dir, "said")
	script := fmt.Sprintf("#!/bin/sh\necho $$ > %s\necho \"$@\" > %s\nsleep 1\nexec cat %s\n", child, said, fifo)
	if err := errors.Join(syscall.Mkfifo(fifo, 0o600), os.WriteFile(filepath.Join(dir, "rpicam-vid"), []byte(script), 0o700)); err != nil {
		t.Fatal(err)
	}
	go film(t.Context(), fifo, picture)
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	src, err := Open(t.Context(), "rpicam:--rotation 180", SourceOptions{Width: 640, Height: 480, FPS: 15})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	// until reads pictures until the camera is lost or found.
	until := func(kind vision.Kind) time.Duration {
		t.Helper()
		for began := time.Now(); time.Since(began) < time.Minute; {
			_, err := src.Next(t.Context())
			var e *vision.SourceEvent
			if errors.As(err, &e) && e.Kind == kind {
				return time.Since(began)
			} else if err != nil && e == nil {
				t.Fatal(err)
			}
		}
		t.Fatalf("%v was not told within a minute", kind)
		return 0
	}
	for err = errors.New("no picture yet"); err != nil; {
		var e *vision.SourceEvent // a busy machine may need a while for the first
		if _, err = src.Next(t.Context()); err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
	}
	args, _ := os.ReadFile(said)
	if want := "--codec mjpeg --nopreview --timeout 0 --flush --width 640 --height 480 --framerate 15 --output - --rotation 180"; strings.TrimSpace(string(args)) != want {
		t.Errorf("it was called with %s, want %s", args, want)
	}
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP} {
		b, err := os.ReadFile(child)
		if err != nil {
			t.Fatal(err)
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(string(b)))
		if err := syscall.Kill(pid, sig); err != nil {
			t.Fatal(sig, err)
		}
		noticed := until(vision.Lost)
		found := until(vision.Found)
		t.Logf("%v: noticed after %v, back %v later", sig, noticed, found)
		if noticed > 9*time.Second {
			t.Errorf("%v: noticed after %v", sig, noticed)
		}
	}
}

// film gives a picture again and again to whoever reads the fifo, one reader
// after the other, until the test ends.
func film(ctx context.Context, fifo string, picture []byte) {
	for ctx.Err() == nil {
		w, err := os.OpenFile(fifo, os.O_WRONLY, 0)
		for err == nil {
			_, err = w.Write(picture)
			time.Sleep(60 * time.Millisecond)
		}
		_ = w.Close()
	}
}
