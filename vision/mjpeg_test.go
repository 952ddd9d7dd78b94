package vision

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

func jpegBytes(t *testing.T, w int, seed uint64) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	img := image.NewGray(image.Rect(0, 0, w, w))
	for i := range img.Pix {
		img.Pix[i] = byte(r.IntN(256))
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJPEGsCutsStreams(t *testing.T) {
	a, b := jpegBytes(t, 40, 1), jpegBytes(t, 64, 2)
	// A thumbnail inside the header has an end mark of its own.
	thumb := append([]byte{0xFF, 0xD8, 0xFF, 0xE1, 0, 12, 'E', 'x', 'i', 'f', 0xFF, 0xD8, 0xFF, 0xD9, 0, 0}, a[2:]...)
	multipart := []byte("--frame\r\nContent-Type: image/jpeg\r\n\r\n")
	for name, c := range map[string]struct {
		stream [][]byte
		want   [][]byte
	}{
		"one after another": {[][]byte{a, b, a}, [][]byte{a, b, a}},
		"multipart":         {[][]byte{multipart, a, []byte("\r\n"), multipart, b}, [][]byte{a, b}},
		"rubbish between":   {[][]byte{{0xFF, 0, 0xD8, 0xFF}, a, {0xFF, 0xFF, 0xD9}, b}, [][]byte{a, b}},
		"cut off":           {[][]byte{a, b[:len(b)/2]}, [][]byte{a}},
		"thumbnail":         {[][]byte{thumb, b}, [][]byte{thumb, b}},
		"empty":             {nil, nil},
	} {
		for _, slow := range []bool{false, true} {
			var r io.Reader = bytes.NewReader(bytes.Join(c.stream, nil))
			if slow {
				r = iotest.OneByteReader(r)
			}
			j := NewJPEGs(r)
			for i, want := range c.want {
				got, err := j.Next()
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%s: picture %d: %d bytes, %v; want %d", name, i, len(got), err, len(want))
				}
			}
			if _, err := j.Next(); !errors.Is(err, io.EOF) {
				t.Fatalf("%s: after the last picture: %v", name, err)
			}
		}
	}
}

func FuzzJPEGs(f *testing.F) {
	f.Add([]byte{0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0xFF, 0xD9})
	f.Fuzz(func(t *testing.T, b []byte) {
		j := NewJPEGs(bytes.NewReader(b))
		for range len(b) + 1 {
			p, err := j.Next()
			if err != nil {
				return
			}
			if len(p) < 5 || p[0] != 0xFF || p[1] != 0xD8 || !bytes.HasSuffix(p, []byte{0xFF, 0xD9}) {
				t.Fatalf("not a picture: % x", p)
			}
		}
		t.Fatal("more pictures than bytes")
	})
}
