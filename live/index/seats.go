package index

import (
	"context"
	"fmt"
)

// endedQuery looks up three rows a game, however long its chain of rematches is. Only a
// game that is over has a rematch, so the latest game decides. A latest game without a
// row yet is not over.
const endedQuery = `
SELECT asked.value FROM json_each(?) AS asked
	CROSS JOIN games AS one ON one.id = asked.value
	CROSS JOIN games AS origin ON origin.id = one.origin
	CROSS JOIN games AS latest ON latest.id = origin.latest
WHERE latest.state = 'over'`

// Ended returns which of the games are over together with all rematches that followed
// from them: a seat in a game is also a seat in its rematches. Games without a row are
// not among them.
func (x *Index) Ended(ctx context.Context, ids []string) (map[string]bool, error) {
	list, err := x.ids(ctx, endedQuery, toJSON(ids))
	if err != nil {
		return nil, fmt.Errorf("looking up games that are over: %w", err)
	}
	over := map[string]bool{}
	for _, id := range list {
		over[id] = true
	}
	return over, nil
}
