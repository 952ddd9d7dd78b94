package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"lansquenet/ledger/game"
)

// Applier is the table a script is played at. Apply's error is a *game.Refusal
// when the table says no, and anything else is trouble that ends the play.
// Final is the contract's final object; it is only written as JSON here.
type Applier interface {
	Apply(ctx context.Context, a game.Action) (Done, error)
	Final() any
}

// Done is what an accepted action led to.
type Done struct {
	Seq   uint64
	Phase game.Phase
	Turn  string
	Told  []game.Message
}

// Step is one line played.
type Step struct {
	Line    int
	Action  game.Action
	Done    Done
	Refusal *game.Refusal // nil when the action was accepted
}

// Options say how to play.
type Options struct {
	Strict bool                      // stop at the first refusal that the script doesn't expect
	Each   func(Step) error          // is told every line as it is played
	Say    func(game.Message) string // puts a refusal into words
}

// Tally is what came of a script.
type Tally struct {
	Applied, Refused int
	Broken           []string // the lines that are no JSON objects, a sentence each; they count as refused
	Unmet            []string // what was expected and is not so, a sentence each
}

// Stopped ends a strict play.
type Stopped struct {
	N       int
	Refusal *game.Refusal
	Why     string // the refusal's sentence
}

// Error names the line and says why it was refused.
func (s *Stopped) Error() string { return fmt.Sprintf("line %d: refused: %s", s.N, s.Why) }

// Run plays lines to their end. A refusal changes nothing and the play goes on,
// unless it is strict; a line that is no action is a refusal like any other. The error is a *Wrong, a *Stopped or trouble; the tally
// counts what was played up to it.
func Run(ctx context.Context, r *Reader, at Applier, o Options) (Tally, error) {
	var t Tally
	for {
		l, err := r.Next()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return t, err
		}
		if l.Final != nil {
			unmet, err := l.Final.Compare(at.Final())
			for _, u := range unmet {
				t.Unmet = append(t.Unmet, fmt.Sprintf("line %d: %s", l.N, u))
			}
			if err != nil {
				return t, fmt.Errorf("line %d: %w", l.N, err)
			}
			continue
		}
		s := Step{Line: l.N, Action: l.Action, Refusal: l.Bad}
		if l.Bad == nil {
			s.Done, err = at.Apply(ctx, l.Action)
			if err != nil && !errors.As(err, &s.Refusal) {
				return t, fmt.Errorf("line %d: %w", l.N, err)
			}
		}
		if l.Broken {
			t.Broken = append(t.Broken, fmt.Sprintf("line %d: %s", l.N, o.words(l.Bad)))
		}
		if s.Refusal != nil {
			t.Refused++
		} else {
			t.Applied++
			if l.Refused {
				t.Unmet = append(t.Unmet, fmt.Sprintf("line %d: %s was accepted, a refusal was expected", l.N, l.Action.Do))
			}
		}
		if o.Each != nil {
			if err := o.Each(s); err != nil {
				return t, err
			}
		}
		if s.Refusal != nil && o.Strict && !l.Refused {
			return t, &Stopped{l.N, s.Refusal, o.words(s.Refusal)}
		}
	}
}

// words is a refusal in words, or its code where nobody puts it into words.
func (o Options) words(r *game.Refusal) string {
	if o.Say == nil {
		return r.Error()
	}
	return o.Say(r.Message)
}

// JSON writes every step as the contract's line.
func (o Options) JSON(w io.Writer) func(Step) error {
	type refusal struct {
		Code    string `json:"code"`
		Field   string `json:"field,omitempty"`
		Message string `json:"message"`
	}
	return func(s Step) error {
		if r := s.Refusal; r != nil {
			return Encode(w, struct {
				Line  int     `json:"line"`
				OK    bool    `json:"ok"`
				Error refusal `json:"error"`
			}{s.Line, false, refusal{r.Code, r.Field, o.words(r)}})
		}
		return Encode(w, struct {
			Line  int        `json:"line"`
			OK    bool       `json:"ok"`
			Seq   uint64     `json:"seq"`
			Phase game.Phase `json:"phase"`
			Turn  string     `json:"turn"`
		}{s.Line, true, s.Done.Seq, s.Done.Phase, s.Done.Turn})
	}
}

// Text writes every step for people: what the table was told, or why it was
// refused.
func (o Options) Text(w io.Writer) func(Step) error {
	return func(s Step) error {
		what := ""
		if r := s.Refusal; r != nil {
			what = "refused: " + o.words(r)
		} else {
			var told []string
			for _, m := range s.Done.Told {
				if o.Say != nil {
					told = append(told, o.Say(m))
				}
			}
			if what = strings.Join(told, " "); what == "" {
				what = "done"
			}
		}
		_, err := fmt.Fprintf(w, "%4d  %-13s %s\n", s.Line, s.Action.Do, what)
		return err
	}
}

// PrintFinal writes the last line of a play, {"final":{…}}.
func PrintFinal(w io.Writer, final any) error {
	return Encode(w, struct {
		Final any `json:"final"`
	}{final})
}

// Encode writes one line of JSON and leaves names in any script as they are.
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// written is a value as JSON, keys in order.
func written(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
