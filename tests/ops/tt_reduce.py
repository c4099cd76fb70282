"""tt.reduce: one value for each line along the axis, by the region, in halves (S-40)."""

from support import fold_regions, folds


def cases():
    yield from folds.cases(is_scan=False)
    yield from fold_regions.cases(is_scan=False)
