package jet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// TestAuth checks which credentials give which options, and that no error contains
// credentials.
func TestAuth(t *testing.T) {
	const jwt = "-----BEGIN NATS USER JWT-----\nhunter2\n------END NATS USER JWT------\n"
	for _, c := range []struct{ text, user, password, want string }{
		{"app:hunter2\n", "app", "hunter2", ""},
		{"app:hun:ter2", "app", "hun:ter2", ""},
		{jwt, "", "", ""},
		{"", "", "", "expected a .creds file"},
		{"hunter2", "", "", "expected a .creds file"},
		{":hunter2", "", "", "expected a .creds file"},
		{"app:hunter2\nsys:hunter2\n", "", "", "expected a .creds file"},
	} {
		path := filepath.Join(t.TempDir(), "creds")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := Auth{Creds: path, User: "other", Password: "other"}.options()
		var o nats.Options
		for _, option := range list {
			if err := option(&o); err != nil {
				t.Error(err)
			}
		}
		switch {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%q: %v, want an error that has %q", c.text, err, c.want)
		case c.want == "" && (err != nil || o.User != c.user || o.Password != c.password || (o.UserJWT != nil) != (c.text == jwt)):
			t.Errorf("%q: %v, user %q, password %q", c.text, err, o.User, o.Password)
		}
	}
	if _, err := (Auth{Creds: filepath.Join(t.TempDir(), "none")}).options(); err == nil {
		t.Error("a file that is not there is no error")
	}
}

// TestNoPasswordInErrors checks that no error of a connection contains a password.
func TestNoPasswordInErrors(t *testing.T) {
	for _, url := range []string{"nats://app:hunter2@127.0.0.1:1", "nats://app:hunter2%zz@n1", "nats://app:a@hunter2 b@n1:x", "nats://a:hunter2@[::1,nats://b:hunter2@n2:y"} {
		_, err := Dial(url, Auth{})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want an error without the password", url, err)
		}
	}
}

// TestUserCredentials connects to a NATS server that admits users by signed credentials:
// with its own .creds file, and not with one that another operator signed.
func TestUserCredentials(t *testing.T) {
	url, own := operatorServer(t)
	_, foreign := operatorServer(t)
	conn, err := Dial(url, Auth{Creds: own})
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	for what, a := range map[string]Auth{"credentials of another operator": {Creds: foreign}, "a password": {User: "app", Password: "hunter2"}, "nothing": {}} {
		if conn, err := Dial(url, a); err == nil {
			conn.Close()
			t.Errorf("%s: connected, want it refused", what)
		}
	}
}

// operatorServer starts a NATS server with an operator and one account, and returns its
// address and the .creds file of a user.
func operatorServer(t *testing.T) (url, creds string) {
	t.Helper()
	operator, operatorID := keys(t, nkeys.CreateOperator)
	account, accountID := keys(t, nkeys.CreateAccount)
	user, userID := keys(t, nkeys.CreateUser)
	encode := func(c jwt.Claims, by nkeys.KeyPair) string {
		token, err := c.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	resolver := new(server.MemAccResolver)
	if err := resolver.Store(accountID, encode(jwt.NewAccountClaims(accountID), operator)); err != nil {
		t.Fatal(err)
	}
	trusted, err := jwt.DecodeOperatorClaims(encode(jwt.NewOperatorClaims(operatorID), operator))
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, TrustedOperators: []*jwt.OperatorClaims{trusted}, AccountResolver: resolver})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server does not start")
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	data, err := jwt.FormatUserConfig(encode(jwt.NewUserClaims(userID), account), seed)
	if err != nil {
		t.Fatal(err)
	}
	creds = filepath.Join(t.TempDir(), "user.creds")
	if err := os.WriteFile(creds, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return s.ClientURL(), creds
}

// keys makes a pair of keys, and returns its public key as well.
func keys(t *testing.T, create func() (nkeys.KeyPair, error)) (pair nkeys.KeyPair, public string) {
	t.Helper()
	pair, err := create()
	if err != nil {
		t.Fatal(err)
	}
	if public, err = pair.PublicKey(); err != nil {
		t.Fatal(err)
	}
	return pair, public
}
