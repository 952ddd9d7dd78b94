package simulate

import (
	"testing"
	"time"

	"lansquenet/ledger/game"
)

// bareCoups is the least that a coup can cost: cards drawn from a shoe until
// one matches. No chips, no seats, no rules.
func bareCoups(s *shoe, coups int) (wins int) {
	for range coups {
		s.shuffle()
		bank, punters := s.draw(), s.draw()
		if bank == punters {
			wins++
			continue
		}
		for {
			c := s.draw()
			if c == bank {
				wins++
				break
			}
			if c == punters {
				break
			}
		}
	}
	return wins
}

func onePack(tb testing.TB) (game.Action, *shoe) {
	tb.Helper()
	open, err := opening(Options{Game: game.Lansquenet, Packs: 1})
	if err != nil {
		tb.Fatal(err)
	}
	rules, err := game.Resolve(open)
	if err != nil {
		tb.Fatal(err)
	}
	return open, newShoe(&rules, 1)
}

// BenchmarkCoups plays coups over the real engine on one core, and beside it
// the bare loop that only draws ranks and looks for the match. x-bare says how
// many times the bare loop's time the engine takes.
func BenchmarkCoups(b *testing.B) {
	open, cards := onePack(b)
	var bare, engine time.Duration
	wins := 0
	b.ReportAllocs()
	for b.Loop() {
		const coups = 200 // short turns, so that whatever else the machine does slows both alike
		began := time.Now()
		wins += bareCoups(cards, coups)
		bare += time.Since(began)
		began = time.Now()
		var r Result
		lansquenetCoups(open, cards, true, &r)(coups)
		wins += r.BankWins
		engine += time.Since(began)
	}
	if wins == 0 {
		b.Fatal("nobody wins")
	}
	n := float64(b.N) * 200
	b.ReportMetric(n/engine.Seconds(), "coups/s")
	b.ReportMetric(n/bare.Seconds(), "bare-coups/s")
	b.ReportMetric(float64(engine)/float64(bare), "x-bare")
}

// TestNoAllocationPerCard: a coup of nine cards on average may cost one small
// piece of memory, what a kept bank must hold; its cards cost none.
func TestNoAllocationPerCard(t *testing.T) {
	open, cards := onePack(t)
	coups := func(n int) float64 {
		return testing.AllocsPerRun(5, func() { lansquenetCoups(open, cards, true, new(Result))(n) })
	}
	few, many := coups(10), coups(2010)
	if many-few > 2000 {
		t.Errorf("%v allocations for 10 coups, %v for 2010", few, many)
	}
}
