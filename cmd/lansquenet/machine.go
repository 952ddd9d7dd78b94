package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"lansquenet/cmd/internal/config"
	"lansquenet/cmd/internal/doctor"
	"lansquenet/cmd/internal/mat"
	"lansquenet/hw"
	"lansquenet/vision"
	"lansquenet/vision/cv"
)

// machineCommands are doctor, mat, config and version.
var machineCommands = []command{
	{"doctor", "[--config FILE] [--data DIR] [--camera SOURCE] [--json]", "checks this machine: reader, camera, data folder, port, power, buttons", examine},
	{"mat", "--out FILE.pdf [--paper A3|A4] [--lang LANG]", "prints the table mat", printMat},
	{"config", "", "prints the configuration file with every value at its default", printConfig},
	{"version", "", "prints the versions of this program, of Go, OpenCV and gocv", version},
}

// built is the program's own version; `make build` sets it from git.
var built = "unreleased"

// version prints what this program was built from.
func version(_ context.Context, t terminal, args []string) error {
	if _, err := parse(flags(t, "version"), args, 0, 0); err != nil {
		return err
	}
	opencv, gocv := cv.Version()
	if opencv == "" {
		opencv, gocv = "not built in", "not built in"
	} else if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "gocv.io/x/gocv" {
				gocv = strings.TrimPrefix(d.Version, "v")
			}
		}
	}
	fmt.Fprintf(t.out, "lansquenet %s\ngo         %s %s/%s\nopencv     %s\ngocv       %s\n",
		built, strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS, runtime.GOARCH, opencv, gocv)
	return nil
}

// examine is the command doctor.
func examine(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "doctor")
	file := fs.String("config", "", "`FILE` with the configuration")
	data := fs.String("data", "", "`DIR` of the nights")
	source := fs.String("camera", "", "`SOURCE` of the frames, or none")
	asJSON := fs.Bool("json", false, "one JSON object a finding")
	if _, err := parse(fs, args, 0, 0); err != nil {
		return err
	}
	cfg, err := config.Load(*file, os.Environ())
	if err != nil {
		return err
	}
	if *data != "" {
		cfg.Data.Dir = *data
	}
	if *source != "" {
		cfg.Camera.Source = *source
	}
	sick := false
	found := doctor.Look(ctx, cfg, func() (vision.Eye, error) { return openEye(cfg.Camera.Deck, cfg.Data.Dir) })
	for _, f := range hw.Examine(cfg.Buttons) {
		found = append(found, doctor.Finding{Name: "buttons", OK: f.OK, Says: f.Says})
	}
	for _, f := range found {
		sick = sick || !f.OK
		if *asJSON {
			if err := json.NewEncoder(t.out).Encode(f); err != nil {
				return err
			}
			continue
		}
		sign := "ok  "
		if !f.OK {
			sign = "BAD "
		}
		fmt.Fprintf(t.out, "%s %-8s %s\n", sign, f.Name, f.Says)
	}
	if sick {
		return errReported
	}
	return nil
}

// printMat is the command mat.
func printMat(_ context.Context, t terminal, args []string) error {
	fs := flags(t, "mat")
	out := fs.String("out", "", "`FILE.pdf` to write")
	paper := fs.String("paper", "A3", "A3 or A4, both landscape")
	lang := fs.String("lang", "en", "language of the words: en, de, fr, it or ru")
	if _, err := parse(fs, args, 0, 0); err != nil {
		return err
	}
	if *out == "" {
		return misuse("--out is missing: name the PDF to write")
	}
	f, err := os.Create(*out)
	if err != nil {
		return fmt.Errorf("the mat cannot be written: %w", err)
	}
	if err := errors.Join(mat.Write(f, *paper, *lang), f.Close()); err != nil {
		_ = os.Remove(*out)
		return err
	}
	return nil
}

// printConfig is the command config.
func printConfig(_ context.Context, t terminal, args []string) error {
	if _, err := parse(flags(t, "config"), args, 0, 0); err != nil {
		return err
	}
	_, err := fmt.Fprint(t.out, config.Example)
	return err
}
