package game

import "slices"

// Seat is one place at the table and its free chips.
type Seat struct {
	Name   string
	Chips  int64 // free chips
	Bought int64 // from the cage, the opening chips included
	Cashed int64 // given back to the cage
	Left   bool  // has risen; keeps its place in the ring, so that "right of" still means something
}

// Seats is the ring of a table, listed anticlockwise: the next one sits to the
// right, the last wraps to the first (RULES 1.1). Seats that have risen stay
// in the list and are stepped over. A seat's number never changes.
type Seats []Seat

// Clone is a ring of its own.
func (s Seats) Clone() Seats { return slices.Clone(s) }

// Find is the number of the seat of that name still at the table, -1 when there
// is none.
func (s Seats) Find(name string) int {
	for i := range s {
		if s[i].Name == name && !s[i].Left {
			return i
		}
	}
	return -1
}

// Right is the next seat still at the table to the right of i.
func (s Seats) Right(i int) int {
	for range s {
		if i++; i == len(s) {
			i = 0
		}
		if !s[i].Left {
			break
		}
	}
	return i
}

// Here is how many seats are still at the table.
func (s Seats) Here() int {
	n := 0
	for i := range s {
		if !s[i].Left {
			n++
		}
	}
	return n
}

// Able is i, or the first to its right, that has least free chips or more: a
// seat without chips is passed over as banker. Where nobody has, it is i itself
// or, when i has risen, the next one still there.
func (s Seats) Able(i int, least int64) int {
	if s[i].Left {
		i = s.Right(i)
	}
	for j, n := i, 0; n < len(s); j, n = s.Right(j), n+1 {
		if s[j].Chips >= least {
			return j
		}
	}
	return i
}

// Winners are the names with the most free chips, in seat order; more than one
// is a draw (R-TIME).
func (s Seats) Winners() []string {
	var out []string
	most := int64(-1)
	for i := range s {
		switch {
		case s[i].Left || s[i].Chips < most:
		case s[i].Chips > most:
			most, out = s[i].Chips, []string{s[i].Name}
		default:
			out = append(out, s[i].Name)
		}
	}
	return out
}
