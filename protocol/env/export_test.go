package env

import "quintet/game"

// Position returns a copy of the position of a game.
func (b *Batch) Position(i int) game.Position { return b.tables[i].pos.Clone() }
