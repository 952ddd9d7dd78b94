package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	actions  *prometheus.CounterVec
	refusals *prometheus.CounterVec
	wrongPIN prometheus.Counter
	handler  gin.HandlerFunc
}

func newMetrics(r *prometheus.Registry, s *Server) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "lansquenet_http_requests_total",
			Help: "Requests answered, by route and status."}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "lansquenet_http_seconds",
			Help: "Time to answer, streams left out.", Buckets: []float64{.001, .005, .02, .1, .5, 2}}, []string{"route"}),
		actions: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "lansquenet_actions_total",
			Help: "Actions accepted over the web."}, []string{"do"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "lansquenet_refusals_total",
			Help: "Requests refused, by code."}, []string{"code"}),
		wrongPIN: prometheus.NewCounter(prometheus.CounterOpts{Name: "lansquenet_wrong_pins_total",
			Help: "Wrong PINs."}),
	}
	list := []prometheus.Collector{m.requests, m.seconds, m.actions, m.refusals, m.wrongPIN,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lansquenet_streams_open",
			Help: "Pages that listen."}, func() float64 { return float64(s.streams.count()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lansquenet_seq",
			Help: "Number of the night's last entry."}, func() float64 { n, _ := s.o.Table.Changed(); return float64(n) }),
	}
	for _, c := range list {
		if err := r.Register(c); err != nil {
			return nil, err
		}
	}
	m.handler = gin.WrapH(promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	return m, nil
}

// count times a request under its route, never under its address, so that a
// stranger cannot make new series.
func (m *metrics) count(c *gin.Context) {
	start := time.Now()
	c.Next()
	route := c.FullPath()
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(route, strconv.Itoa(c.Writer.Status())).Inc()
	if route != "/api/stream" {
		m.seconds.WithLabelValues(route).Observe(time.Since(start).Seconds())
	}
}

// health is 200 while the table can be played: the journal can be written and
// the house has nothing against it.
func (s *Server) health(c *gin.Context) {
	err := s.o.Table.State().Trouble
	if err == nil {
		err = s.alive(c.Request.Context())
	}
	if err != nil {
		s.o.Log.Error("web: not healthy", "error", err)
		s.refuse(c, http.StatusInternalServerError, "stopped")
		return
	}
	c.JSON(http.StatusOK, gin.H{"ok": true, "version": s.o.Version})
}
