package record

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quintet/games/chess"
)

// Variant is the PGN name of chess without check.
const Variant = "King Capture"

// pgn is the grammar of PGN, the Portable Game Notation of Edwards' standard of
// 1994, for chess without castling, en passant and promotion.
var pgn = &grammar{
	begin: fromPGNTags,
	move:  parseSAN,
	name:  SAN,
	eval:  parsePawns,
}

// roster is PGN's Seven Tag Roster without the result.
var roster = []struct{ name, unknown string }{
	{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"},
}

// terminations are PGN's words for ends. Where several ends share a word, the tag End
// distinguishes them.
var terminations = []struct {
	end  End
	word string
}{
	{NotOver, "unterminated"}, {ByRules, "normal"}, {Repetition, "normal"}, {Resigned, "normal"}, {Halted, "normal"}, {Agreed, "normal"},
	{OnTime, "time forfeit"}, {Adjudged, "adjudication"}, {Forfeit, "rules infraction"}, {Forfeit, "abandoned"},
}

// ParsePGNEach parses the games of a PGN text as ParseEach does: chess without check, or
// standard chess without castling, en passant captures and promotions. The error is a
// *SyntaxError.
func ParsePGNEach(text []byte, do func(*Record) error) error {
	return pgn.each(Normalize(text), do)
}

// fromPGNTags returns the empty record that the tags describe.
func fromPGNTags(tags []Tag) (*Record, error) {
	t := &Record{Tags: tags}
	for _, known := range roster {
		if t.Tag(known.name) == known.unknown {
			t.SetTag(known.name, "")
		}
	}
	switch variant := t.takeTag("Variant"); strings.ToLower(variant) {
	case "", "standard", "chess", "normal", "from position", strings.ToLower(Variant):
	default:
		return nil, tagError{"Variant", fmt.Errorf("variant %q: expected %s or standard chess", variant, Variant)}
	}
	t.takeTag("SetUp")
	r, err := t.begin(chess.Game, "Options", "FEN")
	if err != nil {
		return nil, err
	}
	r.Players = [2]string{t.takeTag("White"), t.takeTag("Black")}
	for _, known := range terminations {
		if strings.EqualFold(t.Tag("Termination"), known.word) {
			t.takeTag("Termination")
			if t.Tag("End") == "" && known.word != "normal" && known.end != NotOver {
				t.SetTag("End", string(known.end))
			}
		}
	}
	r.Tags = slices.DeleteFunc(t.Tags, func(t Tag) bool { return t.Value == "" })
	return r, nil
}

// AppendPGN appends the record in PGN. It fails if Check does, or if PGN cannot
// express the record.
func (r *Record) AppendPGN(text []byte) ([]byte, error) {
	if r.Game.Name != chess.Game.Name {
		return text, fmt.Errorf("pgn: supports only chess, and this is %s", r.Game.Name)
	}
	if err := r.Check(); err != nil {
		return text, err
	}
	tags := r.pgnTags()
	for _, name := range []string{"White", "Black", "Variant", "Options", "FEN"} {
		if r.Tag(name) != "" {
			return text, fmt.Errorf("pgn: the tag %s has a meaning of its own there: use First and Second for players, Start for a position", name)
		}
	}
	for _, t := range tags {
		if strings.ContainsAny(t.Value, "\n\r") {
			return text, fmt.Errorf("pgn: the value of tag %s has several lines, which pgn does not allow", t.Name)
		}
	}
	w := &writer{out: text, format: SAN, comment: pgnComment, paired: true}
	for _, t := range tags {
		w.tag(t, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace)
	}
	return w.moves(r)
}

// pgnTags returns the tags of the PGN file: the roster and the tags that the variant
// needs.
func (r *Record) pgnTags() (list []Tag) {
	rest := &Record{Tags: slices.Clone(r.Tags)}
	rest.SetTag("White", r.Players[0])
	rest.SetTag("Black", r.Players[1])
	for _, known := range roster {
		value := rest.takeTag(known.name)
		if value == "" {
			value = known.unknown
		}
		list = append(list, Tag{known.name, value})
	}
	list = append(list, Tag{"Result", resultText(r.Result)}, Tag{"Variant", Variant})
	if options := r.Game.FormatSetup(r.Setup); options != "" {
		list = append(list, Tag{"Options", options})
	}
	if start := r.Start.String(); start != chess.Start().String() {
		list = append(list, Tag{"SetUp", "1"}, Tag{"FEN", start})
	}
	for _, known := range terminations {
		if known.end == r.End && rest.Tag("Termination") == "" {
			list = append(list, Tag{"Termination", known.word})
			break
		}
	}
	if r.End != NotOver {
		list = append(list, Tag{"End", string(r.End)})
	}
	return append(list, rest.Tags...)
}

// pgnComment returns the text of a comment.
func pgnComment(n *Node) (string, error) {
	text := strings.Trim(n.Comment, blanks)
	switch {
	case strings.ContainsAny(text, "}\r"):
		return "", errors.New("pgn: the comment has a } or a carriage return, which pgn does not allow in comments")
	case strings.HasPrefix(text, "[%"):
		return "", errors.New("pgn: the comment begins with [%, which would be taken for a command")
	}
	return joinCommands(n.commandTexts(pawns), text), nil
}

// pawns formats an evaluation for PGN: in pawns, or as moves until the king is
// captured.
func pawns(e Eval) string {
	depth := ""
	if e.Depth != 0 {
		depth = "," + strconv.Itoa(e.Depth)
	}
	if e.Win == 0 {
		sign, score := "", e.Score
		if score < 0 {
			sign, score = "-", -score
		}
		return fmt.Sprintf("[%%eval %s%d.%02d%s]", sign, score/100, score%100, depth)
	}
	moves := (e.Win + 1) / 2
	if e.Win < 0 {
		moves = (e.Win - 1) / 2
	}
	text := fmt.Sprintf("[%%eval #%d%s]", moves, depth)
	if e.Win%2 == 0 {
		text += fmt.Sprintf(" [%%plies %d]", e.Win)
	}
	return text
}

// parsePawns parses the output of pawns.
func parsePawns(text string) (*Eval, error) {
	score, depth, _ := strings.Cut(text, ",")
	e := &Eval{}
	var err error
	if depth != "" {
		e.Depth, err = strconv.Atoi(depth)
	}
	if moves, ok := strings.CutPrefix(score, "#"); ok && err == nil {
		e.Win, err = strconv.Atoi(moves)
		if err == nil && (e.Win == 0 || max(e.Win, -e.Win) > maxHours) {
			err = strconv.ErrRange
		}
		e.Win = 2*e.Win - 1
		if e.Win < 0 {
			e.Win += 2
		}
		return e, wantEval(text, err)
	}
	value, wrong := strconv.ParseFloat(score, 64)
	if wrong != nil || value < -maxHours || value > maxHours || value != value {
		err = strconv.ErrRange
	}
	e.Score = int(value*100 + 0.5)
	if value < 0 {
		e.Score = int(value*100 - 0.5)
	}
	return e, wantEval(text, err)
}

// wantEval wraps an error with the syntax of an evaluation; nil for no error.
func wantEval(text string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("evaluation %q: expected pawns such as 0.17, or # and moves until the end, then perhaps a comma and the depth", text)
}
