package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// feeder plays a Motion JPEG clip into a loopback camera.
type feeder struct {
	frames  [][]byte
	device  *os.File
	target  atomic.Int64 // the frame to go on to
	shown   atomic.Int64 // the frame shown last
	stopped atomic.Bool
	failed  atomic.Pointer[error]
}

// feed opens the device and plays from frame 0, which stays until more is asked for.
func feed(device, file string, size []string) (*feeder, error) {
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
	var n [3]int
	for i, s := range size {
		if n[i], err = strconv.Atoi(s); err != nil {
			return nil, err
		}
	}
	if fd.device, err = os.OpenFile(device, os.O_RDWR, 0); err != nil {
		return nil, err
	}
	// struct v4l2_format with a struct v4l2_pix_format, of an output.
	var v [208]byte
	le := binary.LittleEndian
	le.PutUint32(v[0:], 2)
	for i, x := range []uint32{uint32(n[0]), uint32(n[1]), 'M' | 'J'<<8 | 'P'<<16 | 'G'<<24, 1, 0, uint32(n[0] * n[1] * 2), 8} {
		le.PutUint32(v[8+4*i:], x)
	}
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, fd.device.Fd(), 0xC0D05605, uintptr(unsafe.Pointer(&v[0]))); e != 0 {
		return nil, fmt.Errorf("the loopback camera refuses the format: %w", e)
	}
	go fd.play(time.Second / time.Duration(n[2]))
	return fd, nil
}

func (f *feeder) play(pause time.Duration) {
	for next := time.Now(); ; next = next.Add(pause) {
		time.Sleep(time.Until(next))
		if f.stopped.Load() {
			continue
		}
		n := min(f.shown.Load()+1, f.target.Load(), int64(len(f.frames)-1))
		if _, err := f.device.Write(f.frames[n]); err != nil {
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

// setControl sets a control of a camera (VIDIOC_S_CTRL).
func setControl(device, id, value string) error {
	d, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	n, err1 := strconv.ParseUint(id, 0, 32)
	v, err2 := strconv.ParseInt(value, 0, 32)
	if err := firstOf(err1, err2); err != nil {
		return err
	}
	c := [2]uint32{uint32(n), uint32(int32(v))}
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, d.Fd(), 0xC008561C, uintptr(unsafe.Pointer(&c[0]))); e != 0 {
		return fmt.Errorf("control %s: %w", id, e)
	}
	return nil
}
