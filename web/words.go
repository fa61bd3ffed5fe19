package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"quintet/game"
	"quintet/games"
)

// words are the texts of one language by their keys: strings/en.json and its
// translations. {name} stands for what is filled in.
type words map[string]string

// readWords reads the languages. What a translation lacks is said in the source
// language.
func (s *Site) readWords() error {
	names, err := fs.Glob(files, "strings/*.json")
	if err != nil {
		return fmt.Errorf("listing languages: %w", err)
	}
	s.words = map[string]words{}
	for _, name := range names {
		language := strings.TrimSuffix(path.Base(name), ".json")
		if s.words[language], err = wordsOf(language); err != nil {
			return err
		}
	}
	for _, w := range s.words {
		for key, text := range s.words[Source] {
			if _, ok := w[key]; !ok {
				w[key] = text
			}
		}
	}
	return nil
}

// wordsOf reads the texts of a language. In the source language the games say
// their rules themselves.
func wordsOf(language string) (w words, err error) {
	data, err := read("strings/" + language + ".json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, fmt.Errorf("reading the texts of %s: %w", language, err)
	}
	if language == Source {
		for _, g := range games.All() {
			w["rules."+g.Name] = strings.TrimSpace(g.Rules)
		}
	}
	return w, nil
}

// Rules returns how a game is played, as the pages say it in the source language:
// a line for each paragraph, and one for each choice of an option that is a rule
// ("halt claim: ..."). It is "" if the pages say nothing of the game. An error
// means that the texts themselves are broken.
func Rules(g game.Game) (string, error) {
	w, err := wordsOf(Source)
	if err != nil {
		return "", err
	}
	var lines []string
	if text := strings.TrimSpace(g.Rules); text != "" {
		lines = strings.Split(text, "\n")
	}
	for _, o := range g.Options {
		for _, choice := range o.Choices {
			if text, ok := w["rules."+o.Name+"."+choice]; ok {
				lines = append(lines, o.Name+" "+choice+": "+text)
			}
		}
	}
	return strings.Join(lines, "\n"), nil
}

// say returns a text; pairs are names and what is filled in for them, which is
// not looked through again: a player may be called "{second}". A key that there is
// not is returned itself, so that it is seen.
func (w words) say(key string, pairs ...string) string {
	text, ok := w[key]
	if !ok {
		return key
	}
	fill := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		fill = append(fill, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(fill...).Replace(text)
}
