package farm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quintet/farm"
)

// TestBuild checks that different programs have different builds.
func TestBuild(t *testing.T) {
	b := farm.Build{Program: farm.Program{Fingerprint: 1, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
	for want, change := range map[string]func(b *farm.Build){
		"":            func(b *farm.Build) { b.OS, b.SHA256 = "darwin", "bb" },
		"SHA-256":     func(b *farm.Build) { b.SHA256 = "bb" },
		"fingerprint": func(b *farm.Build) { b.Fingerprint++ },
		"arm64":       func(b *farm.Build) { b.Arch = "arm64" },
	} {
		other := b
		change(&other)
		err := b.Compatible(other)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			text, _ := json.Marshal(other)
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

func TestSPRTOutcome(t *testing.T) {
	for _, c := range []struct {
		verdict string
		running bool
		want    string
	}{
		{"open", true, "running"},
		{"", true, "running"},
		{"open", false, "undecided"},
		{"", false, "undecided"},
		{"H0", false, "H0"},
		{"H1", true, "H1"},
	} {
		if got := farm.SPRTOutcome(c.verdict, c.running); got != c.want {
			t.Errorf("%q, running %t: %s, want %s", c.verdict, c.running, got, c.want)
		}
	}
}
