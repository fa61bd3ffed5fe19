package fair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/lab/load"
	"quintet/serve/clock"
)

// attack is what an address does to a server: it makes games or studies, and then its clients do
// something again and again.
type attack struct {
	name    string
	makes   int // how many
	what    string
	of      load.Object
	clients int
	act     func(*attacker, context.Context, int) error
}

func attacks() []attack {
	engines := load.Object{"game": "chess", "private": true, "seats": load.Object{"first": "level:10", "second": "level:10"}}
	long := load.Object{"game": "othello", "options": game.Setup{"size": "26"}, "moves": longGame()}
	return []attack{
		{"pictures", 1, "games", long, 16, (*attacker).picture},
		{"states", 1, "games", long, 16, (*attacker).state},
		{"connections", 0, "", nil, 1500, (*attacker).connect},
		{"sockets", 1, "games", long, 1000, (*attacker).watch},
		{"engines", 60, "games", engines, 60, (*attacker).watch},
		{"unwatched", 60, "games", engines, 0, nil},
		{"planted", 104, "games", nil, 0, nil},
		{"studies", 139, "studies", largeStudy(), 16, (*attacker).read},
		{"writes", 4, "studies", largeStudy(), 4, (*attacker).write},
		{"slow", 0, "", nil, 800, (*attacker).dribble},
		{"readers", 0, "", nil, 100, (*attacker).stall},
		{"work", 0, "", nil, 8, (*attacker).work},
		{"class", 0, "", nil, 2, (*attacker).handIn},
		{"lesson", 0, "", nil, 4, (*attacker).lesson},
		{"logins", 0, "", nil, 1000, (*attacker).guess},
	}
}

// longPlies is the length of a long game.
const longPlies = 600

func longGame() []string { return randomLine("othello", game.Setup{"size": "26"}, nil, longPlies, 1) }

// longComment is the longest comment.
func longComment() string { return strings.Repeat("x", 2000) }

// largeStudy returns a study about as large as one request can make.
func largeStudy() load.Object {
	moves := longGame()
	for i := range 115 {
		moves[i] += " {" + longComment() + "}"
	}
	return load.Object{"record": "[Game \"othello\"]\n[Setup \"size=26\"]\n\n" + strings.Join(moves, " ")}
}

func names() (list []string) {
	for _, a := range attacks() {
		list = append(list, a.name)
	}
	return list
}

// attacker is the address that attacks.
type attacker struct {
	url    string
	client *load.Client
	made   []created // games or studies

	mu      sync.Mutex     // guards the rest
	answers map[string]int // of the server
	class   class
	due     time.Time // the next program of a lesson
}

// begin lets all clients of an attack act until the caller calls pause.
func (a *attacker) begin(ctx context.Context, k attack) (pause func(), err error) {
	for i := len(a.made); i < k.makes; i++ {
		var c created
		if k.name == "planted" {
			c, err = a.plant(ctx, i)
		} else {
			err = a.post(ctx, "/api/"+k.what, "", k.of, &c)
		}
		if err != nil {
			return nil, fmt.Errorf("preparing the attack: %w", err)
		}
		a.made = append(a.made, c)
	}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for client := range k.clients {
		all.Go(func() {
			for ctx.Err() == nil {
				if a.count(ctx, k.act(a, ctx, client)) != nil {
					clock.Sleep(ctx, 5*time.Second) // floods of refused requests are not measured here
				}
			}
		})
	}
	return func() { cancel(); all.Wait() }, nil
}

// count counts an answer, unless the phase has ended meanwhile, and returns its error.
func (a *attacker) count(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	text := "done"
	if s, ok := errors.AsType[*load.StatusError](err); ok {
		text = strconv.Itoa(s.Status)
	} else if err != nil {
		text = "failed"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[text]++
	return err
}

// post repeats a POST request until the limits allow it.
func (a *attacker) post(ctx context.Context, path, token string, in, out any) error {
	for {
		err := a.count(ctx, a.client.Post(ctx, a.url+path, token, in, out))
		if s, ok := errors.AsType[*load.StatusError](err); !ok || s.Status != http.StatusTooManyRequests || ctx.Err() != nil {
			return err
		}
		clock.Sleep(ctx, 100*time.Millisecond)
	}
}

// game returns the address of one of the games.
func (a *attacker) game(n int, rest string) string {
	g := a.made[n%len(a.made)]
	return a.url + "/api/games/" + g.ID + rest + "?key=" + g.Key
}

// picture asks for a random picture of a game that has more than the server caches.
func (a *attacker) picture(ctx context.Context, _ int) error {
	return a.client.Read(ctx, a.game(0, "/board.png")+fmt.Sprint("&ply=", rand.IntN(longPlies)))
}

// state reads a game.
func (a *attacker) state(ctx context.Context, client int) error {
	return a.client.Read(ctx, a.game(client, ""))
}

// watch reads the socket of a game.
func (a *attacker) watch(ctx context.Context, client int) error {
	conn, err := a.client.Socket(ctx, a.game(client, "/socket"), "")
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }() // the server may have closed it
	for err == nil {
		_, _, err = conn.Read(ctx)
	}
	return err
}

// stall holds a socket of somebody's game without reading it.
func (a *attacker) stall(ctx context.Context, client int) error {
	var list struct{ Games []struct{ ID string } }
	if err := a.client.Get(ctx, a.url+"/api/games?state=live", &list); err != nil || len(list.Games) == 0 {
		return err
	}
	conn, err := a.client.Socket(ctx, a.url+"/api/games/"+list.Games[client%len(list.Games)].ID+"/socket?board=1", "")
	if err != nil {
		return err
	}
	clock.Sleep(ctx, time.Minute)
	return conn.CloseNow()
}

// connect holds a connection that has sent a request.
func (a *attacker) connect(ctx context.Context, _ int) error {
	return a.raw(ctx, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "")
}

// dribble sends a request at one byte a second.
func (a *attacker) dribble(ctx context.Context, client int) error {
	if client%2 == 0 {
		return a.raw(ctx, "GET /api/games HTTP/1.1\r\nX-Slow: ", "x")
	}
	return a.raw(ctx, "POST /api/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n{", " ")
}

// raw sends a text, and another each second, until the server closes the connection.
func (a *attacker) raw(ctx context.Context, text, more string) error {
	c, err := newDialer(0, 66).DialContext(ctx, "tcp", strings.TrimPrefix(a.url, "http://"))
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	for ; ctx.Err() == nil; text = more {
		if _, err := io.WriteString(c, text); err != nil {
			return err
		}
		if more != "" {
			_ = c.SetReadDeadline(time.Now().Add(time.Second)) // a TCP connection has deadlines
		}
		if _, err := io.Copy(io.Discard, c); !errors.Is(err, os.ErrDeadlineExceeded) {
			return errors.New("the server has closed the connection")
		}
	}
	return nil
}

// plant opens a game that begins like those that others have reviewed, and plays on in it.
func (a *attacker) plant(ctx context.Context, number int) (g created, err error) {
	moves := reviewed()
	begin := 1 + number%(len(moves)-1)
	err = a.post(ctx, "/api/games", "", load.Object{"game": "chess", "moves": moves[:begin], "private": number%2 == 0, "as": "first"}, &g)
	second := created{}
	if err == nil {
		err = a.post(ctx, "/api/games/"+g.ID+"/seats/second?key="+g.Key, "", load.Object{}, &second)
	}
	for ply := begin; ply < len(moves) && err == nil; ply++ {
		err = a.post(ctx, "/api/games/"+g.ID+"/moves", []string{g.Token, second.Token}[ply%2], load.Object{"move": moves[ply]}, &struct{}{})
	}
	return g, err
}

// read reads one of the studies.
func (a *attacker) read(ctx context.Context, _ int) error {
	return a.client.Read(ctx, a.url+"/api/studies/"+a.made[rand.IntN(len(a.made))].ID)
}

// write writes comments into a study until it is full, and then into another.
func (a *attacker) write(ctx context.Context, client int) error {
	for after := 0; ; after++ {
		var edits []load.Object
		for i := range 30 {
			edits = append(edits, load.Object{"do": "comment", "id": fmt.Sprint("m", 30*(after%20)+i+1), "text": longComment()[after:]})
		}
		s := a.made[client]
		if a.post(ctx, "/api/studies/"+s.ID+"/edits", s.Key, load.Object{"after": after, "edits": edits}, &struct{}{}) != nil {
			return a.post(ctx, "/api/studies", "", largeStudy(), &a.made[client])
		}
	}
}

// work asks the server to review or analyze a game.
func (a *attacker) work(ctx context.Context, client int) error {
	in, made := load.Object{"game": "chess", "moves": randomLine("chess", nil, nil, 30, rand.Uint64())}, created{}
	if client%2 == 0 {
		in["lines"] = 3
		return a.client.Post(ctx, a.url+"/api/analysis/lines", "", in, &made) // until there are no more lines
	}
	if err := a.client.Post(ctx, a.url+"/api/reviews", "", in, &made); err != nil {
		return err
	}
	return a.client.Read(ctx, a.url+"/api/reviews/"+made.ID+"/events")
}

// guess tries a wrong password of somebody's account every 5 s. Half of the clients have the address of the attacker, and
// the others have a hundred addresses.
func (a *attacker) guess(ctx context.Context, client int) error {
	from := a.client
	if client%2 == 1 {
		from = newClient(1, 66, byte(client/2%100))
		defer from.Close()
	}
	const every = 5 * time.Second
	for clock.Sleep(ctx, time.Duration(client)*every/1000); ctx.Err() == nil; clock.Sleep(ctx, every) {
		_ = a.count(ctx, from.Post(ctx, a.url+"/api/sessions", "", load.Object{"name": visitor, "password": "wrong horse"}, &struct{}{}))
	}
	return ctx.Err()
}

// reviewed returns the first moves of the games that others have reviewed: too few for the server to
// refuse them as positions of games in progress.
func reviewed() []string { return randomLine("chess", nil, nil, 7, 1) }

// randomLine returns a line of a game that begins with some moves and continues at random.
func randomLine(name string, options game.Setup, begin []string, plies int, seed uint64) []string {
	g, _ := games.ByName(name) // all names, settings and moves here are right
	p, _ := g.Start(options)
	_, _ = game.PlayTexts(p, begin)
	moves, random := slices.Clone(begin), rand.NewPCG(seed, 1)
	for len(moves) < plies && !p.Result().Over() {
		mv := game.Sample(p, random, nil)
		moves = append(moves, p.Format(mv))
		p.Play(mv)
	}
	return moves
}
