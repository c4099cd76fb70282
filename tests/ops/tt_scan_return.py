"""tt.scan.return: what the region gives; also its own arguments, changed over, and values from outside."""

import tt_reduce_return as returns


def cases():
    for reverse in (False, True):
        for case in returns.all_cases(reverse):
            case.name += " reversed" if reverse else ""
            yield case
