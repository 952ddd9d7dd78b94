// Package house wires one night: frames go through the reader to the table,
// presses and pages go to the table, and what the table then looks like goes to
// the lamps and the pages. It promises that `run` and `demo` share every line
// but the source of frames and presses, that a card the reader is not sure of
// waits for the host and every later one behind it, and that one part's trouble
// is said in a sentence and stops no other part.
//
// It leaves what a card does to ledger, what it looks like to vision, and which
// press means what to console.
package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"lansquenet/hw"
	"lansquenet/ledger"
	"lansquenet/ledger/game"
)

// Lamps shows the table on whatever is soldered to it; *hw.Panel does.
type Lamps interface{ Show(hw.Table) }

// Meaning turns a press into what it asks of the table as it stands; false when
// it means nothing now.
type Meaning func(game.View, hw.Press) (ledger.Request, bool)

// Parts are what a night is made of. Croupier alone is needed; whatever else is
// nil is not there.
type Parts struct {
	Croupier *ledger.Croupier
	Camera   *Camera
	Buttons  hw.Buttons
	Meaning  Meaning
	Lamps    Lamps
	Also     []func(context.Context) error // further parts that run until the context ends

	Listener net.Listener // already listening, so that a port in use is known at once
	Handler  http.Handler // the pages
	Closing  func()       // ends the pages' streams, so that a shutdown need not wait for them

	// Over is called when the camera's pictures have come to an end. A demo ends
	// the night then; nil: the night goes on and the host enters the cards.
	Over func()
	Log  *slog.Logger
}

// Run hosts the night until the context ends or a part fails for good. It
// returns nil when the context ended.
func Run(ctx context.Context, p Parts) error {
	g, ctx := errgroup.WithContext(ctx)
	if p.Camera != nil {
		g.Go(func() error {
			err := p.Camera.Run(ctx)
			if errors.Is(err, io.EOF) {
				if p.Over != nil {
					p.Over()
				} else {
					p.Log.Warn("the camera's pictures have come to an end; the host enters the cards now")
				}
				return nil
			}
			return err
		})
	}
	if p.Buttons != nil {
		g.Go(func() error { return p.press(ctx) })
	}
	if p.Lamps != nil {
		g.Go(func() error { return p.light(ctx) })
	}
	for _, part := range p.Also {
		g.Go(func() error { return part(ctx) })
	}
	g.Go(func() error { return p.Croupier.KeepTime(ctx) })
	if p.Listener != nil && p.Camera != nil {
		g.Go(func() error { return p.Camera.Glance(ctx) })
	}
	if p.Listener != nil {
		p.serve(ctx, g)
	}
	g.Go(func() error { return p.stopped(ctx) })
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// stopped ends the night when the journal cannot be written any more: systemd
// starts it again, and then it either works or says why not.
func (p Parts) stopped(ctx context.Context) error {
	for {
		_, next := p.Croupier.Changed()
		if err := p.Croupier.State().Trouble; err != nil {
			return err
		}
		select {
		case <-next:
		case <-ctx.Done():
			return nil
		}
	}
}

// press takes presses to the table. A refusal is no error: the page says why.
func (p Parts) press(ctx context.Context) error {
	for {
		press, err := p.Buttons.Next(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("buttons: %w", err)
		}
		st := p.Croupier.State()
		req, ok := p.Meaning(st.View, press)
		if !ok {
			p.Log.Info("a press that means nothing now", "button", press.Name, "phase", st.View.Phase)
			continue
		}
		if req.Seq == nil {
			req.Seq = &st.Seq // what the finger was looking at
		}
		var no *game.Refusal
		switch _, err := p.Croupier.Submit(ctx, req); {
		case errors.As(err, &no), errors.Is(err, ledger.ErrStale):
			p.Log.Info("a press was refused", "button", press.Name, "do", req.Action.Do, "why", err)
		case errors.Is(err, ledger.ErrStopped), ctx.Err() != nil:
			return nil // stopped says it
		case err != nil:
			return fmt.Errorf("button %s: %w", press.Name, err)
		}
	}
}

// light keeps the lamps true.
func (p Parts) light(ctx context.Context) error {
	for {
		_, next := p.Croupier.Changed()
		asks := (<-chan struct{})(nil)
		asking := false
		if p.Camera != nil {
			asks = p.Camera.Changed()
			asking = p.Camera.View().Unsure != nil
		}
		p.Lamps.Show(Lit(p.Croupier.State().View, asking))
		select {
		case <-next:
		case <-asks:
		case <-ctx.Done():
			return nil
		}
	}
}

// Lit is what the lamps have to know of a table, and whether the host is asked
// about a card.
func Lit(v game.View, asking bool) hw.Table {
	t := hw.Table{CardDue: v.CardDue && !asking, Ask: asking, Closed: v.Phase == game.Closed}
	for _, s := range v.Seats {
		if s.Left {
			continue
		}
		t.Seats++
		if s.Name == v.Turn {
			t.Turn = t.Seats
		}
	}
	// A result stays lit until the next bank is posted, as its cards stay.
	if v.Phase == game.Bank || v.Phase == game.Decide || v.Phase == game.Sale || v.Phase == game.HandOver {
		switch v.Result {
		case "bank", "doublet":
			t.Won = "bank"
		case "punters":
			t.Won = "punters"
		}
	}
	return t
}

// serve answers the pages until the context ends.
func (p Parts) serve(ctx context.Context, g *errgroup.Group) {
	// No write time-out: a stream lives all night, and the pages' handlers set
	// deadlines of their own.
	s := &http.Server{Handler: p.Handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10, ErrorLog: slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug)}
	g.Go(func() error {
		if err := s.Serve(p.Listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("pages: %w", err)
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		if p.Closing != nil {
			p.Closing()
		}
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		if s.Shutdown(late) != nil {
			return s.Close()
		}
		return nil
	})
}
