"""What films.py films with: a pack of one kind, a camera, and what comes before it:
cards, hands in their sleeves, a glass, chips. Lengths are in card lengths, x to the
right, y to the viewer, z up from the table; a pose is x, y, turn, z and how much a
card's near end is lower than its far one.
"""
import zlib

import cv2
import numpy as np

import decks
import scenes
from classes import NO_RANK

DETAIL = 200  # pixels of a hand to a card length


class Pack:
    """One deck of a kind: every card of it always the same."""

    def __init__(self, pool, rng, wish, high):
        self.pool, self.seed, self.cards, self.art = pool, int(rng.integers(1 << 30)), {}, wish == "art"
        self.name, self.aspect = pool.names[rng.integers(len(pool.names))], rng.uniform(0.68, 0.72)
        if self.art:
            return
        while True:
            self.deck = d = decks.Deck(rng, pool.fonts, pool.donors)
            blank, dark = d.blank, np.mean(d.paper) < 100
            fits = {"french": d.language.startswith("french"), "large": d.height > 0.11, "four": d.corners == 4,
                    "colours": tuple(d.ink[1]) != tuple(d.ink[2]) and not dark}.get(wish, wish in ("any", d.language))
            if fits and d.height * high > 12:
                break
        d.blank = lambda: self.same("paper", blank)
        self.name = f"{d.language} {d.corners} corners"

    def same(self, card, draw):
        """What draw draws, by the generator of this card."""
        before, self.deck.rng = self.deck.rng, np.random.default_rng([self.seed, zlib.crc32(str(card).encode())])
        out, self.deck.rng = draw(), before
        return out

    def face(self, rank, suit):
        """A card; without a rank, the joker (suit 0) or the back."""
        if (rank, suit) not in self.cards:
            self.cards[rank, suit] = self.printed(rank, suit) if self.art else self.same((rank, suit), lambda: self.drawn(rank, suit))
        return self.cards[rank, suit]

    def drawn(self, rank, suit):
        if rank != NO_RANK:
            return self.deck.face(rank, suit)
        return self.deck.joker() if suit == 0 else self.deck.back_or_blank()

    def printed(self, rank, suit):
        art, mine = self.pool.art, self.pool.of[self.name]
        fit = mine[(art["ranks"][mine] == rank) & ((rank == NO_RANK) | (art["suits"][mine] == suit))]
        return decks.Face(art["faces"][fit[0 if rank != NO_RANK or suit == 0 else -1]], rank, suit, (0, 0, 0, 0))


class Camera:
    """Looks at the table's middle from somewhere above."""

    def __init__(self, w, h, high, tilt, way, turn, rng):
        self.middle, self.focal = np.array([w / 2, h / 2]), max(w, h) * rng.uniform(0.8, 1.1)
        self.far, self.tilt, self.way, self.turn = self.focal / high, tilt, way, turn

    def see(self, points):
        """Where points of the room, N×3, are in the picture."""
        p = np.asarray(points, float)
        x, y = turned(p[:, :2], self.turn - self.way).T
        c, s = np.cos(self.tilt), np.sin(self.tilt)
        depth = self.far - y * s - p[:, 2] * c
        flat = np.stack([x, y * c - p[:, 2] * s], 1) * (self.focal / np.maximum(depth, 0.2 * self.far))[:, None]
        return turned(flat, self.way) + self.middle

    def ground(self):
        """The homography from the table to the picture."""
        square = np.float32([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        return cv2.getPerspectiveTransform(square, np.float32(self.see(np.c_[square, np.zeros(4)])))


def turned(p, a):
    c, s = np.cos(a), np.sin(a)
    return p @ np.array([[c, s], [-s, c]])


class Sprite:
    """A flat picture somewhere in the room; tip is its point that a pose places."""

    def __init__(self, bgr, alpha, size, tip=(0.5, 0.5)):
        x, y, w, h = cv2.boundingRect(alpha)
        whole, w, h = np.array(alpha.shape[::-1]), max(w, 1), max(h, 1)
        self.tip = (np.array(tip) * whole - [x, y]) / [w, h]
        self.size = np.array(size) * [w, h] / whole
        self.alpha = alpha = np.ascontiguousarray(alpha[y:y + h, x:x + w])
        self.image = np.dstack([bgr[y:y + h, x:x + w].astype(np.float32) * alpha[:, :, None] / 255, alpha]).round().astype(np.uint8)
        # A unit square about the tip, in pixels: a sleeve may reach behind the camera.
        self.square = np.float32((self.tip + (scenes.UNIT - 0.5) / self.size) * alpha.shape[::-1])

    def corners(self, pose):
        return self.at(pose, (scenes.UNIT - self.tip) * self.size)

    def at(self, pose, local):
        x, y, turn, z, pitch = pose
        return np.c_[turned(local, turn) + [x, y], z - pitch * local[:, 1]]

    def paint(self, camera, pose, box):
        m = cv2.getPerspectiveTransform(self.square, np.float32(camera.see(self.at(pose, scenes.UNIT - 0.5)) - box[:2]))
        return cv2.warpPerspective(self.image, m, (box[2] - box[0], box[3] - box[1]))

    def shadow(self, camera, pose, box, lamp):
        p = self.at(pose, scenes.UNIT - 0.5)
        m = cv2.getPerspectiveTransform(self.square, np.float32(camera.see(shade(p, lamp)) - box[:2]))
        return cv2.warpPerspective(self.alpha, m, (box[2] - box[0], box[3] - box[1]))


def shade(points, lamp):
    """Where points throw their shadows on the table."""
    return np.c_[points[:, :2] + (points[:, 2:] + 0.012) * lamp, np.zeros(len(points))]


class Glass:
    """A tumbler with something in it."""

    def __init__(self, rng):
        self.r, self.tall, self.ink = rng.uniform(0.32, 0.42), rng.uniform(0.7, 1.3), rng.uniform(0, 1, 3) * [90, 170, 230]

    def corners(self, pose):
        a = np.linspace(0, 2 * np.pi, 28)[:-1]
        ring = np.c_[np.cos(a), np.sin(a)] * self.r + pose[:2]
        return np.vstack([np.c_[ring, np.full(27, pose[3] + z)] for z in (0, self.tall * 0.6, self.tall)])

    def rings(self, points, box):
        return np.int32(points - box[:2]).reshape(3, 27, 2)

    def paint(self, camera, pose, box):
        out = np.zeros((box[3] - box[1], box[2] - box[0], 4), np.uint8)
        low, drink, rim = self.rings(camera.see(self.corners(pose)), box)
        cv2.fillConvexPoly(out, cv2.convexHull(np.vstack([low, rim])), (40, 40, 40, 60), cv2.LINE_AA)
        cv2.fillConvexPoly(out, cv2.convexHull(np.vstack([low, drink])), (*(self.ink * 0.6), 150), cv2.LINE_AA)
        for ring, light in ((low, 130), (drink, 160), (rim, 235)):
            cv2.polylines(out, [ring], True, (light, light, light, 240), 2, cv2.LINE_AA)
        return out

    def shadow(self, camera, pose, box, lamp):
        out = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
        low, drink, rim = self.rings(camera.see(shade(self.corners(pose), lamp)), box)
        cv2.fillConvexPoly(out, cv2.convexHull(np.vstack([low, rim])), 90)
        cv2.fillConvexPoly(out, cv2.convexHull(np.vstack([low, drink])), 190)
        return out


class Card(Sprite):
    """A card, its edge a little darker, its picture shrunk well before it is seen."""

    def __init__(self, face, pack, high):
        mask, image = scenes.outline(face), face.image.copy()
        edge = cv2.erode(mask, np.ones((3, 3)), borderValue=0) == 0
        image[edge] = image[edge] * 0.8
        k = min(1, 1.15 * high / decks.H)
        image, mask = (cv2.resize(i, None, fx=k, fy=k, interpolation=cv2.INTER_AREA) for i in (image, mask))
        super().__init__(image, mask, (pack.aspect, 1))
        self.rank, self.suit = face.rank, face.suit


def chip(rng):
    """A gaming chip; its number is no rank."""
    n, ink = 160, rng.uniform(0, 230, 3)
    image, mask = np.zeros((n, n, 3), np.uint8), np.zeros((n, n), np.uint8)
    cv2.circle(mask, (80, 80), 78, 255, -1, cv2.LINE_AA)
    image[:] = ink
    for k in range(0, 360, 45):
        cv2.ellipse(image, (80, 80), (78, 78), 0, k, k + 20, (235, 235, 235), 24)
    cv2.circle(image, (80, 80), 48, (225, 225, 225), -1, cv2.LINE_AA)
    text = str(rng.choice(["1", "5", "10", "25", "100"]))
    cv2.putText(image, text, (80 - 17 * len(text), 96), cv2.FONT_HERSHEY_DUPLEX, 1.6, ink, 3, cv2.LINE_AA)
    return Sprite(image, mask, (0.44, 0.44))


def hand(rng, pinch):
    """A hand with its sleeve, reaching up the picture: what is under the card that
    it holds, and what is over it. A pinching one has its thumb on the card, a flat
    one its fingers."""
    skin = np.array([105, 140, 205]) * rng.uniform(0.3, 1.1) + rng.normal(0, 8, 3)
    cloth, bare = rng.uniform(10, 230) * np.ones(3) + rng.normal(0, 40, 3), rng.random() < 0.25
    w, h, top = int(2.6 * DETAIL), int(5.5 * DETAIL), 0.4
    layers, mirror, fat = [], rng.random() < 0.3, rng.uniform(0.85, 1.15)
    noise = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), 5)
    noise *= 0.05 / noise.std()

    def begin():
        layers.append((np.zeros((h, w, 3), np.float32), np.zeros((h, w), np.uint8)))

    def limb(colour, *discs):
        """The hull of discs x, y, radius, rounded by its shade."""
        mask = np.zeros((h, w), np.uint8)
        points = [cv2.ellipse2Poly((int((x + 1.3) * DETAIL), int((y + top) * DETAIL)), (int(r * fat * DETAIL),) * 2, 0, 0, 360, 10) for x, y, r in discs]
        cv2.fillConvexPoly(mask, cv2.convexHull(np.vstack(points)), 255, cv2.LINE_AA)
        deep = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / (min(d[2] for d in discs) * fat * DETAIL)
        shade = 0.55 + 0.45 * np.sqrt(np.minimum(deep, 1)) + noise
        image, cover = layers[-1]
        image += (np.clip(colour * shade[:, :, None], 0, 255) - image) * (mask[:, :, None] / np.float32(255))
        np.maximum(cover, mask, out=cover)

    def nail(x, y, turn):
        image, _ = layers[-1]
        at = (int((x + 1.3) * DETAIL), int((y + top) * DETAIL))
        cv2.ellipse(image, at, (int(0.05 * DETAIL), int(0.07 * DETAIL)), turn, 0, 360, tuple(np.minimum(skin * 1.12 + 12, 255)), -1, cv2.LINE_AA)

    begin()
    if pinch:
        limb(skin, (-0.12, -0.12, 0.085), (-0.3, 0.6, 0.11))
        limb(skin, (-0.28, -0.02, 0.085), (-0.45, 0.65, 0.11))
    begin()
    if not bare:
        limb(cloth, (0, 2.35, 0.42), (0, 5.6, 0.52))
        limb(cloth * 0.85, (-0.3, 2.32, 0.12), (0.3, 2.32, 0.12))
    limb(skin, (0, 1.75, 0.3), (0, 5.6 if bare else 2.3, 0.36 if bare else 0.3))
    if pinch:
        limb(skin, (-0.42, 0.72, 0.16), (0.1, 0.75, 0.16), (0.2, 1.5, 0.26), (-0.25, 1.6, 0.26))
        for x in (-0.45, -0.3, -0.15):
            limb(skin, (x, 0.45 + 0.2 * abs(x), 0.1), (x + 0.03, 0.9, 0.12))
        limb(skin, (0.3, 1.1, 0.16), (0.22, 0.5, 0.12))
        limb(skin, (0.22, 0.5, 0.115), (0.03, 0.02, 0.1)), nail(0.05, 0.04, -20)
    else:
        limb(skin, (-0.28, 1.05, 0.17), (0.28, 1.05, 0.17), (0.22, 1.7, 0.25), (-0.22, 1.7, 0.25))
        limb(skin, (0.35, 1.5, 0.16), (0.6, 1.1, 0.12)), limb(skin, (0.6, 1.1, 0.115), (0.66, 0.78, 0.1))
        for x, y in ((-0.33, 0.2), (0.34, 0.27), (-0.11, 0.02), (0.12, 0.05)):
            limb(skin, (x, y, 0.09), (x * 0.85, 1.0, 0.115)), nail(x, y - 0.01, 0)
    flip = -1 if mirror else 1
    return [Sprite(i[:, ::flip], a[:, ::flip], (2.6, 5.5), (0.5, top / 5.5)) for i, a in layers]
