package chaos

import (
	"context"
	"errors"
	"path/filepath"
)

// powerSize is the size of the disk in bytes.
const powerSize = 192 << 20

// Power does as Kill, with power cuts instead of kills. The server gets a disk of
// its own in a folder. Under load the server is paused and its disk is copied as it
// is at that moment; then the server is killed, and it starts again on the copy.
// Power needs Linux, root and a loop device.
//
// A copy has all that the kernel has handed to the disk, and nothing else. Disks
// that lose what they were handed but not told to flush are not simulated.
func Power(ctx context.Context, c Config) (r KillResult, err error) {
	d, err := newDisk(ctx, c.Dir, powerSize)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	k, err := newKillRun(ctx, c, filepath.Join(d.dir, "games"))
	if err != nil {
		return r, err
	}
	k.crash = func() error { return d.cutPower(ctx, k) }
	return k.kill(ctx)
}

// cutPower ends a server as a power cut does.
func (d *disk) cutPower(ctx context.Context, k *killRun) error {
	if err := k.process.send(pauseSignal); err != nil {
		return err
	}
	tries, err := d.snapshot(ctx)
	k.result.Copies += tries
	k.end()
	if err != nil {
		return err
	}
	return d.restore(ctx)
}
