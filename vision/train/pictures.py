"""Draws whole labelled pictures of decks and typefaces that no net has seen:

    python3 pictures.py ARTWORK.npz OUT_FOLDER COUNT SEED [CONDITION…]

COUNT pictures of each condition in CONDITIONS, and a manifest.csv of them for
`lansquenet eval`. A label names the ranks that a person reads there: hidden
indices are left out, and pictures in which one is half hidden, or too small,
dim or blurred, are drawn again. sheets/CONDITION.png shows them with their labels.
"""
import csv
import os
import sys
from dataclasses import dataclass, field

import cv2
import numpy as np

import decks
from classes import NO_RANK, NO_SUIT, RANKS
from scenes import CLEAR, GONE, Scene, hand, jpeg, lay, light, marks, rect, table, thing, view

GROUNDS = ("felt", "wood", "white", "pattern", "dark")
UNFIT = ("Ecolier_court", "StayPuft")  # nobody prints indices in these
LANGUAGES = {"english": ("english",), "french": ("french", "french-as"), "german": ("german", "german-suited"),
             "russian": ("russian",), "italian": ("italian",)}
ARTWORK = {"english": ("gnome-anglo_poker", "gnome-bellot", "gnome-plastic", "gnome-tigullio", "kde-jolly-royal"),
           "french": ("gnome-ancient_french",), "german": ("gnome-lattmann", "kde-french"), "russian": ("gnome-slavic_costumes",)}
SMALLEST, BLUREDEST = 8.0, 0.12  # pixels of a rank that is asked about; blur in heights of it


@dataclass
class Condition:
    """What the pictures of one source have in common. Pairs are from and to."""
    size: tuple = (1280, 960)  # of the picture; None: cut to what lies there
    high: tuple = (130, 420)  # a card's height in pixels
    ground: tuple = GROUNDS
    lie: tuple = ("apart",)  # how the cards lie: apart, heap, fan
    count: tuple = (1, 1)
    steep: tuple = (0, 12)  # degrees off the view from straight above
    far: tuple = (5, 10)  # the camera, in card heights
    language: tuple = ("english", "english", "english", "french", "german", "russian", "italian")
    printed: float = 0.4  # share of artwork decks
    looks: dict = field(default_factory=dict)  # of drawn decks: what is not left to chance
    pale: float = 0  # the table is as light as the paper
    warm: tuple = (0.85, 1.1)  # blue's share of the light
    level: tuple = (0.8, 1.15)  # of the light
    false: bool = False  # a sensor whose colours are mixed up
    haze: tuple = (0.9, 1)  # what is left of the contrast
    blur: tuple = (0.3, 0.8)  # deviation in pixels
    noise: tuple = (0.5, 3)  # deviation in grey levels
    sharp: tuple = (0, 0.5)
    quality: tuple = (70, 95)  # JPEG
    glare: bool = False
    fingers: bool = False
    above: bool = False  # something hides one index and not all
    bare: bool = False  # nothing with a rank lies there


def plain(ground, **more):
    return Condition(ground=(ground,), **more)


WEBCAM = dict(size=(800, 600), high=(118, 190), ground=("white", "wood", "felt"), pale=1, haze=(0.4, 0.75), blur=(0.6, 1.1), noise=(1.5, 5),
              sharp=(0, 1.2), quality=(35, 75))
SEVERAL = dict(lie=("heap", "fan"), count=(2, 6), high=(150, 330), steep=(0, 25))
CONDITIONS = {
    **{"plain_" + {"white": "cloth"}.get(g, g): plain(g) for g in GROUNDS},
    "webcam_one": Condition(**WEBCAM),
    "webcam_several": Condition(**WEBCAM, count=(2, 6)),
    "false_colour": Condition(size=None, high=(185, 245), false=True, blur=(0.5, 1.1), noise=(2, 7), haze=(0.5, 1), quality=(35, 80)),
    **{f"{l}_overlap": Condition(language=(l,), **SEVERAL) for l in LANGUAGES},
    "warm": Condition(warm=(0.2, 0.5), level=(0.5, 1.1)),
    "dim": Condition(level=(0.1, 0.25), noise=(1.5, 4), warm=(0.5, 1)),
    "steep_one": Condition(steep=(38, 46), far=(3, 7)),
    "steep_several": Condition(steep=(38, 46), count=(2, 5), high=(150, 260), lie=("apart", "heap")),
    "glare": Condition(glare=True),
    "fingers": Condition(fingers=True),
    "index_hidden": Condition(above=True),
    "apart": Condition(count=(3, 8), high=(130, 230), steep=(0, 25)),
    "large_index": Condition(looks={"height": (0.15, 0.2)}, printed=0, count=(1, 4), lie=("apart", "heap"), high=(130, 300)),
    "four_corners": Condition(looks={"corners": (4, 4)}, printed=0.3, language=("german", "english"), count=(1, 4), lie=("apart", "heap", "fan"), high=(150, 330)),
    "four_colours": Condition(looks={"ink": None}, printed=0, count=(1, 4), lie=("apart", "heap"), high=(140, 300)),
    "no_rank": Condition(bare=True, count=(1, 3), steep=(0, 40), high=(120, 420)),
}


def stock(pool, rng, condition, count):
    """Different cards of one deck, or what bears no rank."""
    def deck(language):
        while True:
            d = decks.Deck(rng, pool.fonts, pool.donors)
            if d.language in LANGUAGES[language]:
                break
        if d.pip_place == "above":  # an upside down nine would be a six
            d.pip_place = "under"
        for name, value in condition.looks.items():
            if name == "ink":  # four colours
                value = [(40, 120, 30), (200, 80, 20), (40, 30, 200), (30, 30, 30)]
            else:
                value = rng.uniform(*value) if isinstance(value[0], float) else value[0]
            setattr(d, name, value)
        return d
    language = rng.choice(condition.language)
    if condition.bare:
        d = deck(language)
        return [d.joker() if rng.random() < 0.5 else d.back_or_blank() for _ in range(count)]
    cards = [divmod(int(i), 4) for i in rng.permutation(52)[:count]]
    if language in ARTWORK and rng.random() < condition.printed:
        names = [n for n in ARTWORK[language] if not condition.looks or n == "kde-french"]
        if names:
            name = names[rng.integers(len(names))]
            return [pool.card(next(i for i in pool.of[name] if (pool.art["ranks"][i], pool.art["suits"][i]) == c)) for c in cards]
    d = deck(language)
    return [d.face(*c) for c in cards]


def places(rng, lie, count):
    """Where cards lie, in card units: x, y and turn, the lowest first."""
    if lie == "apart":
        out = []
        for _ in range(200 * count):
            x, y = rng.uniform(-0.8, 0.8, 2) * count ** 0.5
            if all(np.hypot(x - a, y - b) > 1.15 for a, b, _ in out):
                out.append((x, y, rng.uniform(0, 2 * np.pi)))
            if len(out) == count:
                break
        return out
    if lie == "fan":
        reach, step = rng.uniform(0.9, 2), rng.uniform(0.14, 0.34)
        turns = [(i - (count - 1) / 2) * step + rng.normal(0, 0.02) for i in range(count)]
        return [(reach * np.sin(t), reach * (1 - np.cos(t)), t) for t in turns]
    out = [(0.0, 0.0, rng.normal(0, 0.3))]
    while len(out) < count:
        x, y, _ = out[-1]
        a = rng.uniform(0, 2 * np.pi)
        out.append((x + np.cos(a) * rng.uniform(0.35, 0.75), y + np.sin(a) * rng.uniform(0.35, 0.75), rng.normal(0, 0.5) + (np.pi / 2 if rng.random() < 0.2 else 0)))
    return out


def shoot(pixels, rng, c):
    """A picture of the scene, and the deviations of its blur and of its noise."""
    light = np.array([rng.uniform(*c.warm), 1, 1])
    light[1] = 0.35 + 0.65 * light[0] if light[0] < 0.8 else 1
    if c.false:
        mix = np.abs(np.eye(3) * rng.uniform(0.3, 1, 3) + rng.normal(0, 0.3, (3, 3)))
        pixels = pixels @ (mix / mix.sum(1, keepdims=True)).T.astype(np.float32)
    pixels = np.clip(pixels, 0, 300) * (light * rng.uniform(*c.level)).astype(np.float32)
    k = rng.uniform(*c.haze)
    pixels = pixels * k + rng.uniform(60, 230) * (1 - k)
    blur, noise, sharp = rng.uniform(*c.blur), rng.uniform(*c.noise), rng.uniform(*c.sharp)
    pixels = cv2.GaussianBlur(pixels, (0, 0), blur)
    pixels = pixels + rng.standard_normal(pixels.shape, dtype=np.float32) * noise
    pixels = pixels + (pixels - cv2.GaussianBlur(pixels, (0, 0), 1.2)) * sharp
    return np.clip(pixels, 0, 255).astype(np.uint8), blur, noise


def legible(image, mark, blur, noise):
    """Whether a person can read an index that nothing hides."""
    r = max(4, int(0.6 * mark.height))
    x, y = int(mark.x), int(mark.y)
    part = cv2.cvtColor(image[max(y - r, 0):y + r, max(x - r, 0):x + r], cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(cv2.GaussianBlur(part, (0, 0), 0.7), (4, 90))
    return mark.height >= SMALLEST and blur < BLUREDEST * mark.height and high - low > max(14, 5 * noise)


def draw(pool, rng, c):
    """One picture and the ranks in it, or None if people would quarrel about it."""
    high = np.exp(rng.uniform(*np.log(c.high)))
    aspect, see = view(rng, high, rng.uniform(*c.steep), rng.uniform(*c.far))
    spots = places(rng, c.lie[rng.integers(len(c.lie))], int(rng.integers(c.count[0], c.count[1] + 1)))
    outlines = [see(rect(aspect, *s)) for s in spots]
    every = np.vstack(outlines)
    size = c.size or tuple(np.ceil(np.ptp(every, 0) + high * rng.uniform(0.08, 0.5)).astype(int))
    room = np.array(size) - np.ptp(every, 0) - 8
    if (room < 0).any():
        return None
    shift = rng.uniform(0, 1, 2) * room + 4 - every.min(0)
    ground = table(rng, *size, c.ground[rng.integers(len(c.ground))])
    if c.pale:
        ground = ground * 0.25 + rng.uniform(150, 215)
    scene = Scene(np.float32(ground))
    outlines = [o + shift for o in outlines]
    faces = stock(pool, rng, c, len(spots))
    if not all(f.known and f.placed for f in faces):
        return None
    for face, outline in zip(faces, outlines):
        if c.bare and rng.random() < 0.4:
            thing(scene, rng, outline, pool.fonts)
        else:
            lay(scene, face, outline, rng, rng.random() < 0.6)
    middle = outlines[-1].mean(0)
    if c.above:  # a back, across one of its ends
        at = see(rect(aspect, *(np.array(spots[-1][:2]) + rng.uniform(-0.7, 0.7, 2)), rng.uniform(0, 6.3))) + shift
        lay(scene, decks.Deck(rng, pool.fonts, pool.donors).back_or_blank(), at, rng, True)
    if c.fingers:
        hand(scene, rng, middle + rng.normal(0, 0.4 * high, 2), high)
    light(scene, rng, middle, high, float(c.glare))
    image, blur, noise = shoot(scene.pixels, rng, c)
    quality = int(rng.uniform(*c.quality))
    seen, ranks, hidden = marks(scene), [], 0
    image = jpeg(image, quality)
    for number, face, _ in scene.cards:
        own = [m for m in seen if m.number == number]
        if face.rank == NO_RANK or not own:
            continue
        clear = [m for m in own if m.hidden <= CLEAR]
        hidden += len(own) - len(clear)
        if clear and not all(legible(image, m, blur, noise) for m in clear):
            return None
        if not clear and (min(m.hidden for m in own) <= GONE or (scene.top == number).sum() > 0.3 * aspect * high ** 2):
            return None  # half an index, or pips that could be counted
        ranks += [face.rank] * bool(clear)
    if (c.above or c.fingers) and not hidden or not ranks and not c.bare:
        return None
    return image, quality, [RANKS[r] for r in ranks]


def main():
    artwork, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    cv2.setNumThreads(1)
    pool = decks.Pool(np.random.default_rng(seed), artwork, held=True)
    # A joker with the letter of a king's figure would be no joker.
    lettered = set(pool.of["kde-jolly-royal"])
    pool.donors = [[pool.art["faces"][i] for i in np.where(pool.art["ranks"] == r)[0] if i not in lettered] for r in (10, 11, 12)]
    for family in UNFIT:
        pool.fonts[0].pop(family, None), pool.fonts[1].pop(family, None)
    os.makedirs(folder + "/sheets", exist_ok=True)
    rows = []
    for name in sys.argv[5:] or CONDITIONS:
        rng = pool.rng = np.random.default_rng([seed, *name.encode()])  # each condition on its own
        tiles, tries = [], 0
        while len(tiles) < count:
            tries += 1
            drawn = draw(pool, rng, CONDITIONS[name])
            if drawn is None:
                continue
            image, quality, ranks = drawn
            file, label = f"{name}_{len(tiles):04}.jpg", ";".join(ranks) or "none"
            cv2.imwrite(f"{folder}/{file}", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
            rows.append((file, "multi_card_photo" if len(ranks) > 1 else "single_card_photo", label, name))
            tiles.append(tile(image, label))
        tiles += [tiles[0] * 0] * (-len(tiles) % 6)
        cv2.imwrite(f"{folder}/sheets/{name}.png", np.vstack([np.hstack(tiles[i:i + 6]) for i in range(0, len(tiles), 6)]))
        print(f"{name}: {count} of {tries} pictures kept", flush=True)
    with open(folder + "/manifest.csv", "w", newline="") as f:
        csv.writer(f).writerows([("file", "kind", "label", "source"), *rows])


def tile(image, label, w=320, h=240):
    k = min(w / image.shape[1], (h - 14) / image.shape[0])
    small, out = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.zeros((h, w, 3), np.uint8)
    out[14:14 + small.shape[0], :small.shape[1]] = small[:h - 14, :w]
    cv2.putText(out, label, (3, 11), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1, cv2.LINE_AA)
    return out


if __name__ == "__main__":
    main()
