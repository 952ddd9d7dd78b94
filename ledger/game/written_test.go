package game

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"
)

// FuzzSplit takes any bytes apart and compares with what encoding/json makes of
// them: the same members with the same values, or refused by both.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{`{}`, ` { "a" : [1 , {"b":"}\""}] , "c":-1.5e3 }`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `[1]`, `{"a":`,
		`{"do":"cover","seat":"Жанна","amount":5,"clip":true}`, `{"a":"\\"}`, `{"a":nulL}`, `{"a":{},"b":[[]]} x`, "{\"a\":\"\u2028\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := Split(b)
		var want map[string]json.RawMessage
		werr := json.Unmarshal(b, &want)
		var no *Refusal
		if err != nil {
			if !errors.As(err, &no) || no.Code != "bad_action" {
				t.Fatalf("%q: %v", b, err)
			}
			if werr == nil && want != nil && utf8.Valid(b) && no.Message.Key != "bad.twice" {
				t.Fatalf("%q was refused: %v", b, err)
			}
			return
		}
		if werr != nil || len(o) != len(want) {
			t.Fatalf("%q: %d members, %v", b, len(o), werr)
		}
		for _, m := range o {
			if string(want[string(m.Name)]) != string(m.Value) {
				t.Fatalf("%q: %q is %q and should be %q", b, m.Name, m.Value, want[string(m.Name)])
			}
		}
	})
}

// FuzzAction reads any action that can be read, writes it and reads it again: it
// is the same, and written the same.
func FuzzAction(f *testing.F) {
	for _, s := range []string{
		`{"do":"open","game":"lansquenet","profile":"ru","rules":{"packs": 2},"seats":[{"name":"A <&>","chips":100},{"chips":1,"name":"Ж"}],"draw":[1,2]}`,
		`{"do":"card","rank":"10","suit":"hearts","confidence":0.1e-6,"frame":12}`, `{"do":"void","reason":"\u2028\n\u007f\"\\"}`,
		`{"do":"chips","seat":"A","amount":-5}`, `{"do":"cover","seat":"A","amount":5,"clip":false}`, `{"do":"burn"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Decode(b)
		if err != nil {
			return
		}
		once, err := a.MarshalJSON()
		if err != nil || !json.Valid(once) {
			t.Fatalf("%q became %q, %v", b, once, err)
		}
		c, err := Decode(once)
		if err != nil {
			t.Fatalf("%q became %q, which is refused: %v", b, once, err)
		}
		twice, err := c.MarshalJSON()
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%q became %q and then %q, %v", b, once, twice, err)
		}
	})
}
