package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"quintet/live"
)

// controlName is the socket in the folder of the games by which other commands reach
// the server.
const controlName = "control.sock"

// maxSocketPath is the length of a Unix socket's path that every system allows.
const maxSocketPath = 100

var errLongPath = errors.New("the path of the control socket is too long")

// socketPath returns a short enough path of a folder's control socket. If it is too long,
// the path goes through a descriptor of the folder, which free closes.
func socketPath(data string) (path string, free func(), err error) {
	path, free = filepath.Join(data, controlName), func() {}
	if len(path) <= maxSocketPath {
		return path, free, nil
	}
	dir, err := os.Open(data) //nolint:gosec // the user names the folder
	if err != nil {
		return "", nil, err
	}
	free = func() { _ = dir.Close() } // it was only read
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
	_ = os.Remove(path) // left by a killed server; else Listen returns the error
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

// control serves other commands on this machine, by a socket: quintet backup and quintet
// admin. It returns the function that ends it.
func (f *serveFlags) control(ctx context.Context, l live.Log, logger *slog.Logger) (end func(), err error) {
	if f.memory {
		return func() {}, nil
	}
	listener, endListen, err := listenControl(ctx, f.data)
	if errors.Is(err, errLongPath) {
		logger.Warn("other commands cannot reach the server: quintet backup and quintet admin want it stopped", "error", err)
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listening for quintet backup: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /backup", func(w http.ResponseWriter, r *http.Request) {
		sendCopy(w, r, l, logger)
	})
	controlRulings(mux, l)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // it returns http.ErrServerClosed
	}()
	return func() { _ = server.Close(); <-done; endListen() }, nil
}
