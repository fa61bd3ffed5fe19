package class

import (
	"strings"
	"testing"

	"quintet/judge/run"
)

// TestJudged passes a check only if the right output is followed by a regular end.
func TestJudged(t *testing.T) {
	for _, ending := range []run.Ending{run.Exited, run.Waiting, run.TimedOut, run.OutputExceeded, run.Crashed, run.Failed} {
		for _, text := range []string{"B", "W"} {
			c := testCase{want: "B"}.judge(run.Outcome{Output: text, Ending: ending}, strings.Clone)
			if want := text == "B" && ending == run.Exited; c.OK != want {
				t.Errorf("%q, then it %s: right %t, want %t", text, ending, c.OK, want)
			}
		}
	}
}

// TestHasMain tells sources that have a main function from those that speak of
// one.
func TestHasMain(t *testing.T) {
	for text, want := range map[string]bool{
		"int main() {}":     true,
		"int\nmain ( )\n{}": true,
		"auto main(int argc, char **argv) -> int {}":      true,
		"class A {};\n/* test */ int /* */ main() {}":     true,
		"int n = 1'000; int main() {} char c = '0';":      true,
		"char quote = '\"'; int main() { puts(\"x\"); }":  true,
		"const char *s = \"\\\\\"; int main() {}":         true,
		"// int main() {}":                                false,
		"// see \\\nint main() {}":                        false,
		"/* int main()\n { } */ int x;":                   false,
		"/* int main() {":                                 false,
		"puts(\"int main()\");":                           false,
		"puts(R\"(\n\"int main()\n)\");":                  false,
		"print main (int)":                                false,
		"int domain(int x); int mainly(); int x_main();":  false,
		"int remain() { return 0; } point main_square();": false,
		"point main(0, 0);":                               false,
		"":                                                false,
	} {
		if got := hasMain(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
