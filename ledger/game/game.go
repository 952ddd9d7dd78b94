// Package game is what every game at the table offers: the actions people take,
// the refusals they may get, and the pure functions behind which the rules of
// one game live. There is no clock, I/O, goroutine or randomness in here or in
// the packages below; what has to be drawn or timed arrives in an action.
package game

import (
	"errors"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
)

// Game is a table playing one game, as a value: Apply answers with the state
// after the action and never changes the receiver, so a caller may keep any
// number of earlier states. An error is always a *Refusal, and then the
// returned game is the receiver.
type Game interface {
	Apply(a Action) (Game, Outcome, error)
	View() View
	// Begun is how many coups have begun tonight, void ones included. It grows
	// with the very action that begins one: the posting of a bank, the first
	// card or limits of a hand. Undo and correction reach back to there.
	Begun() int
}

// Outcome is what an accepted action did besides changing the state.
type Outcome struct {
	Transfers []chips.Transfer // in posting order; each posts on its own
	Told      []Message        // what the table is told, oldest first
}

// Phase is what the table waits for; the spellings are CONTRACT section 2's.
type Phase string

// The phases of the three games.
const (
	Bank        Phase = "bank"
	Cover       Phase = "cover"
	NoCover     Phase = "nocover"
	FirstCard   Phase = "first_card"
	SecondCard  Phase = "second_card"
	Draw        Phase = "draw"
	Capot       Phase = "capot"
	Decide      Phase = "decide"
	Sale        Phase = "sale"
	ShoeOut     Phase = "shoe_out"
	Closed      Phase = "closed"
	Turn        Phase = "turn"
	Offer       Phase = "offer"
	BankCard    Phase = "bank_card"
	Negotiate   Phase = "negotiate"
	Side        Phase = "side"
	Pick        Phase = "pick"
	BankDown    Phase = "bank_down"
	HandOver    Phase = "hand_over"
	Betting     Phase = "betting"
	Reshuffling Phase = "reshuffle"
)

// View is everything a page, a lamp, a camera or a log may know of a table. It
// is a copy: changing it changes nothing.
type View struct {
	Game    string
	Profile string
	Phase   Phase
	Banker  string
	Turn    string // the seat that has to act, "" when nobody or the host has to
	Seats   []SeatView
	Bank    int64   // chips in the bank's escrow
	Need    []int64 // the amounts that may be posted; nil: any
	Cards   []Dealt // this coup's cards, in dealing order
	Coups   int     // decided coups of the night
	Winners []string

	BankCard    card.Card // zero while there is none
	PuntersCard card.Card // the punters' common card, zero while there is none
	Open        int64     // what of the bank is still uncovered
	CardDue     bool      // the next card out of the shoe is expected now
	Unseen      Shoe      // what is still in the shoe as far as anybody knows
	Shuffle     bool      // the cards are to be shuffled before the next one comes
	Odds        *Odds     // of the coup that runs or comes next, nil where there are none; package table adds them
	Prompt      Message   // the one line that says what the table waits for
	Choices     []Choice  // what may be done now, the likeliest first
	UndoOf      string    // the `do` that undo would take back, "" when nothing
	Undo        Message   // the same in words
	Rules       Rules     // the night's house rules
	TimeUp      bool      // no new coup after this one
	Sales       int       // how often this bank has been sold
	Reach       string    // the original owner of this bank
	Result      string    // of the last coup until the next begins: "doublet", "bank", "punters", "void"; else ""
}

// SeatView is one seat as the table sees it.
type SeatView struct {
	Name   string
	Chips  int64     // free chips
	Stake  int64     // posted: against the bank, or on its cards
	Bought int64     // chips bought from the cage over the night
	Cashed int64     // chips given back to the cage over the night
	Card   card.Card // the seat's own card, where the game gives it one
	Left   bool      // the seat has risen
	Bets   []BetView // open bets by card (zecchinetta), side bets (skin)
	IsTurn bool
	IsBank bool
	Claims bool  // wants the bank that is for sale
	Bid    int64 // the highest bid of an auction is this seat's
}

// BetView is one open bet.
type BetView struct {
	Card    card.Card
	Against string // the other seat of a side bet, "" against the bank
	Amount  int64
}

// Dealt is a card of this coup with the place it took.
type Dealt struct {
	Card card.Card
	Role string // "bank", "punters", "seat:NAME", "middle", "match", "dead", "burn" or ""
}

// Choice is one thing that may be done now, complete but for the amount or rank
// that its maker still picks. Buttons, pages and the scripted players of the
// demo offer these and no others.
type Choice struct {
	Do      string
	Seat    string  // "" for the host
	Min     int64   // smallest and largest amount; both nought where Do takes none
	Max     int64   //
	Amounts []int64 // the only amounts allowed, nil for Min to Max
	Ranks   []card.Rank
	Against []string
}

// Odds are the chances of a coup as exact fractions' values.
type Odds struct {
	Doublet, Bank, Punters, Undecided float64
}

// Shoe counts the cards nobody has seen yet, by rank. Total is how many are in
// the shoe, which is less than the sum when cards were burned unseen; Size is
// the full shoe.
type Shoe struct {
	Rank  [card.Ranks + 1]int
	Total int
	Size  int
}

// Message is a sentence not yet in any language: a key of the catalogue in
// ledger/say and what goes into it. Values are strings (names, shown as they
// are), []string (several names), int64 (chips and counts), card.Rank,
// card.Card, Message, []Message and []int64.
type Message struct {
	Key  string
	Args map[string]any
}

// Say builds a Message from a key and pairs of name and value.
func Say(key string, pairs ...any) Message {
	m := Message{Key: key}
	for i := 0; i+1 < len(pairs); i += 2 {
		if m.Args == nil {
			m.Args = make(map[string]any, len(pairs)/2)
		}
		m.Args[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// Refusal is the table saying no. Code is stable and part of the contract;
// Message is its sentence, which ledger/say puts into words.
type Refusal struct {
	Code    string
	Field   string // the action's field that is at fault, "" for none
	Message Message
}

// Error is the code and the catalogue's key, for logs; people are shown the
// sentence.
func (r *Refusal) Error() string {
	if r.Field != "" {
		return r.Code + " (" + r.Field + "): " + r.Message.Key
	}
	return r.Code + ": " + r.Message.Key
}

// RefusalIn is the refusal that an error wraps, nil when there is none.
func RefusalIn(err error) *Refusal {
	var r *Refusal
	errors.As(err, &r)
	return r
}

// In names the field that is at fault.
func (r *Refusal) In(field string) *Refusal { r.Field = field; return r }

// Refuse builds a refusal whose catalogue key is "refuse." + code.
func Refuse(code string, pairs ...any) *Refusal {
	return &Refusal{Code: code, Message: Say("refuse."+code, pairs...)}
}
