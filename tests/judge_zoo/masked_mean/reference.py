import torch
import torch.nn as nn

rows, columns = 6, 40


class Model(nn.Module):
    def forward(self, x, mask):
        return (x * mask).sum(-1) / mask.sum(-1).clamp(min=1)


def get_inputs():
    return [torch.randn(rows, columns), torch.ones(rows, columns, dtype=torch.bool)]


def get_init_inputs():
    return []
