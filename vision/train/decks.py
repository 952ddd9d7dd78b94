"""Draws the faces of decks that nobody printed: any typeface, index language,
pip, colour, paper and layout, so that a net has nothing to learn by heart but
what a rank looks like. Artwork decks (artwork.py) come along unchanged and as
donors of figures.

A Face carries where its index lies, so that the scene can tell whether it is
hidden. Everything comes from the numpy generator that is handed in.
"""
import subprocess
import zlib
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from classes import INDEX_WEIGHTS, INDICES, NO_RANK, NO_SUIT

W, H = 256, 358  # a face's size in pixels, the same as the artwork's
NOT_TEXT = ("Symbol", "Standard Symbols", "D050000L", "Line Dings", "Keyboard", "BRK", "Wargames", "Isabella",
            "Triod", "Math", "Kristi", "Outline", "Solothurn", "Rufscript")
THIN = ("Hairline", "Thin", "ExtraLight", "Extra Light", "=Light")
PIP_FONTS = ("DejaVu Sans", "FreeSans", "FreeSerif", "FreeMono", "Symbola", "DejaVu Sans Mono")
# Share of the typefaces that only measuring sees.
HELD_FONTS = 8


@dataclass
class Face:
    image: np.ndarray  # H×W×3, blue green red
    rank: int  # NO_RANK for jokers, backs and blanks
    suit: int
    box: tuple  # x0, y0, x1, y1 of the rank's index, as parts of the card
    four: bool = False  # indices in all four corners, not only in two
    one_way: bool = False  # no index in the bottom right
    known: bool = True  # False: the corner's reading is not known, never a sample
    placed: bool = True  # False: the box is only roughly where the index lies
    radius: float = 0.05  # of the rounded corner, as a part of the width


def typefaces(held):
    """Files of Latin typefaces, and those that also have Cyrillic; a family is
    either trained on or measured on, by a sum over its name. For training, the
    hairline and light cuts of a family count as one more: too few would be met."""
    def files(charset):
        out = subprocess.run(["fc-list", f":charset={charset}", "file", "family", "style", "fontformat"], capture_output=True, text=True, check=True).stdout
        for line in sorted(out.splitlines()):
            path, _, rest = line.partition(": ")
            family = rest.split(":")[0].split(",")[0]
            if not family.strip() or any(bad in rest for bad in NOT_TEXT) or path.endswith((".pcf.gz", ".pfb", ".afm", ".t1")):
                continue
            if (zlib.crc32(family.split()[0].encode()) % HELD_FONTS == 0) == held:
                yield path, family
                if not held and any(cut in rest for cut in THIN):
                    yield path, family + " thin"
    latin, cyrillic = {}, {}
    for table, charset in ((latin, "31-39 41-5a 61-7a"), (cyrillic, "31-39 412 414 41a 422")):
        for path, family in files(charset):
            table.setdefault(family, []).append(path)
    return latin, cyrillic


def glyph(path, text, height, stretch=1.0, bold=0, spacing=0.0, shear=0.0, waist=0.0, soft=0.0):
    """The ink of a text as a mask of about the wanted height, cropped to it.
    With waist the middle of the letters moves up or down, with soft their ends
    and corners get round: so one typeface stands for many."""
    size = 110
    font = ImageFont.truetype(path, size)
    canvas = Image.new("L", (size * (len(text) + 2), size * 2), 0)
    draw, x = ImageDraw.Draw(canvas), size // 2
    for letter in text:
        draw.text((x, size // 3), letter, font=font, fill=255, stroke_width=max(bold, 0))
        x += font.getlength(letter) * (1 + spacing)
    mask = np.asarray(canvas)
    if bold < 0:
        mask = cv2.erode(mask, np.ones((1 - bold, 1 - bold), np.uint8))
    if shear:
        mask = cv2.warpAffine(mask, np.float32([[1, -shear, shear * size], [0, 1, 0]]), (mask.shape[1], mask.shape[0]))
    ys, xs = np.where(mask > 60)
    if len(ys) < 30:
        return None
    mask = mask[ys.min():ys.max() + 1, xs.min():xs.max() + 1]
    if soft:
        blurred = cv2.GaussianBlur(cv2.copyMakeBorder(mask, 6, 6, 6, 6, cv2.BORDER_CONSTANT), (0, 0), soft).astype(np.float32)
        mask = np.clip((blurred - 110) * 5, 0, 255).astype(np.uint8)[6:-6, 6:-6]
    if waist:
        rows = np.linspace(0, 1, len(mask)) ** np.exp(waist) * (len(mask) - 1)
        mask = mask[np.rint(rows).astype(int)]
    height = max(4, round(height))
    width = max(3, round(mask.shape[1] * height / mask.shape[0] * stretch))
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)


def drawn_pip(suit, rng):
    """A pip from curves, for shapes that no typeface has."""
    n, p = 160, np.zeros((160, 160), np.uint8)
    fat = rng.uniform(0.85, 1.15)

    def disc(x, y, r):
        cv2.ellipse(p, (int(x * n), int(y * n)), (int(r * n * fat), int(r * n)), 0, 0, 360, 255, -1, cv2.LINE_AA)

    def poly(points):
        cv2.fillPoly(p, [np.int32(np.array(points) * n)], 255, cv2.LINE_AA)
    r = rng.uniform(0.19, 0.24)
    if suit == 0:
        disc(0.5, 0.27, r), disc(0.27, 0.58, r), disc(0.73, 0.58, r)
        poly([(0.46, 0.4), (0.54, 0.4), (0.62, 0.95), (0.38, 0.95)])
    elif suit == 1:
        w = rng.uniform(0.3, 0.42)
        poly([(0.5, 0.05), (0.5 + w, 0.5), (0.5, 0.95), (0.5 - w, 0.5)])
    else:
        disc(0.3, 0.33, r * 1.1), disc(0.7, 0.33, r * 1.1)
        poly([(0.06, 0.4), (0.94, 0.4), (0.5, 0.93)])
        if suit == 3:
            p = p[::-1].copy()
            poly([(0.46, 0.5), (0.54, 0.5), (0.64, 0.98), (0.36, 0.98)])
    ys, xs = np.where(p > 60)
    return p[ys.min():ys.max() + 1, xs.min():xs.max() + 1]


def blend(image, mask, x, y, ink):
    """Lays ink through a mask whose top left is at x, y; what hangs over is cut."""
    left, up, w, h = cv2.boundingRect(mask)
    mask = mask[up:up + h, left:left + w]
    x, y = int(round(x)) + left, int(round(y)) + up
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, image.shape[1]), min(y + h, image.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    alpha = mask[y0 - y:y1 - y, x0 - x:x1 - x, None].astype(np.float32) / 255
    part = image[y0:y1, x0:x1]
    part[:] = (part * (1 - alpha) + np.array(ink, np.float32) * alpha).astype(np.uint8)


# Columns 0–2 and rows 0–6 of the pips of two to ten; below the middle they are turned.
PIPS = {
    2: [(1, 0), (1, 6)], 3: [(1, 0), (1, 3), (1, 6)],
    **{n: [(x, y) for y in (0, 6) for x in (0, 2)] + more for n, more in {
        4: [], 5: [(1, 3)], 6: [(0, 3), (2, 3)], 7: [(0, 3), (2, 3), (1, 1.5)],
        8: [(0, 3), (2, 3), (1, 1.5), (1, 4.5)],
        9: [(0, 2), (2, 2), (0, 4), (2, 4), (1, 3)],
        10: [(0, 2), (2, 2), (0, 4), (2, 4), (1, 1), (1, 5)]}.items()},
}


class Deck:
    """One deck's looks; face(rank, suit) draws a card of it."""

    def __init__(self, rng, fonts, donors):
        self.rng, self.donors = rng, donors
        latin, cyrillic = fonts
        self.language = rng.choice(list(INDEX_WEIGHTS), p=list(INDEX_WEIGHTS.values()))
        table = cyrillic if self.language == "russian" else latin
        family = list(table)[rng.integers(len(table))]
        self.font = table[family][rng.integers(len(table[family]))]
        self.indices = INDICES[self.language]
        kind = rng.choice(["small", "usual", "large", "jumbo"], p=[0.2, 0.45, 0.25, 0.1])
        lo, hi = {"small": (0.045, 0.065), "usual": (0.06, 0.095), "large": (0.095, 0.15), "jumbo": (0.15, 0.2)}[kind]
        self.height = rng.uniform(lo, hi)
        self.stretch = rng.choice([1.0, rng.uniform(0.6, 1.0), rng.uniform(1.0, 1.3)], p=[0.4, 0.42, 0.18])
        self.bold = int(rng.choice([-2, 0, 1, 2, 4], p=[0.06, 0.5, 0.2, 0.14, 0.1]))
        self.shear = rng.uniform(-0.1, 0.25) if rng.random() < 0.12 else 0.0
        self.waist = rng.normal(0, 0.17) if rng.random() < 0.4 else 0.0
        self.soft = rng.uniform(1, 4) if rng.random() < 0.25 else 0.0
        self.spacing = rng.uniform(-0.22, 0.02)
        self.squeeze = rng.uniform(0.6, 0.95)  # of the ten, so that it fits
        self.top = rng.uniform(0.025, 0.15) if rng.random() < 0.35 else rng.uniform(0.025, 0.065)
        self.centre = rng.uniform(0.07, 0.125) + max(0, self.height - 0.08) * 0.5
        self.small_pip = rng.uniform(0.5, 1.1) * min(self.height, 0.11)
        self.pip_gap = rng.uniform(0.005, 0.025)
        self.pip_place = rng.choice(["under", "none", "above", "beside"], p=[0.86, 0.05, 0.04, 0.05])
        self.corners = rng.choice([2, 4, 1], p=[0.76, 0.17, 0.07])
        self.pip_font = rng.choice(PIP_FONTS) if rng.random() < 0.5 else None
        self.pips = [self.pip(s) for s in range(4)]
        self.pip_size = rng.uniform(0.09, 0.16)
        self.columns = (rng.uniform(0.25, 0.34), 0.5)
        self.rows = rng.uniform(0.13, 0.22)
        # Decks differ in where the odd pip of the seven and the nine stands.
        self.single = {7: rng.choice([1.5, 1, 2]), 9: rng.choice([3, 1, 5], p=[0.6, 0.25, 0.15])} if rng.random() < 0.5 else {}
        self.big = rng.random() < 0.05  # a large letter or one large pip instead of many
        self.figure = rng.choice(["donor", "drawn", "letter", "pip"], p=[0.55, 0.25, 0.12, 0.08])
        if not donors and self.figure == "donor":
            self.figure = "drawn"
        self.framed = rng.random() < 0.5
        self.paper = np.clip(rng.uniform(225, 255) + rng.normal(0, [6, 3, 3]) - np.array([rng.choice([0, 0, 25]), 0, 0]), 170, 255)
        red, black = (rng.uniform(0, 60), rng.uniform(0, 50), rng.uniform(150, 235)), [rng.uniform(0, 60)] * 3
        self.ink = [black, red, red, black]
        if rng.random() < 0.17:
            green, blue = (rng.uniform(20, 90), rng.uniform(90, 160), rng.uniform(0, 60)), (rng.uniform(140, 230), rng.uniform(40, 120), rng.uniform(0, 60))
            yellow = (rng.uniform(0, 60), rng.uniform(120, 190), rng.uniform(190, 245))
            self.ink = [green, blue if rng.random() < 0.6 else yellow, red, black if rng.random() < 0.7 else blue]
        self.index_black = rng.random() < 0.06
        if rng.random() < 0.035:  # white on dark
            self.paper = rng.uniform(10, 60, 3)
            self.ink = [rng.uniform(190, 255, 3) if i in (0, 3) else (60, 60, 235) for i in range(4)]
        self.border = rng.choice(["none", "line", "frame"], p=[0.6, 0.22, 0.18])
        self.radius = rng.uniform(0.03, 0.11)
        self.back = None

    def pip(self, suit):
        if self.pip_font:
            path = pip_font_file(self.pip_font)
            mask = glyph(path, "♣♦♥♠"[suit], 150)
            if mask is not None:
                return mask
        return drawn_pip(suit, self.rng)

    def sized(self, mask, height, narrow=1.0):
        height = max(3, round(height))
        return cv2.resize(mask, (max(3, round(mask.shape[1] * height / mask.shape[0] * narrow)), height), interpolation=cv2.INTER_AREA)

    def blank(self):
        image = np.empty((H, W, 3), np.uint8)
        image[:] = np.array(self.paper).astype(np.uint8)
        rng = self.rng
        if self.border == "line":
            colour, w = rng.uniform(0, 160, 3), int(rng.integers(1, 4))
            cv2.rectangle(image, (w, w), (W - 1 - w, H - 1 - w), colour, w)
        elif self.border == "frame":
            inset, colour = rng.uniform(0.03, 0.22), self.ink[int(rng.integers(4))]
            cv2.rectangle(image, (int(inset * W), int(inset * W * 0.8)), (int(W - inset * W), int(H - inset * W * 0.8)), tuple(map(float, colour)), int(rng.integers(1, 3)))
        return image

    def centre_art(self, image, rank, suit):
        """Pips, an ace, or a figure in the middle of the card."""
        rng, ink = self.rng, self.ink[suit]
        value = rank + 1
        if value == 1 or (self.big and value <= 10) or (value > 10 and self.figure == "pip"):
            pip = self.sized(self.pips[suit], H * rng.uniform(0.14, 0.45))
            blend(image, pip, W / 2 - pip.shape[1] / 2, H / 2 - pip.shape[0] / 2, ink)
        elif value <= 10:
            pip = self.sized(self.pips[suit], H * self.pip_size)
            xs, step = (self.columns[0], 0.5, 1 - self.columns[0]), (0.5 - self.rows) / 3
            for col, row in PIPS[value] if value not in self.single else PIPS[value][:-1] + [(1, self.single[value])]:
                turned = pip if row <= 3 else pip[::-1]
                blend(image, turned, xs[col] * W - pip.shape[1] / 2, (self.rows + row * step) * H - pip.shape[0] / 2, ink)
        elif self.figure == "letter":
            mask = glyph(self.font, self.indices[rank], H * rng.uniform(0.25, 0.5), self.stretch, self.bold)
            if mask is not None:
                blend(image, mask, W / 2 - mask.shape[1] / 2, H / 2 - mask.shape[0] / 2, ink)
        else:
            x0, y0 = int(W * rng.uniform(0.16, 0.2)), int(H * rng.uniform(0.06, 0.13))
            if self.figure == "donor":
                donor = self.donors[rank - 10][rng.integers(len(self.donors[rank - 10]))]
                part = donor[int(0.1 * H):int(0.9 * H), int(0.17 * W):int(0.83 * W)]
                art = cv2.resize(part, (W - 2 * x0, H - 2 * y0), interpolation=cv2.INTER_LINEAR)
                if rng.random() < 0.3:
                    art = art[:, :, rng.permutation(3)]
                art = (art.astype(np.float32) * np.array(self.paper) / 255).astype(np.uint8)
            else:
                art = ornament(rng, W - 2 * x0, H - 2 * y0, np.array(self.paper))
            image[y0:y0 + art.shape[0], x0:x0 + art.shape[1]] = art
            if self.framed:
                cv2.rectangle(image, (x0, y0), (W - x0, H - y0), rng.uniform(0, 120, 3), int(rng.integers(1, 3)))

    def face(self, rank, suit):
        rng, image = self.rng, self.blank()
        self.centre_art(image, rank, suit)
        text, ink = self.indices[rank], self.ink[suit]
        narrow = self.stretch * (self.squeeze if len(text) > 1 else 1)
        mask = glyph(self.font, text, self.height * H, narrow, self.bold, self.spacing, self.shear, self.waist, self.soft)
        if mask is None:
            return Face(image, rank, suit, (0, 0, 0, 0), known=False)
        most = 0.27 * W
        if mask.shape[1] > most:
            mask = cv2.resize(mask, (int(most), mask.shape[0]), interpolation=cv2.INTER_AREA)
        stamp = np.zeros((H, W), np.uint8)
        small = self.sized(self.pips[suit], self.small_pip * H)
        y = self.top * H
        x = max(self.centre * W - mask.shape[1] / 2, 0.018 * W)
        if self.pip_place == "above":
            y += small.shape[0] + self.pip_gap * H
        put = stamp_max
        put(stamp, mask, x, y)
        if self.pip_place == "under":
            put(stamp, small, max(self.centre * W - small.shape[1] / 2, 2), y + mask.shape[0] + self.pip_gap * H)
        elif self.pip_place == "above":
            put(stamp, small, max(self.centre * W - small.shape[1] / 2, 2), y - small.shape[0] - self.pip_gap * H)
        elif self.pip_place == "beside":
            put(stamp, small, x + mask.shape[1] + 0.015 * W, y)
        if rng.random() < 0.5 or rank >= 10:  # paper under the index, as figures leave it
            halo = cv2.dilate(stamp, np.ones((5, 5), np.uint8))
            for turn in range(2 if self.corners > 1 else 1):
                blend(image, halo if turn == 0 else halo[::-1, ::-1], 0, 0, self.paper)
        index_ink = self.ink[0] if self.index_black else ink
        blend(image, stamp, 0, 0, index_ink)
        if self.corners > 1:
            blend(image, stamp[::-1, ::-1], 0, 0, index_ink)
        if self.corners == 4:
            right = np.zeros_like(stamp)
            shift = W - int(2 * (x + mask.shape[1] / 2))
            put(right, stamp, shift, 0)
            blend(image, right, 0, 0, index_ink), blend(image, right[::-1, ::-1], 0, 0, index_ink)
        box = (x / W, y / H, (x + mask.shape[1]) / W, (y + mask.shape[0]) / H)
        return Face(image, rank, suit, box, four=self.corners == 4, one_way=self.corners == 1, radius=self.radius)

    def joker(self):
        rng, image = self.rng, self.blank()
        art = ornament(rng, int(W * 0.6), int(H * 0.6), np.array(self.paper))
        if self.donors and rng.random() < 0.4:
            donor = self.donors[int(rng.integers(3))]
            art = cv2.resize(donor[rng.integers(len(donor))][int(0.15 * H):int(0.85 * H), int(0.2 * W):int(0.8 * W)], (art.shape[1], art.shape[0]))
        if rng.random() < 0.7:
            image[int(H * 0.2):int(H * 0.2) + art.shape[0], int(W * 0.2):int(W * 0.2) + art.shape[1]] = art
        word = rng.choice(["JOKER", "Joker", "JOLLY", "JOKER", "★", "ДЖОКЕР"] if self.language == "russian" else ["JOKER", "Joker", "JOLLY", "JOKER", "JOKER"])
        ink, h = self.ink[int(rng.integers(4))], H * rng.uniform(0.025, 0.055)
        way = rng.choice(["stack", "along", "level", "star"], p=[0.45, 0.25, 0.18, 0.12])
        stamp = np.zeros((H, W), np.uint8)
        if way == "star":
            cv2.circle(stamp, (int(0.1 * W), int(0.1 * H)), int(rng.uniform(5, 14)), 255, -1)
        elif way == "stack":
            y = H * rng.uniform(0.02, 0.07)
            for letter in word:
                mask = glyph(self.font, letter, h)
                if mask is not None:
                    stamp_max(stamp, mask, 0.09 * W - mask.shape[1] / 2, y)
                y += h * rng.uniform(1.1, 1.3)
        else:
            mask = glyph(self.font, word, h)
            if mask is not None:
                mask = cv2.resize(mask, (int(min(mask.shape[1], 0.6 * W)), mask.shape[0]))
                if way == "along":
                    mask = np.rot90(mask, int(rng.choice([1, 3])))
                stamp_max(stamp, mask, rng.uniform(0.02, 0.07) * W, rng.uniform(0.02, 0.06) * H)
        blend(image, stamp, 0, 0, ink), blend(image, stamp[::-1, ::-1], 0, 0, ink)
        return Face(image, NO_RANK, NO_SUIT, (0.02, 0.02, 0.2, 0.3), radius=self.radius)

    def back_or_blank(self):
        rng, image = self.rng, self.blank()
        if rng.random() < 0.8:
            rim = int(rng.choice([0, 0, 8, 14, 20]))
            image[rim:H - rim, rim:W - rim] = pattern(rng, W - 2 * rim, H - 2 * rim)
        return Face(image, NO_RANK, NO_SUIT, (0.02, 0.02, 0.2, 0.2), radius=self.radius)


def stamp_max(stamp, mask, x, y):
    """Adds a mask to a stamp, cut at its edges."""
    canvas = np.zeros((*stamp.shape, 3), np.uint8)
    blend(canvas, mask, x, y, (255, 255, 255))
    np.maximum(stamp, canvas[:, :, 0], out=stamp)


FONT_FILES = {}


def pip_font_file(family):
    if family not in FONT_FILES:
        FONT_FILES[family] = subprocess.run(["fc-match", "-f", "%{file}", f"{family}:charset=2660"], capture_output=True, text=True, check=True).stdout
    return FONT_FILES[family]


def ornament(rng, w, h, paper):
    """Something like a figure: many small coloured shapes, the lower half the upper turned."""
    half = np.empty((h // 2 + 1, w, 3), np.uint8)
    half[:] = paper.astype(np.uint8)
    palette = rng.uniform(0, 255, (int(rng.integers(3, 6)), 3))
    for _ in range(int(rng.integers(12, 50))):
        colour = tuple(map(float, palette[rng.integers(len(palette))]))
        x, y = int(rng.uniform(0, w)), int(rng.uniform(0, h / 2))
        size = rng.uniform(3, w * 0.25, 2).astype(int)
        shape = rng.integers(4)
        if shape == 0:
            cv2.ellipse(half, (x, y), tuple(map(int, size)), rng.uniform(0, 180), 0, 360, colour, int(rng.choice([-1, 2])), cv2.LINE_AA)
        elif shape == 1:
            cv2.fillPoly(half, [np.int32(rng.normal([x, y], w * 0.1, (int(rng.integers(3, 6)), 2)))], colour, cv2.LINE_AA)
        elif shape == 2:
            cv2.line(half, (x, y), (int(rng.uniform(0, w)), int(rng.uniform(0, h / 2))), colour, int(rng.integers(1, 6)), cv2.LINE_AA)
        else:
            cv2.rectangle(half, (x, y), (x + int(size[0]), y + int(size[1])), colour, int(rng.choice([-1, 2])))
    return np.vstack([half[:h - h // 2], half[:h // 2][::-1, ::-1]]) if h // 2 else half[:h]


def pattern(rng, w, h):
    """A back, a cloth: lines, checks, dots or diamonds in two or three colours."""
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    angle = rng.choice([0, np.pi / 4, rng.uniform(0, np.pi)])
    u, v = x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)
    p = rng.uniform(5, 50)
    kind = rng.integers(5)
    if kind == 0:
        t = np.sin(u * 6.283 / p)
    elif kind == 1:
        t = np.sin(u * 6.283 / p) * np.sin(v * 6.283 / p)
    elif kind == 2:
        t = np.maximum(np.sin(u * 6.283 / p), np.sin(v * 6.283 / p))
    elif kind == 3:
        t = np.sin(np.hypot(x - w / 2, y - h / 2) * 6.283 / p) + np.sin(u * 6.283 / p)
    else:
        t = np.minimum(np.sin(u * 6.283 / p), np.sin(v * 6.283 / p))
    t = np.clip(t * rng.uniform(1, 8) + rng.uniform(-1, 1), -1, 1)[:, :, None] * 0.5 + 0.5
    a, b = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    if rng.random() < 0.6:
        b = rng.uniform(220, 255, 3)
    return (a * t + b * (1 - t)).astype(np.uint8)


ONE_WAY = ("gnome-tango_nuevo",)
NO_INDEX = ("kde-oxygen", "kde-oxygen-air", "kde-oxygen-white")  # rank top right only


def index_box(faces):
    """Where an artwork deck has its rank's index, from the faces of two to nine:
    the topmost ink of a letter's size at the left. None when they don't agree."""
    boxes = []
    for face in faces:
        part = face[:int(0.3 * H), :int(0.22 * W)].astype(int)
        ink = np.abs(part - np.median(part.reshape(-1, 3), 0)).max(2) > 70
        boxes += sorted([y, x, h, w] for x, y, w, h, area in cv2.connectedComponentsWithStats(ink.astype(np.uint8))[2][1:]
                        if x > 1 and y > 1 and x + w < part.shape[1] and 0.03 * H < h < 0.2 * H
                        and 0.015 * W < w < 0.2 * W and area > 0.1 * w * h)[:1]
    if len(boxes) < 0.7 * len(faces) or not boxes:
        return None
    y, x, h, w = np.median(boxes, 0)
    agree = np.abs(np.array(boxes)[:, [0, 2]] - [y, h]).max(1) < 0.012 * H
    return (x / W, y / H, (x + w) / W, (y + h) / H) if agree.mean() > 0.7 else None


class Pool:
    """A stock of faces that is slowly renewed: drawing one is dearer than using it."""

    def __init__(self, rng, artwork, held, size=500, art_share=0.42):
        self.rng, self.size, self.art_share = rng, size, art_share
        z = np.load(artwork)
        keep = z["held"] == held
        self.art = {k: z[k][keep] for k in ("faces", "ranks", "suits", "decks")}
        self.names = sorted(set(self.art["decks"]))
        self.of = {n: np.where(self.art["decks"] == n)[0] for n in self.names}
        digits = (self.art["ranks"] >= 1) & (self.art["ranks"] <= 8)
        self.box = {n: index_box(self.art["faces"][(self.art["decks"] == n) & digits]) for n in self.names}
        self.fonts = typefaces(held)
        self.donors = [[self.art["faces"][i] for i in np.where(self.art["ranks"] == r)[0]] for r in (10, 11, 12)]
        self.deck, self.left, self.stock = None, 0, []

    def drawn(self):
        rng = self.rng
        if self.left == 0:
            self.deck, self.left = Deck(rng, self.fonts, self.donors), 12
        self.left -= 1
        u = rng.random()
        if u < 0.05:
            return self.deck.joker()
        if u < 0.08:
            return self.deck.back_or_blank()
        # What is printed for an ace, jack or queen differs from deck to deck.
        rank = int(rng.choice([0, 10, 11])) if rng.random() < 0.15 else int(rng.integers(13))
        return self.deck.face(rank, int(rng.integers(4)))

    def printed(self):
        rng = self.rng
        name = self.names[rng.integers(len(self.names))]
        return self.card(self.of[name][rng.integers(len(self.of[name]))])

    def card(self, i):
        """The i-th face of the artwork."""
        rng, name = self.rng, self.art["decks"][i]
        image, rank, suit = self.art["faces"][i], int(self.art["ranks"][i]), int(self.art["suits"][i])
        if rng.random() < 0.25:  # another printing: tone and contrast
            image = np.clip(255 - (255 - image.astype(np.float32)) * rng.uniform(0.7, 1.2) * rng.uniform(0.85, 1.1, 3), 0, 255).astype(np.uint8)
        four = name in ("gnome-dondorf", "kde-dondorf", "kde-french")
        box = self.box[name]
        return Face(image, rank, suit, box or (0.02, 0.02, 0.16, 0.14), four=four, one_way=name in ONE_WAY, known=name not in NO_INDEX, placed=box is not None)

    def next(self):
        if len(self.stock) < self.size or self.rng.random() < 0.3:
            new = self.printed() if self.rng.random() < self.art_share else self.drawn()
            if len(self.stock) < self.size:
                self.stock.append(new)
            else:
                self.stock[self.rng.integers(self.size)] = new
            return new
        return self.stock[self.rng.integers(len(self.stock))]


def sheet(path, held=False, seed=1):
    """A picture of many faces, to look at."""
    rng = np.random.default_rng(seed)
    pool = Pool(rng, path, held, art_share=0)
    faces = [pool.drawn().image for _ in range(12 * 14)]
    return np.vstack([np.hstack([cv2.resize(f, (90, 126)) for f in faces[i:i + 24]]) for i in range(0, 168, 24)])
