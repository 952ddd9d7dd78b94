package table_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"lansquenet/ledger/game"
	"lansquenet/ledger/say"
	"lansquenet/ledger/table"
)

// A night is a fold of actions: each answers with the next table, what was said
// and which chips moved, or with a refusal and the table as it was.
func ExampleTable_Apply() {
	script := `
{"do":"open","game":"lansquenet","profile":"ru","banker":"Anna","seats":[{"name":"Anna","chips":100},{"name":"Émile","chips":100},{"name":"Otto","chips":100}]}
{"do":"bank","seat":"Anna","amount":12}
{"do":"cover","seat":"Otto","amount":7}
{"do":"cover","seat":"Émile","amount":5}
{"do":"cover","seat":"Otto","amount":7}
{"do":"card","rank":"7"}
{"do":"card","rank":"Q"}
{"do":"card","rank":"2"}
{"do":"card","rank":"Q"}`
	english := say.In("en")
	var night table.Table
	for line := range strings.Lines(strings.TrimSpace(script)) {
		a, err := game.Decode([]byte(line))
		if err != nil {
			fmt.Println(err)
			return
		}
		next, o, err := night.Apply(a)
		if err != nil {
			fmt.Println("refused:", english.Say(err.(*game.Refusal).Message))
			continue
		}
		for _, m := range o.Told {
			fmt.Println(english.Say(m))
		}
		night = next
	}
	final, _ := json.Marshal(night.Final())
	fmt.Println(string(final))
	// Output:
	// Lansquenet, 3 seats.
	// Anna is the first banker.
	// Anna banks 12.
	// refused: It is not Otto's turn: Émile is asked.
	// Émile covers 5.
	// Otto covers 7.
	// No more bets: 12 covered of a bank of 12.
	// Bank card: 7.
	// Punters' card: queen.
	// 2
	// Queen: punters win 12.
	// They win: Émile 5, Otto 7.
	// The bank goes to Émile.
	// {"game":"lansquenet","phase":"bank","banker":"Émile","chips":{"Anna":88,"Otto":107,"Émile":105},"bank":0,"stakes":{},"cards":["7","Q","2","Q"],"coups":1}
}
