package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// longNight is a night of n entries in memory, played once for all benchmarks.
var longNight = func() func(b testing.TB, n uint64) *journal.Mem {
	var mu sync.Mutex
	made := map[uint64]*journal.Mem{}
	return func(b testing.TB, n uint64) *journal.Mem {
		mu.Lock()
		defer mu.Unlock()
		if made[n] == nil {
			s := journal.NewMem()
			c, err := ledger.Open(context.Background(), s, ledger.Options{Now: ticking(), Program: "1.2.0", Camera: "rpicam"})
			if err != nil {
				b.Fatal(err)
			}
			(&host{rng: rand.New(rand.NewPCG(1, 1)), t: b}).play(c, n)
			made[n] = s
		}
		return made[n]
	}
}()

// onDisk is a copy of a night in a data folder, closed.
func onDisk(b testing.TB, s journal.Store) (dir string) {
	b.Helper()
	dir = b.TempDir()
	d, err := journal.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := ledger.ImportEntries(context.Background(), d, s.Entries(context.Background(), "latest", 0)); err != nil {
		b.Fatal(err)
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkAppend makes entries durable, turn about with bare writes of the same
// bytes, each synced, to a file in the same folder. ratio is how much longer the
// journal takes.
func BenchmarkAppend(b *testing.B) {
	ctx := context.Background()
	dir := b.TempDir()
	s, err := journal.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	bare, err := os.Create(filepath.Join(dir, "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	var list []journal.Entry
	for e := range longNight(b, 5000).Entries(ctx, "latest", 0) {
		list = append(list, e)
	}
	meta, err := journal.ParseGenesis(list[0].Prev)
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Begin(ctx, meta, list[0]); err != nil {
		b.Fatal(err)
	}
	prev := list[0].Hash
	var ours, theirs time.Duration
	var written int
	n := 0
	for b.Loop() {
		n++
		e := list[1+n%(len(list)-1)]
		e.Seq = uint64(n + 1)
		if err := e.Seal(prev); err != nil {
			b.Fatal(err)
		}
		prev = e.Hash
		line, err := e.AppendLine(nil)
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := s.Append(ctx, meta.Session, e); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		if _, err := bare.Write(append(line, '\n')); err != nil {
			b.Fatal(err)
		}
		if err := bare.Sync(); err != nil {
			b.Fatal(err)
		}
		ours, theirs = ours+middle.Sub(start), theirs+time.Since(middle)
		written += len(line) + 1
	}
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
	b.ReportMetric(float64(ours.Microseconds())/float64(n), "append-µs")
	b.ReportMetric(float64(theirs.Microseconds())/float64(n), "bare-µs")
	b.ReportMetric(float64(written)/float64(n), "bytes/entry")
}

const hundredThousand = 100_000

// BenchmarkVerify checks hashes and rules of 100,000 entries on one core: from
// an exported file, and from the database.
func BenchmarkVerify(b *testing.B) {
	ctx := context.Background()
	mem := longNight(b, hundredThousand)
	// Per second of the processor, so that a busy machine tells the same as an
	// idle one; the collector's work in the background is in it.
	measure := func(b *testing.B, once func()) {
		n, before := 0, cpuTime()
		for b.Loop() {
			once()
			n++
		}
		b.ReportMetric(float64(hundredThousand)*float64(n)/(cpuTime()-before).Seconds(), "entries/core-s")
	}
	b.Run("file", func(b *testing.B) {
		var file bytes.Buffer
		if err := ledger.Export(ctx, mem, "latest", &file); err != nil {
			b.Fatal(err)
		}
		measure(b, func() {
			if _, err := ledger.Verify(ledger.Lines(bytes.NewReader(file.Bytes())), ""); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("sqlite", func(b *testing.B) {
		s, err := journal.OpenRead(onDisk(b, mem))
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		measure(b, func() {
			if _, err := ledger.Verify(s.Entries(ctx, "latest", 0), ""); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("memory", func(b *testing.B) { // hashing and rules alone
		measure(b, func() {
			if _, err := ledger.Verify(mem.Entries(ctx, "latest", 0), ""); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("rules", func(b *testing.B) { // what of it is the rules
		var actions []game.Action
		for e := range mem.Entries(ctx, "latest", 0) {
			actions = append(actions, e.Action)
		}
		measure(b, func() {
			var f ledger.Fold
			for i := range actions {
				var err error
				if f.Table, _, err = f.Table.Apply(actions[i]); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

// BenchmarkOpen opens a night of 5,000 entries, as after a power cut.
func BenchmarkOpen(b *testing.B) {
	dir := onDisk(b, longNight(b, 5000))
	n, before := 0, cpuTime()
	for b.Loop() {
		n++
		s, err := journal.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		c, err := ledger.Open(context.Background(), s, ledger.Options{})
		if err != nil || c.State().Seq != 5000 {
			b.Fatal(c.State().Seq, err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpuTime()-before).Seconds()/float64(n), "core-s/open")
}

// BenchmarkNightOnDisk says how much a night of 5,000 entries takes.
func BenchmarkNightOnDisk(b *testing.B) {
	size := int64(0)
	for b.Loop() {
		dir := onDisk(b, longNight(b, 5000))
		fi, err := os.Stat(filepath.Join(dir, journal.File))
		if err != nil {
			b.Fatal(err)
		}
		size = fi.Size()
	}
	b.ReportMetric(float64(size), "bytes/night")
	b.ReportMetric(float64(size)/5000, "bytes/entry")
}

// TestHundredThousand verifies, exports and imports a journal of 100,000 entries.
func TestHundredThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	ctx := context.Background()
	mem := longNight(t, hundredThousand)
	s, err := journal.OpenRead(onDisk(t, mem))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := ledger.Verify(s.Entries(ctx, "latest", 0), "")
	if err != nil || f.Seq() != hundredThousand {
		t.Fatal(f.Seq(), err)
	}
	n, err := s.Session(ctx, "latest")
	if err != nil || n.Head != f.Head() {
		t.Error(n, err)
	}
	var mine, theirs bytes.Buffer
	if err := ledger.Export(ctx, s, "latest", &mine); err != nil {
		t.Fatal(err)
	}
	if err := ledger.Export(ctx, mem, "latest", &theirs); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(mine.Bytes(), theirs.Bytes()) {
		t.Error("the lines differ between disk and memory")
	}
	t.Log(fmt.Sprint(mine.Len()/hundredThousand), "bytes an entry")
}
