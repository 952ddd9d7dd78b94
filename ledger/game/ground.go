package game

import (
	"slices"

	"lansquenet/ledger/card"
	"lansquenet/ledger/chips"
)

// Move notes a transfer. A nil Outcome notes nothing, which is how a coup is
// played when nobody asks what was said and moved.
func (o *Outcome) Move(from, to chips.Account, n int64) {
	if o != nil && n > 0 {
		o.Transfers = append(o.Transfers, chips.Transfer{From: from, To: to, Amount: n})
	}
}

// Tell notes a sentence for the table. Where sentences would be built in a hot
// path, the caller looks at o first.
func (o *Outcome) Tell(key string, pairs ...any) {
	if o != nil {
		o.Told = append(o.Told, Say(key, pairs...))
	}
}

// Ground is what the three games stand on: the night's rules, the ring of
// seats with their free chips, the shoe, and the host's doings that do not
// differ between them. A game embeds it, copies it with Copy before it changes
// anything, and calls its methods from its own switch over Action.Do; what
// only the game knows (whether a coup runs, whether a card is due, what of a
// seat's chips is spoken for) it says in the arguments. A method that refuses
// has changed nothing.
type Ground struct {
	Name    string // the game's
	Profile string
	Rules   *Rules // never changed after `open`, so copies share it
	Seats   Seats
	Shoe    Inventory
	Coups   int  // decided coups of the night
	Started int  // coups begun, void ones included
	TimeUp  bool // no new coup after this one
	Over    bool // closed
}

// Copy is a ground of its own.
func (g *Ground) Copy() Ground {
	c := *g
	c.Seats = g.Seats.Clone()
	return c
}

// Begun is how many coups have begun, void ones included; see Game.
func (g *Ground) Begun() int { return g.Started }

// NewGround opens a night: it resolves the rules, seats everybody with chips
// from the cage and finds the first banker, who is the one named or, when
// nobody is, the one whom chance in Action.Draw picks in the way of the rules
// (R-FIRST). A named or drawn banker with fewer than least free chips is passed
// over to the right.
func NewGround(open Action, least int64) (g Ground, banker int, o Outcome, err error) {
	r, err := Resolve(open)
	if err != nil {
		return Ground{}, 0, Outcome{}, err
	}
	g = Ground{Name: open.Game, Profile: open.Profile, Rules: &r, Shoe: FreshShoe(&r)}
	if len(open.Seats) < 2 {
		return Ground{}, 0, Outcome{}, Refuse("two_seats").In("seats")
	}
	if r.MaxPlayers > 0 && len(open.Seats) > r.MaxPlayers {
		return Ground{}, 0, Outcome{}, Refuse("table_full", "max", int64(r.MaxPlayers)).In("seats")
	}
	taken := make(map[string]bool, len(open.Seats))
	for _, s := range open.Seats {
		switch {
		case taken[s.Name]:
			return Ground{}, 0, Outcome{}, Refuse("name_taken", "name", s.Name).In("seats")
		case r.EqualChips && s.Chips != open.Seats[0].Chips:
			return Ground{}, 0, Outcome{}, Refuse("equal_chips", "name", s.Name, "amount", open.Seats[0].Chips).In("seats")
		}
		taken[s.Name] = true
		g.Seats = append(g.Seats, Seat{Name: s.Name, Chips: s.Chips, Bought: s.Chips})
		o.Move(chips.Cage, chips.Stack(s.Name), s.Chips)
	}
	o.Tell("told.open", "game", Say("game."+g.Name), "n", int64(len(g.Seats)))
	if open.Banker != "" {
		if banker = g.Seats.Find(open.Banker); banker < 0 {
			return Ground{}, 0, Outcome{}, Refuse("no_such_seat", "name", open.Banker).In("banker")
		}
	} else if len(open.Draw) == 0 {
		return Ground{}, 0, Outcome{}, Refuse("no_draw").In("banker")
	} else {
		banker = g.drawBanker(open.Draw, &o)
	}
	banker = g.Seats.Able(banker, least)
	o.Tell("told.first_banker", "seat", g.Seats[banker].Name)
	return g, banker, o, nil
}

// Seat is the number of the seat an action names, or a refusal.
func (g *Ground) Seat(name string) (int, error) {
	if i := g.Seats.Find(name); i >= 0 {
		return i, nil
	}
	return -1, Refuse("no_such_seat", "name", name).In("seat")
}

// LossLeft is what a seat may still lose under the loss limit: what it has lost
// since the night began counts, and what it has posted is as good as lost
// (R-LOSSLIM). Where there is no limit it means nothing.
func (g *Ground) LossLeft(i int) int64 {
	s := &g.Seats[i]
	return g.Rules.LossLimit - (s.Bought - s.Cashed - s.Chips)
}

// BuyOrCash is `chips`: a seat buys from the cage or gives back to it. held is
// what of the seat's free chips is spoken for and may not leave the table.
func (g *Ground) BuyOrCash(a *Action, held int64, o *Outcome) error {
	i, err := g.Seat(a.Seat)
	if err != nil {
		return err
	}
	s := &g.Seats[i]
	switch {
	case a.Amount == 0:
		return Refuse("amount_zero").In("amount")
	case a.Amount < 0 && -a.Amount > s.Chips-held:
		return Refuse("cash_out", "seat", s.Name, "max", max(s.Chips-held, 0)).In("amount")
	case a.Amount > 0:
		s.Chips += a.Amount
		s.Bought += a.Amount
		o.Move(chips.Cage, chips.Stack(s.Name), a.Amount)
		o.Tell("told.buys", "seat", s.Name, "n", a.Amount)
	default:
		s.Chips += a.Amount
		s.Cashed -= a.Amount
		o.Move(chips.Stack(s.Name), chips.Cage, -a.Amount)
		o.Tell("told.cashes", "seat", s.Name, "n", -a.Amount)
	}
	return nil
}

// SitDown is `sit`: a new seat, or one that had risen, takes the last place
// with chips from the cage. It answers with the seat's number. The game calls
// it between coups only.
func (g *Ground) SitDown(a *Action, o *Outcome) (int, error) {
	if g.Seats.Find(a.Name) >= 0 {
		return -1, Refuse("name_taken", "name", a.Name).In("name")
	}
	if m := g.Rules.MaxPlayers; m > 0 && g.Seats.Here() >= m {
		return -1, Refuse("table_full", "max", int64(m))
	}
	s := Seat{Name: a.Name}
	for i := range g.Seats {
		// Who comes back brings the night's account with him, and his old
		// place in the ring is nobody's.
		if g.Seats[i].Name == a.Name {
			s.Bought, s.Cashed = g.Seats[i].Bought, g.Seats[i].Cashed
			g.Seats[i].Name, g.Seats[i].Bought, g.Seats[i].Cashed = "", 0, 0
		}
	}
	s.Chips = a.Chips
	s.Bought += a.Chips
	g.Seats = append(g.Seats, s)
	o.Move(chips.Cage, chips.Stack(s.Name), a.Chips)
	o.Tell("told.sits", "seat", s.Name, "n", a.Chips)
	return len(g.Seats) - 1, nil
}

// Rise is `rise`: a seat leaves with its chips, which go back to the cage. Two
// seats must remain. It answers with the seat's number; what becomes of a bank
// that was his is the game's affair. The game calls it between coups only.
func (g *Ground) Rise(a *Action, o *Outcome) (int, error) {
	i, err := g.Seat(a.Seat)
	if err != nil {
		return -1, err
	}
	if g.Seats.Here() <= 2 {
		return -1, Refuse("two_seats")
	}
	s := &g.Seats[i]
	o.Move(chips.Stack(s.Name), chips.Cage, s.Chips)
	o.Tell("told.rises", "seat", s.Name, "n", s.Chips)
	s.Cashed += s.Chips
	s.Chips, s.Left = 0, true
	return i, nil
}

// BurnCard is `burn`: a card goes out of the shoe without counting, seen or
// unseen. The game calls it only when no card is due.
func (g *Ground) BurnCard(a *Action, o *Outcome) error {
	c := card.Card{Rank: a.Rank, Suit: a.Suit}
	switch {
	case c.Rank == card.NoRank && c.Suit != card.NoSuit:
		return Refuse("suit_alone").In("rank")
	case c.Rank == card.NoRank:
		if !g.Shoe.TakeUnseen() {
			return g.Shoe.Impossible(c)
		}
		o.Tell("told.burn_unseen")
	default:
		if !g.Shoe.Take(c) {
			return g.Shoe.Impossible(c)
		}
		o.Tell("told.burn", "card", c)
	}
	return nil
}

// Shuffled gives a full shoe back.
func (g *Ground) Shuffled(o *Outcome) {
	g.Shoe = FreshShoe(g.Rules)
	if o != nil {
		o.Tell("told.shuffle", "n", int64(g.Shoe.Total()))
	}
}

// ShoeForCoup is called when a coup begins: under `every_coup` there is a fresh
// shoe for each, under `shoe_end` once the stop card has been reached.
func (g *Ground) ShoeForCoup(o *Outcome) {
	if g.Renews() && g.Shoe.total != g.Shoe.size {
		g.Shuffled(o)
	}
}

// Renews says whether the next coup gets a fresh shoe.
func (g *Ground) Renews() bool {
	return g.Rules.Reshuffle == EveryCoup || g.Shoe.Total() <= g.Rules.StopCard
}

// End closes the session. What was posted has been returned by then.
func (g *Ground) End(o *Outcome) {
	g.Over = true
	if o == nil {
		return
	}
	w := g.Seats.Winners()
	if len(w) == 1 {
		i := g.Seats.Find(w[0])
		o.Tell("told.closed", "seat", w[0], "n", g.Seats[i].Chips)
	} else {
		o.Tell("told.closed_draw", "seats", w, "n", g.Seats[g.Seats.Find(w[0])].Chips)
	}
}

// View is the part of a View that does not differ between the games.
func (g *Ground) View() View {
	v := View{Game: g.Name, Profile: g.Profile, Rules: *g.Rules, Coups: g.Coups, Unseen: g.Shoe.View(), TimeUp: g.TimeUp}
	v.Seats = make([]SeatView, 0, len(g.Seats))
	for i := range g.Seats {
		s := &g.Seats[i]
		if s.Name == "" {
			continue // the place of someone who came back to another
		}
		v.Seats = append(v.Seats, SeatView{Name: s.Name, Chips: s.Chips, Bought: s.Bought, Cashed: s.Cashed, Left: s.Left})
	}
	if g.Over {
		v.Phase = Closed
		v.Winners = g.Seats.Winners()
		if len(v.Winners) == 1 {
			v.Prompt = Say("prompt.closed", "seat", v.Winners[0])
		} else {
			v.Prompt = Say("prompt.closed_draw", "seats", v.Winners)
		}
	}
	return v
}

// HostChoices are the host's doings that Ground knows, appended after a game's
// own choices. between says that no coup runs, due that a card is expected
// now, dealt that this coup has cards on the table; held is how much of a
// seat's chips may not leave the table.
func (g *Ground) HostChoices(cs []Choice, between, due, dealt bool, held func(i int) int64) []Choice {
	if g.Over {
		return cs
	}
	cs = slices.Grow(cs, 2*len(g.Seats)+7) // all that follow, and the game's own void
	if !due && g.Shoe.Total() > 0 {
		cs = append(cs, Choice{Do: "burn", Ranks: g.CanCome()})
	}
	if between || !dealt {
		cs = append(cs, Choice{Do: "shuffle"})
	}
	cs = append(cs, Choice{Do: "shoe_out"})
	for i := range g.Seats {
		if s := &g.Seats[i]; !s.Left {
			cs = append(cs, Choice{Do: "chips", Seat: s.Name, Min: -max(s.Chips-held(i), 0), Max: MaxAmount})
		}
	}
	if between {
		if m := g.Rules.MaxPlayers; m == 0 || g.Seats.Here() < m {
			cs = append(cs, Choice{Do: "sit", Max: MaxAmount})
		}
		if g.Seats.Here() > 2 {
			for i := range g.Seats {
				if s := &g.Seats[i]; !s.Left {
					cs = append(cs, Choice{Do: "rise", Seat: s.Name})
				}
			}
		}
	}
	if !g.TimeUp {
		cs = append(cs, Choice{Do: "time_up"})
	}
	return append(cs, Choice{Do: "close"})
}

// CanCome lists the ranks that may still come out of the shoe, in the order of
// the pack.
func (g *Ground) CanCome() []card.Rank {
	var out []card.Rank
	for _, k := range card.All {
		if g.Shoe.Can(card.Card{Rank: k}) {
			out = append(out, k)
		}
	}
	return out
}
