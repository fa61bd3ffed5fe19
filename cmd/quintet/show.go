package main

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/internal/atomicfile"
	"quintet/internal/cli"
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
		Args: cli.Exactly(1),
	}
	in := addRecordInput(c)
	flags := c.Flags()
	cli.Choice(c, &f.to, "to", "", "output format: "+game.Alternatives(pictures)+" (default: the extension of --out, or text)", pictures...)
	flags.StringVar(&f.out, "out", "", "write to this `file` instead of standard output")
	cli.Number(c, &f.ply, "ply", -1, "show the board after this many `plies`; negative values count from the end").AtLeast(math.MinInt)
	cli.Number(c, &f.number, "number", 1, "number of the game in the record, from 1").AtLeast(1)
	cli.Number(c, &f.width, "width", 480, "width of the picture in `pixels`").Between(16, picture.MaxWidth)
	cli.Time(c, &f.delay, "delay", 700*time.Millisecond, "`time` between the frames of a GIF").Between(20*time.Millisecond, time.Minute)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := f.form(); err != nil {
			return err
		}
		list, err := in.read(c, args)
		if err != nil {
			return err
		}
		if f.number > len(list) {
			return fmt.Errorf(`--number "%d": the last game of the record is number %d`, f.number, len(list))
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

// form finds the output format by the name of the file if --to does not say it.
func (f *showFlags) form() error {
	if f.to != "" {
		return nil
	}
	f.to = strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), ".")
	switch {
	case slices.Contains(pictures, f.to):
	case f.to == "" || f.to == "txt":
		f.to = "text"
	default:
		return fmt.Errorf("--out %q: this file extension is unknown: use .svg, .png, .gif or .txt, or say the format with --to", f.out)
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
		return nil, fmt.Errorf(`--ply "%d": the game has %d plies: give 0 to %[2]d, or -1 to %d from the end`, f.ply, len(main), -len(main)-1)
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
		last = append(slices.Clip(last), n.Move.Cells()...)
		title := fmt.Sprintf("%s, after ply %d: %s plays %s", r.Game.Title, i+1, r.Game.Sides[p.Turn()], p.Format(n.Move))
		p.Play(n.Move)
		list = append(list, scene{p.Board(), picture.Options{Look: r.Game.Look, Title: title, Last: last}})
	}
	return list
}
