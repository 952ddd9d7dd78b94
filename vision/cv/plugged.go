package cv

import "path/filepath"

// plugged is a USB camera wherever it is plugged in. It remembers which camera it
// was when it was first opened, because its number changes when it is plugged in
// again, and its old number may be another camera's then.
type plugged struct {
	device string // as the host wrote it, "" for the first camera
	names  string // folder in which each camera has a lasting name
	name   string // this camera's name there, "" while unknown
}

func plug(device string) *plugged {
	if device == "" {
		device = "/dev/video0"
	}
	return &plugged{device: device, names: "/dev/v4l/by-id"}
}

// find is where the camera is to be opened now. A camera put in the place of a
// broken one goes by what the host wrote.
func (p *plugged) find() string {
	if _, err := filepath.EvalSymlinks(p.name); p.name != "" && err == nil {
		return p.name
	}
	return p.device
}

// remember notes the lasting name of the camera that was just opened.
func (p *plugged) remember() {
	real, err := filepath.EvalSymlinks(p.device)
	if p.name != "" || err != nil {
		return
	}
	names, _ := filepath.Glob(filepath.Join(p.names, "*")) // the pattern is right
	for _, name := range names {
		if to, err := filepath.EvalSymlinks(name); err == nil && to == real {
			p.name = name
			return
		}
	}
}
