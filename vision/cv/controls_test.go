//go:build cgo && linux

package cv

import (
	"strings"
	"syscall"
	"testing"

	"gocv.io/x/gocv"
)

// TestControlsAreReadBack plays a camera that clamps its gain, has no focus, and
// refuses an exposure while it chooses that itself.
func TestControlsAreReadBack(t *testing.T) {
	wanted := map[string]float64{"exposure": 156, "auto_exposure": 1, "gain": 900, "focus": 5, "power_line": 1}
	list, err := controlsInOrder(wanted)
	if err != nil {
		t.Fatal(err)
	}
	names := map[uint32]string{}
	for _, c := range controls {
		names[c.id] = c.name
	}
	has := map[string]int32{"exposure": 300, "auto_exposure": 3, "gain": 10, "power_line": 2}
	differ := negotiate(list, wanted, func(request uintptr, id uint32, value *int32) error {
		name := names[id]
		if _, ok := has[name]; !ok {
			return syscall.EINVAL
		}
		if request == getControl {
			*value = has[name]
			return nil
		}
		if name == "exposure" && has["auto_exposure"] != 1 {
			return syscall.EACCES
		}
		has[name] = min(*value, 255)
		return nil
	})
	got := strings.Join(differ, "; ")
	if got != "the camera has no control focus; gain 900 was asked for, the camera took 255" {
		t.Error(got)
	}
	if has["exposure"] != 156 || has["power_line"] != 1 {
		t.Errorf("the camera has %v", has)
	}
}

// TestControlsOnThePage: what the camera has is read, what it lacks is left out.
func TestControlsOnThePage(t *testing.T) {
	has := readAll(func(request uintptr, id uint32, value *int32) error {
		if request != getControl || id != 0x980918 && id != 0x980913 {
			return syscall.EINVAL
		}
		*value = 7
		return nil
	})
	if len(has) != 2 || has[0] != (Setting{"power_line", 7}) || has[1] != (Setting{"gain", 7}) {
		t.Errorf("%v", has)
	}
}

func TestWrongControlsAreNamed(t *testing.T) {
	for name, v := range map[string]float64{"shutter": 1, "focus": 0.5, "gain": 1e12} {
		if _, err := setControls("/dev/null", map[string]float64{name: v}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%g: %v", name, v, err)
		}
	}
	// What is no camera has no controls; that is told, not fatal.
	if differ, err := setControls("/dev/null", map[string]float64{"gain": 1}); err != nil || len(differ) != 1 {
		t.Errorf("%v, %v", differ, err)
	}
}

// TestFormatIsAskedInOrder: MJPG must come before size and rate, or a camera
// picks raw pictures at a tenth of the rate.
func TestFormatIsAskedInOrder(t *testing.T) {
	f := formatOf(SourceOptions{Width: 640, Height: 480})
	if f[0].prop != gocv.VideoCaptureFOURCC || f[1].want != 640 || f[2].want != 480 || f[3].want != 30 {
		t.Errorf("%+v", f)
	}
	if says := f[0].tell(codec("YUYV")); says != "the format YUYV" {
		t.Error(says)
	}
	if says := f[0].tell(0); says != "the format number 0" {
		t.Error(says)
	}
}
