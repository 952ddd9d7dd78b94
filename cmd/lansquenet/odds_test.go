package main

import (
	"strings"
	"testing"
)

func TestOddsCommand(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says []string
	}{
		{"odds --json", done, []string{`{"doublet":0.058823529411764705,"bank":0.5294117647058824,`, `"exact":{"doublet":"1/17","bank":"9/17"`}},
		{"odds --packs 6 --ranks A,7,8,9,10,J,Q,K --json", done, []string{`"bank":"107/191"`, `"mean_cards":"262/47"`}},
		{"odds --bank-card 7 --punters-card Q --seen 7,7,7,Q --json", done, []string{`"bank":"1/4"`, `"punters":"3/4"`}},
		{"odds --packs 2", done, []string{"55/103", "stop card"}},
		{"odds --packs 0", misused, []string{"--packs"}},
		{"odds --packs many", misused, []string{"packs"}},
		{"odds --ranks A,A", misused, []string{"A", "twice"}},
		{"odds --ranks A,11", misused, []string{"ranks", "11"}},
		{"odds --seen 1", misused, []string{"seen", `"1"`}},
		{"odds --seen A,A,A,A,A", misused, []string{"rank A"}},
		{"odds --bank-card 7", misused, []string{"punters"}},
		{"odds --bank-card joker", misused, []string{"bank-card", "joker"}},
	} {
		code, stdout, stderr := call(t, "", strings.Fields(c.args)...)
		if code != c.code {
			t.Errorf("lansquenet %s: exit %d, out %q, err %q", c.args, code, stdout, stderr)
		}
		for _, w := range c.says {
			if !strings.Contains(stdout+stderr, w) {
				t.Errorf("lansquenet %s: no %q in out %q, err %q", c.args, w, stdout, stderr)
			}
		}
	}
}
