package formats

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/record/ggf"
)

// ggfTags maps keys of GGF to tags of a record.
var ggfTags = []struct{ key, name string }{{"PC", "Site"}, {"DT", "Date"}, {"EV", "Event"}, {"RO", "Round"}, {"TI", "TimeControl"}}

// ggfEnds maps the letters after the score to ends.
var ggfEnds = []struct {
	letter string
	end    record.End
}{{"r", record.Resigned}, {"t", record.OnTime}, {"l", record.Forfeit}, {"s", record.Agreed}}

// ggfStart matches the beginning of a GGF game; match files have a number of games
// before it.
var ggfStart = regexp.MustCompile(`^[0-9 ]*\(;`)

func isGGF(text string, _ Hint) bool {
	text = strings.TrimSpace(text)
	head := ggfStart.FindString(text)
	if head == "" {
		return false
	}
	tags, _, _ := ggf.Split(text, len(head)-len("(;"))
	return slices.ContainsFunc(tags, func(t ggf.Tag) bool { return t.Key == "GM" && strings.EqualFold(t.Value, "othello") })
}

// readGGF parses games as GGS and NBoard write them.
func readGGF(text string, _ Hint, add addFunc) (left Omitted, err error) {
	n := 0
	for at := 0; ; n++ {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], blanks))
		if digits := strings.TrimLeft(text[at:], "0123456789"); len(digits) < len(text)-at && strings.HasPrefix(strings.TrimLeft(digits, blanks), "(;") {
			at = len(text) - len(digits) // the number of games
		}
		if at == len(text) {
			break
		}
		tags, end, err := ggf.Split(text, at)
		if err != nil {
			return nil, record.At(text, end, err)
		}
		r, err := ggfRecord(text, at, tags, &left)
		if err == nil {
			err = add(r)
		}
		if err != nil {
			return nil, err
		}
		at = end
	}
	if n == 0 {
		return nil, record.At(text, len(text), errors.New("no game: expected (;GM[Othello]...;)"))
	}
	return left, nil
}

// ggfRecord builds a record from the tags of a game.
func ggfRecord(text string, at int, tags []ggf.Tag, left *Omitted) (*record.Record, error) {
	g, err := games.ByName("othello")
	if err != nil {
		return nil, err
	}
	board := slices.IndexFunc(tags, func(t ggf.Tag) bool { return t.Key == "BO" })
	if board < 0 {
		return nil, record.At(text, at, errors.New("a game without a board: expected BO[8 ... *]"))
	}
	theirs, err := ggf.Board(g, tags[board].Value)
	if err != nil {
		return nil, record.At(text, tags[board].At, err)
	}
	mirror := ggf.Mirrored(!slices.ContainsFunc(tags, func(t ggf.Tag) bool { return t.Key == orientation && t.Value == ggf.StandardStart }))
	r, err := newOriented(g, theirs, mirror)
	if err != nil {
		return nil, record.At(text, tags[board].At, err)
	}
	b := newPlayer(text, r)
	b.mirror = mirror
	result := ggf.Tag{Value: "?"}
	for _, t := range tags {
		switch t.Key {
		case "B", "W":
			if err := b.ggfMove(t, left); err != nil {
				return nil, record.At(text, t.At, err)
			}
		case "RE":
			result = t
		default:
			ggfFact(r, t, left)
		}
	}
	b.finish()
	if err := ggfResult(r, result.Value); err != nil {
		return nil, record.At(text, result.At, err)
	}
	return r, nil
}

// orientation is a tag of our own: the game has the standard start, so that its reader does
// not mirror it.
const orientation = "OR"

// newOriented returns an empty record that begins at a position or at its mirror image.
func newOriented(g game.Game, p game.Position, mirror ggf.Mirrored) (*record.Record, error) {
	size := ggf.Size(p)
	start, err := ggf.Position(g, mirror.Cells(ggf.Cells(p), size), size, p.Turn())
	if err != nil {
		return nil, err
	}
	return newSized(g, start)
}

// newSized returns an empty record that begins at a position, with the board's size
// and start as its set-up.
func newSized(g game.Game, start game.Position) (*record.Record, error) {
	var setup game.Setup
	full := g.SetupAt(start, nil)
	for _, name := range []string{"size", "start"} {
		if o, ok := g.Option(name); ok && full[name] != o.Default {
			if setup == nil {
				setup = game.Setup{}
			}
			setup[name] = full[name]
		}
	}
	r, err := record.New(g, setup)
	if err != nil {
		return nil, err
	}
	if r.Start.String() != start.String() {
		r = record.From(g, setup, start)
	}
	return r, nil
}

// ggfFact stores a tag that is not a move.
func ggfFact(r *record.Record, t ggf.Tag, left *Omitted) {
	switch t.Key {
	case "GM", "BO", orientation:
		return
	case "TY":
		if t.Value == strconv.Itoa(ggf.Size(r.Start)) {
			return
		}
	case "PB", "PW":
		r.Players[strings.Index("BW", t.Key[1:])] = t.Value
		return
	}
	name := t.Key
	for _, known := range ggfTags {
		if known.key == t.Key {
			name = known.name
		}
	}
	if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" ||
		len(r.Tags) == record.MaxTags || r.Tag(name) != "" {
		left.add(t.Key)
		return
	}
	r.SetTag(name, t.Value)
}

// ggfMove plays a move tag such as B[F5/1.20/3.5].
func (b *player) ggfMove(t ggf.Tag, left *Omitted) error {
	side := game.Side(strings.Index("BW", t.Key))
	if b.mustPass() && side != b.pos.Turn() {
		if err := b.move(game.Pass); err != nil { // some files omit passes
			return err
		}
	}
	parts := ggf.SplitMove(t.Value)
	mv, err := ggf.Parse(b.pos, b.ours(parts.Text))
	if err != nil {
		if _, as := ggf.Parse(b.pos, parts.Text); as != nil {
			err = as // with the name as written
		}
		return record.WithLegalMoves(err, b.pos, b.name)
	}
	if side != b.pos.Turn() {
		return fmt.Errorf("move %s: it is the turn of %s", parts.Text, b.r.Game.Sides[b.pos.Turn()])
	}
	if err := b.move(mv); err != nil {
		return err
	}
	if parts.Time != "" {
		spent, ok := ggf.Seconds(parts.Time)
		if !ok {
			return fmt.Errorf("time %q: expected seconds, such as 3.5", parts.Time)
		}
		b.at.Spent = &spent
	}
	if parts.Value != "" {
		value, err := strconv.ParseFloat(parts.Value, 64)
		if err != nil || value < -1e6 || value > 1e6 || value != value {
			return fmt.Errorf("value %q: expected discs, such as -1.5", parts.Value)
		}
		score := int(value + 0.5)
		if value < 0 {
			score = int(value - 0.5)
		}
		if float64(score) != value {
			left.add("fractions of discs in evaluations")
		}
		b.at.Eval = &record.Eval{Score: relativeTo(score, side)}
	}
	return nil
}

// relativeTo converts a value for a side to one for First, and back.
func relativeTo(value int, s game.Side) int {
	if s == game.Second {
		return -value
	}
	return value
}

// ggfResult parses "+6.000", "-64.00:r" or "?".
func ggfResult(r *record.Record, value string) error {
	text, letter, _ := strings.Cut(strings.TrimSpace(value), ":")
	if text == "?" || text == "" {
		return nil
	}
	score, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("result %q: expected discs such as +6, perhaps with :r, :t, :l or :s, or ?", value)
	}
	result := game.Draw
	if score > 0 {
		result = game.FirstWins
	} else if score < 0 {
		result = game.SecondWins
	}
	if r.Result.Over() {
		if result != r.Result {
			return fmt.Errorf("result %s: after the last move it is %s", value, r.Result)
		}
		return nil
	}
	r.Result, r.End = result, record.Adjudged
	for _, known := range ggfEnds {
		if strings.EqualFold(letter, known.letter) {
			r.End = known.end
		}
	}
	return nil
}

// writeGGF writes a game of Othello in the standard orientation.
func writeGGF(text []byte, r *record.Record) ([]byte, Omitted, error) {
	if err := checkStandardOthello("ggf", r); err != nil {
		return nil, nil, err
	}
	left, err := omitted("ggf", r, true)
	if err != nil {
		return nil, nil, err
	}
	size := ggf.Size(r.Start)
	text = append(text, "(;GM[Othello]"...)
	tag := func(key, value string) {
		if strings.ContainsAny(value, "]\n\r") && err == nil {
			err = fmt.Errorf("ggf: %s %q has a ] or several lines, which the format cannot express", key, value)
		}
		text = fmt.Appendf(text, "%s[%s]", key, value)
	}
	for i, key := range []string{"PB", "PW"} {
		if r.Players[i] != "" {
			tag(key, r.Players[i])
		}
	}
	for _, t := range r.Tags {
		key, ok := ggfKey(t.Name)
		if !ok {
			left.add(t.Name)
			continue
		}
		tag(key, t.Value)
	}
	tag("RE", ggfScore(r))
	if r.Tag("TY") == "" {
		tag("TY", strconv.Itoa(size))
	}
	mirror := ggf.Of(r.Start)
	if !mirror {
		tag(orientation, ggf.StandardStart)
	}
	tag("BO", ggf.FormatBoard(mirror.Cells(ggf.Cells(r.Start), size), size, r.Start.Turn()))
	p := r.Start.Clone()
	for _, n := range r.Main() {
		tag([2]string{"B", "W"}[p.Turn()], ggfMoveText(p, n, mirror))
		p.Play(n.Move)
	}
	return append(text, ";)\n"...), left, err
}

// ggfKey returns the GGF key of a tag, if there is one.
func ggfKey(name string) (key string, ok bool) {
	for _, known := range ggfTags {
		switch name {
		case known.name:
			return known.key, true
		case known.key: // it would be read back under its other name
			return "", false
		}
	}
	reserved := slices.Contains([]string{"GM", "BO", "RE", "PB", "PW"}, name)
	return name, len(name) == 2 && strings.ToUpper(name) == name && !reserved
}

// ggfScore formats the result.
func ggfScore(r *record.Record) string {
	switch {
	case !r.Result.Over():
		return "?"
	case r.End == record.ByRules:
		return fmt.Sprintf("%+d", lead(r))
	}
	score := map[game.Result]string{game.FirstWins: "+64", game.SecondWins: "-64", game.Draw: "0"}[r.Result]
	for _, known := range ggfEnds {
		if known.end == r.End {
			score += ":" + known.letter
		}
	}
	return score
}

// lead returns Black's lead in discs after the last move.
func lead(r *record.Record) int {
	p := r.Start.Clone()
	for _, n := range r.Main() {
		p.Play(n.Move)
	}
	return ggf.Lead(p, game.First)
}

// ggfMoveText formats a move with its value and time.
func ggfMoveText(p game.Position, n *record.Node, mirror ggf.Mirrored) string {
	text := ggf.PassText
	if n.Move != game.Pass {
		text = p.Format(mirror.Move(n.Move, ggf.Size(p)))
	}
	if n.Eval != nil && n.Eval.Win == 0 || n.Spent != nil {
		text += "/"
	}
	if n.Eval != nil && n.Eval.Win == 0 {
		text += strconv.Itoa(relativeTo(n.Eval.Score, p.Turn()))
	}
	if n.Spent != nil {
		text += "/" + seconds(n.Spent.Seconds())
	}
	return text
}

// seconds formats seconds with up to three decimals.
func seconds(s float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(s, 'f', 3, 64), "0"), ".")
}
