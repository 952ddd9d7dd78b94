// Guest is the bench's hand inside the guest: it presses buttons of simulated
// chips, looks at lamps, talks to the program and checks what comes of it.
//
//	guest watch -config FILE     opens a panel, prints what it reports
//	guest tap ADDRESS            stands in for rpicam-vid
//	guest script FILE OUTPUT     works a script, reading OUTPUT of what it tests
//
// A script has one step a line; see script.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"

	"lansquenet/hw"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "guest watch|tap|script …")
		os.Exit(2)
	}
	var err error
	switch os.Args[1] {
	case "watch":
		err = watch(os.Args[2:])
	case "tap":
		err = tap(os.Args[2:])
	case "script":
		err = script(os.Args[2:])
	default:
		err = fmt.Errorf("guest: no command %q", os.Args[1])
	}
	if err != nil {
		fmt.Println("FAIL", err)
		os.Exit(1)
	}
}

// watch opens a panel and prints every press, trouble and recovery.
func watch(args []string) error {
	fs := flag.NewFlagSet("watch", flag.ExitOnError)
	file := fs.String("config", "", "TOML file with the panel's configuration")
	turn := fs.Int("turn", 0, "seat in turn, for the lamps")
	_ = fs.Parse(args)
	var cfg hw.Config
	if _, err := toml.DecodeFile(*file, &cfg); err != nil {
		return err
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	p, err := hw.Open(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	start := time.Now()
	p.Show(hw.Table{Turn: *turn, Seats: max(cfg.Seats, *turn)})
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	go func() {
		known := map[string]hw.Trouble{}
		for {
			list, next := p.Troubles()
			now := map[string]hw.Trouble{}
			for _, t := range list {
				now[t.Name] = t
				if known[t.Name] != t {
					fmt.Printf("TROUBLE %s %s\n# %s\n", t.Code, t.Name, t.Says)
				}
			}
			for n := range known {
				if _, still := now[n]; !still {
					fmt.Printf("WELL %s\n", n)
				}
			}
			known = now
			<-next
		}
	}()
	var ready, busy time.Duration
	go func() {
		time.Sleep(time.Second)
		ready, busy = time.Since(start), processor()
		fmt.Println("READY")
	}()
	for {
		x, err := p.Next(ctx)
		if err != nil {
			break
		}
		times := ""
		if x.Times > 1 {
			times = fmt.Sprintf(" ×%d", x.Times)
		}
		fmt.Printf("PRESS %s %s%s\n# %v after its first edge was seen\n", x.Name, x.Kind, times, (time.Since(start) - x.At).Round(100*time.Microsecond))
	}
	<-ended
	fmt.Printf("CPU %.2f %% of a core, over %v\n", 100*float64(processor()-busy)/float64(time.Since(start)-ready),
		(time.Since(start) - ready).Round(time.Millisecond))
	return nil
}

// processor is how much processor time this program has used.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
