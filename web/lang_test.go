package web

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// forms are the plural forms a language needs for whole numbers.
var forms = map[string][]string{"en": {"one", "other"}, "de": {"one", "other"}, "it": {"one", "other"}, "fr": {"one", "other"},
	"ru": {"one", "few", "many", "other"}}

var slot = regexp.MustCompile(`\{\w+\}`)

// phrasesOf is a key's sentences: itself, or its plural forms.
func phrasesOf(t *testing.T, lang, key string) map[string]string {
	raw, ok := catalogues[lang][key]
	if !ok {
		t.Errorf("%s has no %q", lang, key)
		return nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return map[string]string{"": one}
	}
	var many map[string]string
	if err := json.Unmarshal(raw, &many); err != nil {
		t.Errorf("%s %q: %v", lang, key, err)
	}
	return many
}

func TestEveryWordIsThereInEveryLanguage(t *testing.T) {
	for key := range catalogues["en"] {
		english := phrasesOf(t, "en", key)
		for _, l := range Languages {
			got := phrasesOf(t, l, key)
			_, plain := english[""]
			if _, p := got[""]; p != plain {
				t.Errorf("%s %q: plural forms in one language and not in the other", l, key)
				continue
			}
			if !plain {
				for _, f := range forms[l] {
					if got[f] == "" {
						t.Errorf("%s %q lacks the form %q", l, key, f)
					}
				}
			}
			for form, text := range got {
				if strings.TrimSpace(text) == "" {
					t.Errorf("%s %q is empty", l, key)
				}
				// The same values go in; "once" may swallow the number.
				want := slot.FindAllString(english["other"]+english[""], -1)
				for _, s := range slot.FindAllString(text, -1) {
					if !slices.Contains(want, s) {
						t.Errorf("%s %q %s: %s is not in English", l, key, form, s)
					}
				}
				if form == "" || form == "other" {
					for _, s := range want {
						if !strings.Contains(text, s) {
							t.Errorf("%s %q: %s is missing", l, key, s)
						}
					}
				}
			}
		}
	}
	for _, l := range Languages {
		for key := range catalogues[l] {
			if _, ok := catalogues["en"][key]; !ok {
				t.Errorf("%s has %q, English has not", l, key)
			}
		}
	}
}

// Every key that a script names has its word.
func TestScriptsNameOnlyKeysThatAreThere(t *testing.T) {
	call := regexp.MustCompile(`\bt\("([a-z_.]+)"[,)]`)
	for name, a := range assets {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, m := range call.FindAllStringSubmatch(string(a.body), -1) {
			if _, ok := catalogues["en"][m[1]]; !ok {
				t.Errorf("%s says %q, which no catalogue has", name, m[1])
			}
		}
	}
}
