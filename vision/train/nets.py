"""The two networks: the finder for whole pictures, the judge for single dice.

Its one rule: together they have less than two million weights, and only use layers that cv2.dnn supports.
"""

# PyTorch has no types unless it is installed, and it is only installed for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

from typing import Any

import torch
from torch import nn

MAPS = 7  # heatmaps: six faces, and unreadable dice; each cell is 8 pixels wide
FINDER_OUT = MAPS + 5  # heatmaps, log size, offset (x and y), cosine and sine of four times the angle
JUDGE_SIDE, JUDGE_IN = 48, 6  # input: the die, and its surroundings at half size (three channels each)
LOOK = 96  # values that describe the look of a face
JUDGE_OUT = 10  # classes: nothing, one to six, and unreadable (cocked; stacked; half hidden or blurred)


def plain(i: int, o: int, step: int = 1, kernel: int = 3, pad: int | None = None) -> nn.Sequential:
    around = kernel // 2 if pad is None else pad
    return nn.Sequential(nn.Conv2d(i, o, kernel, step, around, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


def split(i: int, o: int, step: int = 1) -> nn.Sequential:
    """A depthwise separable convolution, which needs an eighth of the work of a full one. There is no normalisation
    in between, because that would take a third of the training time."""
    return nn.Sequential(
        nn.Conv2d(i, i, 3, step, 1, groups=i, bias=False),
        nn.Conv2d(i, o, 1, bias=False),
        nn.BatchNorm2d(o),
        nn.ReLU(inplace=True),
    )


class Beside(nn.Module):
    """A residual block, which adds the output of `part` to the input."""

    def __init__(self, part: nn.Module) -> None:
        super().__init__()
        self.part = part

    def forward(self, x: Any) -> Any:
        return x + self.part(x)


class Finder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(inplace=True)),
            plain(16, 24, 2),
            plain(24, 64, 2),
            Beside(plain(64, 64)),
        )
        self.far = nn.Sequential(
            plain(64, 96, 2), Beside(plain(96, 96)), Beside(split(96, 96)), plain(96, 64, kernel=1)
        )
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        self.head = nn.Sequential(plain(64, 64), nn.Conv2d(64, FINDER_OUT, 1))
        last: Any = self.head[-1]
        nn.init.zeros_(last.bias)
        nn.init.constant_(last.bias[:MAPS], -4.6)

    def forward(self, x: Any) -> Any:
        near = self.near(x)
        return self.head(near + self.grow(self.far(near)))


class Judge(nn.Module):
    """Its outputs are the classes, and the layer before them: a description of the face's look."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            plain(JUDGE_IN, 24, 2),
            plain(24, 40),
            plain(40, 64, 2),
            Beside(plain(64, 64)),
            plain(64, 128, 2),
            Beside(plain(128, 128)),
            plain(128, 32, kernel=1),
        )
        self.face = plain(32, LOOK, kernel=JUDGE_SIDE // 8, pad=0)  # no pooling, because positions matter
        self.last = nn.Conv2d(LOOK, JUDGE_OUT, 1)

    def forward(self, x: Any) -> Any:
        face = self.face(self.body(x))
        return self.last(face).flatten(1), face.flatten(1)


class Average:
    """A moving average of the weights, which performs better than the final weights."""

    def __init__(self, net: nn.Module, keep: float = 0.998) -> None:
        self.keep, self.seen = keep, 0
        self.state = {k: v.detach().clone() for k, v in net.state_dict().items()}

    @torch.no_grad()
    def add(self, net: nn.Module) -> None:
        self.seen += 1
        keep = min(self.keep, 1 - 1 / (self.seen + 1))
        for k, v in net.state_dict().items():
            if v.dtype.is_floating_point:
                self.state[k].lerp_(v, 1 - keep)
            else:
                self.state[k].copy_(v)


def export(net: nn.Module, path: str, side: int) -> None:
    """Export to ONNX for cv2.dnn, which folds the normalisation into the convolutions on loading."""
    net = net.eval().to(memory_format=torch.contiguous_format)
    whole = not isinstance(net, Judge)
    sizes, depth = ({0: "n", 2: "h", 3: "w"}, 3) if whole else ({0: "n"}, JUDGE_IN)
    outputs = ["found"] if whole else ["found", "face"]
    torch.onnx.export(
        net,
        (torch.zeros(1, depth, side, side),),
        path,
        opset_version=12,
        dynamo=False,
        input_names=["picture"],
        output_names=outputs,
        dynamic_axes=dict.fromkeys(["picture", *outputs], sizes),
    )


def weights(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())
