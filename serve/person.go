package serve

import (
	"slices"
	"strings"

	"quintet/bots"
	"quintet/live"
)

// anonymous is who gives no name.
const anonymous = "Anonymous"

// person returns the name under which somebody sits down who gave this one. It is none
// of an engine's: lists and records would take the one for the other.
func (s *Server) person(given string) (string, *Problem) {
	name := strings.TrimSpace(given)
	if name == "" {
		return anonymous, nil
	}
	if err := live.CheckName(name); err != nil {
		return "", s.problemOf(err)
	}
	if ofEngine(name) {
		return "", wrong("name", "name %q: an engine is called so, want another", name).as("name.engine")
	}
	return name, nil
}

// ofEngine reports whether a name is that of an engine, or of a level that an engine
// could have.
func ofEngine(name string) bool {
	is := func(engine string) bool { return strings.EqualFold(engine, name) }
	return slices.ContainsFunc(bots.Names(), is) || strings.HasPrefix(strings.ToLower(name), "level:")
}
