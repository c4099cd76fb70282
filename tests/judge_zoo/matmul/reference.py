import torch
import torch.nn as nn

rows, depth, columns = 16, 64, 16


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.randn(rows, depth), torch.randn(depth, columns)]


def get_init_inputs():
    return []
