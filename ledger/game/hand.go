package game

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
)

// Hand is what Skin and Zecchinetta share beyond the Ground: one banker deals
// one card after the other face up until his own is matched, and then the bank
// moves to the right. A game embeds it, copies it with CopyHand before it
// changes anything, and sends every action of the host through Host.
type Hand struct {
	Ground
	At      Phase // what the table waits for
	First   Phase // what it waits for before the first card of a hand
	Banker  int
	Running bool    // a hand has begun and is not over
	Cards   []Dealt // of this hand, or of the last one until the next begins
	Result  string  // of the last hand until the next begins: "bank", "punters", "void"
}

// CopyHand is a hand of its own.
func (h *Hand) CopyHand() Hand {
	c := *h
	c.Ground = h.Ground.Copy()
	c.Cards = slices.Clone(h.Cards)
	return c
}

// NewHand opens a night (see NewGround) whose hands begin in phase first.
func NewHand(open Action, first Phase) (Hand, Outcome, error) {
	g, banker, o, err := NewGround(open, 1)
	if err != nil {
		return Hand{}, Outcome{}, err
	}
	return Hand{Ground: g, At: first, First: first, Banker: banker}, o, nil
}

// Dealt says whether a card of the running hand lies on the table.
func (h *Hand) Dealt() bool { return h.Running && len(h.Cards) > 0 }

// Due says whether the table waits for a card and for nothing else.
func (h *Hand) Due() bool {
	switch h.At {
	case FirstCard, SecondCard, Turn, BankCard:
		return !h.Over
	}
	return false
}

// Begin begins a hand where none runs, with a full shoe: both games are fair only from a whole
// pack.
func (h *Hand) Begin(o *Outcome) {
	h.Running, h.Cards, h.Result = true, nil, ""
	h.Started++
	h.At = h.First
	if h.Shoe.total != h.Shoe.size {
		h.Shuffled(o)
	}
}

// Lay takes a card out of the shoe and puts it on the table.
func (h *Hand) Lay(c card.Card, role string) error {
	if !h.Shoe.Take(c) {
		return h.Shoe.Impossible(c).In("rank")
	}
	h.Cards = append(h.Cards, Dealt{Card: c, Role: role})
	return nil
}

// Last is the card laid last.
func (h *Hand) Last() *Dealt { return &h.Cards[len(h.Cards)-1] }

// Relabel gives the cards of a rank on the table a new role.
func (h *Hand) Relabel(r card.Rank, role string) {
	for i := range h.Cards {
		if h.Cards[i].Card.Rank == r {
			h.Cards[i].Role = role
		}
	}
}

// Finish ends a hand. A decided one counts and moves the bank to the right,
// past seats without chips; after `time_up` it was the last. Every bet has been
// settled or returned by then.
func (h *Hand) Finish(result string, o *Outcome) {
	h.Running, h.Result, h.At = false, result, HandOver
	if result != "void" {
		h.Coups++
		h.Banker = h.Seats.Able(h.Seats.Right(h.Banker), 1)
	}
	if h.TimeUp {
		h.End(o)
	} else {
		o.Tell("told.next_banker", "seat", h.Seats[h.Banker].Name)
	}
}

// Rest is what the host's actions need to know of the game they happen in.
type Rest struct {
	Held   func(seat int) int64 // how much of a seat's free chips is spoken for
	Return func(o *Outcome)     // gives every open bet back
}

// Host does what the host asks for; it answers false for an action that is not
// the host's. prompt says what the table waits for instead of what is refused.
func (h *Hand) Host(a *Action, r Rest, prompt func() Message, o *Outcome) (bool, error) {
	switch a.Do {
	case "chips":
		held := int64(0)
		if i := h.Seats.Find(a.Seat); i >= 0 {
			held = r.Held(i)
		}
		return true, h.BuyOrCash(a, held, o)
	case "burn":
		if h.Due() {
			return true, Refuse("card_due", "prompt", prompt())
		}
		return true, h.BurnCard(a, o)
	case "time_up":
		if h.TimeUp {
			return true, Refuse("time_is_up")
		}
		h.TimeUp = true
		o.Tell("told.time_up")
		if !h.Dealt() {
			h.end(o)
		}
		return true, nil
	case "close":
		r.Return(o)
		h.end(o)
		return true, nil
	case "void":
		if !h.Running {
			return true, Refuse("nothing_to_void")
		}
		o.Tell("told.void", "reason", a.Reason)
		h.void(r, o)
		return true, nil
	case "shoe_out":
		if h.Dealt() {
			o.Tell("told.shoe_out")
			h.void(r, o)
			h.Shoe = FreshShoe(h.Rules)
			return true, nil
		}
		h.fresh(o)
		return true, nil
	case "shuffle":
		if h.Dealt() {
			return true, Refuse("cards_out")
		}
		h.fresh(o)
		return true, nil
	case "sit", "rise":
		if h.Dealt() {
			return true, Refuse("in_coup")
		}
		if a.Do == "sit" {
			_, err := h.SitDown(a, o)
			return true, err
		}
		i, err := h.Rise(a, o)
		if err == nil && i == h.Banker {
			h.Banker = h.Seats.Able(i, 1)
			o.Tell("told.next_banker", "seat", h.Seats[h.Banker].Name)
		}
		return true, err
	}
	return false, nil
}

// fresh shuffles between hands, and the table waits for the first card.
func (h *Hand) fresh(o *Outcome) {
	h.Shuffled(o)
	h.At = h.First
}

// void ends the hand without a result and leaves the bank where it is.
func (h *Hand) void(r Rest, o *Outcome) {
	r.Return(o)
	h.Cards = nil
	h.Finish("void", o)
}

// RunOut ends a hand that no further card can decide because the shoe is empty.
func (h *Hand) RunOut(r Rest, o *Outcome) {
	o.Tell("told.shoe_empty")
	h.void(r, o)
}

func (h *Hand) end(o *Outcome) {
	h.Running = false
	h.End(o)
}

// Pay moves chips between a seat's free ones and an account.
func (h *Hand) Pay(to chips.Account, i int, n int64, o *Outcome) {
	h.Seats[i].Chips -= n
	o.Move(chips.Stack(h.Seats[i].Name), to, n)
}

// Get is the way back.
func (h *Hand) Get(from chips.Account, i int, n int64, o *Outcome) {
	h.Seats[i].Chips += n
	o.Move(from, chips.Stack(h.Seats[i].Name), n)
}

// Give moves free chips from one seat to another.
func (h *Hand) Give(from, to int, n int64, o *Outcome) {
	h.Seats[from].Chips -= n
	h.Seats[to].Chips += n
	o.Move(chips.Stack(h.Seats[from].Name), chips.Stack(h.Seats[to].Name), n)
}

// IsTurn refuses whoever is not seat i, whose turn it is.
func (h *Hand) IsTurn(name string, i int) error {
	j, err := h.Seat(name)
	if err != nil {
		return err
	}
	if i != j {
		return Refuse("not_your_turn", "seat", name, "turn", h.Seats[i].Name).In("seat")
	}
	return nil
}

// Afford is the most seat i may still put up: his free chips, and no more than
// the loss limit leaves him.
func (h *Hand) Afford(i int) int64 {
	n := h.Seats[i].Chips
	if h.Rules.LossLimit > 0 {
		n = min(n, h.LossLeft(i))
	}
	return max(n, 0)
}

// Broke refuses a seat that can put nothing up, and says what keeps it from it.
func (h *Hand) Broke(i int) error {
	switch {
	case h.Afford(i) > 0:
		return nil
	case h.Seats[i].Chips == 0:
		return Refuse("no_chips", "seat", h.Seats[i].Name).In("seat")
	}
	return Refuse("loss_limit", "seat", h.Seats[i].Name, "max", int64(0), "limit", h.Rules.LossLimit).In("seat")
}

// Within refuses an amount outside its limits.
func Within(n, lo, hi int64) error {
	switch {
	case n > hi:
		return Refuse("too_much", "n", n, "max", hi).In("amount")
	case n < lo:
		return Refuse("too_little", "n", n, "min", lo).In("amount")
	}
	return nil
}

// HandView is the part of a View that the two games share.
func (h *Hand) HandView() View {
	v := h.Ground.View()
	v.Banker = h.Seats[h.Banker].Name
	v.Cards = slices.Clone(h.Cards)
	v.Result = h.Result
	for i := range v.Seats {
		v.Seats[i].IsBank = v.Seats[i].Name == v.Banker && !v.Seats[i].Left
	}
	if !h.Over {
		v.Phase = h.At
		// A card in `betting` closes the bets, and one between hands begins the
		// next: both are taken without being waited for.
		v.CardDue = h.Due()
	}
	return v
}

// HandChoices are the host's choices.
func (h *Hand) HandChoices(cs []Choice, held func(int) int64) []Choice {
	cs = h.HostChoices(cs, !h.Dealt(), h.Due(), h.Dealt(), held)
	if h.Running && !h.Over {
		cs = append(cs, Choice{Do: "void"})
	}
	return cs
}
