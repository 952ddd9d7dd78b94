package lansquenet

import "lansquenet/ledger/game"

// Waits is what the table waits for; with Banker, Asked and Result it is the
// little of a View that whoever plays millions of coups looks at.
func (s *State) Waits() game.Phase {
	if s.Over {
		return game.Closed
	}
	return phaseNames[s.phase]
}

// Banker is the name of the seat that has the bank.
func (s *State) Banker() string { return s.name(s.banker) }

// Asked is the name of the seat asked to cover, where one is.
func (s *State) Asked() string { return s.name(s.turn) }

// Result is that of the last coup: "doublet", "bank", "punters" or "void".
func (s *State) Result() string { return s.result }
