package train

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// TestGameFileThreads checks that each thread has a recorder of its own, and that lines come in the order of
// the games, from the file and from threads.
func TestGameFileThreads(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games")
	for _, games := range []int{100, 700} {
		recorders := 0
		g := gameFile{name: name, header: "header", games: games, threads: 4, record: func() recorder {
			recorders++
			played := 0 // a race if two threads share a recorder
			return func(_ context.Context, i int) (string, error) {
				played++
				return fmt.Sprint(i, " once ", played > 0), nil
			}
		}}
		var said, lines []string
		err := g.each(t.Context(), func(line string) { said = append(said, line) }, func(i int, line string) error {
			if want := fmt.Sprint(i, " once true"); line != want {
				t.Errorf("game %d is %q, want %q", i, line, want)
			}
			lines = append(lines, line)
			return nil
		})
		if err != nil || len(lines) != games || recorders != 4 || !slices.Equal(said, []string{fmt.Sprint(games, " games")}) {
			t.Errorf("%d lines of %d games, %d recorders, %q, %v", len(lines), games, recorders, said, err)
		}
	}
}
