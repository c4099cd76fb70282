"""Notebooks: kernels defined in cells, the pretence begun in a cell, output in the cell, errors with the cell's line.

One real run through nbclient and ipykernel where they are installed, and one of IPython's shell."""

import os
import pathlib
import re

import lockstep
import pytest

# As in Colab: torch and Triton are imported before Lockstep.
CELLS = [
    "import torch, triton\nimport triton.language as tl",
    "import lockstep\npretence = lockstep.pretend_cuda()\nprint(pretence)",
    """
@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n)
    tl.device_print("value", value)
    tl.store(x + i, value * 2, i < n)
""",
    "x = torch.arange(4., device='cuda')\ndouble[(1,)](x, 4, BLOCK=4)\nx",
    """
@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) * 3)
""",
    "double[(1,)](x, 4, BLOCK=4)\nx",
    "double[(1,)](torch.ones(3, device='cuda'), 3, BLOCK=256)",
    "pretence.undo()\nprint(x, torch.cuda.is_available())",
]
FAULTY = 6
ROOT = pathlib.Path(__file__).resolve().parents[2]


def outputs(cell):
    texts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        elif output.output_type == "error":
            texts.append(re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.traceback)))
        else:
            texts.append(output.data["text/plain"])
    return "".join(texts)


def check(results):
    assert results[1].strip() == "<lockstep.pretend_cuda(): in force>"
    assert "value" in results[3] and "tensor([0., 2., 4., 6.], device='cuda:0')" in results[3]
    assert results[5].strip() == "tensor([ 0.,  6., 12., 18.], device='cuda:0')"
    assert re.search(r":4:\d+: error: out-of-bounds read: x\[3..255\].*LS101", results[FAULTY])
    assert results[7].strip() == "tensor([ 0.,  6., 12., 18.]) False"


def test_a_notebook(tmp_path, monkeypatch):
    notebook = run_notebook(tmp_path, monkeypatch, [text.strip("\n") for text in CELLS], allow_errors=True)
    check([outputs(cell) for cell in notebook.cells])


def run_notebook(tmp_path, monkeypatch, cells, **options):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    package = str(pathlib.Path(lockstep.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([package, os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}, **options).execute()
    return notebook


def test_a_page_is_shown_once_in_a_cell(tmp_path, monkeypatch):
    kernel = f"kernel = lockstep.kernel({str(ROOT / 'examples/softmax.py')!r})"
    shown = "lockstep.show(kernel, x, x.copy(), 100, 100, 8, 100, BLOCK=128, grid=(8,)"
    cells = [f"import lockstep, numpy as np\n{kernel}\nx = np.zeros((8, 100), 'f4')", f"{shown})", f"page = {shown})", "page", f"page = {shown}, open=False)\n1", "page.close()"]
    notebook = run_notebook(tmp_path, monkeypatch, cells)
    frames = [[one for one in cell.outputs if "<iframe" in one.get("data", {}).get("text/html", "")] for cell in notebook.cells]
    assert [len(one) for one in frames] == [0, 1, 1, 1, 0, 0]
    assert frames[2][0]["data"]["text/html"] == frames[3][0]["data"]["text/html"]


def test_cells_without_jupyter(capsys):
    """What a notebook does to Triton: a cell's text is in linecache alone, under a name that is no file."""
    import linecache

    namespace = {"__name__": "__main__"}
    results = []
    for number, text in enumerate(CELLS):
        name, text = f"<ipython-input-{number}>", text.strip("\n")
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        *statements, last = text.splitlines() if not text.startswith("@") else [text, ""]
        is_value = re.fullmatch(r"x|double\[.*", last) is not None
        try:
            exec(compile("\n".join(statements if is_value else [text]), name, "exec"), namespace)  # noqa: S102
            value = eval(last, namespace) if is_value else None
            shown = repr(value) if last == "x" else ""
        except lockstep.LockstepError as error:
            shown = str(error)
        results.append(capsys.readouterr().out + shown)
    check(results)
