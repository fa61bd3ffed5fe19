package index

import (
	"context"
	"database/sql"
	"encoding/json"

	"quintet/live"
)

// erases reports whether an entry is a ruling that erases.
func erases(e live.Entry) bool {
	if e.Stream != live.ModerationStream {
		return false
	}
	r, err := live.ReadRuling(e.Data)
	return err == nil && r.Do == live.Erase
}

// moderate applies a ruling. Hidden names are masked when they are shown.
func moderate(ctx context.Context, tx *sql.Tx, entry live.Entry) error {
	r, err := live.ReadRuling(entry.Data)
	if err != nil || !r.Known() {
		return nil //nolint:nilerr // see applyAll
	}
	query, args := "UPDATE games SET private = private | ? WHERE id = ?", []any{hidden, r.Game}
	switch r.Do {
	case live.Show:
		query = "UPDATE games SET private = private & ~? WHERE id = ?"
	case live.Erase:
		query, args = "DELETE FROM games WHERE id = ?", args[1:]
	}
	_, err = tx.ExecContext(ctx, query, args...)
	for _, x := range r.Erased {
		if err == nil && x.Event != nil {
			err = rename(ctx, tx, x)
		}
	}
	return err
}

// rename sets the names of a game to those in the replacement of an event.
func rename(ctx context.Context, tx *sql.Tx, x live.Erasure) (err error) {
	var e live.Event
	if json.Unmarshal(x.Event, &e) != nil {
		return nil //nolint:nilerr // see applyAll
	}
	var names [2]string
	switch {
	case e.Settings != nil:
		names = [2]string{e.Settings.Seats[0].Name, e.Settings.Seats[1].Name}
	case e.Player != nil && e.Side != nil:
		names[*e.Side] = e.Player.Name
	}
	for i, query := range [2]string{"UPDATE games SET first = ? WHERE id = ?", "UPDATE games SET second = ? WHERE id = ?"} {
		if names[i] != "" && err == nil {
			_, err = tx.ExecContext(ctx, query, names[i], x.Stream)
		}
	}
	return err
}
