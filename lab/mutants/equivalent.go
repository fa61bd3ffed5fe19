package mutants

// equivalents lists mutants that no test can kill, because the program does
// the same with them, and why. They count nowhere.
func equivalents() map[string]string {
	const (
		infinity = "math.Inf takes the sign of its argument alone"
		equal    = "where both are equal, either answer is the same number"
		slots    = "every order in which slots are tried finds the same entry"
		spare    = "it makes a buffer larger or later than need be, and changes no result"
	)
	return map[string]string{
		"engine/mcts_tree.go:MCTS.uct:literal1":                     infinity,
		"engine/node.go:worker.estimate:compare3":                   equal,
		"engine/node.go:worker.estimate:compare6":                   equal,
		"bots/othello/endgame/endgame.go:NewSolver:literal1":        "a table of any size gives the same values",
		"bots/othello/endgame/endgame.go:Solver.line:arith2":        "a single move is searched, and found to have the value that it must have",
		"engine/alphabeta.go:worker.Solved:compare1":                "MaxEval is no proved win: it lies deeper than any search",
		"bots/connect6/board.go:board.put:compare1":                 "it adds 0",
		"bots/connect6/defenses.go:board.answer:compare4":           "the cell lies in the first gap, so that one is never uncovered",
		"engine/path.go:path.push:arith1":                           "pop counts the same way, and a slot that is not 0 is only looked through",
		"engine/order.go:historyIndex:arith2":                       "it numbers the pairs of cells in another way, each still once",
		"game/playout/repetitions.go:repetitions.find:arith4":       slots,
		"arena/rating.go:bradleyTerry.informationMatrix:arith9":     "any weight above 0 holds the mean at 0",
		"arena/rating.go:bradleyTerry.informationMatrix:arith8":     "any weight above 0 holds the mean at 0",
		"game/playout/repetitions.go:repetitions.add:compare1":      spare,
		"game/playout/playout.go:newPlayer:literal1":                "moves are appended to buf[:0], whatever its length is",
		"judge/suite/policy.go:takes:literal1":                      "any number above 0 is preferred to 0",
		"judge/dialogue/chess.go:chess.legal:drop1":                 "refusal refuses these moves, too: it only takes longer",
		"bots/othello/pattern/pattern.go:Stage:literal1":            "a stage has two discs",
		"bots/othello/large/eval.go:evaluator.connect:literal1":     "any number but 0 begins the loop",
		"arena/rating.go:probabilityPositive:never1":                equal,
		"serve/play/stream.go:parseResume:literal4":                 "the number comes with an error",
		"web/facts.go:gameFacts:never1":                             "every game starts in its usual form",
		"review/stored/fetch.go:Fetch:return2":                      "the address has been parsed before",
		"internal/lang/lang.go:Match:compare1":                      "no tag begins with such a sign",
		"internal/lang/sentence.go:Language.Paragraph:literal1":     "no sentence is a full stop alone",
		"live/index/ratings.go:fold.after:literal1":                 "for SQLite, any negative number means all",
		"people/tournament/standings.go:groups:return1":             "nobody leaves the loop before its end",
		"internal/platform/keeper_linux.go:RunKeeper:literal7":      "nothing is ever written to this pipe: reading it waits for its end",
		"judge/dialogue/examine_turn.go:examination.valid:literal3": "every negative number stands for no player",
	}
}
