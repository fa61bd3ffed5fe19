package tui

import (
	"strings"
	"testing"
)

// TestRules goes from the keys to the rules and back by Tab, on each screen that is
// about a game, and on no other.
func TestRules(t *testing.T) {
	for name, test := range map[string]struct {
		open func(h *harness)
		want string // "" if there are no rules
	}{
		"home":       {func(*harness) {}, "encloses a line"},
		"set-up":     {func(h *harness) { h.press("o") }, "Pits are cells"},
		"a game":     {func(h *harness) { h.play("connect6", nil, "person", "person", "none") }, "on any empty intersections"},
		"review":     {func(h *harness) { h.play("loa", nil, "person", "person", "none"); h.press("a") }, "A side wins when"},
		"appearance": {func(h *harness) { h.press("a") }, ""},
	} {
		h := newHarness(t, 80, 40)
		test.open(h)
		h.press("?")
		if keys := h.screen(); !strings.Contains(keys, "All keys") || strings.Contains(keys, "Tab: the rules") != (test.want != "") {
			t.Errorf("%s: the keys are\n%s", name, keys)
		}
		h.press("tab")
		if test.want == "" {
			if strings.Contains(h.screen(), "closes this") {
				t.Errorf("%s: Tab does not close the help", name)
			}
			continue
		}
		if rules := h.screen(); !strings.Contains(rules, test.want) || strings.Contains(rules, "All keys") {
			t.Errorf("%s: want %q in\n%s", name, test.want, rules)
		}
		h.press("tab")
		if !strings.Contains(h.screen(), "All keys") {
			t.Errorf("%s: want the keys again after another Tab", name)
		}
	}
}
