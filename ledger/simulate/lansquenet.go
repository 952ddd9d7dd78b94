package simulate

import (
	"fmt"

	"lansquenet/ledger/game"
	"lansquenet/ledger/game/lansquenet"
)

// lansquenetCoups plays coups of one chip that the next seat covers with banco.
// Whoever wins gives the bank up, so that every coup is a new one.
func lansquenetCoups(open game.Action, shoe *shoe, coups int, every bool) (Result, error) {
	s, _, err := lansquenet.New(open)
	if err != nil {
		return Result{}, err
	}
	var r Result
	bank, banco, give := game.Action{Do: "bank", Amount: 1}, game.Action{Do: "banco"}, game.Action{Do: "give"}
	next := game.Action{Do: "card"}
	left := -1 // cards in the shoe as the table counts them, to see when it was shuffled
	for r.Coups < coups {
		bank.Seat = s.Banker()
		if err := s.Step(&bank, nil); err != nil {
			return r, err
		}
		banco.Seat = s.Asked()
		if err := s.Step(&banco, nil); err != nil {
			return r, err
		}
		if every || s.Shoe.Total() != left {
			shoe.shuffle()
		}
		cards, before := 0, s.Coups
		for s.Waits() == game.FirstCard || s.Waits() == game.SecondCard || s.Waits() == game.Draw {
			next.Rank = shoe.draw()
			if err := s.Step(&next, nil); err != nil {
				return r, fmt.Errorf("the %v, number %d of its coup: %w", next.Rank, cards+1, err)
			}
			cards++
		}
		left = s.Shoe.Total()
		if s.Coups == before {
			r.Undecided++
			continue
		}
		r.Coups++
		r.Bets++
		r.Cards += cards
		switch s.Result() {
		case "doublet":
			r.Doublets++
			r.BankWins++
		case "bank":
			r.BankWins++
		default:
			r.PuntWins++
		}
		if s.Waits() == game.Decide {
			give.Seat = s.Banker()
			if err := s.Step(&give, nil); err != nil {
				return r, err
			}
		}
	}
	r.Chances = r.Coups
	r.Net = int64(r.BankWins - r.PuntWins)
	r.NetSquare = float64(r.Coups)
	return r, nil
}
