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
	"quintet/record"
	"quintet/record/forms"
)

func newConvert() *cobra.Command {
	var to string
	var plain bool
	c := &cobra.Command{
		Use:   "convert --to FORM [FILE]",
		Short: "Convert game records between formats",
		Long: `Convert reads the games of a file, or of standard input, and writes them in
another form. In which form they are is found out from what stands there:

` + formList() + `
Moves alone, and what is typed into the console programs, do not say which game
they are of, and on what board: --game, --size and --pits do.

What a form cannot express is refused with the reason. Only where a form is
nothing but moves, players, times and the like are left out, and named.`,
		Example: `  quintet convert --to pgn game.quintet
  quintet convert --to moves game.sgf
  echo f5d6c3 | quintet convert --to ggf
  quintet convert --game othello --size 6 --to console moves.txt | quintet console othello --size 6
  quintet console loa | tee game.txt; quintet convert --to sgf game.txt`,
		Args: cobra.MaximumNArgs(1),
	}
	in := addRecordInput(c)
	c.Flags().StringVar(&to, "to", "", "the `form` to write: "+game.Alternatives(forms.Names()))
	c.Flags().BoolVar(&plain, "plain", false, "only the main line, without comments, marks, times and evaluations")
	c.RunE = func(c *cobra.Command, args []string) error {
		if _, err := forms.ByName(to); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
		list, err := in.read(c, args)
		if err != nil {
			return err
		}
		if plain {
			for i, r := range list {
				list[i] = forms.Plain(r)
			}
		}
		text, left, err := forms.Write(to, list)
		if err != nil {
			return err
		}
		tellLeft(c, left, to)
		_, err = c.OutOrStdout().Write(text)
		return failed(err)
	}
	return c
}

// formList describes the forms, a line each.
func formList() string {
	var b strings.Builder
	for _, f := range forms.All() {
		fmt.Fprintf(&b, "  %-11s %s\n", f.Name, f.Help)
	}
	return b.String()
}

// tellLeft says on standard error what a form has no place for.
func tellLeft(c *cobra.Command, left forms.Omitted, form string) {
	if len(left) > 0 {
		_, _ = fmt.Fprintf(c.ErrOrStderr(), "quintet: left out, as %s has no place for it: %s\n", form, strings.Join(left, ", "))
	}
}

// recordInput is where records come from, and what is told about them.
type recordInput struct {
	*start
	game string
	from string
}

// addRecordInput gives a command the flags for records in any form.
func addRecordInput(c *cobra.Command) *recordInput {
	in := &recordInput{start: addStart(c)}
	c.Flags().StringVar(&in.game, "game", "", "the `game`, where the text does not say it: "+game.Alternatives(games.Names()))
	c.Flags().StringVar(&in.from, "from", "", "the `form` of the text, if it is not to be found out: "+game.Alternatives(forms.Names()))
	return in
}

// read reads the records of the file that the arguments name, or of standard
// input.
func (in *recordInput) read(c *cobra.Command, args []string) ([]*record.Record, error) {
	hint := forms.Hint{Form: in.from, Game: in.game, Setup: in.setup()}
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
	list, form, left, err := forms.Read(text, hint)
	if err != nil {
		if _, ok := errors.AsType[*record.SyntaxError](err); ok {
			return nil, failure{fmt.Errorf("%s, %w", name, err)}
		}
		return nil, err
	}
	if len(left) > 0 {
		_, _ = fmt.Fprintf(c.ErrOrStderr(), "quintet: left out of the %s, as a record has no place for it: %s\n", form, strings.Join(left, ", "))
	}
	return list, nil
}

// input reads the file that the arguments name, or standard input.
func input(stdin io.Reader, args []string) (name string, text []byte, err error) {
	if len(args) == 0 || args[0] == "-" {
		text, err = io.ReadAll(stdin)
		return "standard input", text, err
	}
	text, err = os.ReadFile(args[0])
	return args[0], text, err
}
