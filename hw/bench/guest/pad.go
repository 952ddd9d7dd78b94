package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// groupInput is the group input of the guest's /etc/group.
const groupInput = 995

// plugPad plugs a number pad in, through the kernel's uinput. Closing the file
// pulls it out.
func plugPad() (*os.File, error) {
	f, err := os.OpenFile("/dev/uinput", os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	const setEvBit, setKeyBit, create = 0x40045564, 0x40045565, 0x5501
	ioctl := func(req, arg uintptr) error {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), req, arg); e != 0 {
			return fmt.Errorf("uinput %#x: %w", req, e)
		}
		return nil
	}
	err = ioctl(setEvBit, 1)
	for _, key := range []uintptr{14, 55, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 96, 98} {
		err = firstOf(err, ioctl(setKeyBit, key))
	}
	var dev [1116]byte // struct uinput_user_dev
	copy(dev[:], "bench number pad")
	if err == nil {
		_, err = f.Write(dev[:])
	}
	if err = firstOf(err, ioctl(create, 0)); err != nil {
		return nil, err
	}
	// What udev does on a real machine.
	nodes, _ := filepath.Glob("/dev/input/event*")
	for _, n := range nodes {
		err = firstOf(err, os.Chown(n, 0, groupInput), os.Chmod(n, 0o660))
	}
	return f, err
}

// pressKey reports a key down or up.
func pressKey(f *os.File, code, value int) error {
	const word = strconv.IntSize / 8
	b := make([]byte, 2*(2*word+8)) // the key, and the end of the report
	binary.NativeEndian.PutUint16(b[2*word:], 1)
	binary.NativeEndian.PutUint16(b[2*word+2:], uint16(code))
	binary.NativeEndian.PutUint32(b[2*word+4:], uint32(value))
	_, err := f.Write(b)
	return err
}
