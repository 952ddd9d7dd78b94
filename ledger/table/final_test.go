package table

import (
	"encoding/json"
	"errors"
	"testing"

	"lansquenet/ledger/game"
)

// TestFinal writes the contract's example, byte for byte but for the journal's
// seq and head, and what else a final object may hold.
func TestFinal(t *testing.T) {
	p := &player{t: t, title: "final"}
	final := func(want string) {
		t.Helper()
		b, err := json.Marshal(p.night.Final())
		if err != nil || string(b) != want {
			t.Errorf("%s (%v)\nwant %s", b, err, want)
		}
	}
	final(`{"game":"","phase":"","banker":"","chips":{},"bank":0,"stakes":{},"cards":[],"coups":0}`)
	p.do("open ru A:100 B:100 C:100 banker=A")
	final(`{"game":"lansquenet","phase":"bank","banker":"A","chips":{"A":100,"B":100,"C":100},"bank":0,"stakes":{},"cards":[],"coups":0}`)
	p.do("A bank 12")
	p.do("B cover 5")
	final(`{"game":"lansquenet","phase":"cover","banker":"A","chips":{"A":88,"B":95,"C":100},"bank":12,"stakes":{"B":5},"cards":[],"coups":0}`)
	p.do("C cover 7")
	p.do("deal 7 Q 2 7")
	final(`{"game":"lansquenet","phase":"decide","banker":"A","chips":{"A":112,"B":95,"C":93},"bank":0,"stakes":{},"need":[24],"cards":["7","Q","2","7"],"coups":1}`)
	p.do("rise C")
	p.do("A keep 24")
	p.do("B pass")
	p.do("close")
	final(`{"game":"lansquenet","phase":"closed","banker":"B","chips":{"A":112,"B":95},"bank":0,"stakes":{},"cards":[],"coups":1,"winners":["A"]}`)
}

// TestOpenRefused: a night that cannot be opened leaves the table closed.
func TestOpenRefused(t *testing.T) {
	for field, script := range map[string]string{
		"game":          `{"do":"open","game":"whist","seats":[]}`,
		"profile":       `{"do":"open","game":"lansquenet","seats":[{"name":"A","chips":1},{"name":"B","chips":1}]}`,
		"seats":         `{"do":"open","game":"zecchinetta","seats":[{"name":"A","chips":1}]}`,
		"rules.packs":   `{"do":"open","game":"skin","rules":{"packs":"two"},"seats":[{"name":"A","chips":1},{"name":"B","chips":1}]}`,
		"rules.unheard": `{"do":"open","game":"skin","rules":{"unheard":1},"seats":[{"name":"A","chips":1},{"name":"B","chips":1}]}`,
	} {
		a, err := game.Decode([]byte(script))
		if err != nil {
			t.Fatal(err)
		}
		night, o, err := Table{}.Apply(a)
		var r *game.Refusal
		if !errors.As(err, &r) || r.Field != field || o.Transfers != nil || night.game != nil {
			t.Errorf("%s: %v", script, err)
		}
	}
	v := Table{}.View()
	if v.Prompt.Key != "prompt.open" || len(v.Choices) != 1 || v.Choices[0].Do != "open" {
		t.Errorf("%+v", v)
	}
}
