package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

//go:embed static
var staticFiles embed.FS

//go:embed page/*.html
var pageFiles embed.FS

var pages = template.Must(template.ParseFS(pageFiles, "page/*.html"))

// asset is one file of the browser's part, compressed once.
type asset struct {
	body, zipped []byte
	kind, tag    string
}

// assets are served under /static/VERSION/…, where VERSION is made of their
// contents: a browser keeps them for good, and a new program is a new address.
var assets, assetVersion = func() (map[string]*asset, string) {
	_ = mime.AddExtensionType(".js", "text/javascript; charset=utf-8")
	_ = mime.AddExtensionType(".woff2", "font/woff2")
	all := map[string]*asset{}
	sum := sha256.New()
	err := fs.WalkDir(staticFiles, "static", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := staticFiles.ReadFile(p)
		if err != nil {
			return err
		}
		sum.Write([]byte(p))
		sum.Write(b)
		a := &asset{body: b, kind: mime.TypeByExtension(path.Ext(p))}
		if a.kind == "" {
			a.kind = "application/octet-stream"
		}
		h := sha256.Sum256(b)
		a.tag = `"` + hex.EncodeToString(h[:8]) + `"`
		if !strings.HasSuffix(p, ".woff2") {
			var z bytes.Buffer
			w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression) // the level is a good one
			_, _ = w.Write(b)                                     // a buffer takes everything
			_ = w.Close()
			a.zipped = z.Bytes()
		}
		all[strings.TrimPrefix(p, "static/")] = a
		return nil
	})
	if err != nil {
		panic(err)
	}
	return all, hex.EncodeToString(sum.Sum(nil)[:6])
}()

var importing = regexp.MustCompile(`(?m)^(?:import|export)[^"\n]*"(\.[^"]+)"`)

// modules are the scripts that a page's own script needs, found by following the
// imports. The page names them all, so that the browser fetches them at once and
// not one after the other.
func modules(name string) []string {
	var list []string
	seen := map[string]bool{}
	var follow func(string)
	follow = func(p string) {
		a := assets[p]
		if a == nil || seen[p] {
			return
		}
		seen[p] = true
		list = append(list, p)
		for _, m := range importing.FindAllSubmatch(a.body, -1) {
			follow(path.Join(path.Dir(p), string(m[1])))
		}
	}
	follow("js/page/" + name + ".js")
	return list[1:]
}

// static serves the embedded files, and nothing that is not one of them.
func (s *Server) static(c *gin.Context) {
	name := strings.TrimPrefix(c.Param("file"), "/")
	name, fresh := strings.CutPrefix(name, assetVersion+"/")
	a, ok := assets[name]
	if !ok {
		s.refuse(c, http.StatusNotFound, "not_found")
		return
	}
	h := c.Writer.Header()
	if fresh {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	h.Set("ETag", a.tag)
	h.Add("Vary", "Accept-Encoding")
	if c.GetHeader("If-None-Match") == a.tag {
		c.Status(http.StatusNotModified)
		return
	}
	body := a.body
	if a.zipped != nil && strings.Contains(c.GetHeader("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = a.zipped
	}
	c.Data(http.StatusOK, a.kind, body)
}

func (s *Server) icon(c *gin.Context) {
	c.Header("Cache-Control", "public, max-age=86400")
	c.Data(http.StatusOK, "image/svg+xml", assets["icon.svg"].body)
}

// pageData goes into the page template. Words and Snapshot stand in blocks of
// JSON, which the content policy does not take for scripts; template escapes
// what could end such a block.
type pageData struct {
	Name, Lang, Title, Static string
	Prompt                    string
	Words                     *speaker
	Page                      template.JS
	Snapshot                  template.JS
	Modules                   []string
	Light                     string // when it is shown in light colours, as a media query; "": never
	Other                     []langLink
	Noscript                  string
	Skip                      string
}

type langLink struct {
	Code, Name, Href string
	Here             bool
}

var langNames = map[string]string{"en": "English", "de": "Deutsch", "ru": "Русский", "it": "Italiano", "fr": "Français"}

// page serves one page with the words of its language and the newest snapshot
// in it, so that the table stands there without a second question.
func (s *Server) page(name string) gin.HandlerFunc {
	needs := modules(name)
	return func(c *gin.Context) {
		keepLang(c)
		speak := s.speaker(c)
		b := s.who(c.Request)
		snap, err := s.look(c.Request, speak)
		if err != nil {
			s.trouble(c, err)
			return
		}
		param := c.Param("name") + c.Param("id")
		page, err := json.Marshal(map[string]any{
			"name": name, "lang": speak.lang, "param": param, "host": b.host, "seat": b.seat,
			"words": speak.words, "base": s.base(c.Request), "version": s.o.Version, "languages": Languages,
			"static": "/static/" + assetVersion,
		})
		if err != nil {
			s.trouble(c, err)
			return
		}
		d := pageData{Name: name, Lang: speak.lang, Modules: needs, Static: "/static/" + assetVersion, Page: template.JS(page),
			Snapshot: template.JS(snap.body), Title: speak.own("title."+name, map[string]string{"name": param}),
			Noscript: speak.own("noscript", nil), Skip: speak.own("skip", nil),
			Prompt: speak.say(s.o.Table.State().View.Prompt)}
		// A wall is dark, unless it is asked to be light; a phone is as its owner
		// has it.
		_, light := c.GetQuery("light")
		switch {
		case light:
			d.Light = "all"
		case name != "tv":
			d.Light = "(prefers-color-scheme: light)"
		}
		for _, l := range Languages {
			q := url.Values{"lang": {l}}
			d.Other = append(d.Other, langLink{l, langNames[l], "?" + q.Encode(), l == speak.lang})
		}
		var out bytes.Buffer
		if err := pages.ExecuteTemplate(&out, "page.html", d); err != nil {
			s.trouble(c, err)
			return
		}
		status := http.StatusOK
		if c.Param("id") != "" && !s.known(c) {
			status = http.StatusNotFound // the page says so, in the viewer's language
		}
		c.Header("Vary", "Accept-Language, Cookie, Accept-Encoding")
		if strings.Contains(c.GetHeader("Accept-Encoding"), "gzip") {
			c.Header("Content-Encoding", "gzip")
			c.Data(status, "text/html; charset=utf-8", zip(out.Bytes()))
			return
		}
		c.Data(status, "text/html; charset=utf-8", out.Bytes())
	}
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func zip(b []byte) []byte {
	var out bytes.Buffer
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(&out)
	_, _ = z.Write(b) // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}
