package web

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
)

const heartbeat = time.Second // a page calls itself stale after 2.6 s of silence

// state answers one snapshot.
func (s *Server) state(c *gin.Context) {
	now, err := s.look(c.Request, s.speaker(c))
	if err != nil {
		s.trouble(c, err)
		return
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", now.body)
}

// look is the newest snapshot for the sender of a request.
func (s *Server) look(r *http.Request, speak *speaker) (shot, error) {
	camera, host := "off", (*hostPart)(nil)
	if s.o.Camera != nil {
		camera = s.o.Camera.View().State
	}
	if s.who(r).host {
		host = s.hostPart(speak)
	}
	return s.feed.current(speak, camera, host)
}

// stream sends a whole snapshot at once and after each change. It keeps no
// queue: a slow reader misses the states between and gets the newest. When
// Last-Event-ID says that the reader has the newest already, the first is left
// out.
func (s *Server) stream(c *gin.Context) {
	from := address(c.Request)
	if !s.streams.enter(from) {
		c.Header("Retry-After", "5")
		s.refuse(c, http.StatusTooManyRequests, "too_many_streams")
		return
	}
	defer s.streams.leave(from)
	speak := s.speaker(c)

	h := c.Writer.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	rc := http.NewResponseController(c.Writer)
	// The connection outlives the server's read time-out, too.
	_ = rc.SetReadDeadline(time.Time{})
	send := func(b []byte) bool {
		// Moved along from message to message, or the stream would end with it.
		_ = rc.SetWriteDeadline(time.Now().Add(s.o.Answer))
		_, err := c.Writer.Write(b)
		return err == nil && rc.Flush() == nil
	}
	c.Status(http.StatusOK)
	if !send([]byte("retry: 500\n\n")) {
		return
	}

	// A reader may say besides which night his number is of; each night counts
	// its entries anew.
	seen, hasSeen := lastEventID(c.Request)
	night, said := c.GetQuery("session")
	var last []byte
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		// Take the wake-ups first and look then: what changes in between wakes.
		table, poked := s.feed.changed()
		var eye <-chan struct{}
		if s.o.Camera != nil {
			eye = s.o.Camera.Changed()
		}
		now, err := s.look(c.Request, speak)
		if err != nil {
			s.o.Log.Error("web: no snapshot", "error", err)
			return
		}
		if !bytes.Equal(now.event, last) {
			last = now.event
			has := hasSeen && seen == now.seq && (!said || night == now.session)
			if !has && !send(now.event) {
				return
			}
			hasSeen = false
		}
	wait:
		select {
		case <-table:
		case <-poked:
		case <-eye:
		case <-beat.C:
			if !send([]byte(":\n\n")) {
				return
			}
			goto wait
		case <-c.Request.Context().Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}

func lastEventID(r *http.Request) (uint64, bool) {
	n, err := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 64)
	return n, err == nil
}
