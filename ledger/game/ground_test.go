package game

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lansquenet/ledger/card"
)

func openWith(rules string, draw []int64, seats ...Buyin) Action {
	a := Action{Do: "open", Game: Lansquenet, Profile: "pagat", Seats: seats, Draw: draw}
	if rules != "" {
		a.Rules = []byte(rules)
	}
	return a
}

var four = []Buyin{{"A", 100}, {"B", 100}, {"C", 100}, {"D", 100}}

// TestRing: right of the last is the first; seats that have risen are stepped
// over and keep their place.
func TestRing(t *testing.T) {
	s := Seats{{Name: "A"}, {Name: "B"}, {Name: "C"}, {Name: "D", Chips: 5}}
	if s.Right(0) != 1 || s.Right(3) != 0 {
		t.Error("the ring does not close")
	}
	s[1].Left = true
	s[2].Left = true
	if s.Right(0) != 3 || s.Right(1) != 3 || s.Here() != 2 || s.Find("B") != -1 {
		t.Error("who has risen is still there")
	}
	if s.Able(0, 1) != 3 || s.Able(1, 1) != 3 || s.Able(3, 5) != 3 {
		t.Error("a seat without chips was not passed over")
	}
	if s.Able(0, 6) != 0 || s.Able(1, 6) != 3 {
		t.Error("where nobody has the chips, it stays with the one asked for, or the next one there")
	}
	c := s.Clone()
	c[0].Chips = 9
	if s[0].Chips != 0 {
		t.Error("a clone shares its seats")
	}
}

func TestWinners(t *testing.T) {
	s := Seats{{Name: "A", Chips: 3}, {Name: "B", Chips: 5}, {Name: "C", Chips: 5}, {Name: "D", Chips: 9, Left: true}}
	if w := s.Winners(); !slices.Equal(w, []string{"B", "C"}) {
		t.Error(w)
	}
}

// TestInventory: a rank comes as often as its packs hold it, a rank and suit as
// often as there are packs, and nothing comes out of an empty shoe.
func TestInventory(t *testing.T) {
	r, err := resolve(Lansquenet, "pagat", `{"packs":2,"strip":["2"]}`)
	if err != nil {
		t.Fatal(err)
	}
	s := FreshShoe(&r)
	k, kh := card.Card{Rank: card.King}, card.Card{Rank: card.King, Suit: card.Hearts}
	if s.Total() != 96 || s.Take(card.Card{Rank: card.Two}) {
		t.Error("the stripped rank is in the shoe")
	}
	copied := s
	first, second, third := s.Take(kh), s.Take(kh), s.Take(kh)
	if !first || !second || third || s.Left(card.King) != 6 || copied.Left(card.King) != 8 {
		t.Error("two kings of hearts come out of two packs")
	}
	if r := s.Impossible(kh); r.Code != "impossible_card" || r.Message.Args["card"] != kh {
		t.Error(r)
	}
	for range 6 {
		s.Take(k)
	}
	if s.Can(k) || s.Impossible(kh).Message.Args["card"] != k {
		t.Error("a ninth king")
	}
	for s.TakeUnseen() {
	}
	if v := s.View(); v.Total != 0 || v.Size != 96 || v.Rank[card.Ace] != 8 {
		t.Error(v)
	}
	if s.Take(card.Card{Rank: card.Ace}) || s.Impossible(k).Code != "shoe_empty" {
		t.Error("a card out of an empty shoe")
	}
}

// draws are what chance would give, from a seed of its own.
func draws(rng *rand.Rand) []int64 {
	out := make([]int64, DrawNumbers)
	for i := range out {
		out[i] = rng.Int64N(1 << 31)
	}
	return out
}

// TestFirstBanker: each way of finding the first banker gives every seat its
// chance, the same numbers always the same seat.
func TestFirstBanker(t *testing.T) {
	const nights = 8000
	for _, way := range []string{Lot, Random, HighCard} {
		rng := rand.New(rand.NewPCG(7, 11))
		var got [4]int
		for range nights {
			d := draws(rng)
			_, b, _, err := NewGround(openWith(`{"first_banker":"`+way+`"}`, d, four...), 1)
			_, again, _, _ := NewGround(openWith(`{"first_banker":"`+way+`"}`, d, four...), 1)
			if err != nil || b != again {
				t.Fatal(way, err, b, again)
			}
			got[b]++
		}
		for i, n := range got {
			// Four standard deviations of 8000 draws of a quarter are 155.
			if n < nights/4-155 || n > nights/4+155 {
				t.Errorf("%s: seat %d is first %d times of %d", way, i, n, nights)
			}
		}
	}
}

// told is what a seat drew, of the sentences.
func told(o Outcome, key string) (out []string) {
	for _, m := range o.Told {
		if m.Key == key {
			out = append(out, fmt.Sprint(m.Args["seat"], m.Args["card"]))
		}
	}
	return out
}

// TestHighCard: ace is high, tied seats draw again and nobody else does.
func TestHighCard(t *testing.T) {
	high := func(numbers ...int64) (int, []string) {
		g, b, o, err := NewGround(openWith(`{"first_banker":"high_card","packs":1}`, numbers, four...), 1)
		if err != nil {
			t.Fatal(err)
		}
		_ = g
		return b, told(o, "told.draws")
	}
	// Positions in a pack sorted A A A A 2 2 2 2 …, shrinking with each card.
	at := func(place, of int64) int64 { return (place<<31)/of + 1 }
	b, drew := high(at(10, 52), at(50, 51), at(0, 50), at(20, 49))
	if b != 2 || !slices.Equal(drew, []string{"A3", "BK", "CA", "D6"}) {
		t.Error(b, drew)
	}
	b, drew = high(at(10, 52), at(50, 51), at(20, 50), at(48, 49), at(4, 52), at(6, 51))
	if b != 1 && b != 3 {
		t.Error(b, drew)
	}
	if len(drew) < 6 || drew[4][0] != 'B' || drew[5][0] != 'D' {
		t.Errorf("B and D are tied and draw again: %v", drew)
	}
	// Numbers that are no chance at all still come to an end.
	if b, _ = high(0); b != 0 {
		t.Error(b)
	}
}

// TestHighCardOfMany: a pack that is too small for the table is used again.
func TestHighCardOfMany(t *testing.T) {
	var seats []Buyin
	for i := range 60 {
		seats = append(seats, Buyin{fmt.Sprint("seat ", i), 10})
	}
	a := openWith(`{"first_banker":"high_card","packs":1}`, draws(rand.New(rand.NewPCG(1, 1))), seats...)
	if _, _, o, err := NewGround(a, 1); err != nil || len(told(o, "told.draws")) < 60 {
		t.Error(err)
	}
}

// TestFirstAce: dealt face up round the table until an ace comes, or the
// highest rank where the aces are stripped.
func TestFirstAce(t *testing.T) {
	at := func(place, of int64) int64 { return (place<<31)/of + 1 }
	for rules, numbers := range map[string][]int64{
		`{"first_banker":"first_ace","packs":1}`:               {at(10, 52), at(50, 51), at(40, 50), at(30, 49), at(20, 48), at(0, 47)},
		`{"first_banker":"first_ace","packs":1,"strip":["A"]}`: {at(10, 48), at(20, 47), at(30, 46), at(0, 45), at(1, 44), at(42, 43)},
	} {
		if _, b, _, err := NewGround(openWith(rules, numbers, four...), 1); err != nil || b != 1 {
			t.Errorf("%s: seat %d, %v", rules, b, err)
		}
	}
}

// TestOpenRefused: what may be wrong with the seats and the banker.
func TestOpenRefused(t *testing.T) {
	for _, c := range []struct {
		a           Action
		code, field string
	}{
		{openWith("", nil, four[:1]...), "two_seats", "seats"},
		{openWith(`{"max_players":3}`, nil, four...), "table_full", "seats"},
		{openWith("", nil, Buyin{"A", 1}, Buyin{"A", 1}), "name_taken", "seats"},
		{openWith(`{"equal_chips":true}`, nil, Buyin{"A", 1}, Buyin{"B", 2}), "equal_chips", "seats"},
		{openWith("", nil, four...), "no_draw", "banker"},
		{openWith(`{"packs":0}`, nil, four...), "bad_rules", "rules.packs"},
	} {
		_, _, _, err := NewGround(c.a, 1)
		var r *Refusal
		if !errors.As(err, &r) || r.Code != c.code || r.Field != c.field {
			t.Errorf("%+v: %v", c.a, err)
		}
	}
	a := openWith("", nil, four...)
	a.Banker = "Z"
	var r *Refusal
	if _, _, _, err := NewGround(a, 1); !errors.As(err, &r) || r.Code != "no_such_seat" || r.Field != "banker" {
		t.Error(err)
	}
}

// TestPoorBankerIsPassedOver: named or drawn, with too few chips for a bank.
func TestPoorBankerIsPassedOver(t *testing.T) {
	a := openWith("", nil, Buyin{"A", 1}, Buyin{"B", 0}, Buyin{"C", 2})
	a.Banker = "A"
	if _, b, _, err := NewGround(a, 2); err != nil || b != 2 {
		t.Error(b, err)
	}
}

// TestComingBack: who comes back has his account of the night, and a new place.
func TestComingBack(t *testing.T) {
	a := openWith("", nil, four...)
	a.Banker = "A"
	g, _, _, err := NewGround(a, 1)
	if err != nil {
		t.Fatal(err)
	}
	var o Outcome
	if _, err := g.Rise(&Action{Seat: "B"}, &o); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Rise(&Action{Seat: "B"}, &o); err == nil {
		t.Error("rose twice")
	}
	i, err := g.SitDown(&Action{Name: "B", Chips: 40}, &o)
	if err != nil || i != 4 || g.Seats[4].Bought != 140 || g.Seats[4].Cashed != 100 {
		t.Error(i, err, g.Seats)
	}
	if v := g.View(); len(v.Seats) != 4 || v.Seats[3].Name != "B" || g.Seats.Right(3) != 4 {
		t.Errorf("%+v", v.Seats)
	}
}

// TestBurn: a suit without its rank, and more than the shoe holds.
func TestBurn(t *testing.T) {
	a := openWith(`{"packs":1,"strip":["3","4","5","6","7","8","9","10","J","Q","K"]}`, nil, four...)
	a.Banker = "A"
	g, _, _, err := NewGround(a, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.BurnCard(&Action{Suit: card.Hearts}, nil); err == nil || err.(*Refusal).Code != "suit_alone" {
		t.Error(err)
	}
	for range 8 {
		if err := g.BurnCard(&Action{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.BurnCard(&Action{}, nil); err == nil || err.(*Refusal).Code != "shoe_empty" {
		t.Error(err)
	}
	if g.CanCome() != nil {
		t.Error("an empty shoe offers cards")
	}
}
