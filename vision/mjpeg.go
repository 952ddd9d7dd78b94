package vision

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxJPEG bounds one picture of a stream, so that a broken one can't eat the memory.
const maxJPEG = 16 << 20

// JPEGs cuts a stream of JPEG pictures, one after another with anything
// between them, into single pictures. That is how rpicam-vid writes MJPEG and,
// with headers between, how phones and network cameras serve it.
type JPEGs struct {
	r   *bufio.Reader
	buf []byte
}

// NewJPEGs reads from r.
func NewJPEGs(r io.Reader) *JPEGs { return &JPEGs{r: bufio.NewReaderSize(r, 1<<16)} }

var errBigJPEG = errors.New("a picture larger than 16 MB: this is no MJPEG stream")

// Next is the next whole picture, valid until the following call. A picture cut
// off by the end of the stream is dropped; io.EOF ends.
func (j *JPEGs) Next() ([]byte, error) {
	// Skip to the start mark FF D8 FF.
	for skipped := 0; ; skipped++ {
		if skipped > maxJPEG {
			return nil, errBigJPEG
		}
		p, err := j.r.Peek(3)
		if err != nil {
			return nil, end(err)
		}
		if p[0] == 0xFF && p[1] == 0xD8 && p[2] == 0xFF {
			break
		}
		if _, err := j.r.Discard(1); err != nil {
			return nil, end(err)
		}
	}
	j.buf = j.buf[:0]
	for {
		part, err := j.r.ReadSlice(0xD9)
		j.buf = append(j.buf, part...)
		if err != nil && err != bufio.ErrBufferFull {
			return nil, end(err)
		}
		if len(j.buf) > maxJPEG {
			return nil, errBigJPEG
		}
		// Within a picture FF is always followed by 00 or a mark, so FF D9 is
		// its end; a thumbnail inside ends likewise, but is inside APP data.
		if err == nil && bytes.HasSuffix(j.buf, []byte{0xFF, 0xD9}) && !inHeader(j.buf) {
			return j.buf, nil
		}
	}
}

// inHeader says that the end of b lies within a header segment, as the end mark
// of an embedded thumbnail does.
func inHeader(b []byte) bool {
	i := 2
	for i+4 <= len(b) && b[i] == 0xFF {
		mark := b[i+1]
		if mark == 0xDA { // start of scan: what follows is the picture itself
			return false
		}
		if mark == 0xFF {
			i++
			continue
		}
		i += 2 + int(b[i+2])<<8 + int(b[i+3])
	}
	return i > len(b)
}

func end(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	return err
}
