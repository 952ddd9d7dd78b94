"""Measures the nets where it counts, with OpenCV's dnn as the program does:

    python3 measure.py held HELD_FOLDER WEIGHTS_FOLDER       reliability and confusion on held-out decks
    python3 measure.py photos MANIFEST.csv WEIGHTS_FOLDER    photographs, with a plain finder

The finder here is a plain one for judging nets; the program's own is in
vision/cv, and its `eval` command gives the figures that count.
"""
import csv
import os
import sys
import time
from collections import defaultdict

import cv2
import numpy as np

from classes import CORNER_H, FACE_H, NO_RANK, RANKS
from scenes import corner_patch, face_patch, rectify


def normalise(patches):
    x = np.stack(patches).astype(np.float32)
    x = x[:, None] if x.ndim == 3 else x.transpose(0, 3, 1, 2)
    x = x - x.mean((2, 3), keepdims=True)
    return x / (np.sqrt((x ** 2).mean((1, 2, 3), keepdims=True)) + 6)


class Nets:
    def __init__(self, folder):
        self.nets = {n: cv2.dnn.readNetFromONNX(f"{folder}/{n}.onnx") for n in ("corner", "face", "suit")}

    def ask(self, name, patches):
        out = []
        for i in range(0, len(patches), 64):
            self.nets[name].setInput(normalise(patches[i:i + 64]))
            out.append(self.nets[name].forward().copy())
        return np.concatenate(out)


def fuse(corners, face):
    """Product of the opinions; 'none' counts as no evidence, and no opinion
    is believed beyond a floor. Returns a distribution over ranks and none."""
    total = np.ones(NO_RANK)
    seen = 0.0
    for p, floor in ((corners[0], 0.002), (corners[1], 0.002), (face, 0.01)):
        total *= p[:NO_RANK] + p[NO_RANK] / NO_RANK + floor
        seen = max(seen, 1 - p[NO_RANK])
    return total / total.sum() * seen


def quads(image):
    """Four-sided outlines from several binarisations."""
    k = 640 / max(image.shape[:2])
    small = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA) if k < 1 else image
    k = min(k, 1)
    grey, low = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), small.min(2)
    masks = []
    for a, b in ((20, 50), (40, 100)):
        edge = cv2.dilate(cv2.Canny(cv2.GaussianBlur(grey, (0, 0), 1), a, b), np.ones((3, 3)))
        masks += [edge, 255 - edge]
    masks.append(cv2.adaptiveThreshold(low, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 101, -8))
    masks.append(cv2.threshold(low, 0, 255, cv2.THRESH_OTSU)[1])
    found, area = [], small.shape[0] * small.shape[1]
    for mask in masks:
        for c in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
            if not 0.004 * area < cv2.contourArea(c) < 0.98 * area:
                continue
            hull = cv2.convexHull(c)
            quad = None
            for eps in (0.02, 0.04, 0.07):
                p = cv2.approxPolyDP(hull, eps * cv2.arcLength(hull, True), True)
                if len(p) == 4:
                    quad = refit(hull, p[:, 0].astype(np.float64))
                    break
            if quad is None or cv2.contourArea(np.float32(quad)) < 0.004 * area:
                continue
            side = [np.hypot(*(quad[(i + 1) % 4] - quad[i])) for i in range(4)]
            ratio = (side[0] + side[2]) / (side[1] + side[3])
            if not 0.4 < min(ratio, 1 / ratio) < 0.95:
                continue
            if all(np.abs(quad - f).max() > 3 and np.abs(np.roll(quad, 2, 0) - f).max() > 3 for f in found):
                found.append(quad)
    found.sort(key=lambda q: -cv2.contourArea(np.float32(q)))
    return [q / k for q in found[:40]]


def refit(hull, quad):
    """Rounded corners pull a polygon inwards; lines along the sides don't."""
    dense = []
    pts = hull[:, 0].astype(np.float64)
    for a, b in zip(pts, np.roll(pts, -1, 0)):
        n = max(1, int(np.hypot(*(b - a))))
        dense.append(a + (b - a) * np.arange(n)[:, None] / n)
    dense, lines = np.vstack(dense), []
    for i in range(4):
        a, b = quad[i], quad[(i + 1) % 4]
        d = (b - a) / (np.hypot(*(b - a)) + 1e-9)
        t, off = (dense - a) @ d / (np.hypot(*(b - a)) + 1e-9), np.abs((dense - a) @ np.array([-d[1], d[0]]))
        near = dense[(t > 0.15) & (t < 0.85) & (off < 0.04 * np.hypot(*(b - a)) + 2)]
        if len(near) < 6:
            return quad
        vx, vy, x, y = cv2.fitLine(np.float32(near), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((vx, vy, x, y))
    out = []
    for i in range(4):
        (ax, ay, px, py), (bx, by, qx, qy) = lines[i - 1], lines[i]
        det = ax * by - ay * bx
        if abs(det) < 0.2:
            return quad
        t = ((qx - px) * by - (qy - py) * bx) / det
        out.append((px + ax * t, py + ay * t))
    out = np.array(out)
    return out if np.abs(out - quad).max() < 0.15 * np.hypot(*(quad[2] - quad[0])) else quad


def clockwise(quad):
    return quad if np.cross(quad[1] - quad[0], quad[2] - quad[1]) > 0 else quad[::-1].copy()


def read(image, nets, whole=False):
    """The best reading of one card in a picture: rank, certainty, its patches."""
    boxes = [clockwise(q) for q in quads(image)]
    h, w = image.shape[:2]
    if whole:
        boxes.append(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64))
    cards = [rectify(image, np.roll(q, k, 0)) for q in boxes for k in (0, 1)]
    if not cards:
        return NO_RANK, 0.0, None
    corners = nets.ask("corner", [corner_patch(c)[0] for card in cards for c in (card, card[::-1, ::-1])])
    faces = nets.ask("face", [face_patch(c) for c in cards])
    best = (NO_RANK, 0.0, None)
    for i, card in enumerate(cards):
        p = fuse(corners[2 * i:2 * i + 2], faces[i])
        if p.max() > best[1]:
            best = (int(p.argmax()), float(p.max()), card)
    return best


def photos(manifest, folder, floor=0.95):
    nets, root = Nets(folder), os.path.dirname(manifest)
    by, ranks, failed, readings, spent = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0, 0]), [], [], 0
    for row in csv.DictReader(open(manifest)):
        if row["kind"] == "multi_card_photo" or ";" in row["label"]:
            continue
        image = cv2.imread(os.path.join(root, row["file"]))
        start = time.time()
        rank, sure, card = read(image, nets, row["kind"] == "cropped_card")
        spent += time.time() - start
        true = RANKS.index(row["label"]) if row["label"] in RANKS else NO_RANK
        result = 2 if sure < floor else 0 if rank == true else 1
        if true == NO_RANK:
            result = 0 if sure < floor else 1
        by[row["source"]][result] += 1
        ranks[row["label"]][result] += 1
        readings.append((sure, rank == true))
        if result:
            failed.append((row["file"], row["label"], RANKS[rank] if rank < NO_RANK else "none", round(sure, 3)))
            if card is not None and os.environ.get("SHOW"):
                cv2.imwrite(f"{os.environ['SHOW']}/{row['file'].replace('/', '_')}.{row['label']}.{failed[-1][2]}.png", card)
    print("source: right wrong unsure")
    for table in (by, ranks):
        for name, counts in sorted(table.items()):
            print(f"  {name:16} {counts[0]:4} {counts[1]:4} {counts[2]:4}")
    total = np.sum(list(by.values()), 0)
    print("all", total, f"{spent / total.sum() * 1000:.0f} ms a picture with this plain finder")
    for f in failed:
        print("  ", *f)
    reliability(readings)


def reliability(readings):
    print("confidence: readings, right")
    edges = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.001]
    for a, b in zip(edges, edges[1:]):
        r = [ok for sure, ok in readings if a <= sure < b]
        if r:
            print(f"  {a:5}–{b:5} {len(r):7} {np.mean(r) * 100:7.2f} %")


def held(folder, weights):
    import glob
    nets = Nets(weights)
    for name, key in (("corner", "corner_rank"), ("face", "face_rank"), ("suit", "corner_suit")):
        x, y = [], []
        for path in sorted(glob.glob(folder + "/*.npz")):
            z = np.load(path)
            x.append(z[name]), y.append(z[key])
        x, y = np.concatenate(x), np.concatenate(y)
        start = time.time()
        p = nets.ask(name, list(x))
        ms = (time.time() - start) / len(x) * 1000
        got, none = p.argmax(1), p.shape[1] - 1
        print(f"{name}: {len(x)} patches, right {np.mean(got == y) * 100:.2f} %, {ms:.2f} ms each")
        print(f"  none read as something over 0.95: {np.mean((p[y == none].max(1) > 0.95) & (got[y == none] != none)) * 100:.3f} %")
        reliability([(p[i].max(), got[i] == y[i]) for i in range(len(y)) if got[i] != none])
        if none == NO_RANK:
            wrong = defaultdict(int)
            for a, b in zip(y, got):
                if a != b and b != none:
                    wrong[f"{(RANKS + ['none'])[a]}→{RANKS[b]}"] += 1
            print("  commonest mistakes:", sorted(wrong.items(), key=lambda kv: -kv[1])[:14])


if __name__ == "__main__":
    cv2.setNumThreads(1)
    {"held": held, "photos": photos}[sys.argv[1]](*sys.argv[2:4])
