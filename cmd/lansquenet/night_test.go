package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"lansquenet/cmd/internal/config"
	"lansquenet/ledger/evidence"
	"lansquenet/ledger/journal"
)

// hostFor hosts a night without a camera until the test ends, and gives back a
// host's browser and the address of the pages.
func hostFor(t *testing.T, n night) (*http.Client, string) {
	t.Helper()
	r, w := io.Pipe()
	n.cfg.Web.Listen, n.cfg.Web.HostPIN = "127.0.0.1:0", "271828"
	n.out, n.log, n.pages = w, slog.New(slog.DiscardHandler), true
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := n.host(ctx); w.Close(); done <- err }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	base := regexp.MustCompile(`http://localhost:\d+`).FindString(line)
	jar, _ := cookiejar.New(nil) // no options, no error
	c := &http.Client{Jar: jar, Timeout: 20 * time.Second}
	res, err := c.Post(base+"/api/login", "application/json", strings.NewReader(`{"pin":"271828"}`))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("login: %s", res.Status)
	}
	return c, base
}

// TestOldPicturesWithoutACamera: the pictures of a night that was played with a
// camera are there when somebody asks later, also on a day without one.
func TestOldPicturesWithoutACamera(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := call(t, `{"do":"open","game":"skin","seats":[{"name":"A","chips":9},{"name":"B","chips":9}]}`, "play", "--data", dir, "-"); code != done {
		t.Fatal(stderr)
	}
	store, err := journal.OpenRead(dir)
	if err != nil {
		t.Fatal(err)
	}
	last, err := store.Session(t.Context(), "latest")
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	pictures, err := evidence.Open(dir, evidence.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := pictures.Put(t.Context(), evidence.Picture{Session: last.ID, Seq: 1, At: time.Now(), JPEG: []byte("\xff\xd8\xff what lay there")}); err != nil {
		t.Fatal(err)
	}
	pictures.Close()

	n := night{cfg: config.Default()}
	n.cfg.Data.Dir = dir
	c, base := hostFor(t, n)
	res, err := c.Get(fmt.Sprintf("%s/api/sessions/%s/picture/1", base, last.ID))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(b), "what lay there") {
		t.Errorf("%s %q %v", res.Status, b, err)
	}
}

// TestNoCameraNoPictures: a house without a camera makes no place for pictures.
func TestNoCameraNoPictures(t *testing.T) {
	n := night{cfg: config.Default()}
	n.cfg.Data.Dir = t.TempDir()
	hostFor(t, n)
	if made, _ := filepath.Glob(filepath.Join(n.cfg.Data.Dir, evidence.File+"*")); len(made) > 0 {
		t.Error(made)
	}
}

// TestCameraIsNamedWithoutItsPassword, because everybody may read the journal.
func TestCameraIsNamedWithoutItsPassword(t *testing.T) {
	for source, want := range map[string]string{
		"http://anna:s3cret@192.168.1.7:8080/video":         "http://192.168.1.7:8080/video",
		"gst:rtspsrc location=rtsp://u:p@cam/1 ! decodebin": "gst:rtspsrc location=rtsp://cam/1 ! decodebin",
		"v4l2:/dev/v4l/by-id/usb-Eye@Home-index0":           "v4l2:/dev/v4l/by-id/usb-Eye@Home-index0",
		"http://192.168.1.7/video?who=a@b":                  "http://192.168.1.7/video?who=a@b",
	} {
		if got := password.ReplaceAllString(source, "//"); got != want {
			t.Errorf("%s is named %s", source, got)
		}
	}
}

// TestPIN says how long the PIN holds that was made: where the data folder is
// gone afterwards, there is no file to delete.
func TestPIN(t *testing.T) {
	for passing, want := range map[bool]string{false: "delete ", true: "for this time only"} {
		var out strings.Builder
		n := night{cfg: config.Default(), out: &out, passing: passing}
		n.cfg.Data.Dir = t.TempDir()
		if _, err := n.pin(""); err != nil {
			t.Fatal(err)
		}
		if said := out.String(); !strings.Contains(said, want) || passing && strings.Contains(said, n.cfg.Data.Dir) {
			t.Errorf("passing %v: %s", passing, said)
		}
	}
}
