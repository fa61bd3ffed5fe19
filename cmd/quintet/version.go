package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"quintet/bots"
	"quintet/games"
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

// writeVersion prints the build and the fingerprint of the search: the node count of
// quintet bench, which it computes.
func writeVersion(ctx context.Context, out io.Writer) error {
	var nodes uint64
	for _, g := range games.All() {
		r, err := bots.Bench(ctx, g)
		if err != nil {
			return failed(err)
		}
		nodes += r.Nodes
	}
	b := thisBuild()
	_, err := fmt.Fprintf(out, "quintet %s\nrevision %s\ncompiler %s\nsearch   %d\n", b.release, b.revision, b.compiler, nodes)
	return failed(err)
}
