package game

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// Errors of a Match, for errors.Is.
var (
	ErrIllegal = errors.New("not a legal move")
	ErrOver    = errors.New("the game is over")
	ErrHalt    = errors.New("the game cannot be halted here")
)

// ErrResigned is returned by players that resign instead of choosing a move; see
// Match.Resign.
var ErrResigned = errors.New("the player resigns")

// Reason is why a game ended.
type Reason string

// The reasons.
const (
	NotOver    Reason = ""
	ByRules    Reason = "rules"       // the position is terminal
	Repetition Reason = "repetition"  // a position has occurred Game.Repeat times
	Resigned   Reason = "resignation" // a side gave up
	Halted     Reason = "halt"        // the players stopped a game that has a Stopper
)

// Outcome is the result of a match and its reason.
type Outcome struct {
	Result Result
	Reason Reason
}

// Match is a game in progress: a start position and its history. It checks every move
// and implements what depends on history: repetition, resignation, halting and taking
// moves back. A Match is not safe for concurrent use.
type Match struct {
	game    Game
	start   Position
	pos     Position
	moves   []Move
	keys    []uint64 // of every position so far, the start first
	outcome Outcome
	offered [2]bool // a halt is offered by the side (HaltAgreed)
	scratch []Move  // the legal moves that Play looks through
}

// NewMatch returns a match of the game that begins at a copy of the position.
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

// Position returns a copy of the current position.
func (m *Match) Position() Position { return m.pos.Clone() }

// Turn returns the side to move.
func (m *Match) Turn() Side { return m.pos.Turn() }

// Moves returns the moves played so far.
func (m *Match) Moves() []Move { return slices.Clone(m.moves) }

// Clone returns a match with the same start, moves and outcome, which can be played
// on without changing this one.
func (m *Match) Clone() *Match {
	c := *m
	c.start, c.pos = m.start.Clone(), m.pos.Clone()
	c.moves, c.keys, c.scratch = slices.Clone(m.moves), slices.Clone(m.keys), nil
	return &c
}

// Replay yields each position in which a move was played, and the move. The
// position changes with the next step: clone it to keep it. The match itself may
// be played on meanwhile: Replay yields the moves that there were when it began.
func (m *Match) Replay() iter.Seq2[Position, Move] {
	return func(yield func(Position, Move) bool) {
		p := m.start.Clone()
		for _, mv := range slices.Clone(m.moves) {
			if !yield(p, mv) {
				return
			}
			p.Play(mv)
		}
	}
}

// Keys returns the keys of all positions so far, from the start to the current one.
func (m *Match) Keys() []uint64 { return slices.Clone(m.keys) }

// Outcome returns the result so far and its reason.
func (m *Match) Outcome() Outcome { return m.outcome }

// Over reports whether the match is over.
func (m *Match) Over() bool { return m.outcome.Result.Over() }

// Legal returns the legal moves; none when the match is over.
func (m *Match) Legal() []Move {
	if m.Over() {
		return nil
	}
	return m.pos.Moves(nil)
}

// Play plays a move. The error wraps ErrOver or ErrIllegal and leaves the match
// unchanged.
func (m *Match) Play(mv Move) error {
	if m.Over() {
		return fmt.Errorf("move %d: %w", len(m.moves)+1, ErrOver)
	}
	m.scratch = m.pos.Moves(m.scratch[:0])
	if !slices.Contains(m.scratch, mv) {
		return fmt.Errorf("move %d: %w", len(m.moves)+1, Illegal(m.pos, mv))
	}
	m.pos.Play(mv)
	m.moves = append(m.moves, mv)
	m.offered = [2]bool{}
	m.outcome = m.outcomeAt(m.pos)
	m.keys = append(m.keys, m.pos.Key())
	return nil
}

// Preview returns the position and the outcome that a legal move leads to, without playing
// it.
func (m *Match) Preview(mv Move) (Position, Outcome) {
	p := m.pos.Clone()
	p.Play(mv)
	return p, m.outcomeAt(p)
}

// PlayText plays a move given in notation.
func (m *Match) PlayText(text string) error {
	if m.Over() {
		return fmt.Errorf("move %d, %q: %w", len(m.moves)+1, text, ErrOver)
	}
	mv, err := m.pos.Parse(text)
	if err != nil {
		return fmt.Errorf("move %d: %w", len(m.moves)+1, err)
	}
	return m.Play(mv)
}

// outcomeAt returns the outcome when the next position of the match is p.
func (m *Match) outcomeAt(p Position) Outcome {
	if o := byRules(p); o.Result.Over() || m.game.Repeat == 0 {
		return o
	}
	key, seen := p.Key(), 1
	for _, k := range m.keys {
		if k == key {
			seen++
		}
	}
	if seen >= m.game.Repeat {
		return Outcome{StoppedResult(p), Repetition}
	}
	return Outcome{}
}

// StoppedResult returns the result of a game that is stopped at a non-terminal
// position: a draw unless the position is a Stopper.
func StoppedResult(p Position) Result {
	if s, ok := p.(Stopper); ok {
		return s.Stopped()
	}
	return Draw
}

// Undo takes back the last move and a resignation or halt after it. If no move has
// been played, it takes back only that and returns false.
func (m *Match) Undo() bool {
	last := len(m.moves) - 1
	m.UndoTo(max(last, 0))
	return last >= 0
}

// UndoTo takes back all moves but the first n, and a resignation or halt. It replays those n
// moves once, so for several moves it is faster than Undo.
func (m *Match) UndoTo(n int) {
	moves := m.Moves()
	m.rewind()
	for _, mv := range moves[:n] {
		m.pos.Play(mv)
		m.moves = append(m.moves, mv)
		m.keys = append(m.keys, m.pos.Key())
	}
	m.outcome = byRules(m.pos)
}

// Resign ends the match as a loss for the side. The error wraps ErrOver.
func (m *Match) Resign(s Side) error {
	if m.Over() {
		return fmt.Errorf("resigning: %w", ErrOver)
	}
	m.outcome = Outcome{Win(s.Other()), Resigned}
	return nil
}

// HaltRule determines which player may halt a game whose position is a Stopper.
type HaltRule string

// The rules for halting.
const (
	HaltClaim  HaltRule = "claim"  // either side, on its own turn
	HaltAgreed HaltRule = "agreed" // both sides, between two moves
	HaltNone   HaltRule = "none"   // nobody
)

// Halt halts the game for a side under the rule, and reports whether the match is
// over. Under HaltAgreed the first side only offers; a move withdraws the offer. The
// error wraps ErrOver or ErrHalt.
func (m *Match) Halt(s Side, rule HaltRule) (over bool, err error) {
	if m.Over() {
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
