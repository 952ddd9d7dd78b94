package web

import (
	"encoding/json"
	"slices"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// snapshot is the whole table as a page needs it: the contract's `final` first,
// then what the contract adds to it, then what our pages draw. What only the
// host may know is in hostPart, which readers' snapshots leave out.
type snapshot struct {
	Final ledger.Final `json:"-"` // written first, in its own form

	Turn    string     `json:"turn"`
	Prompt  string     `json:"prompt"`
	Odds    *oddsJSON  `json:"odds"`
	History []toldJSON `json:"history"`

	Session     string         `json:"session"`       // the night; what a page sends carries it back
	Run         string         `json:"run,omitempty"` // this server; so do answers about cards
	Profile     string         `json:"profile,omitempty"`
	Lang        string         `json:"lang"`
	Seats       []seatJSON     `json:"seats"`
	Table       []dealtJSON    `json:"table"`
	BankCard    *cardJSON      `json:"bank_card"`
	PuntersCard *cardJSON      `json:"punters_card"`
	Open        int64          `json:"open"`
	CardDue     bool           `json:"card_due"`
	Left        map[string]int `json:"left"`
	Shoe        int            `json:"shoe"`
	Choices     []choiceJSON   `json:"choices"`
	UndoOf      string         `json:"undo_of"`
	Sales       int            `json:"sales"`
	Reach       string         `json:"reach"`
	Running     bool           `json:"running"` // a coup runs: it could still be void
	Result      string         `json:"result"`
	Road        []roadStep     `json:"road"`
	Camera      string         `json:"camera"`
	Notice      []string       `json:"notice,omitempty"`
	Trouble     string         `json:"trouble,omitempty"`

	Host *hostPart `json:"host,omitempty"`
}

// hostPart is for the host's eyes.
type hostPart struct {
	Unsure   *unsureJSON    `json:"unsure"`
	Camera   string         `json:"camera_trouble,omitempty"`
	FPS      float64        `json:"fps,omitempty"`
	Joined   map[string]int `json:"joined"`
	Troubles []string       `json:"troubles,omitempty"`
}

type unsureJSON struct {
	I       int         `json:"i"`
	Picture bool        `json:"picture"`
	Guess   []card.Rank `json:"guess"`
}

type cardJSON struct {
	Rank card.Rank `json:"rank"`
	Suit card.Suit `json:"suit,omitempty"`
}

type dealtJSON struct {
	cardJSON
	N    int    `json:"n"` // its number in the coup, as `correct` counts
	Role string `json:"role"`
}

type seatJSON struct {
	Name   string    `json:"name"`
	Chips  int64     `json:"chips"`
	Stake  int64     `json:"stake"`
	Bought int64     `json:"bought"`
	Cashed int64     `json:"cashed"`
	Card   *cardJSON `json:"card,omitempty"`
	Left   bool      `json:"left,omitempty"`
	Turn   bool      `json:"turn,omitempty"`
	Banker bool      `json:"banker,omitempty"`
	Bets   []betJSON `json:"bets,omitempty"`
}

type betJSON struct {
	cardJSON
	Against string `json:"against,omitempty"`
	Amount  int64  `json:"amount"`
}

type choiceJSON struct {
	Do      string      `json:"do"`
	Seat    string      `json:"seat,omitempty"`
	Min     int64       `json:"min,omitempty"`
	Max     int64       `json:"max,omitempty"`
	Amounts []int64     `json:"amounts,omitempty"`
	Ranks   []card.Rank `json:"ranks,omitempty"`
	Against []string    `json:"against,omitempty"`
}

type oddsJSON struct {
	Doublet   float64 `json:"doublet"`
	Bank      float64 `json:"bank"`
	Punters   float64 `json:"punters"`
	Undecided float64 `json:"undecided"`
}

// toldJSON is one sentence of the past; I tells apart those of one entry.
type toldJSON struct {
	Seq  uint64    `json:"seq"`
	I    int       `json:"i"`
	At   time.Time `json:"at"`
	Do   string    `json:"do,omitempty"`
	Who  []string  `json:"who,omitempty"` // the seats it names
	Text string    `json:"text"`
}

// duringCoup are the choices that are there only while a coup runs.
var duringCoup = map[string]bool{"void": true}

// told is how many entries of the past a snapshot carries; the whole night is
// in the journal.
const told = 60

func cardOf(c card.Card) *cardJSON {
	if c.Rank == card.NoRank {
		return nil
	}
	return &cardJSON{c.Rank, c.Suit}
}

// take makes the snapshot of a state in one language. It holds nothing of the
// host's.
func take(st ledger.State, road []roadStep, speak *speaker) *snapshot {
	v := st.View
	s := &snapshot{
		Final: st.Final, Turn: v.Turn, Prompt: speak.say(v.Prompt), Lang: speak.lang,
		Session: st.Session, Profile: v.Profile,
		BankCard: cardOf(v.BankCard), PuntersCard: cardOf(v.PuntersCard),
		Open: v.Open, CardDue: v.CardDue, Shoe: v.Unseen.Total,
		UndoOf: v.UndoOf, Sales: v.Sales, Reach: v.Reach, Result: v.Result, Road: road, Camera: "off",
		Left: map[string]int{}, Seats: []seatJSON{}, Table: []dealtJSON{}, Choices: []choiceJSON{}, History: []toldJSON{},
	}
	if s.Road == nil {
		s.Road = []roadStep{}
	}
	if v.Odds != nil {
		s.Odds = &oddsJSON{v.Odds.Doublet, v.Odds.Bank, v.Odds.Punters, v.Odds.Undecided}
	}
	for _, r := range card.All {
		s.Left[r.String()] = v.Unseen.Rank[r]
	}
	for _, seat := range v.Seats {
		s.Seats = append(s.Seats, seatOf(seat))
	}
	for i, d := range v.Cards {
		s.Table = append(s.Table, dealtJSON{cardJSON{d.Card.Rank, d.Card.Suit}, i + 1, d.Role})
	}
	for _, c := range v.Choices {
		s.Choices = append(s.Choices, choiceJSON(c))
		s.Running = s.Running || duringCoup[c.Do]
	}
	past := st.History
	if len(past) > told {
		past = past[len(past)-told:]
	}
	for _, e := range past {
		n := 0 // the first thing told of its entry, or one after it
		if k := len(s.History); k > 0 && s.History[k-1].Seq == e.Seq {
			n = s.History[k-1].I + 1
		}
		for _, m := range e.Said {
			s.History = append(s.History, toldJSON{e.Seq, n, e.At, e.Do, named(m, v.Seats), speak.say(m)})
			n++
		}
	}
	for _, m := range st.Notice {
		s.Notice = append(s.Notice, speak.say(m))
	}
	if st.Trouble != nil {
		s.Trouble = speak.own("error.stopped", nil)
	}
	return s
}

// named are the seats that a sentence is about. They are looked up in what it
// was made of: in the words, "A" would be everywhere.
func named(m game.Message, seats []game.SeatView) []string {
	var who []string
	for _, s := range seats {
		for _, arg := range m.Args {
			if list, ok := arg.([]string); arg == s.Name || ok && slices.Contains(list, s.Name) {
				who = append(who, s.Name)
				break
			}
		}
	}
	return who
}

func seatOf(v game.SeatView) seatJSON {
	s := seatJSON{Name: v.Name, Chips: v.Chips, Stake: v.Stake, Bought: v.Bought, Cashed: v.Cashed,
		Card: cardOf(v.Card), Left: v.Left, Turn: v.IsTurn, Banker: v.IsBank}
	for _, b := range v.Bets {
		s.Bets = append(s.Bets, betJSON{cardJSON{b.Card.Rank, b.Card.Suit}, b.Against, b.Amount})
	}
	return s
}

// MarshalJSON writes the final object's members and then the others, as one
// object. The final keeps its own written form, whatever that is.
func (s *snapshot) MarshalJSON() ([]byte, error) {
	type rest snapshot
	a, err := json.Marshal(s.Final)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal((*rest)(s))
	if err != nil {
		return nil, err
	}
	return append(append(a[:len(a)-1], ','), b[1:]...), nil
}
