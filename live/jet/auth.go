package jet

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go"
)

// Auth holds credentials for a NATS cluster, in addition to those in the address. The zero
// value adds none.
type Auth struct {
	Creds          string // a file: credentials of NATS (.creds), or one line USER:PASSWORD
	User, Password string
}

// options returns the options of a connection. Its errors never quote the file.
func (a Auth) options() ([]nats.Option, error) {
	if a.Creds == "" {
		if a.User == "" {
			return nil, nil
		}
		return []nats.Option{nats.UserInfo(a.User, a.Password)}, nil
	}
	text, err := os.ReadFile(a.Creds)
	if err != nil {
		return nil, fmt.Errorf("reading the credentials: %w", err)
	}
	if strings.Contains(string(text), "-----BEGIN NATS USER JWT-----") {
		return []nats.Option{nats.UserCredentials(a.Creds)}, nil // read again at every reconnect
	}
	line := strings.TrimRight(string(text), "\r\n")
	user, password, ok := strings.Cut(line, ":")
	if !ok || user == "" || strings.ContainsAny(line, "\r\n") {
		return nil, fmt.Errorf("the credentials in %s: expected a .creds file of NATS, or one line USER:PASSWORD", a.Creds)
	}
	return []nats.Option{nats.UserInfo(user, password)}, nil
}

// Dial connects to the servers of an address. Its errors contain no passwords.
func Dial(url string, a Auth, o ...nats.Option) (*nats.Conn, error) {
	more, err := a.options()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(url, append(o, more...)...)
	return conn, redacted(err)
}

// redacted removes users and passwords from the addresses in an error. A password may
// contain any character, so it removes everything up to the last @.
func redacted(err error) error {
	if err == nil || !strings.Contains(err.Error(), "@") {
		return err
	}
	return errors.New(regexp.MustCompile(`(?s)://.*@`).ReplaceAllString(err.Error(), "://***@"))
}
