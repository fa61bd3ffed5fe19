package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/natsrpc"
	"quintet/farm/worker"
)

// Coordinator returns the command that coordinates the lab's farm.
func Coordinator() *cobra.Command {
	var listen, data string
	c := &cobra.Command{
		Use:   "coordinator",
		Short: "Coordinate a farm for training and puzzles",
		Long: `Coordinator shares the games of training and the making of puzzles among workers, as quintet
coordinator does with matches, positions and reviews. Its keys are in keys/ of the folder --data;
quintet jobs lists and stops its jobs.`,
		Example: "  lab coordinator --listen :7430 --data farm",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			build, _, err := buildOf(c.Context())
			if err != nil {
				return err
			}
			led, err := coordinator.Start(c.Context(), coordinator.Config{
				Listen: listen, Data: data, Build: build, Kinds: Types(), Log: slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil)),
			})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, led.Close()) }()
			at := "nats://" + led.Addr().String()
			if err := os.WriteFile(filepath.Join(data, addressFile), []byte(at+"\n"), 0o600); err != nil {
				return fmt.Errorf("writing the address: %w", err)
			}
			_, _ = fmt.Fprintf(c.OutOrStdout(), "A worker needs a copy of this program and of the key:\n\n  lab worker %s --key %s\n", at, led.Keys.Path("worker"))
			<-c.Context().Done()
			return nil
		},
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:7430", "listen to workers and clients at this `address`")
	c.Flags().StringVar(&data, "data", "farm", "the `folder` of the farm")
	return c
}

// Worker returns the command that runs a worker of the lab's farm.
func Worker() *cobra.Command {
	var key string
	slots := runtime.NumCPU()
	c := &cobra.Command{
		Use:     "worker URL",
		Short:   "Work for a farm for training and puzzles",
		Long:    "Worker works for the lab's coordinator at a URL, or of a folder on this machine.",
		Example: "  lab worker nats://farm.example.org:7430 --key worker.key",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			conn, err := dial(natsrpc.RoleWorker, args[0], key)
			if err != nil {
				return err
			}
			defer conn.Close()
			build, speed, err := buildOf(c.Context())
			if err != nil {
				return err
			}
			err = worker.Run(c.Context(), worker.Config{
				Coordinator: conn, Kinds: Types(), Log: slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil)),
				Hello: farm.Hello{Version: farm.Version, Build: build, Instance: strconv.Itoa(os.Getpid()), Host: "lab", Slots: slots, Speed: speed},
			})
			if errors.Is(err, context.Canceled) && c.Context().Err() != nil {
				return nil // the user stopped it
			}
			return err
		},
	}
	c.Flags().StringVar(&key, "key", "", "the key `file` (default: that of a farm on this machine)")
	c.Flags().IntVar(&slots, "slots", slots, "units to do at a time")
	return c
}
