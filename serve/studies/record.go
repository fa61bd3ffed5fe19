package studies

import (
	"fmt"
	"net/http"

	"quintet/live"
	"quintet/record"
	"quintet/record/formats"
	"quintet/serve/api"
)

// download answers with the study in a record format.
func (s *Service) download(w http.ResponseWriter, r *http.Request) error {
	study, err := s.enter(r, "form")
	if err != nil {
		return err
	}
	form, err := api.FormOf(r)
	if err != nil {
		return err
	}
	text, err := s.text(r, study, form)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	api.WriteRecord(w, "study-"+study.ID(), form, text)
	return nil
}

// text returns a study in a record format.
func (s *Service) text(r *http.Request, study *Study, form formats.Format) ([]byte, error) {
	done, err := s.Slot(r.Context()) // writing a record takes time
	if err != nil {
		return nil, err
	}
	defer done()
	rec, err := s.recordOf(r, study)
	if err != nil {
		return nil, err
	}
	text, err := write(form, rec)
	if err != nil {
		return nil, api.Problemf(http.StatusConflict, "form", "this study in this format: %v", err)
	}
	return text, nil
}

// write writes the record of a study: the main line alone in a format that cannot hold a tree.
func write(form formats.Format, rec *record.Record) ([]byte, error) {
	if !form.Tree {
		rec = formats.Plain(rec)
	}
	text, _, err := formats.Write(form.Name, []*record.Record{rec})
	return text, err
}

// forms lists the formats in which a study can be written.
func (s *Service) forms(w http.ResponseWriter, r *http.Request) error {
	study, err := s.enter(r)
	if err != nil {
		return err
	}
	return s.Replay(w, r, func() (any, error) { // writing records takes time
		rec, err := s.recordOf(r, study)
		if err != nil {
			return nil, err
		}
		return api.FormsOf(func(f formats.Format) error { _, err := write(f, rec); return err }), nil
	})
}

// recordOf returns a study as a record.
func (s *Service) recordOf(r *http.Request, study *Study) (*record.Record, error) {
	v := study.View()
	rec := record.From(v.game, v.Options, v.start)
	if err := addNodes(rec, v.Nodes); err != nil {
		return nil, fmt.Errorf("the record of study %s: %w: %w", study.ID(), err, live.ErrBroken)
	}
	m, err := rec.Match(rec.Last())
	if err != nil {
		return nil, fmt.Errorf("the record of study %s: %w: %w", study.ID(), err, live.ErrBroken)
	}
	rec.Result, rec.End = m.Outcome().Result, record.End(m.Outcome().Reason)
	rec.SetTag("Event", v.Title)
	rec.SetTag("Site", s.Origin(r)+"/study/"+study.ID())
	if err := rec.Check(); err != nil {
		return nil, fmt.Errorf("the record of study %s: %w", study.ID(), err)
	}
	return rec, nil
}

// addNodes adds the nodes of a study to an empty record. A parent comes before its moves.
func addNodes(rec *record.Record, list []Node) error {
	nodes, last, at := map[string]*record.Node{}, rec.Root, rec.Start.Clone() // at is after last
	for _, n := range list {
		node := rec.Root
		if n.Parent != "" {
			parent := nodes[n.Parent]
			if parent != last {
				at = rec.Start.Clone()
				for _, m := range parent.Path() {
					at.Play(m.Move)
				}
			}
			mv, err := at.Parse(n.Move)
			if err != nil {
				return err
			}
			at.Play(mv)
			node = parent.Add(mv)
		}
		nodes[n.ID], last = node, node
		node.Comment = n.Comment
		if mark := Mark(n.Glyph); mark > 0 {
			node.Marks = []uint8{mark}
		}
	}
	return nil
}
