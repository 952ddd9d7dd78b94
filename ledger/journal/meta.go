package journal

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"lansquenet/ledger/game"
)

// Format is the version of the written form that this package writes. It reads
// every form from 1 on.
const Format = 1

// Meta is what a night was played with. It is part of the chain: the first
// entry's prev is made of it.
type Meta struct {
	Format  int    `json:"format"`
	Session string `json:"session"` // the night's name, unique on any machine
	Program string `json:"program"` // version of the program
	Rules   int    `json:"rules"`   // version of the rules, by which it is replayed
	Profile string `json:"profile"` // of the rules, "" where the game has none
	Deck    string `json:"deck"`    // the deck the reader was set to
	Camera  string `json:"camera"`  // the source of the frames, "none" for a host who enters cards
}

// NewSession names a night that begins now. The time in it is for people; the
// random end keeps two machines, or a clock that jumps back, from naming two
// nights alike; chance is where it is drawn from.
func NewSession(now time.Time, chance io.Reader) (string, error) {
	var b [3]byte
	if _, err := io.ReadFull(chance, b[:]); err != nil {
		return "", fmt.Errorf("journal: name the night: %w", err)
	}
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:]), nil
}

// Genesis is the prev of the night's first entry: the hex digits of Meta's JSON.
func (m Meta) Genesis() string { return hex.EncodeToString(m.encode()) }

func (m Meta) encode() []byte {
	b := fmt.Appendf(nil, `{"format":%d,"session":`, m.Format)
	b = game.AppendText(b, m.Session)
	b = append(b, `,"program":`...)
	b = game.AppendText(b, m.Program)
	b = fmt.Appendf(b, `,"rules":%d,"profile":`, m.Rules)
	b = game.AppendText(b, m.Profile)
	b = append(b, `,"deck":`...)
	b = game.AppendText(b, m.Deck)
	b = append(b, `,"camera":`...)
	b = game.AppendText(b, m.Camera)
	return append(b, '}')
}

// ParseGenesis reads what Genesis writes. A Meta of a later format than this
// program knows is ErrLater.
func ParseGenesis(prev string) (Meta, error) {
	b, err := hex.DecodeString(prev)
	if err != nil || len(b) == 0 {
		return Meta{}, fmt.Errorf("the first prev is not the hex digits of what the night was played with")
	}
	var peek struct {
		Format int `json:"format"`
	}
	if json.Unmarshal(b, &peek) == nil && peek.Format > Format {
		return Meta{}, fmt.Errorf("%w: form %d, and this program knows up to %d", ErrLater, peek.Format, Format)
	}
	var m Meta
	if err := json.Unmarshal(b, &m); err != nil {
		return Meta{}, fmt.Errorf("the first prev does not hold what the night was played with: %w", err)
	}
	if m.Format < 1 || !validID(m.Session) || !bytes.Equal(m.encode(), b) || prev != m.Genesis() {
		return Meta{}, fmt.Errorf("the first prev does not hold what the night was played with in its written form")
	}
	return m, nil
}

// validID says whether a session's name can stand in an address, a file name and
// a command line. "latest" is what people ask for when they mean the newest.
func validID(s string) bool {
	if s == "" || len(s) > 64 || s == "latest" || s[0] == '-' || s[0] == '.' {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}
