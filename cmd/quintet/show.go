package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/internal/atomicfile"
	"quintet/picture"
	"quintet/record"
)

// showFlags are the flags of the command, except those of the record.
type showFlags struct {
	to, out     string
	ply, number int
	width       int
	delay       time.Duration
}

func newShow() *cobra.Command {
	var f showFlags
	c := &cobra.Command{
		Use:   "show RECORD",
		Short: "Draw a position of a record, or animate the game",
		Long: `Show prints or draws the board after a ply of a game. Ply 0 is before the first
move; negative plies count from the end, -1 is the last. Records may be in any format
that convert reads; - is standard input.

A GIF shows the whole game, or with --ply the game up to that ply.`,
		Example: `  quintet show game.quintet
  quintet show game.sgf --ply 12
  quintet show game.pgn --out board.svg
  quintet show game.ggf --to gif --out game.gif --delay 500ms --width 400`,
		Args: cobra.ExactArgs(1),
	}
	in := addRecordInput(c)
	flags := c.Flags()
	flags.StringVar(&f.to, "to", "", "output format: "+game.Alternatives(pictures)+" (default: the suffix of --out, or text)")
	flags.StringVar(&f.out, "out", "", "write to this `file` instead of standard output")
	flags.IntVar(&f.ply, "ply", -1, "show the board after this many `plies`; negative values count from the end")
	flags.IntVar(&f.number, "number", 1, "number of the game in the record, from 1")
	flags.IntVar(&f.width, "width", 480, "width of the picture in `pixels`")
	flags.DurationVar(&f.delay, "delay", 700*time.Millisecond, "`time` between the frames of a GIF")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		list, err := in.read(c, args)
		if err != nil {
			return err
		}
		if f.number > len(list) {
			return fmt.Errorf(`number "%d": expected 1 to %d, the number of games`, f.number, len(list))
		}
		text, err := f.draw(list[f.number-1])
		if err != nil {
			return err
		}
		if f.out != "" {
			return failed(atomicfile.Write(f.out, text, 0o644))
		}
		_, err = c.OutOrStdout().Write(text)
		return failed(err)
	}
	return c
}

// pictures are the output formats.
var pictures = []string{"text", "svg", "png", "gif"}

// check fills in the output format and validates the flags.
func (f *showFlags) check() error {
	if f.to == "" {
		f.to = "text"
		if end := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), "."); slices.Contains(pictures, end) {
			f.to = end
		}
	}
	switch {
	case !slices.Contains(pictures, f.to):
		return fmt.Errorf("to %q: expected %s", f.to, game.Alternatives(pictures))
	case f.number < 1:
		return fmt.Errorf(`number "%d": expected 1 or more`, f.number)
	case f.width < 16 || f.width > picture.MaxWidth:
		return fmt.Errorf(`width "%d": expected 16 to %d pixels`, f.width, picture.MaxWidth)
	case f.delay < 20*time.Millisecond || f.delay > time.Minute:
		return fmt.Errorf(`delay "%s": expected 20ms to 1m`, f.delay)
	}
	return nil
}

// draw returns the output.
func (f *showFlags) draw(r *record.Record) ([]byte, error) {
	main := r.Main()
	ply := f.ply
	if ply < 0 {
		ply += len(main) + 1
	}
	if ply < 0 || ply > len(main) {
		return nil, fmt.Errorf(`ply "%d": expected 0 to %d, or -1 to %d from the end`, f.ply, len(main), -len(main)-1)
	}
	scenes := scenesOf(r, main[:ply])
	last := scenes[ply]
	var b bytes.Buffer
	var err error
	switch f.to {
	case "svg":
		b.Write(picture.Of(last.board, last.options).SVG(f.width))
	case "png":
		err = picture.PNG(&b, picture.Of(last.board, last.options), f.width)
	case "gif":
		at := func(i int) (picture.Drawing, error) { return picture.Of(scenes[i].board, scenes[i].options), nil }
		err = picture.GIF(&b, len(scenes), at, f.width, f.delay)
	default:
		b.WriteString(last.options.Title + "\n" + picture.Text(last.board, r.Game.Sides, last.options))
		if ply == len(main) && r.Result.Over() {
			fmt.Fprintf(&b, "%s (%s)\n", resultOf(r), r.End)
		}
	}
	return b.Bytes(), err
}

// resultOf describes the result of a game.
func resultOf(r *record.Record) string {
	if winner, won := r.Result.Winner(); won {
		return r.Game.Sides[winner] + " wins"
	}
	return "draw"
}

// scene is a position with its drawing options.
type scene struct {
	board   game.Board
	options picture.Options
}

// scenesOf returns the positions of a line, starting position first.
func scenesOf(r *record.Record, line []*record.Node) []scene {
	p := r.Start.Clone()
	list := []scene{{p.Board(), picture.Options{Look: r.Game.Look, Title: fmt.Sprintf("%s, before the first move", r.Game.Title)}}}
	turn, last := p.Turn(), []game.Cell(nil)
	for i, n := range line {
		if p.Turn() != turn || i == 0 {
			turn, last = p.Turn(), nil // mark all stones of a turn
		}
		last = append(slices.Clip(last), cellsOf(n.Move)...)
		title := fmt.Sprintf("%s, after ply %d: %s plays %s", r.Game.Title, i+1, r.Game.Sides[p.Turn()], p.Format(n.Move))
		p.Play(n.Move)
		list = append(list, scene{p.Board(), picture.Options{Look: r.Game.Look, Title: title, Last: last}})
	}
	return list
}

// cellsOf returns the origin, if any, and the destination of a move.
func cellsOf(m game.Move) (cells []game.Cell) {
	if m == game.Pass {
		return nil
	}
	if from, ok := m.From(); ok {
		cells = append(cells, from)
	}
	return append(cells, m.To())
}
