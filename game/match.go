package game

import (
	"errors"
	"fmt"
	"slices"
)

// The errors that callers of a Match tell apart.
var (
	ErrIllegal = errors.New("not a legal move")
	ErrOver    = errors.New("the game is over")
	ErrHalt    = errors.New("the game cannot be halted here")
)

// ErrResigned is the answer of a player that gives the game up in place of a move:
// see Match.Resign.
var ErrResigned = errors.New("the player resigns")

// Reason is why a game ended.
type Reason string

// The reasons.
const (
	NotOver    Reason = ""
	ByRules    Reason = "rules"       // the position itself is an end
	Repetition Reason = "repetition"  // a position has occurred Game.Repeat times
	Resigned   Reason = "resignation" // a side gave up
	Halted     Reason = "halt"        // the players stopped a game that has a Stopper
)

// Outcome is how a match stands and why.
type Outcome struct {
	Result Result
	Reason Reason
}

// Match is a game being played: a start position and what happened since. It
// checks every move, and it is where repetition, resignation, halting and
// taking back live, which a position cannot know. A Match is not safe for
// concurrent use.
type Match struct {
	game    Game
	start   Position
	pos     Position
	moves   []Move
	keys    []uint64 // of every position so far, the start first
	outcome Outcome
	offered [2]bool // a halt is offered by the side (HaltAgreed)
}

// NewMatch returns a match of the game that begins at the position, which it
// copies.
func NewMatch(g Game, start Position) *Match {
	m := &Match{game: g, start: start.Clone()}
	m.rewind()
	return m
}

func (m *Match) rewind() {
	m.pos = m.start.Clone()
	m.moves = m.moves[:0]
	m.keys = append(m.keys[:0], m.pos.Key())
	m.offered = [2]bool{}
	m.outcome = byRules(m.pos)
}

func byRules(p Position) Outcome {
	if r := p.Result(); r.Over() {
		return Outcome{r, ByRules}
	}
	return Outcome{}
}

// Game returns the game that is played.
func (m *Match) Game() Game { return m.game }

// Start returns a copy of the position in which the match began.
func (m *Match) Start() Position { return m.start.Clone() }

// Position returns a copy of the position on the board.
func (m *Match) Position() Position { return m.pos.Clone() }

// Moves returns the moves played so far.
func (m *Match) Moves() []Move { return slices.Clone(m.moves) }

// Keys returns the keys of every position so far, the start first and the one
// on the board last.
func (m *Match) Keys() []uint64 { return slices.Clone(m.keys) }

// Outcome returns how the match stands.
func (m *Match) Outcome() Outcome { return m.outcome }

// Legal returns the moves that may be played now; none when the match is over.
func (m *Match) Legal() []Move {
	if m.outcome.Result.Over() {
		return nil
	}
	return m.pos.Moves(nil)
}

// Play plays a move. The error wraps ErrOver or ErrIllegal; the match is then
// as it was.
func (m *Match) Play(mv Move) error {
	if m.outcome.Result.Over() {
		return fmt.Errorf("move %d: %w", len(m.moves)+1, ErrOver)
	}
	if !slices.Contains(m.pos.Moves(nil), mv) {
		return fmt.Errorf("move %d: %w", len(m.moves)+1, Illegal(m.pos, mv))
	}
	m.pos.Play(mv)
	m.moves = append(m.moves, mv)
	m.keys = append(m.keys, m.pos.Key())
	m.offered = [2]bool{}
	m.outcome = byRules(m.pos)
	if !m.outcome.Result.Over() && m.repeated() {
		m.outcome = Outcome{StoppedResult(m.pos), Repetition}
	}
	return nil
}

// PlayText plays a move given in notation.
func (m *Match) PlayText(text string) error {
	if m.outcome.Result.Over() {
		return fmt.Errorf("move %d, %q: %w", len(m.moves)+1, text, ErrOver)
	}
	mv, err := m.pos.Parse(text)
	if err != nil {
		return fmt.Errorf("move %d: %w", len(m.moves)+1, err)
	}
	return m.Play(mv)
}

func (m *Match) repeated() bool {
	if m.game.Repeat == 0 {
		return false
	}
	now, seen := m.keys[len(m.keys)-1], 0
	for _, k := range m.keys {
		if k == now {
			seen++
		}
	}
	return seen >= m.game.Repeat
}

// StoppedResult returns the result of a game that is stopped at a position
// that is no end by the rules: a draw unless the position is a Stopper.
func StoppedResult(p Position) Result {
	if s, ok := p.(Stopper); ok {
		return s.Stopped()
	}
	return Draw
}

// Back takes back the last move and whatever ended the match after it. It
// reports false, and only undoes the ending, if no move has been played.
func (m *Match) Back() bool {
	moves := m.Moves()
	m.rewind()
	if len(moves) == 0 {
		return false
	}
	for _, mv := range moves[:len(moves)-1] {
		m.pos.Play(mv)
		m.moves = append(m.moves, mv)
		m.keys = append(m.keys, m.pos.Key())
	}
	m.outcome = byRules(m.pos)
	return true
}

// Resign ends the match as a loss for the side. The error wraps ErrOver.
func (m *Match) Resign(s Side) error {
	if m.outcome.Result.Over() {
		return fmt.Errorf("resigning: %w", ErrOver)
	}
	m.outcome = Outcome{Win(s.Other()), Resigned}
	return nil
}

// HaltRule says who may halt a game whose position is a Stopper.
type HaltRule string

// The rules for halting.
const (
	HaltClaim  HaltRule = "claim"  // either side, on its own turn
	HaltAgreed HaltRule = "agreed" // both sides, between two moves
	HaltNone   HaltRule = "none"   // nobody
)

// Halt lets a side halt the game, or offer to, under the rule. It reports
// whether the match is now over: under HaltAgreed the first call only offers,
// and a move withdraws the offer. The error wraps ErrOver or ErrHalt.
func (m *Match) Halt(s Side, rule HaltRule) (over bool, err error) {
	if m.outcome.Result.Over() {
		return true, fmt.Errorf("halting: %w", ErrOver)
	}
	stopper, ok := m.pos.(Stopper)
	switch {
	case !ok:
		return false, fmt.Errorf("%s: %w", m.game.Name, ErrHalt)
	case rule == HaltClaim && m.pos.Turn() != s:
		return false, fmt.Errorf("it is not the turn of the %s side: %w", s, ErrHalt)
	case rule == HaltAgreed && !m.offered[s.Other()]:
		m.offered[s] = true
		return false, nil
	case rule != HaltClaim && rule != HaltAgreed:
		return false, fmt.Errorf("halting is switched off: %w", ErrHalt)
	}
	m.outcome = Outcome{stopper.Stopped(), Halted}
	return true, nil
}
