package web

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"

	"lansquenet/web/chromium"
)

func TestMain(m *testing.M) { chromium.Main(m) }

// tab is a page of the browser, with the short names that these tests use.
type tab struct {
	*chromium.Tab
	t   *testing.T
	ctx context.Context
}

func newTab(t *testing.T, base string, width, height int64) *tab {
	t.Helper()
	b := chromium.New(t, base, width, height)
	return &tab{b, b.T, b.Ctx}
}

func (b *tab) run(steps ...chromedp.Action[chromedp.Void]) { b.t.Helper(); b.Run(steps...) }
func (b *tab) prefers(pairs ...string)                     { b.t.Helper(); b.Prefers(pairs...) }
func (b *tab) press(what, js string)                       { b.t.Helper(); b.Press(what, js) }
func (b *tab) open(path string)                            { b.t.Helper(); b.Open(path) }
func (b *tab) until(what, js string)                       { b.t.Helper(); b.Until(what, js) }
func (b *tab) shot(name string)                            { b.Shot(name) }

func eval[T any](b *tab, js string) T { b.t.Helper(); return chromium.Eval[T](b.Tab, js) }
