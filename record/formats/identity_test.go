package formats_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/judge/console"
	"quintet/lab/recordtest"
	"quintet/record"
	"quintet/record/formats"
)

// rounds is how many random records each format and game is tried with, by
// default: QUINTET_RECORDS says another number of all games together.
func rounds(t testing.TB, usual int) int {
	text := os.Getenv("QUINTET_RECORDS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("QUINTET_RECORDS: %v", err)
	}
	return n
}

// plain is a record with nothing but moves.
func plain(name string) recordtest.Shape {
	s := recordtest.Everything(name)
	return recordtest.Shape{Game: name, Setups: s.Setups, Plies: 300}
}

// shapes are the kinds of records that the formats can express, by format and game. Package
// record tests the text format.
func shapes() map[string][]recordtest.Shape {
	all := map[string][]recordtest.Shape{}
	for _, name := range games.Names() {
		all["moves"] = append(all["moves"], plain(name))
		if !slices.ContainsFunc(console.Scripts, func(s console.Script) bool { return s.Name == name }) {
			continue // no console program plays it
		}
		typed := plain(name)
		if name == "chess" {
			typed.Setups, typed.Ends = nil, []record.End{record.Halted}
		}
		all["console"] = append(all["console"], typed)
	}
	pgn := recordtest.Everything("chess")
	pgn.Comments = []string{"good", "a b", "x\ny", "\\", "{", "x[%", "]", ";", "(", ")", "é", "黒", "1-0", "%", "x\n%y", "🙂", "\""}
	pgn.Players = pgn.Players[:3]
	all["pgn"] = []recordtest.Shape{pgn}

	othello := recordtest.Everything("othello")
	othello.Setups = []string{"", "size=4", "size=6", "size=10", "start=standard", "size=6 start=standard"}
	loa, connect6 := recordtest.Everything("loa"), recordtest.Everything("connect6")
	for _, s := range []recordtest.Shape{othello, loa, connect6} {
		s.Comments = []string{"good", " ", "\n", "\\", "{", "}", "[", "]", ";", "(", ")", "é", "黒", ":", "\\]", "\t", "🙂", "\""}
		all["sgf"] = append(all["sgf"], s)
	}
	ggf := othello
	ggf.Comments, ggf.Variations, ggf.Marked = nil, false, false
	ggf.Evals, ggf.Clocks = false, false // TestGGFFigures has them
	ggf.Players = []string{"Ann", "level:3", `O"Hara \ Söhne`}
	ggf.Ends = []record.End{record.Resigned, record.OnTime, record.Adjudged, record.Forfeit, record.Agreed}
	all["ggf"] = []recordtest.Shape{ggf}
	transcript := plain("othello")
	transcript.Setups = othello.Setups
	all["transcript"] = []recordtest.Shape{transcript}
	return all
}

// TestIdentity writes random records in every format that can hold them, and
// reads them back.
func TestIdentity(t *testing.T) {
	for format, list := range shapes() {
		for _, s := range list {
			t.Run(format+"/"+s.Game, func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(7, 11))
				for range rounds(t, 25*len(list)) / len(list) {
					identity(t, format, recordtest.Random(r, s))
				}
			})
		}
	}
}

// identity fails if a record is not the same after it has been written and read.
func identity(t *testing.T, format string, want *record.Record) {
	t.Helper()
	text, left, err := formats.Write(format, []*record.Record{want})
	if format == "console" && want.Setup["start"] != "" {
		if err == nil {
			t.Errorf("a game with the standard start is written as input of the console program: %s", text)
		}
		return
	}
	if format == "console" && want.Game.Name == "chess" && err != nil {
		return // somebody had to pass, which the course's chess does not know
	}
	if err != nil || left != nil {
		t.Fatalf("writing: %v, %q left out", err, left)
	}
	h := formats.Hint{}
	switch format {
	case "moves", "transcript":
		h = formats.Hint{Format: format, Game: want.Game.Name, Setup: want.Setup}
	case "console":
		h = formats.Hint{Format: format, Game: want.Game.Name, Setup: want.Setup}
		pass(t, want)
	}
	list, got, left, err := formats.Read(text, h)
	if err != nil || got != format || len(list) != 1 || left != nil {
		t.Fatalf("read as %s: %v, %d games, %q left out in\n%s", got, err, len(list), left, text)
	}
	if diff := recordtest.Diff(want, list[0]); diff != "" {
		t.Fatalf("%s in\n%s", diff, text)
	}
}

// pass plays forced passes, like the console programs.
func pass(t *testing.T, r *record.Record) {
	t.Helper()
	m, err := r.Match(r.Last())
	if err != nil {
		t.Fatal(err)
	}
	if legal := m.Legal(); len(legal) == 1 && legal[0] == game.Pass {
		if _, err := r.Play(r.Last(), game.Pass); err != nil {
			t.Fatal(err)
		}
	}
}
