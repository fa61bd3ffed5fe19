// Chaos kills servers, cuts their power, fills their disks and breaks their network
// under load, and checks that nothing acknowledged is lost. It is a tool for
// developers; releases do not contain it.
//
//	chaos kill --quintet ./quintet --data DIR --times 100
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"quintet/lab/chaos"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return chaos.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
}
