#!/usr/bin/env python3
"""Plants faults of asynchrony in small TTGIR kernels, one a copy, and counts those that Lockstep finds.

planted_async.py LOCKSTEP [--every N] [--orders late,early,random:3]: the kernels are samples of 3.6/ whose launches launches.json has. A
fault drops a wait, an arrival, an expectation, a fence or a commit, or changes a count, a parity, bytes, or how many operations a wait
leaves. The kernel itself is the silent twin. A fault that changes nothing is in HARMLESS, with its reason, and must be silent, too.
--every N: every N-th fault only. Exits 1 if a fault is not found in some order, or a twin or a harmless change is not silent."""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from run_launches import bind

HERE = pathlib.Path(__file__).parent
KERNELS = ["cp_async.signalled", "tma.doubled", "tma.column_sums", "tma.persistent", "wgmma.two_products", "mma_v2.matmul",
           "warp_specialize.matmul", "tcgen05.matmul", "tcgen05.three_roles"]
CODES = re.compile(r"(?:error|warning): .*\[(LS4[12]\d|LS901|LS201)\]")


def dropped(pattern):
    return lambda line: [] if re.match(rf"\s*ttng\.{pattern}\b", line) else None


def changed(pattern, change):
    """The last group of the pattern becomes change(number)."""

    def mutate(line):
        found = re.search(pattern, line)
        if not found:
            return None
        return [line[: found.start(1)] + str(change(int(found.group(1)))) + line[found.end(1) :]]

    return mutate


def other_parity(line):
    found = re.match(r"(\s*)ttng\.wait_barrier %\w+, (%\w+)", line)
    if not found:
        return None
    blank, parity = found.groups()
    return [f"{blank}%planted_one = arith.constant 1 : i32", f"{blank}%planted = arith.xori {parity}, %planted_one : i32",
            line[: found.start(2)] + "%planted" + line[found.end(2) :]]


FAULTS = {
    "no wait": dropped("wait_barrier"),
    "no arrival": dropped("arrive_barrier"),
    "no expectation": dropped("barrier_expect"),
    "no fence": dropped("fence_async_shared"),
    "no wait for stores": dropped("async_tma_store_wait"),
    "no commit": dropped("tc_gen5_commit"),
    "no init": dropped("init_barrier"),
    "no signal of copies": dropped("async_copy_mbarrier_arrive"),
    "other parity": other_parity,
    "more arrivals awaited": changed(r"ttng\.init_barrier %\w+, (\d+)", lambda n: n + 1),
    "more arrivals": changed(r"ttng\.arrive_barrier %\w+, (\d+)", lambda n: n + 1),
    "twice the bytes": changed(r"ttng\.barrier_expect %\w+, (\d+)", lambda n: 2 * n),
    "half the bytes": changed(r"ttng\.barrier_expect %\w+, (\d+)", lambda n: n // 2),
    "a store left": changed(r"ttng\.async_tma_store_wait \{pendings = (\d+)", lambda n: n + 1),
    "a copy left": changed(r"ttg\.async_wait .*num = (\d+)", lambda n: n + 1),
    "a product left": changed(r"ttng\.warp_group_dot_wait .*pendings = (\d+)", lambda n: n + 1),
}
# Between two accesses of one group Triton 3.7 puts the fence itself; --proxy-fences all asks for it.
WORDS = {"no fence": ["--proxy-fences", "all"]}
# (kernel, fault, number of the line among those that the fault fits): why the change changes nothing.
HARMLESS = {}


def mutants(text):
    """(fault, number, text)"""
    lines = text.splitlines()
    for fault, mutate in FAULTS.items():
        number = 0
        for at, line in enumerate(lines):
            new = mutate(line)
            if new is None:
                continue
            yield fault, number, "\n".join(lines[:at] + new + lines[at + 1 :]) + "\n"
            number += 1


def codes(lockstep, launch, path, order, more=()):
    words, _ = bind(launch, path.read_text())
    target = re.search(r'cuda:(\d+)', path.read_text()).group(1)
    name, _, seed = order.partition(":")
    command = [lockstep, "run", str(path), "--grid", ",".join(map(str, launch["grid"])), "--as", f"sm_{target}", *words, *more, "--async-order", name]
    done = subprocess.run(command + (["--async-seed", seed] if seed else []), capture_output=True, text=True, timeout=120)
    text = done.stdout + done.stderr
    if done.returncode not in (0, 1):
        sys.exit(f"{path.name}: exit code {done.returncode}: {text[:800]}")
    return sorted(set(CODES.findall(text)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--orders", default="late,early")
    parser.add_argument("--show", action="store_true", help="print every fault and what is found")
    asked = parser.parse_args()
    orders = asked.orders.split(",")
    launches = {one["name"]: one for one in json.loads((HERE / "launches.json").read_text())["launches"]}
    failed, planted, by_code = [], 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for kernel in KERNELS:
            sample = next((HERE / "3.6").glob(f"{kernel}.sm*.ttgir"), None)
            if sample is None or kernel not in launches:
                sys.exit(f"no sample or launch of {kernel}")
            for order in orders:
                for more in ([], ["--proxy-fences", "all"]):
                    if found := codes(asked.lockstep, launches[kernel], sample, order, more):
                        failed.append(f"twin: {kernel}, {order}: {found}")
            for i, (fault, number, text) in enumerate(mutants(sample.read_text())):
                if i % asked.every:
                    continue
                path = pathlib.Path(folder) / f"{kernel}.{fault.replace(' ', '_')}.{number}.ttgir"
                path.write_text(text)
                found = {order: codes(asked.lockstep, launches[kernel], path, order, WORDS.get(fault, [])) for order in orders}
                if asked.show:
                    print(f"{kernel}: {fault} {number}: {found}")
                reason = HARMLESS.get((kernel, fault, number))
                planted += reason is None
                for order, codes_of_order in found.items():
                    if (reason is None) == (not codes_of_order):
                        failed.append(f"{'missed' if reason is None else 'not silent'}: {kernel}: {fault} {number}, {order}: {codes_of_order}")
                    by_code.update(codes_of_order)
    print(f"{planted} faults in {len(KERNELS)} kernels, orders {', '.join(orders)}: {len(failed)} failures")
    print("  " + ", ".join(f"{code} {count}" for code, count in sorted(by_code.items())))
    print("\n".join(failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
