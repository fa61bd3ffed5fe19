package judge_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/judge"
)

// TestReadCourse reads a file with every setting.
func TestReadCourse(t *testing.T) {
	c, err := judge.ReadCourse(strings.NewReader(`
# a course
compiler = clang++
flags = -std=c++20 -O2   # no warnings
compile-time = 10s
compile-memory = 512
time = 2s
neighbors.memory = 64
loa.memory = 99
output = 8
processes = 16
pass-board = printed
D-08 = pass, ask
`), "neighbors")
	if err != nil {
		t.Fatal(err)
	}
	if c.Build.Compiler != "clang++" || !slices.Equal(c.Build.Flags, []string{"-std=c++20", "-O2"}) || c.Compile.CPU != 10*time.Second || c.Compile.Memory != 512<<20 {
		t.Errorf("%+v", c)
	}
	if r := c.Run; r.CPU != 2*time.Second || r.Wall != 4*time.Second || r.Memory != 64<<20 || r.Output != 8<<10 || r.Processes != 16 {
		t.Errorf("%+v", c.Run)
	}
	if !slices.Equal(c.Profile["pass-board"], []string{"printed"}) || !slices.Equal(c.Profile["stuck"], []string{"pass", "ask"}) {
		t.Errorf("%+v", c.Profile)
	}
}

// TestReadCourseErrors checks that errors say what would be right.
func TestReadCourseErrors(t *testing.T) {
	for _, test := range [][2]string{
		{"nonsense", "DECISION = CHOICE"},
		{"go.size = 9", "expected neighbors, othello, loa, connect6 or chess"},
		{"colour = red", "use line-ends, long-cells, pass-board, stuck, blank-lines, last-line, cells, letter-case, extra-output, game, kind, size, points, attempts, compiler, flags,"},
		{"pass-board = often", "expected printed or not-printed"},
		{"compiler = g++ -O2", "the name of a compiler"},
		{"flags = -o /etc/passwd", "flags of the compiler"},
		{"flags = /etc/passwd", "flags of the compiler"},
		{"compile-time = soon", "a time from 1s to 10m"},
		{"time = 0s", "a time from 1s to 10m"},
		{"memory = much", "megabytes from"},
		{"memory = -1", "megabytes from"},
		{"output = 0", "kilobytes from 1"},
	} {
		if _, err := judge.ReadCourse(strings.NewReader(test[0]), "neighbors"); err == nil || !strings.Contains(err.Error(), test[1]) {
			t.Errorf("%q: %v, want %q", test[0], err, test[1])
		}
	}
}

// TestTidy removes from boards only what the profile accepts.
func TestTidy(t *testing.T) {
	const printed = "0 . B \n\n"
	for _, test := range []struct {
		p    judge.Profile
		want string
	}{
		{nil, "0 . B\n"},
		{judge.Strict("neighbors"), printed},
		{judge.Profile{"blank-lines": {"none"}}, "0 . B\n\n"},
		{judge.Profile{"blank-lines": {"none", "any"}, "line-ends": {"none", "all"}}, "0 . B\n"},
	} {
		if got := test.p.Tidy(printed); got != test.want {
			t.Errorf("%v: %q, want %q", test.p, got, test.want)
		}
	}
}
