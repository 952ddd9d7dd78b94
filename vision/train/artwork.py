"""Cuts the card artwork of Debian's gnome-cards-data and kdegames-card-data-kf5
into single faces and keeps them as one .npz: python3 artwork.py OUT.npz
"""
import glob
import os
import subprocess
import sys
import tempfile

import cairo
import cv2
import gi
import numpy as np

gi.require_version("Rsvg", "2.0")
from gi.repository import Rsvg  # noqa: E402

from classes import NO_RANK, NO_SUIT  # noqa: E402

ART_W, ART_H = 256, 358
# No indices, ranks in another order, or not pictures of cards.
LEFT_OUT = {"swiss-xvii", "guyenne-classic", "future", "german"}
# Whole decks that no net sees before it is measured on them. Decks drawn by
# one hand are held out together.
HELD_OUT = {"ancient_french", "bellot", "plastic", "slavic_costumes", "lattmann",
            "tigullio", "tigullio-international", "anglo_poker", "french", "jolly-royal"}


def on_white(bgra):
    alpha = bgra[:, :, 3:].astype(np.float32) / 255
    return (bgra[:, :, :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)


def gnome_deck(path):
    """A gnome deck is one sheet of 13×5: clubs, diamonds, hearts, spades, then jokers and back."""
    with tempfile.NamedTemporaryFile(suffix=".png") as png:
        subprocess.run(["rsvg-convert", "-w", str(13 * ART_W), "--keep-aspect-ratio", path, "-o", png.name], check=True)
        sheet = cv2.imread(png.name, cv2.IMREAD_UNCHANGED)
    h, w = sheet.shape[0] / 5, sheet.shape[1] / 13
    for row in range(5):
        for col in range(13 if row < 4 else 3):
            cell = sheet[round(row * h):round((row + 1) * h), round(col * w):round((col + 1) * w)]
            ys, xs = np.where(cell[:, :, 3] > 128)
            if len(ys) < cell.shape[0] * cell.shape[1] * 0.6:
                continue
            face = on_white(cell[ys.min():ys.max() + 1, xs.min():xs.max() + 1])
            face = cv2.resize(face, (ART_W, ART_H), interpolation=cv2.INTER_AREA)
            yield (col, row, face) if row < 4 else (NO_RANK, NO_SUIT, face)


def kde_deck(path):
    """A KDE deck names each card: 1_club … king_spade, jokers and backs."""
    handle = Rsvg.Handle.new_from_file(path)
    names = [(f"{r}_{s}", i, j) for j, s in enumerate(["club", "diamond", "heart", "spade"])
             for i, r in enumerate([*range(1, 11), "jack", "queen", "king"])]
    names += [(n, NO_RANK, NO_SUIT) for n in ("red_joker", "black_joker", "back", "1_back", "red_back", "blue_back")]
    sheet = Rsvg.Rectangle()
    _, sheet.width, sheet.height = handle.get_intrinsic_size_in_pixels()
    if sheet.width <= 0:
        sheet.width, sheet.height = 1000, 600
    for name, rank, suit in names:
        if not handle.has_sub("#" + name):
            continue
        _, _, box = handle.get_geometry_for_layer("#" + name, sheet)
        if not 0.55 < box.width / max(box.height, 1e-6) < 0.85:
            continue
        surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, ART_W, ART_H)
        context = cairo.Context(surface)
        context.scale(ART_W / box.width, ART_H / box.height)
        context.translate(-box.x, -box.y)
        handle.render_layer(context, "#" + name, sheet)
        pixels = np.ndarray((ART_H, ART_W, 4), np.uint8, surface.get_data()).copy()
        if (pixels[:, :, 3] > 128).mean() < 0.6:
            continue
        # Cairo's pixels are premultiplied, so white shows through by addition.
        yield rank, suit, np.clip(pixels[:, :, :3].astype(int) + 255 - pixels[:, :, 3:], 0, 255).astype(np.uint8)


def main(out):
    faces, ranks, suits, decks, held = [], [], [], [], []
    gnome = sorted(glob.glob("/usr/share/aisleriot/cards/*.svgz"))
    kde = sorted(glob.glob("/usr/share/carddecks/*/*.svgz"))
    if not gnome or not kde:
        sys.exit("artwork: install gnome-cards-data and kdegames-card-data-kf5 first")
    for path in gnome + kde:
        name = os.path.basename(path).removesuffix(".svgz")
        if name in LEFT_OUT:
            continue
        cards = list((gnome_deck if path in gnome else kde_deck)(path))
        for rank, suit, face in cards:
            faces.append(face)
            ranks.append(rank)
            suits.append(suit)
            decks.append(("gnome-" if path in gnome else "kde-") + name)
            held.append(name in HELD_OUT)
        print(f"{len(cards):3} cards  {'held out' if name in HELD_OUT else '        '}  {path}")
    np.savez(out, faces=np.stack(faces), ranks=np.array(ranks), suits=np.array(suits), decks=np.array(decks), held=np.array(held))


if __name__ == "__main__":
    main(sys.argv[1])
