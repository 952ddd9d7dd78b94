package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"lansquenet/ledger"
	"lansquenet/ledger/game"
)

// maxKey is the longest idempotency key.
const maxKey = 128

// action takes one action to the table. Who sends it is looked at before what
// it says, so that nobody learns anything without a key.
func (s *Server) action(c *gin.Context) {
	b := s.who(c.Request)
	if b.token == "" {
		s.refuse(c, http.StatusUnauthorized, "login_first")
		return
	}
	if s.limited(c, s.presses, b.token, false) {
		return
	}
	raw, ok := s.body(c)
	if !ok {
		return
	}
	speak := s.speaker(c)
	req, err := decodeRequest(raw)
	if err != nil {
		s.answerError(c, speak, err)
		return
	}
	if !b.may(req.Action.Seat, req.Action.Host()) {
		code := "other_seat"
		if req.Action.Host() {
			code = "host_only"
		}
		s.refuse(c, http.StatusForbidden, code)
		return
	}
	req.From = "host"
	if !b.host {
		req.From = "seat:" + b.seat
	}
	rec, err := s.o.Table.Submit(c.Request.Context(), req)
	if err != nil {
		s.answerError(c, speak, err)
		return
	}
	s.metrics.actions.WithLabelValues(req.Action.Do).Inc()
	c.JSON(http.StatusOK, gin.H{"ok": true, "seq": rec.Seq, "phase": rec.Phase, "turn": rec.Turn, "again": rec.Again})
}

// decodeRequest reads an action with the three fields that the web adds to it:
// the state and the night that its sender looked at, and a key.
func decodeRequest(raw []byte) (ledger.Request, error) {
	var req ledger.Request
	rest, extra, err := split(raw, "seq", "session", "key")
	if err != nil {
		return req, err
	}
	if v, ok := extra["seq"]; ok {
		n, err := strconv.ParseUint(string(v), 10, 64)
		if err != nil {
			return req, badField("seq", "type", "a whole number")
		}
		req.Seq = &n
	}
	if v, ok := extra["session"]; ok && !text(v, &req.Session) {
		return req, badField("session", "type", "text")
	}
	if v, ok := extra["key"]; ok {
		if !text(v, &req.Key) {
			return req, badField("key", "type", "text")
		}
		switch n := utf8.RuneCountInString(req.Key); {
		case n == 0:
			return req, badField("key", "empty", "")
		case n > maxKey:
			return req, badField("key", "long", "")
		}
	}
	req.Action, err = game.Decode(rest)
	if err == nil && req.Action.Draw != nil {
		// The dice are the croupier's; a sender who names them would choose the
		// banker.
		err = badField("draw", "unknown_field", "draw")
	}
	return req, err
}

// text reads a JSON string, and nothing that is none.
func text(v json.RawMessage, to *string) bool {
	return len(v) > 0 && v[0] == '"' && json.Unmarshal(v, to) == nil
}

func badField(name, why, got string) *game.Refusal {
	return &game.Refusal{Code: "bad_action", Field: name, Message: game.Say("bad."+why, "field", name, "got", got)}
}

// split takes the named members out of a JSON object and leaves the others as
// they are, for game.Decode to judge.
func split(raw []byte, names ...string) (rest []byte, taken map[string]json.RawMessage, err error) {
	bad := &game.Refusal{Code: "bad_action", Message: game.Say("bad.json", "field", "", "got", "")}
	if !utf8.Valid(raw) {
		return nil, nil, &game.Refusal{Code: "bad_action", Message: game.Say("bad.utf8", "field", "", "got", "")}
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, bad
	}
	taken = map[string]json.RawMessage{}
	out := []byte{'{'}
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, nil, bad
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, nil, bad
		}
		if contains(names, name) {
			if _, twice := taken[name]; twice {
				return nil, nil, badField(name, "twice", "")
			}
			taken[name] = v
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		q, err := json.Marshal(name)
		if err != nil {
			return nil, nil, bad
		}
		out = append(append(append(out, q...), ':'), v...)
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, bad
	}
	if len(bytes.TrimSpace(raw[d.InputOffset():])) > 0 {
		return nil, nil, bad
	}
	return append(out, '}'), taken, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// answerError puts an error of the table into the contract's form: what cannot
// be read is 400, what the rules or the moment refuse is 409.
func (s *Server) answerError(c *gin.Context, speak *speaker, err error) {
	var no *game.Refusal
	switch {
	case errors.As(err, &no):
		status := http.StatusConflict
		if strings.HasPrefix(no.Code, "bad_") { // bad_action, bad_rules: it says nothing of the moment
			status = http.StatusBadRequest
		}
		s.metrics.refusals.WithLabelValues(no.Code).Inc()
		s.send(c, status, no.Code, no.Field, speak.say(no.Message))
	case errors.Is(err, ledger.ErrStale):
		s.refuse(c, http.StatusConflict, "stale")
	default:
		s.trouble(c, fmt.Errorf("web: action: %w", err))
	}
}

// refuse answers with one of the server's own refusals, in the asker's language.
func (s *Server) refuse(c *gin.Context, status int, code string) {
	s.refuseField(c, status, code, "")
}

func (s *Server) refuseField(c *gin.Context, status int, code, field string) {
	s.metrics.refusals.WithLabelValues(code).Inc()
	s.send(c, status, code, field, s.speaker(c).own("refuse."+code, nil))
}

func (s *Server) send(c *gin.Context, status int, code, field, sentence string) {
	e := gin.H{"code": code, "message": sentence}
	if field != "" {
		e["field"] = field
	}
	c.Header("Cache-Control", "no-store")
	c.AbortWithStatusJSON(status, gin.H{"error": e})
}

// trouble is a fault of this machine: logged whole, shown as a sentence.
func (s *Server) trouble(c *gin.Context, err error) {
	s.o.Log.Error("web: trouble", "path", c.Request.URL.Path, "error", err)
	code := "fault"
	if errors.Is(err, ledger.ErrStopped) {
		code = "stopped"
	}
	s.refuse(c, http.StatusInternalServerError, code)
}
