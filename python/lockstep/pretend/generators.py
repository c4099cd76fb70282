"""torch.Generator(device="cuda") and torch.cuda.default_generators.

A pretended GPU generator is a CPU generator that says `cuda:0`. Its state has the 16 bytes of a GPU's (seed and
offset), which packages read and set to seed kernels of their own; the CPU generator's full state behind each offset
that was handed out is kept, so that setting a state brings the same numbers again. The default generator of the
pretended GPU draws from torch's default CPU generator: one stream of numbers for both. What a GPU would draw is not
reproduced."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import torch

from lockstep.pretend import placement
from lockstep.pretend.patching import Patch

if TYPE_CHECKING:
    from typing_extensions import Self

_RawGenerator = torch._C.Generator
_KEPT_STATES = 1024
_OFFSET_STEP = 4  # a GPU's generator counts in fours


class _GeneratorMeta(type(_RawGenerator)):  # type: ignore[misc]
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _RawGenerator)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _RawGenerator)


class CudaGenerator(_RawGenerator):
    """A CPU generator that reports cuda:0."""

    def __new__(cls, device: Any = None) -> Self:
        return super().__new__(cls, device=placement.HOST)

    def __init__(self, device: Any = None) -> None:
        self._kept: OrderedDict[tuple[int, int], torch.Tensor] = OrderedDict()
        self._offset = 0
        self._last: torch.Tensor | None = None

    @property
    def _source(self) -> Any:
        return super()

    @property
    def device(self) -> torch.device:
        return placement.CUDA

    def _advance(self) -> None:
        """Advances the offset if numbers were drawn since the last question."""
        state = self._source.get_state()
        if self._last is not None and not torch.equal(state, self._last):
            self._offset += _OFFSET_STEP
        self._last = state
        self._kept[self._source.initial_seed() & (2**64 - 1), self._offset] = state
        while len(self._kept) > _KEPT_STATES:
            self._kept.popitem(last=False)

    def get_offset(self) -> int:
        self._advance()
        return self._offset

    def set_offset(self, offset: int) -> None:
        self._restore(self._source.initial_seed() & (2**64 - 1), int(offset))

    def get_state(self) -> torch.Tensor:
        self._advance()
        words = [self._source.initial_seed() & (2**64 - 1), self._offset]
        raw = b"".join(word.to_bytes(8, "little") for word in words)
        return placement.set_host(torch.frombuffer(bytearray(raw), dtype=torch.uint8), True)

    def set_state(self, new_state: torch.Tensor) -> CudaGenerator:
        raw = bytes(new_state.to(dtype=torch.uint8).tolist())
        if len(raw) not in (8, 16):
            raise RuntimeError("RNG state is wrong size")
        offset = int.from_bytes(raw[8:], "little") if len(raw) == 16 else 0
        self._restore(int.from_bytes(raw[:8], "little"), offset)
        return self

    def _restore(self, seed: int, offset: int) -> None:
        self._advance()
        known = self._kept.get((seed, offset))
        if known is not None:
            self._source.set_state(known)
        else:
            # A new place in the stream: any numbers will do as long as they depend on it alone.
            self._source.manual_seed(seed)
            if offset:
                torch.empty(offset, dtype=torch.uint8, device=placement.HOST).random_(
                    generator=translate_generator(self)
                )
        self._offset = offset
        self._last = self._source.get_state()
        self._kept[seed, offset] = self._last

    def manual_seed(self, seed: int) -> CudaGenerator:
        self._source.manual_seed(seed)
        self._offset = 0
        self._last = self._source.get_state()
        return self

    def seed(self) -> int:
        seed = self._source.seed()
        self._offset = 0
        self._last = self._source.get_state()
        return seed

    def initial_seed(self) -> int:
        return self._source.initial_seed()

    def clone_state(self) -> CudaGenerator:
        return type(self)._copy(self)

    graphsafe_get_state = get_state
    graphsafe_set_state = set_state

    @staticmethod
    def _copy(source: CudaGenerator) -> CudaGenerator:
        copy = CudaGenerator()
        copy._source.set_state(source._source.get_state())
        return copy


class DefaultCudaGenerator(CudaGenerator):
    """The pretended GPU's default generator; draws from torch.default_generator."""

    @property
    def _source(self) -> Any:
        return torch.default_generator


def translate_generator(generator: Any) -> Any:
    """The generator that a CPU kernel draws from when the program passes `generator`."""
    return torch.default_generator if isinstance(generator, DefaultCudaGenerator) else generator


def _make_generator(cls: type, device: Any = "cpu") -> Any:
    parsed = placement.parse(device)
    return CudaGenerator() if parsed.type == "cuda" else _RawGenerator(device=parsed)


Generator = _GeneratorMeta("Generator", (_RawGenerator,), {"__new__": _make_generator, "__module__": "torch"})


def patches() -> list[Patch]:
    return [Patch(torch, "Generator", Generator, "Generator(device='cuda') is a CPU generator that reports cuda:0")]
