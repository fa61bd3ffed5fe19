package formats_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quintet/game"
	"quintet/lab/recordtest"
	"quintet/record"
	"quintet/record/formats"
)

// TestOtherPrograms reads texts in the style of other programs, which name the sources
// in docs/records.md, and lists what they mean in library notation.
func TestOtherPrograms(t *testing.T) {
	for _, test := range []struct {
		name, text, format, game, moves, end string
	}{
		{"Edax", "(;FF[4]GM[2]AP[edax:4.6]\nPC[Edax]DT[2026-11-21]\nPB[a]PW[b]\nSZ[8]AB[e4][d5]AW[d4][e5]PL[B]\nRE[Void]\nB[f5];W[d6];B[c3];)\n", "sgf", "othello", "c5 e6 f3", "ongoing ()"},
		{"Edax", "(;FF[4]GM[2]AP[edax:4.6]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[Void];B[f5];W[d6];B[c3])", "sgf", "othello", "c5 e6 f3", "ongoing ()"},
		{"a first move in the first node", "(;GM[2]SZ[8]B[f5];W[d6])", "sgf", "othello", "c5 e6", "ongoing ()"},
		{"Little Golem", "(;FF[4]EV[connect6.ch.26.1.1]PB[Phoenix]PW[Lomaben]SO[http://www.littlegolem.com];B[j10];W[j9l11];B[k9l8];W[k10i11])", "sgf", "connect6", "J9 J10 L8 K10 L11 K9 I8", "ongoing ()"},
		{"other Connect6 programs", "(;GM[511];B[JJ](;W[JH];W[MK])(;W[JH];W[JN]))", "sgf", "connect6", "J9 J11 M8", "ongoing ()"},
		{"red-bean", "(;GM[9]FF[4]SU[Standard];B[b1-h1];W[a5-c5];B[resign])", "sgf", "loa", "h1h7 d0d2", "second wins (resignation)"},
		{"a resignation in a variation", "(;GM[2];B[f5](;W[d6];B[c3])(;W[f6];B[resign]))", "sgf", "othello", "c5 e6 f3", "ongoing ()"},
		{"GGS", "(;GM[Othello]PC[GGS/os]DT[2000-4-16 11:13 EST]PB[fangr]PW[patzer]TI[15:00//02:00]TY[8]RE[-40.00:t]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[E6//4.09]W[F4/-48.50/0.93]B[C3//5.52];)", "ggf", "othello", "d6 c4 f3", "second wins (time)"},
		{"a match of GGS", "1 (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[d3];)\n1 (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[c4];)", "ggf", "othello", "e3", "ongoing ()"},
		{"WTHOR and Egaroucid", "F5D6C3D3C4", "moves", "othello", "c5 e6 f3 e3 f4", "ongoing ()"},
		{"with numbers", "1. f5 2. d6 3. c3", "", "", "", "line 1, column 4"},
		{"chess without tags", "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 1/2-1/2", "pgn", "chess", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "draw (agreement)"},
		{"lichess", "[Event \"Rated blitz game\"]\n[Site \"https://lichess.org/x\"]\n[UTCDate \"2026.11.21\"]\n[Variant \"Standard\"]\n[Termination \"Time forfeit\"]\n[Result \"0-1\"]\n\n1. e4 { [%eval 0.18] [%clk 0:03:00] } 1... c5 { [%eval 0.25] [%clk 0:03:00] } 0-1", "pgn", "chess", "e2e4 c7c5", "second wins (time)"},
		{"chess.com", "[Event \"Live Chess\"]\r\n[Result \"1-0\"]\r\n[Termination \"ann won by resignation\"]\r\n\r\n1. d4 {[%clk 0:02:59.9]} 1... d5 {[%clk 0:02:58.1]} 2. c4 1-0\r\n", "pgn", "chess", "d2d4 d7d5 c2c4", "first wins (resignation)"},
		{"long notation", "[Event \"?\"]\n\n1. e2-e4 e7e5 2. Ng1-f3 Nb8-c6 3. Nf3xe5 *", "pgn", "chess", "e2e4 e7e5 g1f3 b8c6 f3e5", "ongoing ()"},
		{"a pinned man needs no telling", "[FEN \"4k3/4r3/8/8/8/4N3/8/N3K3 w - - 0 1\"]\n\n1. Nc2 *", "pgn", "chess", "a1c2", "ongoing ()"},
	} {
		list, format, _, err := formats.Read([]byte(test.text), formats.Hint{})
		if test.format == "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.end) {
				t.Errorf("%s: %v, want an error at %s", test.name, err, test.end)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		r := list[0]
		if got := r.Result.String() + " (" + string(r.End) + ")"; format != test.format || r.Game.Name != test.game || r.Moves() != test.moves || got != test.end {
			t.Errorf("%s: %s, %s, %s, %s; want %s, %s, %s, %s", test.name, format, r.Game.Name, r.Moves(), got, test.format, test.game, test.moves, test.end)
		}
	}
}

// TestSyntaxErrors lists what is wrong with texts, and where.
func TestSyntaxErrors(t *testing.T) {
	const ggs = "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
	for text, want := range map[string]string{
		"(;GM[1]SZ[19];B[dd])":                    "line 1, column 2: game GM[1]: expected 2 for othello, 9 for loa or 511 for connect6",
		"(;GM[2]SZ[7])":                           `line 1, column 2: size "7": expected an even number from 4 to 26`,
		"(;GM[2];B[f5]\n;B[f6])":                  "line 2, column 2: B[f6]: it is the turn of White",
		"(;GM[2];B[f9])":                          `line 1, column 9: "f9": expected cells of a board of 8 by 8, such as h1`,
		"(;GM[2];B[f5]":                           "line 1, column 14: a game that does not end: expected ) after it",
		"(;GM[2];B[f5":                            "line 1, column 10: a value that does not end: expected ] after it",
		"(;GM[2];B)":                              "line 1, column 10: a property without a value: expected a name in capitals and [value]",
		"(GM[2])":                                 `line 1, column 2: "G": expected ; before a node, ( before a variation or ) after it`,
		"()":                                      "line 1, column 2: a game without a first node: expected (; and properties",
		"(;GM[9];B[b1])":                          `line 1, column 9: "b1": expected two cells, such as b1-b3`,
		"(;GM[511]SZ[19];B[j10k10];W[a1b1])":      "line 1, column 17: B[j10k10]: after one stone it is the turn of White",
		"(;GM[511]SZ[19];B[JJ];W[JH];B[MK])":      "line 1, column 29: B[MK]: it is the turn of White",
		"(;GM[511]SZ[19];B[JJ];W[JH][MK][MM])":    "line 1, column 23: W[MM]: it is the turn of Black",
		"(;GM[2];B[f5][f6])":                      "line 1, column 9: B[f6]: it is the turn of White",
		"(;GM[511]SZ[19]AB[aabb])":                "line 1, column 2: AB[aabb]: 2 cells: expected one, or two corners of a rectangle with a colon between them",
		"(;GM[511]SZ[19]AW[aa:bb:cc])":            "line 1, column 2: AW[aa:bb:cc]: 3 cells: expected one, or two corners of a rectangle",
		"(;GM[2]AB[a1:a9])":                       `line 1, column 2: AB[a1:a9]: "a9": expected cells of a board of 8 by 8, such as h1`,
		"(;GM[2]AB[a1:])":                         `line 1, column 2: AB[a1:]: "": expected a cell or two`,
		"(;GM[9]SZ[10])":                          "line 1, column 2: board of 10 rows: expected 8",
		"(;GM[2];B[f5]RE[B+R]BL[x])":              `line 1, column 21: time "x": expected seconds, such as 59.5`,
		"(;GM[2]RE[B+10];B[f5]AB[a1])":            "line 1, column 22: AB: expected stones set up in the first node only",
		"(;GM[Othello]B[f5];)":                    "line 1, column 1: a game without a board: expected BO[8 ... *]",
		"(;GM[Othello]BO[8 --- *];)":              "line 1, column 14: board of 3 cells: expected 64",
		"(;GM[Othello]BO[4 ------*O--O*---- *]x":  `line 1, column 38: a game with "x": expected KEY[value], and ;) at the end`,
		ggs + "B[E6]B[F4];)":                      `line 1, column 98: move F4: it is the turn of White`,
		ggs + "B[E6]W[A1];)":                      `line 1, column 98: reading a move: move "a1": not a legal move`,
		ggs + "B[E6//x];)":                        `line 1, column 93: time "x": expected seconds`,
		ggs + "B[E6/x];)":                         `line 1, column 93: value "x": expected discs`,
		ggs + "B[E6/1000001];)":                   `line 1, column 93: value "1000001": expected discs`,
		ggs + "B[E6/NaN];)":                       `line 1, column 93: value "NaN": expected discs`,
		ggs + "B[E6//-1];)":                       `line 1, column 93: time "-1": expected seconds`,
		ggs + "B[PA];)":                           `line 1, column 93: reading a move: move "pass": not a legal move: Black can move`,
		"(;GM[2];B[f5]QMARK[256])":                "line 1, column 14: QMARK[256]: expected 0 to 255",
		"[Variant \"Atomic\"]\n\n1. e4 *":         `line 1, column 1: variant "Atomic": expected King Capture or standard chess`,
		"1. e4 e5 2. Ne2 Nc6 3. Nc3":              `line 1, column 24: move "Nc3": this is ambiguous: write e2c3 or b1c3`,
		"1. e4 d5 2. e5 f5 3. exf6":               `line 1, column 22: move "exf6": this chess has no capture en passant: not a legal move`,
		"[FEN \"8/P7/8/8/8/8/8/K6k w\"]\n1. a8=Q": `line 2, column 4: move "a8=Q": this chess has no promotion`,
		"1. e4 e5 2. Qx":                          `line 1, column 13: move "Qx": expected one such as e4, Nf3, exd5 or e2e4`,
		"f5d6 a1":                                 `line 1, column 6: move "a1": not a legal move: expected `,
		"f5d6z":                                   "moves alone",
	} {
		_, _, _, err := formats.Read([]byte(text), formats.Hint{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n%v, want\n%s", text, err, want)
		}
	}
}

// TestRectangles reads stones that are set up between two corners, in any order.
func TestRectangles(t *testing.T) {
	for text, want := range map[string]string{
		"(;GM[511]SZ[6]AB[aa:cb]AW[FF]PL[W])":        "5W/6/6/6/BBB3/BBB3 W 2",
		"(;GM[511]SZ[6]AB[cb:aa]AW[ff:ff]PL[W])":     "5W/6/6/6/BBB3/BBB3 W 2",
		"(;GM[511]SZ[6]AB[a2:c1][d1]AW[f6]PL[W])":    "5W/6/6/6/BBB3/BBBB2 W 2",
		"(;GM[2]SZ[8]AB[d4:e4]AW[d5:e5][h8]PL[B])":   "8/8/8/3XX3/3OO3/8/8/O7 X",
		"(;GM[9]SZ[8]AB[a1:a3]AW[b8:c8][e4]PL[B])":   "5BBB/W7/W7/8/4W3/8/8/8 B",
		"(;GM[511]SZ[6]AB[ab:ba]AW[ b3 : b3 ]PL[W])": "6/6/6/1W4/BB4/BB4 W 2",
	} {
		list, _, _, err := formats.Read([]byte(text), formats.Hint{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := list[0].Start.String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestInexpressible lists what formats cannot express.
func TestInexpressible(t *testing.T) {
	othello, chess := parse(t, `[Game "othello"] e3 *`), parse(t, `[Game "chess"] e2e4 *`)
	pits := parse(t, "[Game \"othello\"]\n[Setup \"pits=a1\"] *")
	varied := parse(t, `[Game "othello"] e3 (f4) *`)
	remarked := parse(t, `[Game "othello"] e3 {good} *`)
	braced := parse(t, `[Game "chess"] e2e4 {a \} b} *`)
	placed := parse(t, "[Game \"othello\"]\n[Start \"8/8/8/3XO3/3OX3/8/8/8 O\"] *")
	for _, test := range []struct {
		format string
		r      *record.Record
		want   string
	}{
		{"pgn", othello, "pgn: supports only chess, and this is othello"},
		{"pgn", braced, "move 1: pgn: the comment has a } or a carriage return"},
		{"pgn", parse(t, "[Game \"chess\"]\n[White \"Ann\"] *"), "pgn: the tag White has a meaning of its own there"},
		{"ggf", chess, "ggf: supports only Othello, and this is chess"},
		{"ggf", pits, "ggf: the board has pits"},
		{"ggf", varied, "ggf: there are variations after move 0"},
		{"ggf", remarked, "ggf: there is a comment on move 1"},
		{"transcript", pits, "transcript: the board has pits"},
		{"transcript", placed, "transcript: the game does not begin in its usual position"},
		{"moves", varied, "moves: there are variations"},
		{"moves", placed, "moves: the game does not begin"},
		{"sgf", pits, "sgf: the board has pits"},
		{"sgf", chess, "sgf: supports only Othello, Lines of Action and Connect6"},
		{"console", remarked, "console: there is a comment"},
		{"console", parse(t, "[Game \"chess\"]\n[Setup \"halt=none\"] *"), "console: the console program lets either side halt the game, and here it is halt=none"},
		{"rtf", othello, `format "rtf": expected quintet, pgn, ggf, sgf, console, moves or transcript`},
	} {
		_, _, err := formats.Write(test.format, []*record.Record{test.r})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.format, err, test.want)
		}
	}
	if _, _, err := formats.Write("moves", []*record.Record{othello, othello}); err == nil {
		t.Error("two games were written as moves")
	}
	if text, left, err := formats.Write("moves", []*record.Record{formats.Plain(varied)}); string(text) != "e3\n" || left != nil || err != nil {
		t.Errorf("the plain game is %q, %q, %v", text, left, err)
	}
}

// TestGGFFigures keeps times, and evaluations of whole discs.
func TestGGFFigures(t *testing.T) {
	r := parse(t, `[Game "othello"] e3 {[%emt 0:00:01.500] [%eval 2]} d3 {[%eval -4]} c3 {[%emt 0:01:00]} *`)
	text, left, err := formats.Write("ggf", []*record.Record{r})
	if err != nil || left != nil || !strings.Contains(string(text), "B[d3/2/1.5]W[e3/4]B[f3//60]") {
		t.Fatalf("%s, %q, %v", text, left, err)
	}
	list, _, left, err := formats.Read(text, formats.Hint{})
	if err != nil || left != nil {
		t.Fatalf("%q, %v", left, err)
	}
	main := list[0].Main()
	if *main[0].Spent != 1500*time.Millisecond || main[0].Eval.Score != 2 || main[1].Eval.Score != -4 || *main[2].Spent != time.Minute {
		t.Errorf("%+v %+v %+v", main[0], main[1], main[2])
	}
}

// TestPassesLeftOut reads games of Othello as programs write them that leave
// passes out.
func TestPassesLeftOut(t *testing.T) {
	r := parse(t, "[Game \"othello\"]\n[Setup \"size=4\"]\n\nb4 a2 a1 a4 c1 d2 a3 c4 d4 b1 pass d1 pass d3 0-1")
	for format, pass := range map[string]string{"sgf": ";B[PA]", "ggf": "B[PA]"} {
		text, _, err := formats.Write(format, []*record.Record{r})
		if err != nil || !strings.Contains(string(text), pass) {
			t.Fatalf("%s, %v, want a pass", text, err)
		}
		short := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(string(text), "\n", ""), pass, ""), strings.Replace(pass, "B", "W", 1), "")
		list, _, _, err := formats.Read([]byte(short), formats.Hint{})
		if err != nil || list[0].Moves() != r.Moves() {
			t.Errorf("%s: %v, want %s", short, err, r.Moves())
		}
	}
}

// TestPassOnLargeBoards writes and reads a pass on boards that have a column p.
func TestPassOnLargeBoards(t *testing.T) {
	for _, size := range []int{14, 16, 26} {
		rest := strings.Repeat(fmt.Sprintf("/%d", size), size-3)
		start := fmt.Sprintf("XO%d/%d/XO%d%s X", size-2, size, size-2, rest)
		r := parse(t, fmt.Sprintf("[Game \"othello\"]\n[Setup \"size=%d\"]\n[Start %q]\n\nc1 pass c3 1-0", size, start))
		for _, format := range []string{"ggf", "sgf", "quintet"} {
			text, _, err := formats.Write(format, []*record.Record{r})
			if err != nil {
				t.Fatal(err)
			}
			if format == "sgf" && (strings.Count(string(text), "AB[") != 1 || strings.Count(string(text), "AW[") != 1) {
				t.Errorf("%d rows: the stones of the position are not set up in\n%s", size, text)
			}
			list, _, _, err := formats.Read(text, formats.Hint{})
			if err != nil || recordtest.Diff(r, list[0]) != "" {
				t.Errorf("%d rows, %s: %v in\n%s", size, format, err, text)
			}
		}
	}
}

// TestFacts keeps facts whose names mean something in a format.
func TestFacts(t *testing.T) {
	r := parse(t, "[Game \"othello\"]\n[Event \"Cup\"]\n[SGF_GM \"1\"]\n[SGF_KM \"6.5\"]\n[SGF_EV \"x\"]\n[odd \"a:b]\\\\\"]\n\n*")
	text, left, err := formats.Write("sgf", []*record.Record{r})
	if err != nil || left != nil {
		t.Fatalf("%q, %v", left, err)
	}
	again, _, _, err := formats.Read(text, formats.Hint{})
	if err != nil || recordtest.Diff(r, again[0]) != "" {
		t.Errorf("%v, %v in %s", err, recordtest.Diff(r, again[0]), text)
	}
	r = parse(t, "[Game \"othello\"]\n[Event \"Cup\"]\n[BO \"1\"]\n[PC \"here\"]\n[KM \"6\"]\n\n*")
	text, left, err = formats.Write("ggf", []*record.Record{r})
	if err != nil || strings.Join(left, " ") != "BO PC" || !strings.Contains(string(text), "EV[Cup]KM[6]") {
		t.Errorf("%s, %q, %v, want BO and PC left out", text, left, err)
	}
}

// TestHint refuses a text that is not of the game that was asked for.
func TestHint(t *testing.T) {
	text := []byte("[Game \"othello\"]\n[Setup \"size=6 pits=b2,a1\"] *")
	for _, h := range []formats.Hint{
		{Game: "othello", Setup: game.Setup{"size": "6"}},
		{Game: "othello", Setup: game.Setup{"pits": "a1,b2"}},
		{Format: "quintet"},
	} {
		if _, _, _, err := formats.Read(text, h); err != nil {
			t.Errorf("%v: %v", h, err)
		}
	}
	for _, h := range []formats.Hint{{Game: "loa"}, {Setup: game.Setup{"size": "8"}}, {Setup: game.Setup{"pits": "a1"}}, {Format: "sgf"}, {Format: "rtf"}} {
		if _, _, _, err := formats.Read(text, h); err == nil {
			t.Errorf("%v: it was read", h)
		}
	}
}

// parse reads a record in the text format.
func parse(t *testing.T, text string) *record.Record {
	t.Helper()
	list, err := record.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}
