package console

import (
	"quintet/game"
	"quintet/games/neighbors"
)

func playNeighbors(t *dialogue, o Options) error {
	if err := o.checkSize(8); err != nil {
		return err
	}
	return playConnection(t, neighbors.NewCourse())
}

// connectionGame is Neighbors or Lines of Action, which share their dialogue: the
// players connect their pieces into one group.
type connectionGame interface {
	CurrentPlayer() byte
	SwapPlayer()
	Move(from, to string) bool
	CanMove(player byte) bool
	GameOver() byte
	Board() game.Board
}

// playConnection plays a connection game to its end.
func playConnection(t *dialogue, g connectionGame) error {
	for over := false; !over; over = connectionOver(g) {
		t.show(g.Board(), smallBoard)
		if err := connectionTurn(t, g); err != nil {
			return err
		}
		g.SwapPlayer()
	}
	t.show(g.Board(), smallBoard)
	switch winner := g.GameOver(); winner {
	case 'B', 'W':
		t.print("%c wins!\n", winner)
	default:
		t.print("Draw game!\n")
	}
	return nil
}

// connectionOver reports whether the game is over: by the groups, or because neither
// player can move.
func connectionOver(g connectionGame) bool {
	return g.GameOver() != '-' || !g.CanMove('B') && !g.CanMove('W')
}

func connectionTurn(t *dialogue, g connectionGame) error {
	player := g.CurrentPlayer()
	if !g.CanMove(player) {
		t.print("%c has to pass!\n", player)
		return nil
	}
	q := question{prompt: string(player) + "'s move: ", invalid: "Invalid move. Try again!\n"}
	return t.askUntilValid(q, func() (bool, error) {
		from, err := t.token()
		if err != nil {
			return false, err
		}
		to, err := t.token()
		return err == nil && g.Move(from, to), err
	})
}
