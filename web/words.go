package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"

	"quintet/game"
	"quintet/games"
	"quintet/internal/lang"
)

// words are the texts of one language by their keys. {name} stands for what is
// filled in. The catalogue of English is strings/en.json, which every page
// loads, and parts: strings/en.game.json, which all pages but the first load,
// strings/en.study.json, which the pages to learn from load, and
// strings/en.server.json, which the server says itself. Other languages, in
// package lang, are divided into the same parts.
type words map[string]string

// readWords reads the catalogues of the source language and makes the same ones of every other
// language, with the texts of the source language where a translation is missing.
func (s *Site) readWords() error {
	names, err := fs.Glob(files, "strings/*.json")
	if err != nil {
		return fmt.Errorf("listing the texts: %w", err)
	}
	source := map[string]words{} // by "", ".game" and so on
	for _, name := range names {
		name := strings.TrimSuffix(path.Base(name), ".json")
		if source[strings.TrimPrefix(name, Source)], err = wordsOf(name); err != nil {
			return err
		}
	}
	s.catalogues, s.words, s.languages = map[string]words{}, map[string]words{}, map[string]*lang.Language{}
	for _, tag := range append(lang.Tags(), lang.Pseudo) {
		l, err := lang.Open(tag)
		if err != nil {
			return fmt.Errorf("reading the texts: %w", err)
		}
		s.addLanguage(tag, l, source)
	}
	return nil
}

// addLanguage adds the catalogues of a language. Pages of other languages than English also load the sentences that
// the rules and lessons say, by their English, and those of classes what the judge says.
func (s *Site) addLanguage(tag string, l *lang.Language, source map[string]words) {
	all := words{}
	for part, texts := range source {
		w := maps.Clone(texts)
		w.translate(tag, l)
		s.catalogues[tag+part] = w
		maps.Copy(all, w)
	}
	for part := range source {
		all.countGames(s.catalogues[tag+part])
	}
	all.countGames(all)
	s.words[tag], s.languages[tag] = all, l
	if l != nil {
		s.catalogues[tag+"."+sentences], s.catalogues[tag+".judge"] = l.Groups[sentences], l.Groups["judge"]
	}
}

// sentences is the name of the part and of the group of a language.
const sentences = "sentences"

// translate replaces the texts by those of a language. The rules of games are sentences, which the
// terminal says, too.
func (w words) translate(tag string, l *lang.Language) {
	for key, text := range w {
		switch {
		case tag == lang.Pseudo && key != "numbers":
			w[key] = lang.PseudoText(text)
		case l == nil:
		case l.Pages[key] != "":
			w[key] = l.Pages[key]
		case strings.HasPrefix(key, "rules."):
			w[key] = l.Lines(text)
		}
	}
}

// countGames fills the number and the names of the games in the texts of a catalogue that have
// them.
func (w words) countGames(of words) {
	all, numbers := games.All(), strings.Fields(w.say("numbers"))
	count := fmt.Sprint(len(all))
	if len(all) < len(numbers) {
		count = numbers[len(all)]
	}
	var titles []string
	for _, g := range all {
		titles = append(titles, w.title(g))
	}
	last := len(titles) - 1
	for _, key := range []string{"home.title", "site.about"} {
		if _, ok := of[key]; ok {
			of[key] = of.say(key, "count", count, "games", strings.Join(titles[:last], w.say("list.comma")), "last", titles[last])
		}
	}
}

// wordsOf reads a catalogue. In the source language it adds the rules, which the games state themselves, to the
// catalogues of the game page and of the form.
func wordsOf(name string) (w words, err error) {
	data, err := read("strings/" + name + ".json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, fmt.Errorf("reading the texts of %s: %w", name, err)
	}
	if name == Source+".game" || name == Source+".form" {
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

// say returns the text of a key, with placeholders replaced: pairs are names and values.
// Values are not expanded again, because a player may be called "{second}". A missing key
// is returned itself, so that the mistake is visible.
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
