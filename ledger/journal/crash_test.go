package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMain lets this program stand in for a second one (see TestTwoPrograms).
func TestMain(m *testing.M) {
	if dir := os.Getenv("JOURNAL_TEST_HOLD"); dir != "" {
		s, err := Open(dir)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("open")
		_, _ = io.Copy(io.Discard, os.Stdin) // until our end is closed, or we are killed
		s.Close()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// long says whether to take the time that nobody has at every change: `make
// kills` and the nightly run do.
func long() bool { return os.Getenv("LANSQUENET_LONG") != "" }

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// good reads every night and says how many entries stand there, or what is wrong.
func good(s *SQLite) (map[string][]Entry, error) {
	if err := s.Check(context.Background()); err != nil {
		return nil, err
	}
	all, err := s.Sessions(context.Background())
	if err != nil {
		return nil, err
	}
	out := make(map[string][]Entry)
	for _, n := range all {
		list, err := collect(s, n.ID, 0)
		if err != nil {
			return nil, err
		}
		var c Chain
		for i := range list {
			if err := c.Add(&list[i]); err != nil {
				return nil, err
			}
		}
		if c.Seq != n.Entries {
			return nil, &Damage{Seq: c.Seq + 1, What: "missing"}
		}
		out[n.ID] = list
	}
	return out, nil
}

func TestTwoPrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_HOLD="+dir)
	in := must(cmd.StdinPipe())(t)
	defer in.Close()
	out := bufio.NewReader(must(cmd.StdoutPipe())(t))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line := must(out.ReadString('\n'))(t); line != "open\n" {
		t.Fatal(line)
	}
	_, err := Open(dir)
	var used *InUse
	if !errors.As(err, &used) || used.PID != cmd.Process.Pid || !strings.Contains(err.Error(), fmt.Sprint(cmd.Process.Pid)) {
		t.Errorf("the second program got %v, the first is %d", err, cmd.Process.Pid)
	}
	r := must(OpenRead(dir))(t)
	if _, err := good(r); err != nil {
		t.Error("reading beside the writer:", err)
	}
	r.Close()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	s, err := Open(dir)
	if err != nil {
		t.Fatal("after the first was killed:", err)
	}
	newNight("a").play(t, s, 3)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestFolderGone(t *testing.T) {
	for name, lose := range map[string]func(dir string) error{
		"removed":  os.RemoveAll,
		"replaced": func(dir string) error { return errors.Join(os.Rename(dir, dir+".old"), os.Mkdir(dir, 0o700)) },
		"a twin in its place": func(dir string) error {
			return errors.Join(os.Rename(dir, dir+".old"), os.CopyFS(dir, os.DirFS(dir+".old")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			s := must(Open(dir))(t)
			defer s.Close()
			n := newNight("a")
			n.play(t, s, 5)
			if err := lose(dir); err != nil {
				t.Fatal(err)
			}
			err := s.Append(context.Background(), "a", n.next(t, ""))
			if err == nil || !strings.Contains(err.Error(), "no longer where it was") {
				t.Errorf("an entry that nobody will find was acknowledged: %v", err)
			}
		})
	}
}

// mount makes a small file system of its own, or skips the test.
func mount(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return dir
}

func remount(t *testing.T, dir, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Skipf("remount: %v: %s", err, out)
	}
}

func TestDiskFull(t *testing.T) {
	dir := mount(t, "512k")
	s := must(Open(dir))(t)
	n := newNight("a")
	list := n.play(t, s, 1)
	ctx := context.Background()
	var full error
	for full == nil {
		e := n.next(t, "")
		if full = s.Append(ctx, "a", e); full == nil {
			list = append(list, e)
		}
	}
	if !strings.Contains(full.Error(), "disk is full") {
		t.Errorf("the sentence is %v", full)
	}
	s.Close()
	t.Logf("full after %d entries: %v", len(list), full)

	// The disk is still full: what was acknowledged can be read.
	r := must(OpenRead(dir))(t)
	got, err := good(r)
	if err != nil || !same(got["a"], list) {
		t.Errorf("while full: %d of %d entries, %v", len(got["a"]), len(list), err)
	}
	r.Close()

	remount(t, dir, "size=4m")
	s = must(Open(dir))(t)
	defer s.Close()
	if got, err := good(s); err != nil || !same(got["a"], list) {
		t.Errorf("after making room: %d of %d entries, %v", len(got["a"]), len(list), err)
	}
	n.seq, n.head = uint64(len(list)), list[len(list)-1].Hash
	n.play(t, s, n.seq+50)
}

func TestReadOnlyDisk(t *testing.T) {
	dir := mount(t, "4m")
	s := must(Open(dir))(t)
	n := newNight("a")
	list := n.play(t, s, 30)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	remount(t, dir, "ro")
	if _, err := Open(dir); !errors.Is(err, syscall.EROFS) {
		t.Errorf("writing to a read-only disk: %v", err)
	} else {
		t.Log(err)
	}
	r, err := OpenRead(dir)
	if err != nil {
		t.Fatal("reading from a read-only disk:", err)
	}
	if got, err := good(r); err != nil || !same(got["a"], list) {
		t.Errorf("reading from a read-only disk: %d entries, %v", len(got["a"]), err)
	}
	r.Close()
}

// TestCut takes copies of a journal as a power cut could leave it, the log cut
// at every 512 bytes of the last transactions, and what follows the cut missing,
// blank or garbage. Each opens to a prefix that holds everything which was
// complete at the cut, and says when something was torn.
func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	src := t.TempDir()
	s := must(Open(src))(t)
	defer s.Close()
	n := newNight("a")
	list := n.play(t, s, 20)
	size := func() int64 { return must(os.Stat(s.path + "-wal"))(t).Size() }
	from := size()
	ends := map[uint64]int64{} // where the log ended when an entry was acknowledged
	last := uint64(26)
	if long() {
		last = 60
	}
	for n.seq < last {
		list = append(list, n.play(t, s, n.seq+1)...)
		ends[n.seq] = size()
	}
	db, wal := must(os.ReadFile(s.path))(t), must(os.ReadFile(s.path+"-wal"))(t)
	cuts, torn := 0, 0
	for at := from; at <= int64(len(wal)); at += 512 {
		for _, tail := range []string{"missing", "blank", "garbage"} {
			cut := append([]byte(nil), wal[:at]...)
			if rest := len(wal) - int(at); tail == "blank" {
				cut = append(cut, make([]byte, rest)...)
			} else if tail == "garbage" {
				for range rest {
					cut = append(cut, byte(rng.Uint32()))
				}
			}
			dir := t.TempDir()
			must(0, os.WriteFile(filepath.Join(dir, File), db, 0o600))(t)
			must(0, os.WriteFile(filepath.Join(dir, File+"-wal"), cut, 0o600))(t)
			c, err := Open(dir)
			if err != nil {
				t.Fatalf("cut at %d, the rest %s: %v", at, tail, err)
			}
			got, err := good(c)
			if err != nil {
				t.Fatalf("cut at %d, the rest %s: %v", at, tail, err)
			}
			want := uint64(20)
			for seq, end := range ends {
				if end <= at {
					want = max(want, seq)
				}
			}
			if len(got["a"]) != int(want) || !same(got["a"], list[:want]) {
				t.Errorf("cut at %d, the rest %s: %d entries, %d were complete", at, tail, len(got["a"]), want)
			}
			clean := at == from || ends[want] == at
			if tail == "missing" && (c.Torn() > 0) == clean {
				t.Errorf("cut at %d: says that %d bytes were torn", at, c.Torn())
			}
			cuts++
			if c.Torn() > 0 {
				torn++
			}
			// The night goes on from there.
			again := *n
			again.seq, again.head = want, list[want-1].Hash
			again.play(t, c, want+1)
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	t.Logf("%d cuts of the log, %d said to be torn", cuts, torn)
}

// TestCutDatabase cuts the database file itself, which no power cut does, at
// every 512 bytes: it opens to a prefix or is refused with a sentence.
func TestCutDatabase(t *testing.T) {
	src := t.TempDir()
	s := must(Open(src))(t)
	n := newNight("a")
	list := n.play(t, s, 60)
	must(0, s.Close())(t)
	db := must(os.ReadFile(filepath.Join(src, File)))(t)
	cuts, refused := 0, 0
	for at := len(db) - 512; at >= 0; at -= 512 {
		dir := t.TempDir()
		must(0, os.WriteFile(filepath.Join(dir, File), db[:at], 0o600))(t)
		cuts++
		c, err := Open(dir)
		if err == nil {
			var got map[string][]Entry
			if got, err = good(c); err == nil {
				if have := got["a"]; !same(have, list[:len(have)]) {
					t.Errorf("cut at %d: no prefix", at)
				}
				if at > 0 {
					t.Errorf("cut at %d: %d entries and not a word", at, len(got["a"]))
				}
			}
			c.Close()
		}
		if err != nil {
			refused++
		}
	}
	t.Logf("%d cuts of the database, %d refused", cuts, refused)
}

// TestFlip flips bits anywhere in a journal: each is found, or it lay where
// nothing is stored and everything still reads the same.
func TestFlip(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	src := t.TempDir()
	s := must(Open(src))(t)
	a := newNight("a").play(t, s, 60)
	b := newNight("b").play(t, s, 20)
	must(0, s.Close())(t)
	db := must(os.ReadFile(filepath.Join(src, File)))(t)
	flips, found := 200, 0
	if long() {
		flips = 5000
	}
	for range flips {
		bit := rng.IntN(len(db) * 8)
		dir := t.TempDir()
		bad := append([]byte(nil), db...)
		bad[bit/8] ^= 1 << (bit % 8)
		must(0, os.WriteFile(filepath.Join(dir, File), bad, 0o600))(t)
		c, err := OpenRead(dir)
		var got map[string][]Entry
		if err == nil {
			got, err = good(c)
			c.Close()
		}
		switch {
		case err != nil:
			found++
		case !same(got["a"], a) || !same(got["b"], b) || len(got) != 2:
			t.Errorf("seed %d: bit %d of byte %d was flipped, the entries changed, and nobody noticed", seed, bit%8, bit/8)
		}
	}
	t.Logf("seed %d: %d flips in %d bytes, %d found, %d where nothing is stored", seed, flips, len(db), found, flips-found)
}

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	s := must(Open(dir))(t)
	defer s.Close()
	n := newNight("a")
	n.play(t, s, 50)
	file := filepath.Join(t.TempDir(), "backup.sqlite")
	done := make(chan error, 1)
	r := must(OpenRead(dir))(t)
	defer r.Close()
	go func() {
		var err error
		for range 5 {
			err = errors.Join(err, r.Backup(context.Background(), file))
		}
		done <- err
	}()
	list := n.play(t, s, 300)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	must(0, r.Backup(context.Background(), file))(t)
	b := must(OpenRead(file))(t)
	defer b.Close()
	got, err := good(b)
	if err != nil || len(got["a"]) != 300 || !same(got["a"][50:], list) {
		t.Errorf("the backup has %d entries, %v", len(got["a"]), err)
	}
	if err := r.Backup(context.Background(), s.path); err == nil {
		t.Error("the journal was replaced by a backup of itself")
	}
	if err := r.Backup(context.Background(), dir); err == nil {
		t.Error("a folder was taken for a file")
	}
	if err := r.Backup(context.Background(), filepath.Join(dir, "nowhere", "x")); err == nil {
		t.Error("a backup into a folder that is not there succeeded")
	}
}

func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	must(0, os.WriteFile(filepath.Join(dir, File), []byte(strings.Repeat("no database ", 999)), 0o600))(t)
	if _, err := Open(dir); err == nil {
		t.Error("a text was taken for a journal")
	}
	if _, err := OpenRead(dir); err == nil {
		t.Error("a text was taken for a journal")
	}
	if _, err := Open(filepath.Join(dir, File)); err == nil {
		t.Error("a file was taken for a folder")
	}
	if _, err := OpenRead(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	cut := t.TempDir() // the power went while the journal was being made
	must(0, os.WriteFile(filepath.Join(cut, File), nil, 0o600))(t)
	if _, err := OpenRead(cut); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty file: %v", err)
	}
	must(0, must(Open(cut))(t).Close())(t)
	must(0, must(OpenRead(cut))(t).Close())(t)
	later := t.TempDir()
	s := must(Open(later))(t)
	must(s.w.Exec("PRAGMA user_version = 2"))(t)
	must(0, s.Close())(t)
	if _, err := Open(later); !errors.Is(err, ErrLater) {
		t.Errorf("a journal of the future: %v", err)
	}
	other := t.TempDir()
	db := must(connect(filepath.Join(other, File), "rwc", ""))(t)
	must(db.Exec("CREATE TABLE t (x)"))(t)
	db.Close()
	if _, err := Open(other); err == nil {
		t.Error("another program's database was taken for a journal")
	}
}
