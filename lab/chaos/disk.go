package chaos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// disk is a file system for one server: an image file that is mounted through a loop
// device. The kernel writes to the file what it would write to a disk, so at any
// moment the file holds what a power cut would leave.
type disk struct {
	image string // the file
	dir   string // where it is mounted
}

// newDisk makes a file system of the given number of bytes in a folder and mounts it.
func newDisk(ctx context.Context, folder string, size int64) (*disk, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("making a disk for the server: mounting needs root: expected this command run by root, on a machine with loop devices")
	}
	d := &disk{filepath.Join(folder, "disk.image"), filepath.Join(folder, "disk")}
	if err := os.MkdirAll(d.dir, 0o750); err != nil {
		return nil, fmt.Errorf("making a disk for the server: %w", err)
	}
	if err := errors.Join(os.WriteFile(d.image, nil, 0o600), os.Truncate(d.image, size)); err != nil {
		return nil, fmt.Errorf("making a disk for the server: %w", err)
	}
	err := runCommand(ctx, "mkfs.ext4", "-q", "-F", d.image)
	if err == nil {
		err = d.mount(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(d.image), os.Remove(d.dir))
	}
	return d, nil
}

// runCommand runs a system command.
func runCommand(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput() //nolint:gosec // fixed commands
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

func (d *disk) mount(ctx context.Context) error {
	return runCommand(ctx, "mount", "-t", "ext4", "-o", "loop", d.image, d.dir)
}

// close unmounts the disk and removes it, even after the run's context has ended.
func (d *disk) close() error {
	return errors.Join(runCommand(context.Background(), "umount", d.dir), os.Remove(d.image), os.Remove(d.dir))
}

// snapshotTries is how often a consistent snapshot is tried.
const snapshotTries = 50

// snapshot copies the image as it is, without a sync. The caller has paused the
// server. The kernel may still be writing to the image, so it is copied until it
// does not change meanwhile. It returns the number of copies.
func (d *disk) snapshot(ctx context.Context) (tries int, err error) {
	for tries = range snapshotTries {
		if err := runCommand(ctx, "cp", d.image, d.snapshotFile()); err != nil {
			return tries, err
		}
		if runCommand(ctx, "cmp", d.image, d.snapshotFile()) == nil {
			return tries + 1, nil
		}
	}
	return tries, fmt.Errorf("copying the disk: the kernel still writes to it after %d copies", snapshotTries)
}

func (d *disk) snapshotFile() string { return d.image + ".snapshot" }

// restore replaces the disk with the snapshot. Mounting it replays its journal, as a
// machine does when it boots.
func (d *disk) restore(ctx context.Context) error {
	if err := runCommand(ctx, "umount", d.dir); err != nil {
		return err
	}
	if err := os.Rename(d.snapshotFile(), d.image); err != nil {
		return fmt.Errorf("restoring the snapshot: %w", err)
	}
	return d.mount(ctx)
}
