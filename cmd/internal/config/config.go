// Package config is the one file a host may write: every value has a default, so
// none is needed. It promises that a key it does not know is an error naming it,
// and that each value can be overridden by an environment variable spelled after
// section and key (LANSQUENET_WEB_HOST_PIN). What the values mean is the
// business of the packages that get them.
package config

import (
	_ "embed"
	"encoding"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"lansquenet/hw"
	"lansquenet/ledger/say"
)

// Config is the file's content.
type Config struct {
	Data    Data      `toml:"data"`
	Camera  Camera    `toml:"camera"`
	Web     Web       `toml:"web"`
	Buttons hw.Config `toml:"buttons"`
}

// Data says where the nights are kept.
type Data struct {
	Dir  string `toml:"dir"`
	Keep bool   `toml:"keep_pictures"` // a small picture of every card
	MB   int    `toml:"pictures_mb"`   // how much they may take; the oldest nights' go first
}

// Camera says where the frames come from and how the cards are read.
type Camera struct {
	Source   string             `toml:"source"` // as on the command line; "none": the host enters the cards
	Width    int                `toml:"width"`
	Height   int                `toml:"height"`
	FPS      float64            `toml:"fps"`
	ROI      []int              `toml:"roi"`  // x, y, width, height in pixels; empty: all of the picture
	Deck     string             `toml:"deck"` // the name of a taught deck; "": the built-in reader
	Sure     float64            `toml:"sure"` // confidence from which a rank needs no question
	Controls map[string]float64 `toml:"controls"`
}

// Web says who reaches the pages and how.
type Web struct {
	Listen   string   `toml:"listen"`
	HostPIN  string   `toml:"host_pin"` // "": one is made at the first start
	Names    []string `toml:"names"`    // further names this machine is called by
	Address  string   `toml:"address"`  // what QR codes say; "": this machine's own address
	Language string   `toml:"language"` // of a viewer whose own is not there
}

// Default is what holds without a file.
func Default() Config {
	return Config{
		Data:   Data{Dir: dataDir(), Keep: true, MB: 256},
		Camera: Camera{Source: "none", Width: 1280, Height: 720, FPS: 30},
		Web:    Web{Listen: ":8080", Language: "en"},
	}
}

// dataDir is the service's state folder, or one in the user's home.
func dataDir() string {
	if dir := os.Getenv("STATE_DIRECTORY"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "lansquenet")
	}
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, ".local", "share", "lansquenet")
	}
	return "data"
}

// Example is the commented file with every key at its default.
//
//go:embed lansquenet.toml
var Example string

// Load reads the file ("" for none) and the environment, in the form of
// os.Environ, over the defaults. The error names the file, the key and what to
// write instead.
func Load(file string, environ []string) (Config, error) {
	c := Default()
	if file != "" {
		if err := c.read(file); err != nil {
			return c, err
		}
	}
	if err := c.override(environ); err != nil {
		return c, err
	}
	return c, c.check()
}

func (c *Config) read(file string) error {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no configuration file %s; every value has a default, so --config can be left out", file)
	} else if err != nil {
		return fmt.Errorf("the configuration %s cannot be read: %w", file, err)
	}
	meta, err := toml.Decode(string(b), c)
	var wrong toml.ParseError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s, line %d: %s", file, wrong.Position.Line, wrong.Message)
	} else if err != nil {
		return fmt.Errorf("%s%w", file, c.plainly(err))
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return fmt.Errorf("%s: there is no key %q%s", file, extra[0].String(), c.like(extra[0]))
	}
	return nil
}

// misfit is how the TOML package says that a value doesn't fit its key.
var misfit = regexp.MustCompile(`^toml: line (\d+) \(last key "([^"]+)"\): (.*)$`)

// plainly says of a value that doesn't fit its key where it stands and what is
// wanted there; it begins with the sign that follows the file's name.
func (c *Config) plainly(err error) error {
	m := misfit.FindStringSubmatch(err.Error())
	if m == nil {
		return fmt.Errorf(": %w", err)
	}
	for _, v := range settings(reflect.ValueOf(c).Elem(), nil) {
		if strings.Join(v.path, ".") == m[2] && strings.Contains(m[3], "types") {
			return fmt.Errorf(", line %s: %s: %s", m[1], m[2], wants(v.at))
		}
	}
	return fmt.Errorf(", line %s: %s: %s", m[1], m[2], m[3])
}

// wants says what a value has to look like in the file.
func wants(at reflect.Value) string {
	if _, ok := at.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return `a text in "quotes" is wanted`
	}
	switch at.Kind() {
	case reflect.String:
		return `a text in "quotes" is wanted`
	case reflect.Int:
		return wholeNumber
	case reflect.Float64:
		return number
	case reflect.Bool:
		return yesOrNo
	case reflect.Slice:
		return "a list in [brackets] is wanted"
	default:
		return "a section of its own is wanted"
	}
}

// What is wanted of a value, the same in the file and the environment.
const (
	wholeNumber = "a whole number is wanted"
	number      = "a number is wanted"
	yesOrNo     = "true or false is wanted"
)

// like names the keys of the section that an unknown key stands in.
func (c *Config) like(key toml.Key) string {
	var names []string
	for _, v := range settings(reflect.ValueOf(c).Elem(), nil) {
		if len(key) > 1 && v.path[0] == key[0] {
			names = append(names, v.path[1])
		}
	}
	if len(names) == 0 {
		return "; the sections are data, camera, web and buttons"
	}
	return "; [" + key[0] + "] has " + strings.Join(names, ", ")
}

// setting is one value of the file.
type setting struct {
	path []string
	at   reflect.Value
}

// settings lists every key below a struct.
func settings(v reflect.Value, path []string) (all []setting) {
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("toml")
		if name == "" || name == "-" {
			continue
		}
		p := append(slices.Clone(path), name)
		if f := v.Field(i); f.Kind() == reflect.Struct {
			all = append(all, settings(f, p)...)
		} else {
			all = append(all, setting{p, f})
		}
	}
	return all
}

// Prefix begins every variable that overrides a value.
const Prefix = "LANSQUENET_"

// override sets what the environment says.
func (c *Config) override(environ []string) error {
	known := map[string]reflect.Value{}
	for _, s := range settings(reflect.ValueOf(c).Elem(), nil) {
		known[Prefix+strings.ToUpper(strings.Join(s.path, "_"))] = s.at
	}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if !strings.HasPrefix(name, Prefix) {
			continue
		}
		at, ok := known[name]
		if !ok {
			return fmt.Errorf("the environment sets %s, which is no value of the configuration", name)
		}
		if err := set(at, value); err != nil {
			return fmt.Errorf("%s=%q: %w", name, value, err)
		}
	}
	return nil
}

// set reads text into a value; lists are separated by commas.
func set(at reflect.Value, text string) error {
	if u, ok := at.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch at.Kind() {
	case reflect.String:
		at.SetString(text)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return errors.New(wholeNumber)
		}
		at.SetInt(int64(n))
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return errors.New(number)
		}
		at.SetFloat(f)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return errors.New(yesOrNo)
		}
		at.SetBool(b)
	case reflect.Slice:
		list := reflect.MakeSlice(at.Type(), 0, 4)
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			v := reflect.New(at.Type().Elem()).Elem()
			if err := set(v, part); err != nil {
				return err
			}
			list = reflect.Append(list, v)
		}
		at.Set(list)
	case reflect.Map:
		m := reflect.MakeMap(at.Type())
		for part := range strings.SplitSeq(text, ",") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return errors.New("key=value, separated by commas, is wanted")
			}
			v := reflect.New(at.Type().Elem()).Elem()
			if err := set(v, strings.TrimSpace(value)); err != nil {
				return err
			}
			m.SetMapIndex(reflect.ValueOf(strings.TrimSpace(key)), v)
		}
		at.Set(m)
	default:
		return fmt.Errorf("a %s cannot be set here", at.Type())
	}
	return nil
}

// check refuses values that no part could use.
func (c *Config) check() error {
	switch {
	case c.Data.MB < 1:
		return fmt.Errorf("[data] pictures_mb is %d: give them at least 1, or set keep_pictures to false", c.Data.MB)
	case c.Data.Dir == "":
		return errors.New("[data] dir is empty: name a folder for the nights")
	case c.Camera.Source == "":
		return errors.New(`[camera] source is empty: name a camera, or "none" when the host enters the cards`)
	case len(c.Camera.ROI) != 0 && (len(c.Camera.ROI) != 4 || slices.Min(c.Camera.ROI) < 0 || c.Camera.ROI[2] == 0 || c.Camera.ROI[3] == 0):
		return errors.New("[camera] roi is four numbers: x, y, width, height in pixels")
	case c.Camera.Width < 1 || c.Camera.Height < 1:
		return fmt.Errorf("[camera] width and height are %d and %d: a camera gives at least one pixel, most 1280 and 720", c.Camera.Width, c.Camera.Height)
	case !(c.Camera.FPS > 0):
		return fmt.Errorf("[camera] fps is %v: ask for more than 0 pictures a second, most cameras give 30", c.Camera.FPS)
	case c.Camera.Sure < 0 || c.Camera.Sure > 1:
		return errors.New("[camera] sure lies between 0 and 1")
	case !slices.Contains(say.Languages(), c.Web.Language):
		return fmt.Errorf("[web] language is %q: take one of %s", c.Web.Language, strings.Join(say.Languages(), ", "))
	case c.Web.HostPIN != "" && utf8.RuneCountInString(c.Web.HostPIN) < 4:
		return errors.New("[web] host_pin is too short: take at least four signs, or leave it out and one is made")
	}
	return nil
}

// Path is a file in the data folder.
func (d Data) Path(name string) string { return filepath.Join(d.Dir, name) }

// Area is the region of interest; the zero rectangle is all of the picture.
func (c Camera) Area() image.Rectangle {
	if len(c.ROI) != 4 {
		return image.Rectangle{}
	}
	return image.Rect(c.ROI[0], c.ROI[1], c.ROI[0]+c.ROI[2], c.ROI[1]+c.ROI[3])
}
