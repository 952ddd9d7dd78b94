package settle_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/ledger/settle"
)

// TestPlan settles random nights: every player's payments come to his due, and
// no set of payments is smaller (by trying all ways to part the players into
// groups that add up to nought).
func TestPlan(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		n := 1 + rng.IntN(7)
		names, nets := make([]string, n), make([]int64, n)
		for i := range nets {
			names[i] = fmt.Sprint("P", i)
			if i > 0 {
				nets[i] = rng.Int64N(9) - 4
				nets[0] -= nets[i]
			}
		}
		p, err := settle.Settle(names, nets, settle.Rate{})
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]int64)
		for _, x := range p.Payments {
			if x.Minor <= 0 || x.Lost <= 0 || x.Won <= 0 {
				t.Errorf("seed %d: %+v", seed, x)
			}
			got[x.From] -= x.Minor
			got[x.To] += x.Minor
		}
		for i := range nets {
			if got[names[i]] != nets[i] {
				t.Fatalf("seed %d: %v settles %s by %d: %+v", seed, nets, names[i], got[names[i]], p.Payments)
			}
		}
		if want := fewest(nets); len(p.Payments) != want {
			t.Errorf("seed %d: %v takes %d payments and could take %d", seed, nets, len(p.Payments), want)
		}
	}
}

// fewest tries every group of players.
func fewest(nets []int64) int {
	var who []int64
	for _, n := range nets {
		if n != 0 {
			who = append(who, n)
		}
	}
	var most func(rest []int64) int
	most = func(rest []int64) int {
		if len(rest) == 0 {
			return 0
		}
		best := math.MinInt
		for s := 1; s < 1<<len(rest); s += 2 { // groups with the first of them
			sum, other := int64(0), []int64{}
			for i, n := range rest {
				if s>>i&1 == 1 {
					sum += n
				} else {
					other = append(other, n)
				}
			}
			if sum == 0 {
				best = max(best, 1+most(other))
			}
		}
		return best
	}
	return len(who) - most(who)
}

func TestRate(t *testing.T) {
	names := []string{"Anna", "Émile", "Жанна"}
	for _, c := range []struct {
		nets []int64
		rate settle.Rate
		want []int64
	}{
		{[]int64{1, 1, -2}, settle.Rate{Chips: 1, Minor: 5}, []int64{5, 5, -10}},
		// A chip is worth a third of a cent: the odd coin goes to who lost most by
		// the rounding, and among equals to who sits first.
		{[]int64{1, 1, -2}, settle.Rate{Chips: 3, Minor: 1}, []int64{1, 0, -1}},
		{[]int64{2, -1, -1}, settle.Rate{Chips: 3, Minor: 1}, []int64{1, 0, -1}},
		{[]int64{100, -50, -50}, settle.Rate{Chips: 7, Minor: 3}, []int64{43, -21, -22}},
		{[]int64{0, 0, 0}, settle.Rate{Chips: 7, Minor: 3}, []int64{0, 0, 0}},
	} {
		p, err := settle.Settle(names, c.nets, c.rate)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range p.Dues {
			if d.Minor != c.want[i] {
				t.Errorf("%v at %+v: %s is due %d, not %d", c.nets, c.rate, d.Name, d.Minor, c.want[i])
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		nets, names := make([]int64, 20), make([]string, 20)
		for i := 1; i < len(nets); i++ {
			nets[i] = rng.Int64N(2e9) - 1e9
			nets[0] -= nets[i]
		}
		r := settle.Rate{Chips: 1 + rng.Int64N(1e6), Minor: 1 + rng.Int64N(1e6)}
		p, err := settle.Settle(names, nets, r)
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for i, d := range p.Dues {
			sum += d.Minor
			if exact := float64(nets[i]) * float64(r.Minor) / float64(r.Chips); math.Abs(exact-float64(d.Minor)) >= 1.01 {
				t.Errorf("%d at %+v became %d", nets[i], r, d.Minor)
			}
		}
		if sum != 0 || len(p.Payments) > 19 {
			t.Errorf("dues sum to %d, %d payments", sum, len(p.Payments))
		}
	}
	for name, err := range map[string]error{
		"uneven": second(settle.Settle(names, []int64{1, 2, 3}, settle.Rate{})),
		"rate":   second(settle.Settle(names, []int64{0, 0, 0}, settle.Rate{Chips: -1, Minor: 1})),
		"zero":   second(settle.Settle(names, []int64{0, 0, 0}, settle.Rate{Chips: 10})),
		"huge":   second(settle.Settle(names, []int64{1e15, -1e15, 0}, settle.Rate{})),
		"names":  second(settle.Settle(names, []int64{0}, settle.Rate{})),
	} {
		if err == nil {
			t.Error(name, "was settled")
		}
	}
	if _, err := settle.Settle(names, []int64{1, 2, 3}, settle.Rate{}); !errors.Is(err, settle.ErrUneven) {
		t.Error(err)
	}
}

func second(_ settle.Plan, err error) error { return err }

// table plays lines at a Croupier whose clock goes on by a minute an entry.
type table struct {
	t testing.TB
	c *ledger.Croupier
	s *journal.Mem
}

func newTable(t testing.TB) *table {
	s := journal.NewMem()
	now := time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC)
	c, err := ledger.Open(context.Background(), s, ledger.Options{Now: func() time.Time { now = now.Add(time.Minute); return now }})
	if err != nil {
		t.Fatal(err)
	}
	return &table{t, c, s}
}

func (x *table) do(lines ...string) {
	x.t.Helper()
	for _, l := range lines {
		a, err := game.Decode([]byte(l))
		if err == nil {
			_, err = x.c.Submit(context.Background(), ledger.Request{Action: a})
		}
		if err != nil {
			x.t.Fatal(l, err)
		}
	}
}

func (x *table) night() *settle.Night {
	x.t.Helper()
	n, err := settle.Of(x.s.Entries(context.Background(), "latest", 0))
	if err != nil {
		x.t.Fatal(err)
	}
	return n
}

const open3 = `{"do":"open","game":"lansquenet","profile":"ru","seats":[{"name":"A","chips":100},{"name":"B","chips":100},{"name":"C","chips":100}],"banker":"A"}`

// TestExample is RULES R-EX: bank 12, B 5, C 7, won by the punters.
func TestExample(t *testing.T) {
	x := newTable(t)
	x.do(open3, `{"do":"bank","seat":"A","amount":12}`, `{"do":"cover","seat":"B","amount":5}`, `{"do":"cover","seat":"C","amount":7}`,
		`{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"2"}`, `{"do":"card","rank":"Q"}`)
	n := x.night()
	if n.Coups != 1 || n.Biggest.Moved != 12 || !reflect.DeepEqual(n.Biggest.Won, map[string]int64{"A": -12, "B": 5, "C": 7}) ||
		n.Biggest.Banker != "A" || n.Longest.Coups != 0 || n.Played != 7*time.Minute || math.Abs(n.PerHour-60.0/7) > 1e-9 {
		t.Errorf("%+v", n)
	}
	// One pack, nothing seen: the bank wins a doublet's 1/17 and half of the rest.
	edge := 1.0 / 17
	for i, want := range []struct{ net, expected float64 }{{-12, 12 * edge}, {5, -5 * edge}, {7, -7 * edge}} {
		p := n.Players[i]
		if float64(p.Net) != want.net || !p.Fair || math.Abs(p.Expected-want.expected) > 1e-9 || math.Abs(p.Luck-(want.net-want.expected)) > 1e-9 {
			t.Errorf("%+v, it should be %+v", p, want)
		}
		// Every chip is won or lost, so its variance is 1 less the mean squared.
		if sigma := (want.net - want.expected) / (math.Abs(want.net) * math.Sqrt(1-edge*edge)); math.Abs(p.Sigma-sigma) > 1e-9 {
			t.Errorf("%s is %g sigma off, it should be %g", p.Name, p.Sigma, sigma)
		}
	}
	plan, err := n.Settle(settle.Rate{Chips: 1, Minor: 10})
	if err != nil || !reflect.DeepEqual(plan.Payments, []settle.Payment{
		{From: "A", To: "C", Minor: 70, Lost: 120, Won: 70, PaidLeft: 50},
		{From: "A", To: "B", Minor: 50, Lost: 120, Won: 50}}) {
		t.Errorf("%+v, %v", plan.Payments, err)
	}
}

// TestTakenBack decides a coup, takes it back and corrects it: what counts is
// how it stands in the end.
func TestTakenBack(t *testing.T) {
	x := newTable(t)
	x.do(open3, `{"do":"bank","seat":"A","amount":12}`, `{"do":"cover","seat":"B","amount":12}`,
		`{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"Q"}`)
	if n := x.night(); n.Biggest.Won["A"] != -12 || n.Longest.Coups != 0 {
		t.Errorf("%+v", n)
	}
	x.do(`{"do":"undo"}`)
	if n := x.night(); n.Coups != 0 || n.Biggest.Moved != 0 || n.Players[0].Net != 0 {
		t.Errorf("after undo %+v", n)
	}
	x.do(`{"do":"card","rank":"7"}`)
	if n := x.night(); n.Biggest.Won["A"] != 12 || n.Longest.Coups != 1 {
		t.Errorf("after another card %+v", n)
	}
	x.do(`{"do":"correct","card":3,"rank":"Q"}`)
	if n := x.night(); n.Coups != 1 || n.Biggest.Won["A"] != -12 || n.Longest.Coups != 0 || n.Players[1].Net != 12 {
		t.Errorf("after correction %+v", n)
	}
}

// TestAnyNight plays nights of anything in any order, people coming and going:
// what is won is lost by others, at every point, and luck is only luck.
func TestAnyNight(t *testing.T) {
	seed := rand.Uint64()
	for _, name := range []string{`"lansquenet","profile":"ru"`, `"lansquenet","profile":"it"`, `"lansquenet","profile":"pagat"`, `"skin"`, `"zecchinetta"`} {
		t.Run(name, func(t *testing.T) {
			x := newTable(t)
			rng := rand.New(rand.NewPCG(seed, 0))
			a, err := game.Decode([]byte(`{"do":"open","game":` + name +
				`,"seats":[{"name":"A","chips":9000},{"name":"B","chips":9000},{"name":"C","chips":9000},{"name":"D","chips":9000}],"banker":"A"}`))
			if err == nil {
				_, err = x.c.Submit(context.Background(), ledger.Request{Action: a})
			}
			if err != nil {
				t.Skip(err)
			}
			for range 6000 {
				v := x.c.State().View
				c := v.Choices[rng.IntN(len(v.Choices))]
				if v.CardDue && rng.IntN(5) > 0 {
					c = game.Choice{Do: "card"}
				}
				if c.Do == "close" || c.Do == "time_up" || (c.Do == "rise" || c.Do == "void" || c.Do == "undo") && rng.IntN(10) > 0 {
					continue
				}
				a := game.Action{Do: c.Do, Seat: c.Seat, Name: fmt.Sprint("N", rng.IntN(4)), Chips: 5000, Reason: "x", Card: 1, Rank: card.All[rng.IntN(13)]}
				if c.Max > c.Min {
					a.Amount = c.Min + rng.Int64N(min(c.Max-c.Min, 60))
				} else {
					a.Amount = c.Min
				}
				if len(c.Amounts) > 0 {
					a.Amount = c.Amounts[0]
				}
				if len(c.Ranks) > 0 && c.Do != "card" && c.Do != "correct" {
					a.Rank = c.Ranks[rng.IntN(len(c.Ranks))]
				}
				if len(c.Against) > 0 {
					a.Against = c.Against[rng.IntN(len(c.Against))]
				}
				a.Min, a.Max = 1, 10
				if c.Do == "chips" {
					a.Amount = rng.Int64N(200) - 100
				}
				_, err := x.c.Submit(context.Background(), ledger.Request{Action: a})
				var no *game.Refusal
				if err != nil && !errors.As(err, &no) {
					t.Fatal(err)
				}
			}
			n := x.night()
			t.Logf("%d entries, %d coups, %d players, longest %+v, biggest %d", n.Seq, n.Coups, len(n.Players), n.Longest, n.Biggest.Moved)
			for _, p := range n.Points {
				sum := int64(0)
				for _, d := range p.Net {
					sum += d
				}
				if sum != 0 {
					t.Fatalf("seed %d: at entry %d the nets sum to %d: %v", seed, p.Seq, sum, p.Net)
				}
			}
			luck := 0.0
			for _, p := range n.Players {
				luck += p.Luck
				// How far off luck is says nothing here: the ranks are this
				// host's whim, corrections among them, not a shoe's.
				if math.IsNaN(p.Sigma) || math.IsInf(p.Sigma, 0) || !p.Fair && p.Sigma != 0 {
					t.Errorf("seed %d: %s's sigma is %v over %d coups", seed, p.Name, p.Sigma, p.Coups)
				}
				if p.Net != p.Chips+p.Posted+p.Cashed-p.Bought {
					t.Errorf("seed %d: %+v does not add up", seed, p)
				}
			}
			if math.Abs(luck) > 1e-6 {
				t.Errorf("seed %d: the luck of all is %g", seed, luck)
			}
			if _, err := n.Settle(settle.Rate{Chips: 3, Minor: 7}); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			if n.Coups < 20 && n.Game != game.Skin { // where a random coup takes hundreds of cards
				t.Errorf("seed %d: only %d coups", seed, n.Coups)
			}
		})
	}
}
