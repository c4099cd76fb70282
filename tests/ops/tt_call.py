"""tt.call: of helpers that are inlined and of ones that are not, twice, through two levels, with tiles and several results."""

from support import calls


def cases():
    yield calls.scalars("inlined", "false")
    yield calls.scalars("not_inlined", "true")
    yield calls.tiles()
    yield calls.through_two_levels()
    yield calls.in_a_loop()
    yield calls.quoted_name()
