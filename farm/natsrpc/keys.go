// Package natsrpc carries the requests of workers and clients to a farm's scheduler over NATS.
//
// Start with [Listen], which runs a NATS server inside the process for those who have
// a key, and [Serve], which answers their requests; or with [Dial], which connects a
// worker or client. A key is an Ed25519 key pair (an nkey of NATS). Its owner signs a nonce, so
// that no secret crosses the network, and may publish only to subjects with the public key.
package natsrpc

import (
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
	RoleClient Role = "client" // submit, watch and stop jobs; ask for moves of live games
	RoleLive   Role = "live"   // what a worker may, and choose moves of live games
)

// Keys is a folder with the keys of a farm: the file authorized, with a line
// "ROLE PUBLICKEY NAME" for each, and seeds in NAME.key to copy to other machines. The
// farm's own key, in the file signing, signs programs and authenticates the coordinator; every
// file of a seed names it.
type Keys struct {
	dir    string
	own    nkeys.KeyPair
	public string // of own
}

// ownKeyFile has the seed of the farm's own key, which never leaves the folder.
const ownKeyFile = "signing"

// farmLine begins the second line of a file with a seed: the farm's public key follows.
const farmLine = "farm "

// authorizedFile lists the public keys.
const authorizedFile = "authorized"

// OpenKeys opens a folder of keys, and creates it with a worker's and a client's key if
// it is missing.
func OpenKeys(dir string) (*Keys, error) {
	k := &Keys{dir: dir}
	if err := k.openOwn(); err != nil {
		return nil, err
	}
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

// openOwn reads the farm's own key, and makes it if it is missing.
func (k *Keys) openOwn() (err error) {
	path := filepath.Join(k.dir, ownKeyFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		seed, _, err := newSeed()
		if err == nil {
			err = os.MkdirAll(k.dir, 0o700)
		}
		if err == nil {
			err = writeNew(path, append(seed, '\n'))
		}
		if err != nil {
			return wrap("creating the farm's key", err)
		}
	}
	if k.own, _, err = readSeed(path); err != nil {
		return err
	}
	k.public, err = k.own.PublicKey()
	return wrap("reading the farm's key", err)
}

// newSeed returns the seed of a new key, and the public key.
func newSeed() (seed []byte, public string, err error) {
	pair, err := nkeys.CreateUser()
	if err == nil {
		seed, err = pair.Seed()
	}
	if err == nil {
		public, err = pair.PublicKey()
	}
	return seed, public, err
}

// Sign signs a statement of the farm with its own key.
func (k *Keys) Sign(statement []byte) ([]byte, error) {
	signature, err := k.own.Sign(statement)
	return signature, wrap("signing", err)
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
	if role != RoleWorker && role != RoleClient && role != RoleLive {
		return "", fmt.Errorf("role %q: give %s, %s or %s", role, RoleWorker, RoleClient, RoleLive)
	}
	if !validName(name) {
		return "", fmt.Errorf("key %q: give it a name of 1 to 64 letters, digits, dots, - and _", name)
	}
	seed, public, err := newSeed()
	if err == nil {
		err = writeNew(k.Path(name), fmt.Appendf(seed, "\n%s%s\n", farmLine, k.public))
	}
	if err != nil {
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

// authorized is a line of the list of keys.
type authorized struct {
	role         Role
	public, name string
}

// list reads the list each time, so that keys come and go while the coordinator runs.
func (k *Keys) list() (list []authorized) {
	text, err := os.ReadFile(filepath.Join(k.dir, authorizedFile))
	if err != nil || len(text) > maxAuthorized {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) >= 2 {
			list = append(list, authorized{Role(fields[0]), fields[1], strings.Join(fields[2:], " ")})
		}
	}
	return list
}

// Role returns the role of a public key, and whether it is authorized.
func (k *Keys) Role(public string) (Role, bool) {
	for _, a := range k.list() {
		if a.public == public {
			return a.role, true
		}
	}
	return "", false
}

// stamp changes when the list does.
func (k *Keys) stamp() string {
	info, err := os.Stat(filepath.Join(k.dir, authorizedFile))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size())
}

// Names returns the names of the keys by public key.
func (k *Keys) Names() map[string]string {
	names := map[string]string{}
	for _, a := range k.list() {
		if a.name != "" {
			names[a.public] = a.name
		}
	}
	return names
}

// keyFile is a file with a seed.
type keyFile struct {
	pair   nkeys.KeyPair
	public string
	farm   string // the farm's public key
}

// readKey reads the key of a worker or client.
func readKey(path string) (f keyFile, err error) {
	var line string
	if f.pair, line, err = readSeed(path); err != nil {
		return f, err
	}
	var ok bool
	if f.farm, ok = strings.CutPrefix(line, farmLine); !ok || !nkeys.IsValidPublicUserKey(f.farm) {
		return f, notAKey(path)
	}
	f.public, err = f.pair.PublicKey()
	return f, wrap("reading the key", err)
}

// readSeed reads the key pair of a file, and the line after it.
func readSeed(path string) (pair nkeys.KeyPair, line string, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if err != nil {
		return nil, "", fmt.Errorf("reading the key: %w", err)
	}
	seed, line, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if pair, err = nkeys.FromSeed([]byte(strings.TrimSpace(seed))); err != nil {
		return nil, "", notAKey(path)
	}
	return pair, strings.TrimSpace(line), nil
}

func notAKey(path string) error {
	return fmt.Errorf("%s is not a key: make one with quintet coordinator key", path)
}

// verifyFarm checks that the farm whose key file this is has signed a statement.
func (f *keyFile) verifyFarm(statement, signature []byte) error {
	key, err := nkeys.FromPublicKey(f.farm)
	if err == nil {
		err = key.Verify(statement, signature)
	}
	if err != nil {
		return fmt.Errorf("the farm's key has not signed this program: %w", err)
	}
	return nil
}
