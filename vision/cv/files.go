//go:build cgo

package cv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"gocv.io/x/gocv"

	"lansquenet/vision"
)

// pixels copies a BGR picture into buf, grown as needed.
func pixels(m gocv.Mat, buf []byte) ([]byte, error) {
	if m.Type() != gocv.MatTypeCV8UC3 {
		return buf, fmt.Errorf("a picture of an unexpected kind (%v)", m.Type())
	}
	b, err := m.DataPtrUint8()
	if err != nil {
		return buf, fmt.Errorf("picture not in one piece: %w", err)
	}
	return append(buf[:0], b...), nil
}

// video reads a film frame by frame, leaving none out, as fast as it is asked.
type video struct {
	name string
	cap  *gocv.VideoCapture
	mat  gocv.Mat
	fps  float64
	buf  []byte
	n    uint64
}

func openVideo(name string) (vision.FrameSource, error) {
	if err := readable(name); err != nil {
		return nil, err
	}
	c, err := gocv.VideoCaptureFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s: not a film that can be played (%v)", name, err)
	}
	v := &video{name: name, cap: c, mat: gocv.NewMat(), fps: c.Get(gocv.VideoCaptureFPS)}
	if v.fps < 1 || v.fps > 1000 {
		v.fps = 30
	}
	return v, nil
}

func (v *video) Next(ctx context.Context) (vision.Frame, error) {
	if err := ctx.Err(); err != nil {
		return vision.Frame{}, err
	}
	if !v.cap.Read(&v.mat) || v.mat.Empty() {
		if v.n == 0 {
			return vision.Frame{}, fmt.Errorf("%s: holds no picture that can be read; is the file whole?", v.name)
		}
		return vision.Frame{}, io.EOF
	}
	var err error
	if v.buf, err = pixels(v.mat, v.buf); err != nil {
		return vision.Frame{}, fmt.Errorf("%s: frame %d: %w", v.name, v.n, err)
	}
	f := vision.Frame{N: v.n, At: at(v.n, v.fps), W: v.mat.Cols(), H: v.mat.Rows(), Pix: v.buf}
	v.n++
	return f, nil
}

func (v *video) Close() error {
	v.mat.Close()
	return v.cap.Close()
}

func at(n uint64, fps float64) time.Duration {
	return time.Duration(float64(n) / fps * float64(time.Second))
}

// folder shows the pictures of a folder in the order of their names, as if
// filmed at 30 a second.
type folder struct {
	names []string
	note  func(string)
	buf   []byte
	n     uint64
	torn  int // how many could not be read
}

// PictureNames lists the pictures in a folder in the order of their names.
func PictureNames(dir string) ([]string, error) {
	es, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range es {
		switch strings.ToLower(filepath.Ext(e.Name())) {
		case ".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm":
			if !e.IsDir() {
				out = append(out, filepath.Join(dir, e.Name()))
			}
		}
	}
	sort.Strings(out)
	return out, nil
}

func openFolder(dir string, note func(string)) (vision.FrameSource, error) {
	names, err := PictureNames(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no pictures in this folder (.jpg, .png, .bmp or .webp)", dir)
	}
	return &folder{names: names, note: note}, nil
}

func (d *folder) Next(ctx context.Context) (vision.Frame, error) {
	if err := ctx.Err(); err != nil {
		return vision.Frame{}, err
	}
	if d.n >= uint64(len(d.names)) {
		return vision.Frame{}, io.EOF
	}
	f, err := readPicture(d.names[d.n], d.buf)
	n := d.n
	d.n++
	if err != nil {
		// One torn picture is left out, as in a film; its number stays free.
		d.torn++
		if d.torn == len(d.names) {
			return vision.Frame{}, err
		}
		d.note(err.Error() + "; it is left out")
		return d.Next(ctx)
	}
	d.buf = f.Pix
	f.N, f.At = n, at(n, 30)
	return f, nil
}

func (d *folder) Close() error { return nil }

// ReadPicture reads one picture file.
func ReadPicture(name string) (vision.Frame, error) { return readPicture(name, nil) }

func readPicture(name string, buf []byte) (vision.Frame, error) {
	if err := readable(name); err != nil {
		return vision.Frame{}, err
	}
	if err := whole(name); err != nil {
		return vision.Frame{}, err
	}
	m := gocv.IMRead(name, gocv.IMReadColor)
	defer m.Close()
	if m.Empty() {
		return vision.Frame{}, fmt.Errorf("%s: not a picture that can be read", name)
	}
	pix, err := pixels(m, buf)
	if err != nil {
		return vision.Frame{}, fmt.Errorf("%s: %w", name, err)
	}
	return vision.Frame{W: m.Cols(), H: m.Rows(), Pix: pix}, nil
}

// whole refuses JPEG and PNG files that are cut off, as by a full disk or a
// broken copy: OpenCV would fill the rest with grey and say nothing.
func whole(name string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	ok := true
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xD8, 0xFF}):
		// A picture ends with FF D9; some cameras write more after it, and a
		// thumbnail in the header has an end of its own.
		j := vision.NewJPEGs(bytes.NewReader(b))
		_, err := j.Next()
		ok = err == nil
	case bytes.HasPrefix(b, []byte("\x89PNG")):
		ok = bytes.Contains(b[max(0, len(b)-1<<16):], []byte("IEND"))
	}
	if !ok {
		return fmt.Errorf("%s: the picture is cut off; copy it again", name)
	}
	return nil
}

// readable says plainly why a file can't be opened.
func readable(name string) error {
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", name)
	case err != nil:
		return err
	case st.IsDir():
		return fmt.Errorf("%s: is a folder, not a file", name)
	case st.Size() == 0:
		return fmt.Errorf("%s: the file is empty", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}
