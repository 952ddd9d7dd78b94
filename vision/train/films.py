"""Films of dealing with decks that no net was trained on, and the truth of each:
python3 films.py ARTWORK.npz FOLDER [SET SEED COUNT]… draws COUNT films of seeds
SEED, SEED+1 … into FOLDER/SET; the sets are in SETS. `lansquenet eval FOLDER/SET`
holds what the program tells against the truth.

A film has one pack, one table, one light, one camera and one dealer. The table
with what lies on it is kept as a picture; only what moves is drawn anew.
"""
import json
import os
import sys
from dataclasses import dataclass

import cv2
import numpy as np

import decks
import scenes
from classes import NO_RANK, RANKS, SUITS
from props import Camera, Card, Glass, Pack, chip, hand, shade, turned

CARD, OTHER = 1, 2  # what is uppermost where something moves
# Which pack a film has: its seed's remainder.
PACKS = ("art", "french", "art", "large", "russian", "art", "four", "german", "art", "colours", "italian", "art", "any")


@dataclass
class Kind:
    """What the films of a set have in common. Times are in seconds."""
    tables: tuple = ("felt",)
    place: str = "stack"
    size: tuple = (1280, 720, 30)  # width, height, frames a second
    high: tuple = (190, 290)  # a card in the middle, in pixels
    tilt: tuple = (0, 22)  # degrees
    turn: tuple = (-12, 12)
    fly: tuple = (0.3, 0.5)
    leave: tuple = (0.2, 0.35)
    rest: tuple = (0.45, 0.9)  # still and free
    level: tuple = (0.75, 1.15)
    noise: tuple = (1, 3)
    does: tuple = ()  # what else happens
    cards: tuple = (11, 13)


CLOTHS = ("felt", "wood", "dark")
SETS = {
    "stack": Kind(does=("repeat", "twins")),
    "sides": Kind(("felt", "wood"), "sides", high=(170, 230), does=("pass", "sweep", "repeat")),
    "fan": Kind(("white",), "fan", high=(180, 230), does=("sweep",)),
    "dim": Kind(CLOTHS, level=(0.16, 0.32), noise=(4, 8), does=("warm", "repeat")),
    "fast": Kind(CLOTHS, fly=(0.13, 0.2), leave=(0.08, 0.13), rest=(0.27, 0.34), cards=(14, 18), does=("repeat",)),
    "glare": Kind(("felt", "wood"), does=("glare", "repeat")),
    "knock": Kind(CLOTHS, "sides", high=(170, 240), does=("knock", "repeat")),
    "small": Kind(("felt", "wood", "white"), size=(640, 480, 15), high=(125, 165), rest=(0.5, 0.9), does=("repeat",)),
    "steep": Kind(CLOTHS, high=(200, 270), tilt=(35, 40), turn=(-180, 180)),
    "tables": Kind(("pattern", "clutter", "dark"), does=("sweep", "pass")),
    "empty": Kind(("felt", "wood", "white", "pattern"), cards=(0, 0), does=("shadow",)),
    "hunt": Kind(CLOTHS, does=("hunt",)),
    "nudge": Kind(("felt", "wood"), does=("nudge", "lift", "repeat")),
    "jokers": Kind(CLOTHS, does=("jokers",)),
    "sleeves": Kind(("felt", "wood", "white"), does=("lean", "shadow", "pass")),
}


def ease(t):
    """From 0 to 1, quick first and slow at the end."""
    return 1 - (1 - np.clip(t, 0, 1)) ** 2.6


class Film:
    """A film being made: what lies on the table, the frames written, the truth."""

    def __init__(self, pool, kind, seed, path):
        self.rng = rng = np.random.default_rng(seed)
        self.kind, (w, h, self.fps) = kind, kind.size
        self.w, self.h, self.pad = w, h, 48 if "knock" in kind.does else 0
        self.high = rng.uniform(*kind.high)
        w, h = w + 2 * self.pad, h + 2 * self.pad
        self.pack = Pack(pool, rng, PACKS[seed % len(PACKS)], self.high)
        self.camera = Camera(w, h, self.high, np.radians(rng.uniform(*kind.tilt)), rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(*kind.turn)), rng)
        self.lamp = rng.uniform(0.15, 0.6) * turned(np.array([[1.0, 0]]), rng.uniform(0, 2 * np.pi))[0]  # a shadow's way for each z
        self.dark, self.sigma = rng.uniform(0.25, 0.6), rng.uniform(0.3, 0.85) * (0.6 if self.high < 170 else 1)
        self.lit, self.top = self.light(w, h), np.zeros((h, w), np.uint8)
        self.bare = self.table(w, h, str(rng.choice(kind.tables)))
        self.hands = [hand(rng, bool(rng.random() < 0.6)), hand(rng, False)]
        self.dealer = turned(np.array([[0.0, 9]]), -self.camera.turn + rng.normal(0, 0.35) + rng.choice([0, np.pi / 2, -np.pi / 2], p=[0.7, 0.15, 0.15]))[0]
        self.lying, self.always, self.truth, self.n = [], [], [], 0
        level = rng.uniform(*kind.noise)
        self.grain = [np.int16(cv2.GaussianBlur(rng.normal(0, level * 1.5, (h + 40, w + 40, 3)), (0, 0), 0.6)) for _ in range(5)]
        self.jolt, self.blob, self.start = None, None, rng.uniform(0, 99)
        if "glare" in kind.does:
            r = self.high * rng.uniform(0.2, 0.38)
            y, x = np.mgrid[-3 * r:3 * r, -3 * r:3 * r]
            self.blob = (np.exp(-(x / r) ** 2 - (y / r / rng.uniform(0.5, 1)) ** 2) * rng.uniform(70, 190)).astype(np.float32)
        self.shutter = rng.uniform(0.5, 0.9) if kind.level[1] < 0.5 else rng.choice([0.12, 0.25, 0.5])  # of a frame's time
        self.bake()
        codec = str(rng.choice(["avc1", "mp4v"], p=[0.3, 0.7]))
        self.path, self.out = path, cv2.VideoWriter(path + ".mp4", cv2.VideoWriter_fourcc(*codec), self.fps, (self.w, self.h))

    def light(self, w, h):
        """What the lamp, the lens and the sensor's colours make of white."""
        rng = self.rng
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        x, y = x / w - 0.5, y / w - 0.5 * h / w
        a = rng.uniform(0, 2 * np.pi)
        lit = (1 + (x * np.cos(a) + y * np.sin(a)) * rng.uniform(0, 0.7)) * (1 - (x * x + y * y) * rng.uniform(0, 0.9))
        cast = np.exp(rng.normal(0, 0.06, 3)) * rng.uniform(*self.kind.level)
        if "warm" in self.kind.does:
            cast *= [rng.uniform(0.4, 0.75), rng.uniform(0.78, 0.95), 1.15]
        return lit[:, :, None] * cast.astype(np.float32)

    def table(self, w, h, kind):
        """The bare table as the camera sees it, without light."""
        to = self.camera.ground()
        seen = cv2.perspectiveTransform(np.float32([[[0, 0], [w, 0], [w, h], [0, h]]]), np.linalg.inv(to))[0]
        low, span = seen.min(0), np.ptp(seen, 0)
        scale = min(self.high, 2600 / span.max())
        ground = scenes.table(self.rng, *np.ceil(span * scale).astype(int), kind)
        place = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
        return cv2.warpPerspective(np.float32(ground), to @ place, (w, h), borderMode=cv2.BORDER_REFLECT)

    def bake(self, but=None):
        """Draws the table and what lies on it, but for one thing, anew."""
        self.scene = self.bare * self.lit
        self.gloss = np.full(self.top.shape, 0.25, np.float32) if self.blob is not None else None
        self.last = None  # the card that was laid last: its part of the picture, and its mask there
        for sprite, pose in self.lying:
            if sprite is but:
                continue
            x0, y0, x1, y1 = self.draw(self.scene, sprite, [pose])
            box = slice(y0, y1), slice(x0, x1)
            self.last = box, self.top[box] == CARD
            if self.gloss is not None:
                self.gloss[box][self.last[1]] = 1
            self.top[box] = 0
        self.still = np.clip(cv2.GaussianBlur(self.scene, (0, 0), self.sigma), 0, 255).astype(np.uint8)

    def box(self, points, more=3):
        """The part of the picture around points of the room: x0, y0, x1, y1."""
        points = self.camera.see(np.vstack(points))
        low, high = (np.clip(v, 0, self.top.shape[::-1]).astype(int) for v in (points.min(0) - more, points.max(0) + more))
        return *low, *high

    def draw(self, canvas, sprite, poses, origin=(0, 0)):
        """Draws a thing in the poses that it had while the shutter was open into a
        canvas that begins at origin, and notes in top where it is uppermost."""
        def part(box):
            return canvas[box[1] - origin[1]:box[3] - origin[1], box[0] - origin[0]:box[2] - origin[0]]
        middle = poses[len(poses) // 2]
        soft, box = self.soft(middle), self.box([shade(sprite.corners(middle), self.lamp)], 2 * self.soft(middle))
        if box[0] < box[2] and box[1] < box[3]:
            dark = sprite.shadow(self.camera, middle, box, self.lamp)
            part(box)[:] = cv2.multiply(part(box), cv2.cvtColor(1 - np.float32(self.dark / 255) * cv2.blur(cv2.blur(dark, (soft, soft)), (soft, soft)), cv2.COLOR_GRAY2BGR))
        x0, y0, x1, y1 = box = self.box([sprite.corners(p) for p in poses])
        if middle[3] > 2 or x0 >= x1 or y0 >= y1:  # above the camera, or out of the picture
            return box
        seen = np.zeros((y1 - y0, x1 - x0, 4), np.float32)
        for p in poses:
            cv2.accumulate(sprite.paint(self.camera, p, box), seen)
        alpha = seen[:, :, 3] * np.float32(1 / 255 / len(poses))
        here, part = (slice(y0, y1), slice(x0, x1)), part(box)
        part *= (1 - alpha)[:, :, None]
        part += seen[:, :, :3] * (self.lit[here] * np.float32(1 / len(poses)))
        self.top[here][alpha > 0.4] = CARD if isinstance(sprite, Card) else OTHER
        return box

    def soft(self, pose):
        """How many pixels a shadow's edge is wide."""
        return 2 * int(1 + self.high * (0.006 + 0.06 * max(pose[3], 0))) + 1

    def reaches(self, moving):
        """The part of the picture that moving things and their shadows may change."""
        boxes = [self.box([sprite.corners(p) for p in poses] + [shade(sprite.corners(p), self.lamp) for p in poses], 9 + max(2 * self.soft(p) for p in poses))
                 for sprite, poses in moving]
        boxes = np.array([b for b in boxes if b[0] < b[2] and b[1] < b[3]] or [(0, 0, 0, 0)])
        return *boxes[:, :2].min(0), *boxes[:, 2:].max(0)

    def show(self, *layers):
        """One more frame, with what moves; a layer is a sprite and the function that
        gives its pose a share of a frame later. Says whether any of a moving card is
        in view, and whether something is over the card that was laid last."""
        moving = [(s, self.during(s, pose)) for s, pose in [*self.always, *layers]]
        frame, view, hidden = self.still.copy(), False, False
        x0, y0, x1, y1 = self.reaches(moving)
        if x0 < x1 and y0 < y1:
            part = self.scene[y0:y1, x0:x1].copy()
            for sprite, poses in moving:
                self.draw(part, sprite, poses, (x0, y0))
            frame[y0:y1, x0:x1] = np.clip(cv2.GaussianBlur(part, (0, 0), self.sigma), 0, 255)
            p = self.pad
            view = np.count_nonzero(self.top[p:p + self.h, p:p + self.w] == CARD) > 30
            hidden = self.last is not None and bool(self.top[self.last[0]][self.last[1]].any())
            self.top[y0:y1, x0:x1] = 0
        self.finish(frame)
        return view, hidden

    def during(self, sprite, pose):
        """The poses while the shutter is open, as many as its way needs."""
        a, b = pose(0), pose(self.shutter)
        way = np.abs(self.camera.see(sprite.corners(a)) - self.camera.see(sprite.corners(b))).max()
        n = int(np.clip(way / 5, 1, 4))
        return [a] if n == 1 else [pose(self.shutter * k / (n - 1)) for k in range(n)]

    def finish(self, frame):
        """Glare, focus, exposure, knocks, noise; writes the frame."""
        rng, t = self.rng, self.n * 30 / self.fps
        if self.blob is not None:
            at = self.camera.see([[0.8 * np.sin(self.start + t / 70), 0.6 * np.sin(self.start * 2 + t / 43), 0]])[0]
            x, y = (at - np.array(self.blob.shape[::-1]) / 2).astype(int)
            h, w = self.blob.shape
            x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, frame.shape[1]), min(y + h, frame.shape[0])
            if x0 < x1 and y0 < y1:
                more = self.blob[y0 - y:y1 - y, x0 - x:x1 - x] * self.gloss[y0:y1, x0:x1]
                frame[y0:y1, x0:x1] = np.clip(frame[y0:y1, x0:x1] + more[:, :, None], 0, 255)
        if "hunt" in self.kind.does:
            k = np.exp(-t / 14)
            soft, gain = 7 * k * abs(np.cos(t / 6)), 1 + 0.7 * k * np.cos(t / 5) + 0.08 * np.sin(t / 50) * (1 - k)
            frame = cv2.GaussianBlur(frame, (0, 0), soft) if soft > 0.3 else frame
            frame = cv2.convertScaleAbs(frame, alpha=gain)
        if self.pad:
            frame = self.shaken(frame)
        grain = self.grain[rng.integers(len(self.grain))]
        y, x = rng.integers(0, 40, 2)
        self.out.write(cv2.add(frame, grain[y:y + self.h, x:x + self.w], dtype=cv2.CV_8U))
        self.n += 1

    def shaken(self, frame):
        """The part of the picture that a knocked camera still sees."""
        dx, dy, turn, soft = 0.0, 0.0, 0.0, 0.0
        for when, way in self.jolt or ():
            t = self.n - when
            if t >= 0:
                swing = 1 - np.exp(-t / 5) * np.cos(1.1 * t)
                dx, dy, turn = np.array([dx, dy, turn]) + way * swing
                soft += np.exp(-t / 4) * 3 if t > 0 else 0
        m = cv2.getRotationMatrix2D((frame.shape[1] / 2, frame.shape[0] / 2), turn, 1)
        m[:, 2] += np.array([dx, dy]) - self.pad
        frame = cv2.warpAffine(frame, m, (self.w, self.h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return cv2.GaussianBlur(frame, (0, 0), soft) if soft > 0.3 else frame

    # What the dealer and the others do.

    def frames(self, seconds):
        return max(1, round(self.rng.uniform(*seconds) * self.fps))

    def wait(self, n):
        for _ in range(n):
            self.show()

    def away(self, at, sprite, pose):
        """How far a thing must be moved towards at to be out of the picture."""
        way = at - pose[:2]
        way = way / np.hypot(*way)
        for far in np.arange(0.5, 12, 0.25):
            p = self.camera.see(sprite.corners([*(pose[:2] + way * far), *pose[2:3], 0.5, 0]))
            if (p.max(0) < self.pad).any() or (p.min(0) > [self.w + self.pad, self.h + self.pad]).any():
                break
        return way * far

    def reach(self, who, grip):
        """A hand with its tip at a place: the sprites and the pose."""
        to = self.dealer - grip
        return self.hands[who], np.array([*grip, np.arctan2(-to[0], to[1]) + self.rng.normal(0, 0.15), 0.03, 0])

    def grip(self, pose):
        """Where the dealer holds a card: near its side towards him."""
        local = turned(np.array([self.dealer - pose[:2]]), -pose[2])[0]
        edge = local / max(abs(local[0]) / (self.pack.aspect / 2), abs(local[1]) / 0.5)
        edge *= 1 - self.rng.uniform(0.2, 0.4)
        return pose[:2] + turned(edge[None], pose[2])[0]

    def deal(self, card, pose):
        """The hand brings a card, lets go and withdraws; the card lies free for a while."""
        rng, kind = self.rng, self.kind
        sprites, holds = self.reach(0, self.grip(pose))
        far, swing, high = self.away(self.dealer, card, pose), rng.normal(0, 0.25), rng.uniform(0.15, 0.6)
        side, slip = turned(np.array([far]), np.pi / 2)[0] * rng.normal(0, 0.12), rng.normal(0, 0.012, 3)
        n, on, off = self.frames(kind.fly), int(rng.integers(1, 4)) if kind.fly[0] > 0.2 else 1, self.frames(kind.leave)
        appear = None

        def carried(thing, t, clings):
            """A thing of the hand's at a time from 0 to 1 of its way, then still."""
            left = 1 - ease(t)
            turn = swing * left
            out = thing + [0, 0, turn, high * left ** 1.5, 0.25 * left if thing is pose else 0]
            out[:2] = pose[:2] + turned((thing[:2] - pose[:2])[None], turn)[0] + far * left + side * left * (1 - left) * 4
            return out + [*slip * clings, 0, 0]
        for i in range(n + on):
            view, _ = self.show((sprites[0], lambda d: carried(holds, (i + d) / n, 0)),
                                (card, lambda d: carried(pose, (i + d) / n, 1)),
                                (sprites[1], lambda d: carried(holds, (i + d) / n, 0)))
            if view and appear is None:
                appear = self.n - 1
                self.covered(appear)
        self.lying.append((card, pose + [*slip, 0, 0]))
        self.bake()
        deal = {"i": len(self.truth), "rank": RANKS[card.rank] if card.rank != NO_RANK else "", "suit": SUITS[card.suit] if card.rank != NO_RANK else "",
                "appear": appear, "settled": None, "covered": 0}
        self.truth.append(deal)
        self.leave(sprites, holds, off, deal)
        self.wait(self.frames(kind.rest))

    def leave(self, sprites, holds, n, deal=None):
        """A hand withdraws; the card that it laid is free when the hand is off it."""
        far = self.away(self.dealer, sprites[1], holds)
        for i in range(n + 1):
            def back(d):
                t = min((i + d) / n, 1)
                return holds + [*(far * t ** 1.6), 0, 0.35 * np.sin(t * 2), 0]
            _, hidden = self.show((sprites[1], back))
            if deal and not hidden and deal["settled"] is None:
                deal["settled"] = self.n - 1
        if deal and deal["settled"] is None:
            deal["settled"] = self.n

    def come(self, sprites, holds, n):
        """An empty hand comes to a place."""
        far = self.away(self.dealer, sprites[1], holds)
        for i in range(n):
            self.show((sprites[1], lambda d: holds + [*(far * (1 - ease((i + d) / n))), 0, 0.4 * (1 - ease((i + d) / n)), 0]))

    def covered(self, n):
        if self.truth and not self.truth[-1]["covered"]:
            self.truth[-1]["covered"] = n

    def sweep(self):
        """A hand takes all cards off."""
        middle = np.mean([p[:2] for _, p in self.lying], 0)
        self.covered(self.n + 1)
        n, sprites = self.frames((0.3, 0.5)), self.hands[1]
        holds = self.reach(1, middle - [0, 0.2])[1]
        self.come(sprites, holds, n)
        way, heap, self.lying = self.away(self.dealer, self.lying[0][0], np.array([*middle, 0, 0, 0])) * 1.6, self.lying, []
        self.bake()
        spin = self.rng.normal(0, 0.3, len(heap))
        n = self.frames((0.5, 0.8))
        for i in range(n):
            def off(pose, k, d):
                t = ((i + d) / n) ** 1.5
                return pose + [*(way * t), spin[k] * t, 0, 0]
            self.show(*[(c, lambda d, p=p, k=k: off(p, k, d)) for k, (c, p) in enumerate(heap)],
                      (sprites[1], lambda d: holds + [*(way * ((i + d) / n) ** 1.5), 0, 0, 0]))
        self.wait(self.frames((0.3, 0.8)))

    def handle(self, lift):
        """A hand pushes the uppermost card a little, or lifts it and puts it back."""
        card, pose = self.lying[-1]
        self.covered(self.n + 1)
        sprites, holds = self.reach(0, self.grip(pose))
        self.come(sprites, holds, self.frames((0.25, 0.4)))
        end = pose + [*self.rng.normal(0, 0.03 if lift else 0.12, 2), self.rng.normal(0, 0.05 if lift else 0.15), 0, 0]
        up, aside = self.rng.uniform(0.3, 0.8) * lift, self.rng.normal(0, 0.5, 2) * lift
        n = self.frames((0.7, 1.3) if lift else (0.2, 0.5))
        self.bake(but=card)
        for i in range(n):
            def moved(d):
                t = min((i + d) / n, 1)
                t, bow = t * t * (3 - 2 * t), np.sin(np.pi * t) ** 0.7
                return (end - pose) * t + [*(aside * bow), 0, up * bow, 0]
            self.show((sprites[0], lambda d: holds + moved(d)), (card, lambda d: pose + moved(d)), (sprites[1], lambda d: holds + moved(d)))
        self.lying[-1] = card, end
        self.bake()
        self.leave(sprites, holds + (end - pose), self.frames((0.25, 0.4)))
        self.wait(self.frames((0.4, 0.9)))

    def wander(self, sprites, z):
        """A hand, or high above the camera its shadow, comes, stays, goes, with nothing."""
        spot = self.rng.normal(0, 0.8, 2)
        holds = self.reach(1, spot)[1] + [0, 0, 0, z, 0]
        self.come(sprites, holds, self.frames((0.4, 0.8)))
        for _ in range(self.frames((0.1, 0.8))):
            self.show((sprites[1], lambda d: holds))
        self.leave(sprites, holds, self.frames((0.3, 0.7)))
        self.wait(self.frames((0.1, 0.4)))

    def bring(self, thing):
        """A hand puts a thing down, or moves one that stands there."""
        old = next((p for s, p in self.lying if s is thing), None)
        pose = np.array([*self.rng.normal(0, [1.1, 0.7]), self.rng.uniform(0, 6), 0, 0])
        start = old if old is not None else pose + [*self.away(self.dealer, thing, pose) * 1.3, 0, 0.3, 0]
        sprites, holds = self.reach(1, start[:2])
        self.come(sprites, holds, self.frames((0.3, 0.6)))
        self.bake(but=thing)
        n = self.frames((0.4, 0.8))
        for i in range(n):
            self.show((thing, lambda d: start + (pose - start) * ease((i + d) / n)), (sprites[1], lambda d: holds + (pose - start) * ease((i + d) / n) * [1, 1, 0, 1, 0]))
        self.lying = [(s, p) for s, p in self.lying if s is not thing] + [(thing, pose)]
        self.bake()
        self.leave(sprites, holds + (pose - start) * [1, 1, 0, 1, 0], self.frames((0.2, 0.5)))
        self.wait(self.frames((0.3, 0.8)))

    def place(self, i):
        """Where the i-th card since the table was bare is laid."""
        rng, place = self.rng, self.kind.place
        x, y = rng.normal(0, 0.06, 2)
        if place == "sides" and i < 2:
            x += (-1.25, 1.25)[i]
        if place == "fan":
            x, y = x - 1.3 + 0.34 * (i % 9), y * 0.7
        return np.array([x, y, rng.normal(0, 0.1) + (0.02 * (i % 9 - 4) if place == "fan" else 0), 0, 0])

    def run(self):
        rng, does = self.rng, self.kind.does
        if "lean" in does:  # somebody rests a hand beside the cards
            to = self.reach(1, turned(np.array([[1.5 * rng.choice([-1, 1]), 0.5]]), 0)[0])[1]
            self.always = [(self.hands[1][1], lambda d: to + [0.02 * np.sin(self.n / 17), 0, 0, 0, 0])]
        self.wait(rng.integers(18, 30))
        if not self.kind.cards[1]:
            things = [Glass(rng), chip(rng), chip(rng)]
            for what in rng.permutation(10):
                (self.bring(things[what % 3]) if what < 6 else self.wander(self.hands[what % 2], 2.5 if what == 9 else rng.uniform(0, 0.3)))
            return
        shoe = [(r, s) for r in range(13) for s in range(4)] * 2
        card, since, seldom = shoe[0], 0, rng.choice(np.arange(3, 12), 4, replace=False)
        number = int(rng.integers(*self.kind.cards, endpoint=True))
        for k in range(number):
            u, pose = rng.random(), self.place(since)
            if "twins" in does and u < 0.25 and k:
                pose = np.append(self.lying[-1][1][:3] + rng.normal(0, [0.02, 0.02, 0.02]), [0, 0])
            elif "repeat" in does and u < (0.5 if "twins" in does else 0.25) and k:
                card = card[0], int(rng.integers(4))
            else:
                card = shoe[rng.integers(len(shoe))]
            now = (NO_RANK, int(rng.integers(2))) if "jokers" in does and rng.random() < 0.3 else card
            if "knock" in does and k in seldom[:3]:
                way = np.array([*rng.normal(0, 14, 2), rng.normal(0, 0.6)])
                self.jolt = [*(self.jolt or []), (self.n + (int(rng.integers(3, 25)) if k == seldom[0] else 0), way)]
                self.wait(20 if k != seldom[0] else 0)
            self.deal(Card(self.pack.face(*now), self.pack, self.high), pose)
            since += 1
            if k in seldom:
                for thing in ("nudge", "lift"):
                    if thing in does and (thing == "lift") == (k % 2 == 0):
                        self.handle(thing == "lift")
                if "pass" in does and k in seldom[:2]:
                    self.wander(self.hands[1], rng.uniform(0.05, 0.4))
                if "shadow" in does and k in seldom[2:]:
                    self.wander(self.hands[1], 2.5)
            if "sweep" in does and since >= 8 and number - k > 3:
                self.sweep()
                since = 0
        self.wait(20)

    def close(self):
        self.out.release()
        with open(self.path + ".truth.jsonl", "w") as f:
            f.writelines(json.dumps(d) + "\n" for d in self.truth)


def main():
    artwork, folder, jobs = sys.argv[1], sys.argv[2], sys.argv[3:]
    cv2.setNumThreads(1)
    pool = decks.Pool(np.random.default_rng(0), artwork, held=True)
    for name, seed, count in zip(jobs[::3], jobs[1::3], jobs[2::3]):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
        for s in range(int(seed), int(seed) + int(count)):
            film = Film(pool, SETS[name], s, f"{folder}/{name}/{name}-{s:03}")
            film.run()
            film.close()
            print(f"{film.path}.mp4: {len(film.truth)} cards of {film.pack.name}, {film.high:.0f} pixels high, {film.n} frames", flush=True)


if __name__ == "__main__":
    main()
