package console

import (
	"errors"
	"math/rand/v2"

	"quintet/game"
	"quintet/games/chess"
)

// chessNames are the names of the sides.
var chessNames = [2]string{game.First: "White", game.Second: "Black"}

// chessPlayer plays a turn or stops the game.
type chessPlayer func(t *dialogue, g *chess.Course, name string) error

func playChess(t *dialogue, o Options) error {
	mode, err := chessMode(t)
	if err != nil {
		return err
	}
	machine := chessMachine(o.random())
	players, rounds := [2]chessPlayer{machine, machine}, o.Rounds
	switch mode {
	case 1:
		players, rounds = [2]chessPlayer{chessHuman, chessHuman}, 0
	case 2:
		players, rounds = [2]chessPlayer{chessHuman, machine}, 0
	}
	g := chess.NewCourse()
	if err := chessRounds(t, g, players, rounds); err != nil {
		return err
	}
	t.printResult(g.Result(), "%s wins!\n", chessNames)
	return nil
}

// chessMode asks for the game mode. Input that is not a number counts as 0, as in the
// course's program, which means two machines.
func chessMode(t *dialogue) (int, error) {
	t.print("Choose game mode (1, 2, 3): ")
	mode, err := t.integer()
	if errors.Is(err, errNoNumber) {
		return 0, nil
	}
	return mode, err
}

// chessRounds plays until the game stops, or for limit rounds if limit is not 0.
func chessRounds(t *dialogue, g *chess.Course, players [2]chessPlayer, limit int) error {
	for round := 1; g.State() == chess.Running; round++ {
		if limit > 0 && round > limit {
			g.Stop()
			return nil
		}
		// Two machines read no input, so flush and check for cancellation here.
		if err := t.refresh(); err != nil {
			return err
		}
		t.print("Round %d:\n", round)
		t.show(g.Board())
		side := g.Turn()
		if err := players[side](t, g, chessNames[side]); err != nil {
			return err
		}
		g.NextTurn()
	}
	return nil
}

// chessHuman asks until the player enters a valid move or "Z0 Z0".
func chessHuman(t *dialogue, g *chess.Course, name string) error {
	const invalid = "invalid input!\n"
	q := question{prompt: name + "'s turn: ", invalid: invalid, notNumber: invalid}
	return t.askUntilValid(q, func() (bool, error) {
		letter1, number1, err := t.cell()
		if err != nil {
			return false, err
		}
		letter2, number2, err := t.cell()
		if err != nil {
			return false, err
		}
		if letter1 == 'Z' && letter2 == 'Z' && number1 == 0 && number2 == 0 {
			g.Stop()
			return true, nil
		}
		return g.Move(number1-1, column(letter1), number2-1, column(letter2)), nil
	})
}

// chessMachine returns the course's machine, which plays and prints random moves. It
// prints nothing if it forfeits its turn.
func chessMachine(r *rand.PCG) chessPlayer {
	return func(t *dialogue, g *chess.Course, name string) error {
		y1, x1, y2, x2, ok := g.RandomMove(r)
		if ok && g.Move(y1, x1, y2, x2) {
			t.print("%s's turn: %c%d %c%d\n", name, 'A'+x1, y1+1, 'A'+x2, y2+1)
		}
		return nil
	}
}
