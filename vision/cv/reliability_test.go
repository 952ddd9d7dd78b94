//go:build cgo

package cv

import (
	"encoding/csv"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// TestReliability measures worths anew, on the labelled pictures of the manifest
// named by LANSQUENET_PICTURES: of the unsure readings that rest on each witness, how
// many were right, and what they were said to be worth.
func TestReliability(t *testing.T) {
	manifest := os.Getenv("LANSQUENET_PICTURES")
	if manifest == "" {
		t.Skip("without LANSQUENET_PICTURES there are no pictures")
	}
	f, err := os.Open(manifest)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type sum struct {
		unsure, right, sure, wrong int
		said                       float64
	}
	of := map[string]*sum{}
	e := openTestEye(t)
	for _, row := range rows[1:] {
		file, label := row[slices.Index(rows[0], "file")], row[slices.Index(rows[0], "label")]
		f, err := ReadPicture(filepath.Join(filepath.Dir(manifest), file))
		if err != nil {
			t.Fatal(err)
		}
		full, err := gocv.NewMatFromBytes(f.H, f.W, gocv.MatTypeCV8UC3, f.Pix)
		if err != nil {
			t.Fatal(err)
		}
		l := look{eye: e, full: full, ask: vision.Ask{Effort: vision.Thorough}}
		e.find.begin(full, nil, image.Rect(0, 0, f.W, f.H), thoroughLong, 0)
		l.search()
		full.Close()
		kept, left := cards(l.seen, true), strings.Split(label, ";")
		slices.SortStableFunc(kept, byConfidence)
		for _, r := range kept {
			if r.Rank == card.NoRank || r.Confidence < 0.5 {
				continue
			}
			kind := [...]string{"both ends", "one end", "no end", "corner only", "index only"}[r.witness()]
			if r.bent {
				kind += ", bent"
			}
			if of[kind] == nil {
				of[kind] = &sum{}
			}
			k, at := of[kind], slices.Index(left, r.Rank.String())
			switch {
			case r.Confidence < vision.Sure:
				k.unsure++
				k.said += r.Confidence
				if at >= 0 {
					k.right++
				}
				continue
			case at >= 0:
				left = slices.Delete(left, at, at+1)
			default:
				k.wrong++
			}
			k.sure++
		}
	}
	for kind, k := range of {
		t.Logf("%-18s sure %5d, wrong %3d; unsure %4d, right %4d, worth %.2f", kind, k.sure, k.wrong, k.unsure, k.right, float64(k.right)/max(k.said, 1e-9))
	}
}
