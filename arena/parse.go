package arena

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
)

// ParseClock parses seconds for the game and an increment in seconds for each move,
// such as "60+0.6".
func ParseClock(text string) (engine.Clock, error) {
	main, increment, _ := strings.Cut(text, "+")
	left, err1 := seconds(main)
	added, err2 := seconds(cmp.Or(increment, "0"))
	if err1 != nil || err2 != nil || left <= 0 || added < 0 {
		return engine.Clock{}, fmt.Errorf(`tc %q: give seconds for the game and for each move, such as 60+0.6`, text)
	}
	return engine.Clock{Left: left, Increment: added}, nil
}

func seconds(text string) (time.Duration, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f > 1e6 || f != f {
		return 0, errors.New("not a number of seconds")
	}
	return time.Duration(f * float64(time.Second)), nil
}

// ParseLimit parses the limits of a move, such as "nodes=4000" or "tc=1+0.01,depth=4".
func ParseLimit(text string) (l engine.Limit, err error) {
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "tc":
			l.Clock, err = ParseClock(value)
		case "movetime":
			l.Time, err = time.ParseDuration(value)
			if err != nil || l.Time <= 0 {
				err = fmt.Errorf("movetime %q: give a time above 0, such as 100ms", value)
			}
		case "nodes":
			l.Nodes, err = strconv.ParseUint(value, 10, 63)
			if err != nil || l.Nodes == 0 {
				err = fmt.Errorf("nodes %q: give 1 or more", value)
			}
		case "nodestime":
			l.NodesTime, err = strconv.ParseUint(value, 10, 32)
			if err != nil || l.NodesTime == 0 {
				err = fmt.Errorf("nodestime %q: give the nodes that count as a millisecond, 1 or more", value)
			}
		case "depth":
			l.Depth, err = strconv.Atoi(value)
			if err != nil || l.Depth < 1 {
				err = fmt.Errorf("depth %q: give 1 or more", value)
			}
		default:
			err = fmt.Errorf("%q: give tc=60+0.6, movetime=100ms, nodestime=700, nodes=4000 or depth=4, with commas between", part)
		}
		if err != nil {
			return engine.Limit{}, err
		}
	}
	if err := CheckNodesTime(l); err != nil {
		return engine.Limit{}, err
	}
	return l, nil
}

// CheckNodesTime returns an error if nodes count as time but there is no time limit.
func CheckNodesTime(l engine.Limit) error {
	if l.NodesTime > 0 && l.Time == 0 && l.Clock.Left == 0 {
		return fmt.Errorf(`nodestime "%d": add a time limit, tc or movetime`, l.NodesTime)
	}
	return nil
}

// FormatLimit writes limits in the form that ParseLimit parses; "" for none.
func FormatLimit(l engine.Limit) string {
	var parts []string
	if l.Clock.Left > 0 {
		parts = append(parts, fmt.Sprintf("tc=%g+%g", l.Clock.Left.Seconds(), l.Clock.Increment.Seconds()))
	}
	if l.Time > 0 {
		parts = append(parts, fmt.Sprintf("movetime=%v", l.Time))
	}
	if l.NodesTime > 0 {
		parts = append(parts, fmt.Sprintf("nodestime=%d", l.NodesTime))
	}
	if l.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("nodes=%d", l.Nodes))
	}
	if l.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth=%d", l.Depth))
	}
	return strings.Join(parts, ",")
}

// ParseSPRT parses the two Elo differences of a test, the smaller first, such as
// "0,10". It returns nil for "".
func ParseSPRT(text string) (*SPRT, error) {
	if text == "" {
		return nil, nil
	}
	low, high, _ := strings.Cut(text, ",")
	elo0, err1 := strconv.ParseFloat(low, 64)
	elo1, err2 := strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || !(elo0 < elo1) || elo0 < -1000 || elo1 > 1000 {
		return nil, fmt.Errorf("sprt %q: give two differences in Elo, the smaller first, such as 0,10", text)
	}
	return &SPRT{Elo0: elo0, Elo1: elo1}, nil
}

// numbers parses integers separated by commas.
func numbers(text string) (list []int, ok bool) {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}

// Evaluator returns a function that evaluates positions with searches of the given number of
// nodes.
type Evaluator func(nodes uint64) (func(context.Context, game.Position) int, error)

// bandNodes is the size of the searches of openings in a band, unless it is given.
const bandNodes = 2000

// ParseOpenings parses random:PLIES, band:PLIES,LOW,HIGH[,NODES] or file:PATH. It also
// returns the description for a record's header, which identifies a file by its
// content.
func ParseOpenings(text string, g game.Game, start game.Position, seed uint64, evaluator Evaluator) (o Openings, header string, err error) {
	kind, rest, _ := strings.Cut(text, ":")
	list, ok := numbers(rest)
	plies := ok && list[0] >= 0 && list[0] <= 100
	switch {
	case kind == "file" && rest != "":
		content, err := os.ReadFile(rest) //nolint:gosec // the user names the file
		if err != nil {
			return nil, "", fmt.Errorf("openings: %w", err)
		}
		return TextOpenings(rest, content, g, start)
	case kind == "random" && plies && len(list) == 1:
		return RandomOpenings(start, list[0], seed), text, nil
	case kind == "band" && plies && (len(list) == 3 || len(list) == 4 && list[3] > 0) && list[1] <= list[2]:
		nodes := uint64(bandNodes)
		if len(list) == 4 {
			nodes = uint64(list[3])
		}
		value, err := evaluator(nodes)
		if err != nil {
			return nil, "", err
		}
		return BandOpenings(start, list[0], seed, list[1], list[2], value), text, nil
	}
	return nil, "", fmt.Errorf("openings %q: give random:N, with N from 0 to 100 plies, band:N,LOW,HIGH[,NODES] or file:PATH", text)
}

// TextOpenings returns the openings of a text that ReadOpenings parses, and their description
// for a record's header. The name is for errors.
func TextOpenings(name string, text []byte, g game.Game, start game.Position) (o Openings, header string, err error) {
	list, err := ReadOpenings(bytes.NewReader(text), g, start)
	if err != nil {
		return nil, "", fmt.Errorf("openings %s: %w", name, err)
	}
	return ListOpenings(list), fmt.Sprintf("file of %d, SHA-256 %x", len(list), sha256.Sum256(text)), nil
}

// ParseAgreement parses SCORE,PLIES or SCORE,PLIES,FROM. The score must be at least
// least; "" is the zero Agreement. The flag and the example are for the error.
func ParseAgreement(flag, text string, least int, example string) (a Agreement, err error) {
	if text == "" {
		return a, nil
	}
	list, ok := numbers(text)
	if ok && len(list) == 2 {
		list = append(list, 0)
	}
	if len(list) != 3 || list[0] < least || list[1] < 2 || list[2] < 0 {
		return a, fmt.Errorf("%s %q: give a score of %d or more, 2 plies or more, and optionally the ply from which it counts, such as %s",
			flag, text, least, example)
	}
	return Agreement{Score: list[0], Plies: list[1], From: list[2]}, nil
}
