package judge

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/game"
	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
)

// CourseSettings holds the settings of a profile file: what is to be written and what counts,
// accepted choices, compilers with their flags, the limits of compilers and programs, and the
// penalty for late submissions.
type CourseSettings struct {
	Game    string // "" if the file does not say
	Class   bool   // grade member functions instead of the console program
	Size    string // of the board; "" is the usual one
	Points  float64
	Best    bool // the best attempt counts instead of the last
	Profile Profile
	Build   run.Options // compilers and flags
	Compile run.Limits
	Run     run.Limits
	Late    marks.Late
}

// DefaultCourse returns the settings without a profile file.
func DefaultCourse() CourseSettings {
	build := run.Options{Compiler: "g++", Flags: run.DefaultFlags(), CCompiler: "cc", CFlags: run.DefaultCFlags(), Python: "python3"}
	return CourseSettings{Build: build, Compile: run.CompileLimits(), Run: run.DefaultLimits()}
}

// setting is a key of a profile file that is not a decision.
type setting struct {
	key, wants string
	set        func(c *CourseSettings, value string) bool
}

// settings lists the settings.
var settings = []setting{
	{"game", "a game", word(func(c *CourseSettings) *string { return &c.Game })},
	{"kind", "console or class", func(c *CourseSettings, v string) bool {
		c.Class = v == "class"
		return c.Class || v == "console"
	}},
	{"size", "a size of the board", word(func(c *CourseSettings) *string { return &c.Size })},
	{"points", "a number above 0", func(c *CourseSettings, v string) (ok bool) {
		n, err := strconv.ParseFloat(v, 64)
		c.Points = n
		return err == nil && n > 0 && n <= marks.MaxPoints
	}},
	{"attempts", "best or last", func(c *CourseSettings, v string) bool {
		c.Best = v == "best"
		return c.Best || v == "last"
	}},
	{"compiler", "the name of a compiler, such as g++ or clang++", word(func(c *CourseSettings) *string { return &c.Build.Compiler })},
	{"flags", "flags of the compiler, such as -std=c++17 -O1 -Wall", flags(func(c *CourseSettings) *[]string { return &c.Build.Flags })},
	{"c-compiler", "the name of a compiler, such as cc or clang", word(func(c *CourseSettings) *string { return &c.Build.CCompiler })},
	{"c-flags", "flags of the compiler, such as -std=c17 -O1", flags(func(c *CourseSettings) *[]string { return &c.Build.CFlags })},
	{"python", "the name of an interpreter, such as python3", word(func(c *CourseSettings) *string { return &c.Build.Python })},
	{"due", "a date and time, such as 2026-11-20 23:59", func(c *CourseSettings, v string) (ok bool) {
		c.Late.Due, ok = marks.ParseTime(v)
		return ok
	}},
	{"late", "what each day begun costs, such as 10% or 5 points", func(c *CourseSettings, v string) bool { return c.Late.SetPenalty(v) }},
	{"compile-time", "a time from 1s to 10m, such as 8s", duration(func(c *CourseSettings, d time.Duration) {
		c.Compile.CPU, c.Compile.Wall = d, d+d/2
	})},
	{"compile-memory", "megabytes from 16 to 65536", megabytes(func(c *CourseSettings, n int64) { c.Compile.Memory = n })},
	{"time", "a time from 1s to 10m, such as 3s", duration(func(c *CourseSettings, d time.Duration) { c.Run.CPU, c.Run.Wall = d, 2*d })},
	{"memory", "megabytes from 16 to 65536", megabytes(func(c *CourseSettings, n int64) { c.Run.Memory = n })},
	{"output", "kilobytes from 1 to 65536", number(1, 65536, func(c *CourseSettings, n int64) { c.Run.Output = int(n) << 10 })},
	{"processes", "a number from 8 to 4096", number(8, 4096, func(c *CourseSettings, n int64) { c.Run.Processes = int(n) })},
}

func word(field func(*CourseSettings) *string) func(*CourseSettings, string) bool {
	return func(c *CourseSettings, v string) bool {
		*field(c) = v
		return v != "" && !strings.ContainsAny(v, " \t'")
	}
}

func flags(field func(*CourseSettings) *[]string) func(*CourseSettings, string) bool {
	return func(c *CourseSettings, v string) bool {
		*field(c) = strings.Fields(v)
		return !slices.ContainsFunc(*field(c), func(f string) bool { return f[0] != '-' || strings.HasPrefix(f, "-o") })
	}
}

func duration(set func(*CourseSettings, time.Duration)) func(*CourseSettings, string) bool {
	return func(c *CourseSettings, v string) bool {
		d, err := time.ParseDuration(v)
		set(c, d)
		return err == nil && d >= time.Second && d <= 10*time.Minute
	}
}

func megabytes(set func(*CourseSettings, int64)) func(*CourseSettings, string) bool {
	return number(16, 65536, func(c *CourseSettings, n int64) { set(c, n<<20) })
}

func number(least, most int64, set func(*CourseSettings, int64)) func(*CourseSettings, string) bool {
	return func(c *CourseSettings, v string) bool {
		n, err := strconv.ParseInt(v, 10, 64)
		set(c, n)
		return err == nil && n >= least && n <= most
	}
}

// GameOf returns the game that a profile names, or "".
func GameOf(profile []byte) string {
	for line := range strings.Lines(string(run.Text(profile))) {
		line, _, _ = strings.Cut(line, "#")
		if key, value, _ := strings.Cut(line, "="); strings.TrimSpace(key) == "game" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// ReadCourse reads a profile for a game: lines "KEY = VALUE", where the key is a setting
// or a decision of the game, and comments after "#". Errors say what is expected.
func ReadCourse(r io.Reader, name string) (CourseSettings, error) {
	c := DefaultCourse()
	c.Profile = Profile{}
	data, err := io.ReadAll(r)
	if err != nil {
		return c, fmt.Errorf("reading the profile: %w", err)
	}
	for i, line := range strings.Split(string(run.Text(data)), "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := c.set(line, name); err != nil {
			return c, fmt.Errorf("profile, line %d: %w", i+1, err)
		}
	}
	if c.Game != "" && c.Game != name {
		return c, fmt.Errorf("the profile is for %s, not for %s", c.Game, name)
	}
	return c, nil
}

func (c *CourseSettings) set(line, name string) error {
	key, value, ok := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok {
		return fmt.Errorf("%q: expected DECISION = CHOICE, CHOICE or SETTING = VALUE", line)
	}
	if of, rest, ok := strings.Cut(key, "."); ok {
		if !slices.Contains(dialogue.Games(), of) {
			return fmt.Errorf("game %q: expected %s", of, game.Alternatives(dialogue.Games()))
		}
		if of != name {
			return nil
		}
		key = rest
	}
	i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
	if i < 0 {
		return c.Profile.set(key, value, name)
	}
	if !settings[i].set(c, value) {
		return fmt.Errorf("%s %q: expected %s", key, value, settings[i].wants)
	}
	return nil
}

// keys lists the valid keys.
func keys(name string) (list []string) {
	for _, d := range decisionsOf(name) {
		list = append(list, d.Name)
	}
	for _, s := range settings {
		list = append(list, s.key)
	}
	return list
}
