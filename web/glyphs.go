package web

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font/sfnt"
)

// typeface is the report's, asked which letters it has.
var typeface = sync.OnceValue(func() *sfnt.Font {
	f, err := sfnt.Parse(fontRegular)
	if err != nil {
		panic(err) // it is part of this program
	}
	return f
})

// printed gives each player a name that the report's typeface can set. It has
// Latin and Cyrillic letters; a browser has the whole world's. What it
// lacks is left out, and the player's number at the table says who is meant.
// Letters beyond the first 65,536 would stop the PDF library, which cannot
// count so far.
func printed(players []string) map[string]string {
	var buf sfnt.Buffer
	names := make(map[string]string, len(players))
	for i, name := range players {
		short := strings.Map(func(r rune) rune {
			if g, err := typeface().GlyphIndex(&buf, r); err != nil || g == 0 || r > 0xFFFF || !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, name)
		if short != name {
			short = strings.TrimSpace(fmt.Sprintf("%s № %d", strings.TrimSpace(short), i+1))
		}
		names[name] = short
	}
	return names
}
