import torch
import torch.nn as nn

rows, depth, columns = 16, 64, 32


class Model(nn.Module):
    def __init__(self, depth, columns):
        super().__init__()
        self.linear = nn.Linear(depth, columns, bias=False)

    def forward(self, x):
        return self.linear(x)


def get_inputs():
    return [torch.randn(rows, depth)]


def get_init_inputs():
    return [depth, columns]
