package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// build identifies the build of this program.
type build struct {
	release  string // a tag such as v1.2.0; "(devel)" between tags
	revision string // of the source, with "modified" if it was changed; "unknown" outside a checkout
	compiler string // "go1.26.8 linux/amd64"
}

func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(info)
}

func buildOf(info *debug.BuildInfo) build {
	b := build{
		release:  cmp.Or(info.Main.Version, "unknown"),
		revision: "unknown",
		compiler: fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	if r := set["vcs.revision"]; r != "" {
		b.revision = r
		if set["vcs.modified"] == "true" {
			b.revision += " modified"
		}
	}
	return b
}

// version names the release of this program.
func version() string { return thisBuild().release }

// String describes the build in lines, as --version prints them.
func (b build) String() string {
	return fmt.Sprintf("quintet %s\nrevision %s\ncompiler %s", b.release, b.revision, b.compiler)
}
