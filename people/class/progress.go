package class

import (
	"context"
	"encoding/json"
	"fmt"

	"quintet/live"
	"quintet/people"
)

// progressKey returns the key of the record with the progress of a student in lessons and puzzles. It belongs to the
// student of the class, not to the person, so a renewed login code keeps it.
func progressKey(student string) string { return live.Category("learnt").Stream(student) }

// Progress returns what a student has done in lessons and puzzles.
func (d *Directory) Progress(ctx context.Context, student string) (people.Progress, error) {
	p, _, err := people.ReadProgress(ctx, d.records, progressKey(student))
	return p, err //nolint:wrapcheck // it says what was read
}

// AddProgress merges progress into that of a student, and returns the result. The error wraps ErrMissing if the student
// has left the class, and people.ErrMany if there is too much.
func (d *Directory) AddProgress(ctx context.Context, m Member, more people.Progress) (people.Progress, error) {
	return people.MergeProgress(ctx, d.records, progressKey(m.Student), more, func() error { //nolint:wrapcheck // as above
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
}

// EraseProgress erases the progress of a student. While the student is in the class, more can be added.
func (d *Directory) EraseProgress(ctx context.Context, student string) error {
	return people.EraseProgress(ctx, d.records, progressKey(student)) //nolint:wrapcheck // it names the record
}
