package arena_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/arena"
	"quintet/engine"
)

// recorded are options of a run of three players, and the header of its record.
func recorded(t testing.TB) (arena.Options, arena.Header) {
	t.Helper()
	o := options(t, "othello", fake{}, fake{})
	o.Entrants = append(o.Entrants, arena.Entrant{Name: "c", Make: maker(fake{})})
	o.Games, o.Concurrency = 4, 2
	h := arena.Header{Game: o.Game.Name, Start: o.Start.String(), Format: arena.RoundRobin, Openings: "random:6", Seed: 1, Threads: 1}
	for _, e := range o.Entrants {
		h.Players = append(h.Players, arena.HeaderPlayer{Name: e.Name, Player: "fake", Limit: "none"})
	}
	return o, h
}

// keep plays with a record, from what is in it on, and returns the standings and
// how many games were played.
func keep(ctx context.Context, t *testing.T, path string, o arena.Options, h arena.Header) (s arena.Standings, played int) {
	t.Helper()
	f, games, err := arena.ResumeRecord(path, h, o.Game)
	if err != nil {
		t.Fatal(err)
	}
	o.Played = games
	save := o.Save
	o.Save = func(r arena.Record) error {
		played++
		if save != nil {
			if err := save(r); err != nil {
				return err
			}
		}
		return f.Save(r)
	}
	s, err = arena.Run(ctx, o)
	if err := errors.Join(err, f.Close()); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return s, played
}

func asText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestResume truncates the record of a run at every byte, as a power failure might, and
// resumes. The standings are those of an uninterrupted run, no complete game is played
// again, and the file has every game once.
func TestResume(t *testing.T) {
	ctx := context.Background()
	o, h := recorded(t)
	path := filepath.Join(t.TempDir(), "games.jsonl")
	want, played := keep(ctx, t, path, o, h)
	if played != 12 || want.Games != 12 {
		t.Fatalf("%d games played, %d counted, want 12", played, want.Games)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := 499 // bytes; every byte at the end
	for size := 0; size <= len(whole); size += step {
		if size > len(whole)-150 {
			step = 1
		}
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		there := max(bytes.Count(whole[:size], []byte("\n"))-1, 0)
		got, played := keep(ctx, t, path, o, h)
		if asText(t, got) != asText(t, want) || played != 12-there {
			t.Fatalf("cut at %d of %d: %d games played, want %d; %+v, want %+v", size, len(whole), played, 12-there, got, want)
		}
		checkFile(t, path, o, h, 12)
	}
}

// checkFile checks that a file has every game of a run once.
func checkFile(t *testing.T, path string, o arena.Options, h arena.Header, games int) {
	t.Helper()
	f, list, err := arena.ResumeRecord(path, h, o.Game)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[int]bool{}
	for _, r := range list {
		seen[r.Number] = true
	}
	if len(list) != games || len(seen) != games {
		t.Errorf("the file has %d games, %d different ones, want %d", len(list), len(seen), games)
	}
}

// TestInterrupt stops a run after every number of games, by its context and by a full
// disk, and resumes it.
func TestInterrupt(t *testing.T) {
	o, h := recorded(t)
	want, _ := keep(context.Background(), t, filepath.Join(t.TempDir(), "all"), o, h)
	for stop := range 12 {
		path := filepath.Join(t.TempDir(), "games.jsonl")
		ctx, cancel := context.WithCancel(context.Background())
		first := o
		games := 0
		first.Save = func(arena.Record) error {
			if games++; games >= stop {
				cancel()
			}
			return nil
		}
		_, before := keep(ctx, t, path, first, h)
		cancel()
		got, after := keep(context.Background(), t, path, o, h)
		if asText(t, got) != asText(t, want) || before+after != 12 {
			t.Errorf("stopped at game %d: %d and %d games, %+v, want %+v", stop, before, after, got, want)
		}
	}
}

// TestResumeLonger resumes with more games than before: existing games count. A finished
// run plays nothing.
func TestResumeLonger(t *testing.T) {
	ctx := context.Background()
	o, h := recorded(t)
	path := filepath.Join(t.TempDir(), "games.jsonl")
	keep(ctx, t, path, o, h)
	o.Games = 8
	got, played := keep(ctx, t, path, o, h)
	fresh, _ := keep(ctx, t, filepath.Join(t.TempDir(), "fresh"), o, h)
	if played != 12 || asText(t, got) != asText(t, fresh) {
		t.Errorf("12 more games wanted, %d played: %+v, want %+v", played, got, fresh)
	}
	if again, played := keep(ctx, t, path, o, h); played != 0 || asText(t, again) != asText(t, got) {
		t.Errorf("a finished run: %d games played, %+v, want %+v", played, again, got)
	}
}

// TestResumeDecided resumes a match whose test has decided: it is over.
func TestResumeDecided(t *testing.T) {
	o := options(t, "othello", fake{}, fake{before: illegalPlayer})
	_, h := recorded(t)
	h.Players = h.Players[:2]
	o.Games, o.SPRT, o.Concurrency = 10_000, &arena.SPRT{Elo1: 50}, 3
	path := filepath.Join(t.TempDir(), "games.jsonl")
	want, _ := keep(context.Background(), t, path, o, h)
	got, played := keep(context.Background(), t, path, o, h)
	if played != 0 || asText(t, got) != asText(t, want) || got.Games > 200 {
		t.Errorf("%d games played: %+v, want %+v", played, got, want)
	}
}

// TestRecord writes games of every end and reads them again.
func TestRecord(t *testing.T) {
	for name, change := range map[string]func(*arena.Options){
		"rules":        func(*arena.Options) {},
		"crash":        func(o *arena.Options) { o.Entrants[1].Make = maker(fake{before: crashingPlayer}) },
		"resignation":  func(o *arena.Options) { o.Entrants[1].Make = maker(fake{before: resigningPlayer}) },
		"illegal move": func(o *arena.Options) { o.Entrants[1].Make = maker(fake{before: illegalPlayer}) },
		"max plies":    func(o *arena.Options) { o.Adjudicate.MaxPlies = 9 },
		"adjudication": func(o *arena.Options) {
			o.Adjudicate.Draw = arena.Agreement{Plies: 4}
			for i := range o.Entrants {
				o.Entrants[i].Make = func() (engine.Player, error) {
					return &scorer{says: func(int) (int, bool) { return 0, true }}, nil
				}
			}
		},
		"time": func(o *arena.Options) { o.Entrants[0].Limit.Clock = engine.Clock{Left: 1, Increment: 5} },
	} {
		o, h := recorded(t)
		change(&o)
		var games []arena.Record
		o.Save = func(r arena.Record) error {
			games = append(games, r)
			return nil
		}
		path := filepath.Join(t.TempDir(), "games.jsonl")
		keep(context.Background(), t, path, o, h)
		f, list, err := arena.ResumeRecord(path, h, o.Game)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_ = f.Close()
		ends := map[arena.End]int{}
		for i, r := range list {
			w := games[i]
			ends[r.End]++
			if r.Number != w.Number || r.Players != w.Players || r.Seed != w.Seed || r.Start.String() != w.Start.String() ||
				r.Opening != w.Opening || asText(t, r.Moves) != asText(t, w.Moves) || r.Result != w.Result || r.End != w.End || r.Detail != w.Detail {
				t.Errorf("%s: read %+v, written %+v", name, r, w)
			}
		}
		if ends[arena.End(name)] == 0 || len(list) != len(games) {
			t.Errorf("%s: %d games read, %d written, %v", name, len(list), len(games), ends)
		}
	}
}

// TestRecordErrors checks the errors about files that cannot be resumed.
func TestRecordErrors(t *testing.T) {
	o, h := recorded(t)
	o.Concurrency = 1 // so that game 1 is the first
	path := filepath.Join(t.TempDir(), "games.jsonl")
	keep(context.Background(), t, path, o, h)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	header, one := lines[0], lines[1]
	swap := func(line, old, fresh string) string {
		if !strings.Contains(line, old) {
			t.Fatalf("%s does not have %q", line, old)
		}
		return strings.Replace(line, old, fresh, 1)
	}
	for text, want := range map[string]string{
		"my diary":   "this is not a record of an arena",
		"my diary\n": "line 1: this is not a record of an arena",
		"{}\n":       "line 1: this is not a record of an arena",
		one:          "line 1: this is not a record of an arena",
		swap(header, `"version":1`, `"version":2`):                            "line 1: version 2: expected 1",
		swap(header, `"seed":1`, `"seed":2`):                                  `it has seed "2", not "1": use the settings of the original run`,
		swap(header, `"openings":"random:6"`, `"openings":"none"`):            `it has openings "none", not "random:6": use the settings of the original run`,
		swap(header, `"limit":"none"`, `"limit":"depth=1"`):                   `it has limit of player 1 "depth=1", not "none": use the settings of the original run`,
		swap(header, `"format":"roundrobin"`, `"format":"gauntlet"`):          `it has format "gauntlet", not "roundrobin": use the settings of the original run`,
		swap(header, `{"name":"a"`, `{"name":"d","player":"x"},{"name":"a"`):  `it has players "4", not "3": use the settings of the original run`,
		swap(header, `"max_plies":0`, `"max_plies":50`):                       `it has max-plies "50", not "2000": use the settings of the original run`,
		swap(header, `"threads":1`, `"threads":1,"sprt":{"elo0":0,"elo1":5}`): `it has sprt "0,5", not "none": use the settings of the original run`,
		header + one + one: "line 3: game 1 is on line 2 already",
		header + "{\n":     "line 2: expected a game as JSON: unexpected end of JSON input",
		header + swap(one, `"game":1`, `"game":0`):          "line 2: game 0: expected a number from 1",
		header + swap(one, `"first":"a"`, `"first":"x"`):    `line 2: player "x": expected a, b or c`,
		header + swap(one, `"start":"8/`, `"start":"9/`):    "line 2: start: ",
		header + swap(one, ` wins"`, ` loses"`):             `line 2: result "`,
		header + swap(one, `"end":"rules"`, `"end":"time"`): "line 2: ",
		header + `{"game":1,"first":"a","second":"b","start":"8/8/8/3XO3/3OX3/8/8/8 X","result":"first wins","end":"boredom"}` + "\n": `line 2: end "boredom": expected rules, repetition, resignation, illegal move, crash, time, adjudication or max plies`,
		header + swap(one, `"moves":"`, `"moves":"a9 `): "line 2: move 7: ",
		header + strings.Repeat(" ", 5<<20) + "\n":      "line 2: expected at most 4194304 bytes",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := arena.ResumeRecord(path, h, o.Game)
		if want = "record " + path + ": " + want; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.200q: %v, want %s", text, err, want)
		}
		if left, err := os.ReadFile(path); err != nil || string(left) != text {
			t.Errorf("%.200q: the file was changed", text)
		}
	}
}

// TestRecordFiles opens what is there, and what cannot be.
func TestRecordFiles(t *testing.T) {
	o, h := recorded(t)
	path := filepath.Join(t.TempDir(), "games.jsonl")
	f, err := arena.CreateRecord(path, h)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := arena.ResumeRecord(path, h, o.Game); err == nil || !strings.HasSuffix(err.Error(), "another run is writing it: wait until it ends") {
		t.Errorf("a file that is being written: %v", err)
	}
	_ = f.Close()
	want := "record " + path + ": the file exists: add --resume to continue it, or name another file"
	if _, err := arena.CreateRecord(path, h); err == nil || err.Error() != want {
		t.Errorf("a file that exists: %v, want %s", err, want)
	}
	nowhere := filepath.Join(t.TempDir(), "no", "where")
	if _, err := arena.CreateRecord(nowhere, h); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such folder: %v", err)
	}
	if _, _, err := arena.ResumeRecord(nowhere, h, o.Game); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such folder: %v", err)
	}
	if _, _, err := arena.ResumeRecord(t.TempDir(), h, o.Game); err == nil {
		t.Error("a folder: no error")
	}
	if err := f.Save(arena.Record{Start: o.Start}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("saving to a closed file: %v", err)
	}
}

// FuzzResume reads any text behind a header: an error, or games that a run can
// go on from.
func FuzzResume(f *testing.F) {
	o, h := recorded(f)
	start := o.Start.String()
	f.Add(`{"game":1,"first":"a","second":"b","start":"` + start + `","opening":"","moves":"e3","result":"draw","end":"max plies"}` + "\n")
	f.Add(`{"game":2,"first":"b","second":"a","start":"` + start + `","opening":"e3","moves":"","result":"first wins","end":"crash","times_ms":[1]}` + "\n{")
	f.Add(`{"game":99999999999,"first":"c"}` + "\n")
	dir := f.TempDir()
	file, err := arena.CreateRecord(filepath.Join(dir, "header"), h)
	if err != nil {
		f.Fatal(err)
	}
	_ = file.Close()
	header, err := os.ReadFile(filepath.Join(dir, "header"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "games")
		if err := os.WriteFile(path, append(header[:len(header):len(header)], text...), 0o600); err != nil {
			t.Fatal(err)
		}
		r, games, err := arena.ResumeRecord(path, h, o.Game)
		if err != nil {
			return
		}
		defer r.Close()
		again := o
		again.Played, again.Games = games, 2
		if s, err := arena.Run(context.Background(), again); err == nil && s.Games != 6 {
			t.Errorf("%d games, want 6", s.Games)
		}
	})
}
