package tournaments

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quintet/people/tournament"
	"quintet/serve/api"
)

// What people take away from a tournament.

// file answers with a file: standings.csv, report.trf, games.zip or calendar.ics.
func (s *Service) file(w http.ResponseWriter, r *http.Request, v visit) error {
	switch r.PathValue("name") {
	case "standings.csv":
		return s.send(w, v, "text/csv", "standings.csv", s.standingsFile)
	case "report.trf":
		return s.send(w, v, "text/plain", "report.trf", s.report)
	case "calendar.ics":
		return s.send(w, v, "text/calendar", "calendar.ics", func(v visit, st *State) ([]byte, error) { return s.calendar(r, v, st), nil })
	case "games.zip":
		return s.records(w, r, v)
	}
	return api.Problemf(http.StatusNotFound, "missing", "no such file: expected standings.csv, report.trf, games.zip or calendar.ics").WithReason("tournament.file")
}

// send sends a file that is made from the state.
func (s *Service) send(w http.ResponseWriter, v visit, kind, name string, write func(visit, *State) ([]byte, error)) (err error) {
	var data []byte
	v.d.view(func(st *State) { data, err = write(v, st) })
	if err != nil {
		return err
	}
	api.Send(w, kind+"; charset=utf-8", v.d.ID()[:6]+"-"+name, data)
	return nil
}

// standingsFile writes the standings for spreadsheets. Names begin with a letter or a digit, so that no cell is a formula.
func (s *Service) standingsFile(v visit, st *State) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	lines := [][]string{append([]string{"rank", "name", "rating", "points", "wins", "draws", "losses"}, tieNames(st.Settings.Form)...)}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	for _, t := range v.d.standings() {
		row := s.row(st, t)
		line := []string{strconv.Itoa(row.Rank), row.Name, strconv.Itoa(row.Rating), number(row.Points), strconv.Itoa(row.Wins), strconv.Itoa(row.Draws), strconv.Itoa(row.Losses)}
		for _, x := range row.Ties {
			line = append(line, number(x))
		}
		lines = append(lines, line)
	}
	if err := w.WriteAll(lines); err != nil {
		return nil, fmt.Errorf("writing the standings: %w", err)
	}
	return out.Bytes(), nil
}

// report writes FIDE's report of a Swiss or a round robin.
func (s *Service) report(v visit, st *State) ([]byte, error) {
	rep := tournament.Report{Name: v.record.Title}
	for _, stamp := range []struct {
		at int64
		to *string
	}{{st.Started.Wall, &rep.Start}, {st.Ended.Wall, &rep.End}} {
		if stamp.at > 0 {
			*stamp.to = time.UnixMilli(stamp.at).UTC().Format("2006/01/02")
		}
	}
	for _, p := range st.Tour.Players {
		name, _ := s.nameOf(p.ID)
		rep.Names = append(rep.Names, name)
	}
	var out bytes.Buffer
	err := st.Tour.WriteTRF(&out, rep)
	if errors.Is(err, tournament.ErrReport) {
		return nil, refused("only Swiss and round-robin tournaments have a TRF report; download standings.csv instead")
	}
	return out.Bytes(), err
}

// calendar writes an entry for a calendar (RFC 5545).
func (s *Service) calendar(r *http.Request, v visit, st *State) []byte {
	const form = "20060102T150405Z"
	at := st.Settings.Starts
	if at == 0 {
		at = st.Made.Wall
	}
	minutes := st.Settings.Minutes
	if minutes == 0 {
		minutes = 60
	}
	begins := time.UnixMilli(at).UTC()
	escape := strings.NewReplacer("\\", "\\\\", ";", "\\;", ",", "\\,", "\n", "\\n")
	return []byte(strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Quintet//Tournaments//EN", "BEGIN:VEVENT",
		"UID:" + v.d.ID() + "@" + r.Host, "DTSTAMP:" + time.UnixMilli(st.Made.Wall).UTC().Format(form),
		"DTSTART:" + begins.Format(form), "DTEND:" + begins.Add(time.Duration(minutes)*time.Minute).Format(form),
		"SUMMARY:" + escape.Replace(v.record.Title), "URL:" + s.Origin(r) + "/tournament/" + v.d.ID(), "END:VEVENT", "END:VCALENDAR", "",
	}, "\r\n"))
}

// records sends the records of all games. Those that the sender of the request may not see are left out.
func (s *Service) records(w http.ResponseWriter, r *http.Request, v visit) error {
	var games []Pairing
	v.d.view(func(st *State) { games = append(games, st.Games...) })
	s.SendZip(w, v.d.ID()[:6]+"-games.zip", func(add func(string, []byte) error) error {
		for i, g := range games {
			if g.ID == "" {
				continue
			}
			text, problem := s.config.RecordText(r, g.ID)
			if problem != nil { // hidden or erased, for example
				continue
			}
			if err := add(fmt.Sprintf("round-%03d/%03d-%s.txt", g.Round, i+1, g.ID), text); err != nil {
				return err
			}
		}
		return nil
	})
	return nil
}
