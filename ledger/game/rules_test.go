package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lansquenet/ledger/card"
)

func resolve(name, profile, rules string) (Rules, error) {
	a := Action{Do: "open", Game: name, Profile: profile}
	if rules != "" {
		a.Rules = json.RawMessage(rules)
	}
	return Resolve(a)
}

// TestProfiles is the table of RULES 5, profile by profile.
func TestProfiles(t *testing.T) {
	base := map[string]any{
		"packs": int64(6), "strip": []card.Rank{}, "reshuffle": "shoe_end", "ride": "forced", "ride_base": "full",
		"doublet": "bank_wins", "doublet_keep": "choice", "doublet_bank": "stays", "next_from": "original",
		"sell": "fixed", "auction_bid": "premium", "exit_offer": "may", "max_sales": int64(3),
		"cover_circuits": "repeat", "banco": true, "first_banker": "lot", "bet_timing": "before_cards",
		"first_match_double": false, "capot": false, "own_cards": false, "fixed_rotation": int64(0),
		"loss_limit": int64(0), "void_on_shoeout": true, "stop_card": int64(0), "third_card": "sweep",
		"max_players": int64(0), "equal_chips": false, "end_time": "",
	}
	differ := map[string]map[string]any{
		"lansquenet pagat": {},
		"lansquenet ru": {"packs": int64(1), "reshuffle": "every_coup", "exit_offer": "must", "first_banker": "random",
			"max_players": int64(10), "equal_chips": true},
		"lansquenet it": {"ride": "free", "doublet_keep": "free", "next_from": "current", "sell": "none", "max_sales": int64(0),
			"cover_circuits": "single", "banco": false, "first_banker": "high_card", "max_players": int64(10)},
		"skin ": {"packs": int64(1), "reshuffle": "every_coup", "first_banker": "first_ace"},
		"zecchinetta ": {"packs": int64(1), "reshuffle": "every_coup", "first_banker": "random",
			"strip": []card.Rank{card.Eight, card.Nine, card.Ten}},
	}
	for which, d := range differ {
		name, profile, _ := strings.Cut(which, " ")
		r, err := resolve(name, profile, "")
		if err != nil {
			t.Errorf("%s: %v", which, err)
			continue
		}
		for _, o := range Options() {
			want, ok := d[o.Key]
			if !ok {
				want = base[o.Key]
			}
			if got := r.Value(o); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %v, want %v", which, o.Key, got, want)
			}
		}
	}
	if len(base) != len(Options()) {
		t.Errorf("%d options are looked at, there are %d", len(base), len(Options()))
	}
}

// TestReshuffleByPacks: one pack is shuffled before every coup, a shoe is
// dealt down, unless the host says otherwise (RULES 5).
func TestReshuffleByPacks(t *testing.T) {
	for rules, want := range map[string]string{
		`{"packs":1}`: EveryCoup, `{"packs":2}`: ShoeEnd,
		`{"packs":1,"reshuffle":"shoe_end"}`: ShoeEnd, `{"reshuffle":"every_coup"}`: EveryCoup,
	} {
		if r, err := resolve(Lansquenet, "pagat", rules); err != nil || r.Reshuffle != want {
			t.Errorf("%s: %q, %v, want %q", rules, r.Reshuffle, err, want)
		}
	}
}

// TestEveryOption gives each option all of its values, and some that are none.
func TestEveryOption(t *testing.T) {
	for _, o := range Options() {
		good, bad := map[string]any{}, []string{"null", "[]", "{}", `"maybe"`, "-1", "1.5", "1e3", "99999999999999"}
		switch {
		case o.OnOff:
			good["true"], good["false"] = true, false
			bad = append(bad, "1", `"true"`)
		case o.Ranks:
			good[`["2","10"]`] = []card.Rank{card.Two, card.Ten}
			good[`[]`] = []card.Rank{}
			bad = append(bad[:1], `{}`, `["1"]`, `["2",3]`, `[2]`, `"2"`, `true`)
		case o.Time:
			good[`"23:59"`], good[`"00:00"`], good[`""`] = "23:59", "00:00", ""
			bad = append(bad, `"24:00"`, `"12:60"`, `"1:30"`, `"12:3"`, `"12.30"`, `"+1:30"`, `"noon"`)
		case o.Values != nil:
			for _, v := range o.Values {
				good[fmt.Sprintf("%q", v)] = v
			}
			bad = append(bad, "true", fmt.Sprintf("%q", strings.ToUpper(o.Values[0])))
		default:
			good[fmt.Sprint(o.Min)], good[fmt.Sprint(o.Max)] = o.Min, o.Max
			bad = append(bad, fmt.Sprint(o.Max+1), fmt.Sprint(o.Min-1), "true", `"3"`)
		}
		for v, want := range good {
			r, err := resolve(Lansquenet, "pagat", fmt.Sprintf(`{%q:%s}`, o.Key, v))
			if err != nil || !reflect.DeepEqual(r.Value(o), want) {
				t.Errorf("%s %s is %v, %v", o.Key, v, r.Value(o), err)
			}
		}
		for _, v := range bad {
			_, err := resolve(Lansquenet, "pagat", fmt.Sprintf(`{%q:%s}`, o.Key, v))
			var r *Refusal
			if !errors.As(err, &r) || r.Code != "bad_rules" || r.Field != "rules."+o.Key {
				t.Errorf("%s %s: %v", o.Key, v, err)
			}
		}
	}
}

// TestRulesRefused: what an `open` may get wrong, and the field that is named.
func TestRulesRefused(t *testing.T) {
	for _, c := range []struct{ name, profile, rules, field string }{
		{"whist", "pagat", "", "game"},
		{"", "", "", "game"},
		{Lansquenet, "", "", "profile"},
		{Lansquenet, "fr", "", "profile"},
		{Skin, "pagat", "", "profile"},
		{Zecchinetta, "it", "", "profile"},
		{Lansquenet, "it", `{"pack":1}`, "rules.pack"},
		{Lansquenet, "it", `{"zz":1,"aa":2}`, "rules.zz"},
		{Lansquenet, "it", `{"packs":1,"packs":2}`, "rules"},
		{Lansquenet, "it", `[]`, "rules"},
		{Lansquenet, "it", `{"strip":["A","2","3","4","5","6","7","8","9","10","J","Q"]}`, "rules.strip"},
	} {
		_, err := resolve(c.name, c.profile, c.rules)
		var r *Refusal
		if !errors.As(err, &r) || r.Code != "bad_rules" || r.Field != c.field {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// FuzzResolve: whatever stands in `rules`, it is refused or resolved, never a
// panic, and what is resolved can be played.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{`{}`, `{"packs":1,"strip":["8","9","10"]}`, `{"end_time":"23:30"}`, `{"loss_limit":1000000000}`, `{"packs":1e1}`, `{"strip":[]`, `[1]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := resolve(Lansquenet, "pagat", s)
		var no *Refusal
		if err != nil {
			if !errors.As(err, &no) || no.Field == "" {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		shoe := FreshShoe(&r)
		if shoe.Total() != r.Packs*4*r.RanksIn() || r.Packs < 1 || r.RanksIn() < 2 || r.MaxSales < 0 || r.LossLimit < 0 {
			t.Fatalf("%q resolves to %+v", s, r)
		}
		for _, o := range Options() {
			if r.Value(o) == nil {
				t.Fatalf("%q: %s has no value", s, o.Key)
			}
		}
	})
}
