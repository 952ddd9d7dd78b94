package table

import (
	"lansquenet/ledger/game"
	"lansquenet/ledger/game/lansquenet"
	"lansquenet/ledger/game/skin"
	"lansquenet/ledger/game/zecchinetta"
)

// openers opens each game that this program can lead. Every one is wrapped, so
// that a refusal leaves no game instead of one that is nil inside.
var openers = map[string]func(game.Action) (game.Game, game.Outcome, error){
	game.Lansquenet:  wrap(lansquenet.New),
	game.Skin:        wrap(skin.New),
	game.Zecchinetta: wrap(zecchinetta.New),
}

func wrap[G game.Game](open func(game.Action) (G, game.Outcome, error)) func(game.Action) (game.Game, game.Outcome, error) {
	return func(a game.Action) (game.Game, game.Outcome, error) {
		g, o, err := open(a)
		if err != nil {
			return nil, game.Outcome{}, err
		}
		return g, o, nil
	}
}
