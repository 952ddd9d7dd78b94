"""The nets, how their inputs are normalised, and how they become ONNX."""
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from classes import CORNER_H, CORNER_W, FACE_H, FACE_W, RANKS, SUIT_H, SUIT_W, SUITS


def conv(inputs, outputs, kernel=3, stride=1, pool=False, spread=1):
    """Convolution, perhaps halved, then batch norm: halving first makes the rest cheap."""
    halve = [nn.MaxPool2d(2)] if pool else []
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2 * spread, spread, bias=False), *halve, nn.BatchNorm2d(outputs), nn.ReLU())


def head(inputs, hidden, outputs):
    return nn.Sequential(nn.Flatten(), nn.Dropout(0.15), nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def corner_net():
    """36×60 grey → 13 ranks and none."""
    return nn.Sequential(
        conv(1, 16, pool=True), conv(16, 32, pool=True), conv(32, 48), conv(48, 64, pool=True), conv(64, 96),
        head(96 * (CORNER_H // 8) * (CORNER_W // 8), 64, len(RANKS) + 1))


def face_net():
    """64×88 grey → 13 ranks and none."""
    return nn.Sequential(
        conv(1, 16, kernel=5, stride=2), conv(16, 32, pool=True), conv(32, 48, pool=True), conv(48, 64), conv(64, 96, pool=True),
        head(96 * (FACE_H // 16) * (FACE_W // 16), 64, len(RANKS) + 1))


def suit_net():
    """24×40 blue, green, red → 4 suits and none."""
    return nn.Sequential(
        conv(3, 16), conv(16, 24, pool=True), conv(24, 32, pool=True), conv(32, 48, pool=True),
        head(48 * (SUIT_H // 8) * (SUIT_W // 8), 32, len(SUITS) + 1))


def index_net():
    """A grey picture of any size → for each cell of 8×8 pixels what index.py decodes."""
    return nn.Sequential(
        conv(1, 8, kernel=5, stride=2), conv(8, 24, stride=2), conv(24, 32, stride=2),
        conv(32, 40), conv(40, 40, spread=2), conv(40, 40), nn.Conv2d(40, 6, 1))


NETS = {
    "corner": (corner_net, (1, CORNER_H, CORNER_W)),
    "face": (face_net, (1, FACE_H, FACE_W)),
    "suit": (suit_net, (3, SUIT_H, SUIT_W)),
}


def normalise(x):
    """Each channel less its own mean, all by one spread: light and colour casts
    fall away, and the 6 keeps an empty patch's noise from being blown up."""
    x = x.float()
    x = x - x.mean((2, 3), keepdim=True)
    return x / (x.pow(2).mean((1, 2, 3), keepdim=True).sqrt() + 6)


class Calibrated(nn.Module):
    """A trained net whose outputs are probabilities that mean what they say."""

    def __init__(self, net, temperature):
        super().__init__()
        self.net, self.temperature = net, float(temperature)

    def forward(self, x):
        return torch.softmax(self.net(x) / self.temperature, 1)


class Places(nn.Module):
    """The index net with its first output made a probability."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        y = self.net(x)
        return torch.cat([torch.sigmoid(y[:, :1]), y[:, 1:]], 1)


def export_index(net, path):
    free = {0: "batch", 2: "height", 3: "width"}
    torch.onnx.export(Places(net).eval(), torch.zeros(1, 1, 160, 160), path, opset_version=11, input_names=["picture"],
                      output_names=["places"], dynamic_axes={"picture": free, "places": free})


def export(name, net, temperature, path):
    shape = NETS[name][1]
    net = Calibrated(net, temperature).eval()
    torch.onnx.export(net, torch.zeros(1, *shape), path, opset_version=11, input_names=["patch"],
                      output_names=["probability"], dynamic_axes={"patch": {0: "batch"}, "probability": {0: "batch"}})


def read(net, path, x):
    """Fills a net with what export wrote of it, to be trained further. Where export folded
    a batch norm into its convolution, inputs x tell what that norm would have seen."""
    stored = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in onnx.load(path).graph.initializer}
    folded = iter([stored[k] for k in stored if k.startswith("onnx::")])
    net.load_state_dict({k: stored.get("net." + k, v) for k, v in net.state_dict().items()})
    net.eval()
    with torch.no_grad():
        for i, block in enumerate(net):
            if isinstance(block, nn.Sequential) and isinstance(block[0], nn.Conv2d) and f"net.{i}.0.weight" not in stored:
                block[0].weight.copy_(next(folded))
                seen, norm = block[0](x), block[1]
                norm.running_mean.copy_(seen.mean((0, 2, 3)))
                norm.running_var.copy_(seen.var((0, 2, 3)))
                norm.weight.copy_((norm.running_var + norm.eps).sqrt())
                norm.bias.copy_(norm.running_mean + next(folded))
            x = block(x)
    return net
