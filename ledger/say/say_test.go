package say

import (
	"testing"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

func TestSay(t *testing.T) {
	q, qh := card.Card{Rank: card.Queen}, card.Card{Rank: card.Queen, Suit: card.Hearts}
	for _, c := range []struct {
		lang string
		m    game.Message
		want string
	}{
		{"en", game.Say("told.won_bank", "card", q, "n", int64(24)), "Queen: bank wins 24."},
		{"en", game.Say("told.won_bank", "card", qh, "n", int64(24)), "Q♥: bank wins 24."},
		{"en", game.Say("told.buys", "seat", "anna", "n", int64(1)), "anna buys 1 chip."},
		{"en", game.Say("told.buys", "seat", "anna", "n", int64(2)), "anna buys 2 chips."},
		{"en", game.Say("prompt.bank_need", "seat", "Émile", "amounts", []int64{12, 24}), "Émile posts 12 or 24 or gives the bank up."},
		{"en", game.Say("no.such.key"), "no.such.key"},
		{"nl", game.Say("told.pass", "seat", "Jan"), "Jan passes."},
	} {
		if got := In(c.lang).Say(c.m); got != c.want {
			t.Errorf("%s: %q, want %q", c.lang, got, c.want)
		}
	}
}
