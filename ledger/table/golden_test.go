package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lansquenet/ledger/game"
)

// TestGolden plays every script in testdata/golden: a line with "expect"
// "refused" must be refused and change nothing, and the last line lists what
// the final object must contain.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".jsonl"), func(t *testing.T) { playGolden(t, f) })
	}
}

func playGolden(t *testing.T, file string) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var night Table
	expected := false
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		var raw map[string]any
		if err := json.Unmarshal(line, &raw); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		if want, ok := raw["expect_final"]; ok {
			expected = true
			contains(t, "final", asJSON(t, night.Final()), want)
			continue
		}
		refused := raw["expect"] == "refused"
		delete(raw, "expect")
		line, _ = json.Marshal(raw)
		before := night.View()
		a, err := game.Decode(line)
		if err == nil {
			night, _, err = night.Apply(a)
		}
		switch {
		case refused && err == nil:
			t.Errorf("line %d: %s was accepted", n, line)
		case !refused && err != nil:
			t.Errorf("line %d: %s was refused: %v", n, line, err)
		case refused:
			if !reflect.DeepEqual(before, night.View()) {
				t.Errorf("line %d: the refusal changed the table", n)
			}
		}
	}
	if !expected {
		t.Error("the script expects nothing")
	}
}

func asJSON(t *testing.T, v any) (out any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// contains checks that got has all that want lists.
func contains(t *testing.T, where string, got, want any) {
	t.Helper()
	w, ok := want.(map[string]any)
	if !ok {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", where, got, want)
		}
		return
	}
	g, _ := got.(map[string]any)
	for k, v := range w {
		contains(t, where+"."+k, g[k], v)
	}
}
