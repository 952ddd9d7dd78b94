package web

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one headless Chromium for all tests of the package: one at a time
// is enough, and more would starve a small machine.
var browser struct {
	ctx  context.Context
	stop []func()
	why  string // why there is none
}

func startBrowser() {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		browser.why = "no Chromium here; apt-get install chromium"
		return
	}
	dir, err := os.MkdirTemp("", "lansquenet-chromium-")
	if err != nil {
		browser.why = err.Error()
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("force-color-profile", "srgb"))
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, stop := chromedp.NewContext(alloc)
	browser.stop = []func(){stop, stopAlloc, func() { _ = os.RemoveAll(dir) }}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		browser.why = "Chromium does not start: " + err.Error()
		return
	}
	browser.ctx = ctx
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, f := range browser.stop {
		f()
	}
	os.Exit(code)
}

// tab is one page of the browser, with a profile of its own: two tabs are two
// people.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string
}

func newTab(t *testing.T, base string, width, height int64) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser is slow")
	}
	if browser.ctx == nil && browser.why == "" {
		startBrowser()
	}
	if browser.ctx == nil {
		t.Skip(browser.why)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	ctx, cancel2 := context.WithTimeout(ctx, 9*time.Minute)
	t.Cleanup(func() { cancel2(); cancel() })
	b := &tab{t, ctx, base}
	// A script that fails is a failure, whatever the page looks like; so is
	// anything that the content policy stopped.
	err := chromedp.Listen(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("a script failed: %s %s", ev.ExceptionDetails.Text, describe(ev.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			if ev.Entry.Source == "security" {
				t.Errorf("stopped by policy: %s", ev.Entry.Text)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.EmulateViewport(width, height))
	return b
}

func (b *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.shot("failed")
		b.t.Fatal(err)
	}
}

func describe(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return o.Description
}

// prefers sets what the page may ask of its viewer: pairs like
// "prefers-color-scheme", "light".
func (b *tab) prefers(pairs ...string) {
	b.t.Helper()
	var features []*emulation.MediaFeature
	for i := 0; i+1 < len(pairs); i += 2 {
		features = append(features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: features})
		return err
	}))
}

// press clicks what a script finds, with the mouse, where it stands.
func (b *tab) press(what, js string) {
	b.t.Helper()
	b.until(what, `(() => { document.querySelectorAll("[data-pick]").forEach((x) => x.removeAttribute("data-pick")); const el = `+js+`; el?.setAttribute("data-pick", ""); el?.scrollIntoView({block: "center"}); return el && el.checkVisibility(); })()`)
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Click("[data-pick]")); err != nil {
		b.shot("failed")
		b.t.Fatalf("press %s: %v", what, err)
	}
}

func (b *tab) open(path string) { b.t.Helper(); b.run(chromedp.Navigate(b.url + path)) }

// eval runs a script and gives back its value.
func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// until waits for a script to become true; the error carries what it was for.
func (b *tab) until(what, js string) {
	b.t.Helper()
	// Asked again and again from here, for a page may load anew in between.
	for end := time.Now().Add(time.Minute); ; time.Sleep(30 * time.Millisecond) {
		yes, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+js+")"))
		if yes && err == nil {
			return
		}
		if time.Now().After(end) {
			b.shot("failed")
			b.t.Fatalf("waiting for %s: %v\npage: %.2000s", what, err, eval[string](b, "document.body ? document.body.innerText : ''"))
		}
	}
}

// shot writes a picture of the page when LANSQUENET_SHOTS names a folder.
func (b *tab) shot(name string) {
	dir := os.Getenv("LANSQUENET_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		fmt.Println("shot:", err)
	}
}
