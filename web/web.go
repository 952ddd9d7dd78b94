// Package web puts the table on the wall, into the hand and in front of the
// host: pages that need nothing but this server, and the JSON of the contract.
//
// It promises that a page is right or says that it is not: every message of the
// stream is a whole snapshot, an action carries the state its sender looked at,
// and the same press twice counts once. It promises that readers only read, that
// a guest acts for his own seat alone, and that nothing of the PIN, the keys or
// the camera reaches anybody but the host.
//
// It leaves the rules to the games (pages offer what View.Choices lists and
// nothing else), the sentences to ledger/say, the truth to the journal, and the
// camera to whoever fills in Camera.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"lansquenet/ledger"
	"lansquenet/ledger/card"
	"lansquenet/ledger/journal"
)

// Table is the one door to the table; *ledger.Croupier is it.
type Table interface {
	Submit(context.Context, ledger.Request) (ledger.Receipt, error)
	State() ledger.State
	Changed() (seq uint64, next <-chan struct{})
}

// Camera is what the host's page needs of the eye over the table.
type Camera interface {
	// View is how the camera does now.
	View() CameraView
	// Changed is closed when View has changed.
	Changed() <-chan struct{}
	// Frame is the newest frame as JPEG; nil while there is none.
	Frame() []byte
	// Answer is the host's word on the unsure card numbered i: it becomes a
	// `card` like any other. NoRank says that there was no card.
	Answer(ctx context.Context, i int, rank card.Rank, suit card.Suit) error
}

// CameraView is the camera's state. State is "off" (the host enters the cards),
// "starting", "ok", "lost" or "still" (the camera runs, the reader is paused).
type CameraView struct {
	State   string
	Trouble Note    // what is wrong and what to do
	FPS     float64 // pictures a second that come
	Unsure  *Unsure // the card that waits for the host's word, nil for none
}

// Unsure is a card that the reader would not decide alone.
type Unsure struct {
	I       int
	Picture []byte // small JPEG, may be nil
	Guess   []card.Rank
}

// Evidence yields the picture that was kept of a card; (nil, nil) for none.
type Evidence interface {
	Picture(ctx context.Context, session string, seq uint64) ([]byte, error)
}

// Options are what the house hands over. Table alone is needed.
type Options struct {
	Table    Table
	Store    journal.Store // for the list of nights and replays; nil: none
	Camera   Camera        // nil: the host enters the cards
	Desk     Desk          // the camera page's other side; nil: there is nothing to set
	Evidence Evidence      // nil: no pictures in replays

	PINHash string   // made by HashPIN; "": nobody can log in
	Keys    string   // file that keeps logins over a restart; "": they are forgotten
	Hosts   []string // names this server answers to, besides its own, localhost and any IP address
	Base    string   // the address put into QR codes, as "http://192.168.1.7:8080"; "": as the asker wrote it

	Streams     int           // open streams in all, 0: 512
	PerAddress  int           // open streams of one address other than loopback, 0: 24
	Answer      time.Duration // how long an answer may take to be sent, a stream each of its messages, 0: 30 s
	Health      func(context.Context) error
	Troubles    func() []string // what the house wants on the host's page (undervoltage, full disk)
	Log         *slog.Logger
	Registry    *prometheus.Registry
	Now         func() time.Time
	Version     string
	DefaultLang string // language of a viewer who asks for none we have; "": en
}

// Server is the handler. Close ends its streams.
type Server struct {
	o       Options
	engine  *gin.Engine
	hosts   hosts
	origins *http.CrossOriginProtection
	keys    *keyring
	logins  *limiter[string]
	presses *limiter[string]
	streams gate
	hashing chan struct{}
	run     string // of this server: another has other questions about cards
	feed    *feed
	metrics *metrics
	stop    context.CancelFunc
	ctx     context.Context
}

// New builds the server. The error names the option or file at fault.
func New(o Options) (*Server, error) {
	if o.Table == nil {
		return nil, errors.New("web: no table to show")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Registry == nil {
		o.Registry = prometheus.NewRegistry()
	}
	if o.Streams == 0 {
		o.Streams = 512
	}
	if o.PerAddress == 0 {
		o.PerAddress = 24
	}
	if o.Answer == 0 {
		o.Answer = 30 * time.Second
	}
	keys, err := openKeyring(o.Keys, o.Now)
	if err != nil {
		return nil, err
	}
	s := &Server{
		o: o, hosts: newHosts(o.Hosts), origins: http.NewCrossOriginProtection(), keys: keys,
		// A PIN has a million values: with these limits all strangers together
		// need a week for a tenth of them, and the host still gets in (see login).
		logins:  newLimiter[string](5, 20*time.Second, 30, 6*time.Second),
		presses: newLimiter[string](200, 10*time.Millisecond, 0, 0),
		streams: gate{all: o.Streams, each: o.PerAddress},
		hashing: make(chan struct{}, 2), run: newCode(),
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.feed = newFeed(o.Table, o.Store, o.Log, s.run)
	if s.metrics, err = newMetrics(o.Registry, s); err != nil {
		return nil, fmt.Errorf("web: metrics: %w", err)
	}
	s.routes()
	return s, nil
}

// ServeHTTP makes the server a handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.engine.ServeHTTP(w, r) }

// Close ends the streams, so that a shutdown need not wait for them.
func (s *Server) Close() { s.stop() }

func (s *Server) routes() {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.UseRawPath = true // a seat may be called A/B
	e.RedirectTrailingSlash = false
	_ = e.SetTrustedProxies(nil)
	e.Use(s.metrics.count, s.recover, headers, s.guard)
	e.NoRoute(func(c *gin.Context) { s.refuse(c, http.StatusNotFound, "not_found") })

	// What can be got can also be asked about, except the stream: it has no end.
	read := func(r gin.IRoutes, path string, f gin.HandlerFunc) {
		r.GET(path, f)
		r.HEAD(path, f)
	}
	for path, name := range map[string]string{
		"/": "table", "/tv": "tv", "/host": "host", "/camera": "camera", "/seat/:name": "seat", "/join": "join",
		"/replay/:id": "replay", "/nights": "nights", "/night/:id": "night",
	} {
		read(e, path, s.page(name))
	}
	read(e, "/static/*file", s.static)
	read(e, "/favicon.ico", s.icon)
	read(e, "/healthz", s.health)
	read(e, "/metrics", s.metrics.handler)

	api := e.Group("/api")
	read(api, "/state", s.state)
	api.GET("/stream", s.stream)
	api.POST("/actions", s.action)
	api.POST("/login", s.login)
	api.POST("/logout", s.logout)
	api.POST("/join", s.join)
	read(api, "/qr.svg", s.qr)
	read(api, "/rules", s.houseRules)
	read(api, "/sessions", s.sessions)
	read(api, "/sessions/:id/journal", s.journalLines)
	read(api, "/sessions/:id/replay", s.replay)
	read(api, "/sessions/:id/picture/:seq", s.picture)
	read(api, "/sessions/:id/report.pdf", s.reportPDF)
	read(api, "/sessions/:id/report.csv", s.reportCSV)
	read(api, "/sessions/:id/settle", s.settle)

	host := api.Group("/", s.hostOnly)
	host.POST("/invite", s.invite)
	host.POST("/revoke", s.revoke)
	host.GET("/camera/frame.jpg", s.frame)
	host.GET("/camera/unsure.jpg", s.unsurePicture)
	host.POST("/camera/answer", s.answer)
	desk := host.Group("/camera", s.needDesk)
	desk.GET("", s.desk)
	desk.GET("/picture/:of/:i", s.deskPicture)
	desk.POST("/region", s.aim)
	desk.POST("/mat", s.findMat)
	desk.POST("/deck", s.chooseDeck)
	desk.POST("/trial", s.tryCards)
	desk.POST("/lesson", s.teach)
	s.engine = e
}

// recover turns a fault of the program into a 500 that says no more than that.
func (s *Server) recover(c *gin.Context) {
	defer func() {
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.o.Log.Error("web: a handler panicked", "path", c.Request.URL.Path, "panic", v)
			if !c.Writer.Written() {
				s.refuse(c, http.StatusInternalServerError, "fault")
			}
			c.Abort()
		}
	}()
	c.Next()
}
