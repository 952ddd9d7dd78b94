package scene

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"io"

	"lansquenet/vision"
)

// Record draws until the hand has nothing more to do and a second longer, and
// writes the pictures to video as Motion JPEG (a file NAME.mjpeg) and a line a
// dealt card to truth (NAME.truth.jsonl), as a set of clips for measuring has
// them.
func (s *Scene) Record(ctx context.Context, video, truth io.Writer) error {
	for rest := int(s.opt.FPS); s.Busy() || rest > 0; {
		if !s.Busy() {
			rest--
		}
		f, err := s.Next(ctx)
		if err != nil {
			return err
		}
		b, err := picture(f)
		if err != nil {
			return fmt.Errorf("scene: frame %d: %w", f.N, err)
		}
		if _, err := video.Write(b); err != nil {
			return fmt.Errorf("scene: frame %d: %w", f.N, err)
		}
	}
	lines := json.NewEncoder(truth)
	for _, t := range s.truths {
		if t.Covered == 0 {
			t.Covered = s.n.Load()
		}
		if err := lines.Encode(t); err != nil {
			return fmt.Errorf("scene: truth of card %d: %w", t.I, err)
		}
	}
	return nil
}

// picture is the frame as JPEG, of a quality that a camera's has.
func picture(f vision.Frame) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, f.W, f.H))
	for i := range f.W * f.H {
		p, q := f.Pix[3*i:][:3], img.Pix[4*i:][:4]
		q[0], q[1], q[2], q[3] = p[2], p[1], p[0], 255
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90})
	return b.Bytes(), err
}
