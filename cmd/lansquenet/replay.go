package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/ledger/say"
	"lansquenet/ledger/script"
)

// runReplay plays a night again, at once or in its own time.
func runReplay(ctx context.Context, t terminal, args []string) error {
	fset := flags(t, "replay")
	dir := dataFlag(fset)
	asJSON := fset.Bool("json", false, "print one JSON object an entry, and the final object last")
	speed := fset.Float64("speed", 0, "`X` times as fast as it was played; 0 is at once")
	rest, err := parse(fset, args, 1, 1)
	if err != nil {
		return err
	}
	if *speed < 0 {
		return misuse("--speed %v: it is 0 for at once, 1 as it was, 10 for ten times as fast", *speed)
	}
	n, err := find(ctx, t, *dir, rest[0])
	if err != nil {
		return err
	}
	defer n.close()
	if len(n.list) == 0 {
		return errNoJournal(*dir)
	}
	night := n.list[len(n.list)-1]
	marks, err := n.marks(ctx, night)
	if err != nil {
		return err
	}
	show := replayText(t.out)
	if *asJSON {
		show = replayJSON(t.out)
	}
	var last time.Time
	var f *ledger.Fold
	for s, err := range ledger.Replay(n.entries(ctx, night)) {
		if err != nil {
			return fmt.Errorf("night %s: %w", night.ID, err)
		}
		if err := pause(ctx, last, s.Entry.At, *speed); err != nil {
			return err
		}
		last, f = s.Entry.At, s.Fold
		k := 0 // the marks before the next entry
		for k < len(marks) && marks[k].Seq <= s.Entry.Seq {
			k++
		}
		if err := show(s, marks[:k]); err != nil {
			return err
		}
		marks = marks[k:]
	}
	if f == nil {
		return fmt.Errorf("night %s has no entries", night.ID)
	}
	return script.PrintFinal(t.out, f.Final())
}

// longest is the longest wait between two entries, at any speed: a night's
// supper, or a clock that was set, is not played again.
const longest = 5 * time.Second

func pause(ctx context.Context, last, next time.Time, speed float64) error {
	if speed == 0 || last.IsZero() {
		return ctx.Err()
	}
	wait := min(time.Duration(float64(next.Sub(last))/speed), longest)
	if wait <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

func replayText(w io.Writer) func(ledger.Step, []journal.Mark) error {
	speak := say.In("en")
	coup := 0
	const line = "%5s  %s  %-12s %s\n"
	clock := func(at time.Time) string { return at.Local().Format("15:04:05") }
	return func(s ledger.Step, marks []journal.Mark) error {
		if now := s.Fold.Table.Begun(); now != coup {
			coup = now
			fmt.Fprintf(w, "coup %d\n", coup)
		}
		var told []string
		for _, m := range s.Outcome.Told {
			told = append(told, speak.Say(m))
		}
		_, err := fmt.Fprintf(w, line, strconv.FormatUint(s.Entry.Seq, 10), clock(s.Entry.At), s.Entry.Action.Do, strings.Join(told, " "))
		for _, m := range marks {
			if err == nil {
				_, err = fmt.Fprintf(w, line, "", clock(m.At), "(camera)", m.Note)
			}
		}
		return err
	}
}

// markJSON is what became of the camera after an entry.
type markJSON struct {
	At   time.Time `json:"at"`
	Lost bool      `json:"lost"`
	Note string    `json:"note"`
}

func replayJSON(w io.Writer) func(ledger.Step, []journal.Mark) error {
	speak := say.In("en")
	return func(s ledger.Step, marks []journal.Mark) error {
		v := s.Fold.Table.View()
		told := []string{}
		for _, m := range s.Outcome.Told {
			told = append(told, speak.Say(m))
		}
		var camera []markJSON
		for _, m := range marks {
			camera = append(camera, markJSON{m.At, m.Lost, m.Note})
		}
		return script.Encode(w, struct {
			Seq    uint64      `json:"seq"`
			At     time.Time   `json:"at"`
			Action game.Action `json:"action"`
			Phase  game.Phase  `json:"phase"`
			Turn   string      `json:"turn"`
			Told   []string    `json:"told"`
			Camera []markJSON  `json:"camera,omitempty"`
		}{s.Entry.Seq, s.Entry.At, s.Entry.Action, v.Phase, v.Turn, told, camera})
	}
}
