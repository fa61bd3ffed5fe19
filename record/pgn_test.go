package record_test

import (
	"strings"
	"testing"

	"quintet/lab/recordtest"
	"quintet/record"
)

// TestSAN writes moves in standard algebraic notation and reads them back.
func TestSAN(t *testing.T) {
	for _, test := range []struct{ start, move, want string }{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "e2e4", "e4"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "g1f3", "Nf3"},
		{"4k3/8/8/3p4/4P3/8/8/4K3 w", "e4d5", "exd5"},
		{"4k3/8/8/8/8/8/N3N3/4K3 w", "a2c3", "Nac3"},
		{"4k3/8/8/8/8/N7/8/N3K3 w", "a1c2", "N1c2"},
		{"4k3/8/8/8/8/8/Q7/Q1Q1K3 w", "a1b1", "Qa1b1"},
		{"4k3/8/8/8/8/8/4R3/4K3 w", "e2e8", "Rxe8"},
		{"4k3/8/8/8/8/8/R7/4K3 w", "a2a8", "Ra8+"},
		{"4k3/P7/8/8/8/8/8/4K3 w", "a7a8", "a8"},
		{"7k/6P1/6P1/p7/P7/8/8/K7 b", "h8g8", "Kg8"},
		{"8/8/8/8/8/8/p1k5/K7 w", "a1a2", "Kxa2"},
	} {
		list, err := record.Parse([]byte("[Game \"chess\"]\n[Start \"" + test.start + "\"]\n" + test.move + " *"))
		if err != nil {
			t.Errorf("%s: %v", test.move, err)
			continue
		}
		text, err := list[0].AppendPGN(nil)
		if err != nil || !strings.Contains(string(text), " "+test.want+" ") {
			t.Errorf("%s: %v in\n%s, want %s", test.move, err, text, test.want)
		}
		again, err := parsePGN(text)
		if err != nil || recordtest.Diff(list[0], again[0]) != "" {
			t.Errorf("%s: %v, %v", test.want, err, again)
		}
	}
}

// TestPawns converts evaluations to those of PGN and back.
func TestPawns(t *testing.T) {
	for own, want := range map[string]string{
		"17,18": "[%eval 0.17,18]", "-5": "[%eval -0.05]", "-1250": "[%eval -12.50]", "0,3": "[%eval 0.00,3]",
		"#1": "[%eval #1]", "#2": "[%eval #1] [%plies 2]", "#5,9": "[%eval #3,9]", "#-1": "[%eval #-1]", "#-4": "[%eval #-2] [%plies -4]",
	} {
		list, err := record.Parse([]byte(`[Game "chess"] e2e4 {[%eval ` + own + `]} *`))
		if err != nil {
			t.Fatal(err)
		}
		text, err := list[0].AppendPGN(nil)
		if err != nil || !strings.Contains(string(text), "{"+want+"}") {
			t.Errorf("%s: %v, %s, want %s", own, err, text, want)
		}
		again, err := parsePGN(text)
		if err != nil || again[0].Main()[0].Eval.String() != own {
			t.Errorf("%s became %s, %v", own, again[0].Main()[0].Eval, err)
		}
	}
}

// FuzzParsePGN reads anything. What can be read can be written in the text format,
// and says the same when read again.
func FuzzParsePGN(f *testing.F) {
	f.Add("[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n1... Kd8 {[%eval #-3] [%plies -6] [%clk 1:2:3.4]} (1... Kf8 $5) 2. Ke2! *")
	f.Add("1. e4 e5 2. Nf3 Nc6 3. Bb5 -- *")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parsePGN([]byte(text))
		if err != nil {
			return
		}
		for _, r := range list {
			written, err := r.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			again, err := record.Parse(written)
			if err != nil || recordtest.Diff(r, again[0]) != "" {
				t.Fatalf("%v in\n%s", err, written)
			}
		}
	})
}

// parsePGN parses all games of a text.
func parsePGN(text []byte) (list []*record.Record, err error) {
	err = record.ParsePGNEach(text, func(r *record.Record) error {
		list = append(list, r)
		return nil
	})
	return list, err
}
