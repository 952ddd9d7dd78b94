package ledger

import (
	"lansquenet/ledger/game"
)

// night stands in for table.Table.
type night struct{}

func (n night) Apply(a game.Action) (night, game.Outcome, error) {
	return n, game.Outcome{}, game.Refuse("no_night")
}

func (n night) View() game.View        { return game.View{} }
func (n night) Final() tableFinal      { return tableFinal{} }
func tableFor(rules int) (night, bool) { return night{}, rules == RulesVersion }

// tableFinal stands in for table.Final.
type tableFinal struct {
	Game   string           `json:"game"`
	Phase  string           `json:"phase"`
	Banker string           `json:"banker"`
	Chips  map[string]int64 `json:"chips"`
	Bank   int64            `json:"bank"`
	Stakes map[string]int64 `json:"stakes"`
	Need   []int64          `json:"need,omitempty"`
	Cards  []string         `json:"cards"`
	Coups  int              `json:"coups"`
}
