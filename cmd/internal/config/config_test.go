package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"lansquenet/hw"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lansquenet.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFileAndEnvironment(t *testing.T) {
	c, err := Load(write(t, "[web]\nlisten = \":9000\"\n[camera]\nroi = [1, 2, 3, 4]\n[buttons]\nlayout = \"console\"\nhold = \"700ms\"\n"),
		[]string{"HOME=/x", "LANSQUENET_WEB_HOST_PIN=246810", "LANSQUENET_CAMERA_FPS=15", "LANSQUENET_WEB_NAMES=a.lan, b.lan",
			"LANSQUENET_DATA_KEEP_PICTURES=false", "LANSQUENET_BUTTONS_DEBOUNCE=20ms", "LANSQUENET_CAMERA_CONTROLS=gain=3,focus=0.5"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Web.Listen != ":9000" || c.Web.HostPIN != "246810" || c.Camera.FPS != 15 || c.Camera.Width != 1280 ||
		strings.Join(c.Web.Names, " ") != "a.lan b.lan" || c.Data.Keep || len(c.Camera.ROI) != 4 ||
		c.Buttons.Hold != hw.Duration(700*time.Millisecond) || c.Buttons.Debounce != hw.Duration(20*time.Millisecond) ||
		c.Camera.Controls["focus"] != 0.5 {
		t.Errorf("%+v", c)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, m := range []struct{ text, env, says string }{
		{"[web]\nlistn = \":1\"", "", `"web.listn"; [web] has listen`},
		{"[webb]\n", "", `"webb"; the sections are`},
		{"[web]\nlisten = 8080", "", `, line 2: web.listen: a text in "quotes" is wanted`},
		{"[camera]\nwidth = 1280\nfps = \"a\"", "", ", line 3: camera.fps: a number is wanted"},
		{"[data]\nkeep_pictures = 1", "", ", line 2: data.keep_pictures: true or false is wanted"},
		{"[web]\nnames = \"a\"", "", ", line 2: web.names: a list"},
		{"[buttons]\nhold = 5", "", ", line 2: \"5\" is no duration"},
		{"[camera]\nwidth = -4", "", "width and height are -4 and 720"},
		{"[camera]\nfps = nan", "", "fps is NaN"},
		{"[web]\nlanguage = \"xx\"", "", "language is \"xx\": take one of en, de"},
		{"[web\n", "", ", line "},
		{"[web]\nhost_pin = \"1\"", "", "host_pin is too short"},
		{"[camera]\nroi = [1, 2]", "", "roi is four numbers"},
		{"", "LANSQUENET_WEB_PORT=1", "LANSQUENET_WEB_PORT"},
		{"", "LANSQUENET_CAMERA_WIDTH=wide", `LANSQUENET_CAMERA_WIDTH="wide": a whole number`},
	} {
		_, err := Load(write(t, m.text), []string{m.env})
		if err == nil || !strings.Contains(err.Error(), m.says) {
			t.Errorf("%q %q: %v, want %q", m.text, m.env, err, m.says)
		}
	}
	if _, err := Load("/nowhere.toml", nil); err == nil || !strings.Contains(err.Error(), "/nowhere.toml") {
		t.Errorf("a missing file: %v", err)
	}
}

// TestExampleIsComplete takes the # off the example's values: they must be known
// and, but for the folder and the sample lines, be the defaults.
func TestExampleIsComplete(t *testing.T) {
	if _, err := Load(write(t, Example), nil); err != nil {
		t.Fatal(err)
	}
	bare := regexp.MustCompile(`(?m)^# (\[|[a-z_]+ = |"[a-z ]+" = )`).ReplaceAllString(Example, "$1")
	c, err := Load(write(t, bare), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	if c.Web.Listen != want.Web.Listen || c.Camera.Width != want.Camera.Width || c.Camera.FPS != want.Camera.FPS ||
		c.Camera.Source != want.Camera.Source || c.Data.Keep != want.Data.Keep || c.Web.Language != want.Web.Language {
		t.Errorf("the example's values are not the defaults: %+v", c)
	}
}
