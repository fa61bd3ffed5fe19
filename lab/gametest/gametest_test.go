package gametest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
)

// recorder records failures instead of failing the test.
type recorder struct {
	rapid.TB // nil: the other methods must not be called
	failures []string
}

// stopped is the panic that ends a check.
type stopped struct{}

func (*recorder) Helper()             {}
func (*recorder) Name() string        { return "recorder" }
func (*recorder) Logf(string, ...any) {}
func (r *recorder) Failed() bool      { return len(r.failures) > 0 }
func (*recorder) FailNow()            { panic(stopped{}) }
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	r.FailNow()
}

// failures returns the failures of a check.
func failures(check func(t rapid.TB)) (found []string) {
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != any(stopped{}) {
			panic(p)
		}
		found = r.failures
	}()
	check(r)
	return nil
}

// findingsOf returns the failures of all checks of a game except the playthrough.
func findingsOf(t *testing.T, g game.Game) (found []string) {
	start := Start(t, g, "")
	for _, check := range []func(t rapid.TB){
		func(t rapid.TB) { checkFacts(t, g) },
		func(t rapid.TB) { checkLook(t, g) },
		func(t rapid.TB) { checkFlat(t, reflect.TypeOf(start).Elem(), nil) },
		func(t rapid.TB) { checkOptions(t, g, start) },
		func(t rapid.TB) { checkSamples(t, start) },
		func(t rapid.TB) { checkAllocations(t, start) },
		func(t rapid.TB) {
			for seed := range uint64(5) {
				w := walk{TB: t, g: g, pick: newRand(seed)}
				w.play(start, 40)
			}
		},
	} {
		found = append(found, failures(check)...)
	}
	return found
}

// wantFinding fails unless a finding contains the part.
func wantFinding(t *testing.T, found []string, part string) {
	t.Helper()
	for _, f := range found {
		if strings.Contains(f, part) {
			return
		}
	}
	t.Errorf("the suite finds %q, want %q", found, part)
}

// TestCorrectGame checks that the suite passes a correct game and a mutant without a
// bug.
func TestCorrectGame(t *testing.T) {
	for _, g := range []game.Game{fillGame(), mutantGame(none)} {
		if found := findingsOf(t, g); len(found) > 0 {
			t.Errorf("the suite finds %q, want nothing", found)
		}
	}
}

// TestMutants injects one bug at a time; the suite must find and name each.
func TestMutants(t *testing.T) {
	for b, bug := range bugs {
		t.Run(bug.what, func(t *testing.T) {
			if b == allocates && raceEnabled {
				t.Skip("allocations are not counted under the race detector")
			}
			wantFinding(t, findingsOf(t, mutantGame(b)), bug.finding)
		})
	}
}

func TestCopiesThatShare(t *testing.T) {
	found := findingsOf(t, sharedCopyGame())
	wantFinding(t, found, "position is not flat: shared is a ptr")
	wantFinding(t, found, " changed a copy of the position")
}

// TestLeaves compares the perft oracle with counts by hand.
func TestLeaves(t *testing.T) {
	for _, test := range []struct {
		text  string
		depth int
		want  uint64
	}{
		{"5/5/5/5/5 X", 0, 1}, {"5/5/5/5/5 X", 1, 25}, {"5/5/5/5/5 X", 3, 25 * 24 * 23},
		{"XXXXX/XXXXX/XXXXX/XXXXX/X4 O", 1, 1}, // a pass
		{"XXXXX/XXXXX/XXXXX/XXXXX/X4 O", 3, 4 * 3},
		{"XXXXX/XXXXX/XXXXX/XXXXX/XXX2 X", 9, 2}, // ends after two plies
		{"XXXXX/XXXXX/XXXXX/XXXXX/XXXXX X", 1, 1},
		{"XXXXX/XXXXX/XXXXX/XXXXX/XXXXX X", 9, 1},
	} {
		f, err := readFill(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := leaves(f, test.depth); got != test.want {
			t.Errorf("%s: %d leaves at depth %d, want %d", f, got, test.depth, test.want)
		}
	}
}

// TestRun runs the whole suite on the correct game, with fresh golden files, and then
// each check on a game that only this check rejects.
func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(GoldenEnv, "1")
	Run(t, fillGame(), "komi=2")
	t.Setenv(GoldenEnv, "")
	Run(t, fillGame(), "komi=2")

	painted := fillGame()
	painted.Sides[0] = "Red"
	for part, g := range map[string]game.Game{
		"position is not flat":           sharedCopyGame(),
		"[rapid] failed":                 mutantGame(countsWrong),
		"Sample is uneven":               mutantGame(partialSample),
		"testdata/default.play differs":  painted,
		"allocations by CopyFrom, Moves": mutantGame(allocates),
	} {
		if !raceEnabled || !strings.HasPrefix(part, "allocations") {
			wantFinding(t, failures(func(t2 rapid.TB) { check(t2, g, "", Start(t, g, "")) }), part)
		}
	}
}

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	path := filepath.Join("testdata", "x.play")
	wantFinding(t, failures(func(t rapid.TB) { Golden(t, path, "a\nb\n") }), "run make golden")
	t.Setenv(GoldenEnv, "1")
	Golden(t, path, "a\nb\n")
	wantFinding(t, failures(func(t rapid.TB) { Golden(t, filepath.Join(path, "y"), "") }), "mkdir")
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	wantFinding(t, failures(func(t rapid.TB) { Golden(t, "folder", "") }), "is a directory")
	t.Setenv(GoldenEnv, "")
	Golden(t, path, "a\nb\n")
	wantFinding(t, failures(func(t rapid.TB) { Golden(t, path, "a\nc\n") }), "testdata/x.play differs (-want +got)")
}

// TestPlaythrough checks the playthrough of a game with every kind of ply.
func TestPlaythrough(t *testing.T) {
	g := fillGame()
	text := Playthrough(g, "komi=2", Start(t, g, "komi=2"))
	for _, part := range []string{
		"# fill komi=2\n", "\nply 0, Black to move\n", "\nply 1, White to move\n", "\ntext   5/5/5/5/5 X\n",
		"\nresult ongoing\nmoves  a1 b1 c1 ", "\nmoves  pass\nplays pass\n", "   abcde\nnote   24 empty\n", " wins by rules\n", "o", "X",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the playthrough has no %q:\n%s", part, text)
		}
	}
	if again := Playthrough(g, "komi=2", Start(t, g, "komi=2")); again != text {
		t.Error("the playthrough is another at the second time")
	}
}

func TestGlyphs(t *testing.T) {
	var got []byte
	for _, kind := range []byte{game.Empty, game.Pit, game.Stone, 'K'} {
		got = append(got, glyph(game.Piece{Kind: kind}), glyph(game.Piece{Kind: kind, Side: game.Second}))
	}
	if want := "..##XoKk"; string(got) != want {
		t.Errorf("pieces are drawn %s, want %s", got, want)
	}
}

func TestFlat(t *testing.T) {
	for _, position := range []any{
		struct{ p *int }{}, struct{ s []int }{}, struct{ m map[int]int }{}, struct{ s string }{},
		struct{ a [2]struct{ f func() } }{}, struct{ i any }{}, struct{ c chan int }{},
	} {
		found := failures(func(t rapid.TB) { checkFlat(t, reflect.TypeOf(position), nil) })
		if len(found) != 1 {
			t.Errorf("%T: %q, want one failure", position, found)
		}
	}
}

func TestFacts(t *testing.T) {
	option := game.Option{Name: "komi", Help: "points", Default: "9", Min: 1, Max: 3}
	for finding, spoil := range map[string]func(*game.Game){
		"incomplete facts: {Name: ":            func(g *game.Game) { g.Name = "" },
		"Title: ":                              func(g *game.Game) { g.Title = "" },
		"Sides:[ White]":                       func(g *game.Game) { g.Sides[0] = "" },
		"Sides:[Black ]":                       func(g *game.Game) { g.Sides[1] = "" },
		"Notation: ":                           func(g *game.Game) { g.Notation = "" },
		"option x has no help":                 func(g *game.Game) { g.Options = []game.Option{{Name: "x"}} },
		`option komi: its own default: komi "`: func(g *game.Game) { g.Options = []game.Option{option} },
		`Read("pass") = `:                      func(g *game.Game) { g.Read = func(string) (game.Position, error) { return &fill{}, nil } },
	} {
		g := fillGame()
		spoil(&g)
		wantFinding(t, failures(func(t rapid.TB) { checkFacts(t, g) }), finding)
	}
}

func TestSetupName(t *testing.T) {
	for setup, want := range map[string]string{"": "default", "size=10": "size-10", "size=10 pits=c3,g6": "size-10_pits-c3-g6"} {
		if got := setupName(setup); got != want {
			t.Errorf("setupName(%q) = %q, want %q", setup, got, want)
		}
	}
}

// TestFuzzBodies runs the fuzz targets on inputs that a fuzzer would have to find.
func TestFuzzBodies(t *testing.T) {
	const full = "XXXXX/XXXXX/XXXXX/XXXXX/XXXXX X"
	read := func(g game.Game, text string) []string {
		return failures(func(t rapid.TB) { checkRead(t, g, text) })
	}
	for _, text := range []string{"5/5/5/5/5 X", full, "nonsense"} {
		if found := read(fillGame(), text); len(found) > 0 {
			t.Errorf("reading %q: %q, want nothing", text, found)
		}
	}
	wantFinding(t, read(mutantGame(textWithoutSide), "5/5/5/5/5 O"), " is another position")
	wantFinding(t, read(mutantGame(endsTooLate), full), "0 moves, but the result is ongoing")

	parse := func(b bug, text string, plies int) []string {
		return failures(func(t2 rapid.TB) { checkParse(t2, Start(t, mutantGame(b), ""), text, plies) })
	}
	for plies, text := range []string{"a1", "pass", "", "z9"} {
		if found := parse(none, text, plies); len(found) > 0 {
			t.Errorf("%q after %d plies: %q, want nothing", text, plies, found)
		}
	}
	wantFinding(t, parse(parsesPass, "pass", 3), `Parse("pass") = pass, which is not legal`)
	wantFinding(t, parse(parsesPass, "pass", 255), `Parse("pass") = pass, which is not legal`)
}

func FuzzFillRead(f *testing.F)  { FuzzRead(f, fillGame(), "komi=2") }
func FuzzFillParse(f *testing.F) { FuzzParse(f, fillGame(), "komi=2") }

// failing is a test whose Fatal is recorded; Start needs the whole testing.TB.
type failing struct {
	testing.TB
	r *recorder
}

func (failing) Helper()                             {}
func (f failing) Fatal(args ...any)                 { f.r.Fatalf("%s", fmt.Sprint(args...)) }
func (f failing) Fatalf(format string, args ...any) { f.r.Fatalf(format, args...) }

func TestStart(t *testing.T) {
	g := fillGame()
	for setup, want := range map[string]string{"komi": "expected name=value", "komi=9": `fill "komi=9": komi "9": expected`} {
		wantFinding(t, failures(func(r rapid.TB) { Start(failing{t, r.(*recorder)}, g, setup) }), want)
	}
	g.New = func(game.Setup) (game.Position, error) { return nil, errors.New("no position") }
	wantFinding(t, failures(func(r rapid.TB) { Start(failing{t, r.(*recorder)}, g, "") }), "no position")
}

// plain is a position without any of the optional methods.
type plain struct{ game.Position }

func (p *plain) Clone() game.Position     { return &plain{p.Position.Clone()} }
func (p *plain) CopyFrom(q game.Position) { p.Position.CopyFrom(q.(*plain).Position) }

// TestPlainGame checks a game without optional methods.
func TestPlainGame(t *testing.T) {
	g := fillGame()
	start := &plain{Start(t, g, "")}
	checkSamples(t, start)
	checkAllocations(t, start)
	w := walk{TB: t, g: g, pick: newRand(1)}
	w.play(start, 40)
}
