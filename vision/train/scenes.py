"""Puts faces on tables, looks at them with bad cameras, and cuts out what the
nets will see: python3 scenes.py ARTWORK.npz OUT_FOLDER SCENES SEED [held]

Each scene is one card (or none, or two taken for one) with its neighbours,
light, hand, blur and noise. The corners of the card are found with the errors
a real finder makes, the card is rectified with them, and patches are cut with
a label each: the rank when it can be read there, none when there is nothing to
read, and no sample when people would quarrel about it. Of the whole picture a
square is kept, too, with the places of the indices in it.
"""
import os
import sys
from dataclasses import dataclass, field

import cv2
import numpy as np

import decks
from classes import (CARD_H, CARD_W, CORNER_H, CORNER_W, FACE_H, FACE_W, INDEX_H, INDEX_X, INDEX_Y, MARGIN, NO_RANK,
                     NO_SUIT, PATCH_H, PATCH_W, SUIT_H, SUIT_W, VIEW)

SKIP = -1
PART = 2000  # scenes in one file
CLEAR, GONE = 0.12, 0.6  # an index hidden by less can be read, by more can't; between them people would quarrel
UNIT = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
RECTIFIED = np.float32([[MARGIN, MARGIN], [CARD_W - MARGIN, MARGIN], [CARD_W - MARGIN, CARD_H - MARGIN], [MARGIN, CARD_H - MARGIN]])


@dataclass
class Scene:
    """A table and what lies on it, later things covering earlier ones."""
    pixels: np.ndarray
    top: np.ndarray = None  # which thing is uppermost, 0 the table
    things: int = 0
    cards: list = field(default_factory=list)  # number, face, corners

    def __post_init__(self):
        self.top = np.zeros(self.pixels.shape[:2], np.uint8)

    def cover(self, mask, x=0, y=0):
        self.things += 1
        self.top[y:y + mask.shape[0], x:x + mask.shape[1]][mask > 127] = self.things
        return self.things


@dataclass
class Mark:
    """An index of a card in the picture."""
    number: int  # of its card
    rank: int
    suit: int
    x: float  # its rank's middle
    y: float
    turn: float  # 0 upright, then clockwise
    height: float  # of its rank, in pixels
    hidden: float  # share
    known: bool


def table(rng, w, h, kind=None):
    """Felt, wood, cloth, patterns, paper, the dark."""
    kind = kind or rng.choice(["felt", "wood", "pattern", "white", "dark", "clutter"], p=[0.3, 0.2, 0.16, 0.16, 0.1, 0.08])
    if kind == "pattern":
        ground = decks.pattern(rng, w, h).astype(np.float32)
    elif kind == "clutter":
        ground = decks.ornament(rng, w, h, rng.uniform(60, 250, 3)).astype(np.float32)
        ground = cv2.resize(ground, (w, h))
    else:
        base = {"felt": rng.uniform(20, 140, 3), "wood": rng.uniform(0.5, 1.1) * np.array([60, 100, 150.0]),
                "white": np.full(3, rng.uniform(185, 250)) + rng.normal(0, 6, 3), "dark": rng.uniform(5, 40, 3)}[kind]
        ground = np.empty((h, w, 3), np.float32)
        ground[:] = base
        if kind == "wood":
            grain = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), sigmaX=25, sigmaY=1.2)
            if rng.random() < 0.5:  # boards with dark veins, which cross the cards' edges in any direction
                coarse = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), sigmaX=40, sigmaY=rng.uniform(2, 5))
                grain = grain + 2 * coarse
                turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(0, 180), 1)
                grain = cv2.warpAffine(grain, turn, (w, h), borderMode=cv2.BORDER_REFLECT)
            ground *= np.clip(1 + grain[:, :, None] * np.exp(rng.uniform(0, np.log(12))), 0.1, 2)
        else:
            noise = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), rng.uniform(0.6, 3))
            ground += noise[:, :, None] * rng.uniform(2, 25)
    return np.clip(ground, 0, 255)


def view(rng, height, steep=None, far=None):
    """A card of that many pixels seen from somewhere, or tilted by that many degrees
    and from that many card heights away: how wide it is for its height, and where
    points of the table, in card units about its middle, are seen."""
    aspect = rng.uniform(0.61, 0.76)
    turn, way = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
    tilt = np.radians(rng.uniform(0, 15) if rng.random() < 0.4 else rng.uniform(0, 50))
    if steep is not None:
        tilt = np.radians(steep)
    far = far or rng.uniform(2, 6)

    def see(points):  # card units: the height is 1, the middle 0
        c, s = np.cos(turn), np.sin(turn)
        p = points @ np.array([[c, s], [-s, c]])
        c, s = np.cos(way), np.sin(way)
        p = p @ np.array([[c, -s], [s, c]])
        z = p[:, 1] * np.sin(tilt)
        p = np.stack([p[:, 0], p[:, 1] * np.cos(tilt)], 1) / (1 + z / far)[:, None]
        return (p @ np.array([[c, s], [-s, c]])) * height
    return aspect, see


def rect(aspect, x=0.0, y=0.0, turn=0.0, scale=1.0):
    """A card's corners in card units."""
    p = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) * 0.5 * scale
    c, s = np.cos(turn), np.sin(turn)
    return p @ np.array([[c, s], [-s, c]]) + [x, y]


def outline(face):
    """The paper of a card without its rounded corners."""
    mask = np.zeros((decks.H, decks.W), np.uint8)
    r = max(1, int(face.radius * decks.W))
    cv2.rectangle(mask, (r, 0), (decks.W - 1 - r, decks.H - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (decks.W - 1, decks.H - 1 - r), 255, -1)
    for x in (r, decks.W - 1 - r):
        for y in (r, decks.H - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def lay(scene, face, corners, rng, shadow):
    """Lays a face into the scene and returns its number there."""
    image, mask = face.image, outline(face)
    size = max(np.hypot(*(corners[3] - corners[0])), np.hypot(*(corners[2] - corners[1])))
    if size < decks.H * 0.8:  # shrink well before warping, as a camera gathers light
        k = max(size * 1.15 / decks.H, 0.05)
        image, mask = (cv2.resize(i, None, fx=k, fy=k, interpolation=cv2.INTER_AREA) for i in (image, mask))
    h, w = mask.shape
    # Only the part of the picture around the card and its shadow is touched.
    dx, dy = rng.normal(0, 0.02 * size, 2)
    soft = int(0.01 * size + 1)
    reach = np.array([abs(dx), abs(dy)]) + 2 * soft + 2
    limit = scene.top.shape[::-1]
    x0, y0 = np.clip(np.floor(corners.min(0) - reach), 0, limit).astype(int)
    x1, y1 = np.clip(np.ceil(corners.max(0) + reach), 0, limit).astype(int)
    if x0 >= x1 or y0 >= y1:
        return None  # out of the picture
    pixels, to = scene.pixels[y0:y1, x0:x1], (int(x1 - x0), int(y1 - y0))
    m = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), np.float32(corners - [x0, y0]))
    warped, cover = cv2.warpPerspective(image, m, to, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), cv2.warpPerspective(mask, m, to)
    if shadow:
        dark = cv2.warpAffine(cover, np.float32([[1, 0, dx], [0, 1, dy]]), to)
        dark = cv2.blur(dark, (2 * soft + 1,) * 2)
        pixels *= 1 - dark[:, :, None].astype(np.float32) / 255 * rng.uniform(0.1, 0.6)
    alpha = cover[:, :, None].astype(np.float32) / 255
    pixels += (warped - pixels) * alpha
    number = scene.cover(cover, x0, y0)
    scene.cards.append((number, face, corners))
    return number


def hand(scene, rng, middle, size):
    """Fingers or a sleeve from one side: capsules in one skin or cloth."""
    h, w = scene.top.shape
    cover = np.zeros((h, w), np.uint8)
    way = rng.uniform(0, 2 * np.pi)
    tip = middle + rng.normal(0, 0.35 * size, 2)
    for _ in range(int(rng.integers(1, 5))):
        end = tip + np.array([np.cos(way), np.sin(way)]) * size * 2
        cv2.line(cover, tuple(map(int, tip)), tuple(map(int, end)), 255, max(3, int(size * rng.uniform(0.12, 0.22))), cv2.LINE_AA)
        tip = tip + np.array([-np.sin(way), np.cos(way)]) * size * rng.uniform(0.15, 0.25) + rng.normal(0, 0.04 * size, 2)
        way += rng.normal(0, 0.08)
    skin = np.array([110, 140, 200]) * rng.uniform(0.35, 1.15) + rng.normal(0, 12, 3) if rng.random() < 0.8 else rng.uniform(0, 255, 3)
    shade = cv2.GaussianBlur(cover, (0, 0), max(1, size * 0.03)).astype(np.float32)[:, :, None] / 255
    alpha = cover[:, :, None].astype(np.float32) / 255
    scene.pixels += (skin * (0.5 + 0.5 * shade) - scene.pixels) * alpha
    scene.cover(cover)
    return cover


def words(image, rng, fonts):
    """Print in any size: a letter of a word is no index, large as it may be."""
    latin, cyrillic = fonts
    table = cyrillic if cyrillic and rng.random() < 0.25 else latin
    files = table[list(table)[rng.integers(len(table))]]
    letters = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЭЮЯ0123456789" if table is cyrillic else "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    ink = rng.uniform(0, 130, 3) if image.mean() > 120 else rng.uniform(130, 255, 3)
    y, high = rng.uniform(-10, 60), rng.uniform(9, 60)
    while y < image.shape[0]:
        mask = decks.glyph(files[0], "".join(rng.choice(list(letters), int(rng.integers(3, 12)))), high)
        if mask is not None:
            decks.blend(image, mask, rng.uniform(-30, 30), y, ink)
        y += high * rng.uniform(1.2, 2.2)


def thing(scene, rng, corners, fonts):
    """A rectangle that is no card: a book, a box, a phone, a note, a tile."""
    w, h = 200, 280
    image = np.empty((h, w, 3), np.uint8)
    image[:] = rng.uniform(0, 255, 3) if rng.random() < 0.5 else rng.uniform(200, 255)
    for _ in range(int(rng.integers(0, 8))):
        kind, colour = rng.integers(4), tuple(map(float, rng.uniform(0, 255, 3)))
        x, y = int(rng.uniform(0, w)), int(rng.uniform(0, h))
        if kind == 0:
            cv2.rectangle(image, (x, y), (x + int(rng.uniform(5, 120)), y + int(rng.uniform(5, 90))), colour, int(rng.choice([-1, 2])))
        elif kind == 1:
            text = "".join(rng.choice(list("abcdefghiklmnoprstuvwxyz0123456789"), int(rng.integers(4, 14))))
            cv2.putText(image, text, (int(x / 3), y), int(rng.integers(0, 8)), rng.uniform(0.4, 1.6), colour, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind == 2:
            cv2.circle(image, (x, y), int(rng.uniform(5, 60)), colour, int(rng.choice([-1, 3])), cv2.LINE_AA)
        else:
            for k in range(int(rng.integers(2, 9))):
                cv2.line(image, (20, y + 12 * k), (int(rng.uniform(60, 190)), y + 12 * k), colour, 2)
    if rng.random() < 0.6:
        words(image, rng, fonts)
    paper = cv2.resize(image, (decks.W, decks.H))
    lay(scene, decks.Face(paper, NO_RANK, NO_SUIT, (0, 0, 1, 1), radius=rng.uniform(0, 0.1)), corners, rng, rng.random() < 0.5)


def light(scene, rng, middle, size, glare=0.13):
    """Lamp, shadow edges, glare, which eats the print."""
    h, w = scene.top.shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    if rng.random() < 0.6:  # a lamp at one side
        a = rng.uniform(0, 2 * np.pi)
        slope = ((x - w / 2) * np.cos(a) + (y - h / 2) * np.sin(a)) / max(w, h)
        scene.pixels *= (1 + slope * rng.uniform(0, 0.9))[:, :, None]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.7, 0.22, 0.08]))):  # the edge of a shadow
        a, d = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.35 * size)
        side = (x - middle[0]) * np.cos(a) + (y - middle[1]) * np.sin(a) - d
        soft = rng.uniform(0.5, 0.12 * size + 1)
        scene.pixels *= (1 - rng.uniform(0.15, 0.65) / (1 + np.exp(-np.clip(side / soft, -30, 30))))[:, :, None]
    if rng.random() < glare:
        a, c = rng.uniform(0, np.pi), middle + rng.normal(0, 0.4 * size, 2)
        u, v = (x - c[0]) * np.cos(a) + (y - c[1]) * np.sin(a), -(x - c[0]) * np.sin(a) + (y - c[1]) * np.cos(a)
        r = rng.uniform(0.08, 0.4) * size
        blob = np.exp(-((u / r) ** 2 + (v / (r * rng.uniform(0.3, 1))) ** 2)) * rng.uniform(60, 380)
        scene.pixels += blob[:, :, None]
        scene.cover((blob > 190).astype(np.uint8) * 255)


def jpeg(image, quality):
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)


def camera(scene, rng, size):
    """Colour cast, exposure, blur, noise, sharpening, compression."""
    scene = scene.pixels
    cast = np.exp(rng.normal(0, 0.12, 3))
    if rng.random() < 0.25:  # candle and bulb light
        cast *= np.array([rng.uniform(0.3, 0.8), rng.uniform(0.75, 1), 1])
    if rng.random() < 0.06:  # a false-coloured sensor
        mix = np.abs(np.eye(3) * rng.uniform(0.3, 1, 3) + rng.normal(0, 0.2, (3, 3)))
        scene = scene @ (mix / mix.sum(1, keepdims=True)).T.astype(np.float32)
    level = rng.choice([rng.uniform(0.75, 1.25), rng.uniform(0.12, 0.6), rng.uniform(1.25, 1.7)], p=[0.66, 0.26, 0.08])
    scene = scene * (cast * level).astype(np.float32)
    if rng.random() < 0.3:  # haze: less contrast
        k = rng.uniform(0.35, 1)
        scene = scene * k + rng.uniform(0, 255) * (1 - k)
    u = rng.random()
    if u < 0.62:  # out of focus
        scene = cv2.GaussianBlur(scene, (0, 0), 0.3 + abs(rng.normal(0, 0.0055)) * size + rng.uniform(0, 0.4))
    elif u < 0.75:  # moving
        n = max(2, int(abs(rng.normal(0, 0.022)) * size))
        line = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
        a = rng.uniform(0, np.pi)
        cv2.line(line, (int(n - n / 2 * np.cos(a)), int(n - n / 2 * np.sin(a))), (int(n + n / 2 * np.cos(a)), int(n + n / 2 * np.sin(a))), 1, 1)
        scene = cv2.filter2D(scene, -1, line / line.sum())
    if rng.random() < 0.15:  # a sensor with fewer pixels than the picture
        k, to = rng.uniform(0.45, 0.9), (scene.shape[1], scene.shape[0])
        scene = cv2.resize(cv2.resize(scene, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), to, interpolation=cv2.INTER_LINEAR)
    noise = abs(rng.normal(0, 1)) * (3 + 7 * (level < 0.6)) * (1 if rng.random() < 0.8 else 2)
    if noise > 0.7:
        grain = rng.standard_normal((scene.shape[0] // 2 + 1, scene.shape[1] + 7, 3), dtype=np.float32)
        grain = np.vstack([grain, grain[::-1, ::-1]])[:scene.shape[0], :scene.shape[1]]
        if rng.random() < 0.3:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.8
        scene = scene + grain * noise
    if rng.random() < 0.25:
        scene = scene + (scene - cv2.GaussianBlur(scene, (0, 0), 1.2)) * rng.uniform(0.4, 2)
    scene = np.clip(scene, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        gamma = (np.linspace(0, 1, 256) ** rng.uniform(0.6, 1.7) * 255).astype(np.uint8)
        scene = cv2.LUT(scene, gamma)
    u = rng.random()
    if u < 0.5:
        scene = jpeg(scene, int(rng.uniform(22, 95)))
    elif u < 0.65:  # video: smoothed, and squeezed twice on different blocks
        scene = cv2.bilateralFilter(scene, 5, rng.uniform(5, 25), 2)
        dx, dy = (int(v) for v in rng.integers(1, 8, 2))
        scene = jpeg(scene, int(rng.uniform(15, 60)))
        moved = cv2.copyMakeBorder(scene, dy, 0, dx, 0, cv2.BORDER_REPLICATE)
        scene = jpeg(moved, int(rng.uniform(25, 70)))[dy:, dx:]
    return scene


def found(corners, rng):
    """The corners as a finder would report them."""
    size = np.hypot(*(corners[2] - corners[0])) / 1.23
    u = rng.random()
    q = corners + rng.normal(0, 0.007 if u < 0.6 else 0.017, (4, 2)) * size
    u = rng.random()
    if u < 0.17:  # one or two sides taken at a shadow or at a printed frame
        for side in rng.permutation(4)[:int(rng.integers(1, 3))]:
            a, b = side, (side + 1) % 4
            out = ((q[a] + q[b]) - (q[(a + 2) % 4] + q[(b + 2) % 4])) / 2
            q[[a, b]] += out * rng.uniform(-0.05, 0.045)
    elif u < 0.27:  # all of it a little large or small
        q = q.mean(0) + (q - q.mean(0)) * rng.uniform(0.91, 1.06)
    elif u < 0.31:  # a parallelogram: three corners seen, the fourth guessed
        i = rng.integers(4)
        q[i] = q[(i + 1) % 4] + q[(i + 3) % 4] - q[(i + 2) % 4]
    return q


def from_vertex(corners, rng):
    """The quad a reader guesses from one vertex of a half covered card: two
    directions, a size that is only roughly known, no perspective."""
    u, v = corners[1] - corners[0], corners[3] - corners[0]
    size = np.hypot(*v)
    turn = rng.normal(0, 0.03, 2)

    def turned(p, a):
        return p @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    u, v = turned(u, turn[0]) * np.exp(rng.normal(0, 0.09)), turned(v, turn[1]) * np.exp(rng.normal(0, 0.09))
    o = corners[0] + rng.normal(0, 0.011, 2) * size
    return np.array([o, o + u, o + u + v, o + v])


def from_index(x, y, turn, height):
    """The card that belongs to an index found without an outline."""
    high = height / INDEX_H
    wide = high * (CARD_W - 2 * MARGIN) / (CARD_H - 2 * MARGIN)
    u, v = wide * np.array([np.cos(turn), np.sin(turn)]), high * np.array([-np.sin(turn), np.cos(turn)])
    o = np.array([x, y]) - INDEX_X * u - INDEX_Y * v
    return np.array([o, o + u, o + u + v, o + v])


def rectify(image, quad, border=cv2.BORDER_CONSTANT):
    m = cv2.getPerspectiveTransform(np.float32(quad), RECTIFIED)
    return cv2.warpPerspective(image, m, (CARD_W, CARD_H), flags=cv2.INTER_LINEAR, borderMode=border)


def corner_patch(card):
    part = card[:PATCH_H, :PATCH_W]
    return rank_patch(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)), cv2.resize(part, (SUIT_W, SUIT_H), interpolation=cv2.INTER_AREA)


def rank_patch(grey):
    return cv2.resize(grey[:PATCH_H, :PATCH_W], (CORNER_W, CORNER_H), interpolation=cv2.INTER_AREA)


def face_patch(card):
    return cv2.resize(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), (FACE_W, FACE_H), interpolation=cv2.INTER_AREA)


class Samples:
    """Patches with labels, in plain arrays; lost and deck are for weighing and scores."""

    def __init__(self):
        self.corner, self.suit, self.face = [], [], []
        self.corner_rank, self.corner_suit, self.face_rank, self.face_suit = [], [], [], []
        self.view, self.mark = [], []

    def add_corner(self, card, rank, suit):
        if rank == SKIP:
            return
        grey, colour = corner_patch(card)
        if rank != NO_RANK and grey.std() < 3:
            return  # too dark or too bright for anybody
        self.corner.append(grey), self.suit.append(colour)
        self.corner_rank.append(rank), self.corner_suit.append(suit)

    def add_face(self, card, rank, suit):
        if rank != SKIP:
            self.face.append(face_patch(card)), self.face_rank.append(rank), self.face_suit.append(suit)

    def add_view(self, image, marks, rng):
        """A square of the picture, mostly with an index in it, and a row for each
        index there: which view, x, y, turn, height, hidden share, rank or -1."""
        h, w = image.shape[:2]
        low, high = np.zeros(2), np.array([w - VIEW, h - VIEW])
        clear = [m for m in marks if m.hidden <= CLEAR and 7 < m.height < 45]
        if clear and rng.random() < 0.8:
            m = clear[rng.integers(len(clear))]
            spot = np.array([m.x, m.y])
            low, high = np.clip([spot - VIEW + 4, spot - 4], low, high)
        x, y = (int(v) for v in rng.uniform(low, np.maximum(high, low)))
        for m in marks:
            if -m.height < m.x - x < VIEW + m.height and -m.height < m.y - y < VIEW + m.height:
                self.mark.append((len(self.view), m.x - x, m.y - y, m.turn, m.height, m.hidden, m.rank if m.known else -1))
        self.view.append(cv2.cvtColor(image[y:y + VIEW, x:x + VIEW], cv2.COLOR_BGR2GRAY))

    def save(self, path):
        half = path + ".half"  # a training run that looks in meanwhile sees whole files only
        with open(half, "wb") as f:
            np.savez(f, corner=np.stack(self.corner), suit=np.stack(self.suit), face=np.stack(self.face),
                     corner_rank=np.int8(self.corner_rank), corner_suit=np.int8(self.corner_suit),
                     face_rank=np.int8(self.face_rank), face_suit=np.int8(self.face_suit),
                     view=np.stack(self.view), mark=np.float32(self.mark).reshape(-1, 7))
        os.replace(half, path)


def marks(scene):
    """All indices of the cards in a scene, hidden ones too."""
    out = []
    for number, face, corners in scene.cards:
        if face.rank == NO_RANK and face.known:
            continue
        x0, y0, x1, y1 = face.box
        boxes = [(x0, y0, x1, y1)]
        if not face.one_way:
            boxes.append((1 - x0, 1 - y0, 1 - x1, 1 - y1))
        if face.four:
            boxes += [(1 - x1, y0, 1 - x0, y1), (x1, 1 - y0, x0, 1 - y1)]
        m = cv2.getPerspectiveTransform(UNIT, np.float32(corners))
        for x0, y0, x1, y1 in boxes:
            t = np.linspace(0.05, 0.95, 7)
            grid = np.stack(np.meshgrid(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t), -1).reshape(-1, 2)
            spots = cv2.perspectiveTransform(np.float32([[((x0 + x1) / 2, (y0 + y1) / 2), ((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1), *grid]]), m)[0]
            down = spots[2] - spots[1]
            x, y = np.floor(spots[3:]).astype(int).T
            h, w = scene.top.shape
            inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
            seen = scene.top[np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)] <= number
            out.append(Mark(number, face.rank, face.suit, *spots[0], np.arctan2(-down[0], down[1]), np.hypot(*down),
                            1 - float((inside & seen).mean()), face.known and face.placed))
    return out


def label(hidden, face):
    """What can be read of an index of which that share is hidden."""
    if not face.known or CLEAR < hidden <= GONE:
        return SKIP, NO_SUIT
    return (face.rank, face.suit) if hidden <= CLEAR else (NO_RANK, NO_SUIT)


def hidden_share(hidden, box):
    x0, y0, x1, y1 = box
    x = [int(MARGIN + v * (CARD_W - 2 * MARGIN)) for v in (x0, x1)]
    y = [int(MARGIN + v * (CARD_H - 2 * MARGIN)) for v in (y0, y1)]
    part = hidden[y[0]:max(y[1], y[0] + 2), x[0]:max(x[1], x[0] + 2)]
    return float(part.mean()) / 255


def photograph(scene, rng, middle, height, out):
    """Lights the scene and takes its picture; the indices in it."""
    light(scene, rng, middle, height)
    image, seen = camera(scene, rng, height), marks(scene)
    out.add_view(image, seen, rng)
    return image, seen


def one_scene(pool, rng, out):
    height = np.exp(rng.uniform(np.log(44), np.log(420)))
    aspect, see = view(rng, height)
    corners = see(rect(aspect))
    pad = rng.uniform(0.1, 0.35) * height
    low = corners.min(0) - pad
    size = corners.max(0) + pad - low
    low -= np.maximum(VIEW + 1 - size, 0) * rng.uniform(0, 1, 2)
    w, h = np.ceil(np.maximum(size, VIEW + 1)).astype(int)
    middle, scene = -low, Scene(table(rng, w, h))
    corners = corners - low
    kind = rng.choice(["card", "two", "thing", "nothing"], p=[0.855, 0.04, 0.08, 0.025])

    if kind == "nothing" or kind == "thing":
        if kind == "thing":
            thing(scene, rng, corners, pool.fonts)
        image, _ = photograph(scene, rng, middle, height, out)
        for _ in range(2):
            card = rectify(image, found(corners, rng))
            out.add_corner(card, NO_RANK, NO_SUIT), out.add_corner(card[::-1, ::-1], NO_RANK, NO_SUIT), out.add_face(card, NO_RANK, NO_SUIT)
        phantoms(out, image, corners, [], None, rng)
        return

    def somewhere(spread):
        return see(rect(aspect, *rng.normal(0, spread, 2), rng.normal(0, 0.5) + (np.pi / 2 if rng.random() < 0.2 else 0))) - low
    if rng.random() < 0.06:
        thing(scene, rng, somewhere(0.6), pool.fonts)
    spread = 0.45 if rng.random() < 0.6 else 1.0
    for _ in range(0 if rng.random() < 0.45 else int(rng.integers(1, 4 if spread < 1 else 7))):  # cards beneath and beside
        lay(scene, pool.next(), somewhere(spread), rng, rng.random() < 0.5)
    face = pool.next()
    if kind == "two":  # two cards whose common outline is taken for one
        x, y = rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4)
        lay(scene, pool.next(), see(rect(aspect, x, y, rng.normal(0, 0.2), 0.8)) - low, rng, rng.random() < 0.5)
        lay(scene, face, see(rect(aspect, -x, -y, rng.normal(0, 0.2), 0.8)) - low, rng, rng.random() < 0.5)
        image, _ = photograph(scene, rng, middle, height, out)
        both = np.vstack([see(rect(aspect, x, y, 0, 0.8)), see(rect(aspect, -x, -y, 0, 0.8))]) - low
        quad = cv2.boxPoints(cv2.minAreaRect(np.float32(both)))
        start = int(rng.integers(4))
        if abs(x) > 0.2 or abs(y) > 0.2:
            out.add_face(rectify(image, found(np.roll(quad, start, 0), rng)), NO_RANK, NO_SUIT)
        return

    number = lay(scene, face, corners, rng, rng.random() < 0.6)
    if rng.random() < 0.2:  # a card above
        if rng.random() < 0.55:  # fanned or squared up: a strip of this card is left with its index
            side = rng.uniform(0.13, 0.45) * np.array([[aspect, 0], [-aspect, 0], [0, 1], [0, -1]][int(rng.choice(4, p=[0.4, 0.2, 0.3, 0.1]))])
            other = see(rect(aspect, *(side + rng.normal(0, 0.03, 2)), rng.normal(0, 0.14))) - low
        else:
            other = see(rect(aspect, *rng.normal(0, 0.55, 2), rng.normal(0, 0.4))) - low
        lay(scene, pool.next(), other, rng, rng.random() < 0.5)
    fingers = hand(scene, rng, middle, height) if rng.random() < 0.15 else None
    image, seen = photograph(scene, rng, middle, height, out)
    covered = rectify((scene.top > number).astype(np.uint8) * 255, corners)

    near, far = (label(hidden_share(c, face.box), face) for c in (covered, covered[::-1, ::-1]))
    if face.one_way and far[0] == face.rank:
        far = (NO_RANK, NO_SUIT)
    share = float(covered.mean()) / 255
    whole = face.rank if share < 0.1 else NO_RANK if share > 0.55 else SKIP

    for k in range(2):
        card = rectify(image, found(corners, rng))
        out.add_corner(card, *near)
        out.add_corner(card[::-1, ::-1], *far)
        out.add_face(card if rng.random() < 0.5 else card[::-1, ::-1], whole, face.suit if whole == face.rank else NO_SUIT)
    u = rng.random()
    if u < 0.4:
        out.add_corner(rectify(image, from_vertex(corners, rng)), *near)
    elif u < 0.52:  # a side that was cut short or ran on made the card far too small or large
        wide, high = corners[1] - corners[0], corners[3] - corners[0]
        k = rng.uniform(0.3, 0.55) if rng.random() < 0.6 else rng.uniform(1.7, 2.6)
        quad = corners[0] + np.array([0 * wide, k * wide, k * (wide + high), k * high])
        tall = (face.box[3] - face.box[1]) / k
        inside = face.box[2] < 0.9 * k * PATCH_W / CARD_W and face.box[3] < 0.9 * k * PATCH_H / CARD_H
        if inside and 0.045 < tall < 0.2:
            out.add_corner(rectify(image, quad), *near)
        elif not inside or tall < 0.03:
            out.add_corner(rectify(image, quad), NO_RANK, NO_SUIT)
    elif u < 0.62:  # two edges that only seem to meet, anywhere on the cards
        start = corners[0] + rng.uniform(-0.5, 1, 2) @ np.array([corners[1] - corners[0], corners[3] - corners[0]])
        far = np.abs(start - corners[[0, 2]]).max(1).min() > 0.25 * height
        if far and not face.four:
            out.add_corner(rectify(image, from_vertex(corners + (start - corners[0]), rng)), NO_RANK, NO_SUIT)
    spots = [(m.x, m.y) for m in seen]
    if rng.random() < 0.5:
        phantoms(out, image, corners, spots, fingers, rng)
    wrong_places(out, image, corners, face, rng)
    for m in seen:  # indices found without an outline, of any card
        if m.known and m.height > 6 and m.hidden <= CLEAR and rng.random() < 0.35:
            place = np.array([m.x, m.y]) + rng.normal(0, 0.1, 2) * m.height
            quad = from_index(*place, m.turn + rng.normal(0, 0.06), m.height * np.exp(rng.normal(0, 0.1)))
            out.add_corner(rectify(image, quad), m.rank, m.suit)


def phantoms(out, image, corners, spots, fingers, rng):
    """Vertices where no index is: of pips, panels, letters, stripes of a cloth,
    fingers and boxes. A reader that tries every vertex of a picture meets far
    more of these than cards, so a rank seen there would soon be believed."""
    height = np.hypot(*(corners[3] - corners[0]))
    rim = [] if fingers is None else np.argwhere(cv2.Canny(fingers, 50, 150))[:, ::-1]
    wide, high = (corners[1] - corners[0]) / height, (corners[3] - corners[0]) / height
    sharp = cv2.goodFeaturesToTrack(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 40, 0.02, 0.03 * height)
    for _ in range(2):
        size = height * np.exp(rng.uniform(np.log(0.3), np.log(1.8)))
        if rng.random() < 0.6:  # along the card, as its frame, its pips and its neighbours lie
            u, v = wide * size, high * size
            for _ in range(int(rng.integers(4))):
                u, v = v, -u
        else:
            a = rng.uniform(0, 2 * np.pi)
            u, v = size * 0.7 * np.array([np.cos(a), np.sin(a)]), size * np.array([-np.sin(a), np.cos(a)])
        if len(rim) and rng.random() < 0.6:
            start = rim[rng.integers(len(rim))] + rng.normal(0, 0.08 * height, 2)
        elif sharp is not None and rng.random() < 0.6:  # just outside of what looks like a vertex
            start = sharp[rng.integers(len(sharp)), 0] - rng.uniform(-0.01, 0.06) * (u + v)
        else:
            start = corners[0] + rng.uniform(-0.25, 1.15, 2) @ np.array([corners[1] - corners[0], corners[3] - corners[0]])
        quad = from_vertex(np.array([start, start + u, start + u + v, start + v]), rng)
        if len(spots):  # an index that reaches into the patch might be read, and rightly
            to_patch = cv2.getPerspectiveTransform(np.float32(quad), RECTIFIED)
            inside, reach = cv2.perspectiveTransform(np.float32(spots)[None], to_patch)[0], 0.1 * CARD_H * height / size
            if ((inside > -reach) & (inside < [PATCH_W + reach, PATCH_H + reach])).all(1).any():
                continue
        h, w = image.shape[:2]
        if (quad.mean(0) < 0).any() or (quad.mean(0) > [w, h]).any():
            continue
        out.add_corner(rectify(image, quad), NO_RANK, NO_SUIT)


def wrong_places(out, image, corners, face, rng):
    """Where a reader may also look: the sideways order, a corner upside down or
    mirrored, the other two corners, the inside of the card. Nothing is read there."""
    u = rng.random()
    if u < 0.3:
        card = rectify(image, np.roll(found(corners, rng), int(rng.choice([1, 3])), 0))
        out.add_corner(card, NO_RANK, NO_SUIT)
        if rng.random() < 0.5:
            out.add_face(card, NO_RANK, NO_SUIT)
    elif u < 0.36:
        if not face.four:
            card = rectify(image, found(corners, rng))
            # The bottom left corner as it stands is empty or holds half an index upside down.
            out.add_corner(np.ascontiguousarray(card[CARD_H - PATCH_H:, :]) if rng.random() < 0.5 else np.ascontiguousarray(card[:, CARD_W - PATCH_W:]), NO_RANK, NO_SUIT)
    elif u < 0.42:  # upside down in place: the index of the far corner, not turned
        card = rectify(image, found(corners, rng))
        if face.rank not in (7,):
            out.add_corner(np.ascontiguousarray(card[CARD_H - PATCH_H:, CARD_W - PATCH_W:]), NO_RANK, NO_SUIT)
    elif u < 0.5:  # inside the card or across its edge
        h = np.hypot(*(corners[3] - corners[0]))
        shift = rng.uniform(0.25, 0.7) * (corners[1] - corners[0]) + rng.uniform(0.2, 0.7) * (corners[3] - corners[0])
        if rng.random() < 0.5:
            shift = -shift * 0.6
        card = rectify(image, corners + shift + rng.normal(0, 0.02, 2) * h)
        if rng.random() < 0.6:
            out.add_face(card, NO_RANK, NO_SUIT)
        out.add_corner(card, NO_RANK, NO_SUIT)
    elif u < 0.53 and face.rank in (1, 2, 3, 4, 5, 6, 8):  # mirrored, where that shows
        card = rectify(image, found(corners[[1, 0, 3, 2]], rng))
        out.add_corner(card, NO_RANK, NO_SUIT)


def main():
    artwork, folder, scenes, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    held = len(sys.argv) > 5
    os.makedirs(folder, exist_ok=True)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    pool = decks.Pool(rng, artwork, held)
    for part in range((scenes + PART - 1) // PART):
        out = Samples()
        for _ in range(min(PART, scenes - part * PART)):
            one_scene(pool, rng, out)
        out.save(f"{folder}/{seed:04}-{part:03}.npz")
        print(f"{folder} seed {seed} part {part}: {len(out.corner)} corners, {len(out.face)} faces", flush=True)


if __name__ == "__main__":
    main()
