package table

import (
	"math"
	"testing"

	"lansquenet/ledger/game"
)

// TestOddsOnTheTable: the chances shown are those of the coup that runs or
// comes next (RULES 6), whatever the table waits for.
func TestOddsOnTheTable(t *testing.T) {
	p := &player{t: t, title: "odds"}
	at := func(where string, want game.Odds) {
		t.Helper()
		o := p.night.View().Odds
		if o == nil {
			t.Fatalf("%s: no odds", where)
		}
		for _, d := range []float64{o.Doublet - want.Doublet, o.Bank - want.Bank, o.Punters - want.Punters, o.Undecided - want.Undecided} {
			if math.Abs(d) > 1e-12 {
				t.Errorf("%s: %+v, want %+v", where, *o, want)
			}
		}
	}
	fresh := game.Odds{Doublet: 1. / 17, Bank: 9. / 17, Punters: 8. / 17}
	p.do("open ru A:100 B:100 banker=A")
	at("before the first bank", fresh)
	p.do("burn 7")
	at("a burned card comes back with the next shuffle", fresh)
	p.do("A bank 10")
	p.do("B banco")
	at("before the first card", fresh)
	p.do("deal 7")
	at("the bank card changes nothing yet", fresh)
	p.do("deal Q 2")
	at("three of each are left", game.Odds{Bank: .5, Punters: .5})
	p.do("deal Q")
	at("settled", fresh)

	p = &player{t: t, title: "odds down the shoe"}
	p.do("open pagat A:100 B:100 banker=A packs=1 reshuffle=shoe_end strip=3,4,5,6,7,8,9,10,J,Q,K")
	p.do("burn")
	at("a card burned unseen may be any", game.Odds{Doublet: 3. / 7, Bank: 5. / 7, Punters: 2. / 7})
	p.do("burn A")
	p.do("burn A")
	p.do("A bank 4")
	p.do("B banco")
	p.do("deal A")
	// One ace and four twos: an ace is a doublet; after a two, one ace against three.
	at("the bank card of a thin shoe", game.Odds{Doublet: .2, Bank: .2 + .8/4, Punters: .8 * 3 / 4})
	p.do("deal 2")
	at("one against three", game.Odds{Bank: .25, Punters: .75})

	p = &player{t: t, title: "no odds"}
	p.do("open pagat A:100 B:100 banker=A own_cards=true")
	if o := p.night.View().Odds; o != nil {
		t.Errorf("own cards: %+v", *o)
	}
}
