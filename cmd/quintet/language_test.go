package main

import "testing"

// TestLanguageOf checks that --lang goes before the locale, and the first variable of a locale before the others.
func TestLanguageOf(t *testing.T) {
	for _, test := range []struct {
		flag string
		env  map[string]string
		want string // tag, or "error"
	}{
		{"", nil, ""},
		{"", map[string]string{"LANG": "ja_JP.UTF-8"}, "ja"},
		{"", map[string]string{"LANG": "ja_JP.UTF-8", "LC_ALL": "fr_FR.UTF-8"}, ""},
		{"", map[string]string{"LANG": "C", "LC_MESSAGES": "zh_HK.UTF-8"}, "zh-HK"},
		{"zh-CN", map[string]string{"LC_ALL": "ja"}, "zh-CN"},
		{"en", map[string]string{"LC_ALL": "ja"}, ""},
		{"xx", nil, "error"},
	} {
		c := newPlay()
		if err := c.Flags().Set("lang", test.flag); err != nil {
			t.Fatal(err)
		}
		l, err := languageOf(c, func(name string) string { return test.env[name] })
		got := ""
		switch {
		case err != nil:
			got = "error"
		case l != nil:
			got = l.Tag
		}
		if got != test.want {
			t.Errorf("--lang %q, %v: %q (%v), want %q", test.flag, test.env, got, err, test.want)
		}
	}
}
