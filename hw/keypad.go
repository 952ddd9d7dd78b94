package hw

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Key codes of linux/input-event-codes.h that a number pad has.
var keyCodes = map[string]uint16{
	"KP0": 82, "KP1": 79, "KP2": 80, "KP3": 81, "KP4": 75, "KP5": 76, "KP6": 77, "KP7": 71, "KP8": 72, "KP9": 73,
	"KPENTER": 96, "KPPLUS": 78, "KPMINUS": 74, "KPASTERISK": 55, "KPSLASH": 98, "KPDOT": 83, "KPCOMMA": 121,
	"KPEQUAL": 117, "BACKSPACE": 14, "NUMLOCK": 69, "TAB": 15, "ESC": 1, "ENTER": 28, "SPACE": 57,
}

// usualKeys is the number pad's plan: the digits are the seats, the rest acts
// for the seat in turn as the console does.
func usualKeys() map[string]Button {
	m := map[string]Button{
		"KPENTER":    {Name: "cover", Job: Cover, means: meaning{counts: true}},
		"KPPLUS":     {Name: "banco", Job: Banco},
		"KPMINUS":    {Name: "pass", Job: Pass},
		"KPASTERISK": {Name: "bank", Job: Bank, means: meaning{long: true}},
		"KPSLASH":    {Name: "deal", Job: Deal},
		"BACKSPACE":  {Name: "undo", Job: Undo},
		"KPDOT":      {Name: "undo", Job: Undo},
	}
	for n := 1; n <= MaxSeats; n++ {
		m["KP"+strconv.Itoa(n%10)] = Button{Name: SeatLamp(n) + " cover", Job: Cover, Seat: n, means: meaning{hold: true}}
	}
	return m
}

// keyPlan is which key is which button, by code.
func (c Config) keyPlan() (map[uint16]Button, error) {
	plan := usualKeys()
	byName := map[string]Button{}
	for _, b := range plan {
		byName[b.Name] = b
	}
	for n := 1; n <= MaxSeats; n++ {
		b := Button{Name: SeatLamp(n) + " pass", Job: Pass, Seat: n, means: meaning{hold: true}}
		byName[b.Name] = b
	}
	for _, key := range slices.Sorted(maps.Keys(c.Keys)) {
		if keyCodes[key] == 0 {
			return nil, fmt.Errorf("hw: keys: no key %q; there are %s", key, strings.Join(slices.Sorted(maps.Keys(keyCodes)), " "))
		}
		name := c.Keys[key]
		b, ok := byName[name]
		if !ok && name != "" {
			return nil, fmt.Errorf("hw: keys: %s = %q: no such button", key, name)
		}
		plan[key] = b
	}
	codes := map[uint16]Button{}
	for key, b := range plan {
		if b.Name != "" {
			b.Line = "key " + key
			codes[keyCodes[key]] = b
		}
	}
	return codes, nil
}

// padRetry is how often a number pad that is not plugged in is looked for.
const padRetry = 2 * time.Second

// runKeypad reads the number pad until the context ends, and finds it again
// after it was unplugged.
func (p *Panel) runKeypad(ctx context.Context) {
	plan, err := p.cfg.keyPlan()
	if err != nil {
		return // refused by Open
	}
	for ctx.Err() == nil {
		f, err := openKeypad(p.cfg.Keypad)
		if err == nil {
			p.clear("number pad")
			stop := context.AfterFunc(ctx, func() { _ = f.Close() })
			err = p.readKeys(ctx, f, plan)
			stop()
			_ = f.Close()
			if ctx.Err() != nil {
				return
			}
		}
		p.tell(padTrouble(err))
		sleep(ctx, padRetry)
	}
}

// padTrouble puts into words why there is no number pad.
func padTrouble(err error) Trouble {
	says := "The number pad is not there: plug it in; it is found by itself."
	if errors.Is(err, fs.ErrPermission) {
		says = "This user may not read the number pad: add it to the group input (sudo usermod -aG input USER) and log in again."
	}
	return Trouble{"keypad", "number pad", says}
}

// inputEvent is what the kernel reports of a key (struct input_event): two
// words of time, then type, code and value.
const (
	eventWord = strconv.IntSize / 8
	eventSize = 2*eventWord + 8
	evKey     = 1
)

type keyEvent struct {
	code  uint16
	value int32 // 0 up, 1 down, 2 held
}

// keyEvents reads key events until the device is gone.
func keyEvents(r io.Reader, each func(keyEvent)) error {
	b := make([]byte, 64*eventSize)
	for {
		n, err := io.ReadAtLeast(r, b, eventSize)
		if err != nil {
			return err
		}
		for e := b[:n]; len(e) >= eventSize; e = e[eventSize:] {
			v := e[2*eventWord:]
			if binary.NativeEndian.Uint16(v) == evKey {
				each(keyEvent{binary.NativeEndian.Uint16(v[2:]), int32(binary.NativeEndian.Uint32(v[4:]))})
			}
		}
	}
}

// readKeys turns keys into presses. Keyboards debounce for themselves; holds
// and repeats are timed here, so that they are the same as a button's.
func (p *Panel) readKeys(ctx context.Context, f io.Reader, plan map[uint16]Button) error {
	events := make(chan keyEvent, 16)
	failed := make(chan error, 1)
	go func() {
		failed <- keyEvents(f, func(e keyEvent) {
			select {
			case events <- e:
			case <-ctx.Done():
			}
		})
	}()
	down := map[uint16]*gesture{}
	emit := func(code uint16, ps []press) {
		for _, x := range ps {
			if x.kind == counted {
				p.click()
			} else {
				p.send(ctx, plan[code].press(x))
			}
		}
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		next := never
		for _, g := range down {
			next = min(next, g.next())
		}
		if next == never {
			timer.Reset(time.Hour)
		} else {
			timer.Reset(max(next-p.now(), 0))
		}
		select {
		case e := <-events:
			b, known := plan[e.code]
			now := p.now()
			switch {
			case !known:
			case e.value == 1:
				g := &watch(b, p.cfg).gesture
				down[e.code] = g
				emit(e.code, g.feed(now, wentDown, now))
			case e.value == 0 && down[e.code] != nil:
				emit(e.code, down[e.code].feed(now, wentUp, 0))
				delete(down, e.code)
			}
		case <-timer.C:
			for code, g := range down {
				emit(code, g.tick(p.now()))
			}
		case err := <-failed:
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// openKeypad opens a device by its name, or for "auto" the first keyboard that
// has a number pad and no letters.
func openKeypad(name string) (*os.File, error) {
	if name != "auto" {
		f, err := openEvents(name)
		if err != nil {
			return nil, fmt.Errorf("hw: number pad: %w", err)
		}
		grab(f)
		return f, nil
	}
	nodes, _ := filepath.Glob("/dev/input/event*")
	slices.SortFunc(nodes, func(a, b string) int { return len(a)*100 - len(b)*100 + strings.Compare(a, b) })
	err := error(fs.ErrNotExist)
	for _, n := range nodes {
		f, e := openEvents(n)
		if e != nil {
			if errors.Is(e, fs.ErrPermission) {
				err = e
			}
			continue
		}
		has := keysOf(f)
		if has(keyCodes["KP1"]) && has(keyCodes["KPENTER"]) && !has(keyQ) {
			grab(f)
			return f, nil
		}
		_ = f.Close()
	}
	return nil, fmt.Errorf("hw: number pad: %w", err)
}

const keyQ = 16
