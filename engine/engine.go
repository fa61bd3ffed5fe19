// Package engine searches the trees of any game.
//
// [AlphaBeta] searches to a depth and evaluates there; [MCTS] plays random games and needs
// no evaluation. Both take a position with its history, search until a [Limit] or the
// context ends, report better lines, and return a [Line]. A [Knowledge] holds what a search
// knows about a game; package bots has one for each game.
//
// With one thread and a limit of depth or nodes, searches are deterministic. Searching
// allocates nothing per node.
package engine

import (
	"context"
	"slices"
	"time"

	"quintet/game"
)

// Knowledge guides a search with knowledge of a game. Only Eval must be set. The functions get
// positions of that game only, in which it is not over, and must not change them. Some need
// others, as their comments say; gametest.CheckKnowledge checks all of it.
type Knowledge struct {
	// Eval scores a position that is not over, from the view of the side to move: 100 is about the
	// value of a piece, or of having a move in the centre. It stays between -MaxEval and MaxEval.
	Eval func(p game.Position) int

	// Candidates, if not nil, appends the moves to search instead of all legal moves, best
	// first and at least one. It may leave out what loses at once, and everything beside a win.
	Candidates func(p game.Position, buf []game.Move) []game.Move

	// Order, if not nil, returns the priority of a legal move for move ordering, between
	// -1000 and 1000.
	Order func(p game.Position, m game.Move) int

	// Noisy, if not nil, reports whether a move may change the evaluation a lot, such as a
	// capture, so that quiescence search must play it out. Other moves are quiet, and so is a pass.
	Noisy func(p game.Position, m game.Move) bool

	// Tactics, if not nil, appends the noisy candidates, or a move that wins at once, faster than
	// calling Noisy for each. It is not called in danger. It needs Noisy and Order.
	Tactics func(p game.Position, buf []game.Move) []game.Move

	// Gain, if not nil, is the static exchange evaluation of a move: the material that it wins,
	// or loses if negative, by all captures on its target, in units of Eval. It needs Noisy.
	Gain func(p game.Position, m game.Move) int

	// Danger, if not nil, reports whether the opponent would win with one move if the side to
	// move passed. Such positions are searched deeper and not evaluated: quiescence search plays
	// all moves there. So it needs Candidates that are few in danger, or trees explode.
	Danger func(p game.Position) bool

	// Threat, if not nil, reports whether Danger would hold after a move. It must be faster
	// than to play the move: most late moves are pruned unless they are threats. It needs Danger.
	Threat func(p game.Position, m game.Move) bool

	// Null, if not nil, permits null moves: it reports whether passing is almost certainly
	// worse than moving for the side to move, which is not in danger. The search then plays
	// game.Pass where it is not legal, so the game must be Passable.
	Null func(p game.Position) bool

	// Margin is the largest expected change of the evaluation by a quiet move; 0 if unknown. Then
	// no moves are pruned by evaluations.
	Margin int

	// Tuning holds the constants of ordering, reductions and pruning; the zero value stands for
	// DefaultTuning(Margin).
	Tuning Tuning

	// Stopped, if not nil, scores a game ended by repetition, from the view of the side to
	// move. Without it, the score follows from the result.
	Stopped func(p game.Position) int

	// Final, if not nil, scores a finished game by more than who has won, from the view of the side
	// to move, between -MaxEval and MaxEval. Wins are then never proved.
	Final func(p game.Position) int

	// MovesLeft, if not nil, estimates how many moves like the next one a side still has to make,
	// among which it divides its time.
	MovesLeft func(p game.Position) float64
}

// final returns the score of a finished game, a number of plies after the root.
func (k *Knowledge) final(p game.Position, r game.Result, ply int) int {
	if k.Final != nil {
		return k.Final(p)
	}
	return ResultScore(r, p.Turn(), ply)
}

// Scores are from the view of the side to move.
const (
	// MaxEval is the largest value of an evaluation.
	MaxEval = 20_000

	// Won is the score of a game that is won here; a win some plies ahead
	// scores as many points less. Scores beyond MaxEval are proved.
	Won = 30_000
)

// Limit stops a search at the first limit reached. With the zero Limit the search runs
// until the context ends or the tree is exhausted.
type Limit struct {
	Depth int           // plies, for AlphaBeta; 0 for none
	Nodes uint64        // positions visited (for MCTS, games played); 0 for none
	Time  time.Duration // of this move; 0 for none
	Clock Clock         // of the whole game

	// NodesTime is the number of nodes that count as a millisecond, so that games on a clock
	// do not depend on the speed of the machine; 0 for real time. It is for one thread.
	NodesTime uint64

	Pacer Pacer // suspends the search; nil for none
}

// Pacer suspends a search, for example so that several searches take turns. The clock keeps
// running meanwhile.
type Pacer interface {
	// Yield is called by the searching goroutine every thousand positions or so, and may
	// block.
	Yield()
}

// Line is the result of a search: a principal variation and its score.
type Line struct {
	Score int           // from the view of the side to move
	Depth int           // plies searched in full
	Nodes uint64        // positions visited (for MCTS, games played)
	Time  time.Duration // since the search began
	Moves []game.Move   // the principal variation; the first is the move to play
}

// Best returns the move to play, or the zero Move if the game is over.
func (l Line) Best() game.Move {
	if len(l.Moves) == 0 {
		return 0
	}
	return l.Moves[0]
}

// NodesPerSecond returns how fast the search was.
func (l Line) NodesPerSecond() float64 {
	if l.Time <= 0 {
		return 0
	}
	return float64(l.Nodes) / l.Time.Seconds()
}

// Position is the root of a search: a position, the keys of earlier positions that count
// for repetition, and the repetition rule.
type Position struct {
	game.Position
	History []uint64
	Repeat  int         // Game.Repeat
	Skip    []game.Move // moves not to play here; at least one legal move must remain
}

// SkipKey returns a word to add to the root's key in a transposition table; 0 if no move is
// skipped. The score of a root with skipped moves is not that of the position, so it must
// not be found elsewhere in the tree.
func SkipKey(skip []game.Move) (key uint64) {
	for _, m := range skip {
		key += game.Mix(1, uint64(m)) // a sum, because the order does not matter
	}
	return key
}

// Lines returns the best lines with different first moves, best first (MultiPV). The limit
// applies to each line. It returns fewer if there are fewer legal moves or the context
// ends.
func Lines(ctx context.Context, s Searcher, p Position, l Limit, lines int) (found []Line) {
	lines = min(lines, len(p.Moves(nil)))
	for len(found) < lines && (ctx.Err() == nil || len(found) == 0) {
		line := s.Search(ctx, p, l, nil)
		found = append(found, line)
		p.Skip = append(p.Skip, line.Best())
	}
	slices.SortStableFunc(found, func(a, b Line) int { return b.Score - a.Score })
	return found
}

// Searcher is implemented by AlphaBeta, MCTS and the searches written for one game. Search
// calls report, if not nil, from the searching goroutine with each better line. It returns
// within milliseconds of the end of the context, with the best line so far, which has a
// move unless the game is over.
type Searcher interface {
	Search(ctx context.Context, p Position, l Limit, report func(Line)) Line

	// Reset clears the tables, so that the next search does not depend on earlier ones.
	Reset()
}

// ResultScore returns the score, for side s, of a game that has ended ply plies from the root.
func ResultScore(r game.Result, s game.Side, ply int) int {
	winner, ok := r.Winner()
	switch {
	case !ok:
		return 0
	case winner == s:
		return Won - ply
	}
	return ply - Won
}
