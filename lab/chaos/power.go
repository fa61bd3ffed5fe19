package chaos

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// powerSize is the size of the disk in bytes.
const powerSize = 192 << 20

// Power does as Kill, with power cuts instead of kills. The server gets a disk of
// its own in a folder. Under load the server is paused and its disk is copied as it
// is at that moment; then the server is killed, and it starts again on the copy.
// Prepare is called with the folder of the games before the first start. Power
// needs Linux, root and a loop device.
//
// A copy has all that the kernel has handed to the disk, and nothing else. Disks
// that lose what they were handed but not told to flush are not simulated.
func Power(ctx context.Context, c KillConfig, folder string, prepare func(data string) error) (r KillResult, err error) {
	d, err := newDisk(ctx, folder, powerSize)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	data := filepath.Join(d.dir, "games")
	if err := prepare(data); err != nil {
		return r, err
	}
	c.Args = append([]string{"--data", data}, c.Args...)
	c.crash = func(k *killRun) error { return d.cutPower(ctx, k) }
	return Kill(ctx, c)
}

// cutPower ends a server as a power cut does.
func (d *disk) cutPower(ctx context.Context, k *killRun) error {
	if err := k.process.Process.Signal(pauseSignal); err != nil {
		return fmt.Errorf("pausing the server: %w", err)
	}
	tries, err := d.snapshot()
	k.result.Copies += tries
	k.end()
	if err != nil {
		return err
	}
	return d.restore(ctx)
}
