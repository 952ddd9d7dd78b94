package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// patience is how long a step waits for what it wants. It is long, because the
// guest is emulated; no step is faster for it.
const patience = 40 * time.Second

// betweenPresses is how soon a finger can come down again.
const betweenPresses = 70 * time.Millisecond

// runner works a script.
type runner struct {
	out     *bufio.Reader // what the program under test prints
	rest    string        // a line not ended yet
	pending []string      // its lines not asked for yet
	client  *http.Client
	base    string
	dice    *rand.Rand
	pad     *os.File
	feeder  *feeder
	since   time.Time     // when something was last done to a camera
	longest time.Duration // the longest bounce so far, as it came out
}

// script works the steps of a file, one a line:
//
//	press LINE [HELD [BOUNCE]]    a finger on a button: 80ms 0s unless said
//	down LINE, up LINE            half of that
//	bouncing LINE N HELD BOUNCE TEXT   N presses, each must print TEXT once
//	both LINE LINE                two fingers, the first one first
//	storm LINE GAP FOR            the line goes to and fro
//	edges N LINE                  that many edges as fast as possible, ending low
//	value LINE 0|1                wait for a lamp
//	expander ADDR PIN 0|1         the level outside a simulated expander's pin,
//	                              with its INT output on line 4
//	latch ADDR HEX                wait for what an expander's outputs drive
//	feed CAMERA FILE W H FPS      a clip is played into a loopback camera, or one at a network address …
//	until N                       … up to frame N, which is then shown again and again
//	stop, go                      the camera's pictures stop, and go on
//	vanish, serve                 a network camera cannot be reached, and can again
//	saw TEXT                      wait until a line with this was printed, with the time since the last step that does something to a camera
//	pad, unplug                   a USB number pad is plugged in, or pulled
//	key CODE HELD                 one of its keys, by the kernel's code
//	wait DURATION                 only to let time pass that must stay empty
//	want TEXT                     the next line printed, comments left out, is this
//	none                          nothing was printed since
//	skip                          forget what was printed so far
//	server URL                    the program's address
//	post JSON                     POST /api/actions, must be accepted
//	refused JSON                  POST /api/actions, must be refused
//	send PATH JSON                POST to another path
//	state JSON                    wait until /api/state contains this
//	timed LINE JSON               press, and time until /api/state contains this
//	write FILE TEXT               write into a file of /sys
//	run COMMAND                   the shell does this, and must succeed
func script(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("guest script FILE OUTPUT")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	out, err := os.Open(args[1])
	if err != nil {
		return err
	}
	jar, _ := cookiejar.New(nil)
	seed := rand.Uint64()
	r := &runner{out: bufio.NewReader(out), client: &http.Client{Jar: jar, Timeout: patience},
		dice: rand.New(rand.NewPCG(seed, 0))}
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := r.step(word, strings.TrimSpace(rest)); err != nil {
			return fmt.Errorf("%s:%d: %s: %w (seed %d)", filepath.Base(args[0]), n+1, line, err, seed)
		}
	}
	fmt.Println("SCRIPT PASS", filepath.Base(args[0]))
	return nil
}

func (r *runner) step(word, rest string) error {
	f := strings.Fields(rest)
	dur := func(i int, def time.Duration) (time.Duration, error) {
		if i >= len(f) {
			return def, nil
		}
		return time.ParseDuration(f[i])
	}
	need := func(n int) error {
		if len(f) < n {
			return fmt.Errorf("%s needs %d words", word, n)
		}
		return nil
	}
	switch word {
	case "press":
		held, err1 := dur(1, 80*time.Millisecond)
		bounce, err2 := dur(2, 0)
		if err := firstOf(need(1), err1, err2); err != nil {
			return err
		}
		edges := r.bounce(f[0], true, bounce)
		time.Sleep(held - bounce)
		edges += r.bounce(f[0], false, bounce)
		fmt.Printf("# pressed %s for %v: %d edges\n", f[0], held, edges)
		return pause(betweenPresses)
	case "bouncing":
		held, err1 := dur(2, 0)
		bounce, err2 := dur(3, 0)
		if err := firstOf(need(5), err1, err2); err != nil {
			return err
		}
		n := 0
		_, _ = fmt.Sscan(f[1], &n)
		return r.bouncing(f[0], n, held, bounce, strings.Join(f[4:], " "))
	case "down", "up":
		return firstOf(need(1), pull(f[0], word == "down"))
	case "both":
		if err := need(2); err != nil {
			return err
		}
		return firstOf(pull(f[0], true), pull(f[1], true), pause(80*time.Millisecond), pull(f[0], false), pull(f[1], false), pause(betweenPresses))
	case "storm":
		gap, err1 := dur(1, 0)
		long, err2 := dur(2, 0)
		if err := firstOf(need(3), err1, err2); err != nil {
			return err
		}
		n, down := 0, false
		for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(gap) {
			down = !down
			if err := pull(f[0], down); err != nil {
				return err
			}
			n++
		}
		fmt.Printf("STORM on %s: %d edges sent in %v\n", f[0], n, long)
		return pull(f[0], false)
	case "edges":
		if err := need(2); err != nil {
			return err
		}
		var n int
		_, _ = fmt.Sscan(f[0], &n)
		for i := range n {
			if err := pull(f[1], (n-i)%2 == 1); err != nil {
				return err
			}
		}
		return nil
	case "value":
		if err := need(2); err != nil {
			return err
		}
		var got string
		return await(func() error {
			b, err := os.ReadFile(simFile(f[0], "value"))
			if got = strings.TrimSpace(string(b)); err != nil || got != f[1] {
				return fmt.Errorf("value is %q, %v", got, err)
			}
			return nil
		})
	case "feed":
		if err := need(5); err != nil {
			return err
		}
		var err error
		r.feeder, err = feed(f[0], f[1], f[2:5])
		return err
	case "until":
		n := 0
		_, _ = fmt.Sscan(f[0], &n)
		return await(func() error { return r.feeder.until(n) })
	case "stop", "go":
		r.since = time.Now()
		r.feeder.stopped.Store(word == "stop")
		return nil
	case "vanish":
		r.since = time.Now()
		return r.feeder.network.vanish()
	case "serve":
		r.since = time.Now()
		return r.feeder.network.serve()
	case "saw":
		return await(func() error {
			r.fill()
			for i, line := range r.pending {
				if strings.Contains(line, rest) {
					r.pending = r.pending[i+1:]
					fmt.Printf("SAW %q %v after\n", rest, time.Since(r.since).Round(10*time.Millisecond))
					return nil
				}
			}
			return fmt.Errorf("it was not printed")
		})
	case "pad":
		var err error
		r.pad, err = plugPad()
		return err
	case "unplug":
		return r.pad.Close()
	case "key":
		held, err := dur(1, 80*time.Millisecond)
		code := 0
		_, _ = fmt.Sscan(f[0], &code)
		return firstOf(err, pressKey(r.pad, code, 1), pause(held), pressKey(r.pad, code, 0))
	case "expander":
		if err := need(3); err != nil {
			return err
		}
		return outside(rest)
	case "latch":
		return await(func() error {
			b, err := os.ReadFile(mcpSim + "latch")
			if err == nil && !strings.Contains(string(b), rest+"\n") {
				err = fmt.Errorf("the outputs are %q", b)
			}
			return err
		})
	case "wait":
		d, err := dur(0, 0)
		return firstOf(err, pause(d))
	case "want":
		return await(func() error {
			r.fill()
			if len(r.pending) == 0 {
				return fmt.Errorf("nothing was printed")
			}
			if got := r.pending[0]; got != rest {
				return final{fmt.Errorf("printed %q", got)}
			}
			r.pending = r.pending[1:]
			return nil
		})
	case "none":
		if r.fill(); len(r.pending) > 0 {
			return fmt.Errorf("printed %q", r.pending)
		}
		return nil
	case "skip":
		r.fill()
		r.pending = nil
		return nil
	case "server":
		r.base = rest
		return await(func() error {
			resp, err := r.client.Get(r.base + "/healthz")
			if err != nil {
				return err
			}
			_ = resp.Body.Close()
			return nil
		})
	case "post", "refused":
		code, body, err := r.send("/api/actions", rest)
		if err == nil && (code == 200) != (word == "post") {
			err = fmt.Errorf("answered %d %s", code, body)
		}
		return err
	case "send":
		path, body, _ := strings.Cut(rest, " ")
		code, answer, err := r.send(path, body)
		if err == nil && code != 200 {
			err = fmt.Errorf("answered %d %s", code, answer)
		}
		return err
	case "state":
		return r.state(rest)
	case "timed":
		line, want, _ := strings.Cut(rest, " ")
		start := time.Now()
		err := pull(line, true)
		if err == nil {
			err = r.state(want)
		}
		fmt.Printf("TIMED %v from the edge of %s to the state as a page sees it\n", time.Since(start).Round(100*time.Microsecond), line)
		return firstOf(err, pause(80*time.Millisecond), pull(line, false), pause(betweenPresses))
	case "write":
		r.since = time.Now()
		file, text, _ := strings.Cut(rest, " ")
		return os.WriteFile(file, []byte(text), 0)
	case "run":
		r.since = time.Now()
		c := exec.Command("/bin/sh", "-c", rest)
		c.Stdout, c.Stderr = os.Stdout, os.Stdout
		return c.Run()
	}
	return fmt.Errorf("no such step")
}

// state waits until /api/state contains the wanted members.
func (r *runner) state(text string) error {
	var want any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return err
	}
	return await(func() error {
		resp, err := r.client.Get(r.base + "/api/state")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		var got any
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err == nil && !contains(got, want) {
			err = fmt.Errorf("the state is %s", b)
		}
		return err
	})
}

func (r *runner) send(path, body string) (int, string, error) {
	req, err := http.NewRequest("POST", r.base+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := r.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(bytes.TrimSpace(b)), err
}

// contains says whether got holds everything of want: objects may have more
// members, all else is equal.
func contains(got, want any) bool {
	w, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(got, want)
	}
	g, ok := got.(map[string]any)
	for k, v := range w {
		if ok = ok && contains(g[k], v); !ok {
			return false
		}
	}
	return ok
}

// bouncing presses a button n times with a bounce at both ends, and wants one
// line printed for each. An emulated guest may be held up for so long that a
// bounce becomes a second press indeed; such a press is done again.
func (r *runner) bouncing(line string, n int, held, bounce time.Duration, text string) error {
	edges, spoilt := 0, 0
	for done := 0; done < n; {
		r.longest = 0
		edges += r.bounce(line, true, bounce)
		_ = pause(held - bounce)
		edges += r.bounce(line, false, bounce)
		_ = pause(betweenPresses)
		if r.longest > bounce+bounce/8 {
			if spoilt++; spoilt > 10*n {
				return fmt.Errorf("this guest is too slow to bounce: %v for %v", r.longest, bounce)
			}
			_ = pause(time.Second)
			r.fill()
			r.pending = nil
			continue
		}
		if err := r.step("want", text); err != nil {
			return err
		}
		if err := r.step("none", ""); err != nil {
			return err
		}
		done++
	}
	fmt.Printf("BOUNCED %s: %d edges, %d presses wanted and counted; %d presses that the guest held up left out\n", line, edges, n, spoilt)
	return nil
}

// bounce brings a line to a level, going to and fro on the way, and counts edges.
func (r *runner) bounce(line string, down bool, d time.Duration) (edges int) {
	start := time.Now()
	for at := down; time.Since(start) < d; at = !at {
		_ = pull(line, at)
		edges++
		time.Sleep(min(time.Duration(r.dice.Int64N(int64(3*time.Millisecond))), d-time.Since(start)))
	}
	_ = pull(line, down)
	r.longest = max(r.longest, time.Since(start))
	return edges + 1
}

// fill takes over what was printed meanwhile. Lines that begin with # are only
// for people.
func (r *runner) fill() {
	for {
		s, err := r.out.ReadString('\n')
		r.rest += s
		if err != nil {
			return
		}
		line := strings.TrimSuffix(r.rest, "\n")
		r.rest = ""
		fmt.Println("   |", line)
		if !strings.HasPrefix(line, "#") {
			r.pending = append(r.pending, line)
		}
	}
}

// final is an error that waiting does not mend.
type final struct{ error }

func await(f func() error) error {
	end := time.Now().Add(patience)
	for nap := time.Millisecond; ; nap = min(nap*9/8, 200*time.Millisecond) {
		err := f()
		if _, hopeless := err.(final); err == nil || hopeless || time.Now().After(end) {
			return err
		}
		time.Sleep(nap)
	}
}

func pause(d time.Duration) error { time.Sleep(d); return nil }

func firstOf(errs ...error) error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}

// simFile is a file of a simulated line, "17" or "chip:17".
func simFile(line, file string) string {
	chip, n, ok := strings.Cut(line, ":")
	if !ok {
		chip, n = "gpio-sim.0", line
	}
	found, _ := filepath.Glob("/sys/devices/platform/" + chip + "/gpiochip*/sim_gpio" + n + "/" + file)
	if len(found) == 0 {
		return "/no/simulated/line/" + line
	}
	return found[0]
}

// pull presses a button that pulls its line low, or lets it go.
func pull(line string, down bool) error {
	level := "pull-up"
	if down {
		level = "pull-down"
	}
	return os.WriteFile(simFile(line, "pull"), []byte(level), 0)
}

const mcpSim = "/sys/module/mcp_sim/parameters/"

// outside sets the level outside an expander's pin, and does what its INT
// output would do: pull line 4 low until the chip has been read.
func outside(pin string) error {
	if err := os.WriteFile(mcpSim+"pin", []byte(pin), 0); err != nil {
		return err
	}
	if err := pull("4", true); err != nil {
		return err
	}
	err := await(func() error {
		b, err := os.ReadFile(mcpSim + "int")
		if err == nil && strings.TrimSpace(string(b)) != "0" {
			err = fmt.Errorf("nobody reads the expander")
		}
		return err
	})
	return firstOf(err, pull("4", false))
}
