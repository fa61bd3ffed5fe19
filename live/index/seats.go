package index

import (
	"context"
	"fmt"
)

// endedQuery asks which of some games, and all that went on from each by rematch, are over.
// A game that is not listed is not over.
const endedQuery = `
WITH RECURSIVE later(first, id) AS (
	SELECT value, value FROM json_each(?)
	UNION SELECT later.first, games.next FROM later JOIN games ON games.id = later.id WHERE games.next <> ''
)
SELECT later.first FROM later LEFT JOIN games ON games.id = later.id GROUP BY later.first HAVING count(*) = sum(games.state = 'over')`

// Ended returns which of some games are over for good: the game is, and so is the
// rematch that went on from it, and so on, because a seat in one is a seat in the next.
// A game that the list does not know, or not yet, is not among them.
func (x *Index) Ended(ctx context.Context, ids []string) (map[string]bool, error) {
	found, err := x.db.QueryContext(ctx, endedQuery, text(ids))
	if err != nil {
		return nil, fmt.Errorf("looking for games that are over: %w", err)
	}
	defer func() { _ = found.Close() }()
	over := map[string]bool{}
	for found.Next() {
		var id string
		if err := found.Scan(&id); err != nil {
			return nil, fmt.Errorf("looking for games that are over: %w", err)
		}
		over[id] = true
	}
	return over, found.Err()
}
