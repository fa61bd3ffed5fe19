package record_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/lab/recordtest"
	"quintet/record"
)

// rounds returns the number of random records for a property: small unless QUINTET_RECORDS
// sets another one.
func rounds(t testing.TB) int {
	n := 300
	if testing.Short() {
		n = 100
	}
	if text := os.Getenv("QUINTET_RECORDS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatalf("QUINTET_RECORDS: %v", err)
		}
	}
	return n
}

// TestTextIdentity writes random records of all games, with every feature of records, and
// reads them back.
func TestTextIdentity(t *testing.T) {
	for _, name := range games.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			for range rounds(t) / len(games.Names()) {
				want := recordtest.Random(r, recordtest.Everything(name))
				text, err := want.Append(nil)
				if err != nil {
					t.Fatal(err)
				}
				list, err := record.Parse(text)
				if err != nil || len(list) != 1 {
					t.Fatalf("%v in\n%s", err, text)
				}
				if diff := recordtest.Diff(want, list[0]); diff != "" {
					t.Fatalf("%s in\n%s", diff, text)
				}
			}
		})
	}
}

const sample = `[Game "othello"]
[Setup "size=6 pits=a1,b2"]
[First "Ann \"A\""]
[Second "level:3"]
[Date "2026.11.21"]
[Result "1-0"]
[End "resignation"]

{About the game.}
1. d2 $1 {[%clk 0:04:59.250] [%emt 0:00:00.750] [%eval -3,8] Usual.} 2. c2
(2. e2 {diagonal} 3. e3) (2. e4) 3. b3 1-0
`

func TestWrite(t *testing.T) {
	list, err := record.Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := list[0].Append(nil); err != nil || string(text) != sample {
		t.Errorf("wrote %v\n%s, want\n%s", err, text, sample)
	}
	list[0].SetTag("a name with blanks", "x")
	if text, err := list[0].Append(nil); err == nil || len(text) > 0 {
		t.Errorf("a record that Check refuses: %v, wrote %q", err, text)
	}
}

// TestLenient lists texts that people write by hand, and what they mean.
func TestLenient(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no numbers, no result", "[Game \"othello\"]\ne3 d3 c3", "e3 d3 c3"},
		{"tags only", "[Game \"loa\"]", ""},
		{"glued numbers", "[Game \"othello\"]\n1.e3 2...d3 3. c3 *", "e3 d3 c3"},
		{"marks", "[Game \"othello\"] e3! d3?? c3 $5 *", "e3 d3 c3"},
		{"another system's lines", "\ufeff[Game \"othello\"]\r\n\r\ne3\r\nd3 *\r\n", "e3 d3"},
		{"comments to the end of the line", "[Game \"othello\"]\ne3 ; the usual one\n% not for us\nd3 *", "e3 d3"},
		{"a variation that begins as the game does", "[Game \"othello\"] e3 (e3 d3 c3) f3 *", "e3 f3"},
		{"what a variation says first is about its first move", "[Game \"othello\"] e3 ({a} $1 f4) d3 *", "e3 d3"},
		{"half a turn", "[Game \"connect6\"] 1. J9 2. K9", "J9 K9"},
	} {
		list, err := record.Parse([]byte(test.text))
		if err != nil || list[0].Moves() != test.want {
			t.Errorf("%s: %v, %v, want %q", test.name, list, err, test.want)
		}
	}
}

// TestSyntaxErrors lists invalid texts and their errors.
func TestSyntaxErrors(t *testing.T) {
	const head = "[Game \"othello\"]\n\n"
	for text, want := range map[string]string{
		"":                                           `line 1, column 1: no game: expected tags such as [Game "othello"] and moves`,
		"e3":                                         `line 1, column 1: a game without its name: expected [Game "..."] with ` + game.Alternatives(games.Names()),
		"[Event \"x\"]\n[Game \"go\"]":               `line 2, column 1: game "go": expected ` + game.Alternatives(games.Names()),
		"[Game \"othello\"]\n[Setup \"size=7\"]":     `line 2, column 1: size "7": expected an even number from 4 to 26`,
		"[Game \"othello\"]\n[Start \"8 X\"]":        `line 2, column 1: position "8 X": row 1`,
		"[Game othello]":                             `line 1, column 7: tag Game without a value: expected [Name "value"]`,
		"[Game \"othello\"":                          `line 1, column 16: tag Game without a ]: expected [Name "value"]`,
		"[Game \"othello]":                           `line 1, column 1: the value of tag Game does not end: expected [Name "value"]`,
		"[É \"x\"]":                                  `line 1, column 1: tag "É": expected a name of letters, digits and _`,
		head + "e3 é3":                               `line 3, column 4: move: cell "é3": expected from a1 to h8`,
		head + "e3 {é} a1":                           `line 3, column 8: move "a1": not a legal move: a disc on a1 would enclose none of Black's: expected d3, f3 or f5`,
		head + "e3 (f4":                              `line 3, column 4: a variation that does not end: expected ) after it`,
		head + "e3 (e3 d3) f4) d3":                   `line 3, column 14: ) without (: expected a move or a result`,
		head + "e3 d3) c3":                           `line 3, column 6: ) without (: expected a move or a result`,
		head + "(e3) f4":                             `line 3, column 1: a variation before the first move: put it after the move that it replaces`,
		head + "e3 {never":                           `line 3, column 4: a comment that does not end: expected } after it`,
		head + "e3 {[%clk 1:x]}":                     `line 3, column 4: time "1:x": expected hours, minutes and seconds, such as 0:04:59.250`,
		head + "e3 {[%eval x]}":                      `line 3, column 4: evaluation "x": expected a whole number`,
		head + "e3 }":                                `line 3, column 4: '}': expected a move, a comment in { }, a variation in ( ) or a result`,
		head + "e3 !?!":                              `line 3, column 4: mark "!?!": expected one of ! ? !! ?? !? ?! or $ and a number`,
		head + "$1 e3":                               `line 3, column 1: a mark before the first move: put it after a move`,
		head + "e3 $300":                             `line 3, column 4: mark $300: expected $0 to $255`,
		head + "e3 *\n[Game \"othello\"]\na1":        `line 5, column 1: move "a1": not a legal move: a disc on a1 would enclose none of White's: expected e3, f4, c5 or d6`,
		"[Game \"othello\"]\n[Game \"loa\"]":         `line 2, column 1: tag Game is given twice`,
		"[Game \"othello\"]\n[Result \"1-0\"] 0-1":   `line 2, column 16: result 0-1: the tag says 1-0, expected the same`,
		"[Game \"othello\"]\n[Result \"2-0\"]":       `line 2, column 15: result "2-0": expected 1-0, 0-1, 1/2-1/2 or *`,
		"[Game \"othello\"]\n[End \"rules\"] e3 1-0": `line 2, column 18: the game is said to have ended by rules, but it is not over after the last move`,
		"[Game \"connect6\"]\n[Setup \"size=1\"]\nA0 A0": `line 3, column 4: move "A0": the game is already over (rules)`,
		"[Event \"x\"]\n[Site \"y\"]\ne3":                `line 1, column 1: a game without its name`,
	} {
		_, err := record.Parse([]byte(text))
		if _, ok := errors.AsType[*record.SyntaxError](err); !ok || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n%v, want\n%s", text, err, want)
		}
	}
}

// TestSeveral reads several games from one text, with and without results.
func TestSeveral(t *testing.T) {
	list, err := record.Parse([]byte("[Game \"othello\"] e3 *\n\n[Game \"chess\"]\n*\n[Game \"loa\"] a1c1 1-0"))
	if err != nil || len(list) != 3 || list[1].Game.Name != "chess" || list[2].End != record.Resigned {
		t.Errorf("%v, %v, want three games, the last one resigned", list, err)
	}
}

// TestEveryPrefix writes and reads every prefix of a game, including half turns, and
// continues it.
func TestEveryPrefix(t *testing.T) {
	for _, name := range games.Names() {
		whole := recordtest.Random(rand.New(rand.NewPCG(3, 4)), recordtest.Shape{Game: name, Plies: 40})
		at, err := record.New(whole.Game, whole.Setup)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range whole.Main() {
			text, err := at.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			list, err := record.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			at = list[0]
			if _, err := at.Play(at.Last(), n.Move); err != nil {
				t.Fatalf("%s after %s: %v", name, at.Moves(), err)
			}
		}
		if diff := recordtest.Diff(whole, at); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.quintet")
	list, err := record.Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := record.Save(path, list[0]); err != nil {
			t.Fatal(err)
		}
	}
	again, err := record.Load(path)
	if err != nil || len(again) != 1 || recordtest.Diff(list[0], again[0]) != "" {
		t.Errorf("%v, %v, want the game that was saved", again, err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("%d files, %v, want one", len(files), err)
	}
	list[0].End = "rain"
	if err := record.Save(path, list[0]); err == nil {
		t.Error("a record that is wrong was saved")
	}
	if _, err := record.Load(path); err != nil {
		t.Errorf("after a refusal: %v, want the old file", err)
	}
}

// FuzzParse reads anything. What can be read can be written, and says the same
// when read again.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("[Game \"chess\"]\n[Setup \"halt=none\"]\n[Start \"4k3/8/8/8/8/8/8/4K3 w\"]\ne1e2 {\\}} (e1d1 (e1f1)) *")
	f.Add("[Game \"connect6\"] J9 K9 {a} $3 (K10) ; x\n*")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := record.Parse([]byte(text))
		if err != nil {
			return
		}
		for _, r := range list {
			written, err := r.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			again, err := record.Parse(written)
			if err != nil || len(again) != 1 {
				t.Fatalf("%v in\n%s", err, written)
			}
			if diff := recordtest.Diff(r, again[0]); diff != "" {
				t.Fatalf("%s in\n%s", diff, written)
			}
		}
	})
}
