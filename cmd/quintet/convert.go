package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
	"quintet/internal/cli"
	"quintet/record"
	"quintet/record/formats"
)

func newConvert() *cobra.Command {
	var to string
	var plain bool
	c := &cobra.Command{
		Use:   "convert --to FORM [FILE]",
		Short: "Convert game records between formats",
		Long: `Convert reads games from a file or standard input and writes them in another
format. It detects the format of its input:

` + formatList() + `
Plain moves and console input do not name their game and board: give --game, --size
and --pits.

Convert refuses games that a format cannot express, and says why. Formats of plain
moves leave out players, times and the like, and Convert lists what it left out.`,
		Example: `  quintet convert --to pgn game.quintet
  quintet convert --to moves game.sgf
  echo f5d6c3 | quintet convert --to ggf
  quintet convert --game othello --size 6 --to console moves.txt | quintet console othello --size 6
  quintet console loa | tee game.txt; quintet convert --to sgf game.txt`,
		Args: cli.AtMost(1),
	}
	in := addRecordInput(c)
	cli.Choice(c, &to, "to", "", "the `format` to write: "+game.Alternatives(formats.Names()), formats.Names()...)
	c.Flags().BoolVar(&plain, "plain", false, "write only the main line, without comments, marks, times and evaluations")
	c.RunE = func(c *cobra.Command, args []string) error {
		if to == "" {
			return errors.New("--to: give the format to write: " + game.Alternatives(formats.Names()))
		}
		list, err := in.read(c, args)
		if err != nil {
			return err
		}
		if plain {
			for i, r := range list {
				list[i] = formats.Plain(r)
			}
		}
		text, left, err := formats.Write(to, list)
		if err != nil {
			return err
		}
		if len(left) > 0 {
			_, _ = fmt.Fprintf(c.ErrOrStderr(), "quintet: left out, because %s cannot express it: %s\n", to, strings.Join(left, ", "))
		}
		_, err = c.OutOrStdout().Write(text)
		return failed(err)
	}
	return c
}

// formatList describes the formats, one per line.
func formatList() string {
	var b strings.Builder
	for _, f := range formats.All() {
		fmt.Fprintf(&b, "  %-11s %s\n", f.Name, f.Help)
	}
	return b.String()
}

// recordInput reads records, with hints from flags.
type recordInput struct {
	*start
	game string
	from string
}

// addRecordInput adds the flags for reading records in any format.
func addRecordInput(c *cobra.Command) *recordInput {
	in := &recordInput{start: addStart(c)}
	cli.Game(c, &in.game, "game", "the `game`, if the text does not name it: "+game.Alternatives(games.Names()))
	cli.Choice(c, &in.from, "from", "", "the `format` of the text (default: detect it): "+game.Alternatives(formats.Names()), formats.Names()...)
	return in
}

// read reads the records of the file named by the arguments, or of standard input.
func (in *recordInput) read(c *cobra.Command, args []string) ([]*record.Record, error) {
	hint := formats.Hint{Format: in.from, Game: in.game, Setup: in.setup()}
	if in.game != "" {
		g, err := games.ByName(in.game)
		if err != nil {
			return nil, err
		}
		if _, err := g.Start(hint.Setup); err != nil {
			return nil, err
		}
	}
	name, text, err := input(c.InOrStdin(), args)
	if err != nil {
		return nil, failure{err}
	}
	list, format, left, err := formats.Read(text, hint)
	if err != nil {
		if _, ok := errors.AsType[*record.SyntaxError](err); ok {
			return nil, failure{fmt.Errorf("%s, %w", name, err)}
		}
		return nil, err
	}
	if len(left) > 0 {
		_, _ = fmt.Fprintf(c.ErrOrStderr(), "quintet: left out of the %s, because a record cannot express it: %s\n", format, strings.Join(left, ", "))
	}
	return list, nil
}

// input reads the file named by the arguments, or standard input.
func input(stdin io.Reader, args []string) (name string, text []byte, err error) {
	if len(args) == 0 || args[0] == "-" {
		text, err = io.ReadAll(stdin)
		return "standard input", text, err
	}
	text, err = os.ReadFile(args[0])
	return args[0], text, err
}
