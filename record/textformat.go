package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/games"
)

// reservedTags are tags of the text format that correspond to fields of a Record.
var reservedTags = []string{"Game", "Setup", "Start", "First", "Second", "Result", "End"}

// MaxTags is the most tags that a game can have. It bounds the search for duplicate names.
const MaxTags = 1000

// errTags is the error for more.
var errTags = fmt.Errorf("too many tags: expected at most %d in a game", MaxTags)

// textFormat is the grammar of the text format.
var textFormat = &grammar{
	escapes: true,
	begin:   fromTags,
	move:    game.Position.Parse,
	name:    game.Position.Format,
	eval:    ParseEval,
}

// Parse parses all games of a text in the text format; docs/records.md describes it.
// Syntax errors are *SyntaxError.
func Parse(text []byte) (list []*Record, err error) {
	err = ParseEach(text, func(r *Record) error {
		list = append(list, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// ParseEach is like Parse, but calls do with each game as soon as it is parsed, until do
// returns an error, which it then returns.
func ParseEach(text []byte, do func(*Record) error) error {
	return textFormat.each(Normalize(text), do)
}

// fromTags returns the empty record that the tags describe.
func fromTags(tags []Tag) (*Record, error) {
	r := &Record{Tags: tags}
	name := r.takeTag("Game")
	if name == "" {
		return nil, fmt.Errorf("a game without its name: expected [Game \"...\"] with %s", game.Alternatives(games.Names()))
	}
	g, err := games.ByName(name)
	if err != nil {
		return nil, tagError{"Game", err}
	}
	made, err := r.begin(g, "Setup", "Start")
	if err != nil {
		return nil, err
	}
	made.Players = [2]string{r.takeTag("First"), r.takeTag("Second")}
	made.Tags = slices.DeleteFunc(r.Tags, func(t Tag) bool { return t.Value == "" })
	return made, nil
}

// begin takes the tags of the set-up and of the start position, and returns the empty
// record that they describe.
func (r *Record) begin(g game.Game, setupTag, startTag string) (*Record, error) {
	setup, err := game.ParseSetup(r.takeTag(setupTag))
	if err != nil {
		return nil, tagError{setupTag, err}
	}
	if len(setup) == 0 {
		setup = nil
	}
	made, err := New(g, setup)
	if err != nil {
		return nil, tagError{setupTag, err}
	}
	if text := r.takeTag(startTag); text != "" {
		start, err := g.Read(text)
		if err != nil {
			return nil, tagError{startTag, err}
		}
		made = From(g, setup, start)
	}
	return made, nil
}

// takeTag returns the value of a tag and removes it.
func (r *Record) takeTag(name string) string {
	value := r.Tag(name)
	r.Tags = slices.DeleteFunc(r.Tags, func(t Tag) bool { return strings.EqualFold(t.Name, name) })
	return value
}

// Append appends the record in the text format. It fails if Check does.
func (r *Record) Append(text []byte) ([]byte, error) {
	if err := r.Check(); err != nil {
		return text, err
	}
	w := &writer{
		out:    text,
		format: game.Position.Format,
		comment: func(n *Node) (string, error) {
			return joinCommands(n.commandTexts(evalText), escape(n.Comment)), nil
		},
	}
	for _, t := range r.reservedTagList() {
		w.tag(t, escapeTag)
	}
	return w.moves(r)
}

// reservedTagList returns the reserved tags of the record.
func (r *Record) reservedTagList() []Tag {
	list := []Tag{{"Game", r.Game.Name}, {"Setup", r.Game.FormatSetup(r.Setup)}}
	if usual, err := r.Game.Start(r.Setup); err != nil || usual.String() != r.Start.String() {
		list = append(list, Tag{"Start", r.Start.String()})
	}
	list = append(list, Tag{"First", r.Players[0]}, Tag{"Second", r.Players[1]})
	list = slices.DeleteFunc(list, func(t Tag) bool { return t.Value == "" })
	list = append(list, r.Tags...)
	list = append(list, Tag{"Result", resultText(r.Result)})
	if r.End != NotOver {
		list = append(list, Tag{"End", string(r.End)})
	}
	return list
}

// joinCommands puts commands before a text.
func joinCommands(commands []string, text string) string {
	if text != "" {
		commands = append(commands, text)
	}
	return strings.Join(commands, " ")
}

// escapeTag escapes the value of a tag.
func escapeTag(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(value)
}

// checkTags rejects tags with invalid, duplicate or reserved names.
func (r *Record) checkTags() error {
	if len(r.Tags) > MaxTags {
		return errTags
	}
	for i, t := range r.Tags {
		switch {
		case !validTag(t.Name):
			return fmt.Errorf("tag %q: expected a name of letters, digits and _", t.Name)
		case t.Value == "":
			return fmt.Errorf("tag %s without a value: expected one, or no tag", t.Name)
		case slices.ContainsFunc(reservedTags, func(name string) bool { return strings.EqualFold(name, t.Name) }):
			return fmt.Errorf("tag %s: expected the field of the record", t.Name)
		case slices.ContainsFunc(r.Tags[:i], func(u Tag) bool { return strings.EqualFold(u.Name, t.Name) }):
			return fmt.Errorf("tag %s is given twice", t.Name)
		}
	}
	if r.Start == nil || r.Root == nil {
		return errors.New("a record without a start: expected one that New or From made")
	}
	return nil
}
