package table

import (
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// Final is what is left of a night when it is looked at: CONTRACT section 2's
// `final` object in its order of fields. Seq and Head are the journal's, which
// a table does not know; ledger.Final adds them between Coups and Winners.
type Final struct {
	Game    string           `json:"game"`
	Phase   game.Phase       `json:"phase"`
	Banker  string           `json:"banker"`
	Chips   map[string]int64 `json:"chips"`  // free chips by seat
	Bank    int64            `json:"bank"`   // posted in the bank
	Stakes  map[string]int64 `json:"stakes"` // posted by seat, {} when nothing is
	Need    []int64          `json:"need,omitempty"`
	Cards   []card.Rank      `json:"cards"` // of this coup, [] when there are none
	Coups   int              `json:"coups"`
	Winners []string         `json:"winners,omitempty"`
}

// Final is the table as the contract's object. encoding/json writes the maps in
// the order of their keys, so equal tables are equal byte for byte.
func (t Table) Final() Final { return FinalOf(t.View()) }

// FinalOf reads the object off a view.
func FinalOf(v game.View) Final {
	f := Final{
		Game: v.Game, Phase: v.Phase, Banker: v.Banker, Bank: v.Bank, Need: v.Need, Coups: v.Coups, Winners: v.Winners,
		Chips: make(map[string]int64, len(v.Seats)), Stakes: make(map[string]int64), Cards: []card.Rank{},
	}
	for _, s := range v.Seats {
		if s.Left {
			continue
		}
		f.Chips[s.Name] = s.Chips
		if s.Stake > 0 {
			f.Stakes[s.Name] = s.Stake
		}
	}
	for _, d := range v.Cards {
		f.Cards = append(f.Cards, d.Card.Rank)
	}
	return f
}
