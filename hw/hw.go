// Package hw turns what is soldered to the table into presses, and the state of
// the table into lamps. It promises that one press of a finger is one [Press],
// however the contact bounces; that a button which is stuck, a line which is
// busy and a chip which is missing are named in plain words, never stop the rest
// and are used as soon as they can be; and that it costs nothing while nobody
// touches anything.
//
// It knows no game. Which action a press means belongs to the program that
// wires the table (cmd); which lamp burns is derived from the small [Table]
// that the same program fills in.
//
// Lines are reached by name ("GPIO17") through periph and the kernel's GPIO
// character device, never through the processor's registers: that works alike
// on a Pi 3, 4, 5 and Zero 2 W, needs no root, and cannot kill the program with
// a bus error where /dev/gpiomem is missing.
package hw

import (
	"context"
	"time"
)

// Press is one finished decision of a finger on one button.
type Press struct {
	Name  string        // the button in words, for the page and the log: "cover", "seat 3 pass"
	Job   Job           // what the button is for
	Seat  int           // whose button: 1 is the first seat of the list, 0 the seat in turn or the host
	Kind  Kind          // how it was pressed
	Times int           // units counted while a counting button was held, from 1; nought counts as 1
	At    time.Duration // when its first edge came, since the panel was opened
}

// Job is what a button is for, whoever's button it is.
type Job string

// The jobs of the two layouts and of the number pad.
const (
	Cover Job = "cover" // a unit against the bank; held, the console counts units and a seat goes banco
	Banco Job = "banco"
	Pass  Job = "pass"
	Bank  Job = "bank" // keep by a short press, give by a long one, sell by a very long one
	Undo  Job = "undo"
	Deal  Job = "deal" // close the bets, or whatever else lets the next card come
)

// Kind is how a button was pressed.
type Kind uint8

// The kinds of press. A button that does the same however long it is pressed
// reports Short when it goes down. One that tells short from long reports Short
// when it is let go in time, else Hold while it is still down; where there is a
// third meaning, Hold too waits for the release and LongHold comes while it is
// down. A counting button reports one Short when it is let go, with the Times
// it counted.
const (
	Short Kind = iota
	Hold
	LongHold
)

// String is the kind in a word or two.
func (k Kind) String() string { return [...]string{"short", "hold", "long hold"}[k] }

// Buttons is a source of presses: the panel, a number pad, a scripted player.
type Buttons interface {
	// Next waits for the next press. The error is the context's, or io.EOF when
	// the source will give none any more.
	Next(ctx context.Context) (Press, error)
}

// Trouble is something about the panel that a person has to know, in a plain
// sentence with what to do about it.
type Trouble struct {
	Code string // stable: "no_chip", "line_missing", "line_busy", "chip_gone", "stuck", "noisy", "expander", "keypad"
	Name string // the button, lamp, line or device at fault
	Says string // the sentence, English
}
