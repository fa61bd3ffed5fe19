package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"quintet/game"
	"quintet/games"
	"quintet/lab/await"
	"quintet/record"
	"quintet/tui/table"
)

// terminal runs the program in a terminal emulator: keys go in, and the screen is what the
// emulator displays.
type terminal struct {
	*testing.T
	home   string
	cmd    *exec.Cmd
	keys   *os.File
	screen vt10x.Terminal
	done   chan struct{} // closed when the program has ended
	cursor game.Cell
	width  int // of the board
}

// openPTY starts the program with its files in a folder.
func openPTY(t *testing.T, home string, cols, rows int, args ...string) *terminal {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = []string{asProgram + "=1", "HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	for _, name := range []string{serverVariable, tokenVariable} {
		cmd.Env = append(cmd.Env, name+"="+os.Getenv(name))
	}
	size := &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}
	keys, err := pty.StartWithSize(cmd, size)
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{T: t, home: home, cmd: cmd, keys: keys, done: make(chan struct{})}
	term.screen = vt10x.New(vt10x.WithWriter(keys), vt10x.WithSize(cols, rows))
	go func() {
		defer close(term.done)
		buf := make([]byte, 1<<16)
		for {
			n, err := keys.Read(buf)
			_, _ = term.screen.Write(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		<-term.done
		_ = keys.Close()
	})
	return term
}

func (p *terminal) press(keys string) {
	p.Helper()
	if _, err := p.keys.WriteString(keys); err != nil {
		p.Fatalf("%v; the screen is\n%s", err, p.screen.String())
	}
}

// await waits until something is so.
func (p *terminal) await(what string, so func() bool) {
	p.Helper()
	if !await.Holds(so) {
		p.Fatalf("%s: not in time; the screen is\n%s", what, p.screen.String())
	}
}

// sees waits for a text on the screen.
func (p *terminal) sees(text string) {
	p.Helper()
	p.await(fmt.Sprintf("%q", text), func() bool { return strings.Contains(p.screen.String(), text) })
}

// saved returns the game on disk, or nil.
func (p *terminal) saved() *record.Record {
	files, _ := filepath.Glob(filepath.Join(p.home, ".local", "state", "quintet", "games", "*.quintet"))
	if len(files) == 0 {
		return nil
	}
	list, err := record.Load(files[len(files)-1])
	if err != nil {
		return nil // it is empty until the first save
	}
	return list[0]
}

// turn waits until the first side, which the user plays, is to move. It returns nil if the
// game is over.
func (p *terminal) turn(plies int) (m *game.Match) {
	p.Helper()
	p.await("the turn", func() bool {
		r := p.saved()
		if r == nil || len(r.Main()) < plies {
			return false
		}
		var err error
		if m, err = r.Match(r.Last()); err != nil {
			p.Fatal(err)
		}
		return r.Result.Over() || m.Position().Turn() == game.First
	})
	if m.Over() {
		return nil
	}
	return m
}

// choose moves the cursor to a cell by arrow keys and chooses it.
func (p *terminal) choose(c game.Cell) {
	rows := int(c)/p.width - int(p.cursor)/p.width
	cols := int(c)%p.width - int(p.cursor)%p.width
	arrow := func(n int, less, more string) string {
		if n < 0 {
			return strings.Repeat(less, -n)
		}
		return strings.Repeat(more, n)
	}
	p.press(arrow(rows, "\x1b[A", "\x1b[B") + arrow(cols, "\x1b[D", "l") + "\r")
	p.cursor = c
}

// click clicks on a cell of an 8 by 8 board in a terminal of 80 by 24.
func (p *terminal) click(c game.Cell) {
	x, y := 1+3+4*(int(c)%8)+2, 1+1+2*(int(c)/8)+1
	p.press(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
}

// best returns a winning move, or else a random one.
func best(m *game.Match, r *rand.Rand) game.Move {
	legal := m.Legal()
	for _, mv := range legal {
		p := m.Position()
		p.Play(mv)
		if p.Result() == game.Win(game.First) {
			return mv
		}
	}
	return legal[r.IntN(len(legal))]
}

// playAll plays a whole game against what answers.
func (p *terminal) playAll(choose func(game.Cell)) {
	p.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for plies := 0; ; {
		m := p.turn(plies)
		if m == nil {
			return
		}
		mv := best(m, r)
		if from, ok := mv.From(); ok && mv != game.Pass {
			choose(from)
		}
		if mv == game.Pass {
			p.press("\r")
		} else {
			choose(mv.To())
		}
		plies = len(m.Moves()) + 1
	}
}

// TestPlayWholeGames plays each game to its end against level 1, by keyboard.
func TestPlayWholeGames(t *testing.T) {
	for _, test := range []struct {
		args   string
		size   int
		cols   int
		rows   int
		cursor string
	}{
		{"neighbors", 8, 80, 24, ""},
		{"othello --size 6 --pits a1,f6", 6, 80, 24, ""},
		{"loa", 8, 100, 40, ""},
		{"connect6 --size 26", 26, 80, 24, ""},
		{"chess", 8, 120, 40, ""},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			p := openPTY(t, t.TempDir(), test.cols, test.rows, append([]string{"play", "--second", "level:1"}, strings.Fields(test.args)...)...)
			p.width = test.size
			p.cursor = game.Cell(test.size/2*test.size + test.size/2)
			p.sees("to move")
			p.playAll(p.choose)
			result := p.saved()
			if !result.Result.Over() || result.End != record.ByRules && result.End != record.Repetition {
				t.Errorf("the game ended as %v, %q", result.Result, result.End)
			}
			p.await("the result", func() bool {
				s := p.screen.String()
				return strings.Contains(s, " wins") || strings.Contains(s, "Draw")
			})
			p.press("q")
			p.sees("Watch engines play")
			p.press("q")
			await.Receive(t, "the end of the program", p.done)
			if err := p.cmd.Wait(); err != nil {
				t.Errorf("the program ended with %v", err)
			}
		})
	}
}

// TestPlayByMouse plays each game to its end against level 1, by mouse.
func TestPlayByMouse(t *testing.T) {
	for _, args := range []string{"neighbors", "othello", "loa", "connect6 --size 8", "chess"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			p := openPTY(t, t.TempDir(), 80, 24, append([]string{"play", "--second", "level:1"}, strings.Fields(args)...)...)
			p.sees("to move")
			p.playAll(p.click)
			if r := p.saved(); !r.Result.Over() {
				t.Errorf("the game ended as %v", r.Result)
			}
		})
	}
}

// TestPlayKilled kills the program in the middle of a game: the next start
// offers to continue it, and does.
func TestPlayKilled(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p := openPTY(t, home, 80, 24, "play", "chess", "--second", "level:1")
	p.sees("White to move")
	p.press(":e2e4\r")
	p.turn(2)
	p.press(":d2d3\r")
	p.turn(4)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	await.Receive(t, "the end of the program", p.done)
	before := p.saved().Moves()

	again := openPTY(t, home, 80, 24)
	again.sees("Continue")
	again.press("\r")
	again.sees("ply 4")
	if got := again.saved().Moves(); got != before {
		t.Errorf("continued with %q, want %q", got, before)
	}
	again.press(":a2a3\r")
	again.turn(6)
}

// TestPlayResize makes the window smaller and larger while an engine thinks.
func TestPlayResize(t *testing.T) {
	t.Parallel()
	p := openPTY(t, t.TempDir(), 120, 40, "play", "othello", "--second", "engine", "--clock", "10+0")
	p.sees("Black to move")
	p.press(":e3\r")
	p.sees("White is thinking")
	for _, size := range [][2]int{{80, 24}, {30, 10}, {90, 30}} {
		p.screen.Resize(size[0], size[1])
		if err := pty.Setsize(p.keys, &pty.Winsize{Cols: uint16(size[0]), Rows: uint16(size[1])}); err != nil {
			t.Fatal(err)
		}
		if size[0] < 64 {
			p.sees("too small")
			continue
		}
		p.await("the screen of the new size", func() bool {
			lines := strings.Split(strings.TrimRight(p.screen.String(), "\n "), "\n")
			return len(lines) == size[1] && strings.HasSuffix(strings.TrimRight(lines[size[1]-1], " "), "? keys")
		})
	}
	p.press("1") // the interface answers while the engine thinks
	p.sees("another program")
}

// TestTerminals lists environments and what the terminal is taken for.
func TestTerminals(t *testing.T) {
	for _, test := range []struct {
		env          map[string]string
		ascii, plain bool
	}{
		{map[string]string{"TERM": "xterm-256color", "LANG": "en_US.UTF-8"}, false, false},
		{map[string]string{"TERM": "xterm-256color"}, false, false},
		{map[string]string{"TERM": "xterm", "LANG": "C"}, true, false},
		{map[string]string{"TERM": "xterm", "LANG": "C.utf8", "LC_ALL": "POSIX"}, true, false},
		{map[string]string{"TERM": "linux", "LANG": "C.UTF-8"}, true, false},
		{map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false, true},
		{map[string]string{"TERM": "dumb"}, true, true},
	} {
		env := terminalEnv(func(name string) string { return test.env[name] })
		if env.ASCII != test.ascii || env.Plain != test.plain {
			t.Errorf("%v: ASCII %v, plain %v", test.env, env.ASCII, env.Plain)
		}
	}
}

// TestPlayDumb plays line by line where the terminal cannot move its cursor:
// no escape sequence is written.
func TestPlayDumb(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "play", "othello", "--second", "level:1")
	cmd.Env = []string{asProgram + "=1", "HOME=" + t.TempDir(), "TERM=dumb", "PATH=" + os.Getenv("PATH")}
	keys, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	if _, err := keys.WriteString("e3\nmoves\nquit\n"); err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(keys) // it ends with an error when the program does
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	text := string(out)
	if strings.Contains(text, "\x1b") || !strings.Contains(text, "(X)") || strings.Count(text, "Black>") < 2 {
		t.Errorf("line by line:\n%q", text)
	}
}

// TestPlayPosition begins games at positions, on other boards than the usual one, too. Saved ones continue.
func TestPlayPosition(t *testing.T) {
	for _, test := range []struct{ game, position, moves, want string }{
		{"othello", "4/1XO1/1OX1/4 X", "c1", "2X1/1XX1/1OX1/4 O"},
		{"chess", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"},
		{"loa", "", "b0b2", ""},
	} {
		g, err := games.ByName(test.game)
		if err != nil {
			t.Fatal(err)
		}
		c := newPlay()
		s := &start{flags: c, position: test.position, moves: test.moves}
		if test.position != "" {
			s.flags.Flags().Lookup("position").Changed = true
		}
		f := playFlags{first: table.Person, second: "random", clock: "none"}
		tb, err := f.table(t.Context(), g, s)
		if test.want == "" {
			if err == nil || !strings.HasPrefix(err.Error(), "move 1 of --moves: ") {
				t.Errorf("%v, want that the move is not legal", err)
			}
			continue
		}
		if err != nil || tb.Position().String() != test.want {
			t.Fatalf("%s: %v (%v), want %s", test.game, tb, err, test.want)
		}
		text, err := tb.Record.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := record.Parse(text)
		if err != nil || len(list) != 1 || list[0].Start.String() != test.want {
			t.Errorf("saved as %s (%v)", text, err)
		}
	}
}
