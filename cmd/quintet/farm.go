package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"quintet/arena/players"
	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/farm/natsrpc"
	"quintet/game"
	"quintet/games"
)

// farmAt is where a farm is, and by which key it is reached.
type farmAt struct {
	role natsrpc.Role
	key  string
}

// farmKeyVariable names the file of a key in the environment.
const farmKeyVariable = "QUINTET_FARM_KEY"

// farmAuthorityVariable names a file of certificates that are trusted in the environment.
const farmAuthorityVariable = "QUINTET_FARM_CA"

func (f *farmAt) add(c *cobra.Command) {
	c.Flags().StringVar(&f.key, "key", "", "the key `file` for the farm (default $"+farmKeyVariable+", or that of a farm on this machine)")
}

// addressFile is the file in a coordinator's folder that says where it listens.
const addressFile = "address"

// dial connects to a farm: at an address, or that of a coordinator on this machine by
// its folder.
func (f *farmAt) dial(at string) (*natsrpc.Conn, error) {
	key := cmp.Or(f.key, os.Getenv(farmKeyVariable))
	folder, err := farmFolder("")
	if info, statErr := os.Stat(at); statErr == nil && info.IsDir() { //nolint:gosec // the user names the folder
		folder, err = at, nil
		text, readErr := os.ReadFile(filepath.Join(at, addressFile)) //nolint:gosec // the user names the folder
		if readErr != nil {
			return nil, fmt.Errorf("farm %q: no coordinator has run in this folder: start one, or give an address such as nats://host:%s", at, natsrpc.DefaultPort)
		}
		at = strings.TrimSpace(string(text))
	}
	if key == "" {
		if err != nil {
			return nil, err
		}
		key = filepath.Join(folder, "keys", string(f.role)+".key")
		if _, err := os.Stat(key); errors.Is(err, fs.ErrNotExist) { //nolint:gosec // in that folder
			return nil, fmt.Errorf("no key for the farm: give --key with a copy of the coordinator's %s.key", f.role)
		}
	}
	if !strings.Contains(at, "://") && strings.ContainsAny(at, `/\`) {
		return nil, fmt.Errorf("farm %q: there is no such folder: name the folder of a coordinator, or an address such as nats://host:%s", at, natsrpc.DefaultPort)
	}
	return natsrpc.Dial(f.role, at, key, os.Getenv(farmAuthorityVariable))
}

// farmFolder returns the given folder of a coordinator, or the default if none was given.
func farmFolder(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	dir, err := dataFolder("")
	return filepath.Join(dir, "farm"), err
}

// farmBuild identifies this program, and measures its speed on the given number of threads at a
// time, in nodes a second of each: the geometric mean over all games.
func farmBuild(ctx context.Context, slots int) (b farm.Build, speed float64, err error) {
	b = farm.Build{Program: farm.Program{Arch: runtime.GOARCH}, OS: runtime.GOOS}
	if b.SHA256, err = executableHash(); err != nil {
		return b, 0, err
	}
	nodes, speeds := make([]uint64, slots), make([]float64, slots)
	errs := make([]error, slots)
	var all sync.WaitGroup
	for i := range slots {
		all.Go(func() { nodes[i], speeds[i], errs[i] = bots.BenchAll(ctx, games.All()) })
	}
	all.Wait()
	for i := range slots {
		speed += speeds[i] / float64(slots)
	}
	b.Fingerprint = nodes[0]
	return b, speed, errors.Join(errs...)
}

// openExecutable opens this program.
func openExecutable() (*os.File, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	file, err := os.Open(path) //nolint:gosec // it is this program
	if err != nil {
		return nil, fmt.Errorf("reading this program: %w", err)
	}
	return file, nil
}

// executableHash returns the SHA-256 of this program.
func executableHash() (string, error) {
	file, err := openExecutable()
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was only read
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("reading this program: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// farmKinds are the types of jobs that a farm of this program does.
func farmKinds() farm.Kinds {
	return jobtypes.All(farmPlayer, players.Evaluator)
}

// farmPlayer makes the players of a farm: built-in ones alone.
func farmPlayer(player string, g game.Game, threads int) (engine.Player, error) {
	if jobtypes.Foreign(player) {
		return nil, fmt.Errorf("player %q: a farm plays no other programs and opens no files", player)
	}
	return players.New(context.Background(), player, g, threads)
}

// randomName returns a name that no other process has.
func randomName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}
