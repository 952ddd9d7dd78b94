package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lansquenet/web"
)

// File is where a data folder keeps what the host set on the camera page.
const File = "camera.json"

// Settings are what the host set. They go before the configuration, because he
// set them looking at the picture; what he never touched is as configured.
type Settings struct {
	Region *web.Region `json:"region,omitempty"` // the zero region is the whole picture
	Deck   *string     `json:"deck,omitempty"`
}

// Load reads the settings of a data folder; without a file nothing was set. The
// error says what to do, and all is as configured then.
func Load(data string) (Settings, error) {
	var s Settings
	name := filepath.Join(data, File)
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err == nil && s.Region != nil && *s.Region != (web.Region{}) && !sound(*s.Region) {
		err = fmt.Errorf("the region %v is no part of a picture", *s.Region)
	}
	if err != nil {
		return Settings{}, fmt.Errorf("what was set on the camera page is lost; set it again there (%s: %w)", name, err)
	}
	return s, nil
}

// save writes the settings whole or not at all.
func (s Settings) save(data string) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(data, "."+File+"-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone when all went well
	_, err = tmp.Write(append(b, '\n'))
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(data, File))
}

// least is the smallest side of a region, as a share of the picture's.
const least = 0.1

// sound says that a region is a part of a picture that a card fits into.
func sound(r web.Region) bool {
	const eps = 1e-6
	return r.X >= 0 && r.Y >= 0 && r.W >= least-eps && r.H >= least-eps && r.X+r.W <= 1+eps && r.Y+r.H <= 1+eps
}
