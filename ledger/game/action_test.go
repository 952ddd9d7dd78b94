package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// written is every action in its canonical form.
var written = []string{
	`{"do":"open","game":"lansquenet","profile":"it","rules":{"packs":1},"seats":[{"name":"Жанна","chips":100},{"name":"A","chips":0}],"banker":"A"}`,
	`{"do":"open","game":"skin","seats":[{"name":"B","chips":1},{"name":"A","chips":1000000000}],"draw":[0,2147483647]}`,
	`{"do":"bank","seat":"A","amount":12}`,
	`{"do":"cover","seat":"A","amount":5}`,
	`{"do":"cover","seat":"A","amount":5,"clip":true}`,
	`{"do":"banco","seat":"A"}`, `{"do":"pass","seat":"A"}`, `{"do":"close_bets"}`,
	`{"do":"card","rank":"10","suit":"hearts","confidence":0.997,"frame":43}`, `{"do":"card","rank":"A"}`,
	`{"do":"keep","seat":"A","amount":24}`, `{"do":"give","seat":"A"}`, `{"do":"sell","seat":"A"}`, `{"do":"claim","seat":"A"}`,
	`{"do":"bid","seat":"A","amount":0}`, `{"do":"close_sale"}`,
	`{"do":"burn"}`, `{"do":"burn","rank":"K","suit":"spades"}`, `{"do":"shuffle"}`, `{"do":"shoe_out"}`,
	`{"do":"correct","card":3,"rank":"Q"}`, `{"do":"void","reason":"a \"glass\" & <hand>"}`, `{"do":"undo"}`,
	`{"do":"chips","seat":"A","amount":-60}`, `{"do":"sit","name":"D","chips":0}`, `{"do":"rise","seat":"A"}`,
	`{"do":"time_up"}`, `{"do":"close"}`, `{"do":"accept","seat":"A"}`, `{"do":"refuse","seat":"A"}`,
	`{"do":"max","seat":"A","amount":4}`, `{"do":"offer","seat":"A","amount":4}`,
	`{"do":"side","seat":"A","against":"B","amount":3}`, `{"do":"side_accept","seat":"A","against":"B","amount":3}`,
	`{"do":"take","seat":"A","rank":"4"}`, `{"do":"new_bank_card","seat":"A"}`, `{"do":"no_bank_card","seat":"A"}`,
	`{"do":"limits","seat":"A","min":1,"max":10}`, `{"do":"bet","seat":"A","rank":"5","amount":10}`,
}

// TestWritten: every action reads and writes itself, byte for byte.
func TestWritten(t *testing.T) {
	seen := make(map[string]bool)
	for _, w := range written {
		a, err := Decode([]byte(w))
		if err != nil {
			t.Errorf("%s: %v", w, err)
			continue
		}
		seen[a.Do] = true
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(a); err != nil || strings.TrimSpace(b.String()) != w {
			t.Errorf("%s is written as %s (%v)", w, b.String(), err)
		}
		var again Action
		if err := json.Unmarshal([]byte(w), &again); err != nil || !reflect.DeepEqual(again, a) {
			t.Errorf("%s reads as %+v and %+v", w, a, again)
		}
	}
	for _, do := range Dos() {
		if !seen[do] {
			t.Errorf("%s is not tried", do)
		}
	}
	if _, err := json.Marshal(Action{Do: "shout"}); err == nil {
		t.Error("an unknown action was written")
	}
}

// TestUnreadable: what an action may get wrong, and the field that is named.
func TestUnreadable(t *testing.T) {
	seat := strings.Repeat("é", 33)
	for _, c := range []struct{ in, why, field string }{
		{``, "json", ""}, {`[]`, "json", ""}, {`{`, "json", ""}, {`{}`, "missing", "do"}, {`nonsense`, "json", ""},
		{`{"do":"undo"} {}`, "json", ""}, {`{"do":"undo"}x`, "json", ""}, {`{"do":"undo",}`, "json", ""},
		{`{"do":"undo" "x":1}`, "json", ""}, {`{"do":}`, "json", "do"}, {"{\"do\":\"undo\xff\"}", "utf8", ""},
		{`{"do":5}`, "type", "do"}, {`{"do":null}`, "type", "do"}, {`{"do":"shout"}`, "unknown_do", "do"},
		{`{"do":"undo","do":"undo"}`, "twice", "do"}, {`{"do":"undo","why":1}`, "unknown_field", "why"},
		{`{"do":"bank","seat":"A"}`, "missing", "amount"}, {`{"do":"bank","amount":5}`, "missing", "seat"},
		{`{"do":"bank","seat":"A","amount":"5"}`, "type", "amount"}, {`{"do":"bank","seat":"A","amount":null}`, "type", "amount"},
		{`{"do":"bank","seat":"A","amount":true}`, "type", "amount"},
		{`{"do":"bank","seat":"A","amount":-5}`, "negative", "amount"}, {`{"do":"bank","seat":"A","amount":1.5}`, "fraction", "amount"},
		{`{"do":"bank","seat":"A","amount":1e2}`, "fraction", "amount"}, {`{"do":"bank","seat":"A","amount":1000000001}`, "huge", "amount"},
		{`{"do":"bank","seat":"A","amount":99999999999999999999999}`, "huge", "amount"},
		{`{"do":"chips","seat":"A","amount":-1000000001}`, "huge", "amount"},
		{`{"do":"bank","seat":"","amount":5}`, "empty", "seat"}, {`{"do":"bank","seat":" A","amount":5}`, "spaces", "seat"},
		{`{"do":"bank","seat":"A\n","amount":5}`, "spaces", "seat"}, {`{"do":"bank","seat":"A\u0007B","amount":5}`, "control", "seat"},
		{`{"do":"bank","seat":5,"amount":5}`, "type", "seat"}, {`{"do":"bank","seat":"` + seat + `","amount":5}`, "long_name", "seat"},
		{`{"do":"void","reason":"` + strings.Repeat("x", 501) + `"}`, "long", "reason"}, {`{"do":"void","reason":1}`, "type", "reason"},
		{`{"do":"card","rank":"1"}`, "rank", "rank"}, {`{"do":"card","rank":7}`, "type", "rank"}, {`{"do":"card","rank":"k"}`, "rank", "rank"},
		{`{"do":"card","rank":"K","suit":"♠"}`, "suit", "suit"}, {`{"do":"card","rank":"K","suit":1}`, "type", "suit"},
		{`{"do":"card","rank":"K","confidence":1.01}`, "type", "confidence"}, {`{"do":"card","rank":"K","confidence":"1"}`, "type", "confidence"},
		{`{"do":"card","rank":"K","confidence":null}`, "type", "confidence"}, {`{"do":"card","rank":"K","frame":-1}`, "negative", "frame"},
		{`{"do":"cover","seat":"A","amount":5,"clip":1}`, "type", "clip"},
		{`{"do":"open","game":"skin","seats":{}}`, "type", "seats"}, {`{"do":"open","game":"skin","seats":[5]}`, "type", "seats[0]"},
		{`{"do":"open","game":"skin","seats":[{"name":"A"}]}`, "missing", "seats[0].chips"},
		{`{"do":"open","game":"skin","seats":[{"chips":1}]}`, "missing", "seats[0].name"},
		{`{"do":"open","game":"skin","seats":[{"name":1,"chips":1}]}`, "type", "seats[0].name"},
		{`{"do":"open","game":"skin","seats":[{"name":"A","chips":1},{"name":"","chips":1}]}`, "empty", "seats[1].name"},
		{`{"do":"open","game":"skin","seats":[{"name":"A","chips":-1}]}`, "negative", "seats[0].chips"},
		{`{"do":"open","game":"skin","seats":[{"name":"A","chips":1,"hat":2}]}`, "unknown_field", "seats[0].hat"},
		{`{"do":"open","game":"skin","seats":[],"rules":[]}`, "type", "rules"},
		{`{"do":"open","game":"skin","seats":[],"draw":5}`, "type", "draw"}, {`{"do":"open","game":"skin","seats":[],"draw":[-1]}`, "negative", "draw"},
		{`{"do":"open","game":5,"seats":[]}`, "type", "game"},
	} {
		_, err := Decode([]byte(c.in))
		var r *Refusal
		if !errors.As(err, &r) || r.Code != "bad_action" || r.Message.Key != "bad."+c.why || r.Field != c.field {
			t.Errorf("%s: %v, want %s of %q", c.in, err, c.why, c.field)
		}
	}
	if _, err := Decode([]byte(`{"do":"bank","seat":"` + strings.Repeat("é", 32) + `","amount":5}`)); err != nil {
		t.Errorf("a name of 32 code points: %v", err)
	}
}

// TestHost: what only the host and the camera may send.
func TestHost(t *testing.T) {
	for do, want := range map[string]bool{"open": true, "card": true, "undo": true, "close_sale": true, "cover": false, "side": false, "limits": false} {
		if (Action{Do: do}).Host() != want {
			t.Errorf("%s: host is %v", do, !want)
		}
	}
}

// TestRefusalSaysWhere: a refusal in a log names code, field and sentence.
func TestRefusalSaysWhere(t *testing.T) {
	if s := Refuse("closed").Error(); s != "closed: refuse.closed" {
		t.Error(s)
	}
	if s := bad("amount", "huge", "9").Error(); s != "bad_action (amount): bad.huge" {
		t.Error(s)
	}
}

// FuzzDecode: whatever is sent, it is refused or read; what is read is written
// and read again as the same, and its written form is its own.
func FuzzDecode(f *testing.F) {
	for _, w := range written {
		f.Add([]byte(w))
	}
	f.Add([]byte(`{"do":"cover","seat":"A","amount":5,"clip":false,"confidence":1e-3}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Decode(b)
		if err != nil {
			var r *Refusal
			if !errors.As(err, &r) || r.Code != "bad_action" {
				t.Fatalf("%q: %v", b, err)
			}
			return
		}
		w, err := a.MarshalJSON()
		if err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		again, err := Decode(w)
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Fatalf("%q is written as %s and reads as %+v (%v), was %+v", b, w, again, err, a)
		}
		if w2, _ := again.MarshalJSON(); !bytes.Equal(w, w2) {
			t.Fatalf("%s is written as %s", w, w2)
		}
		_ = fmt.Sprint(a)
	})
}
