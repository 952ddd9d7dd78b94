package web

import (
	"math"
	"net/http"

	"github.com/gin-gonic/gin"

	"lansquenet/ledger/card"
)

// hostPart gathers what only the host sees.
func (s *Server) hostPart(speak *speaker) *hostPart {
	h := &hostPart{Joined: s.keys.joined()}
	if s.o.Troubles != nil {
		h.Troubles = s.o.Troubles()
	}
	if s.o.Camera == nil {
		return h
	}
	v := s.o.Camera.View()
	h.Camera, h.FPS = speak.note(v.Trouble), math.Round(v.FPS)
	if v.Unsure != nil {
		h.Unsure = &unsureJSON{v.Unsure.I, len(v.Unsure.Picture) > 0, v.Unsure.Guess}
	}
	return h
}

// frame is what the camera sees, for the host alone.
func (s *Server) frame(c *gin.Context) {
	var b []byte
	if s.o.Camera != nil {
		b = s.o.Camera.Frame()
	}
	if len(b) == 0 {
		s.refuse(c, http.StatusNotFound, "no_picture")
		return
	}
	c.Data(http.StatusOK, "image/jpeg", b)
}

func (s *Server) unsurePicture(c *gin.Context) {
	if s.o.Camera != nil {
		if u := s.o.Camera.View().Unsure; u != nil && len(u.Picture) > 0 {
			c.Data(http.StatusOK, "image/jpeg", u.Picture)
			return
		}
	}
	s.refuse(c, http.StatusNotFound, "no_picture")
}

// answer is the host's word on an unsure card. It names the question it
// answers, so that two hosts cannot answer two cards with one meaning.
func (s *Server) answer(c *gin.Context) {
	var in struct {
		I    *int   `json:"i"`
		Rank string `json:"rank"` // "" for: that was no card
		Suit string `json:"suit"`
		looked
	}
	if !s.fields(c, &in) || s.outdated(c, in.looked) {
		return
	}
	var rank card.Rank
	var suit card.Suit
	if in.I == nil {
		s.refuseField(c, http.StatusBadRequest, "missing", "i")
		return
	}
	if err := rank.UnmarshalText([]byte(in.Rank)); err != nil {
		s.refuseField(c, http.StatusBadRequest, "bad_rank", "rank")
		return
	}
	if err := suit.UnmarshalText([]byte(in.Suit)); err != nil {
		s.refuseField(c, http.StatusBadRequest, "bad_suit", "suit")
		return
	}
	if s.o.Camera == nil || s.o.Camera.View().Unsure == nil || s.o.Camera.View().Unsure.I != *in.I {
		s.refuse(c, http.StatusConflict, "no_question")
		return
	}
	if err := s.o.Camera.Answer(c.Request.Context(), *in.I, rank, suit); err != nil {
		s.answerError(c, s.speaker(c), err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"ok": true})
}
