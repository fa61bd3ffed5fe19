package console

import (
	"strings"

	"quintet/game"
	"quintet/games/loa"
	"quintet/games/neighbors"
)

func playNeighbors(t *dialogue, _ Options) error { return playConnection(t, neighbors.Start()) }

func playLOA(t *dialogue, _ Options) error { return playConnection(t, loa.Start()) }

// connectionNames are the names of the players of Neighbors and Lines of Action, which
// share their dialogue.
var connectionNames = [2]string{game.First: "B", game.Second: "W"}

// playConnection plays a game of Neighbors or Lines of Action to its end.
func playConnection(t *dialogue, p game.Position) error {
	for !p.Result().Over() {
		t.show(p.Board())
		if err := connectionTurn(t, p); err != nil {
			return err
		}
	}
	t.show(p.Board())
	t.printResult(p.Result(), "%s wins!\n", connectionNames)
	return nil
}

func connectionTurn(t *dialogue, p game.Position) error {
	player := connectionNames[p.Turn()]
	if p.Moves(nil)[0] == game.Pass {
		t.print("%s has to pass!\n", player)
		p.Play(game.Pass)
		return nil
	}
	q := question{prompt: player + "'s move: ", invalid: "Invalid move. Try again!\n"}
	return t.askUntilValid(q, func() (bool, error) {
		from, err := t.token()
		if err != nil {
			return false, err
		}
		to, err := t.token()
		return err == nil && playCells(p, from, to), err
	})
}

// playCells plays a move between two cells and reports whether it is valid. The names of
// cells have two characters, in lower case.
func playCells(p game.Position, from, to string) bool {
	text := from + to
	if len(from) != 2 || len(to) != 2 || text != strings.ToLower(text) {
		return false
	}
	m, err := p.Parse(text)
	if err != nil {
		return false
	}
	p.Play(m)
	return true
}
