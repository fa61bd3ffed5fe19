package console_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"quintet/game"
	"quintet/judge/console"
)

// TestFrames finds the boards of every game in what its program prints, with
// the input between them and without.
func TestFrames(t *testing.T) {
	for _, test := range []struct {
		game, in string
		size     int
		frames   int
	}{
		{"neighbors", "d0 f2\n", 0, 2},
		{"loa", "a1 c1\n", 0, 2},
		{"othello", "1 a1 e3", 0, 2},
		{"othello", "0 p14", 26, 1},
		{"connect6", "A0", 1, 2},
		{"connect6", "A0 A1 B1", 3, 4},
		{"chess", "1 e7 e5", 0, 2},
	} {
		for _, echo := range []string{"", "A0\n"} {
			var out bytes.Buffer
			err := console.Run(context.Background(), test.game, console.Options{Size: test.size}, strings.NewReader(test.in), &out)
			if err != nil && !errors.Is(err, console.ErrInputEnded) {
				t.Fatal(err)
			}
			text := out.String()
			if echo != "" {
				text = strings.NewReplacer("turn: ", "turn: "+echo, "move: ", "move: "+echo).Replace(text)
			}
			frames, err := console.Frames(text)
			if err != nil || len(frames) != test.frames {
				t.Errorf("%s %q: %d boards, %v, want %d in\n%s", test.game, test.in, len(frames), err, test.frames, text)
			}
		}
	}
	_, err := console.Frames("   A B C D\n 1 . . . \n")
	if broken, ok := errors.AsType[*console.FrameError](err); !ok || broken.Line != 2 {
		t.Errorf("a row with three cells of four: %v, want an error in line 2", err)
	}
	if console.Symbols("go", game.Board{}) != nil {
		t.Error("there are symbols for a game that is not there")
	}
}
