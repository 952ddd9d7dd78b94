// Package say puts the table's messages into the words people use at a table:
// one catalogue a language, embedded in the program, English the one that all
// others fall back to. It knows keys, languages and the names of cards; what
// there is to say, and when, is the games' affair.
//
// A catalogue is a TOML file of go-i18n: `key = "sentence"`, with {{.name}}
// where a value of the message goes, or a table of plural forms, chosen by the
// value named n; {{.Name}} is {{.name}} with a capital, for a sentence that begins
// with it. Values are put into words first: a card with its suit by the
// language's own index ("D♥"), without by its name ("Dame"), several names with
// "and", several amounts with "or", a number with its thousands apart.
package say

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"lansquenet/ledger/card"
	"lansquenet/ledger/game"
)

//go:embed *.toml
var catalogues embed.FS

// Languages are the catalogues there are, the one the others fall back to
// first.
func Languages() []string { return []string{"en", "de", "ru", "it", "fr"} }

// spoken is the bundle of all catalogues and who speaks them. A catalogue that
// cannot be read is a fault of the program.
var spoken = sync.OnceValues(func() (language.Matcher, []*Speaker) {
	b := i18n.NewBundle(language.English)
	b.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	var tags []language.Tag
	var all []*Speaker
	for _, l := range Languages() {
		text, err := fs.ReadFile(catalogues, l+".toml")
		if err == nil {
			_, err = b.ParseMessageFileBytes(text, l+".toml")
		}
		if err != nil {
			panic("say: " + l + ".toml: " + err.Error())
		}
		tags = append(tags, language.MustParse(l))
		tag := tags[len(tags)-1]
		all = append(all, &Speaker{lang: l, words: i18n.NewLocalizer(b, l), digits: message.NewPrinter(tag)})
	}
	return language.NewMatcher(tags), all
})

// Speaker speaks one language. Several goroutines may listen to it at once.
type Speaker struct {
	lang   string
	words  *i18n.Localizer
	digits *message.Printer
}

// In is the speaker of a language, by its code ("de"), or by what a browser
// wishes ("de-AT,de;q=0.9"); of English where there is no such catalogue.
func In(lang string) *Speaker {
	matcher, all := spoken()
	wish, _, err := language.ParseAcceptLanguage(lang)
	if err != nil {
		return all[0]
	}
	_, i, _ := matcher.Match(wish...)
	return all[i]
}

// Lang is the code of the language spoken.
func (s *Speaker) Lang() string { return s.lang }

// Say is the message as a sentence. A key that no catalogue has is answered
// as it is, which is ugly and never wrong.
func (s *Speaker) Say(m game.Message) string {
	c := i18n.LocalizeConfig{MessageID: m.Key}
	data := make(map[string]string, len(m.Args))
	for k, v := range m.Args {
		data[k] = s.value(v)
		data[capital(k)] = capital(data[k])
	}
	c.TemplateData = data
	if n, ok := m.Args["n"].(int64); ok {
		c.PluralCount = n
	}
	// An error says that the language lacks the sentence or one of its plural
	// forms; then text is the English sentence, or the general form.
	if text, _ := s.words.Localize(&c); text != "" {
		return text
	}
	return m.Key
}

// Card is a card as the language's players write it: "D♥" with its suit, "Dame"
// without.
func (s *Speaker) Card(c card.Card) string {
	if c.Suit == card.NoSuit {
		return s.rank("rank.", c.Rank)
	}
	return s.Index(c.Rank) + strings.TrimPrefix(c.String(), c.Rank.String())
}

// Index is what stands in a card's corner in that language: "K" is "R" in
// French.
func (s *Speaker) Index(r card.Rank) string { return s.rank("index.", r) }

// Number is a whole number with its thousands apart, as the language has it:
// "12,500", "12.500" or "12 500" with a space at which no line breaks.
func (s *Speaker) Number(n int64) string { return s.digits.Sprint(n) }

func (s *Speaker) rank(how string, r card.Rank) string {
	switch r {
	case card.Ace, card.Jack, card.Queen, card.King:
		return s.Say(game.Message{Key: how + r.String()})
	}
	return r.String()
}

// value puts one value of a message into words.
func (s *Speaker) value(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return s.Number(v)
	case card.Rank:
		return s.Card(card.Card{Rank: v})
	case card.Card:
		return s.Card(v)
	case game.Message:
		return s.Say(v)
	case []string:
		return s.list("list.and", v)
	case []int64:
		words := make([]string, len(v))
		for i, n := range v {
			words[i] = s.Number(n)
		}
		return s.list("list.or", words)
	case []game.Message:
		words := make([]string, len(v))
		for i, m := range v {
			words[i] = s.Say(m)
		}
		return strings.Join(words, ", ")
	}
	panic("say: a message holds a value of no known kind")
}

// capital is a text with its first letter large.
func capital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// list joins words with commas and, before the last, the word of that key.
func (s *Speaker) list(key string, words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + s.Say(game.Message{Key: key}) + " " + words[last]
}
