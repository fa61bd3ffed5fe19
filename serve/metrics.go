package serve

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"quintet/live"
)

// counters is what a server counts, for /metrics.
type counters struct {
	registry  *prometheus.Registry
	opened    *prometheus.CounterVec
	commands  *prometheus.HistogramVec
	refusals  *prometheus.CounterVec
	faults    *prometheus.CounterVec
	thoughts  prometheus.Histogram
	watchers  atomic.Int64
	sockets   atomic.Int64
	dropped   atomic.Int64
	queueFull atomic.Int64

	renders, renderHits, rendersRefused atomic.Int64

	remoteAnalyses, analysesTakenOver atomic.Int64
}

func newCounters() *counters {
	c := &counters{
		registry: prometheus.NewRegistry(),
		opened:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "quintet_games_opened_total", Help: "Games opened here."}, []string{"game"}),
		commands: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "quintet_command_seconds", Help: "From a command to its event on the disk.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .2, .35, .5, 1, 2.5, 5, 10},
		}, []string{"command"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "quintet_refusals_total", Help: "Rejected requests, by code."}, []string{"code"}),
		faults:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "quintet_faults_total", Help: "Contained panics: each is a bug, with its stack in the log."}, []string{"task"}),
		thoughts: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "quintet_engine_seconds", Help: "Duration of engine moves.", Buckets: prometheus.ExponentialBuckets(.001, 4, 8),
		}),
	}
	c.registry.MustRegister(c.opened, c.commands, c.refusals, c.faults, c.thoughts, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return c
}

// gauges adds what is read on each scrape.
func (c *counters) gauges(s *Server) {
	for _, g := range []struct {
		name, help string
		value      func() float64
	}{
		{"quintet_watchers", "Watchers of games: players and spectators.", func() float64 { return float64(c.watchers.Load()) }},
		{"quintet_sockets", "Open WebSockets.", func() float64 { return float64(c.sockets.Load()) }},
		{"quintet_rooms", "Games in memory.", func() float64 { return float64(s.hall.Len()) }},
		{"quintet_engine_queue", "Engine moves that wait for a worker.", func() float64 { return float64(s.hall.EngineQueueLen()) }},
		{"quintet_jobs_active", "Reviews and analyses that take turns.", func() float64 { n, _ := s.jobs.Len(); return float64(n) }},
		{"quintet_jobs_waiting", "Reviews and analyses that wait in line.", func() float64 { _, n := s.jobs.Len(); return float64(n) }},
		{"quintet_analyses_remote", "Analyses that workers of a farm do.", func() float64 { return float64(c.remoteAnalyses.Load()) }},
		{"quintet_studies", "Studies in memory.", func() float64 { return float64(s.studies.Len()) }},
		{"quintet_ready", "1 when this server is ready.", func() float64 { return oneIf(s.ready.Load()) }},
		{"quintet_service_seconds", "The service time.", func() float64 { return float64(s.hall.Now().Service) / 1000 }},
	} {
		c.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: g.name, Help: g.help}, g.value))
	}
	for _, n := range []struct {
		name, help string
		value      *atomic.Int64
	}{
		{"quintet_watchers_dropped_total", "Watchers dropped for falling behind.", &c.dropped},
		{"quintet_engine_queue_full_total", "Engine moves postponed because the queue was full.", &c.queueFull},
		{"quintet_renderings_total", "Records and pictures rendered.", &c.renders},
		{"quintet_renderings_shared_total", "Requests for records and pictures served from the cache or by a rendering in progress.", &c.renderHits},
		{"quintet_renderings_refused_total", "Records and pictures rejected because too many were requested.", &c.rendersRefused},
		{"quintet_analyses_taken_over_total", "Analyses that workers of a farm refused or lost, and this server does.", &c.analysesTakenOver},
	} {
		c.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: n.name, Help: n.help}, func() float64 { return float64(n.value.Load()) }))
	}
	c.registry.MustRegister(states{s}, prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "quintet_engine_process_restarts_total", Help: "Starts of the engine process after it had ended by itself.",
	}, s.engineRestarts))
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (c *counters) refused(code string) { c.refusals.WithLabelValues(code).Inc() }

// The methods of hall.Metrics.

func (c *counters) GameOpened(game string)        { c.opened.WithLabelValues(game).Inc() }
func (c *counters) EngineThought(d time.Duration) { c.thoughts.Observe(d.Seconds()) }
func (c *counters) EngineQueueFull()              { c.queueFull.Add(1) }
func (c *counters) WatchersChanged(by int64)      { c.watchers.Add(by) }
func (c *counters) WatcherDropped()               { c.dropped.Add(1) }
func (c *counters) Panicked(task string)          { c.faults.WithLabelValues(task).Inc() }

func (c *counters) commandTook(v live.Verb, d time.Duration) {
	c.commands.WithLabelValues(string(v)).Observe(d.Seconds())
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
	if err != nil {
		ch <- prometheus.NewInvalidMetric(g.desc(), err)
		return
	}
	for _, s := range []live.State{live.Open, live.Live, live.Finished} {
		ch <- prometheus.MustNewConstMetric(g.desc(), prometheus.GaugeValue, float64(n[s]), string(s))
	}
}
