package tournaments

import (
	"errors"
	"testing"
	"time"

	"quintet/live"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// TestSettings checks which settings a tournament can have, and which field is said to be wrong in the others.
func TestSettings(t *testing.T) {
	now := time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC)
	swiss := Settings{Form: tournament.Swiss, Games: []Variant{{Game: "othello"}}, Clock: live.TimeControl{Main: 60}, Rounds: 3, Most: 9}
	for name, c := range map[string]struct {
		change func(*Settings)
		field  string // "" if it is valid
	}{
		"swiss":           {func(*Settings) {}, ""},
		"no form":         {func(s *Settings) { s.Form = "" }, "form"},
		"no game":         {func(s *Settings) { s.Games = nil }, "games"},
		"many games":      {func(s *Settings) { s.Games = make([]Variant, MaxVariants+1) }, "games"},
		"no clock":        {func(s *Settings) { s.Clock.Main = 0 }, "clock"},
		"longest":         {func(s *Settings) { s.Clock.Main, s.Clock.Increment = MaxMain, MaxExtra }, ""},
		"long":            {func(s *Settings) { s.Clock.Main = MaxMain + 1 }, "clock"},
		"long increment":  {func(s *Settings) { s.Clock.Increment = MaxExtra + 1 }, "clock"},
		"long delay":      {func(s *Settings) { s.Clock.Delay = MaxExtra + 1 }, "clock"},
		"no rounds":       {func(s *Settings) { s.Rounds = 0 }, "rounds"},
		"knockout":        {func(s *Settings) { s.Form, s.Rounds = tournament.Knockout, 0 }, ""},
		"arena":           {func(s *Settings) { s.Form, s.Rounds, s.Minutes = tournament.Arena, 0, 1 }, ""},
		"endless arena":   {func(s *Settings) { s.Form, s.Rounds = tournament.Arena, 0 }, "minutes"},
		"long arena":      {func(s *Settings) { s.Form, s.Rounds, s.Minutes = tournament.Arena, 0, MaxMinutes+1 }, "minutes"},
		"longest pause":   {func(s *Settings) { s.Pause = MaxPause }, ""},
		"long pause":      {func(s *Settings) { s.Pause = MaxPause + 1 }, "pause"},
		"negative pause":  {func(s *Settings) { s.Pause = -1 }, "pause"},
		"two players":     {func(s *Settings) { s.Most, s.Rounds = 2, 1 }, ""},
		"one player":      {func(s *Settings) { s.Most = 1 }, "most"},
		"all players":     {func(s *Settings) { s.Most = tournament.MaxSwiss }, ""},
		"too many":        {func(s *Settings) { s.Most = tournament.MaxSwiss + 1 }, "most"},
		"lowest rating":   {func(s *Settings) { s.Low = 1500 }, ""},
		"highest rating":  {func(s *Settings) { s.High = 1500 }, ""},
		"one rating":      {func(s *Settings) { s.Low, s.High = 1500, 1500 }, ""},
		"no rating":       {func(s *Settings) { s.Low, s.High = 1501, 1500 }, "rating"},
		"negative low":    {func(s *Settings) { s.Low = -1 }, "rating"},
		"negative high":   {func(s *Settings) { s.High = -1 }, "rating"},
		"at once":         {func(s *Settings) { s.Starts = now.UnixMilli() }, ""},
		"in the past":     {func(s *Settings) { s.Starts = now.Add(-2 * time.Minute).UnixMilli() }, "starts"},
		"on the last day": {func(s *Settings) { s.Starts = now.AddDate(0, 0, MaxAhead).UnixMilli() }, ""},
		"in a year":       {func(s *Settings) { s.Starts = now.AddDate(1, 0, 0).UnixMilli() }, "starts"},
	} {
		s := swiss
		c.change(&s)
		err := s.check(now)
		var p *api.Problem
		if errors.As(err, &p); (err == nil) != (c.field == "") || err != nil && (p == nil || p.Field != c.field) {
			t.Errorf("%s: %v, want the field %q", name, err, c.field)
		}
	}
}
