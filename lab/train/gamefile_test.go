package train

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
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

// TestGameFileOfAnotherEngine checks that no engine continues the games of another one.
func TestGameFileOfAnotherEngine(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games")
	for _, test := range []struct {
		engine string
		games  int
		want   string
	}{
		{"old", 10, ""}, {"new", 10, ""}, {"new", 11, name + " is from another version"}, {"old", 11, ""},
	} {
		g := gameFile{name: name, header: "header", games: test.games, threads: 2, record: func() recorder {
			return func(_ context.Context, i int) (string, error) { return fmt.Sprint(test.engine, i), nil }
		}}
		err := g.each(t.Context(), func(string) {}, func(int, string) error { return nil })
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s, %d games: %v, want %q", test.engine, test.games, err, test.want)
		}
	}
}
