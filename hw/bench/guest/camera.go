package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// feeder plays a Motion JPEG clip into a camera: a loopback one, or one in the
// network.
type feeder struct {
	frames  [][]byte
	show    func(frame []byte) error
	network *networkCamera // nil for a loopback
	target  atomic.Int64   // the frame to go on to
	shown   atomic.Int64   // the frame shown last
	stopped atomic.Bool
	failed  atomic.Pointer[error]
}

// feed plays into a device, or serves at an address, from frame 0, which stays
// until more is asked for.
func feed(camera, file string, size []string) (*feeder, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fd := &feeder{}
	for _, f := range bytes.SplitAfter(b, []byte{0xff, 0xd9}) { // the end of a picture; inside, 0xff is always stuffed
		if bytes.HasPrefix(f, []byte{0xff, 0xd8}) {
			fd.frames = append(fd.frames, f)
		}
	}
	var n [3]int // width, height, pictures a second
	for i, s := range size {
		if n[i], err = strconv.Atoi(s); err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(camera, "/") {
		fd.show, err = openLoopback(camera, n[0], n[1])
	} else {
		fd.network = &networkCamera{addr: camera, fresh: make(chan struct{})}
		fd.show, err = fd.network.put, fd.network.serve()
	}
	if err != nil {
		return nil, err
	}
	go fd.play(time.Second / time.Duration(n[2]))
	return fd, nil
}

// openLoopback tells a loopback camera what pictures it will be given.
func openLoopback(device string, w, h int) (show func([]byte) error, err error) {
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	// struct v4l2_format with a struct v4l2_pix_format, of an output.
	var v [208]byte
	le := binary.LittleEndian
	le.PutUint32(v[0:], 2)
	for i, x := range []uint32{uint32(w), uint32(h), 'M' | 'J'<<8 | 'P'<<16 | 'G'<<24, 1, 0, uint32(w * h * 2), 8} {
		le.PutUint32(v[8+4*i:], x)
	}
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), 0xC0D05605, uintptr(unsafe.Pointer(&v[0]))); e != 0 {
		return nil, fmt.Errorf("the loopback camera refuses the format: %w", e)
	}
	return func(b []byte) error { _, err := f.Write(b); return err }, nil
}

func (f *feeder) play(pause time.Duration) {
	for next := time.Now(); ; next = next.Add(pause) {
		time.Sleep(time.Until(next))
		if f.stopped.Load() {
			continue
		}
		n := min(f.shown.Load()+1, f.target.Load(), int64(len(f.frames)-1))
		if err := f.show(f.frames[n]); err != nil {
			f.failed.Store(&err)
			return
		}
		f.shown.Store(n)
	}
}

// until asks for everything up to a frame, and is an error while it has not come.
func (f *feeder) until(n int) error {
	f.target.Store(int64(n))
	if err := f.failed.Load(); err != nil {
		return final{*err}
	}
	if s := f.shown.Load(); s < int64(n) {
		return fmt.Errorf("frame %d is shown", s)
	}
	return nil
}

// networkCamera serves the pictures as the app of a phone does, and below /raw
// one after the other, as rpicam-vid writes them.
type networkCamera struct {
	addr   string
	server *http.Server

	mu     sync.Mutex
	newest []byte
	fresh  chan struct{} // closed by the next picture
}

// serve is to be reached from now on.
func (c *networkCamera) serve() error {
	l, err := net.Listen("tcp", c.addr)
	if err != nil {
		return err
	}
	c.server = &http.Server{Handler: c}
	go c.server.Serve(l) // until vanish
	return nil
}

// vanish cuts every connection, and refuses new ones.
func (c *networkCamera) vanish() error { return c.server.Close() }

func (c *networkCamera) put(frame []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.newest = frame
	close(c.fresh)
	c.fresh = make(chan struct{})
	return nil
}

func (c *networkCamera) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
	if r.URL.Path == "/raw" {
		head = ""
	} else {
		w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary=picture")
	}
	for {
		c.mu.Lock()
		next := c.fresh
		c.mu.Unlock()
		select {
		case <-next:
		case <-r.Context().Done():
			return
		}
		c.mu.Lock()
		b := c.newest
		c.mu.Unlock()
		if head != "" {
			fmt.Fprintf(w, head, len(b))
		}
		if _, err := w.Write(b); err != nil {
			return
		}
		w.(http.Flusher).Flush()
	}
}

// tap is what stands in for rpicam-vid: it writes a network camera's pictures to
// its standard output, whatever it was asked for.
func tap(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("guest tap ADDRESS")
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+args[0]+"/raw", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(os.Stdout, resp.Body)
	return err
}
