package natsrpc

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"quintet/engine/remote/workers"
	"quintet/farm/judging"
	livejet "quintet/live/jet"
)

// Bounds of what a connection may use.
const (
	maxPayload     = 1 << 20
	maxConnections = 20_000
	maxSubjects    = 16               // that a connection may listen to
	maxPending     = 8 << 20          // bytes that wait for a slow reader
	authTimeout    = 10 * time.Second // machines at full load are slow
)

// Server is a NATS server inside the process, with JetStream.
type Server struct {
	server *server.Server
	keys   *Keys
}

// TLS names the files of a certificate and its key, in PEM. Without them connections are not
// encrypted.
type TLS struct{ Cert, Key string }

// config returns the configuration, or nil without a certificate.
func (t TLS) config() (*tls.Config, error) {
	if t.Cert == "" && t.Key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// tlsTimeout is how long a handshake may take.
const tlsTimeout = 10 * time.Second

// Listen starts a server for owners of authorized keys. It stores the streams in a folder.
func Listen(addr, dir string, keys *Keys, certificate TLS, logger *slog.Logger) (*Server, error) {
	host, portText, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen %q: expected an address such as :7420", addr)
	}
	port, err := strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("listen %q: expected a port from 0 to 65535", addr)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if err := free(addr); err != nil {
		return nil, err
	}
	encryption, err := certificate.config()
	if err != nil {
		return nil, err
	}
	o := &server.Options{
		ServerName: "quintet-farm", Host: host, Port: port, NoSigs: true, JetStream: true, StoreDir: dir, SyncAlways: true,
		JetStreamMaxStore: math.MaxInt64, MaxPayload: maxPayload, MaxConn: maxConnections, MaxSubs: maxSubjects, MaxPending: maxPending,
		AlwaysEnableNonce: true, AuthTimeout: authTimeout.Seconds(), CustomClientAuthentication: &authenticator{keys},
		TLSConfig: encryption, TLSTimeout: tlsTimeout.Seconds(),
	}
	s, err := livejet.StartServer(o, logger)
	if err != nil {
		return nil, fmt.Errorf("listening at %s: %w", addr, err)
	}
	return &Server{s, keys}, nil
}

// free returns an error if another program listens at an address. The NATS server would end this
// process then.
func free(addr string) error {
	l, err := net.Listen("tcp", addr) //nolint:noctx // it is closed at once
	if err != nil {
		return fmt.Errorf("listening at %s: %w", addr, err)
	}
	return wrap("listening at "+addr, l.Close())
}

// Addr returns the address at which the server listens.
func (s *Server) Addr() net.Addr { return s.server.Addr() }

// Connect connects this process, with all permissions.
func (s *Server) Connect() (*nats.Conn, error) {
	conn, err := nats.Connect("", nats.InProcessServer(s.server), nats.Name("coordinator"), nats.Nkey(s.keys.public, s.keys.own.Sign), nats.MaxReconnects(-1))
	return conn, wrap("connecting to the farm's streams", err)
}

// revokeInterval is how often the list of keys is read.
const revokeInterval = 2 * time.Second

// Revoke disconnects owners of keys that were removed from the list, until the context ends.
func (s *Server) Revoke(ctx context.Context) {
	ticks := time.NewTicker(revokeInterval)
	defer ticks.Stop()
	for last := s.keys.stamp(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if now := s.keys.stamp(); now != last {
			last = now
			s.disconnectRevoked()
		}
	}
}

// disconnectRevoked disconnects owners of keys that are not authorized.
func (s *Server) disconnectRevoked() {
	list, err := s.server.Connz(&server.ConnzOptions{Username: true, Limit: maxConnections})
	if err != nil {
		return // the server is stopping
	}
	for _, c := range list.Conns {
		if _, ok := s.keys.Role(c.AuthorizedUser); !ok && c.AuthorizedUser != s.keys.public && c.AuthorizedUser != coordinatorUser {
			_ = s.server.DisconnectClientByID(c.Cid) // it may be gone
		}
	}
}

// coordinatorUser is the name of this process.
const coordinatorUser = "coordinator"

// Close stops the server.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// authenticator accepts owners of authorized keys.
type authenticator struct{ keys *Keys }

// Check implements server.Authentication.
func (a *authenticator) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	if verify(o.Nkey, o.Sig, c.GetNonce()) != nil {
		return false
	}
	if o.Nkey == a.keys.public {
		c.RegisterUser(&server.User{Username: coordinatorUser})
		return true
	}
	role, ok := a.keys.Role(o.Nkey)
	if !ok {
		return false
	}
	c.RegisterUser(&server.User{Username: o.Nkey, Permissions: permissions(role, o.Nkey)})
	return true
}

// verify checks that the owner of a public key has signed a nonce.
func verify(public, signature string, nonce []byte) error {
	if len(nonce) == 0 || !nkeys.IsValidPublicUserKey(public) {
		return errors.New("expected a key")
	}
	sig, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(signature, "="))
	if err != nil {
		return err
	}
	key, err := nkeys.FromPublicKey(public)
	if err != nil {
		return err
	}
	return key.Verify(nonce, sig)
}

// permissions returns what a key may publish and listen to: its own requests, their
// answers, and notices to all workers.
func permissions(role Role, public string) *server.Permissions {
	p := &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{prefix(role) + "." + public + ".*"}},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(public) + ".>", noticeSubject}},
	}
	switch role {
	case RoleClient:
		p.Publish.Allow = append(append(p.Publish.Allow, workers.ClientSubjects(public)...), judging.ClientSubjects(public)...)
	case RoleLive:
		p.Subscribe.Allow = append(append(p.Subscribe.Allow, workers.WorkerSubjects()...), judging.WorkerSubjects()...)
		p.Response = &server.ResponsePermission{MaxMsgs: workers.MaxAnswers, Expires: workers.AnswersTime}
	}
	return p
}

// Subjects. The second token is the role, the third the key, the fourth the request.
const noticeSubject = "farm.notice" // the identifier of a job that has ended, or ""

func prefix(role Role) string {
	if role == RoleClient {
		return "farm.c"
	}
	return "farm.w"
}

func inbox(public string) string { return "_INBOX_" + public }
