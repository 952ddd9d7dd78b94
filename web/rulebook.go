package web

import (
	_ "embed"
	"net/http"

	"github.com/gin-gonic/gin"
)

// rulebook is what the host may choose when a night is opened: the games, their
// profiles, and for each house rule its kind, its values and what each profile
// plays. It is data for the form; whether a choice is legal the rules say.
//
//go:embed rulebook.json
var rulebook []byte

func (s *Server) houseRules(c *gin.Context) {
	c.Data(http.StatusOK, "application/json; charset=utf-8", rulebook)
}
