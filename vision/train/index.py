"""Trains and measures the net that finds indices where no outline is to be had:

    python3 index.py train BANK_FOLDER MINUTES OUT.onnx [START.onnx]
    python3 index.py held HELD_FOLDER INDEX.onnx CORNER.onnx
    python3 index.py photos MANIFEST.csv INDEX.onnx CORNER.onnx [SOURCE]

The net cuts a picture into cells of 8×8 pixels and says for each whether the
middle of an index's rank lies there, and where exactly, how turned, how high.
"""
import csv
import glob
import os
import sys

import cv2
import numpy as np
import torch
from torch import nn

from classes import NO_RANK, RANKS, VIEW
from measure import normalise as normalise_patches
from nets import export_index, index_net, normalise, read
from scenes import CLEAR, GONE, from_index, rank_patch, rectify
from train import fit

CELL = 8
LOW, HIGH, MIDDLE = 8, 44, 16  # heights it is trained on, in pixels; the height is told as ln(height / MIDDLE)
NEAR, RING = 0.75, 1.7  # cells: an index is here; it is not sure whose it is
BATCH = 32


def load(folder, known=()):
    views, rows, read, count = [], [], set(known), 0
    for path in sorted(set(glob.glob(folder + "/*.npz")) - read):
        read.add(path)
        z = np.load(path)
        if "view" not in z.files:
            continue
        mark = z["mark"].copy()
        mark[:, 0] += count
        views.append(z["view"]), rows.append(mark)
        count += len(views[-1])
    return views, rows, read


class Views:
    """Pictures with the indices in them."""

    def __init__(self, folder):
        self.folder, self.known = folder, set()
        self.x, self.marks, self.first = np.empty((0, VIEW, VIEW), np.uint8), np.empty((0, 8), np.float32), np.zeros(1, int)
        self.grow()

    def __len__(self):
        return len(self.x)

    def grow(self):
        views, rows, self.known = load(self.folder, self.known)
        if not views:
            return
        rows = np.concatenate(rows)
        rows[:, 0] += len(self.x)
        self.x = np.concatenate([self.x, *views])
        rows = rows[rows[:, 5] <= GONE]  # what is hidden is not there
        self.marks = np.concatenate([self.marks, np.column_stack([rows, [self.clear(m) for m in rows]])])
        self.first = np.searchsorted(self.marks[:, 0], np.arange(len(self.x) + 1))

    def clear(self, mark):
        """Whether anybody would see that index; if not, nothing is asked about it."""
        view, x, y, _, height, hidden, rank = mark
        r = max(4, height * 0.7)
        part = self.x[int(view), int(max(y - r, 0)):int(y + r), int(max(x - r, 0)):int(x + r)]
        return hidden <= CLEAR and rank >= 0 and LOW <= height <= HIGH and part.size > 0 and part.std() > 3

    def loss(self, net, pick):
        pick = pick.numpy()
        rows = np.concatenate([np.column_stack([np.full(self.first[v + 1] - self.first[v], i), self.marks[self.first[v]:self.first[v + 1], 1:]])
                               for i, v in enumerate(pick)])
        x, rows = turn(torch.from_numpy(self.x[pick])[:, None].float(), torch.from_numpy(rows).float(), int(torch.randint(4, (1,))))
        want, told, near = targets(rows, len(x))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = net(vary(normalise(x)).contiguous(memory_format=torch.channels_last))
        y = y.float()
        heat = nn.functional.binary_cross_entropy_with_logits(y[:, 0], want.clamp(min=0), reduction="none")
        heat = (heat * (want >= 0)).sum() / (want > 0).sum().clamp(min=1)
        off = nn.functional.smooth_l1_loss(y[:, 1:], told, reduction="none", beta=0.1).sum(1)
        return heat + 2 * (off * near).sum() / near.sum().clamp(min=1)


def turn(x, rows, quarters):
    """Pictures and marks by quarter turns to the left."""
    for _ in range(quarters):
        x = torch.rot90(x, 1, (2, 3))
        rows = rows.clone()
        rows[:, 1], rows[:, 2], rows[:, 3] = rows[:, 2].clone(), VIEW - 1 - rows[:, 1], rows[:, 3] - np.pi / 2
    return x, rows


def vary(x):
    """A whole picture is lighter or darker than the square that is trained on."""
    n = len(x)
    return x * torch.empty(n, 1, 1, 1).uniform_(-0.7, 0.7).exp() + torch.randn(n, 1, 1, 1) * 0.3 + torch.randn_like(x) * 0.05


def targets(rows, n):
    """For each cell: whether an index is there (−1: not asked), the five numbers told of it, and whether they count."""
    at = torch.arange(VIEW // CELL).float()
    view, x, y, angle, height, clear = rows[:, 0].long(), *rows[:, [1, 2, 3, 4, 7]].T
    clear = clear > 0
    # One column for each mark of the fullest view; those of others are far off.
    column = torch.cat([torch.arange(k) for k in torch.bincount(view, minlength=n).tolist()]) if len(rows) else view
    full = torch.full((7, n, max(1, int(column.max()) + 1 if len(rows) else 1)), -1e3)
    full[:, view, column] = torch.stack([x / CELL, y / CELL, torch.cos(angle), torch.sin(angle), torch.log(height / MIDDLE), clear.float(),
                                         torch.where(clear, RING, (0.7 * height / CELL).clamp(min=RING))])
    full = full[..., None, None]
    dx, dy = full[0] - at[None, :], full[1] - at[:, None]
    far, clear = torch.hypot(dx, dy), full[5] > 0
    here = (far < NEAR) | (far <= far.amin((2, 3), keepdim=True))
    there = (here & clear).any(1)
    near = ((far < full[6]) & clear).any(1)
    asked = ~((far < full[6]).any(1)) | there
    nearest = torch.where(clear, far, torch.full_like(far, 1e6)).argmin(1, keepdim=True)
    told = torch.stack([t.expand_as(far).gather(1, nearest)[:, 0] for t in (dx, dy, full[2], full[3], full[4])], 1)
    return torch.where(asked, there.float(), torch.full_like(there.float(), -1)), told * near[:, None], near.float()


def decode(places, least):
    """x, y, turn, height, probability of each index in one picture."""
    heat, dx, dy, c, s, h = places
    peak = (heat >= least) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    out = sorted(((CELL * (j + dx[i, j]), CELL * (i + dy[i, j]), np.arctan2(s[i, j], c[i, j]), MIDDLE * np.exp(h[i, j]), heat[i, j])
                  for i, j in np.argwhere(peak)), key=lambda p: -p[4])
    kept = []
    for p in out:  # one index may peak in two cells
        if all(np.hypot(p[0] - k[0], p[1] - k[1]) > 0.5 * k[3] for k in kept):
            kept.append(p)
    return np.array(kept).reshape(-1, 5)


def find(net, grey, least):
    net.setInput(normalise_patches([grey]))
    return decode(net.forward()[0], least)


def ranks_at(corner, grey, places):
    """What the corner net reads at indices: probabilities of ranks and none."""
    if not len(places):
        return np.empty((0, NO_RANK + 1))
    corner.setInput(normalise_patches([rank_patch(rectify(grey, from_index(*p[:4]))) for p in places]))
    return corner.forward().copy()


def held(folder, path, corner_path, floors=(0.1, 0.2, 0.3, 0.5, 0.7, 0.9)):
    """Recall by height, false alarms, errors and reliability on held-out decks,
    and what the corner net makes of the places: of the true ones and the found."""
    net, corner, bank = cv2.dnn.readNetFromONNX(path), cv2.dnn.readNetFromONNX(corner_path), Views(folder)
    read = {"given the place": [], "at the place found": []}
    bands, errors, sure = [(8, 9), (9, 12), (12, 16), (16, 22), (22, 32), (32, 44)], [], []
    hits = {f: np.zeros(len(bands)) for f in floors}
    asked, alarms = np.zeros(len(bands)), dict.fromkeys(floors, 0)
    for v in range(len(bank)):
        marks = bank.marks[bank.first[v]:bank.first[v + 1]]
        got = find(net, bank.x[v], min(floors))
        ranks = ranks_at(corner, bank.x[v], got)
        inside = ((marks[:, 1:3] >= 8) & (marks[:, 1:3] < VIEW - 8)).all(1)
        band = np.array([next((k for k, (a, b) in enumerate(bands) if a <= m[4] < b), -1) for m in marks], int)
        for m, b, whole in zip(marks, band, inside):
            if not m[7] or not whole or b < 0:
                continue
            asked[b] += 1
            p = ranks_at(corner, bank.x[v], [m[1:5]])[0]
            read["given the place"].append((p.argmax() == m[6], p[:NO_RANK].max()))
            far = np.hypot(got[:, 0] - m[1], got[:, 1] - m[2]) / m[4] if len(got) else np.array([9])
            k = far.argmin()
            if far[k] < 0.5:
                for f in floors:
                    hits[f][b] += got[k, 4] >= f
                if got[k, 4] >= 0.3:
                    read["at the place found"].append((ranks[k].argmax() == m[6], ranks[k, :NO_RANK].max()))
                    errors.append((far[k], abs((got[k, 2] - m[3] + np.pi) % (2 * np.pi) - np.pi), abs(np.log(got[k, 3] / m[4]))))
        for g in got:
            far = np.hypot(marks[:, 1] - g[0], marks[:, 2] - g[1]) / np.maximum(marks[:, 4], CELL) if len(marks) else np.array([9])
            if far.min() > 0.7:
                sure.append((g[4], False))
                for f in floors:
                    alarms[f] += g[4] >= f
            elif marks[far.argmin(), 7]:
                sure.append((g[4], True))
    print("heights", *(f"{a}–{b}" for a, b in bands), "asked", asked.astype(int))
    for f in floors:
        print(f"over {f}: recall", *(f"{h / max(a, 1) * 100:5.1f}" for h, a in zip(hits[f], asked)), f"of 9 and more {hits[f][1:].sum() / asked[1:].sum() * 100:.1f} %,"
              f" false alarms in 960×540 of such pictures {alarms[f] / len(bank) * 960 * 540 / VIEW ** 2:.2f}")
    if not errors:
        return print("it found none over 0.3")
    e = np.array(errors)
    for name, k in (("place in heights", 0), ("turn in radians", 1), ("ln height", 2)):
        print(f"{name}: median {np.median(e[:, k]):.3f}, 90 % {np.quantile(e[:, k], 0.9):.3f}, 98 % {np.quantile(e[:, k], 0.98):.3f}, rms {np.sqrt((e[:, k] ** 2).mean()):.3f}")
    for name, r in read.items():
        r = np.array(r).reshape(-1, 2)
        print(f"{name}: {len(r)} read, over 0.95 right {((r[:, 0] == 1) & (r[:, 1] > 0.95)).sum()} wrong {((r[:, 0] == 0) & (r[:, 1] > 0.95)).sum()},"
              f" over 0.999 right {((r[:, 0] == 1) & (r[:, 1] > 0.999)).sum()} wrong {((r[:, 0] == 0) & (r[:, 1] > 0.999)).sum()}")
    for a, b in zip((0.1, 0.3, 0.5, 0.7, 0.9), (0.3, 0.5, 0.7, 0.9, 1.01)):
        r = [ok for p, ok in sure if a <= p < b]
        print(f"  {a}–{b}: {len(r)} places, {np.mean(r) * 100 if r else 0:.1f} % an index")


def photos(manifest, path, corner, source="edjetf_multi", least=0.3, sure=0.95, long=960):
    """Ranks found by their indices alone in photographs of known ranks."""
    net, reader, root = cv2.dnn.readNetFromONNX(path), cv2.dnn.readNetFromONNX(corner), os.path.dirname(manifest)
    ranks = found = extra = places = pictures = 0
    for row in csv.DictReader(open(manifest)):
        if row["source"] != source:
            continue
        image = cv2.imread(os.path.join(root, row["file"]))
        k = long / max(image.shape[:2])
        image = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA) if k < 1 else image
        seen = set()
        for size in (1.0, 0.5):
            small = cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA) if size < 1 else image
            grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
            got = find(net, grey, least)
            places += len(got)
            seen |= {int(p.argmax()) for p in ranks_at(reader, grey, got) if p.max() > sure and p.argmax() != NO_RANK}
        labels = {RANKS.index(r) for r in row["label"].split(";") if r in RANKS}
        ranks, found, extra, pictures = ranks + len(labels), found + len(labels & seen), extra + len(seen - labels), pictures + 1
    print(f"{source}: {pictures} pictures, {found} of {ranks} ranks read at their indices over {sure}, {extra} extra, {places / max(pictures, 1):.1f} places a picture")


def train(folder, minutes, out, start=None):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    bank, net = Views(folder), index_net()
    if start:
        some = torch.from_numpy(bank.x[np.random.default_rng(1).permutation(len(bank))[:200]])
        net = read(net, start, normalise(some[:, None]))
    else:
        nn.init.constant_(net[-1].bias, 0)
        net[-1].bias.data[0] = -4  # hardly anywhere is an index
    mean = fit("index", net, bank, BATCH, minutes, 0.002 if start else 0.003)
    export_index(mean, out)


if __name__ == "__main__":
    cv2.setNumThreads(1)
    {"train": train, "held": held, "photos": photos}[sys.argv[1]](*sys.argv[2:])
