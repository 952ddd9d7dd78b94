package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSimulateCommand(t *testing.T) {
	code, stdout, stderr := call(t, "", "simulate", "--game", "lansquenet", "--packs", "6", "--coups", "2000", "--seed", "3", "--json")
	var got struct {
		Coups                  int
		Doublet, Bank, Punters float64
		MeanCards              float64 `json:"mean_cards"`
		PerSecond              float64 `json:"per_second"`
	}
	d := json.NewDecoder(strings.NewReader(stdout))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); code != done || err != nil || got.Coups != 2000 || got.Doublet <= 0 || got.Doublet > 0.2 ||
		got.Bank+got.Punters < 0.999 || got.MeanCards < 7 || got.PerSecond <= 0 {
		t.Errorf("exit %d, out %q, err %q: %+v, %v", code, stdout, stderr, got, err)
	}
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"simulate --coups 100", done, "100 coups"},
		{"simulate --game zecchinetta --coups 20 --third-card matched", done, "20 coups"},
		{"simulate --game skin --coups 20", done, "20 coups"},
		{"simulate --game whist --coups 20", misused, "whist"},
		{"simulate --coups 0", misused, "0 coups"},
		{"simulate --packs 0", misused, "packs"},
		{"simulate --ranks A", misused, "lansquenet: At least two ranks have to stay"},
		{"simulate --ranks B", misused, "ranks"},
	} {
		code, stdout, stderr := call(t, "", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("lansquenet %s: exit %d, out %q, err %q", c.args, code, stdout, stderr)
		}
	}
}
