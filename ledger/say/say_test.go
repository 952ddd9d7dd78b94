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
		{"de-AT,de;q=0.9", game.Say("told.bank_card", "card", qh), "Karte der Bank: D♥."},
		{"de", game.Say("told.buys", "seat", "anna", "n", int64(1)), "anna kauft 1 Chip."},
		{"fr", game.Say("told.bank_card", "card", card.Card{Rank: card.King, Suit: card.Spades}), "Carte de la banque\u00a0: R♠."},
		{"it", game.Say("told.won_bank", "card", q, "n", int64(24)), "Donna: il banco vince 24."},
		{"ru", game.Say("told.buys", "seat", "Жанна", "n", int64(1)), "Жанна покупает 1 жетон."},
		{"ru", game.Say("told.buys", "seat", "Жанна", "n", int64(3)), "Жанна покупает 3 жетона."},
		{"ru", game.Say("told.buys", "seat", "Жанна", "n", int64(11)), "Жанна покупает 11 жетонов."},
		{"ru", game.Say("told.buys", "seat", "Жанна", "n", int64(21)), "Жанна покупает 21 жетон."},
		{"en", game.Say("told.winners", "list", []game.Message{game.Say("pair", "seat", "B", "n", int64(5)), game.Say("pair", "seat", "C", "n", int64(7))}), "They win: B 5, C 7."},
		{"en", game.Say("told.closed_draw", "seats", []string{"A", "B", "C"}, "n", int64(7)), "The night is over: a draw between A, B and C, 7 chips each."},
		{"en", game.Say("zecchinetta.told.bet", "seat", "A", "n", int64(7), "rank", card.Ten), "A bets 7 on 10."},
		{"en", game.Say("refuse.not_now", "do", "cover", "prompt", game.Say("prompt.first_card", "seat", "A")), "Not now. A turns the bank card."},
		{"en", game.Say("told.buys", "seat", "anna", "n", int64(12500)), "anna buys 12,500 chips."},
		{"de", game.Say("told.buys", "seat", "anna", "n", int64(1000000)), "anna kauft 1.000.000 Chips."},
		{"ru", game.Say("told.buys", "seat", "Жанна", "n", int64(12501)), "Жанна покупает 12\u00a0501 жетон."},
		{"it", game.Say("told.won_bank", "card", q, "n", int64(1500)), "Donna: il banco vince 1.500."},
		{"fr", game.Say("told.won_bank", "card", q, "n", int64(12500)), "Dame\u00a0: la banque gagne 12\u00a0500."},
		{"en", game.Say("prompt.bank_need", "seat", "Émile", "amounts", []int64{1200, 2400}), "Émile posts 1,200 or 2,400 or gives the bank up."},
		{"nl", game.Say("told.pass", "seat", "Jan"), "Jan passes."},
	} {
		if got := In(c.lang).Say(c.m); got != c.want {
			t.Errorf("%s: %q, want %q", c.lang, got, c.want)
		}
	}
	if l := In("fr-CA").Lang(); l != "fr" {
		t.Errorf("Canadian French is spoken as %s", l)
	}
	if l := In("!!").Lang(); l != "en" {
		t.Errorf("an unreadable wish is answered in %s", l)
	}
}

// TestUnknownValue: a message with a value of no known kind is a fault of the
// program and has to be seen.
func TestUnknownValue(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a float went by unseen")
		}
	}()
	In("en").Say(game.Say("told.pass", "seat", 1.5))
}
