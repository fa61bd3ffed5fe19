package tournaments

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"quintet/people/tournament"
)

// Command returns the command.
func Command() *cobra.Command {
	var rounds, from int
	var limit time.Duration
	c := &cobra.Command{
		Use:   "tournaments",
		Short: "Simulate Swiss tournaments and an arena, and check their pairings",
		Long: `Tournaments plays random Swiss tournaments of 4 to 200 players, with byes, late entries, forfeits and
withdrawals, and checks each round: the absolute criteria and colours, and with up to 8 players also
that no other complete pairing is better. It prints the sum every thousand rounds: with --from it goes on
behind the tournament that was printed last. Then it plays an arena of 500 players for 45 minutes of
simulated time, of whom 20 % leave, and whose server is killed three times.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := swisses(c.Context(), c.OutOrStdout(), from, rounds, limit); err != nil {
				return err
			}
			a := Arena{Players: 500, Seconds: 2700, Wave: 4, Leaving: 0.2, Stops: []int{600, 1200, 1800}}
			_, err := fmt.Fprintf(c.OutOrStdout(), "arena: %+v\n", a.Run(rand.New(rand.NewPCG(5, 5))))
			return err
		},
	}
	c.Flags().IntVar(&rounds, "rounds", 70_000, "rounds of Swiss tournaments")
	c.Flags().IntVar(&from, "from", 0, "number of the first Swiss tournament, which is its seed")
	c.Flags().DurationVar(&limit, "time", 15*time.Minute, "at most this long")
	return c
}

// exhaustive is the most players whose complete pairings are all compared.
const exhaustive = 8

// swisses plays Swiss tournaments from a number on, and prints how many rounds had faults.
func swisses(ctx context.Context, out io.Writer, from, rounds int, limit time.Duration) error {
	began := time.Now()
	done, best, bad, ended, printed := 0, 0, 0, 0, 0
	check := func(s *tournament.State, games []tournament.Game) {
		c := NewChecker(s, s.Round()+1)
		var partners map[int]int
		if c.Players() <= exhaustive {
			partners = c.Best()
			best++
			if (partners == nil || c.Players() < 2) != (games == nil) {
				bad++
			}
		}
		done++
		if faults := c.Faults(games, partners); len(faults) > 0 {
			bad++
			_, _ = fmt.Fprintln(out, faults)
		}
	}
	for k := from; ; k++ {
		last := done >= rounds || time.Since(began) >= limit || ctx.Err() != nil
		if last || done >= printed+1000 {
			printed = done
			if _, err := fmt.Fprintf(out, "swiss: %d rounds of tournaments %d to %d, %d of them against all pairings, %d with faults; %d tournaments ended early; %.0f s\n", done, from, k-1, best, bad, ended, time.Since(began).Seconds()); err != nil || last {
				return err
			}
		}
		rng := rand.New(rand.NewPCG(70, uint64(k)))
		n := 4 + rng.IntN(197)
		if k%2 == 0 {
			n = 4 + rng.IntN(5)
		}
		if _, err := Swiss(rng, n, min(3+rng.IntN(7), n-1), check); err != nil {
			ended++ // no pairing was left
		}
	}
}
