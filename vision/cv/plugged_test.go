package cv

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCameraIsFoundUnderAnotherNumber(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	video := func(name string) string { return filepath.Join(dir, name) }
	names := filepath.Join(dir, "by-id")
	link := filepath.Join(names, "usb-Some_Camera-video-index0")
	if err := os.Mkdir(names, 0o700); err != nil {
		t.Fatal(err)
	}
	plugIn := func(name string) {
		t.Helper()
		if err := os.WriteFile(video(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(video(name), link); err != nil {
			t.Fatal(err)
		}
	}
	plugIn("video0")
	p := plug(video("video0"))
	p.names = names
	if at := p.find(); at != video("video0") {
		t.Errorf("at first it is %s", at)
	}
	p.remember()
	for _, file := range []string{link, video("video0")} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if at := p.find(); at != video("video0") {
		t.Errorf("unplugged, what the host wrote is tried, not %s", at)
	}
	plugIn("video2")
	// Another camera has its old number now.
	if err := os.WriteFile(video("video0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if at, err := filepath.EvalSymlinks(p.find()); err != nil || at != video("video2") {
		t.Errorf("plugged in as video2, and opened at %s, %v", at, err)
	}
}
