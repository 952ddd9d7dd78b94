// Package chips is the double-entry book of a night: whole chips lie in
// accounts, and the only thing that ever happens to them is a transfer from one
// account to another. The cage issues chips and takes them back, so the sum of
// all accounts, the cage among them, is always nought.
package chips

import (
	"errors"
	"fmt"
	"maps"
)

// Account names a place where chips lie: "cage", "bank", "stack:Rosa" (free
// chips of a seat), "stake:Rosa" (covering the bank), and others that a game
// names. Everything after the first colon belongs to the game.
type Account string

// Cage issues chips and takes them back; it alone may stand below nought.
const Cage Account = "cage"

// Bank is the escrow of what the banker has put up.
const Bank Account = "bank"

// Stack is the account of a seat's free chips.
func Stack(seat string) Account { return Account("stack:" + seat) }

// Stake is the escrow of what a seat has put against the bank.
func Stake(seat string) Account { return Account("stake:" + seat) }

// Transfer moves Amount whole chips, always positive, from one account to
// another.
type Transfer struct {
	From   Account `json:"from"`
	To     Account `json:"to"`
	Amount int64   `json:"amount"`
}

// Book holds the balances. The zero value is an empty book.
type Book struct{ balance map[Account]int64 }

// Errors a posting is refused with.
var (
	ErrAmount    = errors.New("a transfer moves a positive number of chips")
	ErrSame      = errors.New("a transfer needs two accounts")
	ErrOverdrawn = errors.New("more chips than the account holds")
	ErrOverflow  = errors.New("more chips than a book can count")
)

// Balance is what lies in an account, nought for an unknown one.
func (b *Book) Balance(a Account) int64 { return b.balance[a] }

// Balances is a copy of every account that is not empty.
func (b *Book) Balances() map[Account]int64 {
	out := make(map[Account]int64, len(b.balance))
	for a, n := range b.balance {
		if n != 0 {
			out[a] = n
		}
	}
	return out
}

// Clone is a book of its own with the same balances.
func (b *Book) Clone() *Book { return &Book{balance: maps.Clone(b.balance)} }

// Post applies the transfers in order, all of them or, with an error naming the
// first that cannot be, none.
func (b *Book) Post(ts []Transfer) error {
	if b.balance == nil {
		b.balance = make(map[Account]int64)
	}
	for i, t := range ts {
		if err := b.post(t); err != nil {
			for j := i - 1; j >= 0; j-- {
				b.balance[ts[j].From] += ts[j].Amount
				b.balance[ts[j].To] -= ts[j].Amount
			}
			return fmt.Errorf("transfer %d, %d from %s to %s: %w", i+1, t.Amount, t.From, t.To, err)
		}
	}
	return nil
}

func (b *Book) post(t Transfer) error {
	from, to := b.balance[t.From], b.balance[t.To]
	switch {
	case t.Amount <= 0:
		return ErrAmount
	case t.From == t.To:
		return ErrSame
	case t.From != Cage && from < t.Amount:
		return ErrOverdrawn
	case from-t.Amount > from || to+t.Amount < to:
		return ErrOverflow
	}
	b.balance[t.From] = from - t.Amount
	b.balance[t.To] = to + t.Amount
	return nil
}
