// Package weights holds the small nets that read a card, as ONNX files inside
// the program: nothing is downloaded and nothing can be lost from a folder.
// They are made by vision/train from card artwork and typefaces; its README
// has the recipe and the scores.
//
// A rectified card is a picture of CardW×CardH in which the card's own corners
// lie Margin pixels inside the edge. From it are cut
//
//	corner  PatchW×PatchH from the top left, and again after half a turn of the
//	        card, shrunk by area to CornerW×CornerH grey (and SuitW×SuitH in
//	        colour for the suit);
//	face    the whole, shrunk by area to FaceW×FaceH grey.
//
// Grey is OpenCV's 0.114 B + 0.587 G + 0.299 R. A patch is normalised before a
// net sees it: from each channel its own mean is subtracted, and all values are
// divided by (s + 6), s being the root of the mean square of what is left. The
// input is a float blob N×C×H×W with N free, channels blue, green, red; the
// output N×(classes + 1) are calibrated probabilities that add up to 1. The last
// class says "none": a back, a joker, an index that lies sideways or upside
// down or is hidden, or no card at all. The nets need OpenCV 4.6 or later.
package weights

import _ "embed"

// The sizes the nets were trained for, in pixels; vision/train/classes.py has
// the same numbers.
const (
	CardW, CardH     = 168, 232
	Margin           = 4
	PatchW, PatchH   = 48, 80
	CornerW, CornerH = 36, 60
	SuitW, SuitH     = 24, 40
	FaceW, FaceH     = 64, 88
)

// Ranks and Suits name the outputs in order; the output after the last of them
// is "none".
var (
	Ranks = [...]string{"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}
	Suits = [...]string{"clubs", "diamonds", "hearts", "spades"}
)

// Corner reads the rank from a corner index: N×1×60×36 to N×14.
//
//go:embed corner.onnx
var Corner []byte

// Face reads the rank from the whole face, pips and figures: N×1×88×64 to N×14.
// It errs otherwise than Corner does, which is why both are asked.
//
//go:embed face.onnx
var Face []byte

// Suit reads the suit from a corner in colour: N×3×40×24 to N×5.
//
//go:embed suit.onnx
var Suit []byte
