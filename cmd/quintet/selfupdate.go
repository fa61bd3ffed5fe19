package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"quintet/farm"
	"quintet/farm/natsrpc"
	"quintet/internal/platform"
)

// selfUpdate runs the coordinator's program in place of this one, which was refused. It
// returns only if it fails.
func selfUpdate(ctx context.Context, conn *natsrpc.Conn, own farm.Build, refused error, logger *slog.Logger) error {
	if runtime.GOOS == "windows" { // there a process stays its program
		return fmt.Errorf("%w: --self-update does not work on %s", refused, runtime.GOOS)
	}
	request := farm.ProgramRequest{OS: own.OS, Arch: own.Arch}
	var offered farm.ProgramFile
	if err := conn.Persist(ctx, "program", request, &offered, nil); err != nil {
		return fmt.Errorf("%w: %w", refused, err)
	}
	if err := errors.Join(offered.Check(own.OS, own.Arch), conn.VerifyFarm(offered.Statement(), offered.Signature)); err != nil {
		return fmt.Errorf("%w: %w", refused, err)
	}
	if offered.SHA256 == own.SHA256 {
		return refused // it would be refused again
	}
	path, err := downloadProgram(ctx, conn, request, &offered)
	if err != nil {
		return err
	}
	logger.Info("this program is refused; the coordinator's runs in its place", "reason", refused, "sha256", offered.SHA256[:12], "file", path)
	conn.Close()
	return fmt.Errorf("running %s: %w", path, platform.Exec(path))
}

// downloadProgram stores a program among the user's caches, and removes earlier ones.
func downloadProgram(ctx context.Context, conn *natsrpc.Conn, request farm.ProgramRequest, p *farm.ProgramFile) (path string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding a folder for the program: %w", err)
	}
	dir := filepath.Join(cache, "quintet", "worker")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("creating a folder for the program: %w", err)
	}
	own, err := os.MkdirTemp(dir, p.SHA256[:12]+"-") // so that two workers do not meet
	if err != nil {
		return "", fmt.Errorf("creating a folder for the program: %w", err)
	}
	path = filepath.Join(own, "quintet")
	if err := writeProgram(ctx, conn, request, p, path); err != nil {
		return "", errors.Join(err, os.RemoveAll(own))
	}
	removeOld(dir, time.Now().Add(-time.Hour))
	return path, nil
}

// writeProgram downloads a program to a new file that only this user can run.
func writeProgram(ctx context.Context, conn *natsrpc.Conn, request farm.ProgramRequest, p *farm.ProgramFile, path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700) //nolint:gosec // a program must be executable
	if err != nil {
		return fmt.Errorf("writing the program: %w", err)
	}
	err = p.Download(ctx, file, func(ctx context.Context, offset int64) (part []byte, err error) {
		request.Part, request.Offset = true, offset
		err = conn.Persist(ctx, "program", request, &part, nil)
		return part, err
	})
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// removeOld removes the programs of updates before a time. It does not stop those that run.
func removeOld(dir string, before time.Time) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return // they are only in the way
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.ModTime().Before(before) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
