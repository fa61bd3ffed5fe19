package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quintet/arena"
	"quintet/arena/players"
	"quintet/engine"
)

// format parses --format.
func (r *arenaRun) format() error {
	f := r.flags
	r.options.Format = arena.Format(f.format)
	r.header.Format = r.options.Format
	switch {
	case f.changed("player") && (f.changed("a") || f.changed("b")):
		return errors.New("--player cannot be combined with --a or --b")
	case f.changed("player") && len(f.players) < 2:
		return errors.New("--player: name two players or more")
	case f.changed("format") && !f.changed("player"):
		return errors.New("--format: name each player with --player")
	}
	return nil
}

// tournament reports whether --player names the players.
func (r *arenaRun) tournament() bool { return len(r.flags.players) > 0 }

// entrants resolves the players with their names and limits, and creates each once to
// report errors early.
func (r *arenaRun) entrants(ctx context.Context) error {
	texts := r.flags.players
	if !r.tournament() {
		texts = []string{r.flags.a, r.flags.b}
	}
	limits, err := r.limits(len(texts))
	if err != nil {
		return err
	}
	var names []string
	for i, text := range texts {
		name, player := cutName(text)
		if !r.tournament() {
			r.names[i] = name
		}
		name = unused(name, names)
		names = append(names, name)
		e := arena.Entrant{Name: name, Limit: limits[i], Make: func() (engine.Player, error) {
			p, err := players.New(ctx, player, r.options.Game, r.flags.threads)
			return r.faults.Watch(p, player), err
		}}
		r.options.Entrants = append(r.options.Entrants, e)
		r.header.Players = append(r.header.Players, arena.HeaderPlayer{Name: name, Player: player, Limit: arena.FormatLimit(e.Limit)})
		if err := tryPlayer(e.Make); err != nil {
			return err
		}
	}
	return nil
}

// cutName splits NAME=PLAYER. Without a name, the text is its own name; an equal sign
// after a colon or bracket belongs to the player.
func cutName(text string) (name, player string) {
	name, player, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.ContainsAny(name, ":[ \t") {
		return text, text
	}
	return name, player
}

// unused returns name, with a number appended if it is taken.
func unused(name string, taken []string) string {
	wanted := name
	for n := 2; slices.Contains(taken, name); n++ {
		name = fmt.Sprintf("%s #%d", wanted, n)
	}
	return name
}

// limits returns the limit of each player.
func (r *arenaRun) limits(players int) ([]engine.Limit, error) {
	l, err := r.flags.limit()
	if err != nil {
		return nil, err
	}
	limits := slices.Repeat([]engine.Limit{l}, players)
	for _, text := range r.flags.limits {
		who, limit, _ := strings.Cut(text, ":")
		i, err := r.playerIndex(who, players)
		if err != nil {
			return nil, fmt.Errorf("--limit %q: %w", text, err)
		}
		if limits[i], err = arena.ParseLimit(limit); err != nil {
			return nil, fmt.Errorf("--limit %q: %w", text, err)
		}
	}
	return limits, nil
}

// playerIndex parses which player a limit is for: a or b, or the number of a --player.
func (r *arenaRun) playerIndex(text string, players int) (int, error) {
	if !r.tournament() {
		if i := slices.Index([]string{"a", "b"}, text); i >= 0 {
			return i, nil
		}
		return 0, errors.New("put a: or b: before the limit")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > players {
		return 0, fmt.Errorf("put the number of a player, 1 to %d, and a colon before the limit", players)
	}
	return n - 1, nil
}
