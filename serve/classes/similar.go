package classes

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"

	"quintet/examples"
	"quintet/judge/run"
	"quintet/judge/similar"
	"quintet/people/class"
	"quintet/serve/api"
)

// This file compares the programs of an assignment, for the teacher only. A comparison occupies a slot for replays,
// so that it never delays games. Nothing about it is kept.

// Limits of a comparison. A whole program usually has 10 to 50 KB.
const (
	maxCompared = 128 << 10 // bytes of the sources of a program
	maxEntries  = 2000      // entries of its archives
	maxNested   = 3         // depth of archives in archives
	maxPairs    = 50        // that are shown, in each order
)

// compared is the program of a student: the one that counts, or else the last one.
type compared struct {
	Submission string `json:"submission"`
	Name       string `json:"name"`
}

// similarPair is a pair of programs in the list.
type similarPair struct {
	Programs   [2]compared `json:"programs"`
	Similarity float64     `json:"similarity"`
	Tokens     float64     `json:"tokens"`
	Rarity     float64     `json:"rarity"`
	Mistakes   []string    `json:"mistakes"`
}

// similar lists the pairs of programs that are most similar, and those that share the rarest mistakes.
func (s *Service) similar(w http.ResponseWriter, r *http.Request, v visit) error {
	list, a, err := programsOf(r, v)
	if err != nil {
		return err
	}
	return s.Replay(w, r, func() (any, error) {
		programs, err := s.programs(r.Context(), list)
		if err != nil {
			return nil, err
		}
		pairs := []similarPair{}
		for _, p := range mostSimilar(similar.Compare(programs, templates(a))) {
			pairs = append(pairs, similarPair{[2]compared{list[p.A], list[p.B]}, p.Similarity, p.Tokens, p.Rarity, orEmpty(p.Mistakes)})
		}
		return map[string]any{"programs": len(list), "pairs": pairs}, nil
	})
}

// mostSimilar returns the first pairs, and those that share the rarest mistakes.
func mostSimilar(pairs []similar.Pair) []similar.Pair {
	n := min(len(pairs), maxPairs)
	first, rest := pairs[:n:n], slices.Clone(pairs[n:])
	slices.SortStableFunc(rest, func(a, b similar.Pair) int { return cmp.Compare(b.Rarity, a.Rarity) })
	for _, p := range rest[:min(len(rest), maxPairs)] {
		if p.Rarity > 0 {
			first = append(first, p)
		}
	}
	return first
}

// similarSource is a source of one of two programs, with the lines that the other one shares.
type similarSource struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Shared []int  `json:"shared"`
}

// similarSide is one of two programs.
type similarSide struct {
	compared
	Sources []similarSource `json:"sources"`
}

// similarPair shows two programs side by side.
func (s *Service) similarPair(w http.ResponseWriter, r *http.Request, v visit) error {
	list, a, err := programsOf(r, v)
	if err != nil {
		return err
	}
	var two []compared
	for _, id := range []string{r.PathValue("a"), r.PathValue("b")} {
		i := slices.IndexFunc(list, func(p compared) bool { return p.Submission == id })
		if i < 0 {
			return errMissing("submission")
		}
		two = append(two, list[i])
	}
	return s.Replay(w, r, func() (any, error) {
		programs, err := s.programs(r.Context(), two)
		if err != nil {
			return nil, err
		}
		pair := similar.Pair{}
		if pairs := similar.Compare(programs, templates(a)); len(pairs) > 0 {
			pair = pairs[0]
		}
		return map[string]any{"sides": []similarSide{sideOf(two[0], programs[0], pair.LinesA), sideOf(two[1], programs[1], pair.LinesB)}}, nil
	})
}

// sideOf returns a program with the lines that it shares.
func sideOf(c compared, p similar.Program, shared []similar.Line) similarSide {
	side := similarSide{compared: c, Sources: []similarSource{}}
	for i, source := range p.Sources {
		one := similarSource{Name: source.Name, Text: source.Text, Shared: []int{}}
		for _, l := range shared {
			if l.Source == i {
				one.Shared = append(one.Shared, l.Line)
			}
		}
		side.Sources = append(side.Sources, one)
	}
	return side
}

// dolos sends the programs as an archive for Dolos.
func (s *Service) dolos(w http.ResponseWriter, r *http.Request, v visit) error {
	list, _, err := programsOf(r, v)
	if err != nil {
		return err
	}
	done, err := s.Slot(r.Context())
	if err != nil {
		return err
	}
	var out bytes.Buffer
	programs, err := s.programs(r.Context(), list)
	if err == nil {
		err = similar.Dolos(&out, programs)
	}
	done()
	if err != nil {
		return err
	}
	api.Send(w, "application/zip", "dolos.zip", out.Bytes())
	return nil
}

// programsOf returns the programs of the assignment in the address, one of each student.
func programsOf(r *http.Request, v visit) (list []compared, a class.Assignment, err error) {
	err = v.assignment(r, func(st *class.State, of class.Assignment) {
		a = of
		for _, n := range v.Students {
			id := st.Mark(n.ID, a).Submission
			if all := st.Of(n.ID, a.ID); id == "" && len(all) > 0 {
				id = all[len(all)-1].ID
			}
			if id != "" {
				list = append(list, compared{id, n.Name})
			}
		}
	})
	return list, a, err
}

// programs reads the sources of programs, and the mistakes that the judge found.
func (s *Service) programs(ctx context.Context, list []compared) (programs []similar.Program, err error) {
	for _, p := range list {
		data, err := s.directory.Get(ctx, class.Files, p.Submission)
		if err != nil {
			return nil, err
		}
		var files []File
		if len(data) > 0 { // not erased
			if files, err = unpack(data); err != nil {
				return nil, err
			}
		}
		v, _, err := s.stored(ctx, p.Submission)
		if err != nil {
			return nil, err
		}
		g := collector{left: maxCompared, entries: maxEntries}
		for _, f := range files {
			data := f.Data
			if len(data) == 0 {
				data = []byte(f.Text)
			}
			g.add(f.Name, bytes.NewReader(data), 0)
		}
		slices.SortStableFunc(g.sources, func(a, b similar.Source) int { return strings.Compare(a.Name, b.Name) })
		programs = append(programs, similar.Program{Name: p.Name, Sources: g.sources, Mistakes: v.Mutants})
	}
	return programs, nil
}

// collector collects the sources of a submission in memory.
type collector struct {
	sources []similar.Source
	left    int64 // bytes that may still be read
	entries int   // of archives that may still be read
}

// add adds a source, or the sources in an archive. It skips what it cannot read, and what is too much.
func (g *collector) add(name string, in io.Reader, nested int) {
	archive := strings.EqualFold(path.Ext(name), ".zip")
	if nested > maxNested || !archive && !run.IsSource(name) {
		return
	}
	most := g.left
	if archive && nested == 0 {
		most = maxBody
	}
	data, err := io.ReadAll(io.LimitReader(in, most))
	switch {
	case err != nil:
		return
	case !archive:
		g.left -= int64(len(data))
		g.sources = append(g.sources, similar.Source{Name: path.Base(name), Text: string(run.Text(data))})
		return
	case nested > 0:
		g.left -= int64(len(data))
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	for _, f := range z.File {
		if g.entries--; g.entries < 0 || g.left <= 0 {
			return
		}
		if in, err := f.Open(); err == nil {
			g.add(f.Name, in, nested+1)
			_ = in.Close() // only read
		}
	}
}

// templates returns the code that the course handed out: what programs share with it does not count.
func templates(a class.Assignment) (list []similar.Source) {
	if a.League == nil {
		return nil
	}
	for _, name := range []string{"league.cpp", "league.py"} {
		if data, err := examples.League.ReadFile("league/" + name); err == nil {
			list = append(list, similar.Source{Name: name, Text: string(data)})
		}
	}
	return list
}
