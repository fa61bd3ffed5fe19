package bots

import (
	"quintet/engine"
	"quintet/engine/nnue"
	"quintet/game"
	"quintet/games/chess"
)

func chessProfile() GameProfile {
	return GameProfile{
		Game:       "chess",
		Knowledge:  ChessEvaluation().trained,
		Puzzles:    PuzzleSource{Weak: 3, Strong: 6, Last: 20, Fewest: 2, Turns: 4, Horizon: 3, SkipLast: true},
		Scale:      180,
		Saturation: 200,
		Describe:   describeChess,
		BenchDepth: 9,
		// Found by matches, so that levels score 70 to 79 % against the level below (docs/levels.md).
		Levels: [Levels]Level{
			{258, 60, 500, 0}, {318, 50, 400, 0}, {391, 40, 300, 0}, {595, 31, 257, 0}, {1_050, 21, 205, 0},
			{1_500, 15, 165, 0}, {2_400, 9, 125, 0}, {5_300, 3, 55, 0}, {9_237, 0, 0, 0}, {},
		},
	}
}

// chessKnowledge returns the Knowledge of chess, with an evaluation by the linear weights
// and, if not nil, the network.
func chessKnowledge(linear []int32, net *nnue.Network) engine.Knowledge {
	return engine.Knowledge{
		Eval: evalChess(linear, net), Candidates: safeMoves, Noisy: takesMan, Tactics: safeCaptures, Order: orderChess, Gain: gainChess,
		Danger: threatened, Threat: threatens, Null: mayPass, Margin: 80, Tuning: chessTuning(),
		Stopped: haltedChess,
	}
}

// chessTuning returns constants that SPSA found (docs/internals/experiments.md), except for ProbCut.
func chessTuning() engine.Tuning {
	return engine.Tuning{
		Aspiration: 18,
		OrderDepth: 4, OrderWeight: 32,
		ReduceBase: 28, ReduceLog: 54, ReduceHistory: 276, ReduceWorsening: 114, ReduceCut: 130, ReduceNoisy: 72,
		ReduceDanger: 45, ReducePV: 94,
		LateBase: 20, LateDepth: 24, LateWorsening: 70,
		ReverseMargin: 90, ReverseImproving: 42, RazorMargin: 95,
		FutilityBase: 104, FutilityMargin: 122, AfterBase: 16, AfterMargin: 49,
		NullBase: 380, NullDepth: 30, NullEval: 156,
		SingularMargin: 22, ProbCut: 150,
	}
}

// chessKinds lists the kinds of men, cheapest first: the order in which they recapture, and that of
// the features of the network.
var chessKinds = [...]byte{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King}

// chessValues are the values of men by kind, for move ordering and exchanges, in hundredths of a
// pawn of ordinary chess. Pawns are worth less here because they are never promoted. The
// king's value stands for the game.
var chessValues = [128]int{
	chess.Pawn: 70, chess.Knight: 320, chess.Bishop: 330, chess.Rook: 480, chess.Queen: 920, chess.King: 10_000,
}

// takesMan reports whether a man is captured.
func takesMan(p game.Position, m game.Move) bool {
	q := p.(*chess.Position)
	return m != game.Pass && q.Pieces(q.Turn().Other())>>(m.To()&63)&1 != 0
}

// orderChess orders captures by most valuable victim, then least valuable attacker.
func orderChess(p game.Position, m game.Move) int {
	q := p.(*chess.Position)
	from, ok := m.From()
	if !ok || !takesMan(p, m) {
		return 0
	}
	return min(chessValue(q.At(m.To())), 1_000) - chessValue(q.At(from))/16
}

func chessValue(man game.Piece) int { return chessValues[man.Kind&127] }

func safeMoves(p game.Position, buf []game.Move) []game.Move {
	return p.(*chess.Position).SafeMoves(buf)
}

func safeCaptures(p game.Position, buf []game.Move) []game.Move {
	return p.(*chess.Position).SafeCaptures(buf)
}

func threatened(p game.Position) bool { return p.(*chess.Position).Threatened() }

func threatens(p game.Position, m game.Move) bool { return p.(*chess.Position).Threatens(m) }

// mayPass reports whether null moves are safe. With only king and pawns they are not,
// because of zugzwang.
func mayPass(p game.Position) bool {
	q := p.(*chess.Position)
	return q.Pieces(q.Turn())&^q.Kind(chess.Pawn)&^q.Kind(chess.King) != 0
}

// chessHalt is the value of the higher piece count in a halted game: a win, but only by
// counting, so that a player with better prospects continues.
const chessHalt = 200

func haltedChess(p game.Position) int {
	q := p.(*chess.Position)
	switch own, other := q.Score(q.Turn()), q.Score(q.Turn().Other()); {
	case own > other:
		return chessHalt
	case own < other:
		return -chessHalt
	}
	return 0
}
