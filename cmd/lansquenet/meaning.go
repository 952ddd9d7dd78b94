package main

import (
	"lansquenet/cmd/internal/console"
	"lansquenet/cmd/internal/house"
	"lansquenet/hw"
	"lansquenet/ledger"
	"lansquenet/ledger/game"
)

// meaning is what a press asks of the table, where one press of cover stands
// for unit chips.
func meaning(unit int64) house.Meaning {
	return func(v game.View, p hw.Press) (ledger.Request, bool) { return console.Meaning(v, p, unit) }
}
