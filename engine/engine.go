// Package engine searches game trees, and knows no game.
//
// [AlphaBeta] looks ahead to a depth and trusts an evaluation there; [MCTS]
// plays random games and needs none. Both take a position and its history,
// search until a [Limit] or the context ends, report as they go, and return a
// [Line]. What a search must know of a game is in a [Knowledge], and package
// bots has one for each.
//
// On one thread, and with a limit of depth or nodes, the same search gives the
// same line. Searching allocates nothing per node.
package engine

import (
	"context"
	"slices"
	"time"

	"quintet/game"
)

// Knowledge is what a search is told of a game. Functions get positions of
// that game only, and change nothing.
type Knowledge struct {
	// Eval scores a position that is not over, from the view of the side to
	// move: 100 is about what a piece or the right to a move in the centre
	// is worth. It stays between -MaxEval and MaxEval.
	Eval func(p game.Position) int

	// Candidates, if not nil, appends the moves worth a look in place of
	// all, best first. There is at least one where the game is not over.
	Candidates func(p game.Position, buf []game.Move) []game.Move

	// Order, if not nil, says how promising a legal move is before it is
	// searched: the higher, the earlier. It stays between -1000 and 1000.
	Order func(p game.Position, m game.Move) int

	// Noisy, if not nil, reports whether a move changes the evaluation by
	// much, so that it is not to be trusted before such moves are played
	// out: captures. Moves that are not noisy are quiet.
	Noisy func(p game.Position, m game.Move) bool

	// Tactics, if not nil, appends the noisy moves among the candidates,
	// faster than by asking Noisy about each.
	Tactics func(p game.Position, buf []game.Move) []game.Move

	// Gain, if not nil, estimates what a move wins, or loses if negative, by
	// all that is captured on the cell where it arrives, in the units of Eval.
	Gain func(p game.Position, m game.Move) int

	// Danger, if not nil, reports whether the side to move is about to lose
	// the game: the opponent would win by one move if it passed. Such
	// positions are searched deeper, and their evaluation is not trusted.
	Danger func(p game.Position) bool

	// Null, if not nil, reports whether the side to move, which is not in
	// danger, would all but certainly be worse off if it passed. Then a pass
	// that is good enough proves the position good. Play must be able to play
	// game.Pass there, also where it is no legal move.
	Null func(p game.Position) bool

	// Margin is by how much a quiet move may be expected to change the
	// evaluation at most; 0 if that is not known. Moves that would have to
	// change it by more are not searched near the horizon.
	Margin int

	// Stopped, if not nil, scores a game that is stopped by repetition, from
	// the view of the side to move. Without it, it is worth its result.
	Stopped func(p game.Position) int
}

// Scores are from the view of the side to move.
const (
	// MaxEval is the largest value of an evaluation.
	MaxEval = 20_000

	// Won is the score of a game that is won here; a win some plies ahead
	// scores as many points less. Scores beyond MaxEval are proved.
	Won = 30_000
)

// Limit is when a search stops: at the first that is reached. The zero Limit
// is none: the search goes on until the context ends, or nothing is left to
// look at.
type Limit struct {
	Depth int           // plies, for AlphaBeta; 0 for none
	Nodes uint64        // positions visited (for MCTS, games played); 0 for none
	Time  time.Duration // of this move; 0 for none
	Clock Clock         // of the whole game
}

// Line is what a search has found: moves to come and their value.
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

// Position is where a search begins: a position, the keys of those before it
// that count for repetition, and the rule for that.
type Position struct {
	game.Position
	History []uint64
	Repeat  int         // Game.Repeat
	Skip    []game.Move // moves not to play here; at least one legal move must remain
}

// SkipKey returns what a search adds to the key of its root in a transposition
// table, 0 if it skips no move. The score of a root with skipped moves is not that
// of the position, and must not be found where the position comes up again.
func SkipKey(skip []game.Move) (key uint64) {
	for _, m := range skip {
		key += game.Mix(1, uint64(m)) // a sum, as the order does not matter
	}
	return key
}

// Lines returns the best lines that begin with different moves, the best first:
// as many as asked for, or as there are legal moves. Each takes the limit once.
// Fewer come back if the context ends.
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

// Searcher is what searches have in common: AlphaBeta and MCTS, and those that
// are made for one game. Report, if not nil, is
// called from the searching goroutine with each better line. The context is
// heeded within milliseconds; the line found so far is returned then, and it
// has a move whenever the game is not over.
type Searcher interface {
	Search(ctx context.Context, p Position, l Limit, report func(Line)) Line

	// Reset forgets what earlier searches found, so that the next is as the
	// first.
	Reset()
}

// result returns the score of a finished game for a side, some plies away.
func result(r game.Result, s game.Side, ply int) int {
	winner, ok := r.Winner()
	switch {
	case !ok:
		return 0
	case winner == s:
		return Won - ply
	}
	return ply - Won
}
