package protocol

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/protocol/program"
)

// Config configures Serve.
type Config struct {
	Game  game.Game
	Start game.Position // the position of "position startpos"

	// New returns a search with the given table size in MiB and number of threads.
	New func(megabytes, threads int) engine.Searcher

	// WithBook, if not nil, returns a search that plays the moves of an opening book: the
	// option OwnBook, which is on from the start if OwnBook is set.
	WithBook func(engine.Searcher) engine.Searcher
	OwnBook  bool
}

// Bounds of the options.
const (
	defaultHash  = 16
	maxHash      = 4096
	maxThreads   = 256
	maxNodesTime = 10_000_000
)

// Serve answers a client until it quits or the input ends. It answers an invalid
// command with an "info string" line and otherwise ignores it. The error is that of
// reading, writing or of the context.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	s := &server{config: c, dialect: UGI, hash: defaultHash, threads: 1, ownBook: c.OwnBook}
	s.match = game.NewMatch(c.Game, c.Start)
	s.newSearch()
	if err := s.Serve(ctx, in, out, func(line string) bool { return s.handleLine(ctx, strings.Fields(line)) }); err != nil {
		return fmt.Errorf("serving %s: %w", s.dialect.Name, err)
	}
	return nil
}

// server is one session. Its goroutine reads commands; a search runs in a goroutine
// of its own, and Stop waits for it.
type server struct {
	program.Session
	config        Config
	dialect       Dialect
	hash, threads int
	ownBook       bool
	nodesTime     uint64 // nodes that count as a millisecond; 0 for real time
	search        engine.Searcher
	match         *game.Match

	ponderHit context.CancelFunc // ends pondering
}

// handleLine executes a line and reports whether to continue. It skips unknown words
// before the command, as UCI demands.
func (s *server) handleLine(ctx context.Context, words []string) bool {
	for i, word := range words {
		switch {
		case word == "quit":
			return false
		case s.command(ctx, word, words[i+1:]):
			return true
		case i == 0:
			s.Say("info string unknown command %q", word)
		}
	}
	return true
}

// command executes a command and reports whether the name is known.
func (s *server) command(ctx context.Context, name string, args []string) bool {
	switch name {
	case UGI.Name:
		s.greet(UGI)
	case UCI.Name:
		s.greet(UCI)
	case "isready":
		s.Say("readyok")
	case UGI.newGame, UCI.newGame:
		s.Stop()
		s.newSearch()
	case "setoption":
		s.report(s.setOption(args))
	case "position":
		s.report(s.position(args))
	case "go":
		s.startSearch(ctx, args)
	case "ponderhit":
		s.ponderhit()
	case "stop":
		s.Stop()
	case "query":
		s.report(s.query(args))
	case "debug": // accepted without effect
	default:
		return false
	}
	return true
}

func (s *server) report(err error) {
	if err != nil {
		s.Say("info string %v", err)
	}
}

func (s *server) greet(d Dialect) {
	s.dialect = d
	s.Say("id name Quintet %s", s.config.Game.Title)
	s.Say("id author the Quintet team")
	s.Say("option name Hash type spin default %d min 1 max %d", defaultHash, maxHash)
	s.Say("option name Threads type spin default 1 min 1 max %d", maxThreads)
	s.Say("option name nodestime type spin default 0 min 0 max %d", maxNodesTime)
	if s.config.WithBook != nil {
		s.Say("option name OwnBook type check default %t", s.config.OwnBook)
	}
	s.Say("%sok", d.Name)
}

// newSearch replaces the search by one with an empty table.
func (s *server) newSearch() {
	s.search = s.config.New(s.hash, s.threads)
	if s.ownBook && s.config.WithBook != nil {
		s.search = s.config.WithBook(s.search)
	}
}

// setOption parses "name Hash value 64".
func (s *server) setOption(args []string) error {
	if len(args) != 4 || args[0] != "name" || args[2] != "value" {
		return fmt.Errorf("setoption %q: expected name NAME value VALUE", strings.Join(args, " "))
	}
	option, most := &s.hash, maxHash
	switch strings.ToLower(args[1]) {
	case "hash":
	case "threads":
		option, most = &s.threads, maxThreads
	case "ownbook":
		return s.setOwnBook(args[3])
	case "nodestime":
		return s.setNodesTime(args[3])
	default:
		return fmt.Errorf("option %q: expected %s", args[1], s.optionNames())
	}
	n, err := strconv.Atoi(args[3])
	if err != nil || n < 1 || n > most {
		return fmt.Errorf("option %s %q: expected a number from 1 to %d", args[1], args[3], most)
	}
	s.Stop()
	*option = n
	s.newSearch()
	return nil
}

// setNodesTime lets times count nodes, as Stockfish's option of this name does.
func (s *server) setNodesTime(value string) error {
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil || n > maxNodesTime {
		return fmt.Errorf("option nodestime %q: expected the nodes that count as a millisecond, at most %d, or 0 for real time", value, maxNodesTime)
	}
	s.Stop()
	s.nodesTime = n
	return nil
}

// setOwnBook switches the opening book on or off.
func (s *server) setOwnBook(value string) error {
	switch {
	case s.config.WithBook == nil:
		return fmt.Errorf("option OwnBook: %s has no opening book: expected %s", s.config.Game.Name, s.optionNames())
	case value != "true" && value != "false":
		return fmt.Errorf("option OwnBook %q: expected true or false", value)
	}
	s.Stop()
	s.ownBook = value == "true"
	s.newSearch()
	return nil
}

func (s *server) optionNames() string {
	if s.config.WithBook != nil {
		return "Hash, Threads, nodestime or OwnBook"
	}
	return "Hash, Threads or nodestime"
}

// position parses "startpos" or "fen TEXT", then "moves" and moves. An error leaves
// the position unchanged.
func (s *server) position(args []string) error {
	s.Stop()
	at := slices.Index(args, "moves")
	if at < 0 {
		at = len(args)
	}
	start, err := s.startPosition(args[:at])
	if err != nil {
		return err
	}
	m := game.NewMatch(s.config.Game, start)
	for _, text := range args[min(at+1, len(args)):] {
		mv, err := s.dialect.parse(m.Position(), text)
		if err != nil {
			return fmt.Errorf("move %d: %w", len(m.Moves())+1, err)
		}
		if err := m.Play(mv); err != nil {
			return fmt.Errorf("playing %s: %w", text, err)
		}
	}
	s.match = m
	return nil
}

func (s *server) startPosition(args []string) (game.Position, error) {
	switch {
	case len(args) == 1 && args[0] == "startpos":
		return s.config.Start, nil
	case len(args) > 1 && args[0] == "fen":
		p, err := s.config.Game.Read(strings.Join(args[1:], " "))
		if err != nil {
			return nil, fmt.Errorf("reading the position: %w", err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("position %q: expected startpos or fen TEXT", strings.Join(args, " "))
}

// query answers the queries of UGI.
func (s *server) query(args []string) error {
	o := s.match.Outcome()
	switch strings.Join(args, " ") {
	case "p1turn":
		s.Say("response %t", s.match.Position().Turn() == game.First)
	case "gameover":
		s.Say("response %t", o.Result.Over())
	case "result":
		s.Say("response %s", results()[o.Result])
	default:
		return fmt.Errorf("query %q: expected p1turn, gameover or result", strings.Join(args, " "))
	}
	return nil
}

// results are UGI's words for results.
func results() map[game.Result]string {
	return map[game.Result]string{
		game.Ongoing: "none", game.FirstWins: "p1win", game.SecondWins: "p2win", game.Draw: "draw",
	}
}
