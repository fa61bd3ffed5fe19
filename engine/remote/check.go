package remote

import (
	"errors"
	"fmt"
	"slices"

	"quintet/engine"
	"quintet/game"
)

// errNonsense is the error of a line that no search finds.
var errNonsense = errors.New("the line cannot be right")

// check reports an error if a line cannot be that of a position: it would be shown to people,
// and played.
func check(p engine.Position, l engine.Line) error {
	switch {
	case l.Score < -engine.Won || l.Score > engine.Won:
		return fmt.Errorf("%w: score %d", errNonsense, l.Score)
	case l.Depth < 0 || l.Time < 0:
		return fmt.Errorf("%w: depth %d after %s", errNonsense, l.Depth, l.Time)
	case len(l.Moves) == 0 && len(p.Moves(nil)) > 0:
		return fmt.Errorf("%w: it has no move", errNonsense)
	case slices.Contains(p.Skip, l.Best()):
		return fmt.Errorf("%w: it begins with a move to skip", errNonsense)
	}
	at := p.Clone()
	for i, m := range l.Moves {
		if !game.Legal(at, m) {
			return fmt.Errorf("%w: move %d is illegal", errNonsense, i+1)
		}
		at.Play(m)
	}
	return nil
}
