package console

import (
	"fmt"

	"quintet/games/connect6"
)

func playConnect6(t *dialogue, o Options) error {
	g, err := connect6.NewCourse(o.sizeOrDefault(19))
	if err != nil {
		return &UsageError{err}
	}
	t.show(g.Board(), stoneBoard)
	player, other := byte('B'), byte('W')
	for left := 1; ; left-- {
		if left == 0 {
			player, other, left = other, player, 2
		}
		if err := placeStone(t, g, player); err != nil {
			return err
		}
		t.show(g.Board(), stoneBoard)
		switch g.Over(player) {
		case connect6.Won:
			t.print("%s wins!\n", map[byte]string{'B': "Black", 'W': "White"}[player])
			return nil
		case connect6.Full:
			t.print("Draw game!\n")
			return nil
		}
	}
}

func placeStone(t *dialogue, g *connect6.Course, player byte) error {
	const invalid = "Invalid move. Enter again!\n"
	q := question{prompt: fmt.Sprintf("%c's turn: ", player), invalid: invalid, notNumber: invalid}
	return t.askUntilValid(q, func() (bool, error) {
		letter, number, err := t.cell()
		return err == nil && g.Place(player, number, int(letter)-'A'), err
	})
}
