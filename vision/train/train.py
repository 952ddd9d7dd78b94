"""Trains one net on a bank of patches and writes it as ONNX:

    python3 train.py corner|face|suit BANK_FOLDER HELD_FOLDER MINUTES OUT.onnx [START.onnx]

The learning rate falls over the minutes given, the exported weights are a
running mean of the last part, and one temperature fitted on held-out decks
makes the probabilities mean what they say. The bank may grow while a net is
trained: before each pass the files that are new are added.
"""
import copy
import glob
import sys
import time
import zipfile

import numpy as np
import torch
from torch import nn

from classes import RANKS, SUITS
from nets import NETS, export, normalise, read

BATCH = 128
HELD_STEP = 3  # every third held-out patch is enough to calibrate on
KEYS = {"corner": ("corner", "corner_rank"), "face": ("face", "face_rank"), "suit": ("suit", "corner_suit")}


def load(folder, name, known=()):
    """Patches and labels of the files that are not known yet, and all that are now."""
    pictures, labels, read = [], [], set(known)
    for path in sorted(set(glob.glob(folder + "/*.npz")) - read):
        try:
            z = np.load(path)
            pictures.append(z[KEYS[name][0]]), labels.append(z[KEYS[name][1]])
            read.add(path)
        except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile) as e:
            print(f"{path} left out: {e}")
    if not pictures:
        return None, None, read
    x, y = np.concatenate(pictures), np.concatenate(labels)
    x = x[:, None] if x.ndim == 3 else x.transpose(0, 3, 1, 2)
    return torch.from_numpy(np.ascontiguousarray(x)), torch.from_numpy(y.astype(np.int64)), read


def warp(x):
    """Each patch a little turned, sheared, stretched and shifted: as good as
    another finder's error, and a typeface gets wider or narrower."""
    n = len(x)
    turn, shear, tall, wide = (torch.randn(n) * s for s in (0.03, 0.03, 0.035, 0.045))
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0], theta[:, 1, 1] = wide.exp(), tall.exp()
    theta[:, 0, 1], theta[:, 1, 0] = turn + shear, -turn
    theta[:, :, 2] = torch.randn(n, 2) * 0.03
    # An index lies at the top left; stretching about the middle would push it out.
    theta[:, :, 2] += 0.5 * (theta[:, :, :2].sum(2) - 1)
    grid = nn.functional.affine_grid(theta, x.shape, align_corners=False)
    return nn.functional.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False)


def vary(x, name):
    """The cheap distortions, done anew each time a patch is seen."""
    n, c, h, w = x.shape
    x = x.float()
    if c == 3:
        x = x * torch.empty(n, 3, 1, 1).uniform_(0.88, 1.12)
    gamma = torch.empty(n, 1, 1, 1).uniform_(-0.35, 0.35).exp()
    x = (x / 255).clamp(0, 1) ** gamma * 255
    x = warp(x) if torch.rand(1) < 0.7 else x
    dx, dy = (int(v) for v in torch.randint(-1, 2, (2,)))
    x = torch.roll(nn.functional.pad(x, (1, 1, 1, 1), mode="replicate"), (dy, dx), (2, 3))[:, :, 1:-1, 1:-1]
    grain = torch.randn(n, 1, h, w) * torch.empty(n, 1, 1, 1).uniform_(-4, 6).clamp(min=0)
    x = x + grain
    if torch.rand(1) < 0.3:  # a spot: dirt, a scratch, a reflection
        k = n // 3
        cy, cx, r = int(torch.randint(h, (1,))), int(torch.randint(w, (1,))), int(torch.randint(2, max(3, h // 8), (1,)))
        x[:k, :, max(cy - r, 0):cy + r, max(cx - r, 0):cx + r] = torch.empty(k, 1, 1, 1).uniform_(0, 255)
    if name == "face" and torch.rand(1) < 0.5:
        x = torch.flip(x, (2, 3))
    return x


def logits(net, x):
    net.eval()
    with torch.no_grad():
        return torch.cat([net(normalise(x[i:i + 512])) for i in range(0, len(x), 512)])


def temperature(z, y):
    """The divisor of the logits under which held-out patches are least surprising."""
    best = min((float(nn.functional.cross_entropy(z / t, y)), t) for t in np.arange(0.6, 2.6, 0.02))
    return best[1]


class Patches:
    """A bank of labelled patches that may grow while a net is trained."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.x, self.y, self.known = load(folder, name)

    def __len__(self):
        return len(self.x)

    def grow(self):
        more, labels, self.known = load(self.folder, self.name, self.known)
        if more is not None:
            self.x, self.y = torch.cat([self.x, more]), torch.cat([self.y, labels])

    def loss(self, net, pick):
        batch = normalise(vary(self.x[pick], self.name)).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):  # twice as fast, and no worse
            z = net(batch)
        return nn.functional.cross_entropy(z.float(), self.y[pick])


def fit(name, net, bank, size, minutes, top):
    """Trains for some minutes with batches of a size, and returns the running
    mean of about the last sixteenth of the weights that were passed through."""
    net = net.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    print(f"{name}: {len(bank)} samples, {sum(p.numel() for p in net.parameters())} weights", flush=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=top, weight_decay=0.02)
    start, total, step, shown, running = time.time(), float(minutes) * 60, 0, 0, None
    while (done := (time.time() - start) / total) < 1:
        before = len(bank)
        bank.grow()
        if len(bank) > before:
            print(f"{name}: {len(bank)} samples", flush=True)
        order = torch.randperm(len(bank))
        for i in range(0, len(bank) - size + 1, size):
            done = (time.time() - start) / total
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = top * min(1, step / 200 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * done) + 0.004)
            net.train()
            loss = bank.loss(net, order[i:i + size])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            keep = 1 - 1 / (0.06 * step + 4)
            with torch.no_grad():
                for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
                    if a.dtype.is_floating_point:
                        a.mul_(keep).add_(b, alpha=1 - keep)
                    else:
                        a.copy_(b)
            running = float(loss) if running is None else 0.98 * running + 0.02 * float(loss)
            step += 1
            if time.time() - shown > 30:
                shown = time.time()
                print(f"{name} {done * 100:3.0f} % step {step} loss {running:.4f}", flush=True)
    print(f"{name}: {step} steps")
    return mean.eval()


def main():
    name, folder, held, minutes, out = sys.argv[1:6]
    start = sys.argv[6] if len(sys.argv) > 6 else None
    torch.set_num_threads(1)
    torch.manual_seed(1)
    bank = Patches(folder, name)
    hx, hy, _ = load(held, name)
    hx, hy = hx[::HELD_STEP], hy[::HELD_STEP]
    net = NETS[name][0]()
    if start:
        net = read(net, start, normalise(bank.x[torch.randperm(len(bank))[:2000]]))
    mean = fit(name, net, bank, BATCH, minutes, 0.001 if start else 0.002)
    z = logits(mean, hx)
    t = temperature(z, hy)
    right, none = z.argmax(1) == hy, len(RANKS) if name != "suit" else len(SUITS)
    sure = torch.softmax(z / t, 1).max(1).values
    seen = hy != none
    print(f"{name}: temperature {t:.2f}, held out right {right.float().mean() * 100:.2f} %, "
          f"where there is something {right[seen].float().mean() * 100:.2f} %")
    for floor in (0.9, 0.95, 0.99, 0.999):
        s = (sure > floor) & (z.argmax(1) != none)
        print(f"  over {floor}: {(s & right).sum() / seen.sum() * 100:.2f} % right, {(s & ~right).sum() / len(hy) * 100:.3f} % wrong")
    export(name, mean, t, out)


if __name__ == "__main__":
    main()
