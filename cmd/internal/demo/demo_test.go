package demo

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"lansquenet/cmd/internal/console"
	"lansquenet/cmd/internal/house"
	"lansquenet/hw"
	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
	"lansquenet/vision"
)

// knowing is a watcher that knows what was dealt instead of looking: these tests
// are about the players. Every asks-th card it pretends not to be sure of, and
// reads wrongly what wrong says.
type knowing struct {
	table *Table
	told  int
	asks  int
	wrong func(i int, c card.Card) card.Card
}

func (k *knowing) Next(ctx context.Context) (vision.Event, error) {
	for {
		f, err := k.table.Next(ctx)
		if err != nil {
			return vision.Event{}, err
		}
		all := k.table.scene.Truths()
		if k.told == len(all) || all[k.told].Settled == 0 {
			continue
		}
		c := card.Card{Rank: all[k.told].Rank, Suit: all[k.told].Suit}
		if k.wrong != nil {
			c = k.wrong(k.told, c)
		}
		e := vision.Event{Kind: vision.Card, I: k.told, Frame: f.N, T: f.At, Rank: c.Rank, Suit: c.Suit, Confidence: 0.99}
		if k.told++; k.asks > 0 && k.told%k.asks == 0 {
			e.Kind, e.Guess = vision.Unsure, []card.Rank{c.Rank}
		}
		return e, nil
	}
}

func (k *knowing) Stats() vision.Stats { return vision.Stats{} }
func (k *knowing) Live() vision.Live   { return vision.Live{} }
func (k *knowing) Picture() []byte     { return nil }

// play plays a night with a knowing watcher.
func play(t *testing.T, o Options, asks int, wrong func(int, card.Card) card.Card) (ledger.Final, *Table) {
	t.Helper()
	o.Scene.W, o.Scene.H, o.Scene.Hurry = 320, 180, 4
	table := New(o)
	c, err := ledger.Open(t.Context(), journal.NewMem(), ledger.Options{Now: table.Clock, Chance: table.Dice()})
	if err != nil {
		t.Fatal(err)
	}
	cam := house.NewCamera(c, slog.New(slog.DiscardHandler))
	cam.Watch(&knowing{table: table, asks: asks, wrong: wrong})
	meaning := func(v game.View, p hw.Press) (ledger.Request, bool) { return console.Meaning(v, p, 1) }
	table.Seat(c, cam, meaning)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	err = house.Run(ctx, house.Parts{Croupier: c, Camera: cam, Buttons: table.Buttons(), Meaning: meaning, Over: stop, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatalf("seed %d: %v", o.Seed, err)
	}
	return c.Final(), table
}

func text(t *testing.T, f ledger.Final) string {
	t.Helper()
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestNightsEnd(t *testing.T) {
	for _, o := range []Options{{Seed: 1, Coups: 6}, {Seed: 2, Coups: 6, Profile: "ru"}, {Seed: 3, Coups: 6, Profile: "it"},
		{Seed: 4, Coups: 2, Game: "skin"}, {Seed: 5, Coups: 12, Game: "zecchinetta"}} {
		t.Run(o.Game+o.Profile, func(t *testing.T) {
			f, table := play(t, o, 0, nil)
			t.Log(text(t, f))
			if f.Phase != "closed" || f.Coups < o.Coups || len(f.Winners) == 0 {
				t.Errorf("seed %d: %s", o.Seed, text(t, f))
			}
			if table.pressed == 0 {
				t.Errorf("seed %d: only %d presses", o.Seed, table.pressed)
			}
			for i, d := range table.Deals() {
				if d.By != "camera" || d.Read != d.Dealt {
					t.Errorf("seed %d: card %d: %+v", o.Seed, i, d)
				}
			}
		})
	}
}

// TestNobodyShufflesTwice reads the journals of nights in which a shuffle is asked
// for before every coup: it is done once, and covering isn't a trickle of chips.
func TestNobodyShufflesTwice(t *testing.T) {
	for _, profile := range []string{"pagat", "ru", "it"} {
		_, table := play(t, Options{Seed: 3, Coups: 8, Profile: profile}, 0, nil)
		before, covers, coups := "", 0, 0
		for e, err := range table.table.Journal().Entries(t.Context(), table.table.State().Session, 0) {
			if err != nil {
				t.Fatal(err)
			}
			do := e.Action.Do
			if do == "shuffle" && before == do {
				t.Errorf("seed 3, %s: entry %d shuffles what has just been shuffled", profile, e.Seq)
			}
			switch before = do; do {
			case "bank", "keep":
				coups++
			case "cover":
				covers++
			}
		}
		if covers > 8*coups {
			t.Errorf("seed 3, %s: %d times covered in %d coups", profile, covers, coups)
		}
	}
}

func TestSameSeedSameNight(t *testing.T) {
	a, _ := play(t, Options{Seed: 7, Coups: 3}, 4, nil)
	b, _ := play(t, Options{Seed: 7, Coups: 3}, 4, nil)
	other, _ := play(t, Options{Seed: 8, Coups: 3}, 4, nil)
	if text(t, a) != text(t, b) {
		t.Errorf("%s\n%s", text(t, a), text(t, b))
	}
	if text(t, a) == text(t, other) {
		t.Error("another seed gives the same night")
	}
}

// TestHostAnswers has the reader unsure of every third card: the night goes on
// with the host's word, and nothing is asked twice.
func TestHostAnswers(t *testing.T) {
	f, table := play(t, Options{Seed: 9, Coups: 4}, 3, nil)
	for i, d := range table.Deals() {
		by := "camera"
		if i%3 == 2 {
			by = "host"
		}
		if d.By != by || d.Read.Rank != d.Dealt.Rank {
			t.Errorf("seed 9: card %d: %+v, want by %s", i, d, by)
		}
	}
	if f.Coups < 4 {
		t.Error(text(t, f))
	}
}

// TestMisreadsDoNotEndTheNight has a reader that is often wrong and often asks:
// sooner or later the host names a card that, as far as the table knows, has
// come already.
func TestMisreadsDoNotEndTheNight(t *testing.T) {
	wrong := map[string]func(int, card.Card) card.Card{
		"suit": func(i int, c card.Card) card.Card { c.Suit = c.Suit%card.Suits + 1; return c },
		"rank": func(i int, c card.Card) card.Card {
			if i%2 == 0 {
				c.Rank = card.King
			}
			return c
		},
	}
	for what, misread := range wrong {
		for seed := uint64(1); seed < 3; seed++ {
			f, _ := play(t, Options{Seed: seed, Coups: 3, Game: "zecchinetta"}, 3, misread)
			if f.Phase != "closed" {
				t.Errorf("seed %d, wrong %s: %s", seed, what, text(t, f))
			}
		}
	}
}

// TestMisreadShows reads every card of the second rank dealt as another one: the
// table must hold what was read, not what was dealt.
func TestMisreadShows(t *testing.T) {
	f, table := play(t, Options{Seed: 3, Coups: 1}, 0, func(i int, c card.Card) card.Card {
		if i == 1 {
			c.Rank = c.Rank%card.Ranks + 1
		}
		return c
	})
	d := table.Deals()[1]
	if d.Read.Rank == d.Dealt.Rank {
		t.Fatalf("the misread did not arrive: %+v", d)
	}
	if f.Cards[1] != d.Read.Rank {
		t.Errorf("card 2 is %v, read as %v: %s", f.Cards[1], d.Read.Rank, text(t, f))
	}
}
