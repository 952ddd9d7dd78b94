package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// command is one subcommand: how it is called, what it does in a line, and the
// function that does it. An error from run is one sentence that names the thing
// at fault and says what to do; misuse makes it exit code 2.
type command struct {
	name, args, does string
	run              func(ctx context.Context, t terminal, args []string) error
}

// commands is the table of all subcommands in the order of `lansquenet help`.
// It is filled by init because the help of a command looks itself up in it.
var commands []command

func init() {
	commands = slices.Concat(nightCommands, gameCommands, seeCommands, journalCommands, machineCommands, hwCommands)
}

// usage lists the commands.
func usage(w io.Writer) {
	fmt.Fprint(w, "Lansquenet, Skin and Zecchinetta with real cards at a real table.\n\n"+
		"Usage: lansquenet COMMAND [flags]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.does)
	}
	fmt.Fprint(w, "\n`lansquenet COMMAND -h` shows a command's flags.\n")
}

// flags starts the flag set of the named command; its -h prints how the command
// is called, what it does and its flags.
func flags(t terminal, name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // parse says what is wrong, once
	fs.Usage = func() {
		c := commands[slices.IndexFunc(commands, func(c command) bool { return c.name == name })]
		fmt.Fprintf(t.out, "Usage: lansquenet %s\n\n%s\n", strings.TrimSpace(name+" "+c.args), c.does)
		first := true
		fs.VisitAll(func(f *flag.Flag) {
			if first {
				fmt.Fprintln(t.out)
				first = false
			}
			arg, text := flag.UnquoteUsage(f)
			left := strings.TrimSpace("--" + f.Name + " " + arg)
			if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
				text += " (default " + f.DefValue + ")"
			}
			fmt.Fprintf(t.out, "  %-20s %s\n", left, text)
		})
	}
	return fs
}

// parse reads flags wherever they stand, before or after the other arguments,
// and returns those others; there must be at least min and, unless max is
// negative, at most max of them. A single "-" is an argument, and everything
// after "--" is.
func parse(fs *flag.FlagSet, args []string, min, max int) ([]string, error) {
	// The flag package prints the usage after every mistake too; there it would
	// land among the output that somebody's program reads.
	help := fs.Usage
	fs.Usage = func() {}
	var rest []string
	for len(args) > 0 {
		if err := fs.Parse(args); err == flag.ErrHelp {
			help()
			return nil, err
		} else if err != nil {
			return nil, misuse("%w", err)
		}
		left := fs.Args()
		if ended := len(args) > len(left) && args[len(args)-len(left)-1] == "--"; ended {
			rest = append(rest, left...)
			break
		}
		if len(left) == 0 {
			break
		}
		rest, args = append(rest, left[0]), left[1:]
	}
	if len(rest) < min {
		return nil, misuse("something is missing after %q", fs.Name())
	}
	if max >= 0 && len(rest) > max {
		return nil, misuse("%q is too much", rest[max])
	}
	return rest, nil
}
