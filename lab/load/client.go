package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"time"

	"github.com/coder/websocket"

	"quintet/game"
	"quintet/games"
)

// Client speaks the HTTP API of servers.
type Client struct{ http *http.Client }

// NewClient returns a client that keeps up to the given number of idle connections to a
// server and gives up requests after the timeout.
func NewClient(conns int, timeout time.Duration) *Client {
	return &Client{&http.Client{
		Timeout:   timeout,
		Transport: &http.Transport{MaxIdleConnsPerHost: conns, IdleConnTimeout: 3 * time.Second},
	}}
}

// From lets the client connect with a function like net.Dialer.DialContext. It returns the client.
func (c *Client) From(dial func(ctx context.Context, network, address string) (net.Conn, error)) *Client {
	if t, ok := c.http.Transport.(*http.Transport); ok {
		t.DialContext = dial
	}
	return c
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Object is a JSON object.
type Object map[string]any

// StatusError is an answer with a status of 300 or more.
type StatusError struct {
	Status int
	text   string
}

// Error returns the request, the status and the body of the answer.
func (e *StatusError) Error() string { return e.text }

// Get sends a GET request and decodes the answer into out. Its error is a
// *StatusError if the server refused.
func (c *Client) Get(ctx context.Context, url string, out any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	return c.send(r, "", out)
}

// GetAs is Get with the token of a session.
func (c *Client) GetAs(ctx context.Context, url, token string, out any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return fmt.Errorf("a request: %w", err)
	}
	return c.send(r, token, out)
}

// Post sends a POST request as Get does, with the token of a seat unless that is
// empty.
func (c *Client) Post(ctx context.Context, url, token string, in, out any) error {
	return c.PostOnce(ctx, url, token, "", in, out)
}

// PostOnce is Post with an idempotency key: a server that has handled the request
// before gives the same answer again.
func (c *Client) PostOnce(ctx context.Context, url, token, key string, in, out any) error {
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	return c.send(r, token, out)
}

// Guest returns a client on the same connections with cookies of its own.
func (c *Client) Guest() *Client {
	jar, _ := cookiejar.New(nil) // it never fails
	return &Client{&http.Client{Timeout: c.http.Timeout, Transport: c.http.Transport, Jar: jar}}
}

// Read sends a GET request, reads the answer to its end, however long that takes, and drops it.
func (c *Client) Read(ctx context.Context, url string) error {
	body, err := c.stream(ctx, url, "gzip") // as browsers do; then nothing unpacks it
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	_, err = io.Copy(io.Discard, body)
	return err
}

// Lines sends a GET request and calls take with each line of the answer, until that or the context ends.
func (c *Client) Lines(ctx context.Context, url string, take func(line []byte)) error {
	body, err := c.stream(ctx, url, "identity")
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		take(lines.Bytes())
	}
	return lines.Err()
}

// stream sends a GET request without a timeout, and returns the body of the answer.
func (c *Client) stream(ctx context.Context, url, encoding string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", encoding)
	streams := *c.http
	streams.Timeout = 0
	got, err := streams.Do(r)
	if err != nil {
		return nil, err
	}
	if got.StatusCode >= http.StatusMultipleChoices {
		_ = got.Body.Close()
		return nil, &StatusError{got.StatusCode, fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, got.Status)}
	}
	return got.Body, nil
}

// Socket opens a WebSocket, with the token of a seat unless that is empty.
func (c *Client) Socket(ctx context.Context, url, token string) (*websocket.Conn, error) {
	o := websocket.DialOptions{HTTPClient: c.http, HTTPHeader: http.Header{}}
	if token != "" {
		o.HTTPHeader.Set("Authorization", "Bearer "+token)
	}
	conn, got, err := websocket.Dial(ctx, url, &o) //nolint:bodyclose // the library closes it
	switch {
	case err != nil && got != nil && got.StatusCode >= http.StatusMultipleChoices:
		return nil, &StatusError{got.StatusCode, err.Error()}
	case err != nil:
		return nil, fmt.Errorf("connecting a socket: %w", err)
	}
	conn.SetReadLimit(1 << 20)
	return conn, nil
}

func (c *Client) send(r *http.Request, token string, out any) error {
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	got, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	if got.StatusCode >= http.StatusMultipleChoices {
		return &StatusError{got.StatusCode, fmt.Sprintf("%s %s: %s: %s", r.Method, r.URL.Path, got.Status, bytes.TrimSpace(body))}
	}
	return json.Unmarshal(body, out)
}

// Game is a game on a server, both seats of which the caller holds.
type Game struct {
	ID     string
	Tokens [2]string // of the seats
	Match  *game.Match
}

// The clock of games that OpenGame opens, in seconds.
const (
	MainTime  = 3600
	Increment = 5
)

// OpenGame opens a game and takes both seats. The number picks which of the games
// it is, in turn.
func (c *Client) OpenGame(ctx context.Context, url string, number int) (g Game, err error) {
	all := games.All()
	kind := all[number%len(all)]
	start, err := kind.Start(nil)
	if err != nil {
		return g, err
	}
	base := url + "/api/games"
	var made struct{ ID, Token string }
	in := Object{"game": kind.Name, "as": "first", "name": fmt.Sprintf("load %d", number), "clock": Object{"main": MainTime, "increment": Increment}}
	if err := c.Post(ctx, base, "", in, &made); err != nil {
		return g, err
	}
	var seat struct{ Token string }
	if err := c.Post(ctx, base+"/"+made.ID+"/seats/second", "", Object{"name": "load"}, &seat); err != nil {
		return g, err
	}
	return Game{made.ID, [2]string{made.Token, seat.Token}, game.NewMatch(kind, start)}, nil
}

// OpenArena makes an arena of games of Othello, for up to most players, with some seconds a side. start starts it.
func (c *Client) OpenArena(ctx context.Context, url string, most, seconds int) (path string, start func() error, err error) {
	var host struct{ Token string }
	var made struct{ ID string }
	in := Object{"title": "Arena", "form": "arena", "minutes": 360, "most": most, "games": []Object{{"game": "othello"}}, "clock": Object{"main": seconds}}
	if err = c.Post(ctx, url+"/api/accounts", "", Object{"name": "Olga " + rand.Text()[:8], "password": "correct horse"}, &host); err == nil {
		err = c.Post(ctx, url+"/api/tournaments", host.Token, in, &made)
	}
	path = "/api/tournaments/" + made.ID
	return path, func() error { return c.Post(ctx, url+path+"/start", host.Token, Object{}, &struct{}{}) }, err
}

// TourLine is a line of the stream of a tournament: a "change", or the next "game" of a player.
type TourLine struct {
	Kind     string
	Events   int    // of the tournament, of a change
	ID, Side string // of a game
}
