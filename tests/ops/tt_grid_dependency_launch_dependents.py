"""tt.grid_dependency_launch_dependents (3.9): lets the next launch begin; a launch of its own has none."""

import tt_grid_dependency_wait as wait


def cases():
    yield wait.between_loads("tt.grid_dependency_launch_dependents")
