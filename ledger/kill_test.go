package ledger_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// TestMain lets this program stand in for one that hosts a night until it is
// killed (see TestKill).
func TestMain(m *testing.M) {
	if dir := os.Getenv("LEDGER_TEST_HOST"); dir != "" {
		seed, _ := strconv.ParseUint(os.Getenv("LEDGER_TEST_SEED"), 10, 64)
		if err := hostUntilKilled(dir, seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hostUntilKilled plays on and on, with readers beside it, and prints each entry
// once it was acknowledged.
func hostUntilKilled(dir string, seed uint64) error {
	ctx := context.Background()
	s, err := journal.Open(dir)
	if err != nil {
		return err
	}
	c, err := ledger.Open(ctx, s, ledger.Options{})
	if err != nil {
		return err
	}
	fmt.Println("opened", s.Torn(), c.Final().Seq)
	for range 2 {
		go func() {
			for {
				_, _ = s.Sessions(ctx)
				for range s.Entries(ctx, "latest", 0) {
				}
				_, next := c.Changed()
				<-next
			}
		}()
	}
	h := &host{rng: rand.New(rand.NewPCG(seed, 9))}
	a, err := game.Decode([]byte(opening))
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		if c.State().Seq > 0 {
			a = h.next(c.State().View)
		}
		r, err := c.Submit(ctx, ledger.Request{Action: a, Key: fmt.Sprint(seed, " ", i), From: "script"})
		if _, no := err.(*game.Refusal); no {
			continue
		}
		if err != nil {
			return err
		}
		fmt.Println(r.Seq, c.Final().Head)
	}
}

// TestKill kills a program that hosts a night, with signal 9, at any moment,
// again and again in the same folder. What was acknowledged is there each time,
// at most the one entry in flight with it, and all chips are somewhere.
// LANSQUENET_KILLS says how often; `make kills` asks for 300.
func TestKill(t *testing.T) {
	kills := 12
	if n, err := strconv.Atoi(os.Getenv("LANSQUENET_KILLS")); err == nil {
		kills = n
	}
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	dir, acked, inFlight, torn := "", 0, 0, 0
	for k := range kills {
		if k%40 == 0 { // a new night now and then, lest opening gets long
			dir = filepath.Join(t.TempDir(), "data")
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "LEDGER_TEST_HOST="+dir, fmt.Sprintf("LEDGER_TEST_SEED=%d", rng.Uint64()))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Killed after some acknowledgements, which may be none at all: then while
		// opening; and a moment later, which falls anywhere into a write.
		wait, moment := rng.IntN(80)-5, time.Duration(rng.IntN(3000))*time.Microsecond
		in := bufio.NewScanner(out)
		var seq, was uint64
		var head string
		if wait < 0 {
			time.Sleep(moment * 5)
			_ = cmd.Process.Kill()
		}
		for n := 0; in.Scan(); n++ {
			var cut int64
			if _, err := fmt.Sscan(in.Text(), &seq, &head); err == nil {
				acked++
			} else if _, err := fmt.Sscanf(in.Text(), "opened %d %d", &cut, &was); err == nil {
				if cut > 0 {
					torn++
				}
			} else {
				break // the last line was not finished
			}
			if n == wait {
				time.Sleep(moment)
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()

		s, err := journal.Open(dir)
		if err != nil {
			t.Fatalf("kill %d: %v", k+1, err)
		}
		if s.Torn() > 0 {
			torn++
		}
		if err := s.Check(context.Background()); err != nil {
			t.Fatalf("kill %d: %v", k+1, err)
		}
		if _, err := s.Session(context.Background(), "latest"); seq == 0 && err != nil {
			s.Close()
			continue // killed before the night was opened
		}
		list := s.Entries(context.Background(), "latest", 0)
		f, err := ledger.Verify(list, "")
		if err != nil {
			t.Fatalf("kill %d: %v", k+1, err)
		}
		if most := max(seq, was) + 1; f.Seq() < seq || seq > 0 && f.Seq() > most {
			t.Fatalf("kill %d: %d entries, %d were acknowledged", k+1, f.Seq(), seq)
		}
		if seq > 0 {
			inFlight += int(f.Seq() - max(seq, was))
		}
		for e := range list {
			if e.Seq == seq && e.Hash != head {
				t.Fatalf("kill %d: entry %d is not the one that was acknowledged", k+1, seq)
			}
		}
		conserved(t, list, 400000)
		c := openCroupier(t, s)
		if final(t, c.Final()) != final(t, f.Final()) {
			t.Fatalf("kill %d: opened to another state", k+1)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d entries acknowledged and all there, %d in flight kept, %d torn writes cut", kills, acked, inFlight, torn)
}
