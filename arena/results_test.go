package arena_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintet/arena"
	"quintet/game"
	"quintet/games/connect6"
	"quintet/games/othello"
)

// findGame finds the games of these tests.
func findGame(name string) (game.Game, error) {
	for _, g := range []game.Game{othello.Game, connect6.Game} {
		if g.Name == name {
			return g, nil
		}
	}
	return game.Game{}, fmt.Errorf("there is no game %q", name)
}

// matchFile returns a record on 4x4 of pairs of games of two players, one for each letter of outcomes: A wins
// both games, B does, or each player wins as Second does.
func matchFile(t *testing.T, seed uint64, a, b, outcomes string) string {
	t.Helper()
	start, err := othello.Game.Start(game.Setup{"size": "4"})
	if err != nil {
		t.Fatal(err)
	}
	h := arena.Header{Record: "quintet arena", Version: 1, Game: "othello", Start: start.String(), Seed: seed, Openings: "random:0", Threads: 1}
	for _, name := range []string{a, b} {
		h.Players = append(h.Players, arena.HeaderPlayer{Name: name, Player: name, Limit: "nodes=5"})
	}
	lines := []string{asText(t, h)}
	for i, outcome := range outcomes {
		for side := range 2 {
			r := arena.Record{Number: 2*i + side, Players: [2]int{side, 1 - side}, Seed: seed, Start: start, Result: game.FirstWins, End: arena.Resigned}
			if outcome == 'A' && side == 1 || outcome == 'B' && side == 0 || outcome == 'S' {
				r.Result = game.SecondWins
			}
			line, err := arena.EncodeRecord(r, h.Names())
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func add(t *testing.T, r *arena.Results, files ...string) {
	t.Helper()
	for i, text := range files {
		if err := r.Add(fmt.Sprint(i), strings.NewReader(text), findGame); err != nil {
			t.Fatal(err)
		}
	}
}

// TestResults adds matches in every order, as records or as stored results: the ratings are the same to the
// bit, and players who have not met are in groups of their own.
func TestResults(t *testing.T) {
	files := []string{
		matchFile(t, 1, "a", "b", "AASB"), matchFile(t, 2, "c", "b", "BBSA"), matchFile(t, 3, "b", "a", "BSS"),
		matchFile(t, 4, "x", "y", "SSA"), matchFile(t, 5, "c", "z", ""),
	}
	var first string
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 0, 3, 1}} {
		var r, half, all arena.Results
		for _, i := range order {
			add(t, &r, files[i])
		}
		add(t, &half, files[order[0]], files[order[1]], files[order[2]])
		add(t, &all, files[order[3]], files[order[4]], asText(t, half))
		groups := r.Groups()
		text := fmt.Sprint(groups, groups[0].Ratings(), groups[1].Ratings())
		if text != fmt.Sprint(all.Groups(), all.Groups()[0].Ratings(), all.Groups()[1].Ratings()) {
			t.Errorf("%v: stored results give\n%+v, want\n%+v", order, all.Groups(), groups)
		}
		if first == "" {
			first = text
		} else if text != first {
			t.Errorf("%v:\n%s, want\n%s", order, text, first)
		}
		if len(groups) != 2 || groups[0].Games != 22 || groups[1].Games != 6 {
			t.Fatalf("%+v, want 22 games of a, b and c, and 6 of x and y", groups)
		}
		ab := groups[0].Pairings[0].Score
		if a := groups[0].Players[0]; a.Name != "a" || a.Wins != 9 || a.Losses != 5 || ab.Wins != 9 || ab.Pentanomial != [5]int{1, 0, 3, 0, 3} || a.Resigned != 5 {
			t.Errorf("%+v, %+v, want 9 wins and 5 losses of a against b", a, ab)
		}
	}
}

// TestResultsOfRun compares the ratings of a recorded tournament with those of the run.
func TestResultsOfRun(t *testing.T) {
	o, h := recorded(t)
	path := filepath.Join(t.TempDir(), "games.jsonl")
	s, _ := keep(t.Context(), t, path, o, h)
	var r arena.Results
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	add(t, &r, string(text))
	if got := r.Groups(); len(got) != 1 || !slices.Equal(got[0].Players, s.Players) || asText(t, got[0].Pairings) != asText(t, s.Pairings) {
		t.Errorf("%+v, want %+v", got, s)
	}
}

// TestResultsUnpaired leaves out games whose pair is incomplete, and a torn last line.
func TestResultsUnpaired(t *testing.T) {
	lines := strings.SplitAfter(matchFile(t, 1, "a", "b", "ASA"), "\n")
	var r arena.Results
	add(t, &r, lines[0]+lines[1]+lines[3]+lines[4]+lines[6][:20])
	if groups := r.Groups(); r.Unpaired != 1 || len(groups) != 1 || groups[0].Games != 2 {
		t.Errorf("%+v, %d unpaired, want one pair and one game", groups, r.Unpaired)
	}
}

// TestResultsRefuse adds what does not fit.
func TestResultsRefuse(t *testing.T) {
	one := matchFile(t, 1, "a", "b", "AS")
	var r arena.Results
	add(t, &r, one)
	stored := asText(t, &r)
	header, games, _ := strings.Cut(one, "\n")
	for _, test := range []struct{ text, want string }{
		{"", "this is not a record of an arena"},
		{"Dear diary\n", "line 1: this is not a record of an arena"},
		{strings.Replace(one, `"version":1`, `"version":2`, 1), "version 2: expected 1"},
		{strings.Replace(one, `"othello"`, `"connect6"`, 1), "a record of connect6, but one is of othello: rate one game at a time"},
		{strings.Replace(header, "4/1XO1", "4/1OX1", 1) + "\n" + games, "rate one board at a time"},
		{one, "it has the settings and seed of one"},
		{strings.Replace(one, `"limit":"nodes=5"`, `"limit":"nodes=6"`, 1), `"a" has limit "nodes=6", and in one "nodes=5": give it another name`},
		{strings.Replace(matchFile(t, 2, "c", "c", ""), `"player":"c"`, `"player":"d"`, 1), `two players are called "c"`},
		{strings.Replace(matchFile(t, 2, "a", "b", "A"), `"game":2,"first":"b","second":"a"`, `"game":2,"first":"a","second":"b"`, 1), "games 1 and 2 are not a pair"},
		{strings.Replace(matchFile(t, 2, "a", "b", "A"), `"first wins"`, `"first"`, 1), `line 2: result "first"`},
		{strings.Replace(stored, `"wins":3`, `"wins":4`, 1), "do not agree"},
		{strings.Replace(stored, `"b":"b"`, `"b":"c"`, 1), "do not agree"},
	} {
		var r arena.Results
		if err := r.Add("one", strings.NewReader(one), findGame); err != nil {
			t.Fatal(err)
		}
		err := r.Add("two", strings.NewReader(test.text), findGame)
		if err == nil || !strings.HasPrefix(err.Error(), "two: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.300s: %v, want %s", test.text, err, test.want)
		}
	}
}

// FuzzResults reads anything.
func FuzzResults(f *testing.F) {
	f.Add([]byte(`{"game":"othello","start":"","players":[{"name":"a"}],"pairings":[{"a":"a","b":"b","wins":2,"pentanomial":[0,0,0,0,1]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r arena.Results
		if r.Add("x", strings.NewReader(string(data)), findGame) != nil {
			return
		}
		for _, s := range r.Groups() {
			s.Ratings()
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
