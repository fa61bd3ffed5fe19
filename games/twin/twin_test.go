package twin

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// readLines is a file of the tests without its comments and empty lines.
func readLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// start begins the game that the left side of a line of the table names.
func start(t *testing.T, what string) Game {
	t.Helper()
	var size int
	var pits []string
	words := strings.Fields(what)
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "size":
			size, _ = strconv.Atoi(value)
		case "pits":
			pits = strings.Split(value, ",")
		default:
			t.Fatalf("unknown option %q", word)
		}
	}
	g, err := New(words[0], size, pits)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestPerft counts the trees of the table, which is cut where a tree has more
// than 300,000 leaves.
func TestPerft(t *testing.T) {
	counts := 0
	for _, line := range readLines(t, filepath.Join("testdata", "known.txt")) {
		what, numbers, _ := strings.Cut(line, " : ")
		for i, number := range strings.Fields(numbers) {
			want, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			if n := Perft(start(t, what), i+1); n != want {
				t.Errorf("%s: depth %d has %d leaves, want %d", what, i+1, n, want)
			}
			counts++
		}
	}
	if counts != 76 {
		t.Errorf("%d counts in the table, want 76", counts)
	}
}

// TestTranscripts runs every recorded run of the console programs.
func TestTranscripts(t *testing.T) {
	folder := filepath.Join("..", "..", "console", "testdata", "transcripts")
	runs, unknown := 0, 0
	for _, line := range readLines(t, filepath.Join(folder, "index.tsv"))[1:] {
		field := strings.Split(line, "\t")
		if len(field) != 4 {
			t.Fatalf("index line %q", line)
		}
		size, _ := strconv.Atoi(field[2]) // none means the usual size
		in, err := os.ReadFile(filepath.Join(folder, field[0]+".in"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(folder, field[0]+".out"))
		if err != nil {
			t.Fatal(err)
		}
		runs++
		out, exit := Console(field[1], size, string(in))
		if exit == exitUnknown {
			unknown++
			continue
		}
		if out != string(want) {
			t.Errorf("%s: the output differs:\n%s", field[0], firstDifference(out, string(want)))
		}
		if strconv.Itoa(exit) != field[3] {
			t.Errorf("%s: exit %d, want %s", field[0], exit, field[3])
		}
	}
	// Every recorded chess run is one of two humans.
	if runs == 0 || unknown != 0 {
		t.Errorf("%d runs, %d of them not modelled; want some and 0", runs, unknown)
	}
}

// firstDifference shows the lines where two outputs part.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "line " + strconv.Itoa(i+1) + "\n got " + strconv.Quote(a[i]) + "\nwant " + strconv.Quote(b[i])
		}
	}
	return "one is the beginning of the other"
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		pits []string
	}{
		{"go", 0, nil}, {"loa", 9, nil}, {"neighbors", 6, nil}, {"chess", 10, nil},
		{"othello", 5, nil}, {"othello", 2, nil}, {"othello", 28, nil},
		{"connect6", 27, nil}, {"connect6", -1, nil},
		{"loa", 0, []string{"a1"}}, {"othello", 8, []string{"d4"}},
		{"othello", 8, []string{"a1", "a1"}}, {"othello", 4, []string{"e1"}},
	} {
		if _, err := New(c.name, c.size, c.pits); err == nil {
			t.Errorf("New(%q, %d, %q) is accepted", c.name, c.size, c.pits)
		}
	}
}

func TestPlayPanics(t *testing.T) {
	for _, name := range Names() {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a pass in the first position is accepted", name)
				}
			}()
			g, err := New(name, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			g.Play(pass)
		}()
	}
}
