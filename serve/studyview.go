package serve

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"quintet/live"
	"quintet/record"
	"quintet/serve/studies"
)

// studyView is a study as responses show it.
type studyView struct {
	ID         string             `json:"id"`
	URL        string             `json:"url"`
	Game       string             `json:"game"`
	Sides      Both[string]       `json:"sides"`
	Options    map[string]string  `json:"options"`
	Position   string             `json:"position"` // the start
	Title      string             `json:"title"`
	Visibility studies.Visibility `json:"visibility"`
	Editable   bool               `json:"editable"`
	Number     int                `json:"n"` // of the last event
	Nodes      []studyNode        `json:"nodes"`
}

// studyNode is a node of a study.
type studyNode struct {
	ID      string          `json:"id"`
	Parent  string          `json:"parent,omitempty"`
	Move    string          `json:"move,omitempty"`
	SAN     string          `json:"san,omitempty"`
	From    *int            `json:"from,omitempty"`
	To      *int            `json:"to,omitempty"`
	Comment string          `json:"comment"`
	Glyph   string          `json:"glyph"`
	Shapes  []studies.Shape `json:"shapes"`
	Order   int             `json:"order"`
}

func (s *Server) viewStudy(r *http.Request, study *studies.Study, editable bool) studyView {
	v := study.View()
	view := studyView{
		ID: study.ID(), URL: s.origin(r) + "/study/" + study.ID(), Game: v.Game.Name, Sides: both(v.Game.Sides), Options: v.Options,
		Position: v.Start.String(), Title: v.Title, Visibility: v.Visibility, Editable: editable, Number: v.Number,
		Nodes: make([]studyNode, 0, len(v.Nodes)),
	}
	for _, n := range v.Nodes {
		shapes := n.Shapes
		if shapes == nil {
			shapes = []studies.Shape{}
		}
		view.Nodes = append(view.Nodes, studyNode{n.ID, n.Parent, n.Move, n.SAN, n.Cells.From, n.Cells.To, n.Comment, n.Glyph, shapes, n.Order})
	}
	return view
}

// studyEvent is an event of a study.
type studyEvent struct {
	Kind   string         `json:"kind"` // "edited"
	Number int            `json:"n"`
	Time   string         `json:"time"`
	Ref    string         `json:"ref,omitempty"`
	Edits  []studies.Edit `json:"edits"`
}

func viewStudyEvent(e studies.Event) studyEvent {
	return studyEvent{"edited", e.Number, timeText(e.Wall), e.Ref, e.Edits}
}

// studyConflict is the answer to edits of a client that does not know the last event.
type studyConflict struct {
	Code   string       `json:"code"`
	Reason string       `json:"reason"`
	Error  string       `json:"error"`
	Number int          `json:"n"`
	Since  []studyEvent `json:"since,omitempty"` // missing if there are too many
}

func viewConflict(e *studies.ConflictError) studyConflict {
	p := problem(http.StatusConflict, "stale", "somebody else has edited the study: apply what has happened since, then send what is left of your edits again").withReason("study.stale")
	v := studyConflict{Code: p.Code, Reason: p.Reason, Error: p.Error, Number: e.Number}
	for _, event := range e.Since {
		v.Since = append(v.Since, viewStudyEvent(event))
	}
	return v
}

// studyState is the line of a stream that shows all of a study.
type studyState struct {
	Kind string `json:"kind"` // "state"
	studyView
}

// studyEvents streams a study: a JSON object on each line, the first with all of it unless
// the client knows it already, then each edit, until the client leaves.
func (s *Server) studyEvents(w http.ResponseWriter, r *http.Request) {
	study, p := s.enterStudy(r, "after")
	after := -1
	if text := r.URL.Query().Get("after"); text != "" && p == nil {
		n, err := strconv.ParseUint(text, 10, 30)
		if err != nil {
			p = fieldProblem("after", "after %.60q: expected the number of an event, 0 or more", text)
		}
		after = int(n)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	f := studyFeed{server: s, request: r, out: startNDJSON(w), study: study, number: after, whole: after < 0}
	f.stream()
}

// studyFeed sends a client what happens to a study.
type studyFeed struct {
	server  *Server
	request *http.Request
	out     ndjson
	study   *studies.Study
	number  int  // of the last event that the client knows
	whole   bool // the client needs all of the study
}

func (f *studyFeed) stream() {
	defer f.out.wait() // the end of the stream needs a deadline, too
	beat := time.NewTicker(keepAliveEvery)
	defer beat.Stop()
	for {
		changed, ok := f.send()
		if !ok {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
			if f.out.write([]byte(keepAliveLine), true) != nil {
				return
			}
		case <-f.request.Context().Done():
			return
		case <-f.server.stopping:
			return
		}
		if _, p := f.server.enterStudy(f.request, "after"); p != nil { // hidden or private now
			return
		}
	}
}

// send writes what the client does not know.
func (f *studyFeed) send() (changed <-chan struct{}, ok bool) {
	list, changed, remembered := f.study.Since(f.number)
	if f.whole || !remembered {
		v := f.server.viewStudy(f.request, f.study, f.study.Allows(studyKey(f.request)))
		f.number, f.whole = v.Number, false
		return changed, f.out.write(encode(studyState{"state", v}), true) == nil
	}
	for _, e := range list {
		if f.out.write(encode(viewStudyEvent(e)), false) != nil {
			return changed, false
		}
		f.number = e.Number
	}
	return changed, f.out.flush() == nil
}

// studyRecord returns a study as a record.
func (s *Server) studyRecord(r *http.Request, study *studies.Study) (*record.Record, error) {
	v := study.View()
	rec := record.From(v.Game, v.Options, v.Start)
	if err := addNodes(rec, v.Nodes); err != nil {
		return nil, fmt.Errorf("the record of study %s: %w: %w", study.ID(), err, live.ErrBroken)
	}
	m, err := rec.Match(rec.Last())
	if err != nil {
		return nil, fmt.Errorf("the record of study %s: %w: %w", study.ID(), err, live.ErrBroken)
	}
	rec.Result, rec.End = m.Outcome().Result, record.End(m.Outcome().Reason)
	rec.SetTag("Event", v.Title)
	rec.SetTag("Site", s.origin(r)+"/study/"+study.ID())
	if err := rec.Check(); err != nil {
		return nil, fmt.Errorf("the record of study %s: %w", study.ID(), err)
	}
	return rec, nil
}

// addNodes adds the nodes of a study to an empty record. A parent comes before its moves.
func addNodes(rec *record.Record, list []studies.Node) error {
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
			node = rec.Add(parent, mv)
		}
		nodes[n.ID], last = node, node
		node.Comment = n.Comment
		if mark := studies.Mark(n.Glyph); mark > 0 {
			node.Marks = []uint8{mark}
		}
	}
	return nil
}
