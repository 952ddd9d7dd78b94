package ledger_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// TestKeepTime agrees on an end and lets the hours go by.
func TestKeepTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s := journal.NewMem()
		var set atomic.Int64 // how far the machine's clock was set
		c, err := ledger.Open(ctx, s, ledger.Options{Now: func() time.Time { return time.Now().Add(time.Duration(set.Load())) }})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- c.KeepTime(ctx) }()
		end := time.Now().Add(3 * time.Hour).Local().Format("15:04")
		open := strings.Replace(opening, `"seats"`, `"rules":{"end_time":"`+end+`"},"seats"`, 1)
		if _, err := c.Submit(ctx, ledger.Request{Action: do(t, open)}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Submit(ctx, ledger.Request{Action: do(t, `{"do":"bank","seat":"Anna","amount":12}`)}); err != nil {
			t.Fatal(err)
		}
		set.Store(int64(56 * 365 * 24 * time.Hour)) // the network is found
		time.Sleep(time.Minute)
		if c.State().View.TimeUp {
			t.Fatal("a clock that was set ended the night")
		}
		set.Store(0)
		time.Sleep(3*time.Hour - 3*time.Minute)
		if c.State().View.TimeUp {
			t.Fatal("the night ended early")
		}
		time.Sleep(3 * time.Minute)
		st := c.State()
		if !st.View.TimeUp || st.View.Phase != game.Cover || st.Seq != 3 {
			t.Errorf("at the agreed time: %+v", st.View)
		}
		time.Sleep(26 * time.Hour)
		if c.State().Seq != 3 {
			t.Error("time was up twice")
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
