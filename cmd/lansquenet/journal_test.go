package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// coup is a night of one coup, won by the bank: RULES R-EX the other way round.
var coup = []string{
	`{"do":"open","game":"lansquenet","profile":"ru","seats":[{"name":"A","chips":100},{"name":"B","chips":100},{"name":"C","chips":100}],"banker":"A"}`,
	`{"do":"bank","seat":"A","amount":12}`, `{"do":"cover","seat":"B","amount":5}`, `{"do":"cover","seat":"C","amount":7}`,
	`{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"2"}`, `{"do":"card","rank":"7"}`,
}

// playedNight plays the coup into a data folder and returns the night's name and
// its final object.
func playedNight(t *testing.T, dir string) (id, final string) {
	t.Helper()
	ctx := context.Background()
	s, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := ledger.Open(ctx, s, ledger.Options{Program: "1.2.0"})
	if err != nil {
		t.Fatal(err)
	}
	if c.State().Seq > 0 && c.State().View.Phase != game.Closed {
		if _, err := c.Submit(ctx, ledger.Request{Action: game.Action{Do: "close"}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range coup {
		a, err := game.Decode([]byte(line))
		if err == nil {
			_, err = c.Submit(ctx, ledger.Request{Action: a})
		}
		if err != nil {
			t.Fatal(line, err)
		}
	}
	b, err := json.Marshal(map[string]any{"final": c.Final()})
	if err != nil {
		t.Fatal(err)
	}
	return c.State().Session, string(b)
}

func TestJournalCommands(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	file := filepath.Join(t.TempDir(), "night.jsonl")

	if code, out, errs := call(t, "", "sessions", "--data", dir); code != done || out != "" || !strings.Contains(errs, "no journal") {
		t.Errorf("sessions of nothing: %d %q %q", code, out, errs)
	}
	for _, cmd := range [][]string{{"export", "latest"}, {"verify"}, {"replay", "latest"}, {"backup", file}} {
		if code, out, errs := call(t, "", append(cmd, "--data", dir)...); code != failed || out != "" || !strings.Contains(errs, dir) {
			t.Errorf("%s of nothing: %d %q %q", cmd, code, out, errs)
		}
	}
	first, _ := playedNight(t, dir)
	id, final := playedNight(t, dir)

	code, out, _ := call(t, "", "sessions", "--data", dir, "--json")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); code != done || len(lines) != 2 || !strings.Contains(lines[0], first) || !strings.Contains(lines[1], id) {
		t.Errorf("sessions: %d\n%s", code, out)
	}
	code, lines, _ := call(t, "", "export", "latest", "--data", dir)
	if code != done || strings.Count(lines, "\n") != len(coup) {
		t.Fatalf("export: %d\n%s", code, lines)
	}
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	head := lines[strings.LastIndex(lines, `"hash":"`)+8:][:64]
	for _, args := range [][]string{{"verify", file}, {"verify", "latest", "--data", dir}, {"verify", id, "--data", dir, "--head", head},
		{"verify", "--data", dir}} {
		if code, out, errs := call(t, "", args...); code != done || !strings.Contains(out, head) || errs != "" {
			t.Errorf("%s: %d %q %q", args, code, out, errs)
		}
	}
	if code, out, errs := call(t, lines, "verify", "-"); code != done || !strings.HasPrefix(out, head) {
		t.Errorf("verify standard input: %d %q %q", code, out, errs)
	}
	for range 2 {
		if code, out, errs := call(t, "", "import", file, "--data", other); code != done || !strings.Contains(out, id) {
			t.Errorf("import: %d %q %q", code, out, errs)
		}
	}
	for _, args := range [][]string{{"replay", "latest", "--data", other}, {"replay", id, "--data", dir}, {"replay", file}} {
		code, out, errs := call(t, "", append(args, "--json")...)
		got := strings.Split(strings.TrimSpace(out), "\n")
		if code != done || got[len(got)-1] != final || len(got) != len(coup)+1 {
			t.Errorf("%s: %d %q\n%s\n%s", args, code, errs, got[len(got)-1], final)
		}
		if code, out, _ := call(t, "", args...); code != done || !strings.Contains(out, "coup 1\n") {
			t.Errorf("%s: %d\n%s", args, code, out)
		}
	}
	backup := filepath.Join(t.TempDir(), "backup.sqlite")
	if code, out, errs := call(t, "", "backup", backup, "--data", dir); code != done || !strings.Contains(out, "2 nights") {
		t.Errorf("backup: %d %q %q", code, out, errs)
	}
	if code, out, errs := call(t, "", "verify", backup); code != done || strings.Count(out, "\n") != 2 {
		t.Errorf("verify the backup: %d %q %q", code, out, errs)
	}
	if code, out, errs := call(t, "", "import", backup, "--data", other); code != done || strings.Count(out, "\n") != 2 {
		t.Errorf("import the backup: %d %q %q", code, out, errs)
	}

	// What is wrong is said, by number, and ends with 1.
	bent := strings.Replace(lines, `"amount":5}`, `"amount":6}`, 1)
	for _, cmd := range [][]string{{"verify", "-"}, {"import", "-", "--data", t.TempDir()}, {"replay", "-"}} {
		if code, _, errs := call(t, bent, cmd...); code != failed || !strings.Contains(errs, "seq 3: changed") {
			t.Errorf("%s of a bent file: %d %q", cmd, code, errs)
		}
	}
	if code, _, errs := call(t, lines[:len(lines)-20], "verify", "-"); code != failed || !strings.Contains(errs, "line 8: seq 8: cut short") {
		t.Errorf("verify a torn file: %d %q", code, errs)
	}
	if code, _, errs := call(t, "\n"+bent, "import", "-", "--data", t.TempDir()); code != failed || !strings.Contains(errs, "line 4: seq 3: changed") {
		t.Errorf("import of a bent file names no line: %d %q", code, errs)
	}
	short := strings.Join(strings.SplitAfter(lines, "\n")[:5], "")
	if code, _, errs := call(t, short, "verify", "-", "--head", head); code != failed || !strings.Contains(errs, "seq 6: missing") {
		t.Errorf("verify a cut file: %d %q", code, errs)
	}
	if code, _, errs := call(t, "", "export", "nobody", "--data", dir); code != failed || !strings.Contains(errs, "nobody") {
		t.Errorf("export nobody: %d %q", code, errs)
	}
	if code, _, errs := call(t, "", "verify", "nobody", "--data", dir); code != failed || !strings.Contains(errs, "nobody") {
		t.Errorf("verify nobody: %d %q", code, errs)
	}
	if code, _, _ := call(t, "", "verify", "--head", head, "--data", dir); code != misused {
		t.Errorf("a head without a night: %d", code)
	}

	// A second program is refused in a sentence; reading is not.
	s, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if code, _, errs := call(t, "", "import", file, "--data", dir); code != failed || !strings.Contains(errs, fmt.Sprint(os.Getpid())) {
		t.Errorf("import beside a night: %d %q", code, errs)
	}
	if code, _, errs := call(t, "", "verify", "--data", dir); code != done {
		t.Errorf("verify beside a night: %d %q", code, errs)
	}
}

// TestReplayShowsTheCamera: when the camera was away stands between the entries,
// with its times, in the journal, in a backup and in what is imported of that.
func TestReplayShowsTheCamera(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	id, final := playedNight(t, dir)
	s, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 29, 21, 14, 3, 0, time.Local)
	for _, m := range []journal.Mark{{Seq: 5, At: at, Lost: true, Note: "The camera is gone."}, {Seq: 6, At: at.Add(6 * time.Second), Note: "The camera is back."}} {
		if err := s.Mark(t.Context(), id, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "backup.sqlite")
	for _, args := range [][]string{{"backup", backup, "--data", dir}, {"import", backup, "--data", other}, {"import", backup, "--data", other}} {
		if code, _, errs := call(t, "", args...); code != done {
			t.Fatalf("%s: %s", args, errs)
		}
	}
	for _, args := range [][]string{{"replay", id, "--data", dir}, {"replay", backup}, {"replay", id, "--data", other}} {
		_, out, _ := call(t, "", args...)
		got := strings.Split(out, "\n")
		if len(got) < 11 || !strings.Contains(got[6], "21:14:03  (camera)     The camera is gone.") || !strings.Contains(got[8], "21:14:09  (camera)     The camera is back.") {
			t.Errorf("%s:\n%s", args, out)
		}
		_, out, _ = call(t, "", append(args, "--json")...)
		if got := strings.Split(strings.TrimSpace(out), "\n"); len(got) != len(coup)+1 || got[len(coup)] != final ||
			!strings.Contains(got[4], `"camera":[{"at":"`) || !strings.Contains(got[4], `"lost":true,"note":"The camera is gone."}]`) || strings.Contains(got[3], "camera") {
			t.Errorf("%s:\n%s", args, out)
		}
	}
	if _, out, _ := call(t, "", "export", id, "--data", dir); strings.Count(out, "\n") != len(coup) || strings.Contains(out, "gone") {
		t.Errorf("exported:\n%s", out)
	}
}

// chained writes the hashes of a night's lines anew, as whoever forges one would.
func chained(lines []string) string {
	var b strings.Builder
	head := ""
	for i, line := range lines {
		body := line[:strings.LastIndex(line, `,"hash":"`)]
		if i > 0 {
			body = body[:strings.LastIndex(body, `"prev":"`)] + `"prev":"` + head + `"`
		}
		head = fmt.Sprintf("%x", sha256.Sum256([]byte(body+"}")))
		fmt.Fprintf(&b, "%s,\"hash\":\"%s\"}\n", body, head)
	}
	return b.String()
}

// TestForgedInWords: what the rules refuse is found in a chain whose hashes were
// made to fit, and said in words. A byte order mark before it does no harm.
func TestForgedInWords(t *testing.T) {
	dir := t.TempDir()
	playedNight(t, dir)
	_, text, _ := call(t, "", "export", "latest", "--data", dir)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if code, _, errs := call(t, "\uFEFF"+chained(lines), "verify", "-"); code != done || chained(lines) != text {
		t.Errorf("chained as it was: %d %q", code, errs)
	}
	for was, c := range map[string]struct{ is, says string }{
		`"amount":5},`: {`"amount":13},`, "seq 3: the rules refuse this cover: Only 12 are still open."},
		`"amount":7},`: {`"amount":7,"why":1},`, `seq 4: "action" cannot be read: There is no field why here.`},
	} {
		forged := strings.Split(strings.Replace(text, was, c.is, 1), "\n")
		code, _, errs := call(t, chained(forged[:len(lines)]), "verify", "-")
		if code != failed || !strings.Contains(errs, c.says) {
			t.Errorf("%s: %d %q", c.is, code, errs)
		}
	}
}

// TestSalvage breaks a page in the middle of a journal: export stops there and
// says so, salvage finds the entries on both sides.
func TestSalvage(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	s, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ledger.Open(ctx, s, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		line := coup[0]
		if i > 0 {
			line = fmt.Sprintf(`{"do":"chips","seat":"A","amount":%d}`, i)
		}
		a, err := game.Decode([]byte(line))
		if err == nil {
			_, err = c.Submit(ctx, ledger.Request{Action: a})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, whole, _ := call(t, "", "export", "latest", "--data", dir)
	path := filepath.Join(dir, journal.File)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte(`{"seq":30,`)) &^ 4095
	copy(b[at:at+4096], bytes.Repeat([]byte{0xaa}, 4096))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	code, part, errs := call(t, "", "export", "latest", "--data", dir)
	if code != failed || !strings.HasPrefix(whole, part) || part == "" || !strings.Contains(errs, "--salvage") {
		t.Errorf("export: %d %q", code, errs)
	}
	first := strings.Count(part, "\n") + 1
	if !strings.Contains(errs, fmt.Sprintf("seq %d: ", first)) {
		t.Errorf("the damage begins at seq %d: %q", first, errs)
	}
	if code, _, errs := call(t, "", "verify", "latest", "--data", dir); code != failed || !strings.Contains(errs, fmt.Sprintf("seq %d: ", first)) {
		t.Errorf("verify: %d %q", code, errs)
	}
	code, saved, errs := call(t, "", "export", "latest", "--salvage", "--data", dir)
	if code != failed || !strings.HasPrefix(saved, part) || !strings.Contains(errs, fmt.Sprintf("missing: seq %d to ", first)) {
		t.Errorf("salvage: %d %q", code, errs)
	}
	tail := saved[len(part):]
	if !strings.HasSuffix(whole, tail) || strings.Count(tail, "\n") < 15 {
		t.Errorf("salvaged %d lines before the damage and %d after it", first-1, strings.Count(tail, "\n"))
	}
}
