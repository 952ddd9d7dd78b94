package web

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// maxBody is the largest request body; the longest honest one, an `open` with
// every house rule and a long list of seats, is a tenth of it.
const maxBody = 64 << 10

// policy lets a page use nothing but files of this server. Pictures may also be
// blobs and data, because the camera's frames arrive through fetch.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// headers go with every answer, errors too.
func headers(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	c.Next()
}

// hosts answers 421 to a request that was sent to another name. A stranger's
// page that points its own name at this machine (DNS rebinding) is stopped
// here. An IP address cannot be rebound, so any of them will do.
type hosts map[string]bool

func newHosts(more []string) hosts {
	h := hosts{"localhost": true}
	if name, err := os.Hostname(); err == nil && name != "" {
		h.add(name)
		h.add(name + ".local")
	}
	for _, name := range more {
		h.add(name)
	}
	return h
}

func (h hosts) add(name string) {
	h[strings.ToLower(strings.TrimSuffix(name, "."))] = true
}

func (h hosts) allow(host string) bool {
	if name, port, err := net.SplitHostPort(host); err == nil {
		if strings.Trim(port, "0123456789") != "" {
			return false
		}
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return h[host]
}

func (s *Server) guard(c *gin.Context) {
	if !s.hosts.allow(c.Request.Host) {
		s.refuse(c, http.StatusMisdirectedRequest, "wrong_host")
		return
	}
	if err := s.origins.Check(c.Request); err != nil {
		s.refuse(c, http.StatusForbidden, "cross_origin")
		return
	}
	if c.Request.ContentLength > maxBody {
		s.refuse(c, http.StatusRequestEntityTooLarge, "too_large")
		return
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxBody)
	// The server as a whole has no write time-out, for it would cut every
	// stream; each answer sets its own, and a stream moves it along.
	_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Now().Add(s.o.Answer))
	c.Next()
}

// address is whom a limit counts: the peer's IP address, an IPv6 one by its
// network of 64 bits since every phone owns that many. Headers that proxies set
// are not believed.
func address(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	a := ap.Addr().Unmap().WithZone("")
	if a.Is6() && !a.IsLoopback() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// NewHTTPServer wraps a handler with the limits a server on a home network
// needs: slow or fat headers and slow bodies are cut off, streams are not.
func NewHTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}
