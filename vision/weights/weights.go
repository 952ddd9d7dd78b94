// Package weights holds the small nets that find and read a card, as ONNX files
// inside the program: nothing is downloaded and nothing can be lost from a folder.
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
//
// # Indices without an outline
//
// The index net finds where ranks are printed when no outline of a card is to be
// had: white on white, fans, cards mostly covered. Its input is a whole grey
// picture of any width and height, a blob 1×1×H×W, normalised like a patch: its
// own mean subtracted, divided by (s + 6). Its output is 1×6×⌈H/8⌉×⌈W/8⌉, six
// numbers for the cell in row i and column j:
//
//	0     p        the probability that the middle of a rank (not of the pip below
//	               it) lies at this cell
//	1, 2  dx, dy   the middle is at x = IndexCell·(j + dx), y = IndexCell·(i + dy)
//	3, 4  c, s     the rank is turned by atan2(s, c): 0 is upright, π/2 lies with
//	               its top to the right; its right is (c, s), its down (−s, c)
//	5     h        the rank is IndexMid·exp(h) pixels high
//
// An index is where p is at least some floor and no less than in the eight cells
// around; of two nearer to one another than half a height the less probable is
// dropped. Ranks of IndexLow to IndexHigh pixels are found; for larger ones the
// picture is halved. p says that something looks like an index, not which: the
// corner net decides, on a patch of the card that is supposed around the place
// (a parallelogram or, where nothing is known of the view, a rectangle): the
// middle of the rank lies IndexX of its width and IndexY of its height inside of
// the first corner, and the rank is IndexH of its height.
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

// How the index net's numbers are meant.
const (
	IndexCell           = 8  // pixels of the picture
	IndexMid            = 16 // pixels high is a rank of which h is 0
	IndexLow, IndexHigh = 8, 44

	IndexX, IndexY, IndexH = 0.105, 0.105, 0.085 // in a supposed card
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

// Index finds the indices in a grey picture: 1×1×H×W to 1×6×⌈H/8⌉×⌈W/8⌉.
//
//go:embed index.onnx
var Index []byte
