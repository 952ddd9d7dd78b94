package hw

import (
	"os"
	"syscall"
	"unsafe"
)

// openEvents opens an input device so that closing it ends a read.
func openEvents(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// ioctl runs a request on a device without making its file blocking.
func ioctl(f *os.File, req, arg uintptr) (err error) {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if cerr := c.Control(func(fd uintptr) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, fd, req, arg); e != 0 {
			err = e
		}
	}); cerr != nil {
		return cerr
	}
	return err
}

// grab keeps the pad's keys from being typed into a console as well. When that
// is refused they are only typed twice.
func grab(f *os.File) {
	const eviocgrab = 0x40044590
	_ = ioctl(f, eviocgrab, 1)
}

// keysOf tells which keys a device has.
func keysOf(f *os.File) func(uint16) bool {
	var bits [96]byte                                                          // KEY_MAX is 0x2ff
	const eviocgbit = 2<<30 | uintptr(len(bits))<<16 | 'E'<<8 | (0x20 + evKey) // EVIOCGBIT(EV_KEY, len)
	err := ioctl(f, eviocgbit, uintptr(unsafe.Pointer(&bits[0])))
	return func(code uint16) bool { return err == nil && bits[code/8]>>(code%8)&1 == 1 }
}
