// Package card names the ranks and suits of playing cards and how they are
// written: ranks "A", "2" … "10", "J", "Q", "K", suits "clubs", "diamonds",
// "hearts", "spades". It knows nothing of values or order: in these games only
// equality of rank matters (RULES 1.2).
package card

import "fmt"

// Rank is a card's rank. The zero value is no rank.
type Rank uint8

// The thirteen ranks, in the order of the pack.
const (
	NoRank Rank = iota
	Ace
	Two
	Three
	Four
	Five
	Six
	Seven
	Eight
	Nine
	Ten
	Jack
	Queen
	King
)

// Ranks is how many ranks a full pack has.
const Ranks = 13

// Suit is a card's suit. The zero value is a suit that was not read.
type Suit uint8

// The four suits.
const (
	NoSuit Suit = iota
	Clubs
	Diamonds
	Hearts
	Spades
)

// Suits is how many suits a pack has.
const Suits = 4

// Red says that it is diamonds or hearts. NoSuit isn't.
func (s Suit) Red() bool { return s == Diamonds || s == Hearts }

// Card is a rank and, where it is known, a suit. The JSON form lives with
// whoever carries cards: an action has rank and suit as fields of its own.
type Card struct {
	Rank Rank
	Suit Suit
}

var rankNames = [Ranks + 1]string{"", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}
var suitNames = [Suits + 1]string{"", "clubs", "diamonds", "hearts", "spades"}

// All is every rank in the order of the pack.
var All = [Ranks]Rank{Ace, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Jack, Queen, King}

// String is the rank as written in an action, "" for no rank.
func (r Rank) String() string {
	if int(r) < len(rankNames) {
		return rankNames[r]
	}
	return fmt.Sprintf("Rank(%d)", uint8(r))
}

// String is the suit as written in an action, "" for an unread suit.
func (s Suit) String() string {
	if int(s) < len(suitNames) {
		return suitNames[s]
	}
	return fmt.Sprintf("Suit(%d)", uint8(s))
}

// String is the rank followed by the suit's sign, as in "10♥".
func (c Card) String() string {
	return c.Rank.String() + [Suits + 1]string{"", "♣", "♦", "♥", "♠"}[c.Suit]
}

// ParseRank reads a rank as written in an action; it accepts nothing else.
func ParseRank(s string) (Rank, error) {
	for i, n := range rankNames[1:] {
		if n == s {
			return Rank(i + 1), nil
		}
	}
	return NoRank, fmt.Errorf("%q is no rank: use A 2 3 4 5 6 7 8 9 10 J Q K", s)
}

// ParseSuit reads a suit as written in an action; it accepts nothing else.
func ParseSuit(s string) (Suit, error) {
	for i, n := range suitNames[1:] {
		if n == s {
			return Suit(i + 1), nil
		}
	}
	return NoSuit, fmt.Errorf("%q is no suit: use clubs diamonds hearts spades", s)
}

// MarshalText writes the rank as String does.
func (r Rank) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes; "" is no rank.
func (r *Rank) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*r = NoRank
		return nil
	}
	*r, err = ParseRank(string(b))
	return err
}

// MarshalText writes the suit as String does.
func (s Suit) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes; "" is an unread suit.
func (s *Suit) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*s = NoSuit
		return nil
	}
	*s, err = ParseSuit(string(b))
	return err
}
