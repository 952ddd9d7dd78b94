// Package settle tells what a night came to: how each player's chips went, the
// longest bank, the biggest coup, who was lucky, and who pays whom at the end.
// All of it is folded from the night's entries, so that it is the same on every
// screen and in every replay. It leaves the rules to the table, whose views it
// reads, and words and pictures to the pages.
package settle

import (
	"iter"
	"math"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// Point is how the players stood after one entry.
type Point struct {
	Seq  uint64
	Coup int              // decided coups
	Net  map[string]int64 // won or lost so far: chips in hand and posted, less what was bought, and what was cashed
}

// Player is one player's night.
type Player struct {
	Name   string
	Bought int64 // from the cage
	Cashed int64 // given back to the cage
	Chips  int64 // in hand
	Posted int64 // in the bank or at stake
	Net    int64 // Chips + Posted + Cashed - Bought
	Best   int64 // the highest and the lowest Net after any coup
	Worst  int64
	Coups  int // in which he had chips at stake
	Won    int // of these, in which he won chips

	// Expected is what his stakes would have come to on average, by the exact odds
	// when the cards began, and Luck is how much better he did, both in chips;
	// Sigma is Luck in standard deviations. Fair is false, and they are nought,
	// where the odds are not known (Skin, Zecchinetta) or a house rule pays
	// otherwise than even (half, capot, a double first match, cards of one's own).
	Fair     bool
	Expected float64
	Luck     float64
	Sigma    float64
}

// Run is a stretch of coups under one banker.
type Run struct {
	Banker string
	Coups  int    // decided coups that the bank did not lose
	From   uint64 // the entries of the first and the last of them
	To     uint64
}

// Coup is one decided coup.
type Coup struct {
	Number int
	Seq    uint64 // of the entry that decided it
	Moved  int64  // chips that changed hands
	Result string // "doublet", "bank", "punters"
	Banker string
	Won    map[string]int64 // by player, what he won in it, or lost
}

// Night is what a night came to.
type Night struct {
	Session  string
	Game     string
	Closed   bool
	Seq      uint64
	Players  []Player // in the order in which they first sat down
	Points   []Point  // after every decided coup, and at the end
	Longest  Run      // the longest bank
	Biggest  Coup     // the coup in which most chips changed hands
	Coups    int
	Played   time.Duration // of play, without breaks and jumps of the clock
	PerHour  float64       // coups in an hour of play; 0 when too little was played
	Winners  []string      // once closed
	Doublets int
}

// breakTime is how long nothing may happen before it counts as a break.
const breakTime = 10 * time.Minute

// Of folds a night. The error is the first of the entries', as in ledger.Replay.
func Of(entries iter.Seq2[journal.Entry, error]) (*Night, error) {
	f := fold{players: make(map[string]*Player)}
	for s, err := range ledger.Replay(entries) {
		if err != nil {
			return nil, err
		}
		f.add(s)
	}
	return f.night(), nil
}

// fold is a night in the making.
type fold struct {
	out     Night
	order   []string
	players map[string]*Player
	view    game.View
	last    time.Time
	history []mark // as it was before each coup was decided, for undo
	odds    *game.Odds
	stakes  map[string]int64 // when the cards began
	banker  string
	before  map[string]int64 // nets when the coup began
	begun   int
}

// mark is a decided coup with what it did to the players.
type mark struct {
	coup     Coup
	net      map[string]int64 // after it
	expected map[string]float64
	variance map[string]float64
	run      Run
}

// nets is what each player has won so far.
func nets(v *game.View) map[string]int64 {
	out := make(map[string]int64, len(v.Seats))
	for i := range v.Seats {
		s := &v.Seats[i]
		out[s.Name] += s.Chips + s.Stake + posted(v, s) + s.Cashed - s.Bought
	}
	return out
}

// posted is a seat's part in the bank.
func posted(v *game.View, s *game.SeatView) int64 {
	if s.IsBank {
		return v.Bank
	}
	return 0
}

func (f *fold) add(s ledger.Step) {
	e, was := s.Entry, f.view
	v := s.Fold.Table.View()
	if e.Seq == 1 {
		f.out.Session, f.out.Game = s.Fold.Meta().Session, v.Game
	} else if d := e.At.Sub(f.last); d > 0 && d <= breakTime {
		f.out.Played += d
	}
	f.last, f.view, f.out.Seq = e.At, v, e.Seq
	for i := range v.Seats {
		name := v.Seats[i].Name
		if f.players[name] == nil {
			f.players[name] = &Player{Name: name}
			f.order = append(f.order, name)
		}
	}
	// An undo or a correction may take decided coups back.
	for len(f.history) > v.Coups {
		f.history = f.history[:len(f.history)-1]
	}
	if b := s.Fold.Table.Begun(); b != f.begun || f.before == nil {
		f.begun, f.before, f.odds, f.stakes = b, nets(&was), nil, nil
		if e.Seq == 1 {
			f.before = nets(&v)
		}
	}
	if !v.CardDue && v.Coups == was.Coups {
		f.stakes = nil // also when an undo leads back to before the cards
	} else if v.CardDue && f.stakes == nil {
		f.odds, f.banker, f.stakes = v.Odds, v.Banker, stakes(&v)
	}
	switch {
	case v.Coups > was.Coups:
		f.decided(e.Seq, &was, &v)
	case e.Action.Do == "correct" && v.Coups == was.Coups && v.Coups > 0:
		// The coup was decided before and is decided otherwise now.
		f.history = f.history[:v.Coups-1]
		f.decided(e.Seq, &was, &v)
	}
}

func stakes(v *game.View) map[string]int64 {
	out := make(map[string]int64)
	for i := range v.Seats {
		if n := v.Seats[i].Stake; n > 0 {
			out[v.Seats[i].Name] = n
		}
	}
	return out
}

func (f *fold) decided(seq uint64, was, v *game.View) {
	banker := was.Banker
	if f.stakes != nil {
		banker = f.banker
	}
	m := mark{net: nets(v), coup: Coup{Number: v.Coups, Seq: seq, Result: v.Result, Banker: banker, Won: make(map[string]int64)}}
	for name, n := range m.net {
		if d := n - f.before[name]; d != 0 {
			m.coup.Won[name] = d
			if d > 0 {
				m.coup.Moved += d
			}
		}
	}
	if even(&v.Rules, v.Game) && f.odds != nil {
		m.expected, m.variance = expect(*f.odds, f.stakes, banker)
	}
	if n := len(f.history); n > 0 {
		m.run = f.history[n-1].run
	}
	switch {
	case v.Result == "punters":
		m.run = Run{}
	case m.run.Banker != banker:
		m.run = Run{Banker: banker, Coups: 1, From: seq, To: seq}
	default:
		m.run.Coups, m.run.To = m.run.Coups+1, seq
	}
	f.history = append(f.history, m)
}

// even says whether a coup pays every stake one to one, either way, so that the
// chances of the two sides are all there is to know.
func even(r *game.Rules, name string) bool {
	return name == game.Lansquenet && r.Doublet == game.BankWins && !r.OwnCards && !r.Capot && !r.FirstMatchDouble
}

// expect is what each stake, and the bank against them, comes to on average, and
// the variance of it.
func expect(o game.Odds, stakes map[string]int64, banker string) (mean, variance map[string]float64) {
	mean, variance = make(map[string]float64), make(map[string]float64)
	edge := o.Bank - o.Punters // for the bank, a chip staked; Bank has the doublets in it
	spread := o.Bank + o.Punters - edge*edge
	total := 0.0
	for name, n := range stakes {
		s := float64(n)
		mean[name], variance[name] = -edge*s, spread*s*s
		total += s
	}
	mean[banker], variance[banker] = edge*total, spread*total*total
	return mean, variance
}

func (f *fold) night() *Night {
	n := &f.out
	v := &f.view
	n.Coups, n.Closed, n.Winners = v.Coups, v.Phase == game.Closed, v.Winners
	expected, variance, won := make(map[string]float64), make(map[string]float64), make(map[string]float64)
	fair := len(f.history) > 0
	for _, m := range f.history {
		n.Points = append(n.Points, Point{m.coup.Seq, m.coup.Number, m.net})
		if m.coup.Moved > n.Biggest.Moved {
			n.Biggest = m.coup
		}
		if m.run.Coups > n.Longest.Coups {
			n.Longest = m.run
		}
		if m.coup.Result == "doublet" {
			n.Doublets++
		}
		for name, d := range m.coup.Won {
			p := f.players[name]
			p.Coups++
			if d > 0 {
				p.Won++
			}
			won[name] += float64(d)
		}
		for name, p := range f.players {
			p.Best, p.Worst = max(p.Best, m.net[name]), min(p.Worst, m.net[name])
		}
		if m.expected == nil {
			fair = false
		}
		for name := range m.expected {
			expected[name] += m.expected[name]
			variance[name] += m.variance[name]
		}
	}
	net := nets(v)
	if k := len(n.Points); k == 0 || n.Points[k-1].Seq != n.Seq {
		n.Points = append(n.Points, Point{n.Seq, n.Coups, net})
	}
	for i := range v.Seats {
		s := &v.Seats[i]
		p := f.players[s.Name]
		p.Bought, p.Cashed = p.Bought+s.Bought, p.Cashed+s.Cashed
		p.Chips, p.Posted = p.Chips+s.Chips, p.Posted+s.Stake+posted(v, s)
	}
	for _, name := range f.order {
		p := f.players[name]
		p.Net = net[name]
		if fair {
			p.Fair, p.Expected, p.Luck = true, expected[name], won[name]-expected[name]
			if variance[name] > 0 {
				p.Sigma = p.Luck / math.Sqrt(variance[name])
			}
		}
		n.Players = append(n.Players, *p)
	}
	if n.Played >= 5*time.Minute {
		n.PerHour = float64(n.Coups) / n.Played.Hours()
	}
	return n
}

// Settle says who pays whom.
func (n *Night) Settle(r Rate) (Plan, error) {
	var names []string
	var dues []int64
	for _, p := range n.Players {
		names, dues = append(names, p.Name), append(dues, p.Net)
	}
	return Settle(names, dues, r)
}
