package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

// tornTail is how many bytes at the end of a write-ahead log belong to a write
// that was never finished: frames of the log's present run (they carry its salt)
// that fail their checksum, are cut short, or have no commit after them. SQLite
// drops them without a word; the table is to be told. The form of the log is
// that of https://sqlite.org/fileformat2.html#the_write_ahead_log.
func tornTail(path string) (int64, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return 0, err
	}
	r := bufio.NewReaderSize(f, 1<<16)
	head := make([]byte, 32)
	if _, err := io.ReadFull(r, head); err != nil {
		return fi.Size(), nil // even the header was never finished
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[3]&1 == 1 {
		order = binary.BigEndian
	}
	c := walSum{order: order}
	c.add(head[:24])
	if !c.is(head[24:]) {
		return 0, nil // no header of this log: nothing in it counts, or ever did
	}
	page := int64(binary.BigEndian.Uint32(head[8:]))
	if page < 512 || page > 65536 {
		return 0, nil
	}
	frame := make([]byte, 24+page)
	end, committed := int64(32), int64(32)
	for {
		n, err := io.ReadFull(r, frame)
		if err != nil {
			if n > 0 { // the file ends within a frame
				end += int64(n)
			}
			break
		}
		blank := binary.BigEndian.Uint64(frame[8:]) == 0
		if string(frame[8:16]) != string(head[16:24]) && !blank {
			break // left over from an earlier run
		}
		end += int64(len(frame))
		c.add(frame[:8])
		c.add(frame[24:])
		if !c.is(frame[16:]) {
			break
		}
		if binary.BigEndian.Uint32(frame[4:]) != 0 {
			committed = end
		}
	}
	return end - committed, nil
}

// walSum is the running checksum of a log.
type walSum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (c *walSum) add(p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		c.a += c.order.Uint32(p) + c.b
		c.b += c.order.Uint32(p[4:]) + c.a
	}
}

func (c *walSum) is(p []byte) bool {
	return binary.BigEndian.Uint32(p) == c.a && binary.BigEndian.Uint32(p[4:]) == c.b
}
