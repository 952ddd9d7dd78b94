package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/big"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/ledger/odds"
)

var coups = flag.Int("coups", 100_000, "coups that each simulated shoe is checked with")

// within holds a share against its exact value, four standard errors wide.
func within(t *testing.T, what string, got, want float64, n int) {
	t.Helper()
	se := math.Sqrt(want * (1 - want) / float64(n))
	z := (got - want) / se
	t.Logf("%-28s %.6f, exact %.6f, %+.2f standard errors", what, got, want, z)
	if math.Abs(z) > 4 {
		t.Errorf("%s: %v, exact %v, %+.2f standard errors", what, got, want, z)
	}
}

func float(r *big.Rat) float64 { f, _ := r.Float64(); return f }

var shoes = []struct {
	name  string
	packs int
	ranks string
}{
	{"52x1", 1, ""}, {"52x2", 2, ""}, {"52x6", 6, ""}, {"40x1", 1, "A,2,3,4,5,6,7,J,Q,K"},
	{"32x1", 1, "A,7,8,9,10,J,Q,K"}, {"32x6", 6, "A,7,8,9,10,J,Q,K"}, {"28x1", 1, "7,8,9,10,J,Q,K"},
}

func list(t *testing.T, s string) []card.Rank {
	t.Helper()
	r, err := odds.ParseRanks(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func run(t *testing.T, o Options) Result {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLansquenetAgainstExact plays every shoe of RULES 6 over the engine.
func TestLansquenetAgainstExact(t *testing.T) {
	for i, s := range shoes {
		o := Options{Packs: s.packs, Ranks: list(t, s.ranks), Coups: *coups, Seed: uint64(i + 1)}
		r := run(t, o)
		fresh, err := odds.Pack(s.packs, o.Ranks...)
		if err != nil {
			t.Fatal(err)
		}
		exact := odds.ExactNext(fresh)
		within(t, s.name+" doublet", r.Doublet(), float(exact.Doublet), r.Coups)
		within(t, s.name+" bank", r.Bank(), float(exact.Bank), r.Coups)
		within(t, s.name+" punters", r.Punters(), float(exact.Punters), r.Coups)
		sd := odds.SpreadOf(odds.Lengths(fresh)).SD
		z := (r.MeanCards() - float(exact.MeanCards)) / (sd / math.Sqrt(float64(r.Coups)))
		t.Logf("%-28s %.4f, exact %.4f, %+.2f standard errors", s.name+" cards", r.MeanCards(), float(exact.MeanCards), z)
		if math.Abs(z) > 4 {
			t.Errorf("%s: %v cards, exact %v", s.name, r.MeanCards(), float(exact.MeanCards))
		}
		if r.Undecided != 0 {
			t.Errorf("%s: %d coups from fresh shoes are undecided", s.name, r.Undecided)
		}
	}
}

// TestShoeDealtDown plays whole shoes to their last card and holds the bank's
// share of decided coups against the exact one (RULES 6, continuous shoe).
func TestShoeDealtDown(t *testing.T) {
	for i, s := range shoes {
		if s.packs > 1 {
			continue
		}
		r := run(t, Options{Packs: 1, Ranks: list(t, s.ranks), Coups: *coups, Seed: uint64(i + 1), Reshuffle: game.ShoeEnd})
		fresh, _ := odds.Pack(1, list(t, s.ranks)...)
		exact, err := odds.DealThrough(fresh)
		if err != nil {
			t.Fatal(err)
		}
		bank := float(exact.Doublets) + float(exact.BankMatches)
		within(t, s.name+" bank, dealt down", r.Bank(), bank/float(exact.Decided), r.Coups)
		within(t, s.name+" doublet, dealt down", r.Doublet(), float(exact.Doublets)/float(exact.Decided), r.Coups)
	}
}

// net holds what the bankers won a hand against its exact value.
func net(t *testing.T, what string, r Result, want float64) {
	t.Helper()
	n := float64(r.Coups + r.Undecided)
	mean := float64(r.Net) / n
	se := math.Sqrt((r.NetSquare/n - mean*mean) / n)
	z := (mean - want) / se
	t.Logf("%-28s %+.5f a hand, exact %+.5f, %+.2f standard errors", what, mean, want, z)
	if math.Abs(z) > 4 {
		t.Errorf("%s: %v a hand, exact %v", what, mean, want)
	}
}

// TestSkinIsEven: every bet against the bank is even, and the first bank card
// throws the first card out once in seventeen deals (RULES 6).
func TestSkinIsEven(t *testing.T) {
	r := run(t, Options{Game: game.Skin, Coups: *coups / 20, Seed: 3})
	net(t, "skin, three punters", r, 0)
	within(t, "skin bank", r.Bank(), 0.5, r.Bets)
	within(t, "skin thrown out", r.Doublet(), 1.0/17, r.Chances)
	if r.Undecided != 0 || r.BankWins+r.PuntWins != r.Bets {
		t.Errorf("bets were left open: %+v", r)
	}
}

// TestZecchinettaEdges are those of RULES 6 for each reading of the third card,
// with a chip on every card.
func TestZecchinettaEdges(t *testing.T) {
	for third, edge := range map[string]float64{game.Sweep: 6. / 19, game.Matched: 3. / 19, game.Playette: 0} {
		r := run(t, Options{Game: game.Zecchinetta, Coups: *coups / 20, Seed: 4, ThirdCard: third})
		// The edge is a hand's whose first two cards differ; a pair is none.
		r.Undecided = r.Chances - r.Coups
		net(t, "zecchinetta "+third, r, edge)
		within(t, "zecchinetta third pairs", r.Doublet(), 3./19, r.Chances)
	}
}

// TestSameSeed: the same seed plays the same coups.
func TestSameSeed(t *testing.T) {
	for _, g := range []string{game.Lansquenet, game.Skin, game.Zecchinetta} {
		a, b, c := run(t, Options{Game: g, Coups: 50, Seed: 7}), run(t, Options{Game: g, Coups: 50, Seed: 7}), run(t, Options{Game: g, Coups: 50, Seed: 8})
		a.Took, b.Took, c.Took = 0, 0, 0
		if a != b || a == c {
			t.Errorf("%s: %+v, again %+v, another seed %+v", g, a, b, c)
		}
	}
}

func TestResultAsWritten(t *testing.T) {
	b, err := json.Marshal(Result{Coups: 4, Cards: 20, Doublets: 1, Chances: 4, Bets: 4, BankWins: 3, PuntWins: 1, Took: 2e9})
	if want := `{"coups":4,"doublet":0.25,"bank":0.75,"punters":0.25,"mean_cards":5,"per_second":2}`; err != nil || string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
	if s := (Result{}).String(); !strings.Contains(s, "0 coups, 0 a second") {
		t.Error(s)
	}
}

// TestStopped: who asks for too many coups can stop, and sees what was played.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r, err := Run(ctx, Options{Coups: 1e9})
	if !errors.Is(err, context.Canceled) || r.Coups == 0 || r.Coups > turn {
		t.Errorf("%d coups, %v", r.Coups, err)
	}
}

// TestRefusedIsAFault: the table refuses a simulation nothing.
func TestRefusedIsAFault(t *testing.T) {
	defer func() {
		if s, _ := recover().(string); !strings.HasPrefix(s, "simulate: ") {
			t.Errorf("%q", s)
		}
	}()
	must(game.Refuse("not_now"))
}

func TestImpossibleOptions(t *testing.T) {
	for _, c := range []struct {
		o    Options
		says string
	}{
		{Options{}, "coups"},
		{Options{Game: "baccara", Coups: 1}, "baccara"},
		{Options{Packs: 1000, Coups: 1}, "packs"},
		{Options{Ranks: []card.Rank{card.Ace}, Coups: 1}, "strip"},
		{Options{Reshuffle: "never", Coups: 1}, "reshuffle"},
		{Options{Game: game.Zecchinetta, ThirdCard: "keep", Coups: 1}, "third_card"},
		{Options{Game: game.Zecchinetta, ThirdCard: game.Playette, Ranks: []card.Rank{card.Ace, card.Two}, Coups: 1}, "decided"},
	} {
		if _, err := Run(t.Context(), c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want something about %q", c.o, err, c.says)
		}
	}
}
