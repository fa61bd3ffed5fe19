package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quintet/farm/jobtypes"
	"quintet/record"
)

// reviewRecords reviews the main lines of the games of records, here or on a farm.
func (f *analyzeFlags) reviewRecords(c *cobra.Command, s *start, args []string) error {
	if s.position != "" || s.moves != "" {
		return errors.New("--position and --moves need the name of a game: a record has its own moves")
	}
	if err := f.checkFarm(); err != nil {
		return err
	}
	list, err := readRecords(c, s, args)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c)
	defer stop()
	if f.farm.wanted() {
		return f.reviewOnFarm(ctx, c, list)
	}
	for _, r := range list {
		search, err := jobtypes.SearcherFor(r.Game, f.threads)
		if err != nil {
			return err
		}
		if err := runReview(ctx, c.OutOrStdout(), search, r.Game, r.Start, record.Moves(r.Main()), f.limit(), f.json); err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// checkFarm refuses flags that do not go with a farm.
func (f *analyzeFlags) checkFarm() error {
	if err := f.farm.check(); err != nil || !f.farm.wanted() {
		return err
	}
	switch {
	case f.movetime != 0 || f.nodes == 0 && f.depth == 0:
		return errors.New("--farm: give --nodes or --depth instead of --movetime: results of timed searches depend on the machine")
	case f.threads != 1:
		return errors.New("--threads: omit it with --farm: searches with several threads are not reproducible")
	}
	return nil
}

// readRecords reads the records of files and of the files in folders, in the order of
// their names.
func readRecords(c *cobra.Command, s *start, args []string) (list []*record.Record, err error) {
	files, err := recordFiles(args)
	if err != nil {
		return nil, failed(err)
	}
	in := &recordInput{start: s}
	for _, name := range files {
		records, err := in.read(c, []string{name})
		var failure failure
		if err != nil && len(files) > 1 && !errors.As(err, &failure) { // that names the file
			err = fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, records...)
	}
	return list, nil
}

// recordFiles returns the files that arguments name, with those in folders, but no
// hidden ones.
func recordFiles(args []string) (files []string, err error) {
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			files = append(files, arg) // standard input perhaps, or reading it says what is wrong
			continue
		}
		err := filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			switch hidden := strings.HasPrefix(d.Name(), ".") && path != arg; {
			case err != nil:
				return err
			case hidden && d.IsDir():
				return fs.SkipDir
			case !hidden && d.Type().IsRegular():
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading the folder %s: %w", arg, err)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no records in this folder", strings.Join(args, ", "))
	}
	return files, nil
}

// reviewOnFarm lets a farm review the games of records.
func (f *analyzeFlags) reviewOnFarm(ctx context.Context, c *cobra.Command, list []*record.Record) error {
	games := make([]jobtypes.ReviewGame, len(list))
	for i, r := range list {
		games[i] = jobtypes.NewReviewGame(r.Game, r.Start, record.Moves(r.Main()))
	}
	var jobs []*jobtypes.ReviewSettings
	for _, part := range portions(games, func(g jobtypes.ReviewGame) int { return len(g.Start) + len(g.Moves) + 60 }) {
		jobs = append(jobs, &jobtypes.ReviewSettings{Nodes: f.nodes, Depth: f.depth, Games: part})
	}
	return runJobs(ctx, c, &f.farm, jobtypes.ReviewName, jobs, func(payload []byte) error {
		reviewed, err := games[0].Decode(payload)
		if err != nil {
			return err
		}
		r := list[0]
		games, list = games[1:], list[1:]
		return writeReview(c.OutOrStdout(), r.Game, r.Start, record.Moves(r.Main()), reviewed, f.json)
	})
}
