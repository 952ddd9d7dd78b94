package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// arrows says which of our packages a package may import. A name ending in /...
// stands for the packages below it; the first line that fits counts.
var arrows = []struct{ from, to string }{
	{"ledger/card", ""},
	{"ledger/chips", "ledger/card"},
	{"ledger/game", "ledger/card ledger/chips"},
	{"ledger/game/...", "ledger/card ledger/chips ledger/game"},
	{"ledger/odds", "ledger/card ledger/chips ledger/game"},
	{"ledger/table", "ledger/card ledger/chips ledger/game ledger/game/... ledger/odds"},
	{"ledger/say", "ledger/card ledger/chips ledger/game"},
	{"ledger/journal", "ledger/card ledger/chips ledger/game"},
	{"ledger/...", "ledger ledger/..."},
	{"ledger", "ledger/..."},
	{"vision", "ledger/card"},
	{"vision/...", "ledger/card vision vision/..."},
	{"hw", ""},
	{"hw/...", "hw hw/..."},
	{"web", "ledger ledger/... web/..."},
	{"web/...", "ledger ledger/... web web/..."},
	{"cmd/...", "cmd/... ledger ledger/... vision vision/... hw hw/... web web/..."},
}

// The rules are pure: packages below these names ask no clock, touch no disk
// and draw no numbers.
var (
	pure     = "ledger/card ledger/chips ledger/game ledger/game/... ledger/table ledger/odds"
	impure   = "time context os os/... io/fs io/ioutil path/filepath math/rand math/rand/... crypto/rand net net/... log log/... sync sync/... database/..."
	ourPaths = "lansquenet/"
)

// fits says whether a list names the path, itself or by what stands above it.
func fits(list, path string) bool {
	for name := range strings.FieldsSeq(list) {
		above, deep := strings.CutSuffix(name, "/...")
		if name == path || deep && strings.HasPrefix(path, above+"/") {
			return true
		}
	}
	return false
}

func TestImportArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Dir,GoFiles", ourPaths+"...").Output()
	if err != nil {
		t.Fatal("go list:", err)
	}
	seen := 0
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir  string
			Imports, GoFiles []string
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		from := strings.TrimPrefix(p.ImportPath, ourPaths)
		may, known := "", false
		for _, a := range arrows {
			if fits(a.from, from) {
				may, known = a.to, true
				break
			}
		}
		if !known {
			t.Errorf("%s: no place for this package in the map", from)
		}
		for _, imp := range p.Imports {
			if to, ours := strings.CutPrefix(imp, ourPaths); ours && !fits(may, to) {
				t.Errorf("%s imports %s; it may import: %s", from, to, may)
			}
			if fits(pure, from) && fits(impure, imp) {
				t.Errorf("%s imports %s; the rules are pure", from, imp)
			}
		}
		if fits(pure, from) {
			noGoroutines(t, p.Dir, p.GoFiles)
		}
	}
	if seen < 4 {
		t.Errorf("looked at %d packages only", seen)
	}
}

// noGoroutines looks for go statements in a package's files.
func noGoroutines(t *testing.T, dir string, files []string) {
	for _, name := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s starts a goroutine; the rules are pure", fset.Position(s.Pos()))
			}
			return true
		})
	}
}
