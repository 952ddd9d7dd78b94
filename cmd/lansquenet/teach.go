package main

import (
	"context"
	"errors"
)

// runTeach learns a deck.
func runTeach(ctx context.Context, t terminal, args []string) error {
	return errors.New("teaching decks comes later")
}
