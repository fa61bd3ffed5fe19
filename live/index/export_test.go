package index

import "context"

// Hold holds a write transaction open until the returned function is called.
func (x *Index) Hold(ctx context.Context) (end func(), err error) {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE progress SET seq = 0")
	return func() { _ = tx.Rollback() }, err
}
