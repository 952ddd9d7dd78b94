package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/ledger/say"
	"lansquenet/ledger/script"
	"lansquenet/ledger/table"
)

// runPlay plays a script. A line that is no JSON object is refused like an
// action that may not be, and the rest is played; but the script has a fault,
// which is told on standard error and makes the command fail. A file is read
// through before anything of it is played, so that an expectation that cannot be
// expected leaves the journal as it was, and so does, where a night is kept, a
// line that is no JSON object; what comes through a pipe is played line by line
// as it comes.
func runPlay(ctx context.Context, t terminal, args []string) (err error) {
	fs := flags(t, "play")
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	strict := fs.Bool("strict", false, "stop at the first action that is refused")
	data := fs.String("data", "", "keep the night in the journal of the folder `DIR`; left out, it is not kept")
	rest, err := parse(fs, args, 1, 1)
	if err != nil {
		return err
	}
	o := script.Options{Strict: *strict, Say: say.In("en").Say}
	o.Each = o.Text(t.out)
	if *asJSON {
		o.Each = o.JSON(t.out)
	}

	in := t.in
	if name := rest[0]; name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("the script cannot be read: %w", err)
		}
		defer f.Close()
		if fi, err := f.Stat(); err == nil && fi.Mode().IsRegular() {
			if err := script.Check(f, *data != "", o.Say); err != nil {
				return wrongLine(t, *asJSON, fmt.Errorf("%s: %w; nothing was played", name, err))
			}
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				return fmt.Errorf("the script cannot be read again: %w", err)
			}
		}
		in = f
	}

	night := &scripted{data: *data}
	defer func() { err = errors.Join(err, night.close()) }()
	tally, err := script.Run(ctx, script.NewReader(in), night, o)
	var stopped *script.Stopped
	if err != nil && !errors.As(err, &stopped) {
		return wrongLine(t, *asJSON, err)
	}
	// A script that was stopped by a refusal still says where the table stands.
	final := night.Final()
	if *asJSON {
		err = errors.Join(err, script.PrintFinal(t.out, final))
	} else if f, ok := final.(ledger.Final); ok {
		err = errors.Join(err, printFinal(t.out, f))
	}
	if err != nil {
		return err
	}
	faults := append(tally.Broken, tally.Unmet...)
	for _, f := range faults {
		fmt.Fprintf(t.err, "lansquenet play: %s\n", f)
	}
	if len(faults) > 0 {
		return errReported
	}
	return nil
}

// wrongLine puts a line that no table can be asked about among the results of
// the others, and is the error that ends the play.
func wrongLine(t terminal, asJSON bool, err error) error {
	var w *script.Wrong
	if !asJSON || !errors.As(err, &w) {
		return err
	}
	line := script.Step{Line: w.N, Refusal: &game.Refusal{Code: "bad_script", Field: w.Field}}
	print := script.Options{Say: func(game.Message) string { return w.Why }}.JSON(t.out)
	return errors.Join(err, print(line))
}

// printFinal says for people how the table stands.
func printFinal(w io.Writer, f ledger.Final) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s, phase %s, %s has the bank, decided coups: %d\n", f.Game, f.Phase, f.Banker, f.Coups)
	for _, name := range slices.Sorted(maps.Keys(f.Chips)) {
		fmt.Fprintf(&b, "  %-20s %6d", name, f.Chips[name])
		if n := f.Stakes[name]; n > 0 {
			fmt.Fprintf(&b, "  and %d posted", n)
		}
		b.WriteByte('\n')
	}
	if f.Bank > 0 {
		fmt.Fprintf(&b, "  %-20s %6d\n", "in the bank", f.Bank)
	}
	if len(f.Winners) > 0 {
		fmt.Fprintf(&b, "  won by %s\n", strings.Join(f.Winners, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// scripted is the table of a script: a Croupier, opened with the first action.
// A script that begins with `open` begins a night of its own; any other carries
// on the last night of the journal.
type scripted struct {
	data     string
	store    journal.Store
	croupier *ledger.Croupier
}

// Apply sends an action through the Croupier's door.
func (s *scripted) Apply(ctx context.Context, a game.Action) (script.Done, error) {
	if s.croupier == nil {
		if err := s.open(ctx, a.Do == "open"); err != nil {
			return script.Done{}, err
		}
	}
	r, err := s.croupier.Submit(ctx, ledger.Request{Action: a, From: "script"})
	if err != nil {
		return script.Done{}, err
	}
	return script.Done{Seq: r.Seq, Phase: r.Phase, Turn: r.Turn, Told: r.Outcome.Told}, nil
}

func (s *scripted) open(ctx context.Context, anew bool) error {
	s.store = journal.NewMem()
	if s.data != "" {
		disk, err := journal.Open(s.data)
		if err != nil {
			return err
		}
		s.store = disk
	}
	var err error
	s.croupier, err = ledger.Open(ctx, s.store, ledger.Options{Program: built, Anew: anew})
	return err
}

// Final is the contract's final object, an empty one for a script without
// actions.
func (s *scripted) Final() any {
	if s.croupier == nil {
		return ledger.Final{Final: table.Table{}.Final()}
	}
	return s.croupier.Final()
}

func (s *scripted) close() error {
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}
