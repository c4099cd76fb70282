"""What keeps a candidate's process to itself: namespaces, Landlock, seccomp and limits, as far as this kernel gives them.

enter() runs in the process that will load the candidate, before it does. It returns the names of what was had; the verdict lists
them, and `--isolation strict` refuses where one of ALL is missing. Invariant: nothing here can be undone by the process itself."""

from __future__ import annotations

import ctypes
import errno
import importlib.util
import os
import platform
import resource
import struct
import sys
from typing import Any

# : All that is asked for, in the order of trying.
ALL = ("limits", "namespaces", "landlock", "seccomp")
_NEW = {"user": 0x10000000, "mount": 0x00020000, "ipc": 0x08000000, "net": 0x40000000, "pid": 0x20000000}
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
# : x86-64: what looks into or changes other processes, the kernel or mounts, and sockets.
_DENIED = (
    41, 53, 101, 155, 161, 165, 166, 167, 168, 169, 175, 176, 246, 248, 249, 250, 272, 298, 304, 308, 310, 311, 313, 321, 323, 425,
)
_ARCH_X86_64 = 0xC000003E
_READ = 1 | 4 | 8  # execute, read a file, read a folder
_OPEN_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/full")


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def limit(memory: int) -> None:
    """Limits of this process and its children. memory: bytes of addresses beyond those in use."""
    used = 0
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        used = 16 << 30
    for what, most in (
        (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 1 << 28), (resource.RLIMIT_AS, used + memory), (resource.RLIMIT_NOFILE, 1024),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def unshare() -> bool:
    """Own namespaces of users, mounts, processes and the net; those of processes hold for children. Needs a single thread."""
    uid, gid = os.getuid(), os.getgid()
    if not sys.platform.startswith("linux") or _libc().unshare(sum(_NEW.values())) != 0:
        return False
    try:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    except OSError:
        return False
    return True


def packages() -> list[str]:
    """The folders of Triton and torch that this process would import."""
    found = [importlib.util.find_spec(one) for one in ("triton", "torch")]
    return [os.path.dirname(one.origin) for one in found if one is not None and one.origin]


def readable_folders() -> list[str]:
    """What Python, torch, Triton and Lockstep are read from."""
    import lockstep

    own = os.path.dirname(os.path.abspath(lockstep.__file__))
    named = packages() + [os.path.join(own, one) for one in os.listdir(own)]
    staged = os.path.dirname(os.path.realpath(os.path.join(own, "__init__.py")))  # a build's package has links to the tree's files
    found = {os.path.realpath(one) for one in (sys.prefix, sys.base_prefix, own, staged, *named)}
    found |= {os.path.realpath(one) for one in sys.path if one and ("site-packages" in one or "dist-packages" in one)}
    found |= {os.path.realpath(one) for one in ("/usr", "/lib", "/lib64", "/bin", "/etc", "/sys/devices/system/cpu", "/opt")}
    return sorted(one for one in found if os.path.exists(one) and one != "/")


def _allow(libc: Any, rules: int, path: str, access: int) -> None:
    try:
        there = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        access &= ~(8 | 16 | 32 | 64 | 128 | 256 | 512 | 1024 | 2048 | 4096 | 8192) if not os.path.isdir(path) else -1
        rule = ctypes.create_string_buffer(struct.pack("<Qi", access, there))
        libc.syscall(445, rules, 1, rule, 0)
    finally:
        os.close(there)


def landlock(folder: str) -> bool:
    """Only this folder can be written, and only readable_folders() and it can be read."""
    libc = _libc()
    version = libc.syscall(444, None, 0, 1) if sys.platform.startswith("linux") else -1
    if version < 1:
        return False
    every = (1 << 13) - 1 | (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    net, scoped = (3 if version >= 4 else 0), (3 if version >= 6 else 0)
    attributes = struct.pack("<QQQ", every, net, scoped)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    rules = libc.syscall(444, ctypes.create_string_buffer(attributes), len(attributes), 0)
    if rules < 0:
        return False
    for path in readable_folders():
        _allow(libc, rules, path, _READ)
    for path in ("/proc/cpuinfo", "/proc/meminfo", "/proc/self"):
        _allow(libc, rules, os.path.realpath(path), _READ)
    for path in _OPEN_DEVICES:
        _allow(libc, rules, path, 4 | 2)
    _allow(libc, rules, folder, every)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    done = libc.syscall(446, rules, 0) == 0
    os.close(rules)
    return done


def seccomp() -> bool:
    """The calls of _DENIED fail with EPERM; x86-64 alone."""
    if platform.machine() != "x86_64" or not sys.platform.startswith("linux"):
        return False
    jump = struct.Struct("<HBBI")
    code = [jump.pack(0x20, 0, 0, 4), jump.pack(0x15, 1, 0, _ARCH_X86_64), jump.pack(0x06, 0, 0, 0x80000000), jump.pack(0x20, 0, 0, 0)]
    code.append(jump.pack(0x35, len(_DENIED), 0, 0x40000000))  # x32's calls
    code += [jump.pack(0x15, len(_DENIED) - i, 0, number) for i, number in enumerate(_DENIED)]
    code += [jump.pack(0x06, 0, 0, 0x7FFF0000), jump.pack(0x06, 0, 0, 0x00050000 | errno.EPERM)]
    text = ctypes.create_string_buffer(b"".join(code))
    program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(code), ctypes.addressof(text)))
    libc = _libc()
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return bool(libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, program, 0, 0) == 0)
