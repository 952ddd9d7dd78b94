package odds

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// reference is what testdata/reference_values.json says of one shoe.
type reference struct {
	N, Ranks, Copies int
	PDoublet         string `json:"P_doublet"`
	PBank            string `json:"P_bank"`
	PPlayers         string `json:"P_players"`
	Edge             string
	PBankMatch       string      `json:"P_bank_match"`
	MeanCards        string      `json:"mean_cards"`
	MeanCardsF       json.Number `json:"mean_cards_f"`
	SDCards          json.Number `json:"sd_cards"`
	MaxCards         int         `json:"max_cards"`
	PFirstMatch      string      `json:"P_first_match"`
	PFirstMatchF     json.Number `json:"P_first_match_f"`
	Median, P90      int
	P95, P99         int
	MeanWins         string                 `json:"mean_wins_before_loss"`
	MeanCoups        string                 `json:"mean_coups_per_tenure"`
	PCapotB          string                 `json:"P_capot_B"`
	PCapotBF         json.Number            `json:"P_capot_B_f"`
	PCapotA          string                 `json:"P_capot_A"`
	PCapotAF         json.Number            `json:"P_capot_A_f"`
	PDoubletF        json.Number            `json:"P_doublet_f"`
	PBankF           json.Number            `json:"P_bank_f"`
	PRun             map[string]json.Number `json:"p_run"`
}

func references(t *testing.T) (map[string]reference, map[string]map[string]any) {
	t.Helper()
	b, err := os.ReadFile("testdata/reference_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		t.Fatal(err)
	}
	shoes := map[string]reference{}
	var through map[string]map[string]any
	for k, v := range raw {
		switch {
		case k == "continuous_single_pack_exact":
			d := json.NewDecoder(strings.NewReader(string(v)))
			d.UseNumber()
			if err := d.Decode(&through); err != nil {
				t.Fatal(err)
			}
		case k == "continuous_shoe_simulated": // simulation, checked in ledger/simulate
		default:
			var r reference
			if err := json.Unmarshal(v, &r); err != nil {
				t.Fatal(k, err)
			}
			shoes[k] = r
		}
	}
	return shoes, through
}

// shoe builds the fresh shoe "52x6" and the like.
func shoe(t *testing.T, name string) game.Shoe {
	t.Helper()
	var n, packs int
	if _, err := fmt.Sscanf(name, "%dx%d", &n, &packs); err != nil {
		t.Fatal(err)
	}
	ranks := map[int]string{
		52: "", 40: "A,2,3,4,5,6,7,J,Q,K", 32: "A,7,8,9,10,J,Q,K", 28: "7,8,9,10,J,Q,K",
	}[n]
	list, err := ParseRanks(ranks)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Pack(packs, list...)
	if err != nil {
		t.Fatal(err)
	}
	if s.Total != n*packs {
		t.Fatalf("%s has %d cards", name, s.Total)
	}
	return s
}

// TestReferenceValues holds every figure of the reference to the last digit.
func TestReferenceValues(t *testing.T) {
	shoes, _ := references(t)
	if len(shoes) < 12 {
		t.Fatalf("only %d reference shoes", len(shoes))
	}
	for name, want := range shoes {
		s := shoe(t, name)
		o := ExactNext(s)
		lengths := Lengths(s)
		spread := SpreadOf(lengths)
		exact := func(what string, got *big.Rat, want string) {
			t.Helper()
			if got.RatString() != want {
				t.Errorf("%s %s: %s, want %s", name, what, got.RatString(), want)
			}
		}
		digits := func(what string, got float64, want json.Number) {
			t.Helper()
			if w, _ := strconv.ParseFloat(want.String(), 64); got != w {
				t.Errorf("%s %s: %v, want %v", name, what, got, want)
			}
		}
		count := func(what string, got, want int) {
			t.Helper()
			if got != want {
				t.Errorf("%s %s: %d, want %d", name, what, got, want)
			}
		}
		exact("doublet", o.Doublet, want.PDoublet)
		exact("edge", new(big.Rat).Sub(o.Bank, o.Punters), want.Edge)
		exact("bank", o.Bank, want.PBank)
		exact("bank match", new(big.Rat).Sub(o.Bank, o.Doublet), want.PBankMatch)
		exact("punters", o.Punters, want.PPlayers)
		exact("undecided", o.Undecided, "0")
		exact("mean", o.MeanCards, want.MeanCards)
		exact("mean of lengths", spread.Mean, want.MeanCards)
		exact("third card decides", lengths[3], want.PFirstMatch)
		exact("capot A", CapotA(s), want.PCapotA)
		exact("capot B", CapotB(s), want.PCapotB)
		exact("wins before loss", WinsBeforeLoss(s), want.MeanWins)
		exact("coups per tenure", new(big.Rat).Add(WinsBeforeLoss(s), whole(1)), want.MeanCoups)
		digits("doublet", float(o.Doublet), want.PDoubletF)
		digits("bank", float(o.Bank), want.PBankF)
		digits("mean", float(o.MeanCards), want.MeanCardsF)
		digits("sd", spread.SD, want.SDCards)
		digits("third card decides", float(lengths[3]), want.PFirstMatchF)
		digits("capot A", float(CapotA(s)), want.PCapotAF)
		digits("capot B", float(CapotB(s)), want.PCapotBF)
		for k, p := range want.PRun {
			n, _ := strconv.Atoi(k)
			digits("run of "+k, float(Run(s, n)), p)
		}
		count("longest", spread.Max, want.MaxCards)
		count("median", Quantile(lengths, frac(1, 2)), want.Median)
		count("p90", Quantile(lengths, frac(9, 10)), want.P90)
		count("p95", Quantile(lengths, frac(95, 100)), want.P95)
		count("p99", Quantile(lengths, frac(99, 100)), want.P99)
		live := Next(s)
		digits("live doublet", live.Doublet, want.PDoubletF)
		digits("live bank", live.Bank, want.PBankF)
	}
}

// TestDealThrough holds the exact continuous shoes of the reference.
func TestDealThrough(t *testing.T) {
	_, want := references(t)
	for name, w := range want {
		got, err := DealThrough(shoe(t, name+"x1"))
		if err != nil {
			t.Fatal(err)
		}
		for key, r := range map[string]*big.Rat{
			"decided": got.Decided, "doublets": got.Doublets, "bank_match": got.BankMatches, "players": got.PuntersMatches,
			"end_exact": got.EndsExactly, "one_left": got.OneLeft, "undecided": got.Undecided,
		} {
			printed, _ := strconv.ParseFloat(r.FloatString(12), 64)
			if f, _ := w[key].(json.Number).Float64(); f != printed {
				t.Errorf("%s %s: %s, want %v", name, key, r.FloatString(12), w[key])
			}
		}
		if f, ok := w["undecided_fraction"]; ok && got.Undecided.RatString() != f {
			t.Errorf("%s undecided: %s, want %s", name, got.Undecided.RatString(), f)
		}
	}
	if _, err := DealThrough(shoe(t, "52x2")); err == nil {
		t.Error("two packs are dealt through")
	}
}

// TestStopCard is the table of RULES 6.
func TestStopCard(t *testing.T) {
	for name, want := range map[string][3]int{
		"52x1": {21, 28, 35}, "52x2": {20, 29, 39}, "52x6": {20, 29, 42}, "32x1": {13, 17, 21}, "40x1": {16, 21, 27},
	} {
		for i, risk := range []*big.Rat{frac(1, 20), frac(1, 100), frac(1, 1000)} {
			if got := StopCard(shoe(t, name), risk); got != want[i] {
				t.Errorf("%s at %s: %d, want %d", name, risk, got, want[i])
			}
		}
	}
	if got := StopCard(game.Shoe{}, frac(1, 20)); got != 0 {
		t.Errorf("an empty shoe: %d", got)
	}
}

// TestLengthsOfOnePack is the beginning of the distribution printed in RULES 6.
func TestLengthsOfOnePack(t *testing.T) {
	got := Lengths(shoe(t, "52x1"))
	for n, want := range map[int]string{2: "1/17", 3: "48/425", 4: "2112/20825", 5: "1892/20825", 6: "11352/139825", 7: "232716/3215975"} {
		if got[n].RatString() != want {
			t.Errorf("length %d: %s, want %s", n, got[n].RatString(), want)
		}
	}
}

// byHand deals every order of a small shoe and counts.
type byHand struct{ doublet, bank, punters, undecided, cards, orders int64 }

func (h *byHand) deal(s game.Shoe, bank, punters card.Rank, n int64, ways int64) {
	next := func(f func(r card.Rank, ways int64)) {
		for r, k := range s.Rank {
			if k > 0 {
				s.Rank[r]--
				s.Total--
				f(card.Rank(r), ways*int64(k))
				s.Rank[r]++
				s.Total++
			}
		}
	}
	end := func(who *int64, cards, ways int64) {
		for i := int64(s.Total); i > 1; i-- { // the orders of what stays in the shoe
			ways *= i
		}
		*who += ways
		h.cards += cards * ways
		h.orders += ways
	}
	switch {
	case bank != 0 && punters != 0 && s.Rank[bank]+s.Rank[punters] == 0, s.Total == 0:
		end(&h.undecided, n, ways)
	case bank == 0:
		next(func(r card.Rank, w int64) { h.deal(s, r, 0, n+1, w) })
	case punters == 0:
		next(func(r card.Rank, w int64) {
			if r == bank {
				end(&h.doublet, n+1, w)
			} else {
				h.deal(s, bank, r, n+1, w)
			}
		})
	default:
		next(func(r card.Rank, w int64) {
			switch r {
			case bank:
				end(&h.bank, n+1, w)
			case punters:
				end(&h.punters, n+1, w)
			default:
				h.deal(s, bank, punters, n+1, w)
			}
		})
	}
}

// TestAgainstEveryOrder compares with a count over every order of small shoes,
// among them empty, lone and dead ones.
func TestAgainstEveryOrder(t *testing.T) {
	for _, counts := range [][]int{
		{}, {1}, {2}, {1, 1}, {1, 1, 1}, {2, 1}, {3, 1, 1}, {2, 2, 1}, {4, 3}, {1, 2, 3}, {4, 1, 1, 1}, {2, 2, 2, 1}, {3, 3, 2}, {0, 4},
	} {
		var s game.Shoe
		for i, n := range counts {
			s.Rank[i+1] = n
			s.Total += n
		}
		check := func(what string, o Exact, live game.Odds, h byHand) {
			t.Helper()
			for _, c := range []struct {
				name      string
				got, want *big.Rat
				live      float64
			}{
				{"doublet", o.Doublet, frac(h.doublet, h.orders), live.Doublet},
				{"bank", o.Bank, frac(h.bank+h.doublet, h.orders), live.Bank},
				{"punters", o.Punters, frac(h.punters, h.orders), live.Punters},
				{"undecided", o.Undecided, frac(h.undecided, h.orders), live.Undecided},
				{"cards", o.MeanCards, frac(h.cards, h.orders), float(o.MeanCards)},
			} {
				if c.got.Cmp(c.want) != 0 || c.live != float(c.got) {
					t.Errorf("%s of %v, %s: %s (live %v), counted %s", what, counts, c.name, c.got, c.live, c.want)
				}
			}
		}
		var h byHand
		h.deal(s, 0, 0, 0, 1)
		check("next coup", ExactNext(s), Next(s), h)
		var lengths big.Rat
		for _, p := range Lengths(s) {
			lengths.Add(&lengths, p)
		}
		if lengths.Cmp(new(big.Rat).Sub(whole(1), ExactNext(s).Undecided)) != 0 {
			t.Errorf("lengths of %v sum to %s", counts, &lengths)
		}
		h = byHand{}
		h.deal(s, card.Ace, card.Two, 0, 1)
		check("running coup", ExactStanding(s, card.Ace, card.Two), Standing(s, card.Ace, card.Two), h)
	}
	o, live := ExactStanding(shoe(t, "52x1"), card.Ace, card.Ace), Standing(shoe(t, "52x1"), card.Ace, card.Ace)
	if o.Doublet.RatString() != "1" || o.Bank.RatString() != "1" || live != (game.Odds{Doublet: 1, Bank: 1}) {
		t.Errorf("a doublet on the table: %v %v", o, live)
	}
}

// TestCapotBySmallShoes counts reading B over every order of small shoes.
func TestCapotBySmallShoes(t *testing.T) {
	for _, counts := range [][]int{{}, {2}, {3, 1}, {4, 2}, {3, 3, 1}, {4, 3}} {
		var s game.Shoe
		for i, n := range counts {
			s.Rank[i+1] = n
			s.Total += n
		}
		good, all := 0, 0
		var deal func(s game.Shoe, out []card.Rank, ways int)
		deal = func(s game.Shoe, out []card.Rank, ways int) {
			if s.Total == 0 {
				all += ways
				for i := 2; i < len(out) && out[0] != out[1]; i++ {
					if out[i] == out[1] {
						break
					}
					if out[i] == out[0] {
						if i+1 < len(out) && out[i+1] == out[0] {
							good += ways
						}
						break
					}
				}
				return
			}
			for r, k := range s.Rank {
				if k > 0 {
					next, _ := Without(s, card.Rank(r))
					deal(next, append(out[:len(out):len(out)], card.Rank(r)), ways*k)
				}
			}
		}
		deal(s, nil, 1)
		if want := frac(int64(good), int64(all)); CapotB(s).Cmp(want) != 0 {
			t.Errorf("%v: %s, counted %s", counts, CapotB(s), want)
		}
	}
	if CapotA(game.Shoe{}).Sign() != 0 {
		t.Error("capot A in an empty shoe")
	}
}

func TestShoes(t *testing.T) {
	for _, bad := range []func() error{
		func() error { _, err := Pack(0); return err },
		func() error { _, err := Pack(MaxPacks + 1); return err },
		func() error { _, err := Pack(1, card.Ace, card.Ace); return err },
		func() error { _, err := Pack(1, card.NoRank); return err },
		func() error { _, err := Pack(1, 14); return err },
		func() error { s, _ := Pack(1, card.Ace); _, err := Without(s, card.Two); return err },
		func() error { s, _ := Pack(1); _, err := Without(s, 1, 1, 1, 1, 1); return err },
		func() error { s, _ := Pack(1); _, err := Without(s, 20); return err },
		func() error { _, err := ParseRanks("A,11"); return err },
		func() error { _, err := ParseRanks("A,,2"); return err },
	} {
		if bad() == nil {
			t.Error("a bad shoe is taken")
		}
	}
	got, err := ParseRanks(" A, 10 ,K")
	if err != nil || len(got) != 3 || got[1] != card.Ten {
		t.Errorf("%v %v", got, err)
	}
	if got := Quantile(Lengths(game.Shoe{}), frac(1, 2)); got != 0 {
		t.Errorf("median of no coup: %d", got)
	}
	if got := SpreadOf(nil); got.Max != 0 || got.Mean.Sign() != 0 {
		t.Errorf("spread of nothing: %+v", got)
	}
}

// TestLiveAllocatesNothing keeps the page's odds cheap.
func TestLiveAllocatesNothing(t *testing.T) {
	s := shoe(t, "52x6")
	var sink game.Odds
	if n := testing.AllocsPerRun(100, func() { sink = Next(s); sink = Standing(s, card.Ace, card.Two) }); n != 0 {
		t.Errorf("%v allocations, %v", n, sink)
	}
}

func FuzzParseRanks(f *testing.F) {
	for _, s := range []string{"", "A", "A,2,10", "7,,Q", " J , K", "Ж", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseRanks(s)
		if err != nil {
			return
		}
		words := make([]string, len(got))
		for i, r := range got {
			if r < card.Ace || r > card.King {
				t.Fatalf("%q gave %v", s, r)
			}
			words[i] = r.String()
		}
		again, err := ParseRanks(strings.Join(words, ","))
		if err != nil || len(again) != len(got) {
			t.Fatalf("%q: %v %v", s, again, err)
		}
	})
}
