package hw

// Finding is one thing Doctor looked at.
type Finding struct {
	OK   bool
	Says string // what was found, and what to do when it is not well
}
