package marks_test

import (
	"testing"

	"quintet/judge/marks"
)

// TestParseTime reads the dates that Moodle writes in several languages.
func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"Thursday, 19 November 2026, 11:59 PM": "2026-11-19 23:59",
		"2026年 11月 19日(木曜日) 23:59":             "2026-11-19 23:59",
		"2026年11月19日 星期四 下午 3:05":              "2026-11-19 15:05",
		"2026年11月19日(四) 上午12:05":               "2026-11-19 00:05",
		"2026-11-19":                           "2026-11-19 23:59",
		"19日 23:59":                            "",
		"2026年13月45日 23:59":                    "",
		"2026年2月29日 23:59":                     "",
		"2026年11月19日 99:00":                    "",
	} {
		got, ok := marks.ParseTime(text)
		if ok != (want != "") || ok && got.Format("2006-01-02 15:04") != want {
			t.Errorf("%s: %v %v, want %q", text, got, ok, want)
		}
	}
}
