"""tt.return: from a kernel before its end, and from helpers with results that change places."""

from support import branches, calls


def cases():
    yield branches.early_return()
    yield calls.tiles()
    yield calls.returns_in_branches()
    yield calls.swapped_results()
