package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// Member is one member of a JSON object: its name, and its value as written.
type Member struct {
	Name  []byte
	Value json.RawMessage
}

// Object is the members of a JSON object in the order in which they stand.
type Object []Member

// Get is the value of the member with exactly that name, nil when there is none.
func (o Object) Get(name string) json.RawMessage {
	for i := range o {
		if string(o[i].Name) == name {
			return o[i].Value
		}
	}
	return nil
}

// Split takes a JSON object apart and refuses a member named twice. Nothing is
// copied: the members lie in b. It is what actions and journals are read with,
// where encoding/json would take names in any case and the last of two twins.
// The error is a *Refusal with code "bad_action".
func Split(b []byte) (Object, error) {
	if !utf8.Valid(b) {
		return nil, bad("", "utf8", "")
	}
	if !json.Valid(b) {
		return nil, brokenIn(b)
	}
	return splitValid(b)
}

// splitValid is Split for what is known to be valid JSON and UTF-8.
func splitValid(b []byte) (Object, error) {
	at := skipSpace(b, 0)
	if b[at] != '{' {
		return nil, bad("", "json", "")
	}
	o := make(Object, 0, 8)
	for at = skipSpace(b, at+1); b[at] != '}'; at = skipSpace(b, at) {
		end := skipValue(b, at)
		name := b[at+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			s, _ := Text(b[at:end])
			name = []byte(s)
		}
		if o.Get(string(name)) != nil {
			return nil, bad(string(name), "twice", "")
		}
		at = skipSpace(b, skipSpace(b, end)+1) // past the colon
		end = skipValue(b, at)
		o = append(o, Member{name, json.RawMessage(b[at:end:end])})
		if at = skipSpace(b, end); b[at] == ',' {
			at++
		}
	}
	return o, nil
}

// SplitList takes a JSON array apart, false when b is none. b is valid JSON.
func SplitList(b json.RawMessage) ([]json.RawMessage, bool) {
	at := skipSpace(b, 0)
	if b[at] != '[' {
		return nil, false
	}
	var list []json.RawMessage
	for at = skipSpace(b, at+1); b[at] != ']'; at = skipSpace(b, at) {
		end := skipValue(b, at)
		list = append(list, b[at:end:end])
		if at = skipSpace(b, end); b[at] == ',' {
			at++
		}
	}
	return list, true
}

// skipSpace is where the next token begins, skipValue where the value ends that
// begins at at. Both rely on b being valid JSON.
func skipSpace(b []byte, at int) int {
	for at < len(b) && (b[at] == ' ' || b[at] == '\t' || b[at] == '\n' || b[at] == '\r') {
		at++
	}
	return at
}

func skipValue(b []byte, at int) int {
	depth := 0
	for ; at < len(b); at++ {
		switch b[at] {
		case '"':
			for at++; b[at] != '"'; at++ {
				if b[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at // the end of a number or word, and of what it stands in
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// brokenIn names the member in which b stops being JSON, where that can be told.
func brokenIn(b []byte) *Refusal {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return bad("", "json", "")
	}
	for d.More() {
		t, err := d.Token()
		n, ok := t.(string)
		if err != nil || !ok {
			return bad("", "json", "")
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil && !errors.Is(err, io.EOF) {
			return bad(n, "json", "")
		}
	}
	return bad("", "json", "")
}

// Text is what a JSON string says, false when v is no string. v is valid JSON
// and UTF-8.
func Text(v json.RawMessage) (string, bool) {
	if len(v) < 2 || v[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return string(v[1 : len(v)-1]), true
	}
	var s string
	err := json.Unmarshal(v, &s)
	return s, err == nil
}

// AppendText appends s as a JSON string in which nothing is escaped that JSON
// does not ask to be escaped, but for U+2028 and U+2029.
func AppendText(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
				return appendEscaped(b, s)
			}
			i += n
			continue
		}
		if c < 0x20 || c == '"' || c == '\\' {
			return appendEscaped(b, s)
		}
		i++
	}
	return append(append(append(b, '"'), s...), '"')
}

func appendEscaped(b []byte, s string) []byte {
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return append(b, bytes.TrimSuffix(w.Bytes(), []byte("\n"))...)
}
