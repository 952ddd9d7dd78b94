package game

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"lansquenet/ledger/card"
)

// The games' names, as `open` spells them.
const (
	Lansquenet  = "lansquenet"
	Skin        = "skin"
	Zecchinetta = "zecchinetta"
)

// The values of the options that are a choice of words; RULES 5 tells where
// the sources disagree and CONTRACT section 2 how the words are spelled.
const (
	EveryCoup = "every_coup" // reshuffle: a fresh shoe for each bank
	ShoeEnd   = "shoe_end"   // reshuffle: the shoe is dealt down

	Forced = "forced" // ride: the kept bank is the old one and its winnings
	Free   = "free"   // ride, doublet_keep: any new bank

	Full    = "full"    // ride_base: bank + winnings
	Covered = "covered" // ride_base: only what was covered + winnings

	BankWins = "bank_wins" // doublet: the bank takes all stakes
	Half     = "half"      // doublet: the bank takes half of each stake, rounded down
	Redeal   = "redeal"    // doublet: no result, two new cards

	Choose = "choice" // doublet_keep: the old bank, or bank + winnings
	Stays  = "stays"  // doublet_bank: the banker decides as after any win
	Passes = "passes" // doublet_bank: the bank passes on as after a loss

	Original = "original" // next_from: right of who opened this bank
	Current  = "current"  // next_from: right of who holds it now

	Fixed   = "fixed"   // sell: for the bank the seller would have had to post
	Auction = "auction" // sell: to the highest bidder
	None    = "none"    // sell: never

	Premium  = "premium"   // auction_bid: the bid is paid to the seller
	BankSize = "bank_size" // auction_bid: the bid is the bank its maker posts

	May  = "may"  // exit_offer: a banker may give the bank up unoffered
	Must = "must" // exit_offer: he has to offer it first

	Repeat = "repeat" // cover_circuits: until full or all pass in a row
	Single = "single" // cover_circuits: each punter is asked once

	Lot      = "lot"       // first_banker
	Random   = "random"    // first_banker
	HighCard = "high_card" // first_banker
	FirstAce = "first_ace" // first_banker

	BeforeCards = "before_cards" // bet_timing
	AfterTwo    = "after_two"    // bet_timing

	Sweep    = "sweep"    // third_card: the banker wins every bet
	Playette = "playette" // third_card: no result, shuffle
	Matched  = "matched"  // third_card: only the matched card loses
)

// Rules are the house rules of one night, every option resolved. They are set
// by `open` and never change afterwards.
type Rules struct {
	Packs            int
	Strip            [card.Ranks + 1]bool // ranks taken out of every pack
	Reshuffle        string
	Ride             string
	RideBase         string
	Doublet          string
	DoubletKeep      string
	DoubletBank      string
	NextFrom         string
	Sell             string
	AuctionBid       string
	ExitOffer        string
	MaxSales         int // 0: no limit
	CoverCircuits    string
	Banco            bool
	FirstBanker      string
	BetTiming        string
	FirstMatchDouble bool
	Capot            bool
	OwnCards         bool
	FixedRotation    int   // coups; 0: the bank moves by the rules of win and loss
	LossLimit        int64 // chips; 0: none
	VoidOnShoeout    bool  // false: the discards are shuffled and the coup is finished
	StopCard         int   // cards from the end; 0: the shoe is dealt to its last card
	ThirdCard        string
	MaxPlayers       int // 0: no limit
	EqualChips       bool
	EndTime          string // "HH:MM", "" for none; the clock's owner sends `time_up`
}

// MaxPacks bounds the shoe. Nobody's hands shuffle more.
const MaxPacks = 20

// Option describes one key of an `open`'s `rules`, for pages that ask for it.
type Option struct {
	Key    string
	Values []string // the words it takes; nil for the kinds below
	OnOff  bool     // true or false
	Min    int64    // a whole number from Min to Max, where Values is nil
	Max    int64    // and OnOff, Ranks and Time are false
	Ranks  bool     // a list of ranks
	Time   bool     // "HH:MM", or "" for none
	word   func(*Rules) *string
	flag   func(*Rules) *bool
	number func(*Rules) *int
}

// options is the list of CONTRACT section 2 and no other.
var options = []Option{
	{Key: "packs", Min: 1, Max: MaxPacks, number: func(r *Rules) *int { return &r.Packs }},
	{Key: "strip", Ranks: true},
	{Key: "reshuffle", Values: []string{EveryCoup, ShoeEnd}, word: func(r *Rules) *string { return &r.Reshuffle }},
	{Key: "ride", Values: []string{Forced, Free}, word: func(r *Rules) *string { return &r.Ride }},
	{Key: "ride_base", Values: []string{Full, Covered}, word: func(r *Rules) *string { return &r.RideBase }},
	{Key: "doublet", Values: []string{BankWins, Half, Redeal}, word: func(r *Rules) *string { return &r.Doublet }},
	{Key: "doublet_keep", Values: []string{Choose, Free}, word: func(r *Rules) *string { return &r.DoubletKeep }},
	{Key: "doublet_bank", Values: []string{Stays, Passes}, word: func(r *Rules) *string { return &r.DoubletBank }},
	{Key: "next_from", Values: []string{Original, Current}, word: func(r *Rules) *string { return &r.NextFrom }},
	{Key: "sell", Values: []string{Fixed, Auction, None}, word: func(r *Rules) *string { return &r.Sell }},
	{Key: "auction_bid", Values: []string{Premium, BankSize}, word: func(r *Rules) *string { return &r.AuctionBid }},
	{Key: "exit_offer", Values: []string{May, Must}, word: func(r *Rules) *string { return &r.ExitOffer }},
	{Key: "max_sales", Max: 1000, number: func(r *Rules) *int { return &r.MaxSales }},
	{Key: "cover_circuits", Values: []string{Repeat, Single}, word: func(r *Rules) *string { return &r.CoverCircuits }},
	{Key: "banco", OnOff: true, flag: func(r *Rules) *bool { return &r.Banco }},
	{Key: "first_banker", Values: []string{Lot, Random, HighCard, FirstAce}, word: func(r *Rules) *string { return &r.FirstBanker }},
	{Key: "bet_timing", Values: []string{BeforeCards, AfterTwo}, word: func(r *Rules) *string { return &r.BetTiming }},
	{Key: "first_match_double", OnOff: true, flag: func(r *Rules) *bool { return &r.FirstMatchDouble }},
	{Key: "capot", OnOff: true, flag: func(r *Rules) *bool { return &r.Capot }},
	{Key: "own_cards", OnOff: true, flag: func(r *Rules) *bool { return &r.OwnCards }},
	{Key: "fixed_rotation", Max: 1000, number: func(r *Rules) *int { return &r.FixedRotation }},
	{Key: "loss_limit", Max: MaxAmount},
	{Key: "void_on_shoeout", OnOff: true, flag: func(r *Rules) *bool { return &r.VoidOnShoeout }},
	{Key: "stop_card", Max: MaxPacks * card.Ranks * card.Suits, number: func(r *Rules) *int { return &r.StopCard }},
	{Key: "third_card", Values: []string{Sweep, Playette, Matched}, word: func(r *Rules) *string { return &r.ThirdCard }},
	{Key: "max_players", Max: 1000, number: func(r *Rules) *int { return &r.MaxPlayers }},
	{Key: "equal_chips", OnOff: true, flag: func(r *Rules) *bool { return &r.EqualChips }},
	{Key: "end_time", Time: true},
}

// Options lists every key that `rules` takes, in the contract's order. A key
// that does not concern the game played is accepted and has no effect, so that
// one sheet of house rules serves all three games.
func Options() []Option { return slices.Clone(options) }

// Profiles are the names that an `open` of lansquenet chooses from.
func Profiles() []string { return []string{"pagat", "ru", "it"} }

// Defaults are the rules before any override: for lansquenet those of the
// profile (RULES 5), for the other games those of RULES 3 and 4, where the
// profile has to be left out. The error names the field at fault.
func Defaults(name, profile string) (Rules, error) {
	r := Rules{
		Packs: 6, Ride: Forced, RideBase: Full,
		Doublet: BankWins, DoubletKeep: Choose, DoubletBank: Stays,
		NextFrom: Original, Sell: Fixed, AuctionBid: Premium, ExitOffer: May, MaxSales: 3,
		CoverCircuits: Repeat, Banco: true, FirstBanker: Lot, BetTiming: BeforeCards,
		VoidOnShoeout: true, ThirdCard: Sweep,
	}
	switch name {
	case Lansquenet:
	case Skin, Zecchinetta:
		if profile != "" {
			return r, badRule("profile", "profile_elsewhere", "game", name)
		}
		r.Packs, r.Reshuffle = 1, EveryCoup
		r.FirstBanker = FirstAce
		if name == Zecchinetta {
			r.FirstBanker = Random
			r.Strip[card.Eight], r.Strip[card.Nine], r.Strip[card.Ten] = true, true, true
		}
		return r, nil
	default:
		return r, badRule("game", "game", "got", name)
	}
	switch profile {
	case "pagat":
	case "ru":
		r.Packs, r.Reshuffle = 1, EveryCoup
		r.ExitOffer, r.FirstBanker = Must, Random
		r.MaxPlayers, r.EqualChips = 10, true
	case "it":
		r.Ride, r.DoubletKeep = Free, Free
		r.NextFrom, r.Sell, r.MaxSales = Current, None, 0
		r.CoverCircuits, r.Banco, r.FirstBanker = Single, false, HighCard
		r.MaxPlayers = 10
	case "":
		return r, badRule("profile", "profile_missing")
	default:
		return r, badRule("profile", "profile", "got", profile)
	}
	return r, nil
}

// Resolve is the rules that an `open` asks for: the defaults of its game and
// profile with its `rules` over them. It is strict: a key, a value or a type
// that CONTRACT section 2 does not list is refused with code "bad_rules", and
// Field says which.
func Resolve(open Action) (Rules, error) {
	r, err := Defaults(open.Game, open.Profile)
	if err != nil {
		return r, err
	}
	if open.Rules != nil {
		raw, err := Split(open.Rules)
		if err != nil {
			return r, badRule("rules", "form")
		}
		// The contract's order, so that of several faults always the same is named.
		known := make(map[string]bool, len(options))
		for _, o := range options {
			known[o.Key] = true
			if v := raw.Get(o.Key); v != nil {
				if err := o.set(&r, v); err != nil {
					return r, err
				}
			}
		}
		for _, m := range raw {
			if n := string(m.Name); !known[n] {
				return r, badRule("rules."+n, "unknown", "got", n)
			}
		}
	}
	if r.Reshuffle == "" {
		// RULES 5: one pack is shuffled before every coup, a shoe is dealt down.
		r.Reshuffle = ShoeEnd
		if r.Packs == 1 {
			r.Reshuffle = EveryCoup
		}
	}
	if r.RanksIn() < 2 {
		return r, badRule("rules.strip", "strip")
	}
	return r, nil
}

func badRule(field, why string, pairs ...any) *Refusal {
	return &Refusal{Code: "bad_rules", Field: field, Message: Say("rules."+why, append(pairs, "field", field)...)}
}

func (o Option) set(r *Rules, v json.RawMessage) error {
	field := "rules." + o.Key
	wrong := func() *Refusal { return badRule(field, "value", "got", string(v), "values", o.takes()) }
	switch {
	case o.OnOff:
		if s := string(v); s != "true" && s != "false" {
			return wrong()
		}
		*o.flag(r) = v[0] == 't'
	case o.Ranks:
		var list []json.RawMessage
		if v[0] != '[' || json.Unmarshal(v, &list) != nil {
			return wrong()
		}
		r.Strip = [card.Ranks + 1]bool{}
		for _, e := range list {
			var s string
			if !isString(e) || json.Unmarshal(e, &s) != nil {
				return wrong()
			}
			k, err := card.ParseRank(s)
			if err != nil {
				return wrong()
			}
			r.Strip[k] = true
		}
	case o.Time:
		var s string
		if !isString(v) || json.Unmarshal(v, &s) != nil || !clock(s) {
			return wrong()
		}
		r.EndTime = s
	case o.Values != nil:
		var s string
		if !isString(v) || json.Unmarshal(v, &s) != nil || !slices.Contains(o.Values, s) {
			return wrong()
		}
		*o.word(r) = s
	default:
		n, err := whole(field, v, 0, MaxAmount)
		if err != nil || n < o.Min || n > o.Max {
			return wrong()
		}
		if o.number != nil {
			*o.number(r) = int(n)
		} else {
			r.LossLimit = n
		}
	}
	return nil
}

// takes says in the words of the contract what an option takes.
func (o Option) takes() string {
	switch {
	case o.OnOff:
		return "true, false"
	case o.Ranks:
		return `["2","3",…]`
	case o.Time:
		return `"HH:MM"`
	case o.Values != nil:
		return strings.Join(o.Values, ", ")
	}
	return strconv.FormatInt(o.Min, 10) + " … " + strconv.FormatInt(o.Max, 10)
}

// clock says whether s is a time of day, "" included.
func clock(s string) bool {
	if s == "" {
		return true
	}
	digits := func(d string, below int) bool {
		n, err := strconv.Atoi(d)
		return err == nil && len(d) == 2 && d[0] >= '0' && d[0] <= '9' && n < below
	}
	h, m, ok := strings.Cut(s, ":")
	return ok && digits(h, 24) && digits(m, 60)
}

// Value is what an option stands at, as `rules` would spell it: a bool, a
// string, an int64 or a list of ranks.
func (r *Rules) Value(o Option) any {
	switch {
	case o.OnOff:
		return *o.flag(r)
	case o.Ranks:
		out := []card.Rank{}
		for _, k := range card.All {
			if r.Strip[k] {
				out = append(out, k)
			}
		}
		return out
	case o.Time:
		return r.EndTime
	case o.Values != nil:
		return *o.word(r)
	case o.number != nil:
		return int64(*o.number(r))
	}
	return r.LossLimit
}

// RanksIn is how many ranks the pack has after stripping.
func (r *Rules) RanksIn() int {
	n := 0
	for _, k := range card.All {
		if !r.Strip[k] {
			n++
		}
	}
	return n
}

// Doubling says whether a punter may have to pay his stake a second time
// (R-FMD, R-CAPOT), so that only half of the bank can be covered.
func (r *Rules) Doubling() bool { return r.FirstMatchDouble || r.Capot }
