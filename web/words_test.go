package web_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/chess"
	"quintet/games/othello"
	"quintet/internal/lang"
	"quintet/web"
)

// TestLanguage checks that the first requested language that exists is chosen.
func TestLanguage(t *testing.T) {
	s := open(t)
	for _, accept := range []string{"", "en-GB,en;q=0.9", "xx, en;q=0.1", "*"} {
		if body := get(t, s, "/", "Accept-Language", accept).Body.String(); !strings.Contains(body, `<html lang="`+web.Source+`">`) {
			t.Errorf("Accept-Language %q: want %s", accept, web.Source)
		}
	}
}

// TestChosenLanguage checks that an address chooses the language and the choice is remembered.
func TestChosenLanguage(t *testing.T) {
	s := open(t)
	w := get(t, s, "/g/othello?lang="+lang.Pseudo, "Accept-Language", "en")
	body, cookie := w.Body.String(), w.Header().Get("Set-Cookie")
	if !strings.Contains(body, `<html lang="en-XA">`) || !strings.Contains(body, "⟦") || !strings.Contains(cookie, "quintet-lang=en-XA;") {
		t.Errorf("cookie %q and\n%s", cookie, body)
	}
	for path, want := range map[string]string{"/": "en-XA", "/?lang=en": "en", "/?lang=xx": "en-XA"} {
		if body := get(t, s, path, "Cookie", "quintet-lang=en-XA").Body.String(); !strings.Contains(body, `<html lang="`+want+`">`) {
			t.Errorf("%s is not in %s", path, want)
		}
	}
	if body := get(t, s, "/g/othello", "Accept-Language", "zh-TW,zh;q=0.9").Body.String(); !strings.Contains(body, `lang="zh-HK"`) || !strings.Contains(body, "黑白棋. 黑方 2，白方 2") || !strings.Contains(body, "words.zh-HK.sentences.js") || !strings.Contains(body, "cjk.css") {
		t.Errorf("a game in Taiwan's Chinese:\n%s", body)
	}
	if w := get(t, s, "/", "Cookie", "quintet-lang=../x"); w.Header().Get("Set-Cookie") != "" || !strings.Contains(w.Body.String(), `<html lang="en">`) {
		t.Errorf("a strange cookie: %v", w.Header())
	}
}

// TestWords checks that the catalogue has every text that the pages use and no other. lab/i18n compares the others
// with it.
func TestWords(t *testing.T) {
	words := sourceWords(t)
	said, parts := keysSaid(t)
	for _, key := range slices.Sorted(maps.Keys(said)) {
		_, single := words[key]
		_, plural := words[key+".other"]
		if !single && !plural {
			t.Errorf("%s says %q, which the catalogue has not", said[key], key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(words)) {
		stem := strings.TrimSuffix(strings.TrimSuffix(key, ".one"), ".other")
		built := slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(key, p) })
		if said[key] == "" && said[stem] == "" && !built {
			t.Errorf("nothing says %q", key)
		}
	}
}

// TestRules tells what the catalogue has of a game, paragraph for paragraph, with
// the choices of an option that is a rule, and nothing of a game that it lacks.
func TestRules(t *testing.T) {
	words := catalogue(t, "strings/en.json")
	for _, test := range []struct {
		game game.Game
		want string
	}{
		{othello.Game, strings.TrimSpace(othello.Game.Rules)},
		{chess.Game, strings.TrimSpace(chess.Game.Rules) + "\nhalt claim: " + words["rules.halt.claim"] + "\nhalt agreed: " + words["rules.halt.agreed"] + "\nhalt none: " + words["rules.halt.none"]},
		{game.Game{Name: "checkers"}, ""},
	} {
		if got, err := web.Rules(test.game); err != nil || got != test.want {
			t.Errorf("%s: %q, %v; want %q", test.game.Name, got, err, test.want)
		}
	}
}

// TestNoOtherWords checks that the sources of the pages contain no text for people: all
// of it is in the catalogue.
func TestNoOtherWords(t *testing.T) {
	text := regexp.MustCompile(`>\s*\p{L}{2}[^<>{}=;]*</`)
	joined := regexp.MustCompile(`\S\}[,:;] \$?\{\S|join\("[,:;] "\)`) // Chinese and Japanese have other commas and colons
	attribute := regexp.MustCompile(`\b(?:aria-label|title|placeholder|alt|content)="\p{Lu}[^"{]*"`)
	for _, pattern := range []string{"ui/*.tsx", "templates/*.html"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range slices.Concat(text.FindAllString(string(data), -1), attribute.FindAllString(string(data), -1), joined.FindAllString(string(data), -1)) {
				t.Errorf("%s says %q itself, want a key of the catalogue", name, found)
			}
		}
	}
}

// sourceWords returns all catalogues of the source language as one.
func sourceWords(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("strings/" + web.Source + "*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		for key, text := range catalogue(t, name) {
			if all[key] != "" {
				t.Errorf("%s: %q is in another catalogue, too", name, key)
			}
			all[key] = text
		}
	}
	return all
}

func catalogue(t *testing.T, name string) (words map[string]string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &words); err != nil {
		t.Fatal(err)
	}
	return words
}

// keysSaid returns the keys in the sources with the files that say them, and the
// beginnings of those that are put together.
func keysSaid(t *testing.T) (said map[string]string, parts []string) {
	t.Helper()
	said = map[string]string{}
	whole := regexp.MustCompile(`(?:\bsay|\bcount|\.say|\.Say|step)\(?\s?"(?:\w+", ")?([\w.]+)"`)
	either := regexp.MustCompile(`say\([^()"]*\? "([\w.]+)" : "([\w.]+)"`)
	titled := regexp.MustCompile(`"(\w+\.title)", "(\w+\.\w+)"`) // of a page, with what it is about
	begun := regexp.MustCompile("(?:say\\(|has\\(|key = )`([\\w.]+\\.)\\$\\{")
	for _, pattern := range []string{"*.go", "ui/*.ts", "ui/*.tsx", "templates/*.html"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			for _, pattern := range []*regexp.Regexp{whole, either, titled} {
				for _, m := range pattern.FindAllStringSubmatch(text, -1) {
					for _, key := range m[1:] {
						said[key] = name
					}
				}
			}
			for _, m := range begun.FindAllStringSubmatch(text, -1) {
				parts = append(parts, m[1])
			}
		}
	}
	return said, parts
}
