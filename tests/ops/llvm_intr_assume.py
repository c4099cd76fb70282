"""llvm.intr.assume: computes nothing, whatever it is told; a false one is the kernel's fault and changes no result here."""

from support import kernels, values


def assumed(name, line, **options):
    lines = ["%zero = arith.constant 0 : i32", line, "llvm.intr.assume %told : i1", "%r = arith.addi %a, %a : TILE(i32)"]
    return kernels.elementwise(name, lines, {"a": values.integers("i32", 256)}, {"r": "i32"}, lambda a: a + a, (64,), **options)


def cases():
    yield assumed("true", "%told = arith.cmpi sge, %program, %zero : i32")
    yield assumed("constant", "%told = arith.constant true")
    yield assumed("false", "%told = arith.cmpi slt, %program, %zero : i32", gpu="a false assumption is undefined there")
