// Package doctor looks at the machine as a host would be asked to on the
// telephone: is there power enough, can the nights be kept, is the port free, is
// the reader there, does the camera give pictures, are the buttons wired. It
// promises to change nothing and to say of every trouble what to do about it.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"lansquenet/cmd/internal/config"
	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// Finding is one thing that was looked at.
type Finding struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
}

// Look looks at everything but the buttons, which hw knows best. open loads the
// reader as a night would.
func Look(ctx context.Context, c config.Config, open func() (vision.Eye, error)) []Finding {
	return []Finding{reader(open), camera(ctx, c), folder(c.Data.Dir), port(c.Web.Listen), power(ctx)}
}

func reader(open func() (vision.Eye, error)) Finding {
	f := Finding{Name: "reader"}
	version, binding := cv.Version()
	eye, err := open()
	if err != nil {
		f.Says = err.Error()
		return f
	}
	_ = eye.Close()
	f.OK, f.Says = true, fmt.Sprintf("OpenCV %s through GoCV %s; the nets are loaded", version, binding)
	return f
}

// camera opens the source, waits for a first picture, and says what of it is not
// as it was asked for.
func camera(ctx context.Context, c config.Config) Finding {
	f := Finding{Name: "camera"}
	if c.Camera.Source == "none" {
		f.OK, f.Says = true, "none: the host enters the cards on his page"
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 8*time.Second)
	defer cancel()
	var mu sync.Mutex // a camera that fails is opened again beside us
	var notes string
	src, err := cv.Open(ctx, c.Camera.Source, cv.SourceOptions{Width: c.Camera.Width, Height: c.Camera.Height, FPS: c.Camera.FPS, Controls: c.Camera.Controls,
		Note: func(s string) {
			mu.Lock()
			defer mu.Unlock()
			notes += "; " + s
		}})
	if err == nil {
		defer src.Close()
		frame, e := src.Next(ctx)
		if e == nil {
			mu.Lock()
			defer mu.Unlock()
			f.OK, f.Says = true, fmt.Sprintf("%s gives pictures of %d×%d%s", c.Camera.Source, frame.W, frame.H, notes)
			return f
		}
		err = e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("no picture within 8 seconds: check the cable, and that no other program has the camera")
	}
	f.Says = fmt.Sprintf("%s: %v", c.Camera.Source, err)
	return f
}

// folder tries whether a file can be made where the nights are to be kept, or
// where their folder would be made.
func folder(dir string) Finding {
	f := Finding{Name: "data"}
	at := dir
	for {
		if _, err := os.Stat(at); err == nil {
			break
		}
		if up := filepath.Dir(at); up != at {
			at = up
			continue
		}
		break
	}
	try, err := os.CreateTemp(at, ".lansquenet-doctor-")
	if err != nil {
		f.Says = fmt.Sprintf("%s cannot be written: give this user the right to, or name another folder with --data", dir)
		return f
	}
	_ = try.Close()
	_ = os.Remove(try.Name())
	f.OK, f.Says = true, dir+" can be written"
	var disk syscall.Statfs_t
	if syscall.Statfs(at, &disk) == nil {
		free := disk.Bavail * uint64(disk.Bsize) >> 20
		f.Says += fmt.Sprintf(", %d MB are free", free)
		if free < 100 {
			f.OK, f.Says = false, f.Says+": make room, a night with pictures takes about 50"
		}
	}
	return f
}

func port(addr string) Finding {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return Finding{"port", false, addr + " is in use, perhaps by a lansquenet that runs: stop it, or choose another with --listen"}
	} else if err != nil {
		return Finding{"port", false, fmt.Sprintf("%s: %v", addr, err)}
	}
	_ = l.Close()
	return Finding{"port", true, addr + " is free"}
}

func power(ctx context.Context) Finding {
	says, known := Power(ctx)
	switch {
	case !known:
		return Finding{"power", true, "this machine does not say (no Raspberry Pi, or vcgencmd is missing)"}
	case says != "":
		return Finding{"power", false, says}
	}
	return Finding{"power", true, "steady since the start"}
}

// Power says what a Raspberry Pi knows of its supply: "" when all is well, and
// false when the machine cannot tell.
func Power(ctx context.Context) (says string, known bool) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "vcgencmd", "get_throttled").Output()
	if err != nil {
		return "", false
	}
	return throttled(string(out))
}

// throttled reads "throttled=0x50005".
func throttled(line string) (says string, known bool) {
	_, hex, ok := strings.Cut(strings.TrimSpace(line), "=0x")
	bits, err := strconv.ParseUint(hex, 16, 32)
	if !ok || err != nil {
		return "", false
	}
	switch {
	case bits&1 != 0:
		return "The Raspberry Pi gets too little power: use its own supply and a short cable, or camera and buttons fail.", true
	case bits&8 != 0:
		return "The Raspberry Pi is too hot and has slowed down: give it air.", true
	case bits&0x10000 != 0:
		return "The Raspberry Pi has had too little power since it was started: use its own supply and a short cable.", true
	}
	return "", true
}
