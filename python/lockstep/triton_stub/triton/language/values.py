"""The values of triton.language for module-level code: types, constants, names of functions, and host helpers."""

from __future__ import annotations

import operator
from typing import Any, ClassVar


def cdiv(x: int, y: int) -> int:
    """Division rounded up."""
    return (x + y - 1) // y


def next_power_of_2(n: int) -> int:
    """The smallest power of two that is not smaller than n; 0 for 0."""
    return 1 << (n - 1).bit_length() if n > 0 else 0


class dtype:
    """A type of the language; `name` is Triton's ("fp16", "int32")."""

    _bits: ClassVar[dict[str, int]] = {"void": 0, "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64}

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def primitive_bitwidth(self) -> int:
        if self.name in self._bits:
            return self._bits[self.name]
        return 8 if self.name.startswith("fp8") else int(self.name.lstrip("uint"))

    @property
    def itemsize(self) -> int:
        return max(self.primitive_bitwidth // 8, 1)

    @property
    def scalar(self) -> dtype:
        return self

    def is_floating(self) -> bool:
        return self.name.startswith(("fp", "bf"))

    def is_fp8(self) -> bool:
        return self.name.startswith("fp8")

    def is_int(self) -> bool:
        return self.name.startswith(("int", "uint"))

    def is_int_unsigned(self) -> bool:
        return self.name.startswith("uint")

    def is_int_signed(self) -> bool:
        return self.name.startswith("int")

    def is_bool(self) -> bool:
        return self.name == "int1"

    def is_ptr(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dtype) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"triton.language.{self.name}"

    def __str__(self) -> str:
        return self.name


class pointer_type(dtype):
    """A pointer to elements of a type."""

    def __init__(self, element_ty: dtype) -> None:
        super().__init__(f"pointer<{element_ty.name}>")
        self.element_ty = element_ty

    @property
    def primitive_bitwidth(self) -> int:
        return 64

    def is_ptr(self) -> bool:
        return True


class constexpr:
    """A value that kernels see at compile time; on the host it computes as its value."""

    def __init__(self, value: Any) -> None:
        self.value = value.value if isinstance(value, constexpr) else value

    def __repr__(self) -> str:
        return f"constexpr[{self.value}]"

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __index__(self) -> int:
        return operator.index(self.value)


def _value(one: Any) -> Any:
    return one.value if isinstance(one, constexpr) else one


def _add_operators() -> None:
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift"):
        function, special = getattr(operator, name), name.rstrip("_")
        setattr(constexpr, f"__{special}__", lambda a, b, f=function: constexpr(f(a.value, _value(b))))
        setattr(constexpr, f"__r{special}__", lambda a, b, f=function: constexpr(f(_value(b), a.value)))
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        function = getattr(operator, name)
        setattr(constexpr, f"__{name}__", lambda a, b, f=function: constexpr(f(a.value, _value(b))))
    for name in ("neg", "pos", "invert"):
        function = getattr(operator, name)
        setattr(constexpr, f"__{name}__", lambda a, f=function: constexpr(f(a.value)))


_add_operators()


class BuiltinName:
    """A function of the language: a name on the host, with a meaning in kernels only."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name.rpartition(".")[2]
        self.__module__ = name.rpartition(".")[0]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"{self.__module__}.{self.__name__} can be called in kernels only")

    def __repr__(self) -> str:
        return f"<{self.__module__}.{self.__name__}>"
