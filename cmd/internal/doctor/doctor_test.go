package doctor

import (
	"bytes"
	"image"
	"image/png"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lansquenet/cmd/internal/config"
	"lansquenet/vision/cv"
)

func TestThrottled(t *testing.T) {
	for line, want := range map[string]string{
		"throttled=0x0\n":     "",
		"throttled=0x50005\n": "too little power: use",
		"throttled=0x50000\n": "has had too little power",
		"throttled=0x8\n":     "too hot",
	} {
		says, known := throttled(line)
		if !known || (want == "") != (says == "") || !strings.Contains(says, want) {
			t.Errorf("%q: %q %v", line, says, known)
		}
	}
	if _, known := throttled("command not found"); known {
		t.Error("nonsense was understood")
	}
}

func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if f := port(addr); f.OK || !strings.Contains(f.Says, addr+" is in use") {
		t.Errorf("%+v", f)
	}
	_ = l.Close()
	if f := port(addr); !f.OK {
		t.Errorf("%+v", f)
	}
}

// TestCameraNotes: what a source gives otherwise than it should is said, and is
// no reason to call it broken.
func TestCameraNotes(t *testing.T) {
	if opencv, _ := cv.Version(); opencv == "" {
		t.Skip("built without OpenCV")
	}
	dir := t.TempDir()
	var whole bytes.Buffer
	if err := png.Encode(&whole, image.NewRGBA(image.Rect(0, 0, 64, 48))); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"1.png": whole.Bytes()[:whole.Len()-20], "2.png": whole.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := config.Default()
	c.Camera.Source = dir
	if f := camera(t.Context(), c); !f.OK || !strings.Contains(f.Says, "gives pictures of 64×48; "+filepath.Join(dir, "1.png")) {
		t.Errorf("%+v", f)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "yet")
	if f := folder(dir); !f.OK || !strings.Contains(f.Says, dir+" can be written") {
		t.Errorf("%+v", f)
	}
	if f := folder("/proc/lansquenet"); f.OK || !strings.Contains(f.Says, "/proc/lansquenet") {
		t.Errorf("%+v", f)
	}
}
