package serve

import (
	_ "embed" // for the document
	"net/http"
)

// openapi describes the interface for programs. A test holds it against what the
// server answers.
//
//go:embed openapi.json
var openapi []byte

func (s *Server) openapi(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(openapi) // the client may have left
}
