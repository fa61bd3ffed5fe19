package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
)

// controlName is the socket in the folder of the games by which other commands reach
// the server.
const controlName = "control.sock"

// maxSocketPath is how long the path of a Unix socket may be on every system.
const maxSocketPath = 100

var errLongPath = errors.New("the path of the control socket is too long")

// socketPath returns a path for the control socket of a folder that is short enough. A
// long one is reached by way of the folder, which stays open until free is called.
func socketPath(data string) (path string, free func(), err error) {
	path, free = filepath.Join(data, controlName), func() {}
	if len(path) <= maxSocketPath {
		return path, free, nil
	}
	dir, err := os.Open(data) //nolint:gosec // the user names the folder
	if err != nil {
		return "", nil, err
	}
	free = func() { _ = dir.Close() } // it was read only
	short := fmt.Sprintf("/proc/self/fd/%d", dir.Fd())
	if _, err := os.Stat(short); err != nil {
		free()
		return "", nil, fmt.Errorf("%w: %s has %d bytes: want at most %d on this system, by a shorter --data", errLongPath, path, len(path), maxSocketPath)
	}
	return filepath.Join(short, controlName), free, nil
}

// listenControl listens at the control socket of a folder, for this user alone, until
// the function that it returns is called.
func listenControl(ctx context.Context, data string) (net.Listener, func(), error) {
	path, free, err := socketPath(data)
	if err != nil {
		return nil, nil, err
	}
	var config net.ListenConfig
	_ = os.Remove(path) // left by a server that was killed; else listening says what is wrong
	listener, err := config.Listen(ctx, "unix", path)
	if err != nil {
		free()
		return nil, nil, err
	}
	end := func() { _ = listener.Close(); free() }
	if err := os.Chmod(path, 0o600); err != nil {
		end()
		return nil, nil, fmt.Errorf("keeping others from %s: %w", path, err)
	}
	return listener, end, nil
}

// dialControl connects to the server of a folder.
func dialControl(ctx context.Context, data string) (net.Conn, error) {
	path, free, err := socketPath(data)
	if err != nil {
		return nil, err
	}
	defer free()
	var dial net.Dialer
	return dial.DialContext(ctx, "unix", path)
}

// controlClient returns a client for requests to the server of a folder.
func controlClient(data string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return dialControl(ctx, data) },
	}}
}
