package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lansquenet/cmd/internal/config"
)

// TestUnit has systemd itself check the unit, with a program and a user that are
// there on any machine.
func TestUnit(t *testing.T) {
	unit, err := os.ReadFile("../../systemd/lansquenet.service")
	if err != nil {
		t.Fatal(err)
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd on this machine")
	}
	file := filepath.Join(t.TempDir(), "lansquenet.service")
	here := regexp.MustCompile(`ExecStart=\S+`).ReplaceAll(unit, []byte("ExecStart=/bin/true"))
	here = regexp.MustCompile(`(?m)^(User|SupplementaryGroups|Documentation)=.*\n`).ReplaceAll(here, nil)
	if err := os.WriteFile(file, here, 0o644); err != nil {
		t.Fatal(err)
	}
	var says bytes.Buffer
	c := exec.Command(analyze, "verify", "--man=no", file)
	c.Stdout, c.Stderr = &says, &says
	err = c.Run()
	for line := range strings.Lines(says.String()) {
		if strings.Contains(line, "lansquenet.service") {
			t.Error(line)
		}
	}
	if err != nil && !strings.Contains(says.String(), "Failed to") {
		t.Errorf("systemd-analyze verify: %v\n%s", err, says.String())
	}
}

// TestUnitAgreesWithProgram holds the unit to what the program does: the command
// line it starts must parse, and its user must be made by the file beside it.
func TestUnitAgreesWithProgram(t *testing.T) {
	unit, err := os.ReadFile("../../systemd/lansquenet.service")
	if err != nil {
		t.Fatal(err)
	}
	users, err := os.ReadFile("../../systemd/lansquenet.sysusers.conf")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^ExecStart=\S+/lansquenet (.*)$`).FindSubmatch(unit)
	if line == nil {
		t.Fatal("no ExecStart")
	}
	args := append(strings.Fields(string(line[1])), "-h")
	if code, _, stderr := call(t, "", args...); code != done {
		t.Errorf("lansquenet %s: %s", strings.Join(args, " "), stderr)
	}
	user := regexp.MustCompile(`(?m)^User=(.*)$`).FindSubmatch(unit)
	groups := regexp.MustCompile(`(?m)^SupplementaryGroups=(.*)$`).FindSubmatch(unit)
	if user == nil || groups == nil {
		t.Fatal("no user or no groups")
	}
	for _, g := range strings.Fields(string(groups[1])) {
		if want := "m " + string(user[1]) + " " + g + "\n"; !strings.Contains(string(users), want) {
			t.Errorf("the users' file lacks %q", want)
		}
	}
	t.Setenv("STATE_DIRECTORY", "/var/lib/lansquenet")
	if dir := config.Default().Data.Dir; dir != "/var/lib/lansquenet" {
		t.Errorf("under systemd the nights go to %s", dir)
	}
}
