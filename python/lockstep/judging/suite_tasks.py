"""Tasks that are tests: files of pytest; folders of GPU MODE whose check_implementation is the judge; operators of torch with the inputs
that torch tests them with (BackendBench). The last two are tests that are written here."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import os
import re
import shlex
import sys
from typing import Any

from lockstep.judging import JudgeError
from lockstep.judging.tasks import Task, read

_CHECK = '''"""The tests of this folder: what check_implementation says of custom_kernel's result."""
import copy

import pytest
from reference import check_implementation, generate_input
from submission import custom_kernel

TESTS = {tests!r}


@pytest.mark.parametrize("arguments", TESTS)
def test_submission(arguments):
    data = generate_input(**arguments)
    told = check_implementation(data, custom_kernel(copy.deepcopy(data)))
    is_right, message = told if isinstance(told, tuple) else (told if isinstance(told, bool) else not told, told)
    assert is_right, message
'''
_OPERATOR = '''"""Samples of an operator, as torch tests it, with the operator's own result."""
import itertools

import pytest
import torch
from implementation import {name}_kernel_impl
from torch.testing._internal.common_methods_invocations import op_db

CASES = []
for op in op_db:
    if {name!r} not in (op.aten_name, op.name) or op.variant_test_name:
        continue
    for dtype in (torch.float32, torch.bfloat16, torch.int64):
        if not op.supports_dtype(dtype, "cpu"):
            continue
        torch.manual_seed(7)
        some = itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), {most})
        CASES += [pytest.param(op, one, id=f"{{dtype}}-{{i}}".removeprefix("torch.")) for i, one in enumerate(some)]


def moved(value):
    if torch.is_tensor(value):
        return value.clone().cuda()
    return type(value)(moved(one) for one in value) if type(value) in (list, tuple) else value


@pytest.mark.parametrize("op, sample", CASES)
def test_operator(op, sample):
    expected = op(sample.input, *sample.args, **sample.kwargs)
    got = {name}_kernel_impl(moved(sample.input), *moved(sample.args), **{{key: moved(one) for key, one in sample.kwargs.items()}})
    torch.testing.assert_close(got.cpu(), expected, equal_nan=True)
'''
# : Samples of an operator for each type.
MOST_SAMPLES = 10


def _made(name: str, path: str, text: str, module: str, file: str, more: dict[str, Any]) -> Task:
    described = {"kind": "tests", "words": [file], "folder": os.path.dirname(path), "module": module, "text": text, **more}
    return Task(name, path, text, described, {"kind": "module", "name": module})


def of_check(folder: str, text: str, tests: list[dict[str, Any]]) -> Task:
    """A folder of GPU MODE whose check_implementation decides."""
    files = [one for one in sorted(os.listdir(folder)) if one.endswith(".py")]
    made = _made(
        folder, os.path.join(os.path.abspath(folder), "test_submission.py"), _CHECK.format(tests=tests), "submission", "test_submission.py",
        {"is_oracle": True, "files": {one: read(os.path.join(folder, one)) for one in files if one != "submission.py"}})
    made.described["files"]["reference.py"] = text
    return made


def of_operator(reference: str) -> Task:
    """aten::NAME; a candidate has NAME_kernel_impl, or NAME."""
    name = reference.removeprefix("aten::").partition(".")[0]
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise JudgeError(f"{reference!r} is not an operator: aten::NAME", 2)
    text = _OPERATOR.format(name=name, most=MOST_SAMPLES)
    return _made(reference, os.path.abspath(f"test_{name}.py"), text, "implementation", f"test_{name}.py", {"files": {}})


def is_suite(reference: str) -> bool:
    """A command line of pytest, or a file that pytest takes by its name."""
    name = os.path.basename(reference.partition("=")[0].partition("::")[0])
    return reference.startswith(("pytest ", "python -m pytest ")) or bool(re.fullmatch(r"test_\w+\.py|\w+_test\.py", name))


def of_tests(reference: str) -> Task:
    """Tests: a file, FILE::TEST, or a command line of pytest with one file; FILE.py=MODULE names what they import."""
    words = shlex.split(reference)
    words = words[3:] if words[:3] == ["python", "-m", "pytest"] else words[1:] if words[:1] == ["pytest"] else words
    files = [i for i, one in enumerate(words) if one.partition("=")[0].partition("::")[0].endswith(".py")]
    if len(files) != 1:
        raise JudgeError(f"{reference!r}: name one file of tests", 2)
    file, _, module = words[files[0]].partition("=")
    path = os.path.abspath(file.partition("::")[0])
    text = read(path)
    words[files[0]] = path + file[len(file.partition("::")[0]) :]
    module = module or _tested(text, path)
    described = {"kind": "tests", "words": words, "folder": os.path.dirname(path), "module": module}
    return Task(reference, path, text, described, {"kind": "module", "name": module})


def _tested(text: str, path: str) -> str:
    """The module that the tests import and that is not installed."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise JudgeError(f"{path} cannot be read: {error}", 2) from error
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= dict.fromkeys(one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found[node.module] = None
    lacking = [one for one in found if "." not in one and not _is_installed(one)]
    if len(lacking) != 1:
        what = "no module that is not installed" if not lacking else f"{', '.join(lacking)}, which are not installed"
        raise JudgeError(f"{path} imports {what}: name the one that is judged, {os.path.basename(path)}=MODULE", 2)
    return lacking[0]


def _is_installed(name: str) -> bool:
    """Of Python, of a folder of packages, or what runs the tests; a file that lies about in a folder of sys.path is not."""
    if name in sys.stdlib_module_names or name in ("lockstep", "triton", "torch", "pytest", "numpy"):
        return True
    with contextlib.suppress(ValueError, ImportError):
        found = importlib.util.find_spec(name)
        return found is not None and any(one in str(found.origin) for one in ("site-packages", "dist-packages"))
    return False
