//go:build cgo

package cv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// capture is a camera that OpenCV itself opens.
type capture struct {
	cap *gocv.VideoCapture
	mat gocv.Mat
}

func (c *capture) Grab(buf []byte) ([]byte, int, int, error) {
	if !c.cap.Read(&c.mat) || c.mat.Empty() {
		return buf, 0, 0, errors.New("it gives no pictures")
	}
	buf, err := pixels(c.mat, buf)
	return buf, c.mat.Cols(), c.mat.Rows(), err
}

func (c *capture) Close() error {
	c.mat.Close()
	return c.cap.Close()
}

// openV4L2 opens a USB camera. MJPG is asked for before size and rate, because
// raw 720p fills the cable at 10 pictures a second; controls are set anew at
// every opening, because cameras forget them.
func openV4L2(device string, o SourceOptions) (vision.Grabber, error) {
	if device == "" {
		device = "/dev/video0"
	}
	real, err := filepath.EvalSymlinks(device)
	if err != nil {
		return nil, fmt.Errorf("%s: there is no such camera; plugged in? See the list in /dev/v4l/by-id", device)
	}
	if f, err := os.OpenFile(real, os.O_RDWR, 0); errors.Is(err, os.ErrPermission) {
		return nil, fmt.Errorf("%s: no permission; the user must be in the group video", device)
	} else if err == nil {
		f.Close()
	}
	c, err := gocv.OpenVideoCaptureWithAPI(real, gocv.VideoCaptureV4L2)
	if err != nil {
		return nil, fmt.Errorf("%s: can't be opened; is another program using it?", device)
	}
	g := &capture{cap: c, mat: gocv.NewMat()}
	is := Format{Device: device}
	// OpenCV says true for whatever it was asked, so each value is read back.
	for _, s := range formatOf(o) {
		c.Set(s.prop, s.want)
		if s.tell != nil {
			if got := c.Get(s.prop); got != s.want {
				is.Differs = append(is.Differs, fmt.Sprintf("%s was asked for, the camera gives %s", s.tell(s.want), s.tell(got)))
			}
		}
	}
	differ, err := setControls(real, o.Controls)
	if err != nil {
		g.Close()
		return nil, fmt.Errorf("%s: %w", device, err)
	}
	is.Differs = append(is.Differs, differ...)
	for _, d := range is.Differs {
		o.note(device + ": " + d)
	}
	is.Codec = codecName(c.Get(gocv.VideoCaptureFOURCC))
	is.W, is.H = int(c.Get(gocv.VideoCaptureFrameWidth)), int(c.Get(gocv.VideoCaptureFrameHeight))
	is.FPS, is.Controls = c.Get(gocv.VideoCaptureFPS), readControls(real)
	o.opened(is)
	return g, nil
}

// format is one thing asked of a camera's pictures; tell says a value of it in
// words, nil when it is not worth telling.
type format struct {
	prop gocv.VideoCaptureProperties
	want float64
	tell func(float64) string
}

// formatOf lists what is asked for, in the order that cameras want.
func formatOf(o SourceOptions) []format {
	w, h, fps := o.Width, o.Height, o.FPS
	if w == 0 || h == 0 {
		w, h = 1280, 720
	}
	if fps == 0 {
		fps = 30
	}
	plain := func(text string) func(float64) string {
		return func(v float64) string { return fmt.Sprintf(text, v) }
	}
	return []format{
		{gocv.VideoCaptureFOURCC, codec("MJPG"), func(v float64) string { return "the format " + codecName(v) }},
		{gocv.VideoCaptureFrameWidth, float64(w), plain("a width of %g")},
		{gocv.VideoCaptureFrameHeight, float64(h), plain("a height of %g")},
		{gocv.VideoCaptureFPS, fps, plain("%g pictures a second")},
		{gocv.VideoCaptureBufferSize, 2, nil},
	}
}

// codec is a format's four letters as OpenCV passes them; codecName is the way back.
func codec(name string) float64 {
	return float64(uint32(name[0]) | uint32(name[1])<<8 | uint32(name[2])<<16 | uint32(name[3])<<24)
}

func codecName(v float64) string {
	n := uint32(int64(v))
	for i := range 4 {
		if c := byte(n >> (8 * i)); c < ' ' || c > '~' {
			return fmt.Sprintf("number %d", n)
		}
	}
	return string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
}

// openGst opens a GStreamer pipeline; one without a sink gets one that keeps
// only the newest picture.
func openGst(pipeline string, o SourceOptions) (vision.Grabber, error) {
	if !strings.Contains(pipeline, "appsink") {
		pipeline += " ! videoconvert ! video/x-raw,format=BGR ! appsink drop=true max-buffers=1 sync=false"
	}
	c, err := gocv.OpenVideoCaptureWithAPI(pipeline, gocv.VideoCaptureGstreamer)
	if err != nil {
		return nil, fmt.Errorf("gst: this pipeline can't be opened: %s", pipeline)
	}
	o.opened(Format{Device: "gst"})
	return &capture{cap: c, mat: gocv.NewMat()}, nil
}

// stream is a camera that sends JPEG pictures through a pipe or a connection.
type stream struct {
	jpegs *vision.JPEGs
	close func() error
	alive func() error // why the stream ended, when it did
	bad   int
}

func (s *stream) Grab(buf []byte) ([]byte, int, int, error) {
	for {
		j, err := s.jpegs.Next()
		if err != nil {
			if why := s.alive(); why != nil {
				err = why
			} else if errors.Is(err, io.EOF) {
				err = errors.New("its stream ended")
			}
			return buf, 0, 0, err
		}
		m, err := gocv.IMDecode(j, gocv.IMReadColor)
		if err != nil || m.Empty() {
			// One torn picture is no reason to open again; a run of them is.
			if err == nil {
				m.Close()
			}
			if s.bad++; s.bad > 30 {
				return buf, 0, 0, errors.New("its pictures can't be decoded")
			}
			continue
		}
		s.bad = 0
		w, h := m.Cols(), m.Rows()
		buf, err = pixels(m, buf)
		m.Close()
		return buf, w, h, err
	}
}

func (s *stream) Close() error { return s.close() }

// openRpicam starts rpicam-vid (formerly libcamera-vid) as a child writing
// MJPEG, which works alike on every Raspberry Pi. Options are passed on.
func openRpicam(ctx context.Context, options string, o SourceOptions) (vision.Grabber, error) {
	prog := ""
	for _, p := range []string{"rpicam-vid", "libcamera-vid"} {
		if path, err := exec.LookPath(p); err == nil {
			prog = path
			break
		}
	}
	if prog == "" {
		return nil, errors.New("rpicam: neither rpicam-vid nor libcamera-vid is installed: sudo apt install rpicam-apps")
	}
	w, h, fps := o.Width, o.Height, o.FPS
	if w == 0 || h == 0 {
		w, h = 1280, 720
	}
	if fps == 0 {
		fps = 30
	}
	args := []string{"--codec", "mjpeg", "--nopreview", "--timeout", "0", "--flush",
		"--width", strconv.Itoa(w), "--height", strconv.Itoa(h), "--framerate", strconv.FormatFloat(fps, 'g', -1, 64),
		"--output", "-"}
	args = append(args, strings.Fields(options)...)
	ctx, kill := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, prog, args...)
	cmd.WaitDelay = time.Second
	errs := &tail{}
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		kill()
		return nil, fmt.Errorf("rpicam: %w", err)
	}
	o.opened(Format{Device: filepath.Base(prog), Codec: "MJPG", W: w, H: h, FPS: fps})
	return &stream{
		jpegs: vision.NewJPEGs(&watched{r: out, stop: kill, limit: silence}),
		alive: func() error { return fmt.Errorf("%s ended: %s", filepath.Base(prog), errs.last()) },
		close: func() error {
			kill()
			_ = cmd.Wait() // killed on purpose
			return nil
		},
	}, nil
}

// silence is how long a stream may be quiet before its connection is dropped.
const silence = 2500 * time.Millisecond

// watched drops a connection or child that stays silent, so that a read never
// blocks for ever.
type watched struct {
	r     io.Reader
	stop  func()
	limit time.Duration
}

func (w *watched) Read(b []byte) (int, error) {
	t := time.AfterFunc(w.limit+time.Second, w.stop)
	defer t.Stop()
	return w.r.Read(b)
}

// tail keeps the last of what a child says, for the host to read.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if n := len(t.b); n > 2000 {
		t.b = append([]byte(nil), t.b[n-1000:]...)
	}
	return len(p), nil
}

func (t *tail) last() string {
	ls := strings.Split(strings.TrimSpace(string(t.b)), "\n")
	if s := strings.TrimSpace(ls[len(ls)-1]); s != "" {
		return s
	}
	return "it said nothing"
}

// openHTTP reads MJPEG as phone apps and network cameras serve it.
func openHTTP(ctx context.Context, url string, o SourceOptions) (vision.Grabber, error) {
	ctx, stop := context.WithCancel(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		stop()
		return nil, fmt.Errorf("%s: not an address: %w", url, err)
	}
	name := req.URL.Redacted() // a password is nothing for a log
	t := time.AfterFunc(4*time.Second, stop)
	resp, err := http.DefaultClient.Do(req)
	t.Stop()
	if err != nil {
		stop()
		return nil, fmt.Errorf("%s: can't be reached; same network, and is its app running? (%w)", name, err)
	}
	kind := resp.Header.Get("Content-Type")
	switch {
	case resp.StatusCode != http.StatusOK:
		err = fmt.Errorf("%s: answers %s", name, resp.Status)
	case strings.HasPrefix(kind, "text/"), strings.HasPrefix(kind, "application/json"):
		err = fmt.Errorf("%s: is a page (%s), no MJPEG: give the address of its video, often ending in /video", name, kind)
	}
	if err != nil {
		resp.Body.Close()
		stop()
		return nil, err
	}
	o.opened(Format{Device: name, Codec: "MJPG"})
	return &stream{
		jpegs: vision.NewJPEGs(&watched{r: resp.Body, stop: stop, limit: silence}),
		alive: func() error { return nil },
		close: func() error { stop(); return resp.Body.Close() },
	}, nil
}
