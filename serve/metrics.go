package serve

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"quintet/live"
	"quintet/live/index"
)

// addGauges adds what is read on each scrape.
func (s *Server) addGauges() {
	c := s.Count
	for _, g := range []struct {
		name, help string
		value      func() float64
	}{
		{"quintet_watchers", "Watchers of games: players and spectators.", func() float64 { return float64(c.Watchers.Load()) }},
		{"quintet_sockets", "Open WebSockets.", func() float64 { return float64(c.Sockets.Load()) }},
		{"quintet_rooms", "Games in memory.", func() float64 { return float64(s.hall.Len()) }},
		{"quintet_engine_queue", "Engine moves that wait for a worker.", func() float64 { return float64(s.hall.EngineQueueLen()) }},
		{"quintet_jobs_active", "Reviews and analyses that take turns.", func() float64 { n, _ := s.jobs.Len(); return float64(n) }},
		{"quintet_jobs_waiting", "Reviews and analyses that wait in line.", func() float64 { _, n := s.jobs.Len(); return float64(n) }},
		{"quintet_analyses_remote", "Analyses and reviews that workers of a farm search for.", func() float64 { open, _ := s.searchesElsewhere(); return open }},
		{"quintet_studies", "Studies in memory.", func() float64 { return float64(s.studies.Len()) }},
		{"quintet_damaged_streams", "Games, studies, reviews and accounts that the disk has damaged.", func() float64 { return float64(s.damaged()) }},
		{"quintet_damaged_copies", "Copies of the log in a cluster that are damaged or being replaced.", func() float64 { return float64(s.damagedCopies()) }},
		{"quintet_ready", "1 when this server is ready.", func() float64 { return oneIf(s.unready() == "") }},
		{"quintet_service_seconds", "The service time.", func() float64 { return float64(s.hall.Now().Service) / 1000 }},
	} {
		c.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: g.name, Help: g.help}, g.value))
	}
	for _, n := range []struct {
		name, help string
		value      *atomic.Int64
	}{
		{"quintet_watchers_dropped_total", "Watchers dropped for falling behind.", &c.Dropped},
		{"quintet_engine_queue_full_total", "Engine moves postponed because the queue was full.", &c.QueueFull},
		{"quintet_renderings_total", "Records and pictures rendered.", &c.Renders},
		{"quintet_renderings_shared_total", "Requests for records and pictures served from the cache or by a rendering in progress.", &c.RenderHits},
		{"quintet_renderings_refused_total", "Records and pictures rejected because too many were requested.", &c.RendersRefused},
		{"quintet_push_failed_total", "Deliveries that push services did not accept.", &c.PushFailed},
		{"quintet_push_dropped_total", "Notifications dropped after several failures, or because too many waited.", &c.PushDropped},
	} {
		c.Registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: n.name, Help: n.help}, func() float64 { return float64(n.value.Load()) }))
	}
	c.Registry.MustRegister(states{s}, prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "quintet_engine_process_restarts_total", Help: "Starts of the engine process after it had ended by itself.",
	}, s.engineRestarts), prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "quintet_analyses_taken_over_total", Help: "Analyses and reviews that workers of a farm refused or lost, and this server continues.",
	}, func() float64 { _, lost := s.searchesElsewhere(); return lost }))
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// states counts the games in each state, on each scrape.
type states struct{ s *Server }

func (states) desc() *prometheus.Desc {
	return prometheus.NewDesc("quintet_games", "All games, by state.", []string{"state"}, nil)
}

// Describe implements prometheus.Collector.
func (g states) Describe(ch chan<- *prometheus.Desc) { ch <- g.desc() }

// Collect implements prometheus.Collector.
func (g states) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	n, err := g.s.index.Count(ctx)
	switch {
	case errors.Is(err, index.ErrRebuilding):
		return // else the other metrics would fail, too
	case err != nil:
		ch <- prometheus.NewInvalidMetric(g.desc(), err)
		return
	}
	for _, s := range []live.State{live.Open, live.Live, live.Finished} {
		ch <- prometheus.MustNewConstMetric(g.desc(), prometheus.GaugeValue, float64(n[s]), string(s))
	}
}
