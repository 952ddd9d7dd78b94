package say

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

// uses is every message the program says, and the values it brings along.
type uses map[string]map[string]bool

func (u uses) add(key string, args ...string) {
	if u[key] == nil {
		u[key] = make(map[string]bool)
	}
	for _, a := range args {
		u[key][a] = true
	}
}

// computed are the keys that the source puts together, by the source's own
// expression without its blanks: what they can become and which values they bring.
func computed() map[string]func(uses) {
	each := func(prefix string, ends []string, args ...string) func(uses) {
		return func(u uses) {
			for _, e := range ends {
				u.add(prefix+e, args...)
			}
		}
	}
	hows := []string{"sell_give", "sell", "give"}
	return map[string]func(uses){
		`"game."+g.Name`:            each("game.", []string{game.Lansquenet, game.Skin, game.Zecchinetta}),
		`"game."+s.Name`:            each("game.", nil),
		`"told.won_"+result`:        each("told.won_", []string{"doublet", "bank", "punters"}, "seat", "n", "paid", "card"),
		`key+"_need"`:               each("prompt.", []string{"bank_need", "shoe_out_need"}, "seat", "amounts"),
		`key`:                       each("prompt.", []string{"bank", "shoe_out"}, "seat", "min", "max"),
		`"prompt.decide_need_"+how`: each("prompt.decide_need_", hows, "seat", "amounts"),
		`"prompt.decide_"+how`:      each("prompt.decide_", hows, "seat", "max"),
		`"sale_is_"+s.Rules.Sell`:   each("refuse.sale_is_", []string{game.Fixed, game.Auction}, "n"),
		`"skin.told."+a.Do`:         each("skin.told.", []string{"new_bank_card", "no_bank_card"}, "seat"),
		`"did."+a.Do`: each("did.", slices.DeleteFunc(game.Dos(), func(do string) bool { return do == "open" || do == "undo" }),
			"seat", "name", "against", "n", "chips", "min", "max", "card", "number"),
		// The makers themselves; their callers are looked at instead.
		`"refuse."+code`: each("", nil),
		`"bad."+why`:     each("", nil),
		`"rules."+why`:   each("", nil),
		// The speaker's own.
		`how+r.String()`: each("", nil),
	}
}

// sayers are the functions that make a message: what their key is prefixed
// with, which argument it is, and which values they add themselves.
var sayers = map[string]struct {
	prefix string
	at     int
	adds   []string
}{
	"Say": {"", 0, nil}, "Tell": {"", 0, nil},
	"Refuse": {"refuse.", 0, nil},
	"bad":    {"bad.", 1, []string{"field", "got"}}, "badRule": {"rules.", 1, []string{"field"}},
}

// said reads off the source every message that the program can say.
func said(t *testing.T) uses {
	u := make(uses)
	for _, l := range []string{"and", "or"} {
		u.add("list." + l)
	}
	for _, r := range []card.Rank{card.Ace, card.Jack, card.Queen, card.King} {
		u.add("index." + r.String())
		u.add("rank." + r.String())
	}
	known, found := computed(), make(map[string]bool)
	for _, root := range []string{"..", "../../cmd", "../../web"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, source, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				name := ""
				switch f := call.Fun.(type) {
				case *ast.Ident:
					name = f.Name
				case *ast.SelectorExpr:
					name = f.Sel.Name
					if x, ok := f.X.(*ast.Ident); name == "Say" && (!ok || x.Name != "game") {
						return true // a speaker that says, not a message that is made
					}
				}
				maker, ok := sayers[name]
				if !ok || len(call.Args) <= maker.at {
					return true
				}
				text := func(e ast.Expr) string {
					return string(source[set.Position(e.Pos()).Offset:set.Position(e.End()).Offset])
				}
				key, ok := literal(call.Args[maker.at])
				if !ok {
					expression := text(call.Args[maker.at])
					if _, isString := call.Args[maker.at].(*ast.Ident); name == "bad" && isString && expression != "why" {
						return true // some other function called bad
					}
					if known[expression] == nil {
						if name != "bad" {
							t.Errorf("%s: the test does not know what key %s can be", set.Position(call.Pos()), expression)
						}
						return true
					}
					found[expression] = true
					known[expression](u)
					return true
				}
				if name == "bad" && !strings.Contains(path, "game") {
					return true
				}
				args := slices.Clone(maker.adds)
				if name != "bad" {
					for i := maker.at + 1; i < len(call.Args); i += 2 {
						if a, ok := literal(call.Args[i]); ok {
							args = append(args, a)
						}
					}
				}
				u.add(maker.prefix+key, args...)
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for e := range known {
		if !found[e] && e != `how+r.String()` {
			t.Errorf("the source no longer puts together %s", e)
		}
	}
	// ErrStale is no refusal of the rules, and said as one.
	u.add("refuse.stale")
	return u
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

// messages are a language's sentences by key, all plural forms of one together.
func messages(t *testing.T, lang string) map[string][]string {
	b := i18n.NewBundle(language.English)
	b.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	text, err := fs.ReadFile(catalogues, lang+".toml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := b.ParseMessageFileBytes(text, lang+".toml")
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]string)
	for _, m := range f.Messages {
		for _, s := range []string{m.Zero, m.One, m.Two, m.Few, m.Many, m.Other} {
			if s != "" {
				out[m.ID] = append(out[m.ID], s)
			}
		}
		if m.Other == "" {
			t.Errorf("%s: %s has no general form", lang, m.ID)
		}
		if lang == "ru" && m.One != "" && (m.Few == "" || m.Many == "") {
			t.Errorf("ru: %s lacks a plural form", m.ID)
		}
	}
	return out
}

var value = regexp.MustCompile(`{{\.(\w+)}}`)

// TestEveryKeyInEveryLanguage: what the program can say is in every catalogue,
// no catalogue holds more, and no sentence asks for a value that is not there.
func TestEveryKeyInEveryLanguage(t *testing.T) {
	u := said(t)
	for _, lang := range Languages() {
		have := messages(t, lang)
		for _, key := range slices.Sorted(maps.Keys(u)) {
			if have[key] == nil {
				t.Errorf("%s: %s is missing", lang, key)
			}
			for _, s := range have[key] {
				for _, m := range value.FindAllStringSubmatch(s, -1) {
					if arg := strings.ToLower(m[1]); !u[key][arg] {
						t.Errorf("%s: %s asks for %s, which is not given", lang, key, arg)
					}
				}
				if strings.Count(s, "{{") != len(value.FindAllString(s, -1)) {
					t.Errorf("%s: %s: a value is misspelled in %q", lang, key, s)
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(have)) {
			if u[key] == nil {
				t.Errorf("%s: nothing says %s", lang, key)
			}
		}
	}
}
