package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// call runs a subcommand as a shell would.
func call(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), args, terminal{strings.NewReader(stdin), &out, &errs})
	return code, out.String(), errs.String()
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says string // on standard output when done, else on standard error
	}{
		{"", misused, "Usage"},
		{"help", done, "version"},
		{"-h", done, "version"},
		{"version", done, "lansquenet "},
		{"version -h", done, "Usage: lansquenet version"},
		{"help version", done, "Usage: lansquenet version"},
		{"version --nonsense", misused, "nonsense"},
		{"version extra", misused, `"extra"`},
		{"deal", misused, `"deal"`},
		{"demo --coups many", misused, `"many"`},
		{"demo --game poker", misused, "poker"},
		{"demo --profile vegas", misused, "vegas"},
		{"demo --game skin --profile ru", misused, "--profile"},
		{"demo --speed NaN", misused, "--speed"},
	} {
		code, stdout, stderr := call(t, "", strings.Fields(c.args)...)
		said := stderr
		if c.code == done {
			said = stdout
		}
		if code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("lansquenet %s: exit %d, out %q, err %q; want %d and %q", c.args, code, stdout, stderr, c.code, c.says)
		}
		if c.code == misused && c.args != "" && (stdout != "" || strings.Count(stderr, "\n") != 1) {
			t.Errorf("lansquenet %s: more than a sentence on standard error: out %q, err %q", c.args, stdout, stderr)
		}
	}
}

func TestHelpOfEveryCommand(t *testing.T) {
	for _, c := range commands {
		code, stdout, stderr := call(t, "", c.name, "-h")
		if code != done || stderr != "" || !strings.HasPrefix(stdout, "Usage: lansquenet "+c.name) {
			t.Errorf("lansquenet %s -h: exit %d, out %q, err %q", c.name, code, stdout, stderr)
		}
	}
}

func TestFlagsStandAnywhere(t *testing.T) {
	for _, args := range []string{"--json a b", "a --json b", "a b --json", "--json -- a b"} {
		fs := flags(terminal{}, "version")
		json := fs.Bool("json", false, "")
		rest, err := parse(fs, strings.Fields(args), 2, 2)
		if err != nil || !*json || strings.Join(rest, " ") != "a b" {
			t.Errorf("%q: %v %v %v", args, *json, rest, err)
		}
	}
}
