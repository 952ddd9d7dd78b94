//go:build cgo

package cv

/*
#cgo pkg-config: opencv4
#cgo CXXFLAGS: -std=c++11
void lansquenet_one_thread(void);
*/
import "C"

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// One thread: the pictures are small, and on a Raspberry Pi the other cores
// have the page and the journal to look after.
func init() { C.lansquenet_one_thread() }

// Version names the OpenCV that is linked and the GoCV that binds it.
func Version() (opencv, gocvVersion string) { return gocv.OpenCVVersion(), gocv.Version() }

// Open opens a source as it is written on the command line: a film, a folder
// of pictures, v4l2:DEVICE, rpicam[:OPTIONS], http://…, or gst:PIPELINE.
func Open(ctx context.Context, source string, o SourceOptions) (vision.FrameSource, error) {
	kind, rest, _ := strings.Cut(source, ":")
	switch {
	case source == "":
		return nil, fmt.Errorf("no camera named: give a film, a folder of pictures, v4l2:/dev/video0, rpicam, http://… or gst:…")
	case kind == "v4l2":
		p := plug(rest)
		return openLive(ctx, o, func(context.Context) (vision.Grabber, error) {
			g, err := openV4L2(p.find(), o)
			if err == nil {
				p.remember()
			}
			return g, err
		})
	case kind == "rpicam":
		return openLive(ctx, o, func(ctx context.Context) (vision.Grabber, error) { return openRpicam(ctx, rest, o) })
	case kind == "http" || kind == "https":
		return openLive(ctx, o, func(ctx context.Context) (vision.Grabber, error) { return openHTTP(ctx, source, o) })
	case kind == "gst":
		return openLive(ctx, o, func(context.Context) (vision.Grabber, error) { return openGst(rest, o) })
	}
	if st, err := os.Stat(source); err == nil && st.IsDir() {
		return openFolder(source, o.note)
	}
	switch strings.ToLower(filepath.Ext(source)) {
	case ".mp4", ".avi", ".mkv", ".mjpeg", ".mjpg", ".mov", ".webm", ".m4v":
		return openVideo(source)
	}
	if _, err := os.Stat(source); err != nil {
		return nil, fmt.Errorf("%s: there is no such file or folder", source)
	}
	return nil, fmt.Errorf("%s: not a source: give a film (.mp4 .avi .mkv .mjpeg), a folder of pictures, v4l2:/dev/video0, rpicam, http://… or gst:…", source)
}

func openLive(ctx context.Context, o SourceOptions, open func(context.Context) (vision.Grabber, error)) (vision.FrameSource, error) {
	return vision.KeepNewest(ctx, open, vision.LiveOptions{Patient: o.Patient})
}
