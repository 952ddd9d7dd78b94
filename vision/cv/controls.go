//go:build cgo && linux

package cv

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"unsafe"
)

// Controls are set through the kernel's own calls: OpenCV leaves some out,
// scales others, and means different things by the same number in its versions.

// control is one of the kernel's numbered camera controls.
type control struct {
	name string
	id   uint32
}

// controls stand in the order in which they must be set: a camera refuses an
// exposure, a white balance or a focus while it chooses that by itself.
var controls = []control{
	{"power_line", 0x980918},
	{"auto_exposure", 0x9a0901}, {"exposure", 0x9a0902},
	{"auto_white_balance", 0x98090c}, {"white_balance", 0x98091a},
	{"auto_focus", 0x9a090c}, {"focus", 0x9a090a},
	{"gain", 0x980913}, {"brightness", 0x980900}, {"contrast", 0x980901},
	{"saturation", 0x980902}, {"sharpness", 0x98091b},
}

// The kernel's requests VIDIOC_G_CTRL and VIDIOC_S_CTRL, of struct v4l2_control.
const (
	getControl = 0xc008561b
	setControl = 0xc008561c
)

// setControls sets what is wanted on a camera and says what the camera made
// differently of it.
func setControls(device string, wanted map[string]float64) ([]string, error) {
	list, err := controlsInOrder(wanted)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return negotiate(list, wanted, asker(f)), nil
}

// asker passes the kernel's requests about controls to an open camera.
func asker(f *os.File) func(request uintptr, id uint32, value *int32) error {
	return func(request uintptr, id uint32, value *int32) error {
		c := struct {
			id    uint32
			value int32
		}{id, *value}
		_, _, no := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(&c)))
		*value = c.value
		if no != 0 {
			return no
		}
		return nil
	}
}

// readControls are the controls that a camera has, with their values.
func readControls(device string) []Setting {
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return nil // it was open a moment ago; it will be missed soon enough
	}
	defer f.Close()
	return readAll(asker(f))
}

func readAll(ask func(request uintptr, id uint32, value *int32) error) (has []Setting) {
	for _, c := range controls {
		var v int32
		if ask(getControl, c.id, &v) == nil {
			has = append(has, Setting{c.name, int(v)})
		}
	}
	return has
}

// controlsInOrder picks the wanted controls, in the order in which they are set.
func controlsInOrder(wanted map[string]float64) ([]control, error) {
	var list []control
	var names []string
	for _, c := range controls {
		names = append(names, c.name)
		if v, ok := wanted[c.name]; ok {
			if v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
				return nil, fmt.Errorf("the control %s can't be %g: cameras count in whole numbers", c.name, v)
			}
			list = append(list, c)
		}
	}
	for name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no control is called %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	return list, nil
}

// negotiate sets each control and reads it back.
func negotiate(list []control, wanted map[string]float64, ask func(request uintptr, id uint32, value *int32) error) []string {
	var differ []string
	for _, c := range list {
		want := int32(wanted[c.name])
		v := want
		err := ask(setControl, c.id, &v)
		if err == nil {
			err = ask(getControl, c.id, &v)
		}
		switch {
		case errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOTTY):
			differ = append(differ, fmt.Sprintf("the camera has no control %s", c.name))
		case err != nil:
			differ = append(differ, fmt.Sprintf("the camera does not take %s %d (%v)", c.name, want, err))
		case v != want:
			differ = append(differ, fmt.Sprintf("%s %d was asked for, the camera took %d", c.name, want, v))
		}
	}
	return differ
}
