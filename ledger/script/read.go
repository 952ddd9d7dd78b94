// Package script reads a night written down as lines of actions (CONTRACT
// section 2) and plays it at a table, line by line, comparing what happens with
// what the script expects. The rules, the journal and the words in which a
// refusal is told belong to others: the table is whatever can apply an action.
package script

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"lansquenet/ledger/game"
)

// MaxLine is the longest line a script may have, in bytes.
const MaxLine = 1 << 20

// Line is one line of a script that is neither blank nor a comment.
type Line struct {
	N       int           // counted from 1, comments and blank lines too
	Action  game.Action   // what to apply
	Bad     *game.Refusal // the line is no action: refused before it reaches the table
	Broken  bool          // it is not even a JSON object, or longer than MaxLine
	Refused bool          // the script expects a refusal
	Final   Final         // the last line's `expect_final`, nil on every other line
}

// Final is what the final object must contain, by its keys.
type Final map[string]json.RawMessage

// Wrong is a line whose expectation is not a thing that can be expected, or
// that follows the last expectation: the script itself is at fault.
type Wrong struct {
	N     int
	Field string // "" for the whole line
	Why   string
}

// Error names the line and, where there is one, the field.
func (w *Wrong) Error() string {
	if w.Field != "" {
		return fmt.Sprintf("line %d, field %q: %s", w.N, w.Field, w.Why)
	}
	return fmt.Sprintf("line %d: %s", w.N, w.Why)
}

// Reader reads a script as it comes, so that a script may be typed or piped in
// while its table plays.
type Reader struct {
	in    *bufio.Reader
	n     int
	ended int // the line number of `expect_final`, after which nothing may come
}

// NewReader reads from r.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(r, 64<<10)} }

// Next is the next line, or io.EOF at the end, a *Wrong for a line that cannot
// be read, or the trouble of reading.
func (r *Reader) Next() (Line, error) {
	for {
		text, err := r.line()
		if err == errLong {
			return r.broken(&game.Refusal{Code: "bad_action", Message: game.Say("bad.long_line", "got", int64(MaxLine))}), nil
		}
		if err != nil {
			return Line{}, err
		}
		text = bytes.TrimSpace(text)
		if len(text) == 0 || bytes.HasPrefix(text, []byte("//")) {
			continue
		}
		if r.ended > 0 {
			return Line{}, r.wrong("", fmt.Sprintf("nothing may follow expect_final in line %d", r.ended))
		}
		return r.parse(text)
	}
}

// errLong is the line that was passed over because of its length.
var errLong = errors.New("the line is too long")

// line reads one line without its end. Of a line that is too long nothing is
// kept, and the next one is read as if it had not been there.
func (r *Reader) line() ([]byte, error) {
	var text []byte
	size := 0
	for {
		part, err := r.in.ReadSlice('\n')
		if len(part) > 0 && size == 0 {
			r.n++
		}
		if size += len(part); size <= MaxLine {
			text = append(text, part...)
		}
		switch {
		case err == nil:
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && size > 0: // the last line has no end
		case err == io.EOF:
			return nil, io.EOF
		default:
			return nil, fmt.Errorf("script: reading line %d: %w", r.n+1, err)
		}
		if size > MaxLine {
			return nil, errLong
		}
		if r.n == 1 { // editors on some systems begin a file with a byte order mark
			text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		}
		return text, nil
	}
}

// broken is the line at which the reader stands, as one that nobody can read.
func (r *Reader) broken(why *game.Refusal) Line { return Line{N: r.n, Bad: why, Broken: true} }

func (r *Reader) wrong(field, why string) *Wrong { return &Wrong{r.n, field, why} }

// parse reads an object, takes what the script expects out of it and leaves the
// rest to game.Decode.
func (r *Reader) parse(text []byte) (Line, error) {
	l := Line{N: r.n}
	members, err := split(text)
	if err != nil {
		if _, err := game.Decode(text); errors.As(err, &l.Bad) {
			return r.broken(l.Bad), nil
		}
		return l, r.wrong("", "this is no JSON object, such as "+`{"do":"card","rank":"7"}`)
	}
	action := []byte{'{'}
	for _, m := range members {
		switch m.name {
		case "expect":
			if string(m.value) != `"refused"` || l.Refused {
				return l, r.wrong("expect", `only "refused" can be expected, once`)
			}
			l.Refused = true
		case "expect_final":
			if json.Unmarshal(m.value, &l.Final) != nil || l.Final == nil {
				return l, r.wrong("expect_final", "an object is needed")
			}
			if len(members) > 1 {
				return l, r.wrong("expect_final", "it stands alone in its line")
			}
			r.ended = r.n
			return l, nil
		default:
			if len(action) > 1 {
				action = append(action, ',')
			}
			action = append(append(append(action, m.quoted...), ':'), m.value...)
		}
	}
	l.Action, err = game.Decode(append(action, '}'))
	if err != nil {
		if !errors.As(err, &l.Bad) {
			return l, r.wrong("", err.Error())
		}
	}
	return l, nil
}

// member is one name and value of an object, as they were written.
type member struct {
	name   string
	quoted []byte
	value  json.RawMessage
}

// split takes an object apart and keeps the order and even members named twice,
// which game.Decode refuses by name.
func split(text []byte) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("no object")
	}
	var out []member
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: t.(string)} // a member begins with its name
		if m.quoted, err = json.Marshal(m.name); err != nil {
			return nil, err
		}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one object")
	}
	return out, nil
}

// Check reads a whole script and gives the first line with which it cannot be
// played, so that it can be refused before anything of it is. With whole, a line
// that is no JSON object is such a line too; say puts its fault into words.
func Check(r io.Reader, whole bool, say func(game.Message) string) error {
	for in := NewReader(r); ; {
		switch l, err := in.Next(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case whole && l.Broken:
			return &Wrong{l.N, l.Bad.Field, say(l.Bad.Message)}
		}
	}
}

// Compare tells how a final object differs from what is expected of it: a
// sentence for each difference, in the order of the keys.
func (f Final) Compare(final any) ([]string, error) {
	b, err := json.Marshal(final)
	if err != nil {
		return nil, fmt.Errorf("script: final: %w", err)
	}
	var got map[string]any
	if err := unmarshal(b, &got); err != nil {
		return nil, fmt.Errorf("script: final: %w", err)
	}
	var want map[string]any
	if b, err = json.Marshal(f); err == nil {
		err = unmarshal(b, &want)
	}
	if err != nil {
		return nil, fmt.Errorf("script: expect_final: %w", err)
	}
	var out []string
	compare("", want, got, &out)
	return out, nil
}

// unmarshal keeps numbers as they are written.
func unmarshal(b []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(to)
}

// compare descends into objects, so that a difference is named as closely as
// can be: "chips.Anna is 100, expected 112".
func compare(path string, want, got any, out *[]string) {
	w, isObject := want.(map[string]any)
	g, gotObject := got.(map[string]any)
	if !isObject || !gotObject {
		if a, b := written(want), written(got); a != b {
			*out = append(*out, fmt.Sprintf("%s is %s, expected %s", strings.TrimPrefix(path, "."), b, a))
		}
		return
	}
	for _, k := range keys(w) {
		if v, ok := g[k]; ok {
			compare(path+"."+k, w[k], v, out)
		} else if w[k] != nil { // null stands for a key that is not there
			*out = append(*out, fmt.Sprintf("%s is missing, expected %s", strings.TrimPrefix(path+"."+k, "."), written(w[k])))
		}
	}
	if path == "" {
		return // the final object may hold more than the script cares for
	}
	for _, k := range keys(g) {
		if _, ok := w[k]; !ok {
			*out = append(*out, fmt.Sprintf("%s is %s, expected none", strings.TrimPrefix(path+"."+k, "."), written(g[k])))
		}
	}
}
