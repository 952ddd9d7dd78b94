package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lansquenet/ledger/chips"
	"lansquenet/ledger/game"
)

// Entry is one thing that was done at the table.
type Entry struct {
	Seq       uint64    // 1, 2, 3 … within its session
	At        time.Time // UTC, whole milliseconds
	Action    game.Action
	Transfers []chips.Transfer // in posting order, nil for none
	Prev      string           // the hash before, for seq 1 the Meta (see Genesis)
	Hash      string           // SHA-256 of the canonical form, lower-case hex

	Note Note
}

// Note is kept beside an entry and is no part of the chain or of an exported
// line: it says how the entry came, not what happened.
type Note struct {
	Key    string // idempotency key of the request, "" for none
	From   string // who sent it: "camera", "button", "host", "seat:NAME", "script"
	Closed bool   // the night was over with this entry
}

const timeForm = "2006-01-02T15:04:05.000Z"

// Seal sets Prev and Hash so that e follows the entry whose hash is prev. It
// cuts At to UTC milliseconds, because that is what is written.
func (e *Entry) Seal(prev string) error {
	e.At = e.At.UTC().Truncate(time.Millisecond)
	if y := e.At.Year(); y < 0 || y > 9999 {
		return fmt.Errorf("the clock says year %d, which cannot be written", y)
	}
	e.Prev = prev
	body, err := e.appendBody(make([]byte, 0, 512))
	if err != nil {
		return err
	}
	e.Hash = sum(body)
	return nil
}

func sum(body []byte) string {
	h := sha256.Sum256(body)
	return hex.EncodeToString(h[:])
}

// appendBody writes the canonical form that is hashed: the line without hash.
func (e *Entry) appendBody(b []byte) ([]byte, error) {
	b = append(b, `{"seq":`...)
	b = strconv.AppendUint(b, e.Seq, 10)
	b = append(b, `,"at":"`...)
	b = e.At.AppendFormat(b, timeForm)
	b = append(b, `","action":`...)
	// Not json.Marshal: it would escape <, > and & of what MarshalJSON wrote.
	a, err := e.Action.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b = append(b, a...)
	b = append(b, `,"transfers":[`...)
	for i, t := range e.Transfers {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"from":`...)
		b = appendText(b, string(t.From))
		b = append(b, `,"to":`...)
		b = appendText(b, string(t.To))
		b = append(b, `,"amount":`...)
		b = strconv.AppendInt(b, t.Amount, 10)
		b = append(b, '}')
	}
	b = append(b, `],"prev":`...)
	b = appendText(b, e.Prev)
	return append(b, '}'), nil
}

// AppendLine appends the entry's exported line, without a line feed.
func (e *Entry) AppendLine(b []byte) ([]byte, error) {
	b, err := e.appendBody(b)
	if err != nil {
		return nil, err
	}
	b = append(b[:len(b)-1], `,"hash":`...)
	b = appendText(b, e.Hash)
	return append(b, '}'), nil
}

// appendText quotes s as the canonical form does.
func appendText(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendOdd(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// appendOdd quotes texts that are not plain ASCII.
func appendOdd(b []byte, s string) []byte {
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return append(b, bytes.TrimSuffix(w.Bytes(), []byte("\n"))...)
}

// ParseLine reads an exported line. It is strict about what a line says (every
// member there, once, of its type, no others) and lenient about white space and
// escapes, since files are passed through other people's tools. It does not
// check the hash: that is a Chain's work.
func ParseLine(line []byte) (Entry, error) {
	var e Entry
	m, err := members(line)
	if err != nil {
		return e, err
	}
	for _, name := range [...]string{"seq", "at", "action", "transfers", "prev", "hash"} {
		if _, ok := m[name]; !ok {
			return e, fmt.Errorf("%q is missing", name)
		}
	}
	if len(m) != 6 {
		for name := range m {
			if !strings.Contains(" seq at action transfers prev hash ", " "+name+" ") {
				return e, fmt.Errorf("%q does not belong there", name)
			}
		}
	}
	if e.Seq, err = strconv.ParseUint(string(m["seq"]), 10, 53); err != nil {
		return e, fmt.Errorf(`"seq" is not a whole number from 1`)
	}
	at, err := textOf(m["at"])
	if err == nil {
		e.At, err = time.Parse(timeForm, at)
	}
	// Parse forgives a comma for the point; a changed line must not pass.
	if err != nil || e.At.Format(timeForm) != at {
		return e, fmt.Errorf(`"at" is not a time like 2026-11-29T20:15:03.120Z`)
	}
	if e.Action, err = game.Decode(m["action"]); err != nil {
		return e, fmt.Errorf(`"action" cannot be read: %w`, err)
	}
	if e.Transfers, err = transfersOf(m["transfers"]); err != nil {
		return e, err
	}
	if e.Prev, err = textOf(m["prev"]); err != nil {
		return e, fmt.Errorf(`"prev" is not a text`)
	}
	if e.Hash, err = textOf(m["hash"]); err != nil {
		return e, fmt.Errorf(`"hash" is not a text`)
	}
	return e, nil
}

func transfersOf(raw []byte) ([]chips.Transfer, error) {
	var list []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, fmt.Errorf(`"transfers" is not a list`)
	}
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]chips.Transfer, 0, len(list))
	for i, raw := range list {
		bad := func() error { return fmt.Errorf(`"transfers[%d]" is not {"from":…,"to":…,"amount":…}`, i) }
		m, err := members(raw)
		if err != nil || len(m) != 3 || m["from"] == nil || m["to"] == nil || m["amount"] == nil {
			return nil, bad()
		}
		from, err1 := textOf(m["from"])
		to, err2 := textOf(m["to"])
		n, err3 := strconv.ParseInt(string(m["amount"]), 10, 64)
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, bad()
		}
		out = append(out, chips.Transfer{From: chips.Account(from), To: chips.Account(to), Amount: n})
	}
	return out, nil
}

func textOf(raw []byte) (string, error) {
	var s string
	if len(raw) < 2 || raw[0] != '"' {
		return "", fmt.Errorf("not a text")
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	err := json.Unmarshal(raw, &s)
	return s, err
}

// members splits one JSON object into its members, values as written. The names
// are compared exactly, which encoding/json alone would not do.
func members(b []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(b) {
		return nil, fmt.Errorf("not UTF-8")
	}
	if len(bytes.TrimSpace(b)) == 0 || bytes.TrimSpace(b)[0] != '{' {
		return nil, fmt.Errorf("not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("not a JSON object")
	}
	m := make(map[string]json.RawMessage, 6)
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, fmt.Errorf("not a JSON object")
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("cut short or broken in %q", name)
		}
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("%q is there twice", name)
		}
		m[name] = v
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("cut short")
	}
	if rest := b[d.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("something follows the object")
	}
	return m, nil
}
