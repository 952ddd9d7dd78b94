//go:build cgo

package cv

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// TestNetworkCameras opens what phones serve, and what they serve at the wrong
// address: each mistake is a sentence, and soon.
func TestNetworkCameras(t *testing.T) {
	var film bytes.Buffer
	if err := dealt(webcam(7), card.Four).Record(t.Context(), &film, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	var served atomic.Bool
	mux.HandleFunc("/video", func(w http.ResponseWriter, _ *http.Request) {
		if served.Swap(true) {
			http.Error(w, "the phone is asleep", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary=b")
		_, _ = w.Write(film.Bytes()) // the reader hangs up when it has seen enough
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html><img src=/video></html>"))
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	began := time.Now()
	for path, want := range map[string]string{
		s.URL + "/page":                     "give the address of its video",
		s.URL + "/nowhere":                  "404",
		"http://you:secret@127.0.0.1:1/":    "can't be reached",
		"http://camera.invalid:99999/video": "can't be reached",
		"http://%zz/":                       "not an address",
	} {
		src, err := Open(t.Context(), path, SourceOptions{})
		if err == nil {
			src.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want something about %q", path, err, want)
		}
	}
	if d := time.Since(began); d > 30*time.Second {
		t.Errorf("that took %v", d)
	}
	src, err := Open(t.Context(), s.URL+"/video", SourceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	f, err := src.Next(t.Context())
	if err != nil || f.W != 640 || f.H != 480 {
		t.Fatalf("%d×%d, %v", f.W, f.H, err)
	}
	// The film is over and the phone asleep: the camera is lost.
	var lost *vision.SourceEvent
	for err == nil {
		_, err = src.Next(t.Context())
	}
	if !errors.As(err, &lost) || lost.Kind != vision.Lost {
		t.Errorf("at its end: %v", err)
	}
}
