package chips

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

// TestPost: transfers are posted in order, and the sum of all accounts stays
// nought.
func TestPost(t *testing.T) {
	var b Book
	err := b.Post([]Transfer{{Cage, Stack("A"), 100}, {Stack("A"), Bank, 12}, {Stack("A"), Stake("A"), 88}, {Bank, Cage, 12}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[Account]int64{Cage: -88, "stake:A": 88}
	if got := b.Balances(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if b.Balance("stack:nobody") != 0 {
		t.Error("an unknown account holds chips")
	}
}

// TestRefused: a posting that cannot be is named, and none of its transfers
// has happened.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		last Transfer
		want error
	}{
		{Transfer{Bank, Stack("A"), 13}, ErrOverdrawn},
		{Transfer{Bank, Stack("A"), 0}, ErrAmount},
		{Transfer{Bank, Stack("A"), -1}, ErrAmount},
		{Transfer{Bank, Bank, 1}, ErrSame},
		{Transfer{Cage, Bank, math.MaxInt64}, ErrOverflow},
	} {
		var b Book
		if err := b.Post([]Transfer{{Cage, Stack("A"), 100}}); err != nil {
			t.Fatal(err)
		}
		before := b.Clone()
		err := b.Post([]Transfer{{Stack("A"), Bank, 12}, c.last})
		if !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.last, err, c.want)
		}
		if !reflect.DeepEqual(b.Balances(), before.Balances()) {
			t.Errorf("%v left %v", c.last, b.Balances())
		}
	}
}

// TestClone: a clone goes its own way.
func TestClone(t *testing.T) {
	var b Book
	_ = b.Post([]Transfer{{Cage, Bank, 5}})
	c := b.Clone()
	_ = c.Post([]Transfer{{Bank, Cage, 5}})
	if b.Balance(Bank) != 5 || c.Balance(Bank) != 0 {
		t.Error("a clone shares its balances")
	}
}
