package odds

import (
	"encoding/json"
	"strings"
	"testing"

	"lansquenet/ledger/card"
)

func ask(t *testing.T, q Question) Answer {
	t.Helper()
	a, err := Ask(q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func ranks(t *testing.T, list string) []card.Rank {
	t.Helper()
	r, err := ParseRanks(list)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnswerAsJSON(t *testing.T) {
	b, err := json.Marshal(ask(t, Question{}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"doublet":0.058823529411764705,"bank":0.5294117647058824,"punters":0.47058823529411764,"undecided":0,` +
		`"mean_cards":8.857142857142858,"exact":{"doublet":"1/17","bank":"9/17","punters":"8/17","undecided":"0","mean_cards":"62/7"}}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

// TestRunningCoup asks for the same coup with its own cards listed and not.
func TestRunningCoup(t *testing.T) {
	for _, c := range []struct{ seen, bank, punters, want string }{
		{"", "7", "Q", "1/2"},
		{"7", "7", "Q", "2/5"},     // a seven of an earlier coup
		{"7,7,Q", "7", "Q", "2/5"}, // the same, with both cards of this coup listed
		{"7,Q,2,9", "7", "Q", "1/2"},
		{"2,9", "7", "Q", "1/2"},
		{"7,7,Q,Q,Q,2", "7", "Q", "2/3"},
		{"5,5,5,J,J,J", "5", "J", "1/2"}, // one left of each, with this coup's listed
		{"", "7", "7", "1"},
		{"7", "7", "7", "1"},
	} {
		a := ask(t, Question{Seen: ranks(t, c.seen), Bank: ranks(t, c.bank)[0], Punt: ranks(t, c.punters)[0]})
		if a.Bank.RatString() != c.want {
			t.Errorf("seen %q, %s and %s on the table: %s, want %s", c.seen, c.bank, c.punters, a.Bank.RatString(), c.want)
		}
	}
	dead := ask(t, Question{Seen: ranks(t, "5,5,5,5,J,J,J,J"), Bank: card.Five, Punt: card.Jack})
	if dead.Undecided.RatString() != "1" {
		t.Errorf("a dead coup: %+v", dead.Exact)
	}
}

func TestImpossibleQuestions(t *testing.T) {
	for _, c := range []struct {
		q    Question
		says string
	}{
		{Question{Packs: -1}, "packs"},
		{Question{Packs: 1000}, "packs"},
		{Question{Seen: ranks(t, "A,A,A,A,A")}, "A"},
		{Question{Ranks: ranks(t, "7,8"), Seen: ranks(t, "K")}, "K"},
		{Question{Bank: card.Ace}, "both"},
		{Question{Punt: card.Ace}, "both"},
		{Question{Ranks: ranks(t, "7,8"), Bank: card.Ace, Punt: card.Seven}, "A"},
		{Question{Seen: ranks(t, "A,A,A,A"), Bank: card.Ace, Punt: card.Seven}, "A"},
	} {
		if _, err := Ask(c.q); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want something about %q", c.q, err, c.says)
		}
	}
}

func TestAnswerForPeople(t *testing.T) {
	got := ask(t, Question{Packs: 6}).String()
	for _, want := range []string{"23/311", "167/311", "stop card   29", "every one by card 267"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	got = ask(t, Question{Bank: card.Ace, Punt: card.Two}).String()
	if !strings.Contains(got, "still to come") || strings.Contains(got, "stop card") {
		t.Errorf("a coup that runs:\n%s", got)
	}
	got = ask(t, Question{Seen: ranks(t, "A,A,A,2,2,2")}).String()
	if !strings.Contains(got, "undecided") || strings.Contains(got, "length") {
		t.Errorf("a worn shoe:\n%s", got)
	}
}
