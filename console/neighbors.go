package console

import (
	"quintet/game"
	"quintet/games/neighbors"
)

func playNeighbors(t *talk, o Options) error {
	if err := o.fixed(8); err != nil {
		return err
	}
	return gather(t, neighbors.NewCourse())
}

// gatherer is a game in which two players gather their pieces in one group:
// Neighbors and Lines of Action, which share their dialogue.
type gatherer interface {
	CurrentPlayer() byte
	SwapPlayer()
	Move(from, to string) bool
	CanMove(player byte) bool
	GameOver() byte
	Board() game.Board
}

// gather plays a game to its end.
func gather(t *talk, g gatherer) error {
	for over := false; !over; over = gathered(g) {
		t.show(g.Board(), smallBoard)
		if err := gatherTurn(t, g); err != nil {
			return err
		}
		g.SwapPlayer()
	}
	t.show(g.Board(), smallBoard)
	switch winner := g.GameOver(); winner {
	case 'B', 'W':
		t.say("%c wins!\n", winner)
	default:
		t.say("Draw game!\n")
	}
	return nil
}

// gathered reports whether the game is over: by the board, or because neither
// player can ever move again.
func gathered(g gatherer) bool {
	return g.GameOver() != '-' || !g.CanMove('B') && !g.CanMove('W')
}

func gatherTurn(t *talk, g gatherer) error {
	player := g.CurrentPlayer()
	if !g.CanMove(player) {
		t.say("%c has to pass!\n", player)
		return nil
	}
	q := question{prompt: string(player) + "'s move: ", refused: "Invalid move. Try again!\n"}
	return t.insist(q, func() (bool, error) {
		from, err := t.token()
		if err != nil {
			return false, err
		}
		to, err := t.token()
		return err == nil && g.Move(from, to), err
	})
}
