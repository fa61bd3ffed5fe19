package similar

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
)

//go:embed page.html
var page string

// side is one program of a pair, on the page.
type side struct {
	Name  string
	Lines []shownLine
}

type shownLine struct {
	Number int
	Text   string
	Shared bool
}

// shown is a pair on the page.
type shown struct {
	Pair
	Number int
	Sides  [2]side
}

// Page writes pairs as a self-contained HTML page, the first ones with their sources side by side.
// It names students, so it is for their teachers only.
func Page(w io.Writer, list []Program, pairs []Pair) error {
	t, err := template.New("page").Funcs(template.FuncMap{"percent": Percent}).Parse(page)
	if err != nil {
		return fmt.Errorf("the page of similar programs: %w", err)
	}
	var all []shown
	for i, p := range pairs[:min(len(pairs), shownPairs)] {
		all = append(all, shown{p, i + 1, [2]side{sideOf(list[p.A], p.LinesA), sideOf(list[p.B], p.LinesB)}})
	}
	if err := t.Execute(w, all); err != nil {
		return fmt.Errorf("writing the page of similar programs: %w", err)
	}
	return nil
}

// Percent formats a similarity.
func Percent(similarity float64) string { return fmt.Sprintf("%.0f %%", 100*similarity) }

func sideOf(p Program, marked []Line) side {
	s := side{Name: p.Name}
	for i, source := range p.Sources {
		s.Lines = append(s.Lines, shownLine{Text: source.Name})
		for n, text := range strings.Split(strings.TrimRight(source.Text, "\n"), "\n") {
			s.Lines = append(s.Lines, shownLine{n + 1, text, slices.Contains(marked, Line{i, n + 1})})
		}
	}
	return s
}
