"""What is known of a launch's arguments before it is compiled, as @triton.autotune and @triton.heuristics see them.

Nothing here touches the engine; `known_of` and `key_of` are pure functions of the arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lockstep.specialise import array_dtype, constant, element_type, is_array, is_descriptor, typed

if TYPE_CHECKING:
    from lockstep._native import ParameterInfo

Known = dict[str, Any]  # as in `arguments` of _native.tune


@dataclass(frozen=True)
class Tuned:
    values: dict[str, Any]  # of parameters, as in `constants` of Module.from_python
    options: dict[str, int]  # num_warps, num_stages


def known_of(parameter: ParameterInfo, value: Any) -> Known:
    """Raises LaunchError for a value that no kernel takes as a constant."""
    if parameter.is_constexpr:
        return {"value": constant(parameter.name, value)}
    return _known(parameter.name, value)


def _known(name: str, value: Any) -> Known:
    if isinstance(value, tuple):
        return {"elements": [_known(name, element) for element in value]}
    if is_array(value):
        return _known_array(value)
    if is_descriptor(value):
        return {"type": "tensordesc"}
    return {"type": "i64", "value": constant(name, value)}


def _known_array(array: Any) -> Known:
    known: Known = {"type": f"*{element_type(array_dtype(array)) or 'void'}"}
    shape = getattr(array, "shape", None)
    if shape is None:
        return known
    known["shape"] = [int(extent) for extent in shape]
    strides = getattr(array, "stride", None)
    if callable(strides):
        known["strides"] = [int(stride) for stride in strides()]
    elif hasattr(array, "strides") and hasattr(array, "itemsize"):
        known["strides"] = [int(stride) // array.itemsize for stride in array.strides]
    return known


def key_of(arguments: dict[str, Known]) -> tuple[Any, ...]:
    """Equal for arguments with the same known facts."""
    return tuple((name, _frozen(known)) for name, known in arguments.items())


def _frozen(known: Any) -> Any:
    if isinstance(known, dict):
        return tuple((key, _frozen(value)) for key, value in known.items())
    if isinstance(known, list):
        return tuple(map(_frozen, known))
    return typed(known)
