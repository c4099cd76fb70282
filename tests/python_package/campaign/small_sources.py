"""References and a source of the campaigns' tests."""

import os
import signal
import time

import numpy as np


def scale(x, FACTOR, **_):
    return {"out": x.astype(np.float64) * FACTOR}


def scale_wrongly(x, FACTOR, **_):
    return {"out": x.astype(np.float64) * FACTOR + (x.size > 50)}


def two_more(a, **_):
    return {"b": a.astype(np.float64) + 2}  # the kernel adds 1


def crash(**_):
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(**_):
    time.sleep(3600)


def eat_memory(**_):
    return {"out": np.ones(1 << 40, np.uint8)}


def leave(**_):
    raise SystemExit(3)


def crash_for_seven(x, n, **_):
    if n == 7:
        crash()
    return {"out": x.astype(np.float64) * 2}


def hang_for_seven(x, n, **_):
    if n == 7:
        hang()
    return {"out": x.astype(np.float64) * 2}


def print_and_fail(n, **_):
    print(f"n is {n}")
    raise RuntimeError("as asked")


def slow(x, **_):
    time.sleep(0.2)
    return {"out": x.astype(np.float64) * 2}


def crash_and_differ(x, n, **_):
    time.sleep(0.01)
    if n == 7:
        crash()
    return {"out": x.astype(np.float64) * 2 + (n in (3, 5))}


def slow_scale(x, FACTOR, **_):
    time.sleep(0.05)
    return scale(x, FACTOR)


def softmax(x, **_):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return {"out": e / e.sum(axis=1, keepdims=True)}
