package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lansquenet/ledger/card"
)

// MaxAmount is the largest amount an action may name.
const MaxAmount = 1_000_000_000

// MaxName is the longest seat name, in code points.
const MaxName = 32

// Action is what somebody did: one JSON object of CONTRACT section 2. Only the
// fields that its Do takes are set.
type Action struct {
	Do string

	Game    string
	Profile string
	Rules   json.RawMessage // the overrides as given, compacted; nil for none
	Seats   []Buyin
	Banker  string

	Seat    string
	Name    string
	Against string
	Amount  int64
	Chips   int64
	Min     int64
	Max     int64
	Clip    bool

	Rank       card.Rank
	Suit       card.Suit
	Confidence float64
	Frame      int64
	Card       int64
	Reason     string

	// Draw is what chance decided for an `open` without a banker: filled in by
	// the one who holds the dice before the action reaches the rules, and
	// journalled with it, so that replay draws nothing. Each number is uniform
	// over 0 … 2^31-1; how many there are is the rules' affair (DrawNumbers).
	Draw []int64
}

// Buyin is a seat of an `open`.
type Buyin struct {
	Name  string `json:"name"`
	Chips int64  `json:"chips"`
}

// DrawNumbers is how many numbers an `open` without a banker carries: enough
// for every seat to redraw its card many times over.
const DrawNumbers = 64

type kind uint8

const (
	text kind = iota
	name
	amount // 0 … MaxAmount
	signed // -MaxAmount … MaxAmount
	count  // 0 … 2^53
	flag
	share // 0 … 1
	rank
	suit
	buyins
	object
	numbers
)

type field struct {
	name     string
	kind     kind
	optional bool
}

func need(n string, k kind) field { return field{n, k, false} }
func may(n string, k kind) field  { return field{n, k, true} }

// shapes lists every action and its fields, in the order they are written.
var shapes = map[string][]field{
	"open": {need("game", text), may("profile", text), may("rules", object), need("seats", buyins),
		may("banker", name), may("draw", numbers)},
	"bank":          {need("seat", name), need("amount", amount)},
	"cover":         {need("seat", name), need("amount", amount), may("clip", flag)},
	"banco":         {need("seat", name)},
	"pass":          {need("seat", name)},
	"close_bets":    {},
	"card":          {need("rank", rank), may("suit", suit), may("confidence", share), may("frame", count)},
	"keep":          {need("seat", name), need("amount", amount)},
	"give":          {need("seat", name)},
	"sell":          {need("seat", name)},
	"claim":         {need("seat", name)},
	"bid":           {need("seat", name), need("amount", amount)},
	"close_sale":    {},
	"burn":          {may("rank", rank), may("suit", suit)},
	"shuffle":       {},
	"shoe_out":      {},
	"correct":       {need("card", count), need("rank", rank), may("suit", suit)},
	"void":          {need("reason", text)},
	"undo":          {},
	"chips":         {need("seat", name), need("amount", signed)},
	"sit":           {need("name", name), need("chips", amount)},
	"rise":          {need("seat", name)},
	"time_up":       {},
	"close":         {},
	"accept":        {need("seat", name)},
	"refuse":        {need("seat", name)},
	"max":           {need("seat", name), need("amount", amount)},
	"offer":         {need("seat", name), need("amount", amount)},
	"side":          {need("seat", name), need("against", name), need("amount", amount)},
	"side_accept":   {need("seat", name), need("against", name), need("amount", amount)},
	"take":          {need("seat", name), need("rank", rank)},
	"new_bank_card": {need("seat", name)},
	"no_bank_card":  {need("seat", name)},
	"limits":        {need("seat", name), need("min", amount), need("max", amount)},
	"bet":           {need("seat", name), need("rank", rank), need("amount", amount)},
}

// Dos lists what can be done, every Do there is, in alphabetical order.
func Dos() []string { return slices.Sorted(maps.Keys(shapes)) }

// Host says whether only the host may send this action.
func (a Action) Host() bool {
	switch a.Do {
	case "open", "close_bets", "close_sale", "burn", "shuffle", "shoe_out", "correct", "void", "undo",
		"chips", "sit", "rise", "time_up", "close", "card":
		return true
	}
	return false
}

// Decode reads one action. It is strict: one JSON object, every field known,
// once, of the right type and size, the needed ones there. The error is a
// *Refusal with code "bad_action" that names the field.
func Decode(b []byte) (Action, error) {
	var a Action
	raw, err := Split(b)
	if err != nil {
		return a, err
	}
	do := raw.Get("do")
	if do == nil {
		return a, bad("do", "missing", "")
	}
	var ok bool
	if a.Do, ok = Text(do); !ok {
		return a, bad("do", "type", Say("kind.word"))
	}
	shape, ok := shapes[a.Do]
	if !ok {
		return a, bad("do", "unknown_do", a.Do)
	}
	seen := 1
	for _, f := range shape {
		v := raw.Get(f.name)
		if v == nil {
			if !f.optional {
				return a, bad(f.name, "missing", "")
			}
			continue
		}
		seen++
		if err := a.set(f, v); err != nil {
			return a, err
		}
	}
	if seen != len(raw) {
		for _, m := range raw {
			if n := string(m.Name); n != "do" && !has(shape, n) {
				return a, bad(n, "unknown_field", n)
			}
		}
	}
	return a, nil
}

func has(shape []field, n string) bool {
	for _, f := range shape {
		if f.name == n {
			return true
		}
	}
	return false
}

func bad(fieldName, why string, got any) *Refusal {
	return &Refusal{Code: "bad_action", Field: fieldName,
		Message: Say("bad."+why, "field", fieldName, "got", got)}
}

func isString(v json.RawMessage) bool { return len(v) > 0 && v[0] == '"' }

func (a *Action) set(f field, v json.RawMessage) error {
	str := func() (string, error) {
		s, ok := Text(v)
		if !ok {
			return "", bad(f.name, "type", Say("kind.text"))
		}
		return s, nil
	}
	switch f.kind {
	case text:
		s, err := str()
		if err != nil {
			return err
		}
		if utf8.RuneCountInString(s) > 500 {
			return bad(f.name, "long", "")
		}
		switch f.name {
		case "game":
			a.Game = s
		case "profile":
			a.Profile = s
		case "reason":
			a.Reason = s
		}
	case name:
		s, err := str()
		if err != nil {
			return err
		}
		if err := checkName(f.name, s); err != nil {
			return err
		}
		switch f.name {
		case "seat":
			a.Seat = s
		case "name":
			a.Name = s
		case "banker":
			a.Banker = s
		case "against":
			a.Against = s
		}
	case amount, signed, count:
		lo, hi := int64(0), int64(MaxAmount)
		if f.kind == signed {
			lo = -MaxAmount
		} else if f.kind == count {
			hi = 1 << 53
		}
		n, err := whole(f.name, v, lo, hi)
		if err != nil {
			return err
		}
		switch f.name {
		case "amount":
			a.Amount = n
		case "chips":
			a.Chips = n
		case "min":
			a.Min = n
		case "max":
			a.Max = n
		case "frame":
			a.Frame = n
		case "card":
			a.Card = n
		}
	case flag:
		switch string(v) {
		case "true":
			a.Clip = true
		case "false":
		default:
			return bad(f.name, "type", Say("kind.flag"))
		}
	case share:
		if isString(v) || json.Unmarshal(v, &a.Confidence) != nil || string(v) == "null" ||
			a.Confidence < 0 || a.Confidence > 1 {
			return bad(f.name, "type", Say("kind.share"))
		}
	case rank:
		s, err := str()
		if err != nil {
			return err
		}
		if a.Rank, err = card.ParseRank(s); err != nil {
			return bad(f.name, "rank", s)
		}
	case suit:
		s, err := str()
		if err != nil {
			return err
		}
		if a.Suit, err = card.ParseSuit(s); err != nil {
			return bad(f.name, "suit", s)
		}
	case buyins:
		return a.setSeats(f, v)
	case object:
		if v[0] != '{' {
			return bad(f.name, "type", Say("kind.object"))
		}
		var c bytes.Buffer
		if json.Compact(&c, v) != nil {
			return bad(f.name, "json", "")
		}
		a.Rules = c.Bytes()
	case numbers:
		list, ok := SplitList(v)
		if !ok || len(list) > 4*DrawNumbers {
			return bad(f.name, "type", Say("kind.numbers"))
		}
		for _, e := range list {
			n, err := whole(f.name, e, 0, 1<<31-1)
			if err != nil {
				return err
			}
			a.Draw = append(a.Draw, n)
		}
	}
	return nil
}

func (a *Action) setSeats(f field, v json.RawMessage) error {
	list, ok := SplitList(v)
	if !ok {
		return bad(f.name, "type", Say("kind.seats"))
	}
	a.Seats = make([]Buyin, 0, len(list))
	for i, e := range list {
		at := func(n string) string { return fmt.Sprintf("%s[%d].%s", f.name, i, n) }
		raw, err := Split(e)
		if err != nil {
			return bad(strings.TrimSuffix(at(""), "."), "type", Say("kind.seat"))
		}
		for _, m := range raw {
			if n := string(m.Name); n != "name" && n != "chips" {
				return bad(at(n), "unknown_field", n)
			}
		}
		var s Buyin
		nm := raw.Get("name")
		if nm == nil {
			return bad(at("name"), "missing", "")
		}
		if s.Name, ok = Text(nm); !ok {
			return bad(at("name"), "type", Say("kind.text"))
		}
		if err := checkName(at("name"), s.Name); err != nil {
			return err
		}
		c := raw.Get("chips")
		if c == nil {
			return bad(at("chips"), "missing", "")
		}
		if s.Chips, err = whole(at("chips"), c, 0, MaxAmount); err != nil {
			return err
		}
		a.Seats = append(a.Seats, s)
	}
	return nil
}

func whole(fieldName string, v json.RawMessage, lo, hi int64) (int64, error) {
	s := string(v)
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return 0, bad(fieldName, "type", Say("kind.whole"))
	}
	if strings.ContainsAny(s, ".eE") {
		return 0, bad(fieldName, "fraction", s)
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > hi || (n < lo && lo < 0) {
		return 0, bad(fieldName, "huge", s)
	}
	if n < lo {
		return 0, bad(fieldName, "negative", s)
	}
	return n, nil
}

// checkName refuses names that cannot be told apart or shown: empty or blank,
// too long, with control characters or line breaks, or with space at the ends.
func checkName(fieldName, s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return bad(fieldName, "empty", "")
	case utf8.RuneCountInString(s) > MaxName:
		return bad(fieldName, "long_name", s)
	case strings.TrimSpace(s) != s:
		return bad(fieldName, "spaces", s)
	case strings.IndexFunc(s, unicode.IsControl) >= 0:
		return bad(fieldName, "control", s)
	}
	return nil
}

// MarshalJSON writes the action in its one canonical form: `do` first, then the
// fields of its shape in their fixed order, optional ones only when set, no
// white space, nothing escaped that JSON does not ask to be escaped.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendTo(make([]byte, 0, 128)) }

// AppendTo appends the canonical form.
func (a *Action) AppendTo(b []byte) ([]byte, error) {
	shape, ok := shapes[a.Do]
	if !ok {
		return nil, fmt.Errorf("game: action %q has no written form", a.Do)
	}
	b = AppendText(append(b, `{"do":`...), a.Do)
	for _, f := range shape {
		if f.optional && !a.has(f.name) {
			continue
		}
		b = append(append(append(b, `,"`...), f.name...), `":`...)
		b = a.appendValue(b, f.name)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON is Decode.
func (a *Action) UnmarshalJSON(b []byte) (err error) {
	*a, err = Decode(b)
	return err
}

// has says whether an optional field is set.
func (a *Action) has(name string) bool {
	switch name {
	case "profile":
		return a.Profile != ""
	case "banker":
		return a.Banker != ""
	case "rules":
		return a.Rules != nil
	case "draw":
		return a.Draw != nil
	case "clip":
		return a.Clip
	case "rank":
		return a.Rank != card.NoRank
	case "suit":
		return a.Suit != card.NoSuit
	case "confidence":
		return a.Confidence != 0
	case "frame":
		return a.Frame != 0
	}
	panic("game: the optional field " + name + " is not known to has")
}

func (a *Action) appendValue(b []byte, name string) []byte {
	switch name {
	case "game":
		return AppendText(b, a.Game)
	case "profile":
		return AppendText(b, a.Profile)
	case "reason":
		return AppendText(b, a.Reason)
	case "seat":
		return AppendText(b, a.Seat)
	case "name":
		return AppendText(b, a.Name)
	case "banker":
		return AppendText(b, a.Banker)
	case "against":
		return AppendText(b, a.Against)
	case "rank":
		return AppendText(b, a.Rank.String())
	case "suit":
		return AppendText(b, a.Suit.String())
	case "amount":
		return strconv.AppendInt(b, a.Amount, 10)
	case "chips":
		return strconv.AppendInt(b, a.Chips, 10)
	case "min":
		return strconv.AppendInt(b, a.Min, 10)
	case "max":
		return strconv.AppendInt(b, a.Max, 10)
	case "frame":
		return strconv.AppendInt(b, a.Frame, 10)
	case "card":
		return strconv.AppendInt(b, a.Card, 10)
	case "clip":
		return strconv.AppendBool(b, a.Clip)
	case "confidence":
		// Not finite only when it did not come through Decode; what is written
		// then is refused when it is read.
		v, _ := json.Marshal(a.Confidence)
		return append(b, v...)
	case "rules":
		return append(b, a.Rules...)
	case "seats":
		b = append(b, '[')
		for i, s := range a.Seats {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendText(append(b, `{"name":`...), s.Name)
			b = strconv.AppendInt(append(b, `,"chips":`...), s.Chips, 10)
			b = append(b, '}')
		}
		return append(b, ']')
	case "draw":
		b = append(b, '[')
		for i, n := range a.Draw {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, n, 10)
		}
		return append(b, ']')
	}
	panic("game: the field " + name + " is not known to appendValue")
}
