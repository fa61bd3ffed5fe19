package page

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quintet/farm/scheduler"
)

// metrics returns the handler of the figures for Prometheus.
func metrics(s *scheduler.Scheduler) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, g := range []struct {
		name, help string
		value      func(scheduler.Totals) float64
	}{
		{"quintet_farm_games", "Games that have ended, in all jobs.", func(t scheduler.Totals) float64 { return float64(t.Games) }},
		{"quintet_farm_games_per_second", "Games a second, over about the last 20 seconds.", func(t scheduler.Totals) float64 { return t.GamesPerSec }},
		{"quintet_farm_slots", "Slots of the workers that are there.", func(t scheduler.Totals) float64 { return float64(t.Slots) }},
		{"quintet_farm_slots_busy", "Slots that play.", func(t scheduler.Totals) float64 { return float64(t.Busy) }},
		{"quintet_farm_leases", "Leases that workers hold.", func(t scheduler.Totals) float64 { return float64(t.Leases) }},
		{"quintet_farm_replays_waiting", "Results that wait for a replay.", func(t scheduler.Totals) float64 { return float64(t.Replays) }},
		{"quintet_farm_jobs_open", "Jobs that want work.", func(t scheduler.Totals) float64 { return float64(t.Jobs["open"]) }},
		{"quintet_farm_store_bytes", "What jobs and results take, about.", func(t scheduler.Totals) float64 { return float64(t.Bytes) }},
		{"quintet_farm_workers_quarantined", "Workers whose results are void.", func(t scheduler.Totals) float64 { return float64(t.Quarantined) }},
	} {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: g.name, Help: g.help}, func() float64 { return g.value(s.Totals()) }))
	}
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}
