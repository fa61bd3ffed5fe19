package protocol

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"quintet/engine"
	"quintet/game"
)

// begin begins a search as the words after "go" say. Its best move is said when
// it ends, and not before "stop" if it is to be infinite.
func (s *server) begin(ctx context.Context, args []string) error {
	s.stop()
	side := s.match.Position().Turn()
	l, infinite, err := s.dialect.limit(args, side)
	if err != nil {
		return err
	}
	ctx, s.cancel = context.WithCancel(ctx)
	keys := s.match.Keys()
	p := engine.Position{Position: s.match.Position(), History: keys[:len(keys)-1], Repeat: s.config.Game.Repeat}
	over := s.match.Outcome().Result.Over()
	s.done.Go(func() {
		line := engine.Line{}
		if !over {
			line = s.search.Search(ctx, p, l, func(line engine.Line) { s.say("%s", s.dialect.info(p, line)) })
		}
		if infinite {
			<-ctx.Done()
		}
		s.say("bestmove %s", s.dialect.format(p, line.Best()))
	})
	return nil
}

// limit reads the words after "go". Without any, the search is infinite.
func (d Dialect) limit(args []string, side game.Side) (l engine.Limit, infinite bool, err error) {
	infinite = len(args) == 0
	for i := 0; i < len(args); i++ {
		word := args[i]
		if word == "infinite" {
			infinite = true
			continue
		}
		if i++; i == len(args) {
			return l, false, fmt.Errorf("go %s: want a value behind it", word)
		}
		if err := d.limitBy(&l, word, args[i], side); err != nil {
			return l, false, err
		}
	}
	return l, infinite, nil
}

func (d Dialect) limitBy(l *engine.Limit, word, value string, side game.Side) (err error) {
	switch {
	case word == "depth":
		l.Depth, err = positive(word, value)
	case word == "nodes":
		var n int
		n, err = positive(word, value)
		l.Nodes = uint64(n)
	case word == "movetime":
		l.Time, err = milliseconds(value)
	case word == d.times[side]:
		l.Clock.Left, err = milliseconds(value)
		l.Clock.Left = max(l.Clock.Left, time.Millisecond) // a flag that has fallen is still a clock
	case word == d.incs[side]:
		l.Clock.Increment, err = milliseconds(value)
	case slices.Contains(d.times[:], word), slices.Contains(d.incs[:], word), word == "movestogo":
		_, err = milliseconds(value) // the other side's is not used
	default:
		err = fmt.Errorf("go %s: want depth, nodes, movetime, infinite, %s, %s, %s or %s",
			word, d.times[0], d.times[1], d.incs[0], d.incs[1])
	}
	return err
}

func positive(word, value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("go %s %q: want 1 or more", word, value)
	}
	return n, nil
}
