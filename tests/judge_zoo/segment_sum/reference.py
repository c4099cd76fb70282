import torch
import torch.nn as nn

segments, columns = 5, 16


class Model(nn.Module):
    def forward(self, x, offsets):
        ends = offsets.tolist()
        return torch.stack([x[a:b].sum(0) for a, b in zip(ends[:-1], ends[1:])])


def get_inputs():
    return [torch.randn(4 * segments, columns), torch.arange(segments + 1) * 4]


def get_init_inputs():
    return []
