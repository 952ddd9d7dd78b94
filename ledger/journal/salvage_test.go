package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSalvagePages breaks every page of a journal of two nights, one at a time,
// and then the head of the file: whatever entry lay elsewhere is saved, in its
// place and in its night.
func TestSalvagePages(t *testing.T) {
	src := t.TempDir()
	s := must(Open(src))(t)
	a, b := newNight("a"), newNight("b")
	la := a.play(t, s, 40)
	lb := b.play(t, s, 40)
	la = append(la, a.play(t, s, 60)...)
	must(0, s.Close())(t)
	db := must(os.ReadFile(filepath.Join(src, File)))(t)
	for page := 0; page < len(db)/4096; page++ {
		bad := slices.Clone(db)
		lost := map[string]bool{}
		for _, e := range slices.Concat(la, lb) {
			line := must(e.AppendLine(nil))(t)
			if at := bytes.Index(bad, line); at >= 0 && at/4096 <= page && (at+len(line)-1)/4096 >= page {
				lost[e.Hash] = true
			}
		}
		copy(bad[page*4096:], bytes.Repeat([]byte{0x5a}, 4096))
		dir := t.TempDir()
		must(0, os.WriteFile(filepath.Join(dir, File), bad, 0o600))(t)
		for id, list := range map[string][]Entry{"a": la, "b": lb} {
			if lost[list[0].Hash] {
				continue // whose night it was is lost with its first entry
			}
			got, err := Salvage(dir, id)
			if err != nil {
				t.Fatalf("page %d, night %s: %v", page, id, err)
			}
			// A page that was split has left copies behind, so more may be saved
			// than lay elsewhere. With the tree's root gone (a page near the front)
			// nothing tells a stretch of one night from the other's.
			saved, strange := map[string]bool{}, 0
			for _, e := range got.Entries {
				saved[e.Hash] = true
				if list[e.Seq-1].Hash != e.Hash {
					strange++
				}
			}
			want := 0
			for _, e := range list {
				if !lost[e.Hash] {
					want++
					if !saved[e.Hash] && page > 3 {
						t.Errorf("page %d, night %s: seq %d was not saved", page, id, e.Seq)
					}
				}
			}
			if strange > 0 && page > 3 || !slices.IsSortedFunc(got.Entries, func(a, b Entry) int { return int(a.Seq) - int(b.Seq) }) {
				t.Errorf("page %d, night %s: %d entries are another night's, missing %v", page, id, strange, got.Missing)
			}
			if len(got.Entries) < want/2 {
				t.Errorf("page %d, night %s: saved only %d of %d", page, id, len(got.Entries), want)
			}
		}
	}
	if _, err := Salvage(src, "nobody"); err == nil {
		t.Error("saved a night that never was")
	}
	if got, err := Salvage(src, "latest"); err != nil || got.Session != "b" || len(got.Entries) != 40 || len(got.Missing) != 0 {
		t.Errorf("a whole journal: %+v, %v", got.Missing, err)
	}
}
