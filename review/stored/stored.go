// Package stored reads reviews that a server has computed: the answers of
// GET /api/reviews/{id}. [Read] checks everything, because a file or another server may say
// anything: the moves are legal, and the assessments belong to them.
package stored

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"quintet/game"
	"quintet/games"
	"quintet/review"
)

// MaxBytes is the maximum size of a review that Read accepts.
const MaxBytes = 8 << 20

// maxMoves is the maximum length of a game, as on a server.
const maxMoves = 2000

// maxScore is the largest score: a win at once.
const maxScore = 30_000

// Review is a review of a game.
type Review struct {
	Game  game.Game
	Setup game.Setup
	Start game.Position
	Moves []game.Move
	Plies []review.Move // the assessments of the last moves: of all if the review is done
}

// Done reports whether all moves are assessed.
func (r *Review) Done() bool { return len(r.Plies) == len(r.Moves) }

// ply is an assessment in JSON. Scores are from the view of the side that moved.
type ply struct {
	Ply       int      `json:"ply"`
	Move      string   `json:"move"`
	Score     int      `json:"score"`
	BestScore int      `json:"best_score"`
	Best      string   `json:"best"`
	PV        []string `json:"pv"`
	Loss      float64  `json:"loss"`
	Judgement string   `json:"judgement"`
	Why       string   `json:"why"`
}

// ErrOther is the error for a text that is not a review.
var ErrOther = errors.New("expected the JSON of GET /api/reviews/{id}")

// Open reads a review from a file.
func Open(path string) (*Review, error) {
	f, err := os.Open(path) //nolint:gosec // the user's file
	if err != nil {
		return nil, fmt.Errorf("opening a review: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	return Read(f)
}

// Read reads a review in JSON of at most MaxBytes. The error wraps ErrOther if the text is not a
// review at all.
func Read(in io.Reader) (*Review, error) {
	var v struct {
		Game     string     `json:"game"`
		Options  game.Setup `json:"options"`
		Position string     `json:"position"`
		Moves    []string   `json:"moves"`
		Plies    *[]ply     `json:"plies"`
	}
	data, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading a review: %w", err)
	case len(data) > MaxBytes:
		return nil, fmt.Errorf("reading a review: expected at most %d MB", MaxBytes>>20)
	}
	switch err = json.Unmarshal(data, &v); {
	case err != nil:
		return nil, fmt.Errorf("reading a review: %w: %w", err, ErrOther)
	case v.Plies == nil:
		return nil, fmt.Errorf("reading a review: no plies: %w", ErrOther)
	}
	var r Review
	err = r.replay(v.Game, v.Options, v.Position, v.Moves)
	if err == nil {
		err = r.assess(*v.Plies)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a review: %w", err)
	}
	return &r, nil
}

// replay plays the moves of a game.
func (r *Review) replay(name string, options game.Setup, position string, moves []string) (err error) {
	if len(moves) == 0 {
		return errors.New("the game has no moves")
	}
	if len(moves) > maxMoves {
		return fmt.Errorf("%d moves: expected at most %d", len(moves), maxMoves)
	}
	if r.Game, err = games.ByName(name); err != nil {
		return err
	}
	if position == "" {
		r.Start, err = r.Game.Start(options)
	} else if r.Start, err = r.Game.Read(position); err == nil {
		err = r.Game.Agrees(r.Start, options)
	}
	if err != nil {
		return err
	}
	r.Setup = r.Game.SetupAt(r.Start, options)
	m := game.NewMatch(r.Game, r.Start)
	for i, text := range moves {
		if err := m.PlayText(text); err != nil {
			return fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	r.Moves = m.Moves()
	return nil
}

// assess reads the assessments of the moves.
func (r *Review) assess(list []ply) error {
	if len(list) > len(r.Moves) {
		return fmt.Errorf("assessments of %d plies: expected at most %d, as many as moves", len(list), len(r.Moves))
	}
	at := r.Start.Clone()
	for _, mv := range r.Moves[:len(r.Moves)-len(list)] {
		at.Play(mv)
	}
	for i, p := range list {
		number := len(r.Moves) - len(list) + i + 1
		m, err := p.move(at, r.Moves[number-1], number)
		if err != nil {
			return fmt.Errorf("ply %d: %w", number, err)
		}
		r.Plies = append(r.Plies, m)
		at.Play(m.Played)
	}
	return nil
}

// move returns the assessment of a move in a position.
func (p ply) move(at game.Position, played game.Move, number int) (m review.Move, err error) {
	m = review.Move{
		Side: at.Turn(), Played: played, Value: p.BestScore, After: p.Score, Loss: max(p.BestScore-p.Score, 0),
		ExpectedLoss: p.Loss, Mark: review.Mark(p.Judgement), Why: p.Why,
	}
	switch m.Mark {
	case review.Good, review.Inaccuracy, review.Mistake, review.Blunder:
	default:
		return m, fmt.Errorf("judgement %.10q: expected \"\", \"?!\", \"?\" or \"??\"", p.Judgement)
	}
	switch {
	case p.Ply != number || p.Move != at.Format(played):
		return m, fmt.Errorf("an assessment of ply %d, %.20q: expected one of %s", p.Ply, p.Move, at.Format(played))
	case max(p.Score, p.BestScore) > maxScore || min(p.Score, p.BestScore) < -maxScore:
		return m, fmt.Errorf("scores %d and %d: expected -%d to %d", p.Score, p.BestScore, maxScore, maxScore)
	case len(p.Why) > review.MaxWhy || strings.ContainsFunc(p.Why, unicode.IsControl):
		return m, fmt.Errorf("the reason %.20q: expected at most %d printable bytes", p.Why, review.MaxWhy)
	case p.Loss < 0 || p.Loss > 1:
		return m, fmt.Errorf("a loss of %g: expected 0 to 1", p.Loss)
	}
	if m.Best, err = at.Parse(p.Best); err != nil {
		return m, fmt.Errorf("the best move: %w", err)
	}
	m.Line, _ = game.PlayTexts(at.Clone(), p.PV) // as far as it can be played
	return m, nil
}
