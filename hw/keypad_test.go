package hw

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"testing"
	"time"
)

// event is a key event as the kernel writes it.
func event(kind, code uint16, value int32) []byte {
	b := make([]byte, eventSize)
	v := b[2*eventWord:]
	binary.NativeEndian.PutUint16(v, kind)
	binary.NativeEndian.PutUint16(v[2:], code)
	binary.NativeEndian.PutUint32(v[4:], uint32(value))
	return b
}

func TestKeypad(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(Config{Keypad: "auto", Hold: Duration(300 * time.Millisecond), Repeat: Duration(100 * time.Millisecond),
		Keys: map[string]string{"KP9": "seat 2 pass", "KPDOT": ""}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := p.cfg.keyPlan()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.readKeys(t.Context(), r, plan) }()
	send := func(kind uint16, key string, value int32) {
		if _, err := w.Write(event(kind, keyCodes[key], value)); err != nil {
			t.Fatal(err)
		}
	}
	tap := func(key string, held time.Duration) {
		send(evKey, key, 1)
		send(0, "", 0) // a report ends
		time.Sleep(held)
		send(evKey, key, 2) // the keyboard's own repeat means nothing
		send(evKey, key, 0)
	}
	next := func() string {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		x, err := p.Next(ctx)
		if err != nil {
			return err.Error()
		}
		return x.Name + " " + x.Kind.String()
	}
	tap("KPMINUS", 0)
	tap("KP3", 0)
	tap("KPDOT", 0) // left away in the configuration
	tap("NUMLOCK", 0)
	tap("KP9", 0)
	want(t, []string{next(), next(), next()}, "pass short", "seat 3 cover short", "seat 2 pass short")
	send(evKey, "KP0", 1)
	want(t, []string{next()}, "seat 10 cover hold") // while it is still down
	send(evKey, "KP0", 0)
	send(evKey, "KPASTERISK", 1)
	want(t, []string{next()}, "bank long hold")
	send(evKey, "KPASTERISK", 0)
	tap("KPSLASH", 0)
	want(t, []string{next()}, "deal short")
	_ = w.Close() // unplugged
	if err := <-ended; err != io.EOF {
		t.Errorf("after the plug was pulled: %v", err)
	}
}

func TestKeypadMissing(t *testing.T) {
	if _, err := openKeypad("/dev/input/by-id/nothing"); err == nil {
		t.Error("a number pad that is not there was opened")
	}
}
