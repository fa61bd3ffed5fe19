package class

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"quintet/games"
	"quintet/live"
	"quintet/people"
)

// progressPrefix begins the keys of records with the progress of a student in lessons and puzzles. They belong to the
// student of the class, not to the person, so a renewed login code keeps it.
const progressPrefix = "learnt-"

// Done counts what a student has done in a game. MaxProgress bounds both.
type Done struct {
	Lessons uint16 `json:"lessons"` // steps
	Puzzles uint16 `json:"puzzles"` // solved
}

// studentProgress is what a student has done by a revision of the record, in the order of games.Names. It is all that the
// directory keeps of the progress, so that the view of a class reads no records.
type studentProgress struct {
	revision uint64
	games    []Done
}

// Done returns what a student has done, by game.
func (d *Directory) Done(student string) map[string]Done {
	d.mu.RLock()
	defer d.mu.RUnlock()
	all := map[string]Done{}
	list := d.progress[student].games
	for i, name := range games.Names() {
		if all[name] = (Done{}); i < len(list) {
			all[name] = list[i]
		}
	}
	return all
}

// applyProgress applies a record with the progress of a student. An erased one is empty.
func (d *Directory) applyProgress(r live.Record) {
	student := strings.TrimPrefix(r.Key, progressPrefix)
	var p people.Progress
	if len(r.Data) == 0 {
		d.setProgress(student, nil, r.Revision)
	} else if err := json.Unmarshal(r.Data, &p); err != nil {
		d.log.Error("the progress of a student cannot be read", "key", r.Key, "error", err)
	} else {
		d.setProgress(student, &p, r.Revision)
	}
}

// setProgress counts the progress of a student, unless a later revision was counted before; nil if it is erased.
func (d *Directory) setProgress(student string, p *people.Progress, revision uint64) {
	n := studentProgress{revision: revision}
	for _, name := range games.Names() {
		if p != nil {
			n.games = append(n.games, Done{uint16(len(p.Lessons[name])), uint16(p.Solved(name))})
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.progress[student].revision <= revision { // after an erasure, an older record may follow
		d.progress[student] = n
	}
}

// AddProgress merges progress into that of a student, and returns the result. The error wraps ErrMissing if the student
// has left the class, and people.ErrMany if there is too much.
func (d *Directory) AddProgress(ctx context.Context, m Member, more people.Progress) (people.Progress, error) {
	p, revision, err := people.MergeProgress(ctx, d.records, progressPrefix+m.Student, more, func() error {
		r, err := d.records.GetRecord(ctx, live.ClassCategory.Stream(m.Class)) // the copy in memory may be older
		var c Class
		if err == nil {
			err = json.Unmarshal(r.Data, &c)
		}
		if err != nil {
			return fmt.Errorf("reading a class: %w", err)
		}
		if _, ok := c.Student(m.Student); !ok || c.Erasing {
			return ErrMissing
		}
		return nil
	})
	if err == nil {
		d.setProgress(m.Student, &p, revision)
	}
	return p, err //nolint:wrapcheck // it says what was read or written
}

// EraseProgress erases the progress of a student. While the student is in the class, more can be added.
func (d *Directory) EraseProgress(ctx context.Context, student string) error {
	return people.EraseProgress(ctx, d.records, progressPrefix+student) //nolint:wrapcheck // it names the record
}
