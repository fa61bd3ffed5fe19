package coordinator_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/natsrpc"
	"quintet/lab/await"
)

// TestProgram checks that workers receive the coordinator's program, and reject one
// without the farm's signature.
func TestProgram(t *testing.T) {
	content := bytes.Repeat([]byte("program "), farm.PartBytes/4)
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	b := build()
	sum := sha256.Sum256(content)
	b.SHA256 = hex.EncodeToString(sum[:])
	f := &site{t: t, dir: t.TempDir(), addr: "127.0.0.1:0"}
	f.c, err = coordinator.Start(t.Context(), coordinator.Config{Listen: f.addr, Data: f.dir, Build: b, Kinds: kinds(), Log: slog.New(slog.DiscardHandler), Executable: file})
	if err != nil {
		t.Fatal(err)
	}
	defer f.stop()
	f.addr = f.c.Addr().String()
	conn := f.dial(natsrpc.RoleWorker)
	var p farm.ProgramFile
	if err := conn.Ask(t.Context(), "program", farm.ProgramRequest{OS: b.OS, Arch: b.Arch}, &p); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Check(b.OS, b.Arch), conn.VerifyFarm(p.Statement(), p.Signature)); err != nil {
		t.Fatal(err)
	}
	part := func(ctx context.Context, offset int64) (part []byte, err error) {
		err = conn.Ask(ctx, "program", farm.ProgramRequest{OS: b.OS, Arch: b.Arch, Part: true, Offset: offset}, &part)
		return part, err
	}
	var got bytes.Buffer
	if err := p.Download(t.Context(), &got, part); err != nil || !bytes.Equal(got.Bytes(), content) {
		t.Errorf("%d bytes, %v: want %d", got.Len(), err, len(content))
	}
	for name, change := range map[string]func(p *farm.ProgramFile){
		"another system": func(p *farm.ProgramFile) { p.OS = "darwin" }, "too large": func(p *farm.ProgramFile) { p.Size = farm.MaxProgramBytes + 1 },
		"another size": func(p *farm.ProgramFile) { p.Size++ }, "another program": func(p *farm.ProgramFile) { p.SHA256 = "bb" },
	} {
		forged := p
		change(&forged)
		if conn.VerifyFarm(forged.Statement(), forged.Signature) == nil {
			t.Errorf("%s: the signature is accepted", name)
		}
		if forged.Check(b.OS, b.Arch) == nil && forged.Download(t.Context(), io.Discard, part) == nil {
			t.Errorf("%s: it is downloaded", name)
		}
	}
	for _, m := range []farm.ProgramRequest{
		{OS: "plan9", Arch: b.Arch}, {OS: b.OS, Arch: b.Arch, Part: true, Offset: -1}, {OS: b.OS, Arch: b.Arch, Part: true, Offset: p.Size},
	} {
		if err := conn.Ask(t.Context(), "program", m, nil); !farm.HasCode(err, farm.CodeInvalid) {
			t.Errorf("%+v: %v, want it refused", m, err)
		}
	}
	unnamed := filepath.Join(t.TempDir(), "unnamed.key")
	seed, err := os.ReadFile(f.key("worker"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(seed), "\n")
	if err := os.WriteFile(unnamed, []byte(first+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := natsrpc.Dial(natsrpc.RoleWorker, f.addr, unnamed, ""); err == nil || !strings.Contains(err.Error(), "is not a key") {
		t.Errorf("a key file that does not name the farm: %v", err)
	}
}

// TestRevoke checks that a connection ends when its key is revoked, and that others stay.
func TestRevoke(t *testing.T) {
	f := newSite(t)
	revoked, stays := f.dial(natsrpc.RoleWorker), f.dial(natsrpc.RoleClient)
	hello := farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 1}
	if err := revoked.Ask(t.Context(), "hello", hello, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(f.dir, "keys", "authorized")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kept := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.Contains(line, revoked.Key()) })
	if err := os.WriteFile(path, []byte(strings.Join(kept, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the end of the revoked key", func() bool { return revoked.Ask(t.Context(), "hello", hello, nil) != nil })
	if err := stays.Ask(t.Context(), "jobs", struct{}{}, nil); err != nil {
		t.Errorf("another key: %v", err)
	}
	if _, err := natsrpc.Dial(natsrpc.RoleWorker, f.addr, f.key("worker"), ""); err == nil {
		t.Error("the revoked key connects again")
	}
}

// TestTLS checks that connections are encrypted and that other certificates are rejected.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	certificate := selfSigned(t, dir)
	c, err := coordinator.Start(t.Context(), coordinator.Config{
		Listen: "127.0.0.1:0", Data: dir, TLS: certificate, Build: build(), Kinds: kinds(), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	key := filepath.Join(dir, "keys", "client.key")
	if _, err := natsrpc.Dial(natsrpc.RoleClient, "tls://"+c.Addr().String(), key, ""); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an untrusted certificate: %v", err)
	}
	if _, err := natsrpc.Dial(natsrpc.RoleClient, "nats://"+c.Addr().String(), key, ""); err == nil {
		t.Error("a connection without encryption: no error")
	}
	conn, err := natsrpc.Dial(natsrpc.RoleClient, "tls://"+c.Addr().String(), key, certificate.Cert)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Ask(t.Context(), "jobs", struct{}{}, nil); err != nil {
		t.Error(err)
	}
	missing := coordinator.Config{Listen: "127.0.0.1:0", Data: t.TempDir(), TLS: natsrpc.TLS{Cert: "nowhere", Key: "nowhere"}, Build: build(), Kinds: kinds()}
	if _, err := coordinator.Start(t.Context(), missing); err == nil || !strings.Contains(err.Error(), "reading the certificate") {
		t.Errorf("no certificate: %v", err)
	}
}

// selfSigned writes a certificate for this machine and its key.
func selfSigned(t *testing.T, dir string) natsrpc.TLS {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	files := natsrpc.TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	err = errors.Join(
		os.WriteFile(files.Cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600),
		os.WriteFile(files.Key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
