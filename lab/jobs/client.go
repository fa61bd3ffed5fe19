package jobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/natsrpc"
	"quintet/farm/scheduler"
	"quintet/games/loa"
)

// Types are the types of jobs that the lab's farm does.
func Types() farm.Kinds { return farm.Kinds{SelfPlayName: SelfPlay, PuzzlesName: Puzzles} }

// addressFile is the file in a coordinator's folder that says where it listens.
const addressFile = "address"

// dial connects to a farm: to a coordinator on this machine by its folder, or at an address with a
// key file.
func dial(role natsrpc.Role, at, key string) (*natsrpc.Conn, error) {
	text, err := os.ReadFile(filepath.Join(at, addressFile)) //nolint:gosec // the user names the folder
	if err == nil {
		key, at = cmp.Or(key, filepath.Join(at, "keys", string(role)+".key")), strings.TrimSpace(string(text))
	}
	if key == "" {
		return nil, fmt.Errorf("no key for the farm: give --key with a copy of the coordinator's %s.key", role)
	}
	return natsrpc.Dial(role, at, key, "")
}

// buildOf identifies this program, and measures its speed in nodes a second.
func buildOf(ctx context.Context) (b farm.Build, speed float64, err error) {
	path, err := os.Executable()
	if err != nil {
		return b, 0, fmt.Errorf("finding this program: %w", err)
	}
	file, err := os.ReadFile(path) //nolint:gosec // it is this program
	if err != nil {
		return b, 0, fmt.Errorf("reading this program: %w", err)
	}
	sum := sha256.Sum256(file)
	r, err := bots.Bench(ctx, loa.Game)
	b = farm.Build{Program: farm.Program{Arch: runtime.GOARCH, Fingerprint: r.Nodes}, OS: runtime.GOOS, SHA256: hex.EncodeToString(sum[:])}
	return b, r.NodesPerSecond, err
}

// Client submits jobs to a farm. It connects with the first.
type Client struct {
	at, key string
	report  io.Writer
	conn    *natsrpc.Conn // nil before the first job
	build   farm.Build
}

// Flags adds the flags that say where the farm is.
func (c *Client) Flags(command *cobra.Command) {
	c.report = command.ErrOrStderr()
	command.Flags().StringVar(&c.at, "farm", "", "run on the farm of lab coordinator at this `URL`, or in this folder")
	command.Flags().StringVar(&c.key, "key", "", "the key `file` for the farm (default: that of a farm on this machine)")
}

// Wanted reports whether the user named a farm.
func (c *Client) Wanted() bool { return c.at != "" }

// connect connects to the farm.
func (c *Client) connect(ctx context.Context) (err error) {
	if c.conn != nil {
		return nil
	}
	if c.build, _, err = buildOf(ctx); err != nil {
		return err
	}
	c.conn, err = dial(natsrpc.RoleClient, c.at, c.key)
	return err
}

// Close closes the connection, if there is one. Jobs go on.
func (c *Client) Close() {
	if c.conn != nil {
		c.conn.Close()
	}
}

// Submit submits a job with a blob, nil for none, or finds it again. It returns the results from a
// unit on.
func (c *Client) Submit(ctx context.Context, kind string, settings any, blob []byte, from int) (*coordinator.Follower, error) {
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	s, err := farm.NewSpec(c.build.Program, kind, settings)
	if err != nil {
		return nil, err
	}
	if blob != nil {
		s.Blob = farm.NewBlobRef(blob)
	}
	text, _, err := s.Encode()
	if err != nil {
		return nil, err
	}
	var v scheduler.JobView
	if err := c.conn.Ask(ctx, "submit", farm.SubmitRequest{Build: c.build, Spec: text, Priority: farm.DefaultPriority}, &v); err != nil {
		return nil, err
	}
	if v.Status == scheduler.Uploading {
		for i, part := range farm.Cut(blob) {
			if err := c.conn.Ask(ctx, "upload", farm.BlobPart{Job: v.ID, Part: i, Data: part}, nil); err != nil {
				return nil, err
			}
		}
	}
	return &coordinator.Follower{Conn: c.conn, Job: v.ID, From: from, Linger: time.Second, Unreachable: c.waiting}, nil
}

func (c *Client) waiting(err error) {
	_, _ = fmt.Fprintln(c.report, "waiting for the coordinator:", err)
}
