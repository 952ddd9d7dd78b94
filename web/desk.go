package web

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"lansquenet/ledger/card"
)

// Desk is what the camera page needs behind it. What it refuses is a *Refused.
type Desk interface {
	// Look is everything that the page shows.
	Look(context.Context) DeskView
	// Picture is a picture of the ith card of the running "trial" or "lesson".
	Picture(of string, i int) []byte

	// Aim sets the part of the picture that is looked at; the zero Region: all.
	Aim(Region) error
	// FindMat looks for the printed mat and aims at it.
	FindMat() (MatView, error)
	// ChooseDeck reads with a taught deck, or with the built-in reader for "".
	ChooseDeck(name string) error

	StartTrial(context.Context) error
	// Judge says what the ith card of a trial really is; NoRank: it shows none.
	Judge(i int, really card.Rank) error
	// Missed says that the ith card lies there and the camera doesn't see it.
	Missed(i int) error
	EndTrial(context.Context) error

	StartLesson(ctx context.Context, deck, pack string, replace bool) error
	// Teach is one of "snap", "skip", "back", "again", each with the card that it is
	// about, and "finish", "stop".
	Teach(ctx context.Context, do string, i int) error
}

// Refused is a desk's no; the pages' catalogue has a sentence for its code.
type Refused struct {
	Code string
	Args map[string]any
}

func (r *Refused) Error() string { return "refused: " + r.Code }

// Region is a part of the picture in fractions of its width and height.
type Region struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// DeskView is the camera as its page shows it. Outlines are in fractions of the
// picture.
type DeskView struct {
	State      string          `json:"state"` // as in CameraView
	Trouble    Note            `json:"trouble"`
	Busy       bool            `json:"busy"`   // the table needs the camera: no test, no lesson
	Source     string          `json:"source"` // as configured
	Device     string          `json:"device"`
	Codec      string          `json:"codec"`
	W          int             `json:"w"`
	H          int             `json:"h"`
	Rate       float64         `json:"rate"`     // pictures a second that come
	Promised   float64         `json:"promised"` // and that the camera promised, 0: nothing
	Controls   []Setting       `json:"controls"`
	Differs    []string        `json:"differs"` // what was asked of it and isn't so
	Region     Region          `json:"region"`
	Cards      [][4][2]float64 `json:"cards"`
	CardPixels int             `json:"card_pixels"` // height of the tallest card, 0: none lies there
	Flaws      []Note          `json:"flaws"`
	Spells     []Spell         `json:"spells"` // oldest first
	Deck       string          `json:"deck"`   // "": the built-in reader
	Decks      []string        `json:"decks"`
	Packs      []string        `json:"packs"` // kinds of packs that can be taught
	Trial      *Trial          `json:"trial"`
	Lesson     *Lesson         `json:"lesson"`
}

// Setting is a control of the camera, read back.
type Setting struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// Spell is the camera lost or back.
type Spell struct {
	At   time.Time `json:"at"`
	Lost bool      `json:"lost"`
	Note string    `json:"note"`
}

// MatView is what was found of the mat: its outline and the region set from it, or
// why it wasn't found.
type MatView struct {
	Found  bool          `json:"found"`
	Quad   [4][2]float64 `json:"quad"`
	Region Region        `json:"region"`
	Why    []Note        `json:"why"`
}

// Trial is a test with some cards. Verdict is "" while it goes on, then "good",
// "fair" or "poor".
type Trial struct {
	Of      int    `json:"of"`
	Reads   []Read `json:"reads"`
	Lying   int    `json:"lying"` // cards that lie there now
	Verdict string `json:"verdict"`
	Advice  []Note `json:"advice"`
}

// Read is what was read of a trial's card, and what it really was.
type Read struct {
	I          int         `json:"i"`
	Rank       card.Rank   `json:"rank"`
	Suit       card.Suit   `json:"suit"`
	Guess      []card.Rank `json:"guess"`
	Sure       bool        `json:"sure"`   // Rank would count without a question
	Back       bool        `json:"back"`   // no rank was seen on it
	Missed     bool        `json:"missed"` // it wasn't seen at all
	Confidence float64     `json:"confidence"`
	Pixels     int         `json:"pixels"` // its height
	Judged     bool        `json:"judged"`
	Really     card.Rank   `json:"really"`
}

// Lesson is a deck being taught.
type Lesson struct {
	Deck    string          `json:"deck"`
	Pack    string          `json:"pack"`
	Of      int             `json:"of"`
	Done    int             `json:"done"` // cards taken or left out
	Next    *LessonCard     `json:"next"` // nil when all are done
	Last    *LessonCard     `json:"last"`
	Left    []LessonCard    `json:"left"`           // those left out
	Checked bool            `json:"checked"`        // all are done, and the reader could load them
	Twins   [][2]LessonCard `json:"twins"`          // that it could not tell apart
	Like    *LessonCard     `json:"like,omitempty"` // what the card just refused looks like
	Trouble Note            `json:"trouble"`
}

// LessonCard is a card of a pack that is taught. Its suit stands for whatever the
// pack has in its place.
type LessonCard struct {
	I     int       `json:"i"`
	Rank  card.Rank `json:"rank"`
	Suit  card.Suit `json:"suit"`
	Taken int       `json:"taken"` // how often, so that a new picture has a new address
	Has   bool      `json:"has"`   // a picture
}

func (s *Server) needDesk(c *gin.Context) {
	if s.o.Desk == nil {
		s.refuse(c, http.StatusNotFound, "no_camera")
	}
}

// desk shows the camera to the host.
func (s *Server) desk(c *gin.Context) { c.JSON(http.StatusOK, s.o.Desk.Look(c.Request.Context())) }

// deskPicture is the picture of a card that was tested or taught.
func (s *Server) deskPicture(c *gin.Context) {
	i, err := strconv.Atoi(c.Param("i"))
	var b []byte
	if err == nil {
		b = s.o.Desk.Picture(c.Param("of"), i)
	}
	if len(b) == 0 {
		s.refuse(c, http.StatusNotFound, "no_picture")
		return
	}
	c.Data(http.StatusOK, http.DetectContentType(b), b)
}

// done answers a press: what the camera looks like now, or why not.
func (s *Server) done(c *gin.Context, err error) {
	var no *Refused
	switch {
	case errors.As(err, &no):
		status := http.StatusConflict
		if fault[no.Code] {
			status = http.StatusBadRequest
		}
		s.metrics.refusals.WithLabelValues(no.Code).Inc()
		s.send(c, status, no.Code, "", s.speaker(c).note(Note{"refuse." + no.Code, no.Args}))
	case err != nil:
		s.trouble(c, err)
	default:
		s.desk(c)
	}
}

// fault are the codes that say nothing of the moment.
var fault = map[string]bool{"bad_region": true, "bad_pack": true, "bad_deck": true}

// aim sets the region; null is the whole picture.
func (s *Server) aim(c *gin.Context) {
	var in struct {
		Region json.RawMessage `json:"region"`
	}
	if !s.fields(c, &in) {
		return
	}
	if in.Region == nil {
		s.refuseField(c, http.StatusBadRequest, "missing", "region")
		return
	}
	var r struct{ X, Y, W, H *float64 }
	if string(in.Region) == "null" {
		s.done(c, s.o.Desk.Aim(Region{}))
		return
	}
	if err := json.Unmarshal(in.Region, &r); err != nil || r.X == nil || r.Y == nil || r.W == nil || r.H == nil {
		s.refuseField(c, http.StatusBadRequest, "bad_region", "region")
		return
	}
	region := Region{*r.X, *r.Y, *r.W, *r.H}
	if region.W == 0 || math.IsInf(region.W+region.H+region.X+region.Y, 0) {
		s.refuseField(c, http.StatusBadRequest, "bad_region", "region")
		return
	}
	s.done(c, s.o.Desk.Aim(region))
}

func (s *Server) findMat(c *gin.Context) {
	m, err := s.o.Desk.FindMat()
	if err != nil {
		s.done(c, err)
		return
	}
	c.JSON(http.StatusOK, m)
}

func (s *Server) chooseDeck(c *gin.Context) {
	var in struct {
		Deck *string `json:"deck"`
	}
	if !s.fields(c, &in) {
		return
	}
	if in.Deck == nil {
		s.refuseField(c, http.StatusBadRequest, "missing", "deck")
		return
	}
	s.done(c, s.o.Desk.ChooseDeck(*in.Deck))
}

// tryCards is a press during a test with some cards.
func (s *Server) tryCards(c *gin.Context) {
	var in struct {
		Do   string     `json:"do"`
		I    *int       `json:"i"`
		Rank *card.Rank `json:"rank"` // "" for: there is none
	}
	if !s.fields(c, &in) {
		return
	}
	ctx := c.Request.Context()
	switch in.Do {
	case "start":
		s.done(c, s.o.Desk.StartTrial(ctx))
	case "judge":
		if in.I == nil || in.Rank == nil {
			s.refuseField(c, http.StatusBadRequest, "missing", "rank")
			return
		}
		s.done(c, s.o.Desk.Judge(*in.I, *in.Rank))
	case "missed":
		if in.I == nil {
			s.refuseField(c, http.StatusBadRequest, "missing", "i")
			return
		}
		s.done(c, s.o.Desk.Missed(*in.I))
	case "end":
		s.done(c, s.o.Desk.EndTrial(ctx))
	default:
		s.refuseField(c, http.StatusBadRequest, "bad_do", "do")
	}
}

// teach is a press while a deck is taught.
func (s *Server) teach(c *gin.Context) {
	var in struct {
		Do      string `json:"do"`
		Deck    string `json:"deck"`
		Pack    string `json:"pack"`
		Replace bool   `json:"replace"`
		I       *int   `json:"i"`
	}
	if !s.fields(c, &in) {
		return
	}
	ctx := c.Request.Context()
	switch in.Do {
	case "start":
		s.done(c, s.o.Desk.StartLesson(ctx, in.Deck, in.Pack, in.Replace))
	case "snap", "skip", "back", "again":
		if in.I == nil {
			s.refuseField(c, http.StatusBadRequest, "missing", "i")
			return
		}
		s.done(c, s.o.Desk.Teach(ctx, in.Do, *in.I))
	case "finish", "stop":
		s.done(c, s.o.Desk.Teach(ctx, in.Do, 0))
	default:
		s.refuseField(c, http.StatusBadRequest, "bad_do", "do")
	}
}
