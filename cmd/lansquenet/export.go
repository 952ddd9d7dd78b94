package main

import (
	"context"
	"errors"
	"fmt"

	"lansquenet/ledger"
	"lansquenet/ledger/journal"
)

// runExport writes a night to standard output, or what is whole of it.
func runExport(ctx context.Context, t terminal, args []string) error {
	fset := flags(t, "export")
	dir := dataFlag(fset)
	salvage := fset.Bool("salvage", false, "write what is whole of a damaged night, and say what is missing")
	rest, err := parse(fset, args, 1, 1)
	if err != nil {
		return err
	}
	if *salvage {
		return runSalvage(t, *dir, rest[0])
	}
	s, err := openRead(*dir)
	if err != nil {
		return err
	}
	defer s.Close()
	err = ledger.Export(ctx, s, rest[0], t.out)
	var d *journal.Damage
	switch {
	case errors.Is(err, journal.ErrNoSession):
		return fmt.Errorf("there is no night %q in %s; `lansquenet sessions` lists them", rest[0], *dir)
	case errors.As(err, &d):
		return fmt.Errorf("%w; the entries before it were written, `export --salvage` looks for those after it", err)
	}
	return err
}

// runSalvage writes the entries that are whole and says which are not. It ends
// with exit code 1 when some are missing.
func runSalvage(t terminal, dir, id string) error {
	s, err := journal.Salvage(dir, id)
	if err != nil {
		return err
	}
	for _, e := range s.Entries {
		line, err := e.AppendLine(nil)
		if err != nil {
			return err
		}
		if _, err := t.out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	fmt.Fprintf(t.err, "night %s: %d entries are whole\n", s.Session, len(s.Entries))
	for _, gap := range s.Missing {
		fmt.Fprintf(t.err, "missing: seq %d to %d\n", gap[0], gap[1])
	}
	if len(s.Missing) > 0 {
		return errReported
	}
	return nil
}
