"""What a launch makes of a kernel's parameters: a type, a compile-time constant, or a multiple of 16.

The rules are Triton's own (docs/semantics.md, "Kernel argument -> type"), for launches that go through the C++ front end.
Nothing here touches the engine or compiles; `specialise` is a pure function of the parameters and the arguments."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lockstep.errors import LaunchError

if TYPE_CHECKING:
    from lockstep._native import ParameterInfo

ALIGNMENT = 16  # bytes of a pointer, or the value of an integer, that Triton specialises on

# Arrays' names for element types -> Triton's short names.
TYPE_NAMES = {
    "bool": "i1",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
    "float16": "fp16",
    "half": "fp16",
    "bfloat16": "bf16",
    "float32": "fp32",
    "float": "fp32",
    "float64": "fp64",
    "double": "fp64",
    "float8_e4m3fn": "fp8e4nv",
    "float8_e5m2": "fp8e5",
    "float8_e4m3fnuz": "fp8e4b8",
    "float8_e5m2fnuz": "fp8e5b16",
}
SHORT_NAMES = frozenset(TYPE_NAMES.values()) | {"u1", "fp8e4b15"}


@dataclass(frozen=True)
class Specialisation:
    """One way to compile a kernel. Usable as a key: two launches with equal ones share the compiled kernel."""

    signature: tuple[tuple[str, str], ...]  # parameter -> Triton's type string
    constants: tuple[tuple[str, Any], ...]
    divisible: tuple[str, ...]
    arguments: tuple[Any, ...] = field(compare=False, hash=False)  # of the parameters in `signature`, in order

    def key(self) -> tuple[Any, ...]:
        """Unlike ==, tells 1 from True and 1.0."""
        return (self.signature, tuple((n, typed(v)) for n, v in self.constants), self.divisible)


@dataclass(frozen=True)
class _Element:
    """A tuple's element as a parameter. Triton specialises it even if the tuple's decorator forbids it."""

    name: str
    is_constexpr: bool = False
    annotation: str = ""
    do_not_specialize: bool = False
    do_not_specialize_on_alignment: bool = False


def typed(value: Any) -> tuple[Any, ...]:
    """A value with its type, tuples element by element: usable as a key that tells 1 from True and 1.0."""
    return (type(value), tuple(map(typed, value)) if isinstance(value, tuple) else value)


def element_type(dtype: Any) -> str | None:
    """Triton's short name of a dtype of torch, NumPy, ml_dtypes or Triton itself; None if it has none."""
    name = getattr(dtype, "name", None)
    if not isinstance(name, str):
        name = getattr(dtype, "__name__", None) or str(dtype)
    name = name.rpartition(".")[2]
    return TYPE_NAMES.get(name, name if name in SHORT_NAMES else None)


def is_array(value: Any) -> bool:
    """Whether the object has memory for a kernel. NumPy's scalars have none, though they have NumPy's protocol."""
    if isinstance(value, numbers.Number) or is_numpy_scalar(value):
        return False
    return hasattr(value, "data_ptr") or hasattr(value, "__array_interface__") or hasattr(value, "__dlpack__")


def is_numpy_scalar(value: Any) -> bool:
    return any(base.__name__ == "generic" and base.__module__ == "numpy" for base in type(value).__mro__)


def is_descriptor(value: Any) -> bool:
    """A TensorDescriptor of Triton, or an object of the same form."""
    return all(hasattr(value, name) for name in ("base", "shape", "strides", "block_shape"))


def address(array: Any) -> int:
    """Of its first element."""
    if hasattr(array, "data_ptr"):
        return int(array.data_ptr())
    interface = getattr(array, "__array_interface__", None)
    if interface is None:
        from lockstep import _native

        return _native.describe_dlpack(array)[1]
    return int(interface["data"][0])


def array_dtype(array: Any) -> Any:
    if hasattr(array, "dtype"):
        return array.dtype
    if hasattr(array, "__dlpack__"):
        from lockstep import _native

        return _native.describe_dlpack(array)[0]
    import numpy

    return numpy.asarray(array).dtype


def specialise(kernel: str, parameters: Sequence[ParameterInfo], values: Mapping[str, Any]) -> Specialisation:
    """Raises LaunchError, naming kernel and parameter, for an argument that no kernel takes."""
    signature, constants, divisible, arguments = [], [], [], []
    for parameter in parameters:
        value = values[parameter.name]
        try:
            kind, constant = _parameter_type(parameter, value)
        except LaunchError as error:
            raise LaunchError(f"{kernel}: {error}") from None
        if kind is None:
            constants.append((parameter.name, constant))
            continue
        signature.append((parameter.name, kind))
        arguments.append(value)
        divisible += _divisible_parts(parameter, kind, value)
    return Specialisation(tuple(signature), tuple(constants), tuple(divisible), tuple(arguments))


def _elements(name: str, values: tuple[Any, ...]) -> list[tuple[_Element, Any]]:
    return [(_Element(f"{name}.{index}"), value) for index, value in enumerate(values)]


def _tuple_type(name: str, values: tuple[Any, ...]) -> str:
    """ "(*fp32, 1, None)"; "(x=*fp32, n=i32)" of a named tuple."""
    fields = [f"{field}=" for field in getattr(type(values), "_fields", ())] or [""] * len(values)
    parts = []
    for element, value in _elements(name, values):
        kind, constant = _parameter_type(element, value)
        parts.append(repr(constant) if kind is None else kind)
    return "(" + ", ".join(field + part for field, part in zip(fields, parts, strict=True)) + ")"


def run_time_values(value: Any, name: str = "t") -> list[Any]:
    """The parts of an argument that a kernel receives: all of it, or a tuple's elements that are not constants."""
    if not isinstance(value, tuple):
        return [value]
    found = []
    for element, part in _elements(name, value):
        if isinstance(part, tuple) or _parameter_type(element, part)[0] is not None:
            found += run_time_values(part, element.name)
    return found


def _parameter_type(parameter: ParameterInfo | _Element, value: Any) -> tuple[str | None, Any]:
    """(type, None) of a run-time argument, (None, value) of a constant."""
    if parameter.is_constexpr:
        return None, constant(parameter.name, value)
    if value is None:
        return None, None
    if is_array(value):
        return _pointer_type(parameter, value), None
    if is_descriptor(value):
        return _descriptor_type(parameter, value), None
    if isinstance(value, tuple):
        return _tuple_type(parameter.name, value), None
    if isinstance(value, list):
        raise LaunchError(f"argument {parameter.name!r} is a list; Triton takes tuples only")
    if is_numpy_scalar(value):
        value = value.item()
    annotation = parameter.annotation if parameter.annotation in SHORT_NAMES else ""
    if isinstance(value, (bool, numbers.Integral)) and not isinstance(value, bool):
        number = int(value)
        if number == 1 and not annotation and not parameter.do_not_specialize:
            return None, 1
        return annotation or _integer_type(parameter.name, number), None
    if isinstance(value, bool):
        return annotation or "u1", None
    if isinstance(value, numbers.Real):
        return annotation or "fp32", None
    raise LaunchError(f"argument {parameter.name!r} is a {type(value).__name__}; kernels take arrays, numbers and None"
                      " (make the parameter a tl.constexpr for compile-time values)")  # fmt: skip


def _integer_type(name: str, value: int) -> str:
    if -(2**31) <= value < 2**31:
        return "i32"
    if -(2**63) <= value < 2**63:
        return "i64"
    if 0 <= value < 2**64:
        return "u64"
    raise LaunchError(f"argument {name!r} is {value}, which does not fit into a 64-bit integer")


def _pointer_type(parameter: ParameterInfo | _Element, array: Any) -> str:
    words = parameter.annotation.split()
    is_const = "const" in words or parameter.annotation.startswith("*k")
    forced = next((word.lstrip("*") for word in words if word.startswith("*")), "")
    forced = forced[1:] if forced.startswith("k") and forced not in SHORT_NAMES else forced
    dtype = array_dtype(array)
    name = forced if forced in SHORT_NAMES else element_type(dtype)
    if name is None:
        raise LaunchError(f"argument {parameter.name!r} holds {dtype}, a type that Triton does not have")
    return ("*k" if is_const else "*") + name


def _descriptor_type(parameter: ParameterInfo | _Element, descriptor: Any) -> str:
    dtype = array_dtype(descriptor.base)
    name = element_type(dtype)
    if name is None:
        raise LaunchError(f"the descriptor {parameter.name!r} is of {dtype}, a type that Triton does not have")
    return f"tensordesc<{name}[{', '.join(str(int(extent)) for extent in descriptor.block_shape)}]>"


def _divisible_parts(parameter: ParameterInfo | _Element, kind: str | None, value: Any) -> list[str]:
    """The parameter's name, or "t.0" for elements of a tuple."""
    if isinstance(value, tuple):
        parts = [
            (element, part, _parameter_type(element, part)[0]) for element, part in _elements(parameter.name, value)
        ]
        return [name for element, part, kind in parts for name in _divisible_parts(element, kind, part)]
    return [parameter.name] if kind is not None and _is_divisible(parameter, kind, value) else []


def _is_divisible(parameter: ParameterInfo | _Element, kind: str, value: Any) -> bool:
    if parameter.do_not_specialize or parameter.do_not_specialize_on_alignment or is_descriptor(value):
        return False
    if kind.startswith("*"):
        return address(value) % ALIGNMENT == 0
    return kind[0] in "iu" and kind != "u1" and int(value) % ALIGNMENT == 0


def constant(name: str, value: Any) -> Any:
    """A compile-time value as the engine takes it: None, bool, int, float, str, DType or a tuple. Raises LaunchError."""
    if type(value).__name__ == "constexpr" and hasattr(value, "value"):
        value = value.value
    if is_numpy_scalar(value):
        value = value.item()
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, tuple):
        return tuple(constant(name, element) for element in value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    kind = element_type(value)
    if kind is not None:
        from lockstep import _native

        return _native.DType(kind)
    raise LaunchError(f"the constant {name!r} is a {type(value).__name__}; launches without Triton take None, numbers,"
                      " text, dtypes and tuples of these")  # fmt: skip
