package main

import (
	"github.com/spf13/cobra"

	"quintet/bots"
)

// newTraining groups the commands that make weights, one for each game that has
// some.
func newTraining() *cobra.Command {
	c := &cobra.Command{
		Use:   "train GAME",
		Short: "Make the weights of an evaluation, by self-play from a seed",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return failed(c.Help()) },
	}
	c.AddCommand(newTrainOthello(), newTrainChess(),
		newTrainGather("loa", "Lines of Action", bots.TrainLOA), newTrainGather("neighbors", "Neighbors", bots.TrainNeighbors))
	return c
}
