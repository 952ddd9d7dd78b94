package web

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// gameJSON is a game the host may open, with the house rules that matter to it
// and what each profile plays.
type gameJSON struct {
	Name     string                    `json:"name"`
	Profiles []string                  `json:"profiles"`
	Options  []string                  `json:"options"`
	Defaults map[string]map[string]any `json:"defaults"` // by profile, "" where there are none
}

type optionJSON struct {
	Key    string   `json:"key"`
	Values []string `json:"values,omitempty"`
	OnOff  bool     `json:"on_off,omitempty"`
	Ranks  bool     `json:"ranks,omitempty"`
	Time   bool     `json:"time,omitempty"`
	Min    int64    `json:"min"`
	Max    int64    `json:"max"`
}

// elsewhere lists the house rules that say nothing in a game. The form leaves
// them out; the rules themselves would accept them without effect.
var elsewhere = map[string][]string{
	game.Lansquenet:  {"third_card"},
	game.Skin:        elsewhereThanLansquenet,
	game.Zecchinetta: slices.DeleteFunc(slices.Clone(elsewhereThanLansquenet), func(k string) bool { return openCards[k] }),
}

// openCards are the house rules of the game with open cards.
var openCards = map[string]bool{"third_card": true}

var elsewhereThanLansquenet = []string{"reshuffle", "ride", "ride_base", "doublet", "doublet_keep", "doublet_bank",
	"next_from", "sell", "auction_bid", "exit_offer", "max_sales", "cover_circuits", "banco", "bet_timing",
	"first_match_double", "capot", "own_cards", "fixed_rotation", "void_on_shoeout", "stop_card", "third_card"}

// houseRules tells the form what may be chosen. Keys, values and defaults are
// the rules' own; the sentences about them are in the pages' catalogue.
func (s *Server) houseRules(c *gin.Context) {
	options := []optionJSON{}
	for _, o := range game.Options() {
		options = append(options, optionJSON{o.Key, o.Values, o.OnOff, o.Ranks, o.Time, o.Min, o.Max})
	}
	games := []gameJSON{}
	for _, name := range []string{game.Lansquenet, game.Skin, game.Zecchinetta} {
		g := gameJSON{Name: name, Profiles: []string{}, Defaults: map[string]map[string]any{}}
		for _, o := range options {
			if !slices.Contains(elsewhere[name], o.Key) {
				g.Options = append(g.Options, o.Key)
			}
		}
		for _, p := range append([]string{""}, game.Profiles()...) {
			r, err := game.Defaults(name, p)
			if err != nil {
				continue // this game has no such profile
			}
			if p != "" {
				g.Profiles = append(g.Profiles, p)
			}
			g.Defaults[p] = map[string]any{}
			for _, o := range game.Options() {
				g.Defaults[p][o.Key] = r.Value(o)
			}
		}
		games = append(games, g)
	}
	ranks := card.All
	c.JSON(http.StatusOK, gin.H{"games": games, "options": options, "ranks": ranks[:]})
}
