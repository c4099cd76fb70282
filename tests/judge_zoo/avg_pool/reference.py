import torch
import torch.nn as nn

rows, columns = 4, 48


class Model(nn.Module):
    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x[None], 3, 1, 1)[0]


def get_inputs():
    return [torch.randn(rows, columns)]


def get_init_inputs():
    return []
