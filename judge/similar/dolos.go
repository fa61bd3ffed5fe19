package similar

import (
	"archive/zip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Dolos writes the programs as an archive that Dolos (dolos.ugent.be) reads: a file for each
// program, and info.csv, which says whose it is.
func Dolos(w io.Writer, list []Program) error {
	z := zip.NewWriter(w)
	rows := [][]string{{"filename", "full_name", "labels"}}
	var err error
	for i, p := range list {
		if len(p.Sources) == 0 {
			continue
		}
		name := fmt.Sprintf("%d%s", i+1, path.Ext(p.Sources[0].Name))
		rows = append(rows, []string{name, p.Name, strings.Join(p.Mistakes, "; ")})
		out, err2 := z.Create(name)
		for _, s := range p.Sources {
			if err2 == nil {
				_, err2 = io.WriteString(out, s.Text+"\n")
			}
		}
		err = errors.Join(err, err2)
	}
	info, err2 := z.Create("info.csv")
	if err = errors.Join(err, err2); err == nil {
		err = csv.NewWriter(info).WriteAll(rows)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("writing the archive for Dolos: %w", err)
	}
	return nil
}
