package console

import (
	"encoding/json"
	"testing"

	"lansquenet/hw"
	"lansquenet/ledger/game"
	"lansquenet/ledger/table"
)

// night plays a script on a real table.
func night(t *testing.T, lines ...string) table.Table {
	t.Helper()
	var tab table.Table
	for _, l := range lines {
		tab = apply(t, tab, l)
	}
	return tab
}

func apply(t *testing.T, tab table.Table, line string) table.Table {
	t.Helper()
	a, err := game.Decode([]byte(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	next, _, err := tab.Apply(a)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return next
}

const (
	opened = `{"do":"open","game":"lansquenet","profile":"pagat","seats":[{"name":"A","chips":100},{"name":"B","chips":100},{"name":"C","chips":9}],"banker":"A"}`
	banked = `{"do":"bank","seat":"A","amount":12}`
)

func asked(t *testing.T, tab table.Table, p hw.Press, unit int64) string {
	t.Helper()
	req, ok := Meaning(tab.View(), p, unit)
	if !ok {
		return ""
	}
	if req.From != "button" {
		t.Errorf("from %q", req.From)
	}
	if _, _, err := tab.Apply(req.Action); err != nil {
		t.Errorf("%+v means what the table refuses: %v", p, err)
	}
	b, err := json.Marshal(req.Action)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestMeaning(t *testing.T) {
	won := []string{opened, banked, `{"do":"cover","seat":"B","amount":12}`, `{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"7"}`}
	sale := append(append([]string{}, won...), `{"do":"sell","seat":"A"}`)
	for _, c := range []struct {
		name  string
		night []string
		press hw.Press
		unit  int64
		want  string
	}{
		{"no night yet", nil, hw.Press{Job: hw.Cover}, 1, ""},
		{"the banker's yes posts the bank", []string{opened}, hw.Press{Job: hw.Cover, Times: 6}, 2, `{"do":"bank","seat":"A","amount":12}`},
		{"bank short", []string{opened}, hw.Press{Job: hw.Bank}, 5, `{"do":"bank","seat":"A","amount":5}`},
		{"another seat's cover posts none", []string{opened}, hw.Press{Job: hw.Cover, Seat: 2}, 1, ""},
		{"bank long gives it up", []string{opened}, hw.Press{Job: hw.Bank, Kind: hw.Hold}, 1, `{"do":"give","seat":"A"}`},
		{"one unit", []string{opened, banked}, hw.Press{Job: hw.Cover}, 1, `{"do":"cover","seat":"B","amount":1,"clip":true}`},
		{"units counted", []string{opened, banked}, hw.Press{Job: hw.Cover, Times: 4}, 2, `{"do":"cover","seat":"B","amount":8,"clip":true}`},
		{"never more than is open", []string{opened, banked}, hw.Press{Job: hw.Cover, Times: 40}, 2, `{"do":"cover","seat":"B","amount":12,"clip":true}`},
		{"never more than the seat has", []string{opened, banked, `{"do":"pass","seat":"B"}`}, hw.Press{Job: hw.Cover, Seat: 3, Times: 40}, 1, `{"do":"cover","seat":"C","amount":9,"clip":true}`},
		{"out of turn", []string{opened, banked}, hw.Press{Job: hw.Cover, Seat: 3}, 1, ""},
		{"own button in turn", []string{opened, banked}, hw.Press{Job: hw.Cover, Seat: 2}, 3, `{"do":"cover","seat":"B","amount":3,"clip":true}`},
		{"hold is banco", []string{opened, banked}, hw.Press{Job: hw.Cover, Seat: 2, Kind: hw.Hold}, 3, `{"do":"banco","seat":"B"}`},
		{"no banco without the chips", []string{opened, banked, `{"do":"pass","seat":"B"}`}, hw.Press{Job: hw.Cover, Seat: 3, Kind: hw.Hold}, 3, ""},
		{"banco", []string{opened, banked}, hw.Press{Job: hw.Banco}, 1, `{"do":"banco","seat":"B"}`},
		{"pass", []string{opened, banked}, hw.Press{Job: hw.Pass}, 1, `{"do":"pass","seat":"B"}`},
		{"a slow pass is a pass", []string{opened, banked}, hw.Press{Job: hw.Pass, Seat: 2, Kind: hw.Hold}, 1, `{"do":"pass","seat":"B"}`},
		{"deal closes the bets", []string{opened, banked, `{"do":"cover","seat":"B","amount":5}`}, hw.Press{Job: hw.Deal}, 1, `{"do":"close_bets"}`},
		{"undo", []string{opened, banked}, hw.Press{Job: hw.Undo}, 1, `{"do":"undo"}`},
		{"keep by short", won, hw.Press{Job: hw.Bank}, 1, `{"do":"keep","seat":"A","amount":24}`},
		{"give by long", won, hw.Press{Job: hw.Bank, Kind: hw.Hold}, 1, `{"do":"give","seat":"A"}`},
		{"sell by very long", won, hw.Press{Job: hw.Bank, Kind: hw.LongHold}, 1, `{"do":"sell","seat":"A"}`},
		{"the banker's two buttons: keep", won, hw.Press{Job: hw.Cover, Seat: 1}, 1, `{"do":"keep","seat":"A","amount":24}`},
		{"give", won, hw.Press{Job: hw.Pass, Seat: 1}, 1, `{"do":"give","seat":"A"}`},
		{"sell", won, hw.Press{Job: hw.Pass, Seat: 1, Kind: hw.Hold}, 1, `{"do":"sell","seat":"A"}`},
		{"a seat claims with its own button", sale, hw.Press{Job: hw.Cover, Seat: 2}, 1, `{"do":"claim","seat":"B"}`},
		{"deal closes the sale", sale, hw.Press{Job: hw.Deal}, 1, `{"do":"close_sale"}`},
		{"no card may be asked for", []string{opened, banked, `{"do":"cover","seat":"B","amount":12}`}, hw.Press{Job: hw.Deal}, 1, ""},
		{"a seat that is not there", []string{opened, banked}, hw.Press{Job: hw.Cover, Seat: 9}, 1, ""},
		{"a night that is over", []string{opened, `{"do":"close"}`}, hw.Press{Job: hw.Cover}, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := asked(t, night(t, c.night...), c.press, c.unit); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A long press meant to sell must not give the bank away when it cannot be sold.
func TestHoldNeverGivesTheBankAway(t *testing.T) {
	tab := night(t, `{"do":"open","game":"lansquenet","profile":"pagat","rules":{"sell":"none"},"seats":[{"name":"A","chips":100},{"name":"B","chips":100}],"banker":"A"}`,
		banked, `{"do":"cover","seat":"B","amount":12}`, `{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"7"}`)
	if got := asked(t, tab, hw.Press{Job: hw.Pass, Seat: 1, Kind: hw.Hold}, 1); got != "" {
		t.Errorf("got %s", got)
	}
}

// Whatever is pressed whenever: a press never means what the table refuses.
func TestEveryPressIsOnOffer(t *testing.T) {
	for _, open := range []string{
		`{"do":"open","game":"lansquenet","profile":"ru","seats":[{"name":"A","chips":60},{"name":"B","chips":60},{"name":"C","chips":60}],"banker":"A"}`,
		`{"do":"open","game":"skin","seats":[{"name":"A","chips":60},{"name":"B","chips":60},{"name":"C","chips":60}],"banker":"A"}`,
		`{"do":"open","game":"zecchinetta","seats":[{"name":"A","chips":60},{"name":"B","chips":60},{"name":"C","chips":60}],"banker":"A"}`,
	} {
		tab, presses := night(t, open), 0
		for step := range 400 {
			var jobs = []hw.Job{hw.Cover, hw.Banco, hw.Pass, hw.Bank, hw.Undo, hw.Deal}
			for i, job := range jobs {
				for kind := hw.Short; kind <= hw.LongHold; kind++ {
					for seat := range 4 {
						if asked(t, tab, hw.Press{Job: job, Kind: kind, Seat: seat, Times: 1 + (step+i)%5}, 2) != "" {
							presses++
						}
					}
				}
			}
			moved := false
			for k := range 12 { // go on with some press, or else with a card
				p := hw.Press{Job: jobs[(step*7+k)%4], Kind: hw.Kind((step + k) % 3), Seat: (step + k) % 4, Times: 1 + k%4}
				if req, ok := Meaning(tab.View(), p, 2); ok {
					tab, _, _ = tab.Apply(req.Action)
					moved = true
					break
				}
			}
			for _, c := range tab.View().Choices {
				if (c.Do == "card" && len(c.Ranks) > 0) && (!moved || step%2 == 0) {
					if next, _, err := tab.Apply(game.Action{Do: "card", Rank: c.Ranks[step%len(c.Ranks)]}); err == nil {
						tab = next
					}
				}
			}
		}
		if presses < 400 {
			t.Errorf("%s: only %d presses meant anything", open[:40], presses)
		}
	}
}
