package main

import (
	"context"
	"fmt"

	"lansquenet/ledger"
)

// runVerify checks a night, or all of them, and the database they lie in.
func runVerify(ctx context.Context, t terminal, args []string) error {
	fset := flags(t, "verify")
	dir := dataFlag(fset)
	head := fset.String("head", "", "the `HASH` that was noted when the night was closed")
	rest, err := parse(fset, args, 0, 1)
	if err != nil {
		return err
	}
	arg := ""
	if len(rest) > 0 {
		arg = rest[0]
	} else if *head != "" {
		return misuse("--head belongs to one night; name it, or say latest")
	}
	n, err := find(ctx, t, *dir, arg)
	if err != nil {
		return err
	}
	defer n.close()
	bad := false
	if n.store != nil && len(rest) == 0 || n.store != nil && len(n.list) > 1 {
		if err := n.store.Check(ctx); err != nil {
			bad = true
			fmt.Fprintln(t.err, oneLine(err))
		}
	}
	for _, night := range n.list {
		f, err := ledger.Verify(n.entries(ctx, night), *head)
		if err == nil && n.store != nil && f.Seq() < night.Entries {
			err = fmt.Errorf("seq %d: missing: the journal lists %d entries", f.Seq()+1, night.Entries)
		}
		if err != nil {
			bad = true
			fmt.Fprintf(t.err, "night %s: %s\n", night.ID, oneLine(err))
			continue
		}
		fmt.Fprintf(t.out, "%s  %s  %d entries\n", f.Head(), f.Meta().Session, f.Seq())
	}
	if bad {
		return errReported
	}
	return nil
}
