package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
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
		data, err := read(name)
		if err != nil {
			return err
		}
		var w words
		if err := json.Unmarshal(data, &w); err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		s.words[strings.TrimSuffix(path.Base(name), ".json")] = w
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
