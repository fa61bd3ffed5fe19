package index

import (
	"database/sql"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkFoldAnew folds as many games as it is to run, of a thousand people and in ten pools, as after one is
// erased: go test -bench FoldAnew -benchtime 1000000x. It reports the longest time for which the list could not be written.
func BenchmarkFoldAnew(b *testing.B) {
	x, err := Open(b.Context(), filepath.Join(b.TempDir(), "index"), 0, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = x.Close() }() // its folder is removed
	err = x.transact(b.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(b.Context(), fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO rated SELECT printf('%%08x', i * 2654435761 %% 4294967296), 'loa', 'pool' || (i %% 10), 'person' || (i * 7919 %% 1000), iif(i %% 4, 'person' || (1 + i * 7919 %% 999), ''),
			0, iif(i %% 4, 0, 1 + i %% 10), i, (i %% 3) / 2.0, i * 1000, i * 1000, 0, NULL, NULL FROM n`, b.N))
		if err != nil {
			return err
		}
		return foldAnew(b.Context(), tx)
	})
	if err != nil {
		b.Fatal(err)
	}
	var longest time.Duration
	b.ResetTimer()
	for more := true; more; {
		began := time.Now()
		if more, err = x.reveal(b.Context(), int64(b.N)*1000); err != nil {
			b.Fatal(err)
		}
		longest = max(longest, time.Since(began))
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
}
