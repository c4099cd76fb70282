import torch
import torch.nn as nn

rows, classes = 8, 40


class Model(nn.Module):
    def forward(self, logits, targets):
        return torch.nn.functional.cross_entropy(logits, targets, reduction="none")


def get_inputs():
    return [torch.randn(rows, classes), torch.randint(0, classes, (rows,))]


def get_init_inputs():
    return []
