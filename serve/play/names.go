package play

import (
	"slices"
	"strings"

	"quintet/bots"
	"quintet/live"
	"quintet/serve/api"
)

// playerName returns the name of a player who gave this one. Names of engines are
// reserved, because lists and records could not tell a player from an engine.
func (s *Service) playerName(given string) (string, error) {
	name := strings.TrimSpace(given)
	if name == "" {
		return live.Anonymous, nil
	}
	if err := live.CheckName(name); err != nil {
		return "", err
	}
	if reservedForEngine(name) {
		return "", api.Invalid("name", "name %q: that name is reserved for an engine: choose another", name).WithReason("name.engine")
	}
	if s.hall.HidesName(name) {
		return "", api.Invalid("name", "name %q: it is not allowed here: choose another", name).WithReason("name.hidden")
	}
	return name, nil
}

// reservedForEngine reports whether a name is that of an engine, or looks like a level.
func reservedForEngine(name string) bool {
	is := func(engine string) bool { return strings.EqualFold(engine, name) }
	return slices.ContainsFunc(bots.Names(), is) || strings.HasPrefix(strings.ToLower(name), "level:")
}
