package load

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// disk is a file system of its own for a server: an image in a file, mounted through
// a loop device. The kernel writes to the file what it would write to a disk, so the
// file as it is at a moment is what the power would leave at that moment.
type disk struct {
	image string // the file
	dir   string // where it is mounted
}

// newDisk makes a file system of a size in a folder, and mounts it.
func newDisk(ctx context.Context, folder string, size int64) (*disk, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("making a disk of its own for the server: mounting needs root: want this command run by root, on a machine with loop devices")
	}
	d := &disk{filepath.Join(folder, "disk.image"), filepath.Join(folder, "disk")}
	if err := os.MkdirAll(d.dir, 0o750); err != nil {
		return nil, fmt.Errorf("making a disk of its own for the server: %w", err)
	}
	if err := errors.Join(os.WriteFile(d.image, nil, 0o600), os.Truncate(d.image, size)); err != nil {
		return nil, fmt.Errorf("making a disk of its own for the server: %w", err)
	}
	err := tell(ctx, "mkfs.ext4", "-q", "-F", d.image)
	if err == nil {
		err = d.mount(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(d.image), os.Remove(d.dir))
	}
	return d, nil
}

// tell runs a command of the system.
func tell(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput() //nolint:gosec // the commands are those below
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

func (d *disk) mount(ctx context.Context) error {
	return tell(ctx, "mount", "-t", "ext4", "-o", "loop", d.image, d.dir)
}

// close unmounts the disk and removes it. The context may have ended.
func (d *disk) close() error {
	return errors.Join(tell(context.Background(), "umount", d.dir), os.Remove(d.image), os.Remove(d.dir))
}

// atOneMoment is how often a copy is tried that is of one moment.
const atOneMoment = 50

// copy copies the image as it is, without asking anybody to write what they have in
// memory. The caller has stopped who writes to it. What the kernel is still writing
// could make it a copy of several moments, so it is copied until the image is after
// the copy what it was before. It returns how often that was.
func (d *disk) copy() (tries int, err error) {
	for tries = range atOneMoment {
		before, err := d.read(d.image + ".cut")
		if err != nil {
			return tries, err
		}
		after, err := d.read(os.DevNull)
		if err != nil {
			return tries, err
		}
		if before == after {
			return tries + 1, nil
		}
	}
	return tries, fmt.Errorf("copying the disk: the kernel goes on writing to it after %d copies", atOneMoment)
}

// read copies the image into a file and returns its hash.
func (d *disk) read(to string) (sum [sha256.Size]byte, err error) {
	in, err := os.Open(d.image)
	if err != nil {
		return sum, fmt.Errorf("copying the disk: %w", err)
	}
	defer func() { _ = in.Close() }() // it was read only
	out, err := os.Create(to)         //nolint:gosec // in the folder that the user names
	if err != nil {
		return sum, fmt.Errorf("copying the disk: %w", err)
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, hash), in)
	if err = errors.Join(err, out.Close()); err != nil {
		return sum, fmt.Errorf("copying the disk: %w", err)
	}
	return [sha256.Size]byte(hash.Sum(nil)), nil
}

// swap puts the copy in the place of the disk. Mounting it replays its journal, as a
// machine does that starts again.
func (d *disk) swap(ctx context.Context) error {
	if err := tell(ctx, "umount", d.dir); err != nil {
		return err
	}
	if err := os.Rename(d.image+".cut", d.image); err != nil {
		return fmt.Errorf("putting the copy in the place of the disk: %w", err)
	}
	return d.mount(ctx)
}
