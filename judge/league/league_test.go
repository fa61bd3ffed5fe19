package league_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"quintet/arena"
	"quintet/examples"
	"quintet/judge/league"
	"quintet/judge/run"
)

// settings returns the rules of a small league.
func settings() league.Settings {
	return league.Settings{Game: "othello", Size: 4, Nodes: 100, CPU: 300 * time.Millisecond}
}

// compiled returns a program from its source.
func compiled(t testing.TB, sandbox run.Sandbox, name, text string) run.Program {
	t.Helper()
	folder, err := sandbox.MkdirTemp(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	file := filepath.Join(t.TempDir(), name)
	o := run.Options{Sandbox: sandbox, Worker: 1}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run.Compile(t.Context(), folder, []string{file}, o); err != nil {
		t.Fatal(err)
	}
	return o.Program(folder, league.Limits(run.DefaultLimits()))
}

// template returns a template with its choice of a move replaced.
func template(t *testing.T, name, choice string) string {
	t.Helper()
	data, err := examples.League.ReadFile("league/" + name)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "return chance.choice(moves)", choice, 1)
	if choice != "" && !strings.Contains(text, choice) {
		t.Fatal("the template has changed")
	}
	return text
}

// TestPrograms plays with the templates, and with programs that do what no program should.
func TestPrograms(t *testing.T) {
	sandbox, err := run.FindSandbox(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	s := settings()
	data, err := examples.League.ReadFile("league/league.cpp")
	if err != nil {
		t.Fatal(err)
	}
	cpp := s.Player(t.Context(), compiled(t, sandbox, "league.cpp", string(data)))
	for choice, want := range map[string]struct {
		end    arena.End
		detail string
	}{
		"return chance.choice(moves)":                 {arena.ByRules, ""},
		"return 'z9'":                                 {arena.Illegal, "z9"},
		"while True: pass":                            {arena.TimeLoss, "300ms of processor time"},
		"raise ValueError('no idea')":                 {arena.Crash, "no idea"},
		"import os; os.kill(os.getpid(), 11)":         {arena.Crash, "SIGSEGV"},
		"a = 'x' * (1 << 30); return moves[0]":        {arena.Crash, "MemoryError"},
		"while True: print('x' * 1000)":               {arena.Crash, "printed too much"},
		"open('/etc/passwd').read(); return moves[0]": {arena.Crash, "No such file"},
		"open('/judge/x', 'w'); return moves[0]":      {arena.Crash, "file system"},
		"import os\n    while True: os.fork()":        {arena.Crash, ""}, // or on time, on a busy machine
	} {
		py := s.Player(t.Context(), compiled(t, sandbox, "league.py", template(t, "league.py", choice)))
		m, err := s.Play(t.Context(), py, cpp, 3)
		if err != nil {
			t.Errorf("%s: %v", choice, err)
			continue
		}
		for i, g := range m {
			if strings.Contains(choice, "fork") && g.End == string(arena.TimeLoss) {
				g.End = string(arena.Crash)
			}
			if (g.End != string(want.end) || !strings.Contains(g.Detail, want.detail)) || want.end != arena.ByRules && g.Points != 0 {
				t.Errorf("%s: game %d is %+v, want %s %q", choice, i, g, want.end, want.detail)
			}
		}
		if again, err := s.Play(t.Context(), py, cpp, 3); want.end == arena.ByRules && (err != nil || !reflect.DeepEqual(m, again)) {
			t.Errorf("the same match is another one: %v, %v, %v", m, again, err)
		}
	}
}

// BenchmarkPlay plays matches of the usual size between programs that hardly think: what a league costs beside its programs.
func BenchmarkPlay(b *testing.B) {
	sandbox, err := run.FindSandbox(b.Context(), "")
	if err != nil {
		b.Skip(err)
	}
	data, err := examples.League.ReadFile("league/league.cpp")
	if err != nil {
		b.Fatal(err)
	}
	s := league.Settings{Game: "othello", Nodes: 1000, CPU: 500 * time.Millisecond}
	p := s.Player(b.Context(), compiled(b, sandbox, "league.cpp", string(data)))
	n := 0
	for b.Loop() {
		if _, err := s.Play(b.Context(), p, p, n); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// TestPondering checks that no program loses by what its opponent does while it thinks.
func TestPondering(t *testing.T) {
	sandbox, err := run.FindSandbox(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	s := settings()
	const thread = "import threading\n    threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start() if threading.active_count() < 2 else None\n    return moves[0]"
	busy := s.Player(t.Context(), compiled(t, sandbox, "league.py", template(t, "league.py", thread)))
	honest := s.Player(t.Context(), compiled(t, sandbox, "league.py", template(t, "league.py", "")))
	m, err := s.Play(t.Context(), honest, busy, 0)
	if err != nil || m[0].Points == 0 && m[0].End == string(arena.TimeLoss) || m[1].Points == 0 && m[1].End == string(arena.TimeLoss) {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestLevels plays two levels, without any sandbox.
func TestLevels(t *testing.T) {
	s := settings()
	m, err := s.Play(t.Context(), s.LevelPlayer(1), s.LevelPlayer(2), 0)
	if err != nil || m[0].End != string(arena.ByRules) || m[0].Moves == "" || m[0].Position != m[1].Position {
		t.Errorf("%+v, %v", m, err)
	}
}
