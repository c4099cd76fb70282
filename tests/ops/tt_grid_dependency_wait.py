"""tt.grid_dependency_wait (3.9): waits for the launch before; a launch of its own has none."""

from support import tiles

OP = "tt.grid_dependency_wait"
NO_GPU = "Triton 3.6 has no such op"


def between_loads(op: str):
    """The op, at the top and in a loop, changes no value."""
    kernel = tiles.Kernel(4)
    kernel.lines.append(op)
    x = kernel.dense("f32", (32,))
    low, high, step = kernel.constant("i32", 0), kernel.constant("i32", 2), kernel.constant("i32", 1)
    kernel.lines.append(f"scf.for %i = {low.name} to {high.name} step {step.name}  : i32 {{\n      {op}\n    }}")
    kernel.output(x)
    return kernel.case("between loads", gpu=NO_GPU)


def cases():
    yield between_loads(OP)
