package web

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"golang.org/x/text/language"

	"lansquenet/ledger/game"
	"lansquenet/ledger/say"
)

// Languages are the ones every word is there in.
var Languages = []string{"en", "de", "ru", "it", "fr"}

//go:embed lang/*.json
var langFiles embed.FS

// words is the pages' own catalogue of one language: a sentence, or its plural
// forms by their CLDR names. The prompts, refusals and the past come from
// ledger/say; these are the labels around them.
type words map[string]json.RawMessage

var catalogues = func() map[string]words {
	all := map[string]words{}
	for _, l := range Languages {
		all[l] = words{}
		for _, part := range []string{"", "camera."} { // the camera page says as much as all others together
			b, err := langFiles.ReadFile("lang/" + part + l + ".json")
			if err != nil {
				panic(err) // it is embedded
			}
			w := all[l]
			if err := json.Unmarshal(b, &w); err != nil {
				panic(fmt.Sprintf("web: lang/%s%s.json: %v", part, l, err))
			}
		}
	}
	return all
}()

// speaker says things in one language: the table's sentences and the pages'.
type speaker struct {
	lang  string
	table *say.Speaker
	words words
}

var speakers = func() map[string]*speaker {
	all := map[string]*speaker{}
	for _, l := range Languages {
		all[l] = &speaker{lang: l, table: say.In(l), words: catalogues[l]}
	}
	return all
}()

func (s *speaker) say(m game.Message) string {
	if m.Key == "" {
		return ""
	}
	return s.table.Say(m)
}

// own is a sentence of the pages' catalogue; {name} in it is filled from args.
func (s *speaker) own(key string, args map[string]string) string {
	var text string
	if json.Unmarshal(s.words[key], &text) != nil || text == "" {
		if json.Unmarshal(catalogues["en"][key], &text) != nil || text == "" {
			return key
		}
	}
	for k, v := range args {
		text = strings.ReplaceAll(text, "{"+k+"}", v)
	}
	return text
}

// Note is a sentence of the pages' catalogue and what goes into it, for those who
// don't know in which language it will be said. The zero Note says nothing.
type Note struct {
	Key  string         `json:"key"`
	Args map[string]any `json:"args,omitempty"`
}

// note says a note.
func (s *speaker) note(n Note) string {
	if n.Key == "" {
		return ""
	}
	args := map[string]string{}
	for k, v := range n.Args {
		args[k] = fmt.Sprint(v)
	}
	return s.own(n.Key, args)
}

const langCookie = "lansquenet_lang"

var matcher = func() language.Matcher {
	tags := make([]language.Tag, len(Languages))
	for i, l := range Languages {
		tags[i] = language.MustParse(l)
	}
	return language.NewMatcher(tags)
}()

// speaker finds the asker's language: ?lang= before the choice kept in the
// cookie before what the browser accepts.
func (s *Server) speaker(c *gin.Context) *speaker {
	if sp, ok := speakers[c.Query("lang")]; ok {
		return sp
	}
	if ck, err := c.Request.Cookie(langCookie); err == nil {
		if sp, ok := speakers[ck.Value]; ok {
			return sp
		}
	}
	if accept := c.GetHeader("Accept-Language"); accept != "" && len(accept) < 500 {
		if tags, _, err := language.ParseAcceptLanguage(accept); err == nil && len(tags) > 0 {
			if _, i, conf := matcher.Match(tags...); conf > language.No {
				return speakers[Languages[i]]
			}
		}
	}
	if sp, ok := speakers[s.o.DefaultLang]; ok {
		return sp
	}
	return speakers["en"]
}

// keepLang remembers a choice made by ?lang= on a page.
func keepLang(c *gin.Context) {
	if l := c.Query("lang"); speakers[l] != nil {
		http.SetCookie(c.Writer, &http.Cookie{Name: langCookie, Value: l, Path: "/", MaxAge: 365 * 24 * 3600,
			HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
}
