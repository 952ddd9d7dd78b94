package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"lansquenet/ledger/game"
)

// tally counts banks posted and refuses what is above its limit; it stands for
// a table where only the reading and comparing of scripts is looked at.
type tally struct {
	seq   uint64
	bank  int64
	limit int64
	fault error
}

func (f *tally) Apply(_ context.Context, a game.Action) (Done, error) {
	if f.fault != nil {
		return Done{}, f.fault
	}
	if a.Amount > f.limit {
		return Done{}, game.Refuse("too_much")
	}
	f.seq++
	f.bank += a.Amount
	return Done{f.seq, game.Cover, "B", []game.Message{game.Say("told"), game.Say("twice")}}, nil
}

func (f *tally) Final() any {
	return map[string]any{"bank": f.bank, "chips": map[string]int64{"A": 5, "Ж<": 7}, "need": []int64{24}, "seq": f.seq}
}

func words(m game.Message) string { return fmt.Sprintf("<%s %v>", m.Key, m.Args["field"]) }

func play(t *testing.T, text string, strict bool) (string, Tally, error) {
	t.Helper()
	var out bytes.Buffer
	o := Options{Strict: strict, Say: words}
	o.Each = o.JSON(&out)
	f := &tally{limit: 100}
	got, err := Run(t.Context(), NewReader(strings.NewReader(text)), f, o)
	if err := PrintFinal(&out, f.Final()); err != nil {
		t.Fatal(err)
	}
	return out.String(), got, err
}

func TestPlay(t *testing.T) {
	out, got, err := play(t, "\uFEFF// a comment\r\n\r\n"+
		`{"do":"bank","seat":"A","amount":12}`+"\r\n"+
		`  {"do":"bank","seat":"A","amount":101}`+"\n"+
		`{"do":"bank","seat":"A","amount":-3,"expect":"refused"}`+"\n"+
		`{"do":"bank","seat":"A","amount":1,"expect":"refused"}`+"\n"+
		`{"expect_final":{"bank":14,"chips":{"A":5,"B":1},"need":[24],"winners":["A"],"coups":null}}`, false)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"line":3,"ok":true,"seq":1,"phase":"cover","turn":"B"}
{"line":4,"ok":false,"error":{"code":"too_much","message":"<refuse.too_much <nil>>"}}
{"line":5,"ok":false,"error":{"code":"bad_action","field":"amount","message":"<bad.negative amount>"}}
{"line":6,"ok":true,"seq":2,"phase":"cover","turn":"B"}
{"final":{"bank":13,"chips":{"A":5,"Ж<":7},"need":[24],"seq":2}}
`
	if out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
	if got.Applied != 2 || got.Refused != 2 {
		t.Errorf("%+v", got)
	}
	unmet := strings.Join(got.Unmet, "\n")
	if want := `line 6: bank was accepted, a refusal was expected
line 7: bank is 13, expected 14
line 7: chips.B is missing, expected 1
line 7: chips.Ж< is 7, expected none
line 7: winners is missing, expected ["A"]`; unmet != want {
		t.Errorf("unmet:\n%s\nwant:\n%s", unmet, want)
	}
}

func TestStrict(t *testing.T) {
	text := `{"do":"bank","seat":"A","amount":101,"expect":"refused"}
{"do":"bank","seat":"A","amount":101}
{"do":"bank","seat":"A","amount":1}`
	out, got, err := play(t, text, true)
	var stopped *Stopped
	if !errors.As(err, &stopped) || stopped.N != 2 || !strings.Contains(err.Error(), "line 2: refused: <refuse.too_much") {
		t.Errorf("%v", err)
	}
	if got.Applied != 0 || got.Refused != 2 || strings.Count(out, `"ok":false`) != 2 {
		t.Errorf("%+v\n%s", got, out)
	}
}

func TestWrongLines(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{`{"do":"undo","expect":"accepted"}`, `line 2, field "expect"`},
		{`{"do":"undo","expect":"refused","expect":"refused"}`, `line 2, field "expect"`},
		{`{"expect_final":[]}`, `line 2, field "expect_final"`},
		{`{"expect_final":null}`, `line 2, field "expect_final"`},
		{`{"expect_final":{},"do":"undo"}`, `line 2, field "expect_final"`},
		{"{\"expect_final\":{}}\n\n{\"do\":\"undo\"}", "line 4: nothing may follow expect_final in line 2"},
	} {
		text := "// first\n" + c.text
		err := Check(strings.NewReader(text), false, nil)
		if err == nil || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.says)
		}
		if _, _, again := play(t, text, false); again == nil || again.Error() != err.Error() {
			t.Errorf("%.60q: played %v, checked %v", c.text, again, err)
		}
	}
	if err := Check(strings.NewReader("// nothing\n{\"do\":\"undo\"}"), true, nil); err != nil {
		t.Error(err)
	}
}

// TestBrokenLinesAreRefused: a line that is no JSON object, or too long to be
// read, is refused by its number like an action that may not be, and the lines
// after it are played.
func TestBrokenLinesAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"deal":              "bad.json",
		"[1]":               "bad.json",
		"null":              "bad.json",
		`{"do":"undo"`:      "bad.json",
		`{"do":"undo"} {}`:  "bad.json",
		`{"do":}`:           "bad.json",
		`{"do":"undo",}`:    "bad.json",
		`{"do":"undo" "x"}`: "bad.json",
		"{\"do\":\"\xff":    "bad.utf8",
		`{"do":"` + strings.Repeat("x", MaxLine) + `"}`: "bad.long_line",
	} {
		text := "// first\n" + text + "\n" + `{"do":"bank","seat":"A","amount":12}`
		if err := Check(strings.NewReader(text), false, nil); err != nil {
			t.Errorf("%.60q: %v", text, err)
		}
		out, got, err := play(t, text, false)
		if err != nil || got.Refused != 1 || got.Applied != 1 || len(got.Broken) != 1 || !strings.HasPrefix(got.Broken[0], "line 2: <"+says) {
			t.Errorf("%.60q: %+v, %v", text, got, err)
		}
		if !strings.HasPrefix(out, `{"line":2,"ok":false,"error":{"code":"bad_action",`) || !strings.Contains(out, `{"line":3,"ok":true,`) {
			t.Errorf("%.60q: %s", text, out)
		}
		var stopped *Stopped
		if _, got, err := play(t, text, true); !errors.As(err, &stopped) || stopped.N != 2 || got.Applied != 0 {
			t.Errorf("%.60q: strict: %+v, %v", text, got, err)
		}
	}
}

// TestBadActionsAreRefused: an object that is no action is refused like any
// other action that may not be, and names its field.
func TestBadActionsAreRefused(t *testing.T) {
	for text, field := range map[string]string{
		`{}`:                                          "do",
		`{"do":"deal"}`:                               "do",
		`{"do":"undo","why":1}`:                       "why",
		`{"do":"bank","seat":"A"}`:                    "amount",
		`{"do":"give","seat":"A","seat":"B"}`:         "seat",
		`{"do":"bank","seat":"A","amount":1.5}`:       "amount",
		`{"do":"card","rank":"1","expect":"refused"}`: "rank",
	} {
		out, got, err := play(t, text, false)
		if err != nil || got.Refused != 1 || len(got.Unmet) > 0 || !strings.Contains(out, `"field":"`+field+`"`) {
			t.Errorf("%s: %v %+v\n%s", text, err, got, out)
		}
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	o := Options{}
	o.Each = o.Text(&out)
	text := `{"do":"bank","seat":"A","amount":12}` + "\n" + `{"do":"bank","seat":"A","amount":101}`
	if _, err := Run(t.Context(), NewReader(strings.NewReader(text)), &tally{limit: 100}, o); err != nil {
		t.Fatal(err)
	}
	o.Say = words
	o.Each = o.Text(&out)
	if _, err := Run(t.Context(), NewReader(strings.NewReader(text)), &tally{limit: 100}, o); err != nil {
		t.Fatal(err)
	}
	want := `   1  bank          done
   2  bank          refused: too_much: refuse.too_much
   1  bank          <told <nil>> <twice <nil>>
   2  bank          refused: <refuse.too_much <nil>>
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// TestTrouble: what is neither a refusal nor a wrong line ends the play.
func TestTrouble(t *testing.T) {
	disk := errors.New("no space left")
	text := `{"do":"undo"}`
	_, err := Run(t.Context(), NewReader(strings.NewReader(text)), &tally{fault: disk}, Options{})
	if !errors.Is(err, disk) || !strings.HasPrefix(err.Error(), "line 1: ") {
		t.Errorf("%v", err)
	}
	_, err = Run(t.Context(), NewReader(strings.NewReader(text)), &tally{}, Options{Each: func(Step) error { return disk }})
	if !errors.Is(err, disk) {
		t.Errorf("%v", err)
	}
	_, err = Run(t.Context(), NewReader(iotest.ErrReader(disk)), &tally{}, Options{})
	if !errors.Is(err, disk) || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("%v", err)
	}
	if _, err := (Final{}).Compare(func() {}); err == nil {
		t.Error("a function is compared")
	}
	if _, err := (Final{}).Compare(1); err == nil {
		t.Error("a number is compared")
	}
}

// TestLineByLine: a piped script is played as it comes.
func TestLineByLine(t *testing.T) {
	r, w := io.Pipe()
	played := make(chan int)
	go func() {
		defer close(played)
		_, err := Run(context.Background(), NewReader(r), &tally{limit: 100},
			Options{Each: func(s Step) error { played <- s.Line; return nil }})
		if err != nil {
			t.Error(err)
		}
	}()
	for n := 1; n <= 3; n++ {
		if _, err := io.WriteString(w, "{\"do\":\"bank\",\"seat\":\"A\",\"amount\":1}\n"); err != nil {
			t.Fatal(err)
		}
		if got := <-played; got != n {
			t.Errorf("line %d came as %d", n, got)
		}
	}
	w.Close()
	<-played
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"", "// x\n\n", `{"do":"undo"}`, `{"do":"undo","expect":"refused"}`, `{"expect_final":{"chips":{"A":1}}}`,
		`{"do":"open","game":"skin","seats":[{"name":"A","chips":1}],"rules":{"a":[1,{"b":null}]}}`, "\uFEFF{}", "{\"do\":\"\xff\"}",
		`{"a":1,"a":2}`, `{"do":"bank","seat":"A","amount":1e3}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		in, last := NewReader(bytes.NewReader(b)), 0
		for {
			l, err := in.Next()
			var wrong *Wrong
			if err == io.EOF {
				return
			}
			if errors.As(err, &wrong) {
				if wrong.N <= last {
					t.Fatalf("line %d after line %d", wrong.N, last)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if l.N <= last {
				t.Fatalf("line %d after line %d", l.N, last)
			}
			last = l.N
			switch {
			case l.Final != nil:
				if _, err := l.Final.Compare(map[string]int{}); err != nil {
					t.Fatal(err)
				}
			case l.Bad == nil:
				written, err := l.Action.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := game.Decode(written); err != nil {
					t.Fatalf("%s: %v", written, err)
				}
			}
		}
	})
}
