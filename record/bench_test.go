package record_test

import (
	"math/rand/v2"
	"testing"

	"quintet/games"
	"quintet/lab/recordtest"
	"quintet/record"
)

// BenchmarkParse reads whole random games without a word about them.
func BenchmarkParse(b *testing.B) {
	for _, name := range games.Names() {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			var text []byte
			moves := 0
			for range 50 {
				rec := recordtest.Random(r, recordtest.Shape{Game: name, Plies: 300})
				moves += len(rec.Main())
				var err error
				if text, err = rec.Append(text); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if _, err := record.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(moves)*float64(b.N)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}
