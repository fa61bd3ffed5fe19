package jet

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go"
)

// Auth is how a server proves to a NATS cluster who it is, beside what stands in the
// address. The zero value adds nothing.
type Auth struct {
	Creds          string // a file: credentials of NATS (.creds), or one line USER:PASSWORD
	User, Password string
}

// options returns the options of a connection. The error says what is wrong with the
// file, never what is in it.
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
		return []nats.Option{nats.UserCredentials(a.Creds)}, nil // it is read again when the connection is made again
	}
	line := strings.TrimRight(string(text), "\r\n")
	user, password, ok := strings.Cut(line, ":")
	if !ok || user == "" || strings.ContainsAny(line, "\r\n") {
		return nil, fmt.Errorf("the credentials in %s: want a .creds file of NATS, or one line USER:PASSWORD", a.Creds)
	}
	return []nats.Option{nats.UserInfo(user, password)}, nil
}

// Dial connects to the servers of an address. Its errors show no password.
func Dial(url string, a Auth, o ...nats.Option) (*nats.Conn, error) { return dial(url, a, o...) }

// dial connects to the servers of an address. What it says of failures has no password.
func dial(url string, a Auth, o ...nats.Option) (*nats.Conn, error) {
	more, err := a.options()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(url, append(o, more...)...)
	return conn, redacted(err)
}

// redacted returns an error without the user and the password of the addresses in it. A
// password may have any sign in it, so everything goes up to the last @.
func redacted(err error) error {
	if err == nil || !strings.Contains(err.Error(), "@") {
		return err
	}
	return errors.New(regexp.MustCompile(`(?s)://.*@`).ReplaceAllString(err.Error(), "://***@"))
}
