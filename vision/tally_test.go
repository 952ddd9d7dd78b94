package vision

import (
	"testing"

	"lansquenet/ledger/card"
)

// TestCompare holds events against three cards and a back, dealt in frames 10,
// 50, 90 and 130.
func TestCompare(t *testing.T) {
	deals := []Deal{
		{Rank: card.Seven, Appear: 10, Settled: 30},
		{Rank: card.Queen, Appear: 50, Settled: 70},
		{Rank: card.Two, Appear: 90, Settled: 110},
		{Rank: card.NoRank, Appear: 130, Settled: 150},
	}
	told := func(at uint64, r card.Rank) Event { return Event{Kind: Card, Frame: at, Rank: r} }
	asked := func(at uint64) Event { return Event{Kind: Unsure, Frame: at} }
	back := func(at uint64) Event { return Event{Kind: Back, Frame: at} }
	for name, c := range map[string]struct {
		events []Event
		want   Tally
	}{
		"all right":              {[]Event{told(32, 7), told(71, 12), told(109, 2), back(160)}, Tally{Hit: 4}},
		"nothing told":           {nil, Tally{Miss: 4}},
		"told within the slack":  {[]Event{told(57, 7), told(71, 12), told(109, 2), back(160)}, Tally{Hit: 4}},
		"told too late":          {[]Event{told(71, 12), told(99, 7), told(109, 2), back(160)}, Tally{Hit: 2, Misread: 1, Miss: 1, Phantom: 1}},
		"told before it came":    {[]Event{told(5, 7), told(71, 12), told(109, 2), back(160)}, Tally{Hit: 3, Miss: 1, Phantom: 1}},
		"told twice":             {[]Event{told(32, 7), told(34, 7), told(71, 12), told(109, 2), back(160)}, Tally{Hit: 4, Phantom: 1}},
		"misread":                {[]Event{told(32, 8), told(71, 12), told(109, 2), back(160)}, Tally{Hit: 3, Misread: 1}},
		"asked":                  {[]Event{asked(40), told(71, 12), told(109, 2), back(160)}, Tally{Hit: 3, Unsure: 1}},
		"the later one fits":     {[]Event{told(55, 12), told(109, 2), back(160)}, Tally{Hit: 3, Miss: 1}},
		"a back read as a card":  {[]Event{told(32, 7), told(71, 12), told(109, 2), told(160, 5)}, Tally{Hit: 3, Misread: 1}},
		"a back beside the deal": {[]Event{back(20), told(32, 7), told(71, 12), told(109, 2), back(160)}, Tally{Hit: 4}},
		"cleared is not counted": {[]Event{told(32, 7), told(71, 12), told(109, 2), back(160), {Kind: Cleared, Frame: 200}}, Tally{Hit: 4}},
	} {
		got := Compare(deals, c.events)
		if got.Deals != 4 || got.Hit != c.want.Hit || got.Misread != c.want.Misread || got.Unsure != c.want.Unsure || got.Miss != c.want.Miss || got.Phantom != c.want.Phantom {
			t.Errorf("%s: %v; want %v", name, got, c.want)
		}
		if n := got.Misread + got.Unsure + got.Miss + got.Phantom; len(got.Notes) != n {
			t.Errorf("%s: %d notes on what was no hit, want %d: %q", name, len(got.Notes), n, got.Notes)
		}
	}
	got := Compare(deals, []Event{told(32, 7), told(70, 12), told(105, 2)})
	got.Add(Tally{Deals: 2, Hit: 2, Late: []int{9, 4}})
	if got.Deals != 6 || got.Hit != 5 || got.LateAt(0.5) != 2 || got.LateAt(0.9) != 9 {
		t.Errorf("added up: %v", got)
	}
	if (Tally{}).LateAt(0.5) != 0 {
		t.Error("no hits, but told late")
	}
}
