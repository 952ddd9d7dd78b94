package hw

// Table is what the lamps need to know of the table. It is filled anew from the
// table's state after every change, so that a restart shows the right lamps.
type Table struct {
	Turn    int    // number of the seat in turn, from 1; 0 for nobody
	Seats   int    // how many seats there are
	CardDue bool   // the next card out of the shoe is expected now
	Won     string // who won the coup just decided: "bank", "punters" or ""
	Ask     bool   // the host has to say something, such as a card that could not be read
	Closed  bool   // the night is over: every lamp is dark
}

// Light is the state of one lamp.
type Light uint8

// The states of a lamp.
const (
	Dark Light = iota
	Lit
	Blinking
)

// Lamp names. The lamp of a seat is "seat N".
const (
	NoCard     = "no card"     // burns while a card must not be dealt
	BankWon    = "bank won"    // burns from the settlement to the next coup
	PuntersWon = "punters won" //
	AskHost    = "ask host"    // blinks while the host has to say something
)

// Lamps is every lamp's state for a table, by name. It is a pure function, so
// what burns never depends on what burned before.
func (t Table) Lamps() map[string]Light {
	m := map[string]Light{NoCard: Dark, BankWon: Dark, PuntersWon: Dark, AskHost: Dark}
	for n := 1; n <= t.Seats; n++ {
		m[SeatLamp(n)] = Dark
	}
	if t.Closed {
		return m
	}
	if t.Turn > 0 && t.Turn <= t.Seats {
		m[SeatLamp(t.Turn)] = Lit
	}
	if !t.CardDue {
		m[NoCard] = Lit
	}
	switch t.Won {
	case "bank":
		m[BankWon] = Lit
	case "punters":
		m[PuntersWon] = Lit
	}
	if t.Ask {
		m[AskHost] = Blinking
	}
	return m
}
