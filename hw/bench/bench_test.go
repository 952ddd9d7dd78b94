// Package bench boots virtual machines in which a real kernel presses the buttons
// and pulls the cables of the real program; see README.md.
package bench

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// figures begin the lines of a guest's console that tell what it measured.
var figures = []string{"SCRIPT PASS", "SAW", "TIMED", "STORM", "BOUNCED", "CPU", "USED", "FAIL", "BENCH", "kernel", "FINAL", "ok   camera"}

// TestGuests builds the kernel and boots one guest after the other. It takes
// minutes and wants packages of Debian's, so that it only runs when it is asked to.
func TestGuests(t *testing.T) {
	if os.Getenv("LANSQUENET_BENCH") == "" {
		t.Skip("boots virtual machines for ten minutes: `make hwtest` does, and every CI")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Fatal("the kernel comes with apt-get, and this machine has none: run this on Debian or Raspberry Pi OS")
	}
	began := time.Now()
	run(t, "kernel", "sh", "kernel.sh", "amd64", "../../.cache/bench/amd64")
	for _, guest := range []string{"buttons", "night", "expander", "camera"} {
		if guest == "camera" && runtime.GOARCH != "amd64" {
			t.Log("camera: left out, because the guest needs this machine's OpenCV and is amd64")
			continue
		}
		run(t, guest, "sh", "run.sh", guest)
	}
	t.Logf("%v in all", time.Since(began).Round(time.Second))
}

// run does one step and shows what it measured, or, when it failed, all it said.
func run(t *testing.T, step string, command ...string) {
	t.Run(step, func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = cmd.Stdout
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		lines := bufio.NewScanner(io.TeeReader(out, &all))
		for lines.Scan() {
			line := lines.Text()
			if _, after, stamped := strings.Cut(line, "] "); stamped && strings.HasPrefix(line, "[") {
				line = after
			}
			for _, f := range figures {
				if strings.HasPrefix(line, f) {
					t.Log(line)
				}
			}
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v after %v:\n%s", err, time.Since(began).Round(time.Second), all.String())
		}
	})
}
