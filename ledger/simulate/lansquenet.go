package simulate

import (
	"lansquenet/ledger/game"
	"lansquenet/ledger/game/lansquenet"
)

// lansquenetCoups plays coups of one chip that the next seat covers with banco.
// Whoever wins gives the bank up, so that every coup is a new one.
func lansquenetCoups(open game.Action, shoe *shoe, every bool, r *Result) player {
	s, _, err := lansquenet.New(open)
	must(err)
	bank, banco, give := game.Action{Do: "bank", Amount: 1}, game.Action{Do: "banco"}, game.Action{Do: "give"}
	next := game.Action{Do: "card"}
	left := -1 // cards in the shoe as the table counts them, to see when it was shuffled
	return func(coups int) {
		for r.Coups < coups && !r.hopeless() {
			bank.Seat = s.Banker()
			must(s.Step(&bank, nil))
			banco.Seat = s.Asked()
			must(s.Step(&banco, nil))
			if every || s.Shoe.Total() != left {
				shoe.shuffle()
			}
			cards, before := 0, s.Coups
			for s.Waits() == game.FirstCard || s.Waits() == game.SecondCard || s.Waits() == game.Draw {
				next.Rank = shoe.draw()
				must(s.Step(&next, nil))
				cards++
			}
			left = s.Shoe.Total()
			if s.Coups == before {
				r.Undecided++
				continue
			}
			r.coup(s.Result(), cards)
			if s.Waits() == game.Decide {
				give.Seat = s.Banker()
				must(s.Step(&give, nil))
			}
		}
	}
}

// coup adds a decided coup of Lansquenet.
func (r *Result) coup(result string, cards int) {
	r.Coups++
	r.Chances++
	r.Bets++
	r.Cards += cards
	r.NetSquare++
	r.Net++
	switch result {
	case "doublet":
		r.Doublets++
		r.BankWins++
	case "bank":
		r.BankWins++
	default:
		r.PuntWins++
		r.Net -= 2
	}
}
