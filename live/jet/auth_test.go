package jet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestAuth lists what credentials come to, and wants no error to have what is in them.
func TestAuth(t *testing.T) {
	const jwt = "-----BEGIN NATS USER JWT-----\nhunter2\n------END NATS USER JWT------\n"
	for _, c := range []struct{ text, user, password, want string }{
		{"app:hunter2\n", "app", "hunter2", ""},
		{"app:hun:ter2", "app", "hun:ter2", ""},
		{jwt, "", "", ""},
		{"", "", "", "want a .creds file"},
		{"hunter2", "", "", "want a .creds file"},
		{":hunter2", "", "", "want a .creds file"},
		{"app:hunter2\nsys:hunter2\n", "", "", "want a .creds file"},
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

// TestNoPasswordInErrors wants no error of a connection to show a password.
func TestNoPasswordInErrors(t *testing.T) {
	for _, url := range []string{"nats://app:hunter2@127.0.0.1:1", "nats://app:hunter2%zz@n1", "nats://app:a@hunter2 b@n1:x", "nats://a:hunter2@[::1,nats://b:hunter2@n2:y"} {
		_, err := dial(url, Auth{})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want an error without the password", url, err)
		}
	}
}
