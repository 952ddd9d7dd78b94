package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// machineCommands are doctor, mat and version.
var machineCommands = []command{
	{"version", "", "prints the versions of this program, of Go, OpenCV and gocv", version},
}

// built is the program's own version; `make build` sets it from git.
var built = "unreleased"

// version prints what this program was built from.
func version(_ context.Context, t terminal, args []string) error {
	if _, err := parse(flags(t, "version"), args, 0, 0); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "lansquenet %s\ngo         %s %s/%s\ngocv       %s\n",
		built, runtime.Version(), runtime.GOOS, runtime.GOARCH, moduleVersion("gocv.io/x/gocv"))
	return nil
}

// moduleVersion is the version of a module that was linked in, or a plain word
// when it wasn't.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == path {
				return d.Version
			}
		}
	}
	return "not built in"
}
