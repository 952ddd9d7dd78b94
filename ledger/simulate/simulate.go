// Package simulate plays millions of coups over the real engine and counts what
// came of them. It shuffles a shoe of its own, which is all it adds: what a card
// does, whose turn it is and which chips move is decided by the rules of
// ledger/game, as at the table. Exact odds are ledger/odds' affair; the two
// check each other.
package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// Options say what to play. A zero Seed is a seed like any other.
type Options struct {
	Game  string      // "" is lansquenet
	Packs int         // nought is one
	Ranks []card.Rank // the ranks in the pack; none means those the game is played with
	Coups int         // how many decided coups or hands
	Seed  uint64

	Reshuffle string // lansquenet: "every_coup" when empty, or "shoe_end"
	ThirdCard string // zecchinetta: "sweep" when empty, "matched" or "playette"
}

// Result is what was counted. In Lansquenet a coup is one bet, and Bank counts
// its doublets too. Skin and Zecchinetta have several bets in a hand; some are
// returned, so that Bank and Punters need not sum to one. A doublet is in Skin
// a first bank card that throws the first card out, in Zecchinetta a third card
// that pairs.
type Result struct {
	Coups     int // decided coups or hands
	Undecided int // those without a result
	Cards     int // of decided ones
	Doublets  int
	Chances   int // how often a doublet could have come
	Bets      int
	BankWins  int
	PuntWins  int
	Net       int64   // what the bankers won, at a chip a bet
	NetSquare float64 // sum of its squares, hand by hand
	Took      time.Duration
}

// share is n of all, nought of none.
func share(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}

// Doublet is how often a doublet came of the times it could have.
func (r Result) Doublet() float64 { return share(r.Doublets, r.Chances) }

// Bank is the share of the bets that the bank won.
func (r Result) Bank() float64 { return share(r.BankWins, r.Bets) }

// Punters is the share of the bets that the punters won.
func (r Result) Punters() float64 { return share(r.PuntWins, r.Bets) }

// MeanCards is how many cards a decided coup or hand took on average.
func (r Result) MeanCards() float64 { return share(r.Cards, r.Coups) }

// PerSecond is how many coups or hands were played in a second.
func (r Result) PerSecond() float64 {
	if r.Took <= 0 {
		return 0
	}
	return float64(r.Coups) / r.Took.Seconds()
}

// MarshalJSON writes the contract's object.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Coups     int     `json:"coups"`
		Doublet   float64 `json:"doublet"`
		Bank      float64 `json:"bank"`
		Punters   float64 `json:"punters"`
		MeanCards float64 `json:"mean_cards"`
		PerSecond float64 `json:"per_second"`
	}{r.Coups, r.Doublet(), r.Bank(), r.Punters(), r.MeanCards(), r.PerSecond()})
}

// String is the result for people.
func (r Result) String() string {
	return fmt.Sprintf("%d coups, %.0f a second\ndoublet    %.6f\nbank       %.6f\npunters    %.6f\ncards      %.4f on average\n",
		r.Coups, r.PerSecond(), r.Doublet(), r.Bank(), r.Punters(), r.MeanCards())
}

// Run plays until all coups are played, or until the context ends; then what
// was played so far is its result. The error is one sentence about the option
// at fault, or the context's.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Game == "" {
		o.Game = game.Lansquenet
	}
	if o.Packs == 0 {
		o.Packs = 1
	}
	if o.Coups < 1 {
		return Result{}, fmt.Errorf("%d coups: at least one is needed", o.Coups)
	}
	open, err := opening(o)
	if err != nil {
		return Result{}, err
	}
	rules, err := game.Resolve(open)
	if err != nil {
		return Result{}, fmt.Errorf("these are no rules of %s: %w", o.Game, err)
	}
	shoe := newShoe(&rules, o.Seed)
	began := time.Now()
	var r Result
	play := players[o.Game](open, shoe, rules.Reshuffle == game.EveryCoup, &r)
	for r.Coups < o.Coups && err == nil {
		play(min(r.Coups+turn, o.Coups))
		if err = ctx.Err(); r.Coups == 0 {
			err = fmt.Errorf("of %d coups none was decided: with so few ranks nobody ever wins", r.Undecided)
		}
	}
	r.Took = time.Since(began)
	return r, err
}

// turn is how many coups are played before somebody looks whether to stop.
const turn = 1000

// player plays on until the result has so many decided coups, or until there
// have been hopelessly many undecided ones. What the table refuses it is a fault
// of this program, and panics.
type player func(coups int)

// players open a table of each game; every says that each coup has a fresh shoe.
var players = map[string]func(open game.Action, shoe *shoe, every bool, r *Result) player{
	game.Lansquenet:  lansquenetCoups,
	game.Skin:        skinHands,
	game.Zecchinetta: zecchinettaHands,
}

// hopeless is whether nothing is ever decided.
func (r *Result) hopeless() bool { return r.Coups == 0 && r.Undecided > 5*turn }

// must is for what cannot fail.
func must(err error) {
	if err != nil {
		panic("simulate: " + err.Error())
	}
}

// rich is what every seat brings: enough for any run of bad luck at a chip a
// coup.
const rich = game.MaxAmount

// opening is the action that opens the night to be played.
func opening(o Options) (game.Action, error) {
	a := game.Action{Do: "open", Game: o.Game, Banker: "A"}
	seats := []string{"A", "B"}
	rules := map[string]any{"packs": o.Packs}
	switch o.Game {
	case game.Lansquenet:
		a.Profile = "pagat"
		rules["reshuffle"] = game.EveryCoup
		if o.Reshuffle != "" {
			rules["reshuffle"] = o.Reshuffle
		}
	case game.Skin:
		seats = append(seats, "C", "D")
	case game.Zecchinetta:
		if o.ThirdCard != "" {
			rules["third_card"] = o.ThirdCard
		}
	default:
		return a, fmt.Errorf("%q is no game: there are %s, %s and %s", o.Game, game.Lansquenet, game.Skin, game.Zecchinetta)
	}
	for _, s := range seats {
		a.Seats = append(a.Seats, game.Buyin{Name: s, Chips: rich})
	}
	if len(o.Ranks) > 0 {
		var in [card.Ranks + 1]bool
		for _, r := range o.Ranks {
			in[r] = true
		}
		strip := []string{}
		for _, r := range card.All {
			if !in[r] {
				strip = append(strip, r.String())
			}
		}
		rules["strip"] = strip
	}
	b, err := json.Marshal(rules)
	a.Rules = b
	return a, err
}

// shoe is a shoe of real cards, of which nobody knows the order: each card is
// drawn at random from those left, which is what shuffling is for.
type shoe struct {
	cards []card.Rank
	left  int
	rng   *rand.Rand
}

func newShoe(r *game.Rules, seed uint64) *shoe {
	s := &shoe{rng: rand.New(rand.NewPCG(seed, 0x5eed))}
	for _, k := range card.All {
		for range r.Packs * card.Suits {
			if !r.Strip[k] {
				s.cards = append(s.cards, k)
			}
		}
	}
	s.left = len(s.cards)
	return s
}

// shuffle puts all cards back.
func (s *shoe) shuffle() { s.left = len(s.cards) }

// draw takes the next card.
func (s *shoe) draw() card.Rank {
	i := int(s.rng.Uint32N(uint32(s.left)))
	s.left--
	s.cards[i], s.cards[s.left] = s.cards[s.left], s.cards[i]
	return s.cards[s.left]
}
