"""What the nets can say and where they look, in one place.

The Go reader uses the same numbers (vision/weights/weights.go): change both.
"""

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
NO_RANK = len(RANKS)  # a back, a joker, a blank, a sideways corner, no card at all
SUITS = ["clubs", "diamonds", "hearts", "spades"]
NO_SUIT = len(SUITS)

# A rectified card: its corners lie MARGIN pixels inside a picture of CARD_W×CARD_H.
CARD_W, CARD_H, MARGIN = 168, 232, 4
# The corner patch is cut from the top left of the rectified card, before and
# after half a turn, then shrunk (area average) to what the nets take.
PATCH_W, PATCH_H = 48, 80
CORNER_W, CORNER_H = 36, 60  # grey, for the rank
SUIT_W, SUIT_H = 24, 40  # blue, green, red, for the suit
FACE_W, FACE_H = 64, 88  # grey, the whole rectified card
# A card of which only an index was found is taken to have it in the middle of
# INDEX_X, INDEX_Y and INDEX_H high, as parts of its width, height and height.
INDEX_X, INDEX_Y, INDEX_H = 0.105, 0.105, 0.085

VIEW = 160  # pixels of the square pictures in which indices are looked for

# What is printed in the corner for each rank. "Ober" and "Unter" stand where
# French suits have the queen and the jack.
INDICES = {
    "english": ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"],
    "french": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R"],
    "french-as": ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R"],
    "german": ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "D", "K"],
    "russian": ["Т", "2", "3", "4", "5", "6", "7", "8", "9", "10", "В", "Д", "К"],
    "italian": ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "F", "D", "R"],
    "german-suited": ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "U", "O", "K"],
}
# English indices stand on most of the artwork, too; B and 8 or 1 and 2 are hard to
# tell apart when they are small, so that the others are drawn oftener than they are met.
INDEX_WEIGHTS = {
    "english": 0.29, "french": 0.14, "french-as": 0.08, "german": 0.2,
    "russian": 0.18, "italian": 0.06, "german-suited": 0.05,
}
