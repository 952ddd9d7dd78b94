package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/skip2/go-qrcode"
	"golang.org/x/crypto/bcrypt"
)

const (
	hostCookie = "lansquenet_host"
	seatCookie = "lansquenet_seat"
)

// bearer is who sends a request.
type bearer struct {
	host  bool
	seat  string // "" for none
	token string
}

// may says whether the bearer may act for a seat; "" is the host's own.
func (b bearer) may(seat string, hostOnly bool) bool {
	return b.host || (!hostOnly && seat != "" && seat == b.seat)
}

// who reads both keys: a host may have a seat of his own.
func (s *Server) who(r *http.Request) bearer {
	var b bearer
	if c, err := r.Cookie(seatCookie); err == nil {
		if g, ok := s.keys.who(c.Value); ok && !g.Host {
			b.seat, b.token = g.Seat, c.Value
		}
	}
	if c, err := r.Cookie(hostCookie); err == nil {
		if g, ok := s.keys.who(c.Value); ok && g.Host {
			b.host, b.token = true, c.Value
		}
	}
	return b
}

func (s *Server) hostOnly(c *gin.Context) {
	switch b := s.who(c.Request); {
	case b.host:
		c.Next()
	case b.seat != "":
		s.refuse(c, http.StatusForbidden, "host_only")
	default:
		s.refuse(c, http.StatusUnauthorized, "login_first")
	}
}

// body reads a JSON object into v and answers the refusal itself.
func (s *Server) body(c *gin.Context) ([]byte, bool) {
	b, err := io.ReadAll(c.Request.Body)
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		s.refuse(c, http.StatusRequestEntityTooLarge, "too_large")
	case err != nil:
		s.refuse(c, http.StatusBadRequest, "cut_short")
	default:
		return b, true
	}
	return nil, false
}

func (s *Server) fields(c *gin.Context, v any) bool {
	b, ok := s.body(c)
	if !ok {
		return false
	}
	if err := json.Unmarshal(b, v); err != nil {
		s.refuse(c, http.StatusBadRequest, "bad_json")
		return false
	}
	return true
}

// looked is what a page tells of the table it was looking at. Each night counts
// its entries anew and each run its questions about cards, and names come again:
// without it, what was pressed on a page left over from last time could be taken
// for something of now. Who tells nothing is believed.
type looked struct {
	Session string `json:"session"`
	Run     string `json:"run"`
}

// outdated answers what was pressed upon another night, or another run.
func (s *Server) outdated(c *gin.Context, l looked) bool {
	old := l.Session != "" && l.Session != s.o.Table.State().Session || l.Run != "" && l.Run != s.run
	if old {
		s.refuse(c, http.StatusConflict, "stale")
	}
	return old
}

func (s *Server) cookie(c *gin.Context, name, token string) {
	age := int(grantAge / time.Second)
	if token == "" {
		age = -1
	}
	http.SetCookie(c.Writer, &http.Cookie{Name: name, Value: token, Path: "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: c.Request.TLS != nil})
}

// limited spends a try and answers 429 when there is none left. The name keeps
// one door's tries apart from another's.
func (s *Server) limited(c *gin.Context, l *limiter[string], key string, exempt bool) bool {
	ok, wait := l.take(key, s.o.Now(), exempt)
	if !ok {
		c.Header("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		s.refuse(c, http.StatusTooManyRequests, "too_many")
	}
	return !ok
}

// login takes the PIN. Tries are limited for each address, and in all; but this
// machine itself, and a browser that still holds a login, do not count in all,
// so strangers cannot lock the host out. A browser with a login has tries of its
// own besides, apart from those of its address.
func (s *Server) login(c *gin.Context) {
	from := address(c.Request)
	key, exempt := "login "+from.String(), from.IsLoopback()
	if s.who(c.Request).host {
		key, exempt = "login of a host "+from.String(), true
	}
	if s.limited(c, s.logins, key, exempt) {
		return
	}
	var in struct {
		PIN any `json:"pin"`
	}
	if !s.fields(c, &in) {
		return
	}
	pin, ok := in.PIN.(string)
	if !ok || pin == "" || len(pin) > 72 {
		s.refuseField(c, http.StatusBadRequest, "bad_pin", "pin")
		return
	}
	if s.o.PINHash == "" {
		s.refuse(c, http.StatusForbidden, "no_pin")
		return
	}
	s.hashing <- struct{}{} // the hash is slow on purpose: two at a time leave the table a core
	err := bcrypt.CompareHashAndPassword([]byte(s.o.PINHash), []byte(pin))
	<-s.hashing
	if err != nil {
		s.metrics.wrongPIN.Inc()
		s.refuse(c, http.StatusUnauthorized, "wrong_pin")
		return
	}
	s.logins.refund(key, exempt)
	token, err := s.keys.give(true, "")
	if err != nil {
		s.trouble(c, err)
		return
	}
	s.cookie(c, hostCookie, token)
	c.JSON(http.StatusOK, gin.H{"ok": true})
}

func (s *Server) logout(c *gin.Context) {
	for _, name := range []string{hostCookie, seatCookie} {
		if ck, err := c.Request.Cookie(name); err == nil {
			if err := s.keys.drop(ck.Value); err != nil {
				s.trouble(c, err)
				return
			}
			s.cookie(c, name, "")
		}
	}
	c.JSON(http.StatusOK, gin.H{"ok": true})
}

// invite makes a seat's QR address and short code; only the host sees them.
func (s *Server) invite(c *gin.Context) {
	var in struct {
		Seat string `json:"seat"`
		looked
	}
	if !s.fields(c, &in) || s.outdated(c, in.looked) {
		return
	}
	if !s.seated(in.Seat) {
		s.refuseField(c, http.StatusNotFound, "no_seat", "seat")
		return
	}
	token, code, till := s.keys.invite(in.Seat)
	// The token stands behind "#", where neither a log nor another site sees it.
	address := s.base(c.Request) + "/join#" + token
	svg, err := qrSVG(address)
	if err != nil {
		s.trouble(c, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"ok": true, "url": address, "code": code, "till": till.UTC(), "qr": svg})
}

func (s *Server) revoke(c *gin.Context) {
	var in struct {
		Seat string `json:"seat"`
		looked
	}
	if !s.fields(c, &in) || s.outdated(c, in.looked) {
		return
	}
	if err := s.keys.revoke(in.Seat); err != nil {
		s.trouble(c, err)
		return
	}
	s.feed.poke()
	c.JSON(http.StatusOK, gin.H{"ok": true})
}

// join spends an invitation and hands out the seat's key.
func (s *Server) join(c *gin.Context) {
	key := "join " + address(c.Request).String()
	if s.limited(c, s.logins, key, false) {
		return
	}
	var in struct {
		Code string `json:"code"`
	}
	if !s.fields(c, &in) {
		return
	}
	code := strings.TrimSpace(in.Code)
	if len(code) <= 2*len(newCode()) { // a short code is written in any case, with spaces or dashes
		code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
	}
	seat, ok := s.keys.accept(code)
	if !ok {
		s.refuseField(c, http.StatusUnauthorized, "wrong_code", "code")
		return
	}
	s.logins.refund(key, false)
	token, err := s.keys.give(false, seat)
	if err != nil {
		s.trouble(c, err)
		return
	}
	s.cookie(c, seatCookie, token)
	s.feed.poke()
	c.JSON(http.StatusOK, gin.H{"ok": true, "seat": seat, "path": "/seat/" + url.PathEscape(seat)})
}

func (s *Server) seated(name string) bool {
	for _, seat := range s.o.Table.State().View.Seats {
		if seat.Name == name {
			return true
		}
	}
	return false
}

// base is the address that other devices reach this server by.
func (s *Server) base(r *http.Request) string {
	if s.o.Base != "" {
		return strings.TrimSuffix(s.o.Base, "/")
	}
	return "http://" + r.Host
}

// qr draws the address of a public page. Nothing but this server's own pages is
// drawn: the code is trusted because it hangs on the wall.
func (s *Server) qr(c *gin.Context) {
	svg, err := qrSVG(s.base(c.Request) + "/join")
	if err != nil {
		s.trouble(c, err)
		return
	}
	c.Data(http.StatusOK, "image/svg+xml", []byte(svg))
}

// qrSVG draws a QR code as one path, dark on paper, with the quiet zone.
func qrSVG(text string) (string, error) {
	q, err := qrcode.New(text, qrcode.Medium)
	if err != nil {
		return "", err
	}
	bits := q.Bitmap()
	n := strconv.Itoa(len(bits))
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + n + ` ` + n + `" shape-rendering="crispEdges">` +
		`<rect width="` + n + `" height="` + n + `" fill="#f7f1e3"/><path fill="#15130f" d="`)
	for y, row := range bits {
		for x, dark := range row {
			if dark {
				b.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(y) + "h1v1h-1z")
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.String(), nil
}

// HostURL is the address that logs the host in, for the QR code on the console.
// The PIN stands behind "#", which no browser sends anywhere.
func HostURL(base, pin string) string {
	return strings.TrimSuffix(base, "/") + "/host#pin=" + url.QueryEscape(pin)
}

// ConsoleQR draws a QR code in characters, for a terminal; "" when the text is
// too long for one.
func ConsoleQR(text string) string {
	q, err := qrcode.New(text, qrcode.Low)
	if err != nil {
		return ""
	}
	return q.ToSmallString(false)
}

func (s *Server) alive(ctx context.Context) error {
	if s.o.Health == nil {
		return nil
	}
	return s.o.Health(ctx)
}
