"""The optimizer: weights of convolutions are updated as matrices, with steps of equal length in all directions (Muon).

Its one rule: parameters that are not matrices (normalisation, biases, depthwise filters, the last layer) use AdamW.
"""

# PyTorch has no types unless it is installed, and it is only installed for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

from typing import Any

import torch
from torch import nn

# Five iterations of this polynomial, which has only odd powers, bring all singular values of a matrix close to 1. The
# coefficients are Muon's.
ROUNDS, POLYNOMIAL = 5, (3.4445, -4.7750, 2.0315)
MOMENTUM = 0.95
AS_ADAM = 0.2  # scales Muon's steps to the usual length of AdamW's steps, so that both can share a learning rate


def levelled(matrix: Any) -> Any:
    """Approximately the nearest matrix whose singular values are all 1."""
    a, b, c = POLYNOMIAL
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(ROUNDS):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x.T if tall else x


class Steady(torch.optim.Optimizer):
    """Two groups of weights with one learning rate; `level` marks the group that uses Muon."""

    def __init__(self, net: nn.Module, rate: float, decay: float) -> None:
        last = [m for m in net.modules() if isinstance(m, nn.Conv2d)][-1]
        level: list[Any] = []
        other: list[Any] = []
        for module in net.modules():
            for weight in module.parameters(recurse=False):
                whole = isinstance(module, nn.Conv2d) and module.groups == 1 and module is not last
                (level if whole and weight.ndim == 4 else other).append(weight)
        super().__init__(
            [{"params": level, "level": True}, {"params": other, "level": False}],
            {"lr": rate, "decay": decay, "betas": (0.9, 0.99)},
        )

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    weight.mul_(1 - group["lr"] * group["decay"])
                    (self._level if group["level"] else self._adam)(weight, group)

    def _level(self, weight: Any, group: Any) -> None:
        state = self.state[weight]
        mean = state.setdefault("mean", torch.zeros_like(weight))
        mean.lerp_(weight.grad, 1 - MOMENTUM)
        ahead = weight.grad.lerp(mean, MOMENTUM).reshape(len(weight), -1)
        step = levelled(ahead) * (AS_ADAM * max(ahead.shape) ** 0.5)
        weight.sub_(step.view(weight.shape), alpha=group["lr"])

    def _adam(self, weight: Any, group: Any) -> None:
        state = self.state[weight]
        first, second = group["betas"]
        mean, square = (state.setdefault(k, torch.zeros_like(weight)) for k in ("mean", "square"))
        state["taken"] = taken = state.get("taken", 0) + 1
        mean.lerp_(weight.grad, 1 - first)
        square.mul_(second).addcmul_(weight.grad, weight.grad, value=1 - second)
        size = (square / (1 - second**taken)).sqrt_().add_(1e-8)
        weight.addcdiv_(mean / (1 - first**taken), size, value=-group["lr"])
