package train

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/bots/othello/linear"
)

// trainBoards trains from few games, with positions in a file, and returns the weights as text.
func trainBoards(t *testing.T, positions string, change func(*BoardSettings)) (string, error) {
	t.Helper()
	s := BoardSettings{Rounds: []BoardRound{{7, 20}, {7, 30}}, From: UntrainedBoards(), Seed: 3, Threads: 2, Positions: positions}
	change(&s)
	w, err := Boards(context.Background(), s, func(string) {})
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := w.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String(), nil
}

// TestBoardsResumes checks that a run that continues another one, even one that stopped within a
// line, gives the same weights, with any number of threads.
func TestBoardsResumes(t *testing.T) {
	positions := filepath.Join(t.TempDir(), "positions")
	want, err := trainBoards(t, positions, func(*BoardSettings) {})
	if err != nil {
		t.Fatal(err)
	}
	name := positions + ".2"
	all, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 20, len(all) / 2, len(all)} {
		if err := os.WriteFile(name, all[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := trainBoards(t, positions, func(s *BoardSettings) { s.Threads = 1 })
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("from %d of %d bytes: other weights", size, len(all))
		}
		if again, err := os.ReadFile(name); err != nil || string(again) != string(all) {
			t.Errorf("from %d of %d bytes: other positions (%v)", size, len(all), err)
		}
	}
}

// TestBoardsErrors checks that positions of other settings, and damaged ones, are rejected.
func TestBoardsErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "positions")
	if _, err := trainBoards(t, name, func(*BoardSettings) {}); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(name + ".1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trainBoards(t, name, func(s *BoardSettings) { s.Seed = 4 }); err == nil || !strings.Contains(err.Error(), "positions.1 begins with") {
		t.Errorf("another seed: %v", err)
	}
	damaged := strings.Replace(string(all), ";", " x;", 1)
	damaged = strings.Replace(damaged, " ", " x", 8)
	if err := os.WriteFile(name+".1", []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := trainBoards(t, name, func(*BoardSettings) {}); err == nil {
		t.Error("damaged positions were read")
	}
}

// TestFitBoards checks that a fit predicts margins that are linear in the features.
func TestFitBoards(t *testing.T) {
	s := BoardGames{Games: 20, Nodes: 5, From: UntrainedBoards(), Seed: 3}
	file, err := s.file(filepath.Join(t.TempDir(), "positions"), 1)
	if err != nil {
		t.Fatal(err)
	}
	samples, err := s.samples(t.Context(), file, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	margin := func(r *linear.Row) int {
		return 2*int(r[linear.Second]) - int(r[linear.Mobility]) + int(r[linear.Parity])
	}
	for i := range samples {
		samples[i].margin = margin(&samples[i].row)
	}
	known := len(samples)
	for range 4 { // so that the penalties count little
		samples = append(samples, samples...)
	}
	w, err := fitBoards(t.Context(), samples, new(linear.Weights), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	squares, all := 0.0, 0.0
	for _, sample := range samples[:known] {
		e := linear.NewEvaluator(w, sample.shape)
		miss := float64(e.Score(&sample.row, sample.empty))/linear.Unit - float64(sample.margin)
		squares, all = squares+miss*miss, all+float64(sample.margin*sample.margin)
	}
	if squares > all/20 {
		t.Errorf("the fit leaves %.3f of the variance", squares/all)
	}
}
