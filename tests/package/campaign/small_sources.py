"""References and a source of the campaigns' tests."""

import os
import signal
import time

import numpy as np


def scale(x, FACTOR, **_):
    return {"out": x.astype(np.float64) * FACTOR}


def scale_wrongly(x, FACTOR, **_):
    return {"out": x.astype(np.float64) * FACTOR + (x.size > 50)}


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
