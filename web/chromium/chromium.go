// Package chromium opens pages in a headless Chromium for tests. It promises that a
// script that fails, or anything that the content policy stops, fails the test, and
// that without Chromium tests are skipped, saying so. What a page has to show is its
// tests' business.
package chromium

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one headless Chromium for all tests of a package: one at a time
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

// Main runs a package's tests and closes the browser that they had opened.
func Main(m *testing.M) {
	code := m.Run()
	for _, f := range browser.stop {
		f()
	}
	os.Exit(code)
}

// Tab is one page of the browser, with a profile of its own: two tabs are two
// people.
type Tab struct {
	T   *testing.T
	Ctx context.Context
	url string
}

// New opens a tab of a size for the pages below an address.
func New(t *testing.T, base string, width, height int64) *Tab {
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
	b := &Tab{t, ctx, base}
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
	b.Run(chromedp.EmulateViewport(width, height))
	return b
}

// Run does steps and fails the test when one fails.
func (b *Tab) Run(steps ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	if err := chromedp.Do(b.Ctx, steps...); err != nil {
		b.Shot("failed")
		b.T.Fatal(err)
	}
}

func describe(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return o.Description
}

// Prefers sets what the page may ask of its viewer: pairs like
// "prefers-color-scheme", "light".
func (b *Tab) Prefers(pairs ...string) {
	b.T.Helper()
	var features []*emulation.MediaFeature
	for i := 0; i+1 < len(pairs); i += 2 {
		features = append(features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	b.Run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: features})
		return err
	}))
}

// Press clicks what a script finds, with the mouse, where it stands. What is drawn
// anew between finding and clicking is found again.
func (b *Tab) Press(what, js string) {
	b.T.Helper()
	end := time.Now().Add(time.Minute)
	for {
		b.Until(what, `(() => { document.querySelectorAll("[data-pick]").forEach((x) => x.removeAttribute("data-pick")); const el = `+js+`; el?.setAttribute("data-pick", ""); el?.scrollIntoView({block: "center"}); return el && el.checkVisibility(); })()`)
		ctx, cancel := context.WithTimeout(b.Ctx, 10*time.Second)
		err := chromedp.Do(ctx, chromedp.Click("[data-pick]"))
		cancel()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			b.Shot("failed")
			b.T.Fatalf("press %s: %v", what, err)
		}
	}
}

// Open goes to a page.
func (b *Tab) Open(path string) { b.T.Helper(); b.Run(chromedp.Navigate(b.url + path)) }

// Eval runs a script and gives back its value.
func Eval[T any](b *Tab, js string) T {
	b.T.Helper()
	v, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](js))
	if err != nil {
		b.T.Fatalf("%s: %v", js, err)
	}
	return v
}

// Until waits for a script to become true; the error carries what it was for.
func (b *Tab) Until(what, js string) {
	b.T.Helper()
	// Asked again and again from here, for a page may load anew in between.
	for end := time.Now().Add(time.Minute); ; time.Sleep(30 * time.Millisecond) {
		yes, err := chromedp.Run(b.Ctx, chromedp.Evaluate[bool]("!!("+js+")"))
		if yes && err == nil {
			return
		}
		if time.Now().After(end) {
			b.Shot("failed")
			b.T.Fatalf("waiting for %s: %v\npage: %.2000s", what, err, Eval[string](b, "document.body ? document.body.innerText : ''"))
		}
	}
}

// Shot writes a picture of the page when LANSQUENET_SHOTS names a folder.
func (b *Tab) Shot(name string) {
	dir := os.Getenv("LANSQUENET_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		fmt.Println("shot:", err)
	}
}

// Carry gives the tab the cookies of a client that is logged in.
func (b *Tab) Carry(c *http.Client) {
	b.T.Helper()
	at, err := url.Parse(b.url)
	if err != nil {
		b.T.Fatal(err)
	}
	for _, k := range c.Jar.Cookies(at) {
		b.Run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{Name: k.Name, Value: k.Value, URL: b.url})
			return err
		}))
	}
}
