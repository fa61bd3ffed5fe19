// Package remote asks a server of Quintet through its API: requests, streams, and tournaments with their games. The
// commands of tournaments and the terminal share it.
//
// Start with a [Client]. What a server sends may be anything: texts are escaped or cleaned where they are shown, and a
// game is played through by the rules.
package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxAnswer is the size in bytes of the largest answer in JSON, or line of a stream, that is read.
const maxAnswer = 4 << 20

// Times that a server may take, and until Follow tries again.
const (
	answerTimeout  = 30 * time.Second
	silenceTimeout = time.Minute // of a stream, which has beats
	firstRetry     = time.Second // doubled up to lastRetry while the server fails
	lastRetry      = 30 * time.Second
)

// Client sends requests to the API of a server.
type Client struct {
	Base  string // its address
	Token string // of an account; "" for a guest
}

// Open sends a request and returns the body of the answer, which the caller closes. The error has the server's reason.
func (c Client) Open(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, fmt.Errorf("encoding the request: %w", err)
		}
	}
	q, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.Base, "/")+path, bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("calling the server: %w", err)
	}
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		q.Header.Set("Authorization", "Bearer "+c.Token)
	}
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, fmt.Errorf("calling the server: %w", err)
	}
	if got.StatusCode/100 == 2 {
		return got.Body, nil
	}
	defer func() { _ = got.Body.Close() }()
	var problem struct{ Error string }
	if err := json.NewDecoder(io.LimitReader(got.Body, maxAnswer)).Decode(&problem); err != nil || problem.Error == "" {
		return nil, fmt.Errorf("the server answered %s", got.Status)
	}
	return nil, fmt.Errorf("the server rejected the request: %.300s", problem.Error)
}

// Ask sends a request and decodes the answer.
func (c Client) Ask(ctx context.Context, method, path string, body, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	in, err := c.Open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if err := json.NewDecoder(io.LimitReader(in, maxAnswer)).Decode(answer); err != nil {
		return fmt.Errorf("reading the server's answer: %w", err)
	}
	return nil
}

// Lines calls do with each line of a stream except beats, until do returns false. The error says why the stream ended
// before.
func (c Client) Lines(ctx context.Context, path string, do func(line []byte) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(silenceTimeout, cancel)
	defer silence.Stop()
	in, err := c.Open(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		silence.Reset(silenceTimeout)
		if !bytes.Contains(lines.Bytes(), []byte(`"kind":"beat"`)) && !do(lines.Bytes()) {
			return nil
		}
	}
	return errors.Join(errors.New("connection lost: run the command again"), lines.Err())
}

// Follow calls look at once and after each line of the stream that it returned last. It tries again when the
// connection is lost or look fails, until look returns "" without an error or the context ends.
func (c Client) Follow(ctx context.Context, look func() (stream string, err error)) {
	for wait := firstRetry; ctx.Err() == nil; wait = min(2*wait, lastRetry) {
		stream, err := look()
		if stream != "" {
			wait = firstRetry
			_ = c.Lines(ctx, stream, func([]byte) bool { // look reports what is wrong with the server
				stream, err = look()
				return stream != ""
			})
		}
		if stream == "" && err == nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// TournamentPath returns the address in the API of a tournament, which is named by its identifier or its page.
func TournamentPath(name string) string {
	name, _, _ = strings.Cut(name, "?")
	return "/api/tournaments/" + url.PathEscape(name[strings.LastIndexByte(name, '/')+1:])
}

// Tournament is what commands and screens show of a tournament: docs/api.md has all of it.
type Tournament struct {
	ID        string  `json:"id"`
	Title     string  `json:"title"`
	Form      string  `json:"form"`
	Phase     string  `json:"phase"`
	Players   int     `json:"players"`
	Round     int     `json:"round"`
	Running   int     `json:"running"`
	Now       string  `json:"now,omitempty"`
	Next      string  `json:"next,omitempty"`
	Code      bool    `json:"code,omitempty"`
	You       *You    `json:"you,omitempty"`
	Standings []Row   `json:"standings,omitempty"`
	Boards    []Board `json:"boards,omitempty"`
}

// Row is a row of the standings.
type Row struct {
	Rank      int     `json:"rank"`
	Player    int     `json:"player"`
	Name      string  `json:"name"`
	Rating    int     `json:"rating"`
	Points    float64 `json:"points"`
	Wins      int     `json:"wins"`
	Draws     int     `json:"draws"`
	Losses    int     `json:"losses"`
	Withdrawn bool    `json:"withdrawn,omitempty"`
}

// You is the player of the client.
type You struct {
	Row

	Game *Board `json:"game"` // that the player plays now; nil for none
}

// Board is a game of a tournament.
type Board struct {
	ID     string                         `json:"id"`
	Game   string                         `json:"game"`
	Names  struct{ First, Second string } `json:"names"`
	Result string                         `json:"result"`
}

// Series is the table of the tournaments that share a name.
type Series struct {
	Name        string       `json:"name"`
	Tournaments []Tournament `json:"tournaments"`
	Standings   []struct {
		Rank   int     `json:"rank"`
		Name   string  `json:"name"`
		Points float64 `json:"points"`
		Played int     `json:"played"`
		Won    int     `json:"won"`
		Best   int     `json:"best"`
	} `json:"standings"`
}

// Left returns the time until something happens by itself; ok is false if nothing is planned.
func (t Tournament) Left() (d time.Duration, ok bool) {
	now, err := time.Parse(time.RFC3339, t.Now)
	next, err2 := time.Parse(time.RFC3339, t.Next)
	return max(next.Sub(now), 0), err == nil && err2 == nil
}
