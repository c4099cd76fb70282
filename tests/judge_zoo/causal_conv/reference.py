import torch
import torch.nn as nn

steps, columns = 24, 8


class Model(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.taps = nn.Parameter(torch.randn(4, columns))

    def forward(self, x):
        padded = torch.cat([x.new_zeros(3, x.shape[1]), x])
        return sum(self.taps[i] * padded[i : i + x.shape[0]] for i in range(4))


def get_inputs():
    return [torch.randn(steps, columns)]


def get_init_inputs():
    return [columns]
