package index

import (
	"context"
	"testing"
)

// Hold holds a write transaction open until the returned function is called.
func (x *Index) Hold(ctx context.Context) (end func(), err error) {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE progress SET seq = 0")
	return func() { _ = tx.Rollback() }, err
}

// HistoryLen returns the number of ratings in the history.
func (x *Index) HistoryLen(t *testing.T) (n int) {
	t.Helper()
	if err := x.db.QueryRowContext(t.Context(), "SELECT count(*) FROM history").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
