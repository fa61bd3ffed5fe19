package serve

import (
	"net/http"
	"time"

	"quintet/game"
	"quintet/serve/analysis"
	"quintet/web/body"
)

// linesRequest is a position to search.
type linesRequest struct {
	Game     string       `json:"game"`
	Options  body.Options `json:"options"`
	Position string       `json:"position"`
	Moves    []string     `json:"moves"`
	Lines    *int         `json:"lines"`
	Values   bool         `json:"values"` // of every legal move, in Othello
}

// options returns what the search looks for.
func (q linesRequest) options() (o analysis.Options, p *Problem) {
	o = analysis.Options{Lines: 1, Values: q.Values}
	if q.Lines != nil {
		o.Lines = *q.Lines
	}
	switch {
	case o.Lines < 1 || o.Lines > analysis.MaxLines:
		return o, fieldProblem("lines", "%d lines: expected 1 to %d", o.Lines, analysis.MaxLines)
	case q.Values && q.Game != "othello":
		p = fieldProblem("lines", "values of all moves of %.40q: expected othello, or lines", q.Game)
		p.Field = "values"
	}
	return o, p
}

// The lines of the stream.
type (
	lineView struct {
		Score  int      `json:"score"`
		Proved bool     `json:"proved"`
		Chance float64  `json:"chance"`
		Text   string   `json:"text"`
		PV     []string `json:"pv"`
		SAN    []string `json:"san"`
	}
	linesView struct {
		Depth int        `json:"depth"`
		Nodes uint64     `json:"nodes"`
		Time  int64      `json:"time"` // milliseconds
		Lines []lineView `json:"lines"`
	}
	placeView struct {
		Place int `json:"place"`
	}
	doneView struct {
		Done   bool   `json:"done"`
		Reason string `json:"reason"`
	}
)

func viewLines(r analysis.Result) linesView {
	v := linesView{r.Depth, r.Nodes, r.Time.Milliseconds(), []lineView{}}
	for _, l := range r.Lines {
		v.Lines = append(v.Lines, lineView{l.Score, l.Proved, float64(int(l.Chance*1000+0.5)) / 1000, l.Text, l.PV, l.SAN})
	}
	return v
}

// analysisLines searches a position and streams the best lines: a JSON object on each line,
// until there is nothing more to find or the client leaves.
func (s *Server) analysisLines(w http.ResponseWriter, r *http.Request) {
	var q linesRequest
	p := read(w, r, analysisBody, &q)
	var o analysis.Options
	if p == nil {
		o, p = q.options()
	}
	var m *game.Match
	if p == nil {
		m, p = s.matchToAnalyze(r, lineRequest{q.Game, q.Options, q.Position, q.Moves})
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	if m.Outcome().Result.Over() {
		out := startNDJSON(w)
		_ = out.write(encode(doneView{true, "over"}), false) // the client may have left
		return
	}
	f := linesFeed{server: s, match: m, options: o}
	if err := f.begin(s.address(r)); err != nil {
		s.fail(w, s.reviewProblem(err))
		return
	}
	defer f.end()
	f.out, f.wrote = startNDJSON(w), time.Now()
	f.stream(r)
}

// matchToAnalyze plays a line through whose position the engine may look at.
func (s *Server) matchToAnalyze(r *http.Request, q lineRequest) (*game.Match, *Problem) {
	done, err := s.replayTurn(r.Context()) // long lines take time
	if err != nil {
		return nil, s.renderer.busy()
	}
	defer done()
	m, p := s.match(q)
	if p != nil {
		return nil, p
	}
	return m, s.refuseLive(m)
}
