package arena

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"quintet/game"
)

// recordLine is the JSON form of a game; docs/arena.md describes it.
type recordLine struct {
	Game    int      `json:"game"` // from 1
	First   string   `json:"first"`
	Second  string   `json:"second"`
	Seed    uint64   `json:"seed"`
	Start   string   `json:"start"`
	Opening string   `json:"opening"`
	Moves   string   `json:"moves"`
	Result  string   `json:"result"`
	End     End      `json:"end"`
	Detail  string   `json:"detail,omitempty"`
	Clocks  []int64  `json:"clocks_ms,omitempty"`
	Times   []int64  `json:"times_ms"`
	Scores  []*int64 `json:"scores,omitempty"`
}

// recordLineOf returns the JSON form of a game; names are the entrants.
func recordLineOf(r Record, names []string) recordLine {
	moves := game.FormatMoves(r.Start, r.Moves)
	line := recordLine{
		Game: r.Number + 1, First: names[r.Players[0]], Second: names[r.Players[1]], Seed: r.Seed,
		Start: r.Start.String(), Result: r.Result.String(), End: r.End, Detail: r.Detail, Times: []int64{},
		Opening: strings.Join(moves[:r.Opening], " "), Moves: strings.Join(moves[r.Opening:], " "),
	}
	if r.Left != [2]time.Duration{} {
		line.Clocks = []int64{r.Left[0].Milliseconds(), r.Left[1].Milliseconds()}
	}
	known := false
	for i, v := range r.Values {
		line.Times = append(line.Times, r.Times[i].Milliseconds())
		line.Scores = append(line.Scores, nil)
		if v.Known {
			score := int64(v.Score)
			line.Scores[i], known = &score, true
		}
	}
	if !known {
		line.Scores = nil
	}
	return line
}

// EncodeRecord returns the JSON form of a game, as a line of a record file without
// its newline; names are the entrants. Times are rounded to milliseconds.
func EncodeRecord(r Record, names []string) ([]byte, error) {
	text, err := json.Marshal(recordLineOf(r, names))
	if err != nil {
		return nil, fmt.Errorf("writing game %d: %w", r.Number+1, err)
	}
	return text, nil
}

// DecodeRecord parses what EncodeRecord writes. It checks that the moves are legal and
// lead to the result, so that the text may come from anyone.
func DecodeRecord(text []byte, g game.Game, names []string) (Record, error) {
	var line recordLine
	if err := json.Unmarshal(text, &line); err != nil {
		return Record{}, fmt.Errorf("expected a game as JSON: %w", err)
	}
	r := Record{Number: line.Game - 1, Seed: line.Seed, End: line.End, Detail: line.Detail}
	if r.Number < 0 {
		return r, fmt.Errorf("game %d: expected a number from 1", line.Game)
	}
	for side, name := range []string{line.First, line.Second} {
		if r.Players[side] = slices.Index(names, name); r.Players[side] < 0 {
			return r, fmt.Errorf("player %q: expected %s", name, game.Alternatives(names))
		}
	}
	var err error
	if r.Start, err = g.Read(line.Start); err != nil {
		return r, fmt.Errorf("start: %w", err)
	}
	m := game.NewMatch(g, r.Start)
	r.Opening = len(strings.Fields(line.Opening))
	for _, word := range strings.Fields(line.Opening + " " + line.Moves) {
		if err := m.PlayText(word); err != nil {
			return r, err
		}
	}
	r.Moves = m.Moves()
	if err := r.setTimes(&line); err != nil {
		return r, err
	}
	return r, r.setResult(line.Result, m.Outcome())
}

// setTimes takes over clocks, times and scores.
func (r *Record) setTimes(line *recordLine) error {
	played := len(r.Moves) - r.Opening
	switch {
	case len(line.Clocks) != 0 && len(line.Clocks) != 2:
		return fmt.Errorf("%d clocks: expected 2 or none", len(line.Clocks))
	case len(line.Times) > played:
		return fmt.Errorf("%d times for %d moves", len(line.Times), played)
	case len(line.Scores) != 0 && len(line.Scores) != len(line.Times):
		return fmt.Errorf("%d scores and %d times: expected as many, or no scores", len(line.Scores), len(line.Times))
	}
	for side, ms := range line.Clocks {
		r.Left[side] = time.Duration(ms) * time.Millisecond
	}
	for _, ms := range line.Times {
		r.Times = append(r.Times, time.Duration(ms)*time.Millisecond)
	}
	r.Values = make([]Value, len(line.Times))
	for i, score := range line.Scores {
		if score != nil {
			r.Values[i] = Value{Score: int(*score), Known: true}
		}
	}
	return nil
}

// setResult parses a result and compares it with the outcome of the moves.
func (r *Record) setResult(text string, o game.Outcome) error {
	for _, result := range []game.Result{game.FirstWins, game.SecondWins, game.Draw} {
		if result.String() == text {
			r.Result = result
		}
	}
	byRules := r.End == ByRules || r.End == Repetition
	switch {
	case !r.Result.Over():
		return fmt.Errorf("result %q: expected %s, %s or %s", text, game.FirstWins, game.SecondWins, game.Draw)
	case byRules && (o.Result != r.Result || End(o.Reason) != r.End), !byRules && o.Result.Over():
		return fmt.Errorf("%s by %s: the moves say %s", r.Result, r.End, o.Result)
	case !slices.Contains(EndNames(), string(r.End)):
		return fmt.Errorf("end %q: expected %s", r.End, game.Alternatives(EndNames()))
	}
	return nil
}

// EndNames returns all reasons for the end of a game. Digests of a farm contain indices into it.
func EndNames() (names []string) {
	for _, e := range []End{ByRules, Repetition, Resigned, Illegal, Crash, TimeLoss, Agreed, MaxPlies} {
		names = append(names, string(e))
	}
	return names
}
