import torch
import torch.nn as nn

keys, depth = 40, 16


class Model(nn.Module):
    def forward(self, q, cache_k, cache_v):
        return torch.softmax(cache_k @ q, 0) @ cache_v


def get_inputs():
    return [torch.randn(depth), torch.randn(keys, depth), torch.randn(keys, depth)]


def get_init_inputs():
    return []
