package mat

import (
	"bytes"
	"strings"
	"testing"
)

func TestEveryMat(t *testing.T) {
	sizes := map[string]string{"A3": "1190.55 841.89", "A4": "841.89 595.28"}
	for paper, box := range sizes {
		for lang := range words {
			var b bytes.Buffer
			if err := Write(&b, paper, lang); err != nil {
				t.Errorf("%s %s: %v", paper, lang, err)
			}
			if !strings.HasPrefix(b.String(), "%PDF-") || !strings.Contains(b.String(), "/MediaBox [0 0 "+box+"]") {
				t.Errorf("%s %s: no sheet of %s points", paper, lang, box)
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	if err := Write(&bytes.Buffer{}, "A5", "en"); err == nil || !strings.Contains(err.Error(), `"A5"`) {
		t.Error(err)
	}
	if err := Write(&bytes.Buffer{}, "A4", "nl"); err == nil || !strings.Contains(err.Error(), `"nl"`) {
		t.Error(err)
	}
}
