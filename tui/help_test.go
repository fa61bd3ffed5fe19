package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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

// TestClickPrompt clicks on the keys of a prompt.
func TestClickPrompt(t *testing.T) {
	h := newHarness(t, 80, 24)
	p := h.play("loa", nil, "person", "person", "none")
	click := func(key keyPress) {
		canvas := h.app.shared.paint()
		for x := range canvas.W {
			if canvas.At(x, canvas.H-1) == any(key) {
				h.send(tea.MouseClickMsg{X: x, Y: canvas.H - 1, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("no %s on the screen:\n%s", key, h.screen())
	}
	h.press(":", "a1?")
	click("enter")
	if _, ok := h.app.shared.top().(*prompt); !ok || !strings.Contains(h.screen(), "a1?") {
		t.Errorf("a wrong move closes the prompt, or changes its text:\n%s", h.screen())
	}
	click("?")
	if !h.app.shared.help {
		t.Error("no help of the keys")
	}
	h.press("x")
	click("esc")
	if h.app.shared.top() != screen(p) {
		t.Errorf("the prompt is open:\n%s", h.screen())
	}
}
