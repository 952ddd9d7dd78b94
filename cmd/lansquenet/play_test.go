package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const opening = `// two seats and a bank
{"do":"open","game":"lansquenet","profile":"ru","seats":[{"name":"Anna","chips":20},{"name":"Émile","chips":20}],"banker":"Anna"}

{"do":"bank","seat":"Anna","amount":12}
`

func TestPlayCommand(t *testing.T) {
	code, stdout, stderr := call(t, opening+
		`{"do":"cover","seat":"Anna","amount":1}
{"do":"cover","seat":"Émile","amount":13,"expect":"refused"}
{"do":"deal"}
{"expect_final":{"phase":"cover","bank":12,"chips":{"Anna":8,"Émile":20}}}`, "play", "-", "--json")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if code != done || stderr != "" || len(lines) != 6 {
		t.Fatalf("exit %d, out %s, err %q", code, stdout, stderr)
	}
	for i, want := range []string{
		`{"line":2,"ok":true,"seq":1,"phase":"bank","turn":"Anna"}`,
		`{"line":4,"ok":true,"seq":2,"phase":"cover","turn":"Émile"}`,
		`{"line":5,"ok":false,"error":{"code":"`,
		`{"line":6,"ok":false,"error":{"code":"`,
		`{"line":7,"ok":false,"error":{"code":"bad_action","field":"do"`,
		`{"final":{"game":"lansquenet","phase":"cover","banker":"Anna","chips":{"Anna":8,"Émile":20},"bank":12,"stakes":{},"cards":[],"coups":0,"seq":2,"head":"`,
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d: %s\nwant %s", i, lines[i], want)
		}
	}
}

func TestPlayForPeople(t *testing.T) {
	code, stdout, stderr := call(t, opening+`{"do":"close"}`, "play", "-")
	if code != done || stderr != "" || !strings.Contains(stdout, "Émile                    20") || !strings.Contains(stdout, "won by Anna, Émile") {
		t.Errorf("exit %d, out %s, err %q", code, stdout, stderr)
	}
}

func TestPlayThatFails(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	aFile := file("taken", "")
	for _, c := range []struct {
		in   string
		args []string
		code int
		out  string
		says string
	}{
		{"", []string{"play"}, misused, "", "missing"},
		{"", []string{"play", filepath.Join(dir, "nowhere")}, failed, "", "nowhere"},
		{"", []string{"play", file("bad", opening+"deal")}, failed, "phase cover", "line 5: This is not one JSON object"},
		{"", []string{"play", "--json", file("bad", opening+"deal")}, failed, `{"line":5,"ok":false`, "line 5: This"},
		{opening + "deal", []string{"play", "--json", "-"}, failed, `{"final":{`, "line 5: This"},
		{opening + "deal", []string{"play", "--json", "--strict", "-"}, failed, `{"final":{`, "line 5: refused"},
		{"", []string{"play", "--json", file("expects", opening+`{"expect_final":5}`)}, failed, `{"line":5,"ok":false`, "nothing was played"},
		{opening + `{"do":"pass","seat":"Anna"}`, []string{"play", "--strict", "-"}, failed, "Anna                      8", "line 5: refused"},
		{opening + `{"expect_final":{"phase":"draw"}}`, []string{"play", "-"}, failed, "phase cover", `line 5: phase is "cover", expected "draw"`},
		{opening, []string{"play", "--data", aFile, "-"}, failed, "", "taken"},
		{"", []string{"play", "-", "--json"}, done, `{"final":{"game":"","phase":"","banker":"","chips":{}`, ""},
		{"", []string{"play", "-"}, done, "decided coups: 0", ""},
	} {
		code, stdout, stderr := call(t, c.in, c.args...)
		if code != c.code || !strings.Contains(stdout, c.out) || !strings.Contains(stderr, c.says) || c.code != done && strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, out %q, err %q", c.args, code, stdout, stderr)
		}
	}
}

// TestPlayKeepsTheNight: with a data folder a script that opens a night begins
// another one, and a script that doesn't carries the last one on.
func TestPlayKeepsTheNight(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	play := func(text string) string {
		t.Helper()
		code, stdout, stderr := call(t, text, "play", "-", "--json", "--data", dir)
		if code != done {
			t.Fatalf("exit %d, %s", code, stderr)
		}
		return stdout
	}
	play(opening)
	if out := play(opening); !strings.Contains(out, `{"line":4,"ok":true,"seq":2`) {
		t.Errorf("another night: %s", out)
	}
	if out := play(`{"do":"banco","seat":"Émile"}`); !strings.Contains(out, `{"line":1,"ok":true,"seq":3`) {
		t.Errorf("the night carried on: %s", out)
	}
}

// TestAScriptWithAFaultLeavesTheJournal: where a night is kept, a file with a
// line that is no action at all is not half played.
func TestAScriptWithAFaultLeavesTheJournal(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "night.jsonl")
	if err := os.WriteFile(name, []byte(opening+"deal"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	code, _, stderr := call(t, "", "play", name, "--data", data)
	if code != failed || !strings.Contains(stderr, "line 5: ") || !strings.Contains(stderr, "nothing was played") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("a data folder was made: %v", err)
	}
}
