package table

import "lansquenet/ledger/game"

// openers opens each game that this program can lead.
var openers = map[string]func(game.Action) (game.Game, game.Outcome, error){}
