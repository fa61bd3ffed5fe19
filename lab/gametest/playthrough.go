package gametest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
)

// GoldenEnv is the environment variable with which tests update their golden files;
// `make golden` sets it.
const GoldenEnv = "QUINTET_GOLDEN"

// checkPlaythrough compares everything observable in one fixed random game with
// testdata/<set-up>.play. A missing file fails the test.
func checkPlaythrough(t TB, g game.Game, setup string, start game.Position) {
	t.Helper()
	Golden(t, filepath.Join("testdata", setupName(setup)+".play"), Playthrough(g, setup, start))
}

// Golden compares text with a file, or writes the file if GoldenEnv is set.
func Golden(t TB, path, got string) {
	t.Helper()
	if os.Getenv(GoldenEnv) != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatalf("%v", err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatalf("%v", err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run make golden and review the file)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// Playthrough plays a random game with a fixed seed as a match and returns every
// position: board, text, key, moves in order, result.
func Playthrough(g game.Game, setup string, start game.Position) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n", g.Name, setup)
	r := newRand(uint64(len(setup)))
	m := game.NewMatch(g, start)
	for ply := 0; ; ply++ {
		p := m.Position()
		fmt.Fprintf(&b, "\nply %d, %s to move\n", ply, g.Sides[p.Turn()])
		writePosition(&b, p, ply)
		legal := m.Legal()
		if len(legal) == 0 {
			break
		}
		mv := legal[game.IntN(r, len(legal))]
		fmt.Fprintf(&b, "plays %s\n", p.Format(mv))
		if err := m.Play(mv); err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			break
		}
	}
	fmt.Fprintf(&b, "\n%s by %s\n", m.Outcome().Result, m.Outcome().Reason)
	return b.String()
}

// writePosition writes a position. On large boards it omits most pictures and the
// middle of long move lists, to keep the file readable.
func writePosition(b *strings.Builder, p game.Position, ply int) {
	board := p.Board()
	if len(board.Cells) <= 100 || ply%16 == 0 {
		writeBoard(b, board)
		fmt.Fprintf(b, "text   %s\n", p)
	}
	fmt.Fprintf(b, "key    %016x\nresult %s\nmoves ", p.Key(), p.Result())
	moves := p.Moves(nil)
	for i, m := range moves {
		switch {
		case len(moves) <= 80 || i < 10 || i == len(moves)-1:
			b.WriteString(" " + p.Format(m))
		case i == 10:
			fmt.Fprintf(b, " (%d more)", len(moves)-11)
		}
	}
	b.WriteString("\n")
}

// writeBoard draws the board with the second side's pieces in lower case.
func writeBoard(b *strings.Builder, board game.Board) {
	for r, label := range board.Rows {
		fmt.Fprintf(b, "%2s ", label)
		for c := range board.Cols {
			b.WriteByte(glyph(board.At(r, c)))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "   %s\n", strings.Join(board.Cols, ""))
	if board.Note != "" {
		fmt.Fprintf(b, "note   %s\n", board.Note)
	}
}

func glyph(p game.Piece) byte {
	switch {
	case p.Kind == game.Empty:
		return '.'
	case p.Kind == game.Pit:
		return '#'
	case p.Kind == game.Stone:
		return "Xo"[p.Side]
	case p.Side == game.Second:
		return p.Kind | 0x20
	}
	return p.Kind
}
