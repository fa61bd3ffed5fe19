// Package midgame plays Othello at full strength on boards of up to 8 by 8 cells, with or without
// pits.
//
// A [Search] looks ahead by principal variation search, cuts branches that a shallow search makes
// improbable (ProbCut), and solves the end of the game exactly. A score is the expected margin of
// the side to move, in hundredths of a disc.
package midgame

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/linear"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// Evaluation scores boards on which the side to move can move, from its view, in
// hundredths of a disc: by where the discs of the two sides are, and how many
// moves each has.
type Evaluation interface {
	Eval(own, other uint64, moves, replies int) int
}

// Search searches one position at a time. The table is kept between searches.
type Search struct {
	weights Weights
	ground  uint64 // of the board that the table is about
	table   *engine.Table
	threads []*thread
	team    *team

	plan, proofPlan *plan
}

// Weights are the weights of the evaluations.
type Weights struct {
	Patterns Evaluation      // of 8 by 8 without pits
	Errors   Errors          // of ProbCut with Patterns
	Linear   *linear.Weights // of other boards; without them all evaluations are 0
}

// Trained returns the weights that come with the program.
func Trained() (Weights, error) {
	patterns, err := pattern.Trained()
	if err != nil {
		return Weights{}, fmt.Errorf("patterns: %w", err)
	}
	general, err := linear.Trained()
	if err != nil {
		return Weights{}, fmt.Errorf("linear evaluation: %w", err)
	}
	return Weights{patterns, fitted, general}, nil
}

// New returns a search that uses at least one thread and a transposition table of about
// megabytes MB.
func New(weights Weights, megabytes, threads int) *Search {
	if weights.Linear == nil {
		weights.Linear = new(linear.Weights)
	}
	s := &Search{weights: weights, table: engine.NewTable(megabytes)}
	for range max(threads, 1) {
		s.threads = append(s.threads, &thread{table: s.table, solver: endgame.NewSolver(8)})
	}
	s.proofPlan = newProofPlan()
	s.Tune(DefaultTuning())
	s.team = newTeam(s.threads)
	for _, t := range s.threads {
		t.team = s.team
	}
	return s
}

// Tune changes the constants.
func (s *Search) Tune(t Tuning) {
	s.plan = newPlan(&s.weights.Errors, t)
	for _, th := range s.threads {
		th.plan = s.plan
	}
}

// whole is the ground of 8 by 8 without pits.
const whole = ^uint64(0)

// choose makes the search ready for boards of a ground.
func (s *Search) choose(ground uint64) {
	if ground != s.ground && s.ground != 0 { // a new table is empty, and clearing it would touch all of its memory
		s.Reset()
	}
	s.ground = ground
	var plain *plain
	if ground != whole {
		plain = newPlain(s.weights.Linear, ground)
	}
	for _, t := range s.threads {
		t.eval, t.plain, t.noProbCut = s.weights.Patterns, plain, ground != whole
	}
}

// Reset implements engine.Searcher.
func (s *Search) Reset() {
	s.table.Clear()
	s.forget()
}

// Resize resets the search and changes the size of its transposition table.
func (s *Search) Resize(megabytes int) {
	s.table.Resize(megabytes)
	s.forget()
}

// forget clears the caches of the threads.
func (s *Search) forget() {
	for _, t := range s.threads {
		t.solver.Reset()
		t.evaluated = evaluated{}
	}
}

// thread is what one thread of a search needs.
type thread struct {
	eval        Evaluation
	plain       *plain // evaluates in place of eval, if not nil
	plan        *plan
	noProbCut   bool // ProbCut is off: its errors are those of the pattern evaluation
	table       *engine.Table
	solver      *endgame.Solver
	run         *engine.Run
	nodes       uint64
	published   uint64      // of the nodes: those that the team knows of
	limit       uint64      // of nodes, if there are no other threads; 0 for none
	halt        atomic.Bool // whether what it searches no longer matters
	certainty   int         // of the cuts of this depth
	mustFinish  bool        // whether this is the first step, which nothing stops
	evaluated   evaluated
	lists       [64]list       // of moves, by the number of empty cells
	splitPoints [64]splitPoint // by the number of empty cells
	team        *team
	current     *splitPoint          // that it searches a move of; nil for none; guarded by team.mu
	children    [4]othello.Bitboards // scratch of shallow, by depth

	position  *othello.Small // at the root
	clocked   bool           // whether the game has a clock
	steps     []step         // the iterations
	depth     int            // of this iteration
	proving   bool           // whether the bounds of the root are of interest
	root      []int          // squares that may be played at the root, the best first
	found     bool           // whether this iteration has found a line
	lastScore int            // of the last finished search for the score
}

// infinite is more than any score, in points.
const infinite = 64*pattern.Unit + 1

// Search implements engine.Searcher, for positions of type *othello.Small.
func (s *Search) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	at := p.Position.(*othello.Small)
	w := at.Bitboards()
	if at.Result().Over() {
		return engine.Line{Score: pattern.Unit * endgame.Final(w)}
	}
	list := steps(bits.OnesCount64(w.Empty()), l.Depth, false)
	return s.deepen(ctx, p, l, engine.Iterations{Depths: depths(list), Window: aspiration(s.plan.tuning.Aspiration), AdaptTime: true, Report: report}, list)
}

// deepen searches a position by a list of steps.
func (s *Search) deepen(ctx context.Context, p engine.Position, l engine.Limit, it engine.Iterations, list []step) engine.Line {
	at := p.Position.(*othello.Small)
	w := at.Bitboards()
	s.choose(w.Ground)
	soft, hard := l.BudgetFor(s.plan.tuning.movesLeft(bits.OnesCount64(w.Empty())))
	soft = min(soft*time.Duration(s.plan.tuning.TimeSoft)/100, hard) // most searches stop sooner, because the best move is stable
	r, end := engine.NewRun(ctx, l, soft, hard)
	defer end()
	for _, t := range s.threads {
		t.prepare(r, l, p.Skip, at)
		t.steps, t.plan = list, s.plan
		if s.team.progress != nil {
			t.plan = s.proofPlan
		}
	}
	defer s.startHelpers(l.Nodes)()
	it.First.Moves = []game.Move{s.threads[0].anyMove()}
	return engine.Deepen(r, s.threads[:1], it)
}

// startHelpers starts the threads but the first, for a search of the given number of nodes (0
// for no limit). The caller calls end after the search.
func (s *Search) startHelpers(nodes uint64) (end func()) {
	if len(s.threads) == 1 {
		s.threads[0].limit, nodes = nodes, 0
	}
	s.team.begin(nodes)
	var helpers sync.WaitGroup
	for _, t := range s.threads[1:] {
		helpers.Go(t.help)
	}
	return func() {
		s.team.end()
		helpers.Wait()
	}
}
