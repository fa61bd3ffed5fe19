package review_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/review"
)

// BenchmarkBlame reviews the first games of a record file of the arena, named by QUINTET_GAMES, with the
// positions of a review and with 20 times as many. It reports the shares of games with the same largest loss, openings
// aside, and with the same turning point.
func BenchmarkBlame(b *testing.B) {
	path := os.Getenv("QUINTET_GAMES")
	if path == "" {
		b.Skip("QUINTET_GAMES names no record file of quintet arena")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	var header struct{ Game string }
	if err := json.Unmarshal(lines[0], &header); err != nil {
		b.Fatal(err)
	}
	same, turning, n := 0, 0, 0
	for b.Loop() {
		if n++; n == len(lines) {
			b.Fatalf("%d games: ask for fewer with -benchtime", n-1)
		}
		var played struct{ Start, Opening, Moves string }
		if err := json.Unmarshal(lines[n], &played); err != nil {
			b.Fatal(err)
		}
		quick, quickTurning := blamed(b, header.Game, played.Start, played.Opening, played.Moves, 1)
		deep, deepTurning := blamed(b, header.Game, played.Start, played.Opening, played.Moves, 20)
		if quick == deep {
			same++
		}
		if quickTurning == deepTurning {
			turning++
		}
	}
	b.ReportMetric(float64(same)/float64(n), "same/game")
	b.ReportMetric(float64(turning)/float64(n), "turning/game")
}

// blamed returns the first plies of the turn with the largest loss after the opening and of the turning
// point; -1 if there is none.
func blamed(b *testing.B, name, position, opening, moves string, factor uint64) (largest, turning int) {
	b.Helper()
	g, err := games.ByName(name)
	if err != nil {
		b.Fatal(err)
	}
	start, err := g.Read(position)
	if err != nil {
		b.Fatal(err)
	}
	line, err := game.PlayTexts(start.Clone(), strings.Fields(opening+" "+moves))
	if err != nil {
		b.Fatal(err)
	}
	s, err := bots.Searcher(g, bots.Options{Megabytes: 4})
	if err != nil {
		b.Fatal(err)
	}
	list, err := review.Game(b.Context(), s, g, start, line, engine.Limit{Nodes: factor * review.Nodes(name)}, bots.ProfileFor(g).Exact)
	if err != nil {
		b.Fatal(err)
	}
	largest = len(strings.Fields(opening))
	for i := largest; i < len(list); i++ {
		if list[i].ExpectedLoss > list[largest].ExpectedLoss {
			largest = i
		}
	}
	begin := func(i int) int {
		for i > 0 && list[i-1].Side == list[i].Side {
			i--
		}
		return i
	}
	turning = -1
	if i, ok := review.TurningPoint(list); ok {
		turning = begin(i)
	}
	return begin(largest), turning
}
