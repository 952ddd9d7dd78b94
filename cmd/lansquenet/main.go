// Command lansquenet is referee and bookkeeper at a table where Lansquenet,
// Skin or Zecchinetta is played with real cards: a camera over the shoe reads
// the cards, buttons and pages say who covers, a pure engine moves the chips
// and a journal remembers everything.
//
// This package promises one program with one table of subcommands (commands.go)
// and nothing but flags and wiring in it. How a card is read lives in vision,
// how a button is read in hw, what a card does in ledger, what it looks like in
// web.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/ledger/say"
)

// The exit codes of every subcommand.
const (
	done    = 0
	failed  = 1
	misused = 2
)

func main() {
	// The first Ctrl-C or SIGTERM asks everything to finish; once it has been
	// heard, a second one kills, so that nobody is held up by a stuck camera.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], terminal{os.Stdin, os.Stdout, os.Stderr}))
}

// terminal is what a subcommand reads from and writes to.
type terminal struct {
	in       io.Reader
	out, err io.Writer
}

// run picks the subcommand and turns its error into one line and an exit code.
func run(ctx context.Context, args []string, t terminal) int {
	if len(args) == 0 {
		usage(t.err)
		return misused
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-h", "--help", "-help", "help":
		if name == "help" && len(rest) > 0 {
			name, rest = rest[0], []string{"--help"}
			break
		}
		usage(t.out)
		return done
	case "--version", "-version":
		name = "version"
	}
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		fmt.Fprintf(t.err, "lansquenet: there is no command %q; `lansquenet help` lists them\n", name)
		return misused
	}
	err := commands[i].run(ctx, t, rest)
	var wrong *usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return done
	case errors.Is(err, errReported):
		return failed
	case errors.As(err, &wrong):
		fmt.Fprintf(t.err, "lansquenet %s: %s; `lansquenet %s -h` shows how\n", name, oneLine(err), name)
		return misused
	}
	fmt.Fprintf(t.err, "lansquenet %s: %s\n", name, oneLine(err))
	return failed
}

// oneLine keeps the promise that an error is one sentence on one line, and in
// words: a refusal by itself knows but its code.
func oneLine(err error) string {
	text, no := err.Error(), game.RefusalIn(err)
	var damage *journal.Damage
	if errors.As(err, &damage) {
		no = damage.No
	}
	if no != nil {
		text = strings.Replace(text, no.Error(), say.In("en").Say(no.Message), 1)
	}
	return strings.Join(strings.Fields(text), " ")
}

// errReported ends a subcommand with exit code 1 when it has already said, on
// its own output, what is wrong: `verify` and `classify` do so.
var errReported = errors.New("reported")

// usageError is a wrong way of calling: exit code 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// misuse builds a usageError.
func misuse(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}
