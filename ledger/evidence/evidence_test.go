package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func picture(session string, seq uint64, size int) Picture {
	return Picture{Session: session, Seq: seq, At: time.UnixMilli(1796000000123).UTC().Add(time.Duration(seq) * time.Second),
		JPEG:    append([]byte{0xff, 0xd8, 0xff, 0xe0}, bytes.Repeat([]byte{byte(seq)}, size-4)...),
		Reading: Reading{Rank: "8", Confidence: 0.41, Guess: []string{"8", "6"}, Frame: 80}}
}

func open(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestPutGet(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	s := open(t, dir, Options{})
	for seq := uint64(3); seq < 6; seq++ {
		if err := s.Put(ctx, picture("a", seq, 3000)); err != nil {
			t.Fatal(err)
		}
	}
	second := picture("a", 4, 2000)
	second.Rank = "6"
	if err := s.Put(ctx, second); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = open(t, dir, Options{})
	if got, err := s.Get(ctx, "a", 4); err != nil || !reflect.DeepEqual(got, second) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := s.Picture(ctx, "a", 3); err != nil || !bytes.Equal(got, picture("a", 3, 3000).JPEG) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, err := s.Picture(ctx, "a", 99); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := s.Get(ctx, "b", 4); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if list, err := s.List(ctx, "a"); err != nil || len(list) != 3 || list[1].Seq != 4 || list[1].Rank != "6" {
		t.Errorf("%+v, %v", list, err)
	}
	if s.Bytes() != 8000 {
		t.Errorf("%d bytes", s.Bytes())
	}
	if err := s.Put(ctx, picture("a", 9, 64<<10+1)); !errors.Is(err, ErrTooBig) {
		t.Error(err)
	}
	if err := s.Put(ctx, Picture{Session: "a", Seq: 9, JPEG: []byte("GIF89a")}); !errors.Is(err, ErrNoJPEG) {
		t.Error(err)
	}
}

// TestBound fills the store many times over: the file stays within reach of its
// bound, the newest cards are there and the oldest nights are gone.
func TestBound(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	const limit = 1 << 20
	s := open(t, dir, Options{MaxBytes: limit})
	for night := range 5 {
		for seq := range uint64(100) {
			if err := s.Put(ctx, picture(fmt.Sprint("night ", night), seq, 5000)); err != nil {
				t.Fatal(err)
			}
			if s.Bytes() > limit {
				t.Fatalf("%d bytes", s.Bytes())
			}
		}
	}
	var left []int
	for night := range 5 {
		list, err := s.List(ctx, fmt.Sprint("night ", night))
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, len(list))
	}
	if fmt.Sprint(left) != "[0 0 0 100 100]" {
		t.Errorf("left of the nights: %v", left)
	}
	// A night that is longer than the store keeps its newest cards.
	for seq := range uint64(500) {
		if err := s.Put(ctx, picture("long", seq, 5000)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List(ctx, "long")
	if err != nil || len(list) != limit/5000 || list[len(list)-1].Seq != 499 {
		t.Errorf("%d left, %v", len(list), err)
	}
	s.Close()
	if fi, err := os.Stat(filepath.Join(dir, File)); err != nil || fi.Size() > 2*limit {
		t.Errorf("the file has %d bytes, %v", fi.Size(), err)
	}
}

func TestMaxNights(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir(), Options{MaxNights: 2})
	for night := range 4 {
		if err := s.Put(ctx, picture(fmt.Sprint(night), 1, 100)); err != nil {
			t.Fatal(err)
		}
	}
	for night, want := range []bool{false, false, true, true} {
		if p, err := s.Picture(ctx, fmt.Sprint(night), 1); err != nil || (p != nil) != want {
			t.Errorf("night %d: kept %t, %v", night, p != nil, err)
		}
	}
}

// TestBroken opens a store whose file is no database: it is set aside and a new
// one begun.
func TestBroken(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, File), []byte(strings.Repeat("broken ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, Options{})
	if _, err := os.Stat(s.Aside()); err != nil {
		t.Error("the broken file was not kept:", err)
	}
	if err := s.Put(context.Background(), picture("a", 1, 100)); err != nil {
		t.Error(err)
	}
}
