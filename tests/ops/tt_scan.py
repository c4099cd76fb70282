"""tt.scan: what the region makes of all elements up to each one along the axis, or from it on (S-41)."""

from support import fold_regions, folds


def cases():
    yield from folds.cases(is_scan=True)
    yield from fold_regions.cases(is_scan=True)
