package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"quintet/game"
	"quintet/games"
	"quintet/record"
)

// terminal is the program in a pseudo-terminal, and what a person would see
// there.
type terminal struct {
	t      *testing.T
	home   string
	cmd    *exec.Cmd
	file   *os.File
	screen vt10x.Terminal
	ended  chan struct{}
}

// openTerminal starts the program on a terminal of 80 by 24 characters.
func openTerminal(t *testing.T, home string, args ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "quintet") // the name under which TestMain runs the program
	if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), name, args...)
	c.Env = []string{"HOME=" + home, "LANG=C.UTF-8", "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "GOCOVERDIR=" + home}
	f, err := pty.StartWithSize(c, &pty.Winsize{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, home: home, cmd: c, file: f, screen: vt10x.New(vt10x.WithSize(80, 24), vt10x.WithWriter(f)), ended: make(chan struct{})}
	go x.read()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		_ = f.Close()
		<-x.ended
	})
	return x
}

// read passes on to the screen what the program writes.
func (x *terminal) read() {
	defer close(x.ended)
	buf := make([]byte, 1<<16)
	for {
		n, err := x.file.Read(buf)
		if n > 0 {
			_, _ = x.screen.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (x *terminal) text() string { return x.screen.String() }

// send types.
func (x *terminal) send(keys string) {
	x.t.Helper()
	if _, err := x.file.WriteString(keys); err != nil {
		x.t.Fatalf("typing %q: %v", keys, err)
	}
}

// until waits until the screen is as wanted.
func (x *terminal) until(what string, wanted func(text string) bool) {
	x.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if wanted(x.text()) {
			return
		}
	}
	x.t.Fatalf("waited in vain for %s, shown is\n%s", what, x.text())
}

func (x *terminal) wait(text string) {
	x.t.Helper()
	x.until(strconv.Quote(text), func(t string) bool { return strings.Contains(t, text) })
}

var moveNumber = regexp.MustCompile(`move (\d+)`)

// number is the number of the move that the title shows, and whether the game is
// over.
func (x *terminal) number() (n int, over bool) {
	title, _, _ := strings.Cut(x.text(), "\n")
	m := moveNumber.FindStringSubmatch(title)
	if m == nil {
		return 0, false
	}
	n, _ = strconv.Atoi(m[1])
	return n, strings.Contains(title, "· over")
}

// turn waits until the first side is to move after a move of a number, or the
// game is over.
func (x *terminal) turn(g game.Game, after int) (n int, over bool) {
	x.t.Helper()
	x.until("the turn", func(text string) bool {
		n, over = x.number()
		title, _, _ := strings.Cut(text, "\n")
		return over || n > after && strings.Contains(title, g.Sides[0]+" to move")
	})
	return n, over
}

// kept is the game that is on the disk.
func (x *terminal) kept() *record.Record {
	x.t.Helper()
	list, err := record.Load(filepath.Join(x.home, ".local/state/quintet/current.quintet"))
	if err != nil {
		x.t.Fatal(err)
	}
	return list[0]
}

// TestPlayByKeys plays a whole game of each by keys: tab goes to the next cell
// that can be chosen, enter chooses it.
func TestPlayByKeys(t *testing.T) {
	t.Parallel()
	wholeGames(t, func(x *terminal, n int) {
		x.send("\t\r")
		chosen := false
		x.until("a choice", func(text string) bool {
			now, over := x.number()
			chosen = strings.Contains(text, " From ")
			return chosen || over || now != n
		})
		if chosen {
			x.send("\t\r")
		}
	})
}

// TestPlayByMouse plays a whole game of each by the mouse. Where cells are is
// read off the labels of the board.
func TestPlayByMouse(t *testing.T) {
	t.Parallel()
	wholeGames(t, func(x *terminal, _ int) {
		r := x.kept()
		m, err := r.Match(r.Last())
		if err != nil {
			x.t.Fatal(err)
		}
		legal := m.Legal()
		mv := legal[(7*len(m.Moves()))%len(legal)]
		if from, ok := mv.From(); ok {
			x.click(r.Start.Board(), from)
		}
		x.click(r.Start.Board(), mv.To())
	})
}

// click presses and lets go of the left button of the mouse over a cell.
func (x *terminal) click(b game.Board, c game.Cell) {
	x.t.Helper()
	lines := strings.Split(x.text(), "\n")
	col, row := b.Cols[int(c)%len(b.Cols)], b.Rows[int(c)/len(b.Cols)]
	at := strings.Index(lines[1], " "+col+" ")
	if strings.HasSuffix(strings.TrimRight(lines[1], " "), " "+col) && at < 0 {
		at = len(strings.TrimRight(lines[1], " ")) - 2
	}
	y := -1
	for i, line := range lines[2:] {
		if words := strings.Fields(line); len(words) > 0 && words[0] == row {
			y = i + 2
			break
		}
	}
	if at < 0 || y < 0 {
		x.t.Fatalf("cell %s%s is not on the screen:\n%s", col, row, x.text())
	}
	px := utf8.RuneCountInString(lines[1][:at]) + 2
	x.send(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", px, y+1, px, y+1))
}

// wholeGames plays the five games against level 1 to their ends.
func wholeGames(t *testing.T, ply func(x *terminal, n int)) {
	for _, g := range games.All() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			x := openTerminal(t, t.TempDir(), "play", g.Name, "--second", "level:1")
			n, over := x.turn(g, 0)
			for plies := 0; !over; plies++ {
				if plies > 1000 {
					t.Fatalf("the game does not end:\n%s", x.text())
				}
				ply(x, n)
				n, over = x.turn(g, n)
			}
			r := x.kept()
			if !r.Result.Over() || len(r.Main()) != n-1 {
				t.Errorf("the record has %d moves and is %s, the title says move %d", len(r.Main()), r.Result, n)
			}
			x.send("q")
			x.wait("What would you like to play?")
			x.send("q")
			x.exits()
		})
	}
}

// exits waits for the program's good end.
func (x *terminal) exits() {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			x.t.Errorf("the program ended with %v, shown is\n%s", err, x.text())
		}
	case <-time.After(20 * time.Second):
		x.t.Errorf("the program does not end, shown is\n%s", x.text())
	}
}

// TestKilled wants a game to go on where kill -9 has cut it off.
func TestKilled(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	x := openTerminal(t, home, "play", "othello", "--size", "6", "--pits", "a1,f6", "--second", "person")
	for i := range 3 {
		x.wait(fmt.Sprintf("move %d ", i+1))
		x.send("\t\r")
	}
	x.wait("move 4 ")
	played := strings.Fields(x.kept().Moves())
	if err := x.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = x.cmd.Wait()

	y := openTerminal(t, home)
	y.wait("Continue")
	y.wait("3 moves")
	y.send("\r")
	y.wait("move 4 ")
	y.wait(fmt.Sprintf("1. %s  2. %s  3. %s", played[0], played[1], played[2]))
	y.wait("size=6 pits=a1,f6")
}

// TestResize changes the size of the terminal while two engines think, and wants
// the interface to answer at once.
func TestResize(t *testing.T) {
	t.Parallel()
	x := openTerminal(t, t.TempDir(), "play", "chess", "--first", "engine", "--second", "engine", "--movetime", "20s")
	x.wait("thinks")
	x.send("e")
	x.wait("depth")
	for _, size := range [][2]uint16{{120, 40}, {60, 18}, {30, 10}, {200, 60}, {80, 24}} {
		x.screen.Resize(int(size[0]), int(size[1]))
		if err := pty.Setsize(x.file, &pty.Winsize{Cols: size[0], Rows: size[1]}); err != nil {
			t.Fatal(err)
		}
		if size[0] < 60 {
			x.wait("please enlarge it")
			continue
		}
		x.until("a screen of the new size", func(text string) bool {
			lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
			return strings.Contains(lines[0], "Quintet") && strings.Contains(lines[min(int(size[1]), len(lines))-1], "all keys")
		})
	}
	x.send("p")
	x.wait("Paused")
	x.send("q")
	x.wait("What would you like to play?")
	x.send("q")
	x.exits()
}
