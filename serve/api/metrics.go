package api

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"quintet/live"
)

// Counters is what a server counts, for /metrics.
type Counters struct {
	Registry *prometheus.Registry
	opened   *prometheus.CounterVec
	commands *prometheus.HistogramVec
	refusals *prometheus.CounterVec
	faults   *prometheus.CounterVec
	thoughts prometheus.Histogram

	Watchers, Sockets   atomic.Int64
	Dropped, QueueFull  atomic.Int64
	Renders, RenderHits atomic.Int64
	RendersRefused      atomic.Int64

	PushFailed, PushDropped atomic.Int64
}

// newCounters returns Counters that are 0.
func newCounters() *Counters {
	c := &Counters{
		Registry: prometheus.NewRegistry(),
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
	c.Registry.MustRegister(c.opened, c.commands, c.refusals, c.faults, c.thoughts, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return c
}

// Refused counts a rejected request.
func (c *Counters) Refused(code string) { c.refusals.WithLabelValues(code).Inc() }

// The methods of hall.Metrics.

// GameOpened counts a game that was opened here.
func (c *Counters) GameOpened(game string) { c.opened.WithLabelValues(game).Inc() }

// EngineThought observes how long an engine thought.
func (c *Counters) EngineThought(d time.Duration) { c.thoughts.Observe(d.Seconds()) }

// EngineQueueFull counts an engine move that was postponed.
func (c *Counters) EngineQueueFull() { c.QueueFull.Add(1) }

// WatchersChanged counts watchers.
func (c *Counters) WatchersChanged(by int64) { c.Watchers.Add(by) }

// WatcherDropped counts a watcher that fell behind.
func (c *Counters) WatcherDropped() { c.Dropped.Add(1) }

// Panicked counts a contained panic.
func (c *Counters) Panicked(task string) { c.faults.WithLabelValues(task).Inc() }

// CommandTook observes how long a command took.
func (c *Counters) CommandTook(v live.Verb, d time.Duration) {
	c.commands.WithLabelValues(string(v)).Observe(d.Seconds())
}
