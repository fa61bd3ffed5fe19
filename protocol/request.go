package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
)

// request is a parsed "go" command.
type request struct {
	limit    engine.Limit
	mate     int         // search for a win in this many moves; 0 if off
	infinite bool        // send no best move before "stop"
	ponder   bool        // the limits apply after "ponderhit"
	skip     []game.Move // moves to exclude
}

// request parses the words after "go". It ignores what it cannot parse, as UCI
// demands of unknown words, and returns errors to report: a client that sends "go"
// always gets a best move. Without a limit the search is infinite.
func (d Dialect) request(words []string, p game.Position) (r request, wrong []error) {
	only, wrong := r.parse(d, words, p.Turn())
	var err error
	if r.skip, err = d.excludeMoves(only, p); err != nil {
		wrong = append(wrong, err)
	}
	if depth := 2*min(r.mate, maxMate) - 1; depth > 0 && (r.limit.Depth == 0 || depth < r.limit.Depth) {
		r.limit.Depth = depth // the opponent makes one move less
	}
	l := r.limit
	r.infinite = r.infinite || l.Depth == 0 && l.Nodes == 0 && l.Time == 0 && l.Clock.Left == 0
	return r, wrong
}

// parse parses all words except the moves of searchmoves, which it returns.
func (r *request) parse(d Dialect, words []string, side game.Side) (moves []string, wrong []error) {
	var unknown []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		given := i+1 < len(words) && !d.isGoWord(words[i+1])
		switch {
		case word == "infinite":
			r.infinite = true
		case word == "ponder":
			r.ponder = true
		case word == "searchmoves":
			for ; i+1 < len(words) && !d.isGoWord(words[i+1]); i++ {
				moves = append(moves, words[i+1])
			}
		case !d.isGoWord(word):
			unknown = append(unknown, word)
		case !given:
			wrong = append(wrong, fmt.Errorf("go %s: expected a value after it", word))
		default:
			i++
			if err := r.parseLimit(d, word, words[i], side); err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	if len(unknown) > 0 {
		wrong = append(wrong, fmt.Errorf("go %s: expected %s", strings.Join(unknown, " "), game.Alternatives(d.goWords())))
	}
	return moves, wrong
}

// goWords returns the keywords of "go".
func (d Dialect) goWords() []string {
	words := []string{"depth", "nodes", "mate", "movetime", "infinite", "ponder", "searchmoves", "movestogo"}
	return append(append(words, d.times[:]...), d.incs[:]...)
}

func (d Dialect) isGoWord(word string) bool { return slices.Contains(d.goWords(), word) }

// parseLimit parses one limit. It replaces a number that is too small by the minimum
// and returns an error.
func (r *request) parseLimit(d Dialect, word, value string, side game.Side) (err error) {
	switch word {
	case "depth":
		r.limit.Depth, err = positive(word, value)
	case "mate":
		r.mate, err = positive(word, value)
	case "nodes":
		var n int
		n, err = positive(word, value)
		r.limit.Nodes = uint64(n)
	case "movetime":
		r.limit.Time, err = positiveTime(value)
	case d.times[side]:
		r.limit.Clock.Left, err = positiveTime(value)
	case d.incs[side]:
		r.limit.Clock.Increment, err = milliseconds(value)
	default:
		_, err = milliseconds(value) // the opponent's clock and movestogo are not used
	}
	return err
}

// maxMate is a mate distance beyond the reach of any search.
const maxMate = 1_000

// positive parses a number from 1. With an error it returns 1 if the number was too
// small and 0 if it was not a number.
func positive(word, value string) (int, error) {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil:
		n = 0
	case n < 1:
		n, err = 1, strconv.ErrRange
	}
	if err != nil {
		return n, fmt.Errorf("go %s %q: expected 1 or more", word, value)
	}
	return n, nil
}

// positiveTime parses a time and raises it to a positive one, so that an expired
// clock is still a clock.
func positiveTime(text string) (time.Duration, error) {
	t, err := milliseconds(text)
	if err != nil {
		return 0, err
	}
	return max(t, time.Millisecond), nil
}

// excludeMoves returns the legal moves that are not named. It returns none if no
// named move is legal, and an error for a bad name.
func (d Dialect) excludeMoves(names []string, p game.Position) (skip []game.Move, err error) {
	var named []game.Move
	for _, name := range names {
		m, bad := d.parse(p, name)
		if bad != nil {
			err = fmt.Errorf("go searchmoves: %w", bad)
			continue
		}
		named = append(named, m)
	}
	if len(named) == 0 {
		return nil, err
	}
	return slices.DeleteFunc(p.Moves(nil), func(m game.Move) bool { return slices.Contains(named, m) }), err
}
