package train

import (
	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
)

// playerErrors are the ProbCut errors of the players on 8 by 8, fitted to an earlier version of the
// weights. Do not update them: the program's errors are fitted to the finished weights, so if players
// used those, training could not make these weights again.
var playerErrors = midgame.Errors{
	Midgame: midgame.ErrorModel{1.5093, -0.1264, -0.0131, -0.1665, 0.2953, -0.0268, 0.0520},
	Ending:  midgame.ErrorModel{0.7036, -0.5563, -0.2022, 0.0100, 0.9500, 0.0382, 0.0023},
}

// playerTuning are the constants of the players' searches, frozen for the same reason. Players have no
// clock, so the constants of time are zero.
var playerTuning = midgame.Tuning{
	Aspiration: 3 * pattern.Unit,
	Width:      102, Static: 105, Ending: 100, Table: 63,
	SortFrom: 90, SortEach: 40,
	EndFrom: 140, EndEach: 40, EndReplies: 300,
}

// newPlayer returns the search of a player with weights.
func newPlayer(w *pattern.Weights) *midgame.Search {
	s := midgame.New(midgame.Weights{Patterns: w, Errors: playerErrors}, 1, 1)
	s.Tune(playerTuning)
	return s
}
