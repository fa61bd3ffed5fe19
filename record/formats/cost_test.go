package formats_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/record/formats"
)

// cost returns how many bytes reading a text allocates, and the error.
func cost(text string, h formats.Hint) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, _, err := formats.Read([]byte(text), h)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// TestReadCost checks that the cost of reading grows with the length of a text, not with its
// square: strangers send texts. It counts the bytes that are allocated.
func TestReadCost(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"cells":         func(n int) string { return strings.Repeat("F5", n) },
		"lines":         func(n int) string { return strings.Repeat("F5D6\n", n/16) },
		"SGF name":      func(n int) string { return "(;" + strings.Repeat("A", n) + "[x])" },
		"SGF nodes":     func(n int) string { return "(;GM[2]" + strings.Repeat(";", n) + ")" },
		"SGF branches":  func(n int) string { return strings.Repeat("(", n) },
		"SGF comments":  func(n int) string { return "(;GM[2]" + strings.Repeat("C[a]", n/4) + ")" },
		"SGF late":      func(n int) string { return lateVariations(t, "sgf", n) },
		"PGN variation": func(n int) string { return "1. e4 " + strings.Repeat("(1. d4) ", n/16) },
		"PGN tags":      func(n int) string { return strings.Repeat("[A \"b\"]\n", n) },
		"PGN comments":  func(n int) string { return "1. e4 " + strings.Repeat("{a} ", n/4) },
		"PGN merged":    func(n int) string { return "1. e4 " + strings.Repeat("(e4 {"+strings.Repeat("a", 40)+"}) ", n/8) },
		"text late":     func(n int) string { return lateVariations(t, "quintet", n) },
	} {
		const n = 4_000
		small, _ := cost(text(n), formats.Hint{}) // several are not games
		if large, _ := cost(text(4*n), formats.Hint{}); large > 8*small+1<<20 {
			t.Errorf("%s: %d bytes are allocated for a text, and %d for one four times as long", name, small, large)
		}
	}
}

// lateVariations returns a text of about n bytes: a long game, and in the second half its
// last move again and again as a variation.
func lateVariations(t *testing.T, format string, n int) string {
	t.Helper()
	text, _, err := formats.Write(format, []*record.Record{longGame(t, n/20)})
	if err != nil {
		t.Fatal(err)
	}
	if format == "sgf" {
		end := strings.LastIndexByte(string(text), ';')
		last := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(string(text[end:])), ")"))
		return string(text[:end]) + strings.Repeat("("+last+")", n/20) + ")"
	}
	main := strings.TrimSuffix(strings.TrimSpace(string(text)), "*")
	words := strings.Fields(main)
	return main + strings.Repeat("("+words[len(words)-1]+") ", n/20)
}

// longGame returns a game of Lines of Action in which no position occurs twice.
func longGame(t *testing.T, plies int) *record.Record {
	t.Helper()
	g, err := games.ByName("loa")
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	at, p, seen := r.Root, r.Start.Clone(), map[uint64]bool{}
	for ply := range plies {
		found := false
		for i, legal := 0, p.Moves(nil); i < len(legal) && !found; i++ {
			mv := legal[(i+7*ply)%len(legal)]
			next := p.Clone()
			next.Play(mv)
			if found = !seen[next.Key()] && !next.Result().Over(); found {
				at, p = at.Add(mv), next
				seen[p.Key()] = true
			}
		}
		if !found {
			t.Fatalf("no new position after %d plies", ply)
		}
	}
	r.Result = game.Ongoing
	return r
}

// TestReadFewGames checks that a text with too many games is read no further than the first of
// them, in every format that holds several.
func TestReadFewGames(t *testing.T) {
	const many = 20_000
	for name, one := range map[string]string{
		"text":       "[Game \"loa\"] *\n",
		"PGN":        "[A \"b\"] *\n",
		"SGF":        "(;GM[511])",
		"GGF":        "(;GM[Othello]BO[4 -----O*--*O----- *];)",
		"transcript": "F5D6\n",
	} {
		if n, err := cost(strings.Repeat(one, many), formats.Hint{MaxGames: 3}); !errors.Is(err, formats.ErrGames) || n > many*1000 {
			t.Errorf("%s: %d bytes are allocated for %d games, error %v", name, n, many, err)
		}
		if list, _, _, err := formats.Read([]byte(strings.Repeat(one, 3)), formats.Hint{MaxGames: 3}); err != nil || len(list) != 3 {
			t.Errorf("%s: %d of 3 games, error %v", name, len(list), err)
		}
	}
}

// TestReadFewTags checks that a game cannot have so many tags that the search for duplicates
// takes long.
func TestReadFewTags(t *testing.T) {
	for format, texts := range map[string][3]string{
		"quintet": {"[Game \"loa\"]\n", "[T%d \"x\"]\n", "*"},
		"pgn":     {"", "[T%d \"x\"]\n", "*"},
		"sgf":     {"(;GM[2]QTAG", "[T%d:x]", ")"},
	} {
		var b strings.Builder
		for i := range record.MaxTags + 1 {
			fmt.Fprintf(&b, texts[1], i)
		}
		_, _, _, err := formats.Read([]byte(texts[0]+b.String()+texts[2]), formats.Hint{Format: format})
		if err == nil || !strings.Contains(err.Error(), "too many tags") {
			t.Errorf("%s: error %v, expected too many tags", format, err)
		}
	}
}
