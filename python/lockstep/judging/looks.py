"""The looks at a candidate, cheapest first: plain calls, structured values, what draws share dropped one at a time, histories, sizes,
layouts, configurations, GPUs, orders of programs, disguise. Each ends the judgement where it finds something wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from lockstep.judging import engine, inputs
from lockstep.judging.decide import Decider, Look, Noted
from lockstep.judging.sides import How, Loaded, Plan, Raised, Sides, Stopped
from lockstep.judging.tensors import Bits

# : Elements of inputs and parameters that a task is scaled down to.
MOST_ELEMENTS = 1 << 18
# : One more than any usual tile has elements; smaller ones where the reference takes long.
PAST_TILES = (1025, 513, 257, 129)
# : Ops of the reference in one call that are few.
MOST_STEPS = 100_000
# : GPUs for which kernels are also compiled, with what is then pretended.
TARGETS = ("sm_80", "sm_100")
# : So many configurations of autotuners are judged.
MOST_CONFIGURATIONS = 12


def _takes_it_on(given: list[Bits], layouts: list[str], asked: list[list[int]]) -> bool:
    """The program asks for every stride that a layout changes, of each input that has it: it does not count on contiguous inputs."""
    for bits, layout, dims in zip(given, layouts, asked, strict=False):
        rank = len(bits.shape)
        changed = range(rank - 2, rank) if layout == "transposed" else range(rank - 1) if layout == "sliced" else ()
        if not {one for one in changed if bits.shape[one] > 1} <= set(dims) or (layout and rank == 1):
            return False
    return any(layouts)


class Looks:
    """All of them, for one candidate. `inputs`, `histories`, ...: what was done, for the verdict."""

    def __init__(self, sides: Sides, decider: Decider, rng: np.random.Generator) -> None:
        self.sides, self.decider, self.rng = sides, decider, rng
        self.inputs = 0
        self.histories: list[str] = []
        self.shapes: list[dict[str, int]] = []
        self.layouts: list[str] = []
        self.configurations = 1
        self.targets: list[str] = []
        self.schedules = 1
        self.dropped: list[str] = []
        self.refused: list[str] = []
        self.replayed = 0  # launches that the engine executed again

    # ---- one call ----

    def plain(self, loaded: Loaded, given: list[Bits], state: list[Bits], look: Look, how: How | None = None) -> bool:
        """One call of a new model. False: the reference's own result does not count."""
        right = self.sides.expected(loaded, given, state)
        if right is None:
            return False
        calls = self.sides.run(loaded, [("state", state), ("new", given)], how)
        self.inputs += 1
        self.decider.call(look, calls[0], right, given, state)
        return True

    def refusable(self, loaded: Loaded, given: list[Bits], state: list[Bits], look: Look, how: How | None = None) -> bool:
        """A call that the candidate may refuse by an exception."""
        try:
            return self.plain(loaded, given, state, look, how)
        except Raised as raised:
            self.refused.append(f"{look.name}: {raised.type}")
            return False

    # ---- values ----

    def first(self, loaded: Loaded) -> list[Bits]:
        """Draws as the task gives them; returns other parameters for what follows."""
        is_ok = self.plain(loaded, loaded.draw(0), loaded.state, Look(loaded, "first draw"))
        state = [inputs.new_state(name, old, self.rng) for name, old in zip(loaded.names, loaded.state, strict=True)]
        is_ok |= self.plain(loaded, loaded.draw(1), state, Look(loaded, "second draw, other parameters"))
        if not is_ok:
            raise Stopped("ill-conditioned", "the reference's own results are too far from its f64 run")
        return state

    def values(self, loaded: Loaded, state: list[Bits]) -> None:
        """Each class for all tensors, then tensors of different classes."""
        names = list(inputs.CLASSES)
        for name in names:
            given = [inputs.drawn(one, name, self.rng) for one in loaded.domains]
            self.plain(loaded, given, state, Look(loaded, name))
        for _ in range(3 if len(loaded.domains) > 1 else 0):
            picked = [names[int(self.rng.integers(0, len(names)))] for _ in loaded.domains]
            given = [inputs.drawn(one, name, self.rng) for one, name in zip(loaded.domains, picked, strict=True)]
            self.plain(loaded, given, state, Look(loaded, ", ".join(picked)))

    def soft(self, loaded: Loaded, state: list[Bits]) -> None:
        """What all draws share and the reference does not need, dropped one at a time."""
        for i, domain in enumerate(loaded.domains):
            for what, made in inputs.without(domain, self.rng):
                if f"{i}={what}" in self.decider.options.assume or what in self.decider.options.assume:
                    continue
                given = [made if k == i else bits for k, bits in enumerate(loaded.draw(1))]
                if self.plain(loaded, given, state, Look(loaded, f"input {i} is not {what}")):
                    self.dropped.append(f"input {i}: {what}")

    # ---- histories ----

    def all_histories(self, loaded: Loaded, state: list[Bits]) -> None:
        """Several calls of one model; all results are compared at the end."""
        base, other = loaded.draw(0), loaded.draw(2)
        near = [inputs.with_one_changed(bits, domain) for bits, domain in zip(base, loaded.domains, strict=True)]
        one: list[tuple[Any, ...]] = [("state", state), ("new", base)]
        plans: dict[str, Plan] = {
            "x, x again": [*one, ("new", base)],
            "x, other numbers in the same tensors": [*one, ("copy", other)],
            "x, other numbers without a new version": [*one, ("data", other)],
            "x, one element changed": [*one, ("data", near)],
            "x, y, x in new tensors": [*one, ("new", other), ("new", base)],
            "13 calls": [("state", state)] + [("data" if i % 2 else "new", other if i % 3 == 1 else base) for i in range(13)],
            "two models in turns": [("state", state), ("new", base, 0), ("new", other, 1), ("new", base, 0), ("new", other, 1)],
        }
        if state:
            plans["parameters changed between"] = [("state", loaded.state), ("new", base), ("state", state), ("call", base)]
        for name, plan in plans.items():
            self._history(loaded, name, plan, How(models=2 if name == "two models in turns" else 1))

    def _history(self, loaded: Loaded, name: str, plan: Plan, how: How) -> None:
        state, moments = loaded.state, []
        for kind, bits, *_ in plan:
            if kind == "state":
                state = bits
            else:
                moments.append((bits, state))
        known: dict[int, Any] = {}
        rights = []
        for given, now in moments:
            key = hash(tuple(one.data for one in [*given, *now]))
            if key not in known:
                known[key] = self.sides.expected(loaded, given, now)
            rights.append(known[key])
        calls = self.sides.run(loaded, plan, how)
        self.histories.append(name)
        decider = self.decider
        for k, (call, right, (given, now)) in enumerate(zip(calls, rights, moments, strict=True)):
            if right is None:
                continue
            look = Look(loaded, f"{name}, call {k + 1} of {len(calls)}", "state")
            decider.call(look, call, right, given, now)
            if any(
                end.data != one.data and not is_input
                for end, one, is_input in zip(call.ends, call.obtained.outputs, call.facts["is_input"], strict=True)
            ):
                text = f"{look.name}: the result changes after it was returned: its storage is used again, or it comes late"
                decider.reject("state", text, shown=decider.witness(look, text, given, now, call.ends))

    # ---- sizes and layouts ----

    def scaled(self, loaded: Loaded) -> Loaded:
        """The task at sizes of at most MOST_ELEMENTS in all, if the reference has them."""
        sides, sizes = self.sides, dict(loaded.sizes)
        try:
            total, fixed = sides.elements(sizes), set()
            while total > MOST_ELEMENTS:
                names = [name for name in sizes if name not in fixed and sizes[name] > 1]
                if not names:
                    break
                name = max(names, key=lambda one: sizes[one])
                try:
                    now = sides.elements(sizes | {name: max(sizes[name] // 2, 1)})
                except ArithmeticError:
                    now = total
                if now < total:
                    sizes[name], total = max(sizes[name] // 2, 1), now
                else:
                    fixed.add(name)
        except ArithmeticError:
            return loaded
        if sizes == loaded.sizes:
            return loaded
        made = sides.resized(sizes)
        return made if made is not None else loaded

    def sizes(self, loaded: Loaded) -> None:
        """Each integer of the task alone at other sizes; then all of them odd, one, and one of them past a tile."""
        family: list[dict[str, int]] = []
        for name, one in list(loaded.sizes.items())[:6]:
            uneven = one + one // 2 + 2 & ~1  # half of it is no power of two
            family += [loaded.sizes | {name: other} for other in dict.fromkeys((one + 1, one * 2 + 1, 1, uneven)) if other != one]
        odd = {name: one | 1 if one > 2 else one for name, one in loaded.sizes.items()}
        ones = dict.fromkeys(loaded.sizes, 1)
        family += [one for one in (odd, ones) if one not in [*family, loaded.sizes]]
        for sizes in family:
            self._at_sizes(loaded, sizes)
        for name in list(ones)[:6]:  # one element more than whole tiles, of all together too
            for past in PAST_TILES:
                if self._is_quick(loaded, name, past):
                    if ones | {name: past} not in [*family, loaded.sizes]:
                        self._at_sizes(loaded, ones | {name: past})
                    break

    def _is_quick(self, loaded: Loaded, name: str, size: int) -> bool:
        """The reference takes few ops at this size, as far as two smaller ones tell: some loop over elements, or over pairs of them."""
        steps = []
        for one in (8, 16):
            made = self._resized(loaded, dict.fromkeys(loaded.sizes, 1) | {name: one})
            if made is None or self.sides.expected(made, made.draw(0), made.state) is None:
                return True
            steps.append(max(self.sides.reference_steps, 1))
        ratio = max(steps[1] / steps[0], 1.0)
        return steps[1] * ratio ** float(np.log2(size / 16)) <= MOST_STEPS

    def _resized(self, loaded: Loaded, sizes: dict[str, int]) -> Loaded | None:
        try:
            if self.sides.elements(sizes) > MOST_ELEMENTS:
                return None
        except ArithmeticError:
            return None
        return self.sides.resized(sizes, loaded.number)

    def _at_sizes(self, loaded: Loaded, sizes: dict[str, int]) -> None:
        made = self._resized(loaded, sizes)
        if made is None or [one.shape for one in made.draw(0)] == [one.shape for one in loaded.draw(0)]:
            return
        text = ", ".join(f"{name} = {one}" for name, one in sizes.items() if one != loaded.sizes[name])
        look = Look(made, f"with {text}", "shape")
        try:
            self.sides.map_at(made)
        except Raised as raised:
            self.refused.append(f"{look.name}: {raised.type}")
            return
        except Stopped as stopped:  # its parameters keep their sizes
            if stopped.undecided.what != "parameters":
                raise
            self.refused.append(f"{look.name}: {stopped.undecided.why}")
            return
        if self.refusable(made, made.draw(0), made.state, look):
            self.shapes.append(sizes)

    def arrangements(self, loaded: Loaded, state: list[Bits]) -> None:
        """Inputs that are not contiguous."""
        given = loaded.draw(1)
        for layout, least in (("transposed", 2), ("sliced", 1)):
            layouts = [layout if len(one.shape) >= least else "" for one in given]
            if not any(layouts):
                continue
            self.decider.is_noting = self.decider.options.layouts != "strict"
            look, how = Look(loaded, f"{layout} inputs", "layout"), How(layouts=layouts)
            try:
                if self.refusable(loaded, given, state, look, how):
                    self.layouts.append(layout)
            except Noted as noted:
                self.decider.is_noting = False
                if self.decider.options.layouts == "asked" and _takes_it_on(given, layouts, noted.asked):
                    self.refusable(loaded, given, state, look, how)
                self.decider.verdict.notes.append(f"wrong for {noted}")
            finally:
                self.decider.is_noting = False

    # ---- how kernels are compiled and ordered ----

    def machines(self, loaded: Loaded, state: list[Bits]) -> None:
        """Each configuration of autotuners, other GPUs, other orders of programs, and a process that shows nothing of Lockstep."""
        given = loaded.draw(2)
        for number in range(1, min(self.sides.configurations, MOST_CONFIGURATIONS)):
            look = Look(loaded, f"configuration {number}", "configuration")
            self.configurations += self.refusable(loaded, given, state, look, How(options={"config": number}))
        for target in self.decider.options.targets or TARGETS:
            look = Look(loaded, f"as {target}", "configuration")
            if self.refusable(loaded, given, state, look, How(options={"target": target})):
                self.targets.append(target)
        look = Look(loaded, "other orders of programs", "race")
        if self.refusable(loaded, given, state, look, How(options={"schedules": 4, "real": False})):
            self.schedules = 4

    def again_elsewhere(self) -> None:
        """The engine executes the launches of all calls again, in a process of its own."""
        told = self.sides.told
        made = engine.replay(self.sides.candidate.folder, told, 60)
        if made is None:
            self.decider.verdict.notes.append("launches were not executed again: there is no command lockstep, or no answer in time")
            return
        if made.wrong is not None:
            i, kernel = made.wrong
            call = told[i]
            look = Look(call.loaded, "executed again outside of the program's process")
            text = f"{look.name}: {kernel} stores something else than the program's process says"
            self.decider.reject("sniffing", text, shown=self.decider.witness(look, text, call.given, call.state, call.outputs))
        self.replayed = made.launches
        if made.left_out:
            self.decider.verdict.notes.append(f"{made.left_out} of {made.left_out + made.launches} launches were not executed again")
        if made.unfound is not None:
            raise Stopped("host memory", f"call {made.unfound[0] + 1}: {made.unfound[1]}")

    def disguised(self, loaded: Loaded, state: list[Bits]) -> None:
        self.plain(loaded, loaded.draw(1), state, Look(loaded, "where nothing shows Lockstep", "sniffing"), How(disguise=True))
