package formats_test

import (
	"runtime"
	"strings"
	"testing"

	"quintet/record/formats"
)

// TestReadCost checks that the cost of reading grows with the length of a text, not with its
// square: strangers send texts. It counts the bytes that are allocated.
func TestReadCost(t *testing.T) {
	cost := func(text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, _, _ = formats.Read([]byte(text), formats.Hint{}) // most are not games
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, text := range map[string]func(n int) string{
		"cells":         func(n int) string { return strings.Repeat("F5", n) },
		"lines":         func(n int) string { return strings.Repeat("F5D6\n", n/16) },
		"SGF name":      func(n int) string { return "(;" + strings.Repeat("A", n) + "[x])" },
		"SGF nodes":     func(n int) string { return "(;GM[2]" + strings.Repeat(";", n) + ")" },
		"SGF branches":  func(n int) string { return strings.Repeat("(", n) },
		"PGN variation": func(n int) string { return "1. e4 " + strings.Repeat("(1. d4) ", n/16) },
		"PGN tags":      func(n int) string { return strings.Repeat("[A \"b\"]\n", n) },
	} {
		const n = 4_000
		if small, large := cost(text(n)), cost(text(4*n)); large > 8*small+1<<20 {
			t.Errorf("%s: %d bytes are allocated for a text, and %d for one four times as long", name, small, large)
		}
	}
}
