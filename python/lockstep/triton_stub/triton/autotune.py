"""`@triton.autotune` and `@triton.heuristics`: the first configuration that pruning leaves is used.

LOCKSTEP_AUTOTUNE=all (or lockstep.options(autotune="all")) runs every configuration once before that, each after the
hooks that the real autotuner would call; "fastest" runs each twice and uses the one with the shortest run."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lockstep import configuration, settings

from .jit import JITFunction, KernelInterface


class Config:
    """A configuration: values of constexpr parameters and launch options."""

    def __init__(self, kwargs: Mapping[str, Any], num_warps: int = 4, num_stages: int = 3, num_ctas: int = 1,
                 maxnreg: int | None = None, pre_hook: Callable[..., Any] | None = None,
                 ir_override: str | None = None) -> None:  # fmt: skip
        self.kwargs = dict(kwargs)
        self.num_warps, self.num_stages, self.num_ctas = num_warps, num_stages, num_ctas
        self.maxnreg, self.pre_hook, self.ir_override = maxnreg, pre_hook, ir_override

    def all_kwargs(self) -> dict[str, Any]:
        extra = {"num_warps": self.num_warps, "num_stages": self.num_stages, "num_ctas": self.num_ctas}
        return {**self.kwargs, **extra}

    def __repr__(self) -> str:
        return f"Config({self.kwargs}, num_warps={self.num_warps}, num_stages={self.num_stages})"


class _Wrapper(KernelInterface):
    def __init__(self, fn: KernelInterface) -> None:
        functools.update_wrapper(self, fn)
        self.fn = fn
        base: Any = fn
        while not isinstance(base, JITFunction):
            base = base.fn
        self.base_fn = base
        self.arg_names = base.arg_names

    def named(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        return {**dict(zip(self.arg_names, args, strict=False)), **kwargs}


class Heuristics(_Wrapper):
    """Constexpr values computed from the arguments."""

    def __init__(self, fn: KernelInterface, values: Mapping[str, Callable[[dict[str, Any]], Any]]) -> None:
        super().__init__(fn)
        self.values = dict(values)

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
        for name, value in self.values.items():
            kwargs[name] = value(self.named(args, kwargs))
        return self.fn.run(*args, grid=grid, warmup=warmup, **kwargs)


class Autotuner(_Wrapper):
    """Chooses among configurations without timing them."""

    def __init__(self, fn: KernelInterface, configs: Sequence[Config], key: Sequence[str], **options: Any) -> None:
        super().__init__(fn)
        self.configs = list(configs) or [Config({})]
        self.keys = list(key)
        self.reset_to_zero = list(options.get("reset_to_zero") or [])
        self.restore_value = list(options.get("restore_value") or [])
        self.pre_hook: Callable[..., Any] | None = options.get("pre_hook")
        self.post_hook: Callable[..., Any] | None = options.get("post_hook")
        self.prune = dict(options.get("prune_configs_by") or {})
        self.cache: dict[Any, Config] = {}
        self.best_config: Config | None = None

    def prune_configs(self, nargs: dict[str, Any], kwargs: Mapping[str, Any]) -> list[Config]:
        early = self.prune.get("early_config_prune")
        kept = list(early(self.configs, nargs, **kwargs)) if early else list(self.configs)
        model, top = self.prune.get("perf_model"), self.prune.get("top_k", 1.0)
        if model and len(kept) > 1:
            count = int(len(kept) * top) if isinstance(top, float) and top <= 1.0 else int(top)
            kept = sorted(kept, key=lambda one: model(**nargs, **kwargs, **one.all_kwargs()))[: max(count, 1)]
        if not kept:
            raise RuntimeError(f"{self.base_fn.__name__}: pruning leaves no configuration")
        return kept

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
        nargs = dict(zip(self.arg_names, args, strict=False))
        known = {**nargs, **kwargs}
        early = self.prune.get("early_config_prune")
        kept = (lambda: early(self.configs, nargs, **kwargs)) if early else (lambda: None)
        asked = configuration.chosen(self.base_fn.__name__, self.configs, kept)
        if asked is not None:
            configuration.note()
            return self._run_with(asked, known, args, grid, kwargs, warmup)
        key = tuple(str(getattr(known[name], "dtype", known[name])) for name in self.keys if name in known)
        if key not in self.cache:
            configs = self.prune_configs(nargs, kwargs)
            mode, chosen = settings.current().autotune, configs[0]
            if mode != "first" and len(configs) > 1 and not warmup:
                times = [self._try(config, args, grid, kwargs) for config in configs]
                if mode == "fastest":
                    times = [min(one, self._try(configs[i], args, grid, kwargs)) for i, one in enumerate(times)]
                    chosen = configs[times.index(min(times))]
            self.cache[key] = chosen
        return self._run_with(self.cache[key], known, args, grid, kwargs, warmup)

    def _run_with(self, config: Config, known: Mapping[str, Any], args: Sequence[Any], grid: Any, kwargs: Mapping[str, Any],
                  warmup: bool) -> Any:  # fmt: skip
        self.best_config = config
        if config.pre_hook is not None:
            config.pre_hook({**known, **config.all_kwargs()})
        return self.fn.run(*args, grid=grid, warmup=warmup, **kwargs, **config.all_kwargs())

    def _try(self, config: Config, args: Sequence[Any], grid: Any, kwargs: Mapping[str, Any]) -> float:
        """One run, its seconds; undoes its changes to the arguments named by reset_to_zero and restore_value."""
        known = self.named(args, kwargs)
        before = {
            name: known[name].clone() if hasattr(known[name], "clone") else known[name].copy()
            for name in self.restore_value
        }
        if self.pre_hook is not None:
            self.pre_hook(known)
        if config.pre_hook is not None:
            config.pre_hook({**known, **config.all_kwargs()})
        self._clear(known)
        error: Exception | None = None
        start = time.perf_counter()
        try:
            self.fn.run(*args, grid=grid, warmup=False, **kwargs, **config.all_kwargs())
            seconds = time.perf_counter() - start
        except Exception as raised:
            error = raised
            raise
        finally:
            if self.post_hook is not None:
                self.post_hook(known, exception=error)
            self._clear(known)
            for name, value in before.items():
                known[name][...] = value
        return seconds

    def _clear(self, known: Mapping[str, Any]) -> None:
        for name in self.reset_to_zero:
            known[name][...] = 0


def autotune(configs: Sequence[Config], key: Sequence[str], **options: Any) -> Callable[[KernelInterface], Autotuner]:
    return lambda fn: Autotuner(fn, configs, key, **options)


def heuristics(values: Mapping[str, Callable[[dict[str, Any]], Any]]) -> Callable[[KernelInterface], Heuristics]:
    return lambda fn: Heuristics(fn, values)
