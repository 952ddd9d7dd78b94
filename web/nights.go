package web

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
	"lansquenet/ledger/journal"
)

// sessions lists the nights, the newest first.
func (s *Server) sessions(c *gin.Context) {
	list := []journal.Session{}
	if s.o.Store != nil {
		all, err := s.o.Store.Sessions(c.Request.Context())
		if err != nil {
			s.trouble(c, err)
			return
		}
		list = append(list, all...)
		slices.Reverse(list)
	}
	c.JSON(http.StatusOK, list)
}

// known says whether the night a page is about is there. "latest" always is a
// place to look at, also before the first night.
func (s *Server) known(c *gin.Context) bool {
	id := c.Param("id")
	if id == "latest" || s.o.Store == nil {
		return id == "latest"
	}
	_, err := s.o.Store.Session(c.Request.Context(), id)
	return !errors.Is(err, journal.ErrNoSession)
}

// night finds the night a request names and answers 404 itself.
func (s *Server) night(c *gin.Context) (journal.Session, bool) {
	if s.o.Store == nil {
		s.refuse(c, http.StatusNotFound, "no_night")
		return journal.Session{}, false
	}
	n, err := s.o.Store.Session(c.Request.Context(), c.Param("id"))
	switch {
	case errors.Is(err, journal.ErrNoSession):
		s.refuse(c, http.StatusNotFound, "no_night")
	case err != nil:
		s.trouble(c, err)
	default:
		return n, true
	}
	return journal.Session{}, false
}

// journalLines writes a night as `export` does.
func (s *Server) journalLines(c *gin.Context) {
	n, ok := s.night(c)
	if !ok {
		return
	}
	c.Header("Content-Type", "application/x-ndjson; charset=utf-8")
	if c.Query("download") != "" {
		c.Header("Content-Disposition", `attachment; filename="`+n.ID+`.jsonl"`)
	}
	var line []byte
	for e, err := range s.o.Store.Entries(c.Request.Context(), n.ID, 0) {
		if err == nil {
			line, err = e.AppendLine(line[:0])
		}
		if err != nil {
			// The lines before are out already; a cut connection tells the reader
			// that this is not the whole.
			s.o.Log.Error("web: journal cut short", "night", n.ID, "error", err)
			panic(http.ErrAbortHandler)
		}
		if _, err := c.Writer.Write(append(line, '\n')); err != nil {
			return
		}
	}
	c.Status(http.StatusOK)
}

// stepJSON is one entry of a replay: what was done and what the table then was.
type stepJSON struct {
	Seq    uint64      `json:"seq"`
	At     time.Time   `json:"at"`
	Action game.Action `json:"action"`
	Hash   string      `json:"hash"`
	Table  *snapshot   `json:"table"`
}

// replayPage is how many entries one answer of replay holds; a whole night in
// one piece would be megabytes on a Zero.
const replayPage = 200

// replay answers a night's steps after ?after=, each with its whole table: the
// page shows them exactly as the live page does. It runs the same rules over
// the journal and checks them on the way.
func (s *Server) replay(c *gin.Context) {
	n, ok := s.night(c)
	if !ok {
		return
	}
	after, err := strconv.ParseUint(c.DefaultQuery("after", "0"), 10, 53)
	if err != nil {
		s.refuseField(c, http.StatusBadRequest, "bad_number", "after")
		return
	}
	speak := s.speaker(c)
	var roads road
	var past []ledger.Told
	marks, err := s.o.Store.Marks(c.Request.Context(), n.ID)
	if err != nil {
		s.trouble(c, err)
		return
	}
	steps := make([]stepJSON, 0, replayPage)
	for step, err := range ledger.Replay(s.o.Store.Entries(c.Request.Context(), n.ID, 0)) {
		if err != nil {
			s.trouble(c, err)
			return
		}
		e, fold := step.Entry, step.Fold
		v := fold.Table.View()
		roads.note(v.Coups, roadStep{v.Result, len(v.Cards)})
		past = append(past, ledger.Told{Seq: e.Seq, At: e.At, Do: e.Action.Do, Said: step.Outcome.Told})
		for len(marks) > 0 && marks[0].Seq <= e.Seq {
			past = append(past, ledger.OfCamera(marks[0]))
			marks = marks[1:]
		}
		if e.Seq <= after {
			continue
		}
		if len(past) > 8 {
			past = past[len(past)-8:]
		}
		st := ledger.State{Session: n.ID, Meta: n.Meta, Seq: e.Seq, Head: e.Hash, View: v, Final: fold.Final(), History: past}
		t := take(st, roads.steps, speak)
		t.Choices = []choiceJSON{} // the past offers nothing
		steps = append(steps, stepJSON{e.Seq, e.At, e.Action, e.Hash, t})
		if len(steps) == replayPage {
			break
		}
	}
	c.JSON(http.StatusOK, gin.H{"id": n.ID, "entries": n.Entries, "head": n.Head, "began": n.Began,
		"closed": n.Closed, "steps": steps})
}

// picture is what the camera saw of a card, for those who disagree. It is the
// host's, as the camera is.
func (s *Server) picture(c *gin.Context) {
	if !s.who(c.Request).host {
		s.refuse(c, http.StatusUnauthorized, "login_first")
		return
	}
	seq, err := strconv.ParseUint(c.Param("seq"), 10, 53)
	if err != nil || s.o.Evidence == nil {
		s.refuse(c, http.StatusNotFound, "no_picture")
		return
	}
	n, ok := s.night(c)
	if !ok {
		return
	}
	b, err := s.o.Evidence.Picture(c.Request.Context(), n.ID, seq)
	if err != nil {
		s.trouble(c, err)
		return
	}
	if len(b) == 0 {
		s.refuse(c, http.StatusNotFound, "no_picture")
		return
	}
	c.Data(http.StatusOK, "image/jpeg", b)
}
