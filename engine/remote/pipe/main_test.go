package pipe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote"
	"quintet/game"
	"quintet/games"
	"quintet/internal/platform"
)

// modeVariable is set to the name of a behaviour in the environment of an engine process.
const modeVariable = "QUINTET_ENGINE_PROCESS_MODE"

func TestMain(m *testing.M) {
	mode, isChild := os.LookupEnv(modeVariable)
	if !isChild {
		os.Exit(m.Run())
	}
	if err := behave(mode); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// behave is an engine process that behaves as a mode says.
func behave(mode string) error {
	mode, file, _ := strings.Cut(mode, " ")
	c := remote.Server{Build: "build", Open: func(name []byte) (engine.Searcher, game.Game, error) {
		s, g, err := bots.OpenSearch(name, nil)
		return faulty{s, mode, file}, g, err
	}}
	switch mode {
	case "background": // the others keep their priority, so that tests end on a busy machine
		if err := Background(); err != nil {
			return err
		}
	case "nested": // it must not start another
		p := New(Config{Log: slog.New(slog.DiscardHandler), Command: func(ctx context.Context) (*exec.Cmd, error) { return exec.CommandContext(ctx, "/bin/true"), nil }})
		defer p.Close()
		_, err := p.connect(context.Background())
		return err
	case "garbage":
		fmt.Println("hello")
	case "other":
		c.Build = "other"
	case "long":
		fmt.Println(strings.Repeat(" ", remote.MaxMessage))
	case "deaf":
		time.Sleep(time.Minute) // it is killed
	case "memory":
		c.Open = func([]byte) (engine.Searcher, game.Game, error) { return nil, game.Game{}, errors.New("no memory") }
	}
	return Serve(context.Background(), os.Stdin, os.Stdout, c)
}

// faulty is a search with a fault.
type faulty struct {
	engine.Searcher
	mode, file string
}

func (f faulty) Search(ctx context.Context, p engine.Position, l engine.Limit, _ func(engine.Line)) engine.Line {
	switch f.mode {
	case "panics":
		panic("oh")
	case "exits":
		os.Exit(3)
	case "exits-once": // at the first search after the tables have something
		line := f.Searcher.Search(ctx, p, l, nil)
		if _, err := os.Stat(f.file); err != nil {
			_ = os.WriteFile(f.file, nil, 0o600)
			os.Exit(3)
		}
		return line
	case "silent":
		<-ctx.Done()
	case "endless":
		for ctx.Err() == nil {
			l.Pacer.Yield()
		}
		return engine.Line{}
	}
	return f.Searcher.Search(ctx, p, l, nil)
}

// process returns an engine process with a behaviour, and what it logs. The test closes it
// at its end.
func process(t *testing.T, mode string) (*Process, *logged) {
	t.Helper()
	log := &logged{}
	p := New(Config{Build: "build", Log: slog.New(slog.NewTextHandler(log, nil)), Command: func(ctx context.Context) (*exec.Cmd, error) {
		c := exec.CommandContext(ctx, os.Args[0])
		c.Env = append(os.Environ(), modeVariable+"="+mode, platform.KeepPriority+"=", "GORACE=atexit_sleep_ms=0")
		return c, nil
	}})
	t.Cleanup(p.Close)
	return p, log
}

// searcher returns a search of a game in an engine process.
func searcher(p *Process, g game.Game) *remote.Searcher { return searcherOf(p, g, 1) }

// searcherOf returns one with a table of a size.
func searcherOf(p *Process, g game.Game, megabytes int) *remote.Searcher {
	return remote.New(p, remote.Options{Engine: bots.SearchName{Game: g.Name, Megabytes: megabytes}.Text()})
}

// logged is a log.
type logged struct {
	mu   sync.Mutex // guards text
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func gameOf(t *testing.T, name string) game.Game {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// start returns the start position of a game for a search.
func start(t *testing.T, g game.Game) engine.Position {
	t.Helper()
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	return engine.At(game.NewMatch(g, p))
}
