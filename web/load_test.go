package web

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/journal"
)

// BenchmarkStreams keeps 200 pages listening while ten actions a second are
// taken, all on one processor and over loopback, and reports how far behind the
// pages are: from just before an action is sent until a page has its snapshot.
// One operation is one action seen by every page.
func BenchmarkStreams(b *testing.B) {
	const pages, pace = 200, 100 * time.Millisecond
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	h := benchHouse(b)
	host := h.host()
	host.night()

	type seen struct {
		seq uint64
		at  time.Time
	}
	var (
		late  []time.Duration
		all   = make(chan seen, pages*4)
		ctx   context.Context
		stop  context.CancelFunc
		group sync.WaitGroup
	)
	ctx, stop = context.WithCancel(b.Context())
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: pages}}
	for range pages {
		req, err := http.NewRequestWithContext(ctx, "GET", h.srv.URL+"/api/stream", nil)
		if err != nil {
			b.Fatal(err)
		}
		res, err := client.Do(req)
		if err != nil || res.StatusCode != 200 {
			b.Fatal(err, res.StatusCode)
		}
		group.Go(func() {
			defer res.Body.Close()
			r := bufio.NewReaderSize(res.Body, 64<<10)
			for {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				var seq uint64
				if strings.HasPrefix(line, "id: ") {
					if _, err := fmt.Sscanf(line, "id: %d", &seq); err == nil {
						all <- seen{seq, time.Now()}
					}
				}
			}
		})
	}
	for range pages {
		<-all // the snapshot each page begins with
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for i := 0; b.Loop(); i++ {
		<-tick.C
		start := time.Now()
		seq := host.act(fmt.Sprintf(`{"do":"chips","seat":"Anna","amount":%d,"key":"load-%d"}`, 1-2*(i%2), i))
		for got := 0; got < pages; {
			if s := <-all; s.seq == seq {
				got++
				late = append(late, s.at.Sub(start))
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	stop()
	group.Wait()
	slices.Sort(late)
	at := func(q float64) float64 {
		return float64(late[min(len(late)-1, int(q*float64(len(late))))].Microseconds()) / 1000
	}
	b.ReportMetric(at(.5), "p50-ms")
	b.ReportMetric(at(.99), "p99-ms")
	b.ReportMetric(at(1), "max-ms")
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1024, "heap-growth-KB")
}

func benchHouse(b *testing.B) *house {
	store := journal.NewMem()
	table, err := ledger.Open(context.Background(), store, ledger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return houseOn(b, table, store)
}
