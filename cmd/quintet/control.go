package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quintet/live"
)

// controlName is the file name of the Unix socket, in the data folder, on which the server
// answers other commands.
const controlName = "control.sock"

// maxSocketPath is the longest path of a Unix socket, in bytes, that every system allows.
const maxSocketPath = 100

var errLongPath = errors.New("the path of the control socket is too long")

// socketPath returns the path of a folder's control socket. If it is too long for a
// socket, it returns a path through an open descriptor of the folder, which free closes.
func socketPath(data string) (path string, free func(), err error) {
	path, free = filepath.Join(data, controlName), func() {}
	if len(path) <= maxSocketPath {
		return path, free, nil
	}
	dir, err := os.Open(data) //nolint:gosec // the user names the folder
	if err != nil {
		return "", nil, err
	}
	free = func() { _ = dir.Close() } // only read
	short := fmt.Sprintf("/proc/self/fd/%d", dir.Fd())
	if _, err := os.Stat(short); err != nil {
		free()
		return "", nil, fmt.Errorf("%w: %s has %d bytes, and this system allows %d: use a shorter --data", errLongPath, path, len(path), maxSocketPath)
	}
	return filepath.Join(short, controlName), free, nil
}

// listenControl listens on the control socket of a folder, for this user only. The caller
// must call the returned function to stop.
func listenControl(ctx context.Context, data string) (net.Listener, func(), error) {
	path, free, err := socketPath(data)
	if err != nil {
		return nil, nil, err
	}
	var config net.ListenConfig
	_ = os.Remove(path) // left by a killed server; if another error, Listen returns it
	listener, err := config.Listen(ctx, "unix", path)
	if err != nil {
		free()
		return nil, nil, err
	}
	end := func() { _ = listener.Close(); free() }
	if err := os.Chmod(path, 0o600); err != nil {
		end()
		return nil, nil, fmt.Errorf("restricting access to %s: %w", path, err)
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

// controlClient returns an HTTP client for the server of a folder.
func controlClient(data string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return dialControl(ctx, data) },
	}}
}

// with calls served with a client for the server of the folder, or direct with the log if no
// server has it open.
func (p *logLocation) with(ctx context.Context, direct func(live.Log) error, served func(*http.Client) error) error {
	if p.cluster.URL == "" {
		err := served(controlClient(p.data))
		if _, refused := errors.AsType[*refusedError](err); err == nil || refused {
			return err
		}
		if _, there := os.Stat(filepath.Join(p.data, "log")); there != nil {
			return fmt.Errorf("looking for games in %s, which is the folder that --data names: %w", p.data, there)
		}
	}
	l, err := p.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(direct(l), l.Close())
}

// refusedError is an error of a server that runs.
type refusedError struct{ error }

// askServer sends a request over the control socket and returns the answer, which the caller
// closes. Its error is a refusedError unless no server runs.
func askServer(ctx context.Context, c *http.Client, method, path string, body any) (io.ReadCloser, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://quintet"+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	got, err := c.Do(r)
	if dialed, ok := errors.AsType[*net.OpError](err); ok && dialed.Op == "dial" || errors.Is(err, errLongPath) {
		return nil, err
	}
	if err != nil {
		return nil, &refusedError{fmt.Errorf("the connection broke, and the server's log says why: %w", err)}
	}
	if got.StatusCode == http.StatusOK {
		return got.Body, nil
	}
	text, err := io.ReadAll(io.LimitReader(got.Body, 1<<10))
	return nil, &refusedError{errors.Join(errors.New(strings.TrimSpace(string(text))), err, got.Body.Close())}
}

// control serves quintet backup and quintet admin on the control socket. The caller must
// call the returned function to stop it.
func (f *serveFlags) control(ctx context.Context, l live.Log, erase eraseFunc, logger *slog.Logger) (end func(), err error) {
	if f.memory {
		return func() {}, nil
	}
	listener, endListen, err := listenControl(ctx, f.data)
	if errors.Is(err, errLongPath) {
		logger.Warn("no control socket: quintet backup and quintet admin work only while the server is stopped", "error", err)
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listening on the control socket: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /backup", func(w http.ResponseWriter, r *http.Request) {
		sendCopy(w, r, l, logger)
	})
	controlRulings(mux, l, erase)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	stop := serveUntil(server, listener)
	return func() { _ = stop(); endListen() }, nil
}

// serveUntil serves until the caller calls end, which aborts requests in progress.
func serveUntil(s *http.Server, l net.Listener) (end func() error) {
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	return func() error {
		closed := s.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return closed
	}
}
