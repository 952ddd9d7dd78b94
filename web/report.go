package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func (s *Server) reportPDF(c *gin.Context) { s.refuse(c, http.StatusNotFound, "no_night") }
func (s *Server) reportCSV(c *gin.Context) { s.refuse(c, http.StatusNotFound, "no_night") }
func (s *Server) settle(c *gin.Context)    { s.refuse(c, http.StatusNotFound, "no_night") }
