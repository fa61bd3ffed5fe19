package jet_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
)

// killedFolder is the variable with the folder in which TestEraseKilled erases in another process.
const killedFolder = "QUINTET_TEST_ERASE"

// TestEraseKilled kills a process that erases a game and a name at random moments. When the log is
// opened again, the game is there with all its events, or nothing of it is; and so is the name.
func TestEraseKilled(t *testing.T) {
	if dir := os.Getenv(killedFolder); dir != "" {
		eraseUntilKilled(t, dir)
		return
	}
	dir := t.TempDir()
	l := open(t, dir)
	const games, moves = 12, 8
	for i := range games {
		table, after := seat(t, l, fmt.Sprintf("game%08d", i), fmt.Sprintf("Rude Name %02d", i))
		for range moves {
			after = play(t, l, table, table.Position().Format(table.Legal()[0]), after)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		kill(t, dir, time.Duration(random.IntN(60))*time.Millisecond)
		l := open(t, dir)
		text := copied(t, l)
		for i := range games {
			id, name := fmt.Sprintf("game%08d", i), fmt.Sprintf("Rude Name %02d", i)
			table, _ := loaded(t, l, id)
			if n := table.EventCount(); n != 0 && n != moves+1 {
				t.Errorf("%s has %d events, want all or none", id, n)
			}
			if names := await.FilesWith(t, dir, " in "+id); (names != nil) != (table.EventCount() > 0) {
				t.Errorf("moves of %s, which has %d events, are in %q", id, table.EventCount(), names)
			}
			there := table.EventCount() > 0 && table.Player(0).Name == name
			if names := await.FilesWith(t, dir, name); (names != nil) != there || strings.Contains(text, name) != there {
				t.Errorf("the name of %s is there: %t, but in %q", id, there, names)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// kill kills a process that erases in a folder, some time after it has begun.
func kill(t *testing.T, dir string, after time.Duration) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestEraseKilled$")
	c.Env = append(os.Environ(), killedFolder+"="+dir)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(after) // any moment will do
	_ = c.Process.Kill()
	_ = c.Wait()
}

// eraseUntilKilled erases games and names in turn.
func eraseUntilKilled(t *testing.T, dir string) {
	l := open(t, dir)
	fmt.Println("erasing")
	for i := range 100 {
		if _, err := live.EraseStream(t.Context(), l, fmt.Sprintf("game%08d", i), now); err != nil && !strings.Contains(err.Error(), "there is no game") {
			t.Fatal(err)
		}
		if _, err := live.EraseName(t.Context(), l, fmt.Sprintf("Rude Name %02d", 11-i%12), now); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Minute)
}
