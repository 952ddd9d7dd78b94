package doctor

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
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

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "yet")
	if f := folder(dir); !f.OK || !strings.Contains(f.Says, dir+" can be written") {
		t.Errorf("%+v", f)
	}
	if f := folder("/proc/lansquenet"); f.OK || !strings.Contains(f.Says, "/proc/lansquenet") {
		t.Errorf("%+v", f)
	}
}
