package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/internal/escape"
	"quintet/judge/batch"
	"quintet/judge/run"
	"quintet/judge/similar"
)

// similarFlags are the flags of "judge similar".
type similarFlags struct {
	base, verdicts, dolos, html string
	most                        int
	json                        bool
}

func newJudgeSimilar() *cobra.Command {
	var f similarFlags
	c := &cobra.Command{
		Use:   "similar FOLDER",
		Short: "List similar programs of a course",
		Long: `Similar compares all submissions in FOLDER, a folder or an archive as "judge --batch"
reads them, and lists the most similar pairs. Names, literals, white space and the
order of functions do not count. Mistakes that few other programs have raise a pair;
they are read from the verdicts of a batch, if there are any.

Similar programs need not be copies. Nothing leaves this machine.`,
		Example: `  quintet judge similar submissions --base given --html similar.html`,
		Args:    cli.Exactly(1),
		RunE:    f.run,
	}
	flags := c.Flags()
	flags.StringVar(&f.base, "base", "", "`FOLDER` with the code that the course gave out, which does not count")
	flags.StringVar(&f.verdicts, "verdicts", "", "`FOLDER` with the verdicts of a batch (default FOLDER-verdicts)")
	flags.StringVar(&f.dolos, "dolos", "", "write an archive for Dolos to `FILE`")
	flags.StringVar(&f.html, "html", "", "write a page with the pairs side by side to `FILE`")
	cli.Number(c, &f.most, "most", 50, "list `N` pairs").AtLeast(1)
	addJSON(c, &f.json)
	return c
}

// maxPrograms is the most submissions that similar compares: it keeps a number for each pair.
const maxPrograms = 3000

func (f *similarFlags) run(c *cobra.Command, args []string) error {
	scratch, err := os.MkdirTemp("", "quintet-unpacked-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // the system cleans up its temporary folder
	dir, err := filepath.Abs(args[0])
	if err != nil {
		return failed(err)
	}
	verdicts := cmp.Or(f.verdicts, dir+"-verdicts")
	found, _, err := batch.Find(dir, verdicts, scratch)
	if err != nil {
		return err //nolint:wrapcheck // it says what is wrong
	}
	if len(found) > maxPrograms {
		return fmt.Errorf("%s: %d submissions: at most %d can be compared", args[0], len(found), maxPrograms)
	}
	var base []similar.Source
	if f.base != "" {
		s := batch.Folder(f.base, scratch)
		if base = readSources(s.Files); len(base) == 0 {
			return fmt.Errorf("--base %q: expected a folder with sources", f.base)
		}
	}
	var list []similar.Program
	for _, s := range found {
		list = append(list, similar.Program{Name: s.Name, Sources: readSources(s.Files), Mistakes: batch.Mistakes(verdicts, s.Name)})
	}
	pairs := similar.Compare(list, base)
	pairs = pairs[:min(len(pairs), f.most)]
	return failed(errors.Join(f.write(f.dolos, func(w io.Writer) error { return similar.Dolos(w, list) }),
		f.write(f.html, func(w io.Writer) error { return similar.Page(w, list, pairs) }), f.print(c.OutOrStdout(), list, pairs)))
}

// readSources reads sources, headers included. It skips a file that it cannot read.
func readSources(files []string) (list []similar.Source) {
	for _, file := range files {
		if data, err := run.ReadSource(file); err == nil && run.IsSource(file) {
			list = append(list, similar.Source{Name: filepath.Base(file), Text: string(run.Text(data))})
		}
	}
	slices.SortStableFunc(list, func(a, b similar.Source) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// write writes a file that only its owner can read, unless the path is "".
func (f *similarFlags) write(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // the user names it
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	return errors.Join(write(out), out.Close())
}

// similarPair is a pair as JSON.
type similarPair struct {
	A          string   `json:"a"`
	B          string   `json:"b"`
	Similarity float64  `json:"similarity"`
	Tokens     float64  `json:"tokens"`
	Mistakes   []string `json:"mistakes"`
}

func (f *similarFlags) print(w io.Writer, list []similar.Program, pairs []similar.Pair) error {
	text := ""
	all := []similarPair{}
	for _, p := range pairs {
		a, b := list[p.A].Name, list[p.B].Name
		text += fmt.Sprintf("%s\t%s\t%s\t%s\n", similar.Percent(p.Similarity), escape.Line(batch.Cell(a)), escape.Line(batch.Cell(b)), escape.Line(strings.Join(p.Mistakes, "; ")))
		all = append(all, similarPair{a, b, p.Similarity, p.Tokens, append([]string{}, p.Mistakes...)})
	}
	return writeResult(w, f.json, all, text)
}
