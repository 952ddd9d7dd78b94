package chromium

import (
	_ "embed"
	"encoding/json"
)

// axe is Deque's axe-core 4.14 (Mozilla Public License 2.0, axe-LICENSE.txt),
// here for the tests alone.
//
//go:embed axe.min.js
var axe string

// Axe is what axe-core finds wrong with the page for those who see, hear or press
// badly.
func (b *Tab) Axe() (list []string) {
	b.T.Helper()
	Eval[bool](b, axe+";true")
	Eval[string](b, `(window.axeDone = null, axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}).then((r) => { window.axeDone = JSON.stringify(r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 160) + " " + n.any.map((a) => a.message).join("; ")).slice(0, 3).join(" | "))); }), "")`)
	b.Until("axe", `window.axeDone !== null`)
	if err := json.Unmarshal([]byte(Eval[string](b, `window.axeDone`)), &list); err != nil {
		b.T.Fatal(err)
	}
	return list
}
