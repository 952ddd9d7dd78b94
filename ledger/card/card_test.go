package card

import (
	"encoding/json"
	"testing"
)

// TestWritten: every rank and suit reads what it writes, and nothing else.
func TestWritten(t *testing.T) {
	for _, r := range All {
		if got, err := ParseRank(r.String()); err != nil || got != r {
			t.Errorf("%v reads as %v, %v", r, got, err)
		}
	}
	for s := Clubs; s <= Spades; s++ {
		if got, err := ParseSuit(s.String()); err != nil || got != s {
			t.Errorf("%v reads as %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "1", "11", "a", "joker", "♠", " K"} {
		if r, err := ParseRank(s); err == nil {
			t.Errorf("%q is the rank %v", s, r)
		}
		if r, err := ParseSuit(s); err == nil {
			t.Errorf("%q is the suit %v", s, r)
		}
	}
}

func TestString(t *testing.T) {
	for want, c := range map[string]Card{"10♥": {Ten, Hearts}, "A": {Ace, NoSuit}, "K♠": {King, Spades}, "": {}} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if s := Rank(99).String() + Suit(99).String(); s != "Rank(99)Suit(99)" {
		t.Error(s)
	}
}

func TestJSON(t *testing.T) {
	type both struct {
		R Rank
		S Suit
	}
	for _, want := range []both{{Queen, Diamonds}, {}} {
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got both
		if err := json.Unmarshal(b, &got); err != nil || got != want {
			t.Errorf("%s reads as %v, %v", b, got, err)
		}
	}
	for _, bad := range []string{`{"R":"1"}`, `{"S":"x"}`} {
		if err := json.Unmarshal([]byte(bad), new(both)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

func TestRed(t *testing.T) {
	for s, want := range map[Suit]bool{NoSuit: false, Clubs: false, Diamonds: true, Hearts: true, Spades: false} {
		if s.Red() != want {
			t.Errorf("%v: red %v", s, s.Red())
		}
	}
}
