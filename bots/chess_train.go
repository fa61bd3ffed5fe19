package bots

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/regress"
)

// Training says how weights are made.
type Training struct {
	Games int    // of self-play in each turn
	Nodes uint64 // for each of their moves
	Turns int    // of self-play and fitting; the weights of one play in the next
	Seed  uint64

	// Report, if not nil, is told in a line what has been done.
	Report func(line string)
}

// How positions are chosen and labelled, and weights fitted. All positions of a
// game share its result, so that to trust it much fits hundreds of weights to
// the luck of some thousand games.
const (
	trainOpening  = 10    // random plies, and up to one more
	trainPlies    = 240   // after which a game is a draw
	trainDecided  = 1_500 // a score at which a game is won, if it stays for a few plies
	trainPatience = 4
	trainTrust    = 0.5 // share of the result in the label; the rest is what the search expected
	trainRounds   = 400
	trainRate     = 1.0
	trainPull     = 2e-9
)

// TrainChess makes weights for chess, from the ones that training begins with:
// it lets the engine play itself, and fits the weights to the positions. The
// same Training gives the same weights. It writes them as Go source.
func TrainChess(ctx context.Context, o Training, out io.Writer) error {
	weights := chessStart()
	var set regress.Set
	for turn := range o.Turns {
		if err := playChess(ctx, o, turn, weights, &set); err != nil {
			return err
		}
		fitChess(o, weights, &set)
	}
	_, err := io.WriteString(out, weights.source(o))
	return err
}

// playChess adds positions of games between equal players to the set.
func playChess(ctx context.Context, o Training, turn int, weights *chessTable, set *regress.Set) error {
	search := engine.NewAlphaBeta(chessKnowledge(weights), 2, 1)
	for i := range o.Games {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("playing game %d: %w", i+1, err)
		}
		search.Reset()
		g := chessLesson{search: search, random: rand.NewPCG(o.Seed+uint64(turn)<<32, uint64(i)), nodes: o.Nodes}
		g.play(ctx)
		g.teach(set)
		if o.Report != nil && (i+1)%100 == 0 {
			o.Report(fmt.Sprintf("turn %d: %d games, %d positions", turn+1, i+1, set.Len()))
		}
	}
	return nil
}

// chessLesson is a game to learn from.
type chessLesson struct {
	search *engine.AlphaBeta
	random *rand.PCG
	nodes  uint64
	quiet  []chess.Position // where the search chose no capture and no king is attacked
	scores []int            // what the search said there, for White
	result float64          // for White
}

func (g *chessLesson) play(ctx context.Context) {
	m := game.NewMatch(chess.Game, chess.Start())
	for range trainOpening + int(g.random.Uint64()&1) {
		if mv := game.Sample(m.Position(), g.random, nil); mv == 0 || m.Play(mv) != nil {
			break
		}
	}
	decided := 0
	for ply := 0; ply < trainPlies && !m.Outcome().Result.Over(); ply++ {
		p := m.Position().(*chess.Position)
		keys := m.Keys()
		at := engine.Position{Position: p, History: keys[:len(keys)-1], Repeat: chess.Game.Repeat}
		line := g.search.Search(ctx, at, engine.Limit{Nodes: g.nodes}, nil)
		if ctx.Err() != nil {
			return
		}
		score := line.Score * int(sign(p.Turn()))
		if decided = stays(decided, score); max(decided, -decided) >= trainPatience {
			g.result = float64(1+decided/trainPatience) / 2
			return
		}
		if !p.Threatened() && !takesMan(p, line.Best()) && max(score, -score) < engine.MaxEval {
			g.quiet, g.scores = append(g.quiet, *p), append(g.scores, score)
		}
		if m.Play(line.Best()) != nil {
			return
		}
	}
	g.result = 0.5 // also where it was halted: a count is no proof of strength
	if winner, ok := m.Outcome().Result.Winner(); ok && m.Outcome().Reason == game.ByRules {
		g.result = float64(1 - winner)
	}
}

// stays counts the plies for which a game has been decided, with the sign of
// who wins.
func stays(decided, score int) int {
	switch {
	case score > trainDecided:
		return max(decided, 0) + 1
	case score < -trainDecided:
		return min(decided, 0) - 1
	}
	return 0
}

// teach adds the game's positions to a set. A feature has two weights, and
// counts for each by the phase.
func (g *chessLesson) teach(set *regress.Set) {
	var terms []regress.Term
	for i := range g.quiet {
		p := &g.quiet[i]
		target := trainTrust*g.result + (1-trainTrust)*regress.Expected(float64(g.scores[i]), trainScale)
		var fixed float64
		terms, fixed = chessTerms(p, g.scores[i] < 0, terms[:0])
		set.Add(terms, fixed, target)
	}
}

// trainScale is the scale of scores: 400 points are ten wins to one loss.
const trainScale = 400

// chessTerms appends the terms of a position's score for White, and returns
// what it has beside them.
func chessTerms(p *chess.Position, second bool, terms []regress.Term) (all []regress.Term, fixed float64) {
	var counts [chessWeightCount]int16
	e := chessEval{weights: &chessTable{}, trace: &counts}
	e.count(p)
	share := float64(e.winnable(p, second)) / 8
	phase := float64(phaseOf(p)) / chessPhase
	for f, n := range counts {
		if n == 0 {
			continue
		}
		if phase > 0 {
			terms = append(terms, regress.Term{Feature: uint16(2 * f), Count: float32(float64(n) * phase * share)})
		}
		if phase < 1 {
			terms = append(terms, regress.Term{Feature: uint16(2*f + 1), Count: float32(float64(n) * (1 - phase) * share)})
		}
	}
	return terms, float64(sign(p.Turn()) * chessTempo)
}

// fitChess fits the weights to a set.
func fitChess(o Training, weights *chessTable, set *regress.Set) {
	numbers := make([]float64, 2*chessWeightCount)
	for f, w := range weights {
		middle, end := unpackWeight(w)
		numbers[2*f], numbers[2*f+1] = float64(middle), float64(end)
	}
	set.Fit(numbers, regress.Settings{Scale: trainScale, Rounds: trainRounds, Rate: trainRate, Pull: trainPull}, func(round int, err float64) {
		if o.Report != nil && (round == 1 || round%100 == 0) {
			o.Report(fmt.Sprintf("round %d: error %.6f", round, err))
		}
	})
	for f := range weights {
		weights.set(f, rounded(numbers[2*f]), rounded(numbers[2*f+1]))
	}
}

func rounded(f float64) int {
	if f < 0 {
		return -rounded(-f)
	}
	return int(f + 0.5)
}

// source returns the weights as the Go file that holds them.
func (t *chessTable) source(o Training) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package bots\n\n// chessWeights were made by quintet train chess --games %d --nodes %d --turns %d --seed %d, on %s.\n",
		o.Games, o.Nodes, o.Turns, o.Seed, runtime.GOARCH)
	b.WriteString("// Each line has eight, packed as packWeight says.\nvar chessWeights = chessTable{")
	for i, w := range t {
		if i%8 == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%d,", w)
	}
	b.WriteString("\n}\n")
	return b.String()
}
