package load

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// powerSize is the size of the disk whose power is cut, in bytes.
const powerSize = 192 << 20

// Power does as Kill, with a power cut in place of the kill: the server has a disk
// of its own, in a folder; in the midst of the load it is stopped, and what it has
// written is copied as it would be on the disk at that moment. The server goes on
// with the copy, and that is compared with all that was acknowledged. It needs
// Linux, root and a loop device. Prepare is called with the folder of the games
// before the first start.
//
// A copy has all that the kernel has handed to the disk, and nothing that it has
// not. It is a disk that keeps what it was given: one that loses what it was given
// and not told to keep is not simulated.
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
	c.cut = func(k *killer) error { return d.cut(ctx, k) }
	return Kill(ctx, c)
}

// cut lets a server end as if the power had gone.
func (d *disk) cut(ctx context.Context, k *killer) error {
	if err := k.process.Process.Signal(stopSignal); err != nil {
		return fmt.Errorf("stopping the server: %w", err)
	}
	tries, err := d.copy()
	k.result.Copies += tries
	k.end()
	if err != nil {
		return err
	}
	return d.swap(ctx)
}
