package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

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
	// Not json.Marshal, which would escape <, > and & of what the action wrote.
	b, err := e.Action.AppendTo(b)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"transfers":[`...)
	for i, t := range e.Transfers {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"from":`...)
		b = game.AppendText(b, string(t.From))
		b = append(b, `,"to":`...)
		b = game.AppendText(b, string(t.To))
		b = append(b, `,"amount":`...)
		b = strconv.AppendInt(b, t.Amount, 10)
		b = append(b, '}')
	}
	b = append(b, `],"prev":`...)
	b = game.AppendText(b, e.Prev)
	return append(b, '}'), nil
}

// AppendLine appends the entry's exported line, without a line feed.
func (e *Entry) AppendLine(b []byte) ([]byte, error) {
	b, err := e.appendBody(b)
	if err != nil {
		return nil, err
	}
	b = append(b[:len(b)-1], `,"hash":`...)
	b = game.AppendText(b, e.Hash)
	return append(b, '}'), nil
}

// ParseLine reads an exported line. It is strict about what a line says (every
// member there, once, of its type, no others) and lenient about white space and
// escapes, since files are passed through other people's tools. It does not
// check the hash: that is a Chain's work.
func ParseLine(line []byte) (Entry, error) {
	var e Entry
	m, err := game.Split(line)
	if err != nil {
		return e, unreadable(line, err)
	}
	var v [len(memberNames)]json.RawMessage
	for i, name := range memberNames {
		if v[i] = m.Get(name); v[i] == nil {
			return e, fmt.Errorf("%q is missing", name)
		}
	}
	if len(m) != len(memberNames) {
		for _, x := range m {
			if !slices.Contains(memberNames[:], string(x.Name)) {
				return e, fmt.Errorf("%q does not belong there", x.Name)
			}
		}
	}
	if e.Seq, err = strconv.ParseUint(string(v[0]), 10, 53); err != nil {
		return e, errors.New(`"seq" is not a whole number from 1`)
	}
	at, _ := game.Text(v[1])
	// Parse forgives a comma for the point; a changed line must not pass.
	if e.At, err = time.Parse(timeForm, at); err != nil || e.At.Format(timeForm) != at {
		return e, errors.New(`"at" is not a time like 2026-11-29T20:15:03.120Z`)
	}
	if e.Action, err = game.Decode(v[2]); err != nil {
		return e, fmt.Errorf(`"action" cannot be read: %w`, err)
	}
	if e.Transfers, err = transfersOf(v[3]); err != nil {
		return e, err
	}
	var ok bool
	if e.Prev, ok = game.Text(v[4]); !ok {
		return e, errors.New(`"prev" is not a text`)
	}
	if e.Hash, ok = game.Text(v[5]); !ok {
		return e, errors.New(`"hash" is not a text`)
	}
	return e, nil
}

var memberNames = [...]string{"seq", "at", "action", "transfers", "prev", "hash"}

// unreadable says in what way a line is no JSON object.
func unreadable(line []byte, err error) error {
	var no *game.Refusal
	switch errors.As(err, &no); {
	case no == nil:
		return err
	case no.Message.Key == "bad.twice":
		return fmt.Errorf("%q is there twice", no.Field)
	case no.Message.Key == "bad.utf8":
		return errors.New("not UTF-8")
	}
	if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
		return errors.New("not a JSON object")
	}
	if _, err := json.NewDecoder(bytes.NewReader(line)).Token(); err == nil && !json.Valid(line) {
		var any json.RawMessage
		var broken *json.SyntaxError
		if err := json.Unmarshal(line, &any); errors.As(err, &broken) && broken.Offset >= int64(len(line)) {
			return errors.New("cut short")
		}
	}
	return errors.New("not a JSON object: broken, or something follows it")
}

func transfersOf(raw json.RawMessage) ([]chips.Transfer, error) {
	list, ok := game.SplitList(raw)
	if !ok {
		return nil, errors.New(`"transfers" is not a list`)
	}
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]chips.Transfer, 0, len(list))
	for i, raw := range list {
		m, err := game.Split(raw)
		from, ok1 := game.Text(m.Get("from"))
		to, ok2 := game.Text(m.Get("to"))
		n, nerr := strconv.ParseInt(string(m.Get("amount")), 10, 64)
		if err != nil || len(m) != 3 || !ok1 || !ok2 || nerr != nil {
			return nil, fmt.Errorf(`"transfers[%d]" is not {"from":…,"to":…,"amount":…}`, i)
		}
		out = append(out, chips.Transfer{From: chips.Account(from), To: chips.Account(to), Amount: n})
	}
	return out, nil
}
