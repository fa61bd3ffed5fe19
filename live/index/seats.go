package index

import (
	"context"
	"fmt"
)

// endedQuery looks up three rows for each game, however long its chain of rematches is: a
// rematch can only follow a game that is over, so the latest game speaks for all. A
// latest game that is not listed yet is not over.
const endedQuery = `
SELECT asked.value FROM json_each(?) AS asked
	CROSS JOIN games AS one ON one.id = asked.value
	CROSS JOIN games AS origin ON origin.id = one.origin
	CROSS JOIN games AS latest ON latest.id = origin.latest
WHERE latest.state = 'over'`

// Ended returns which of some games are over for good: the game is, and so is every
// rematch that followed from it, because a seat in one is a seat in the next. A game
// that is not listed is not among them.
func (x *Index) Ended(ctx context.Context, ids []string) (map[string]bool, error) {
	list, err := x.ids(ctx, endedQuery, text(ids))
	if err != nil {
		return nil, fmt.Errorf("looking for games that are over: %w", err)
	}
	over := map[string]bool{}
	for _, id := range list {
		over[id] = true
	}
	return over, nil
}
