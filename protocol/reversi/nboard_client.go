package reversi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/protocol/program"
	"quintet/record/ggf"
)

// NBoard is a player backed by an external NBoard program.
type NBoard struct {
	*program.Supervisor
	depth     int // from the option; 0 to use that of the limits
	sentDepth int // the last depth sent to the program
	pings     int
}

// NewNBoard starts an NBoard program. The protocol's only limit is a depth: the
// option "depth", else that of the limits.
func NewNBoard(ctx context.Context, what program.Spec, start program.Starter) (*NBoard, error) {
	n := &NBoard{}
	for _, o := range what.Options {
		depth, err := strconv.Atoi(o.Value)
		if o.Name != "depth" || err != nil || depth < 1 {
			return nil, fmt.Errorf("nboard: option %s=%s: expected depth=N, from 1", o.Name, o.Value)
		}
		n.depth = depth
	}
	greet := func(p *program.Program) error {
		n.sentDepth, n.pings = 0, 0
		if err := p.Send("nboard 2"); err != nil {
			return err
		}
		return n.sync(ctx, p)
	}
	var err error
	if n.Supervisor, err = program.NewSupervisor(what, start, greet); err != nil {
		return nil, err
	}
	return n, nil
}

// sync waits until the program has processed all commands.
func (n *NBoard) sync(ctx context.Context, p *program.Program) error {
	n.pings++
	if err := p.Send(fmt.Sprintf("ping %d", n.pings)); err != nil {
		return err
	}
	want := fmt.Sprintf("pong %d", n.pings)
	_, err := p.WaitFor(ctx, want, program.StartTimeout, func(line string) bool { return line == want })
	return err
}

// NewGame only restarts the program if it has exited: every position is sent as a
// separate game.
func (n *NBoard) NewGame(uint64) { _, _ = n.Get() }

// Choose requests a move from the program.
func (n *NBoard) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	pos := m.Position()
	if err := CheckNBoard(m.Game(), pos); err != nil {
		return 0, err
	}
	depth := cmp.Or(n.depth, l.Depth)
	if depth == 0 {
		return 0, errors.New("nboard: the protocol has no limit but depth: use nboard[depth=N]:COMMAND or a limit of depth")
	}
	p, err := n.Get()
	if err != nil {
		return 0, err
	}
	mv, err := n.choose(ctx, p, m, depth, l)
	return mv, n.HandleError(err)
}

func (n *NBoard) choose(ctx context.Context, p *program.Program, m *game.Match, depth int, l engine.Limit) (game.Move, error) {
	if depth != n.sentDepth { // programs clear their tables at this command
		if err := p.Send(fmt.Sprintf("set depth %d", depth)); err != nil {
			return 0, err
		}
		n.sentDepth = depth
	}
	pos, mirror := m.Position(), ggf.Of(m.Start())
	rows := ggf.Size(pos)
	cells := mirror.Cells(ggf.Cells(pos), rows)
	if err := p.Send("set game " + writeGGF(cells, rows, pos.Turn(), l.Clock.Left)); err != nil {
		return 0, err
	}
	if err := n.sync(ctx, p); err != nil {
		return 0, err
	}
	answer, err := p.Request(ctx, "go", "===", program.MoveTimeout(l))
	n.SetAnswer(program.Answer{Text: answer})
	if err != nil {
		return 0, err
	}
	value, known := valueIn(answer)
	n.SetAnswer(program.Answer{Text: answer, Value: value, Known: known})
	move, err := moveOf(answer)
	if err != nil {
		return 0, program.IllegalAnswer(answer, "", err)
	}
	mv, err := ggf.Parse(pos, mirror.Name(move, rows))
	if err != nil {
		return 0, program.IllegalAnswer(answer, move, err)
	}
	return mv, nil
}

// moveParts returns the parts of "=== F5/1.20/0.1", the documented form, or of "===
// f5 1.20 0.1", as some programs write it: the move, its value and the seconds. Only
// the move is mandatory.
func moveParts(answer string) []string {
	rest := strings.TrimSpace(strings.TrimPrefix(answer, "==="))
	if strings.Contains(rest, "/") {
		return strings.Split(rest, "/")
	}
	return strings.Fields(rest)
}

// moveOf parses the move of an answer.
func moveOf(answer string) (string, error) {
	if parts := moveParts(answer); len(parts) > 0 {
		return strings.TrimSpace(parts[0]), nil
	}
	return "", errors.New("expected a move after ===")
}

// valueIn parses the value of an answer, in hundredths of a disc.
func valueIn(answer string) (value int, ok bool) {
	parts := moveParts(answer)
	if len(parts) < 2 {
		return 0, false
	}
	discs, err := strconv.ParseFloat(strings.TrimSpace(parts[1]), 64)
	if err != nil || !(discs >= -64 && discs <= 64) {
		return 0, false
	}
	return int(math.Round(discs * 100)), true
}
