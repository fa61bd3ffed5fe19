// Package wire carries the requests of workers and clients to a farm's hub over NATS.
//
// Start with [Listen], which runs a NATS server inside the process for those who have
// a key, and [Serve], which answers their requests; or with [Dial], which connects a
// worker or client. A key is an Ed25519 key pair (nkey of NATS): its owner signs a
// nonce, so that nothing secret crosses the network. Its subjects carry its name, and
// it may publish to nothing else.
package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nkeys"
)

// Role is what a key may do.
type Role string

// The roles.
const (
	RoleWorker Role = "worker" // take work and deliver results
	RoleClient Role = "client" // submit, watch and stop jobs
)

// Keys is a folder with the keys of a farm: the file authorized, with a line
// "ROLE PUBLICKEY NAME" for each, and seeds in NAME.key to copy to other machines.
type Keys struct{ dir string }

// authorizedFile lists the public keys.
const authorizedFile = "authorized"

// OpenKeys opens a folder of keys, and creates it with a worker's and a client's key if
// it is missing.
func OpenKeys(dir string) (*Keys, error) {
	k := &Keys{dir}
	if _, err := os.Stat(filepath.Join(dir, authorizedFile)); !errors.Is(err, fs.ErrNotExist) {
		return k, wrap("opening the keys", err)
	}
	for _, role := range []Role{RoleWorker, RoleClient} {
		if _, err := k.Create(string(role), role); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Path returns the file with the seed of a key.
func (k *Keys) Path(name string) string { return filepath.Join(k.dir, name+".key") }

// Create makes a key and authorizes it. It fails if there is one of this name.
func (k *Keys) Create(name string, role Role) (path string, err error) {
	if role != RoleWorker && role != RoleClient {
		return "", fmt.Errorf("role %q: want %s or %s", role, RoleWorker, RoleClient)
	}
	if !validName(name) {
		return "", fmt.Errorf("key %q: want a name of 1 to 64 letters, digits, dots, - and _", name)
	}
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return "", wrap("creating the folder of keys", err)
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", wrap("creating a key", err)
	}
	defer pair.Wipe()
	seed, err := pair.Seed()
	if err != nil {
		return "", wrap("creating a key", err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		return "", wrap("creating a key", err)
	}
	if err := writeNew(k.Path(name), append(seed, '\n')); err != nil {
		return "", wrap("creating a key", err)
	}
	return k.Path(name), k.authorize(fmt.Sprintf("%s %s %s\n", role, public, name))
}

const nameSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

func validName(name string) bool {
	return name != "" && len(name) <= 64 && name[0] != '.' && strings.Trim(name, nameSigns) == ""
}

// writeNew writes a file that only its owner can read, and that must not exist.
func writeNew(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user names the folder
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// authorize appends a line to the list.
func (k *Keys) authorize(line string) error {
	file, err := os.OpenFile(filepath.Join(k.dir, authorizedFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return wrap("authorizing a key", err)
	}
	_, err = file.WriteString(line)
	return wrap("authorizing a key", errors.Join(err, file.Close()))
}

// maxAuthorized bounds the list in bytes.
const maxAuthorized = 1 << 20

// Role returns the role of a public key, and whether it is authorized. It reads the
// list each time, so that keys come and go while the coordinator runs.
func (k *Keys) Role(public string) (Role, bool) {
	text, err := os.ReadFile(filepath.Join(k.dir, authorizedFile))
	if err != nil || len(text) > maxAuthorized {
		return "", false
	}
	for s := bufio.NewScanner(strings.NewReader(string(text))); s.Scan(); {
		if fields := strings.Fields(s.Text()); len(fields) >= 2 && fields[1] == public {
			return Role(fields[0]), true
		}
	}
	return "", false
}

// Names returns the names of the keys by public key.
func (k *Keys) Names() map[string]string {
	names := map[string]string{}
	text, err := os.ReadFile(filepath.Join(k.dir, authorizedFile))
	if err != nil {
		return names
	}
	for s := bufio.NewScanner(strings.NewReader(string(text))); s.Scan(); {
		if fields := strings.Fields(s.Text()); len(fields) >= 3 {
			names[fields[1]] = fields[2]
		}
	}
	return names
}

// readKey reads the seed of a key.
func readKey(path string) (nkeys.KeyPair, string, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if err != nil {
		return nil, "", fmt.Errorf("reading the key: %w", err)
	}
	pair, err := nkeys.FromSeed([]byte(strings.TrimSpace(string(text))))
	if err != nil {
		return nil, "", fmt.Errorf("the key in %s: want a file that quintet coordinator has made", path)
	}
	public, err := pair.PublicKey()
	return pair, public, wrap("reading the key", err)
}
