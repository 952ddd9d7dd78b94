package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"lansquenet/ledger/card"
	"lansquenet/vision"
)

// runEval measures the reader on a labelled set of pictures or clips.
func runEval(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "eval")
	asJSON := fs.Bool("json", false, "print one JSON object a picture or clip, and the sum last")
	deck := fs.String("deck", "", "read a taught deck by its `NAME`")
	data := dataFlag(fs)
	rest, err := parse(fs, args, 1, 1)
	if err != nil {
		return err
	}
	eye, err := openEye(*deck, *data)
	if err != nil {
		return err
	}
	defer eye.Close()
	st, err := os.Stat(rest[0])
	switch {
	case err != nil:
		return fmt.Errorf("%s: there is no such manifest, clip or folder", rest[0])
	case st.IsDir():
		truths, err := truthsIn(rest[0])
		if err != nil {
			return err
		}
		return evalClips(ctx, t, eye, truths, *asJSON)
	case isFilm(rest[0]) || strings.HasSuffix(rest[0], truthExt):
		truth := strings.TrimSuffix(rest[0], filepath.Ext(rest[0])) + truthExt
		if strings.HasSuffix(rest[0], truthExt) {
			truth = rest[0]
		}
		if _, err := os.Stat(truth); err != nil {
			return fmt.Errorf("%s: its truth %s is missing: a line for each deal with rank, appear, settled and covered", rest[0], truth)
		}
		return evalClips(ctx, t, eye, []string{truth}, *asJSON)
	}
	return evalPhotos(ctx, t, eye, rest[0], *asJSON)
}

// tally counts pictures by what became of them.
type tally struct {
	Images int `json:"images"`
	Right  int `json:"right"`
	Wrong  int `json:"wrong"`
	Unsure int `json:"unsure"`
	None   int `json:"none"`
}

func (y *tally) add(verdict string) {
	y.Images++
	switch verdict {
	case "right":
		y.Right++
	case "wrong":
		y.Wrong++
	case "unsure":
		y.Unsure++
	default:
		y.None++
	}
}

// several counts the cards in pictures that hold more than one.
type several struct {
	Cards  int `json:"cards"`
	Found  int `json:"found"`
	Extra  int `json:"extra"`
	Unsure int `json:"unsure"`
}

// band is one line of the reliability table: of the readings with a confidence
// in it, how many were right.
type band struct {
	From  float64 `json:"from"`
	Cards int     `json:"cards"`
	Right int     `json:"right"`
}

var bandFrom = []float64{0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99, 0.999}

// photoScore is eval's last line for pictures.
type photoScore struct {
	tally
	ByRank      map[string]*tally         `json:"by_rank"`
	BySource    map[string]*tally         `json:"by_source"`
	Several     map[string]*several       `json:"several,omitempty"`
	Confusion   map[string]map[string]int `json:"confusion,omitempty"`
	Reliability []band                    `json:"reliability"`
	P50         float64                   `json:"p50_ms"`
}

// evalPhotos reads a manifest with the columns file, kind, label and source;
// file is relative to the manifest, label the ranks in the picture with ";"
// between them.
func evalPhotos(ctx context.Context, t terminal, eye vision.Eye, manifest string, asJSON bool) error {
	rows, err := readManifest(manifest)
	if err != nil {
		return err
	}
	sum := photoScore{ByRank: map[string]*tally{}, BySource: map[string]*tally{}, Several: map[string]*several{}, Confusion: map[string]map[string]int{}}
	for _, from := range bandFrom {
		sum.Reliability = append(sum.Reliability, band{From: from})
	}
	enc := json.NewEncoder(t.out)
	var ms []float64
	unreadable := 0
	for _, r := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := classifyFile(eye, filepath.Join(filepath.Dir(manifest), r.file))
		c.File = r.file
		if c.Error == "" {
			ms = append(ms, c.Ms)
		} else {
			unreadable++
		}
		verdict := sum.score(r, c.Cards)
		if asJSON {
			err = enc.Encode(struct {
				classified
				Label   string `json:"label"`
				Verdict string `json:"verdict"`
			}{c, r.label, verdict})
		} else if verdict != "right" {
			got := describe(c.Cards)
			if c.Error != "" {
				got = c.Error
			}
			_, err = fmt.Fprintf(t.out, "%-8s %s is %s: %s\n", verdict, r.file, r.label, got)
		}
		if err != nil {
			return err
		}
	}
	sum.P50 = thousandth(median(ms))
	if asJSON {
		err = enc.Encode(sum)
	} else {
		err = sum.print(t.out)
	}
	if err == nil && unreadable > 0 {
		err = fmt.Errorf("%s: %d of its %d pictures can't be read; they count as none", manifest, unreadable, len(rows))
	}
	return err
}

// score enters one picture and says what became of it.
func (s *photoScore) score(r photo, cards []seenCard) string {
	want := r.ranks
	var sure, doubt []string
	for _, c := range cards {
		switch {
		case c.Rank == nil:
		case c.Unsure:
			doubt = append(doubt, c.Rank.String())
		default:
			sure = append(sure, c.Rank.String())
		}
	}
	left := slices.Clone(want)
	take := func(rank string) bool {
		i := slices.Index(left, rank)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
		return true
	}
	found, extra := 0, 0
	for _, c := range cards {
		if c.Rank == nil {
			continue
		}
		hit := take(c.Rank.String())
		s.reliable(c.Confidence, hit)
		switch {
		case c.Unsure && hit:
			left = append(left, c.Rank.String()) // a doubtful reading finds nothing
		case c.Unsure:
		case hit:
			found++
		default:
			extra++
		}
	}
	verdict := "none"
	switch {
	case extra > 0:
		verdict = "wrong"
	case found == len(want) && (len(want) > 0 || len(doubt) == 0):
		verdict = "right"
	case found+len(doubt) > 0:
		verdict = "unsure"
	}
	s.add(verdict)
	at(s.BySource, r.source).add(verdict)
	if len(want) == 1 {
		at(s.ByRank, want[0]).add(verdict)
		if verdict == "wrong" {
			if s.Confusion[want[0]] == nil {
				s.Confusion[want[0]] = map[string]int{}
			}
			for _, got := range sure {
				if got != want[0] {
					s.Confusion[want[0]][got]++
				}
			}
		}
		return verdict
	}
	if len(want) == 0 {
		return verdict
	}
	m := at(s.Several, r.source)
	m.Cards += len(want)
	m.Found += found
	m.Extra += extra
	m.Unsure += len(doubt)
	return verdict
}

func (s *photoScore) reliable(confidence float64, right bool) {
	for i := len(s.Reliability) - 1; i >= 0; i-- {
		if b := &s.Reliability[i]; confidence >= b.From {
			b.Cards++
			if right {
				b.Right++
			}
			return
		}
	}
}

func at[T any](m map[string]*T, key string) *T {
	if m[key] == nil {
		m[key] = new(T)
	}
	return m[key]
}

func (s *photoScore) print(w io.Writer) error {
	var b strings.Builder
	line := func(name string, y *tally) {
		fmt.Fprintf(&b, "%-18s %6d %6d %6d %6d %6d\n", name, y.Images, y.Right, y.Wrong, y.Unsure, y.None)
	}
	fmt.Fprintf(&b, "\n%-18s %6s %6s %6s %6s %6s\n", "", "images", "right", "wrong", "unsure", "none")
	for _, k := range sorted(s.BySource) {
		line(k, s.BySource[k])
	}
	for _, r := range card.All {
		if y := s.ByRank[r.String()]; y != nil {
			line(r.String(), y)
		}
	}
	line("all", &s.tally)
	for _, k := range sorted(s.Several) {
		m := s.Several[k]
		fmt.Fprintf(&b, "%-18s %d cards, %d found, %d extra, %d unsure\n", k, m.Cards, m.Found, m.Extra, m.Unsure)
	}
	for _, k := range sorted(s.Confusion) {
		for _, got := range sorted(s.Confusion[k]) {
			fmt.Fprintf(&b, "%s read as %s: %d\n", k, got, s.Confusion[k][got])
		}
	}
	for _, r := range s.Reliability {
		if r.Cards > 0 {
			fmt.Fprintf(&b, "confidence from %-5g %6d readings, %6.2f %% right\n", r.From, r.Cards, 100*float64(r.Right)/float64(r.Cards))
		}
	}
	fmt.Fprintf(&b, "%.1f ms for the middle picture\n", s.P50)
	_, err := io.WriteString(w, b.String())
	return err
}

func sorted[T any](m map[string]T) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// median is the middle of the values, 0 of none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}

// photo is one line of a manifest.
type photo struct {
	file, kind, label, source string
	ranks                     []string // those in label; none for a back, a joker or an empty table
}

// ranksIn reads a label: ranks with ";" between them, or a word for a picture
// in which there is none.
func ranksIn(label string) ([]string, error) {
	var out []string
	for _, p := range strings.Split(label, ";") {
		p = strings.TrimSpace(p)
		switch strings.ToLower(p) {
		case "", "none", "back", "joker", "blank":
			continue
		}
		r, err := card.ParseRank(p)
		if err != nil {
			return nil, err
		}
		out = append(out, r.String())
	}
	return out, nil
}

func readManifest(name string) ([]photo, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := bufio.NewReader(f)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" { // spreadsheets begin a file so
		_, _ = text.Discard(3) // they were just seen
	}
	r := csv.NewReader(text)
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: the manifest is empty", name)
	}
	col := map[string]int{}
	for i, h := range rows[0] {
		col[strings.TrimSpace(h)] = i
	}
	var out []photo
	field := func(row []string, name string) string {
		if i, ok := col[name]; ok && i < len(row) {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	for _, need := range []string{"file", "label"} {
		if _, ok := col[need]; !ok {
			return nil, fmt.Errorf("%s: the first line must name the columns file, kind, label and source; %s is missing", name, need)
		}
	}
	for i, row := range rows[1:] {
		p := photo{file: field(row, "file"), kind: field(row, "kind"), label: field(row, "label"), source: field(row, "source")}
		if p.file == "" {
			return nil, fmt.Errorf("%s: picture %d has no file", name, i+1)
		}
		if p.ranks, err = ranksIn(p.label); err != nil {
			return nil, fmt.Errorf("%s: picture %d, %s: %w", name, i+1, p.file, err)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: the manifest names no pictures", name)
	}
	return out, nil
}
