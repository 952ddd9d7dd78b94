package vision

import (
	"fmt"
	"slices"

	"lansquenet/ledger/card"
)

// Deal is what really happened with one dealt card, for measuring a watcher.
// Covered is 0 before anything came over it.
type Deal struct {
	I       int       `json:"i"`
	Rank    card.Rank `json:"rank"`
	Suit    card.Suit `json:"suit"`
	Appear  uint64    `json:"appear"`  // the first frame that shows any of it
	Settled uint64    `json:"settled"` // the first in which it lies still and free
	Covered uint64    `json:"covered"` // the first in which something comes over it again
}

// slack is how many frames after the next card's appearance an event still
// counts for the one before.
const slack = 8

// Tally is what became of deals: how a watcher's events fit them.
type Tally struct {
	Deals   int `json:"deals"`
	Hit     int `json:"hit"`
	Misread int `json:"misread"`
	Unsure  int `json:"unsure"`
	Miss    int `json:"miss"`
	Phantom int `json:"phantom"`
	// Late are the frames from settling to being told, of the hits.
	Late []int `json:"-"`
	// Notes say in a sentence each what was no hit.
	Notes []string `json:"-"`
}

// Compare holds what was told of cards against what was dealt. An event counts
// for the earliest deal that is open when it comes; where two are, for the one
// whose rank fits. A deal without a rank is a back or a joker, and only for such
// a one does Back count.
func Compare(deals []Deal, events []Event) Tally {
	t := Tally{Deals: len(deals)}
	told := make([]*Event, len(deals))
	for i := range events {
		e := &events[i]
		if e.Kind != Card && e.Kind != Unsure && e.Kind != Back {
			continue
		}
		at := -1
		for d := range deals {
			end := ^uint64(0)
			if d+1 < len(deals) {
				end = deals[d+1].Appear + slack
			}
			if told[d] == nil && e.Frame >= deals[d].Appear && e.Frame < end &&
				(e.Kind != Back || deals[d].Rank == card.NoRank) &&
				(at < 0 || e.Rank == deals[d].Rank && e.Rank != deals[at].Rank) {
				at = d
			}
		}
		if at < 0 && e.Kind == Back {
			continue // it moves no chips
		}
		if at < 0 {
			t.Phantom++
			t.note("frame %d: phantom %v %v", e.Frame, e.Rank, e.Guess)
			continue
		}
		told[at] = e
	}
	for i, e := range told {
		d := deals[i]
		switch {
		case e == nil:
			t.Miss++
			t.note("frame %d: %v missed", d.Appear, d.Rank)
		case e.Kind == Unsure:
			t.Unsure++
			t.note("frame %d: %v unsure, guesses %v", e.Frame, d.Rank, e.Guess)
		case e.Rank != d.Rank:
			t.Misread++
			t.note("frame %d: %v read as %v (%.3f)", e.Frame, d.Rank, e.Rank, e.Confidence)
		default:
			t.Hit++
			t.Late = append(t.Late, int(e.Frame)-int(d.Settled))
		}
	}
	return t
}

func (t *Tally) note(format string, a ...any) { t.Notes = append(t.Notes, fmt.Sprintf(format, a...)) }

// Add puts the deals of another tally to this one's. The notes stay with the other.
func (t *Tally) Add(o Tally) {
	t.Deals += o.Deals
	t.Hit += o.Hit
	t.Misread += o.Misread
	t.Unsure += o.Unsure
	t.Miss += o.Miss
	t.Phantom += o.Phantom
	t.Late = append(t.Late, o.Late...)
}

// LateAt is how many frames after settling the given share of the hits was told
// by: 0.5 for the median.
func (t Tally) LateAt(share float64) int {
	if len(t.Late) == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(t.Late))
	return v[min(len(v)-1, int(share*float64(len(v))))]
}

// String is the tally in a line.
func (t Tally) String() string {
	return fmt.Sprintf("%3d deals: %d hit, %d misread, %d unsure, %d missed, %d phantom; told after %d frames, 90 %% by %d",
		t.Deals, t.Hit, t.Misread, t.Unsure, t.Miss, t.Phantom, t.LateAt(0.5), t.LateAt(0.9))
}
