"""Gluon kernels of this folder under the names of the installed Triton: they are written for 3.6, and a copy is made at test time."""

import importlib
import pathlib
import re
import sys

import triton

VERSION = tuple(int(number) for number in triton.__version__.split(".")[:2])
# (first version with the new name, pattern, what stands for it)
NEW_NAMES = [
    ((3, 8), r"gl\.allocate_shared_memory\(gl\.int64, \[1\], mbarrier\.MBarrierLayout\((cga_layout=\[\[0\]\])?\)\)", "mbarrier.allocate_mbarrier()"),
    ((3, 8), r"gl\.allocate_shared_memory\(gl\.int64, \[(\w+), 1\], mbarrier\.MBarrierLayout\(\)\)", r"mbarrier.allocate_mbarrier(batch=\1)"),
    ((3, 8), r"\n    get_tmem_reg_layout,", "\n    tensor_memory_descriptor_type,"),
    ((3, 8), r"get_tmem_reg_layout\((\S+), (\([^)]*\)), (\S+), ([^)]+\)|\w+)\)", r"registers_of(\1, \2, \3, \4)"),
    ((3, 9), r"async_copy\.async_copy_global_to_shared", "async_copy.async_load"),
    ((3, 9), r"tma\.async_copy_global_to_shared", "tma.async_load"),
    ((3, 9), r"tma\.async_copy_shared_to_global", "tma.async_store"),
    ((3, 9), r"\._reinterpret\(", ".reinterpret("),
]
REGISTERS = '''
from triton.experimental.gluon._runtime import constexpr_function


@constexpr_function
def registers_of(element, shape, layout, warps):
    return tensor_memory_descriptor_type(element, list(shape), layout, list(shape)).get_reg_layout(num_warps=warps)


'''


def renamed(text):
    for since, old, new in NEW_NAMES:
        if since <= VERSION:
            text = re.sub(old, new, text)
    if "registers_of(" in text:
        at = text.index("\n\n", text.rindex("\nfrom triton"))
        text = text[:at] + REGISTERS + text[at:]
    return text


def kernels(folder, *names):
    """The modules, imported from copies in the folder, in this order; one may import those before it."""
    sys.path.insert(0, str(folder))
    try:
        for name in names:
            source = pathlib.Path(__file__).with_name(name + ".py").read_text()
            (pathlib.Path(folder) / f"{name}.py").write_text(renamed(source))
        return [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(folder))
