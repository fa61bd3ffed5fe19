package proxy_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"quintet/lab/chaos/proxy"
)

// echo starts a server that sends back what it is sent.
func echo(t *testing.T) string {
	t.Helper()
	var listen net.ListenConfig
	l, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				_, _ = io.Copy(conn, conn)
			}()
		}
	}()
	return l.Addr().String()
}

func start(t *testing.T) *proxy.Proxy {
	t.Helper()
	p, err := proxy.Listen(t.Context(), "127.0.0.1:0", echo(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func dial(t *testing.T, p *proxy.Proxy) net.Conn {
	t.Helper()
	conn, err := try(t, p)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func try(t *testing.T, p *proxy.Proxy) (net.Conn, error) {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", p.Address())
	if err == nil {
		t.Cleanup(func() { _ = conn.Close() })
	}
	return conn, err
}

// says sends a text and returns what comes back within a time.
func says(t *testing.T, conn net.Conn, text string, within time.Duration) (string, error) {
	t.Helper()
	if _, err := conn.Write([]byte(text)); err != nil {
		return "", err
	}
	return hears(conn, len(text), within)
}

func hears(conn net.Conn, n int, within time.Duration) (string, error) {
	if err := conn.SetReadDeadline(time.Now().Add(within)); err != nil {
		return "", err
	}
	data := make([]byte, n)
	_, err := io.ReadFull(conn, data)
	return string(data), err
}

const (
	soon = 50 * time.Millisecond
	late = time.Minute // for a machine that is busy: only a fault waits so long
)

func TestWhole(t *testing.T) {
	conn := dial(t, start(t))
	if got, err := says(t, conn, "hello", late); got != "hello" || err != nil {
		t.Errorf("%q comes back, %v", got, err)
	}
}

// TestEnds checks that Cut and Reset close connections and refuse new ones.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		kind proxy.Kind
		want error
	}{{proxy.Cut, io.EOF}, {proxy.Reset, syscall.ECONNRESET}} {
		t.Run(fmt.Sprint("kind ", int(c.kind)), func(t *testing.T) {
			p := start(t)
			conn := dial(t, p)
			if _, err := says(t, conn, "hello", late); err != nil {
				t.Fatal(err)
			}
			p.Set(proxy.Fault{Kind: c.kind})
			if _, err := hears(conn, 1, late); !errors.Is(err, c.want) {
				t.Errorf("the connection ends with %v, want %v", err, c.want)
			}
			fresh, err := try(t, p) // it may end before this side knows of it
			if err == nil {
				_, err = hears(fresh, 1, late)
			}
			if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("a new connection: %v, want it ended", err)
			}
			p.Set(proxy.Fault{})
			if got, err := says(t, dial(t, p), "again", late); got != "again" || err != nil {
				t.Errorf("when it is whole again, %q comes back, %v", got, err)
			}
		})
	}
}

// TestStall checks that data held back in either direction arrives when the fault ends.
func TestStall(t *testing.T) {
	for name, way := range map[string]proxy.Way{"both": proxy.Both, "there": proxy.There, "back": proxy.Back} {
		t.Run(name, func(t *testing.T) {
			p := start(t)
			old := dial(t, p)
			if _, err := says(t, old, "hello", late); err != nil {
				t.Fatal(err)
			}
			p.Set(proxy.Fault{Kind: proxy.Stall, Way: way})
			fresh := dial(t, p)
			for _, conn := range []net.Conn{old, fresh} {
				if got, err := says(t, conn, "held", soon); !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("%q comes through a stalled way, %v", got, err)
				}
			}
			p.Set(proxy.Fault{})
			for _, conn := range []net.Conn{old, fresh} {
				if got, err := hears(conn, 4, late); got != "held" || err != nil {
					t.Errorf("then %q comes, %v", got, err)
				}
			}
		})
	}
}

// TestOneWay checks that one direction works while the other is stalled.
func TestOneWay(t *testing.T) {
	var listen net.ListenConfig
	l, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	p, err := proxy.Listen(t.Context(), "127.0.0.1:0", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	near := dial(t, p)
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = far.Close() }()
	for _, c := range []struct {
		way      proxy.Way
		from, to net.Conn // that is whole
	}{{proxy.There, far, near}, {proxy.Back, near, far}} {
		p.Set(proxy.Fault{Kind: proxy.Stall, Way: c.way})
		if _, err := c.from.Write([]byte("whole")); err != nil {
			t.Fatal(err)
		}
		if got, err := hears(c.to, 5, late); got != "whole" || err != nil {
			t.Errorf("the other direction: %q, %v", got, err)
		}
	}
}

// TestDelay checks that all data is later by the same time, and in order: if each piece
// waited for the one before it, they would take 20 times as long.
func TestDelay(t *testing.T) {
	p := start(t)
	conn := dial(t, p)
	const delay = time.Second
	p.Set(proxy.Fault{Kind: proxy.Delay, Way: proxy.There, By: delay})
	began := time.Now()
	for range 20 {
		if _, err := conn.Write([]byte("0123456789")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond) // so that they are pieces
	}
	text, err := hears(conn, 200, late)
	if took := time.Since(began); err != nil || took < delay || took >= 20*delay {
		t.Errorf("200 bytes take %s, %v, want %s more than without", took, err, delay)
	}
	for i := range text {
		if text[i] != byte('0'+i%10) {
			t.Fatalf("out of order: %q", text)
		}
	}
}

// TestClose checks that a proxy can be closed while connections hang in it.
func TestClose(t *testing.T) {
	p, err := proxy.Listen(context.Background(), "127.0.0.1:0", echo(t))
	if err != nil {
		t.Fatal(err)
	}
	conn := dial(t, p)
	p.Set(proxy.Fault{Kind: proxy.Stall})
	if _, err := conn.Write([]byte("held")); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := hears(conn, 1, late); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection: %v, want it ended", err)
	}
}
