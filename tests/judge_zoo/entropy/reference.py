import torch
import torch.nn as nn

rows, columns = 6, 40


class Model(nn.Module):
    def forward(self, x):
        return torch.special.entr(x).sum(-1)


def get_inputs():
    return [torch.softmax(torch.randn(rows, columns), -1)]


def get_init_inputs():
    return []
