"""Findings name the kernel's file of now, also where Triton's disk cache has the kernel from another folder."""

import importlib.util
import json
import os
import shutil
import sys
import zipfile

import lockstep
import pytest
import torch
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)
from lockstep import places

HELPER = """
import triton, triton.language as tl

@triton.jit
def stored(out, n):
    tl.store(out + n, 1.0)
"""
KERNEL = """
import triton
from {helper} import stored

@triton.jit
def beyond(out, n):
    stored(out, n)
"""


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def places_of_fault(folder, helper):
    load(folder / f"{helper}.py")
    module = load(folder / "kernel_of_places.py")
    with pytest.raises(lockstep.OutOfBoundsError) as caught:
        module.beyond[(1,)](torch.zeros(4), 100)
    finding = caught.value.finding
    return [finding.file, *(file for _, file, _ in finding.notes)]


def test_a_copied_kernel_is_blamed_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    first, second = tmp_path / "first", tmp_path / 'se"cond é'
    first.mkdir()
    helper = "helper_of_places"
    (first / f"{helper}.py").write_text(HELPER)
    (first / "kernel_of_places.py").write_text(KERNEL.format(helper=helper))
    before = places_of_fault(first, helper)
    assert str(first / f"{helper}.py") in before
    shutil.move(first, second)
    after = places_of_fault(second, helper)
    assert after == [name.replace(str(first), str(second)) for name in before]


def test_a_capsule_holds_the_source_that_is_there_now(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    helper = "helper_of_capsules"
    (first / f"{helper}.py").write_text(HELPER)
    (first / "kernel_of_places.py").write_text(KERNEL.format(helper=helper))
    for folder in (first, second):
        load(folder / f"{helper}.py")
        module = load(folder / "kernel_of_places.py")
        with lockstep.record(tmp_path / f"{folder.name}.capsule"):
            module.beyond[(1,)](torch.zeros(4), 3)
        with zipfile.ZipFile(tmp_path / f"{folder.name}.capsule") as archive:
            told = json.loads(archive.read("manifest.json"))
        assert {one["path"] for one in told["sources"]} == {str(path) for path in folder.glob("*.py")}
        if folder is first:
            shutil.move(first, second)


def test_only_location_lines_change():
    text = b'#loc = loc("/old/k.py":3:0)\ntt.print "/old/k.py" loc(#loc1)\n#loc1 = loc("/old/k.py":4:1)\n#loc2 = loc("x"(#loc1))\n'
    new = places.brought_up_to_date(text, "/new/k.py")
    assert new == text.replace(b'loc("/old', b'loc("/new')
    assert places.brought_up_to_date(new, "/new/k.py") is new
    assert places.brought_up_to_date(b"module {}", "/new/k.py") == b"module {}"


@pytest.mark.parametrize("path", ["/a b/c.py", '/q"uote\\back.py', "/äöü/日本.py", "<string>", "/tab\t.py"])
def test_names_are_written_as_mlir_writes_them(path):
    assert places.unquoted(places.quoted(path)) == path
    assert os.fsdecode(places.quoted(path)).isascii()
