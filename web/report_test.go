package web

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestSettlingUp(t *testing.T) {
	h := newHouse(t)
	v := h.host()
	v.script(`{"do":"open","game":"lansquenet","profile":"pagat","banker":"=A","seats":[{"name":"=A","chips":100},{"name":"Жанна","chips":100},{"name":"C","chips":100}]}`,
		`{"do":"bank","seat":"=A","amount":12}`, `{"do":"cover","seat":"Жанна","amount":5}`, `{"do":"cover","seat":"C","amount":7}`,
		`{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"Q"}`)
	var got settleJSON
	code, body := v.get("/api/sessions/latest/settle")
	if code != 200 || json.Unmarshal([]byte(body), &got) != nil {
		t.Fatal(code, body)
	}
	if len(got.Payments) != 2 || got.Coups != 1 || got.Players[0].Net != -12 {
		t.Errorf("%+v", got)
	}
	// In a currency: three chips are worth ten coins.
	_, body = v.get("/api/sessions/latest/settle?chips=3&minor=10")
	if json.Unmarshal([]byte(body), &got) != nil {
		t.Fatal(body)
	}
	var sum int64
	for _, p := range got.Players {
		sum += p.Due
	}
	if sum != 0 || got.Players[0].Due != -40 {
		t.Errorf("%+v", got.Players)
	}
	for _, bad := range []string{"chips=x&minor=1", "chips=0&minor=1", "chips=-1&minor=1", "chips=99999999999&minor=1", "chips=1"} {
		if code, body := v.get("/api/sessions/latest/settle?" + bad); code != 400 || errorCode(body) != "bad_number" {
			t.Error(bad, code, body)
		}
	}
	code, body = v.get("/api/sessions/latest/report.csv?lang=de")
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff")))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if code != 200 || err != nil || rows[1][0] != "'=A" || rows[1][4] != "-12" || !strings.Contains(body, "Жанна") {
		t.Error(code, err, body)
	}
	for _, l := range Languages {
		code, body := v.get("/api/sessions/latest/report.pdf?lang=" + l)
		if code != 200 || !bytes.HasPrefix([]byte(body), []byte("%PDF-")) || len(body) < 5000 {
			t.Fatalf("%s: %d, %d bytes", l, code, len(body))
		}
		if dir := os.Getenv("LANSQUENET_SHOTS"); dir != "" {
			_ = os.WriteFile(filepath.Join(dir, "report-"+l+".pdf"), []byte(body), 0o644)
		}
		tool, err := exec.LookPath("pdftotext")
		if err != nil {
			continue // the text is looked at only where there is a tool to read it
		}
		cmd := exec.Command(tool, "-", "-")
		cmd.Stdin = strings.NewReader(body)
		text, err := cmd.Output()
		if err != nil || strings.Contains(string(text), "+0") || !strings.Contains(string(text), "Жанна") || !strings.Contains(strings.ReplaceAll(string(text), "\n", ""), h.table.State().Head[:40]) {
			t.Errorf("%s: %v %s", l, err, text)
		}
	}
}

// The sheet's typeface has not every letter of the world, and not every player
// is written with those it has: he is a player all the same.
func TestReportOfNamesFromAnywhere(t *testing.T) {
	h := newHouse(t)
	v := h.host()
	v.script(`{"do":"open","game":"lansquenet","profile":"pagat","banker":"👩‍👩‍👧‍👦🃏","seats":[{"name":"👩‍👩‍👧‍👦🃏","chips":100},{"name":"李 Li","chips":100},{"name":"שלום","chips":100},{"name":"Жанна","chips":100}]}`,
		`{"do":"bank","seat":"👩‍👩‍👧‍👦🃏","amount":12}`, `{"do":"cover","seat":"李 Li","amount":5}`, `{"do":"cover","seat":"שלום","amount":7}`,
		`{"do":"card","rank":"7"}`, `{"do":"card","rank":"Q"}`, `{"do":"card","rank":"Q"}`)
	for _, l := range Languages {
		if code, body := v.get("/api/sessions/latest/report.pdf?lang=" + l); code != 200 || !strings.HasPrefix(body, "%PDF-") {
			t.Errorf("%s: %d %.200s", l, code, body)
		}
	}
	got := printed([]string{"👩‍👩‍👧‍👦🃏", "李 Li", "שלום", "Жанна", "Émile"})
	for name, want := range map[string]string{"👩‍👩‍👧‍👦🃏": "№ 1", "李 Li": "Li № 2", "שלום": "№ 3", "Жанна": "Жанна", "Émile": "Émile"} {
		if got[name] != want {
			t.Errorf("%q is printed %q, want %q", name, got[name], want)
		}
	}
}
