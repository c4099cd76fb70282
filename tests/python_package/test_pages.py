"""The page from Python, what notebooks show, the magics, and tracebacks without frames of Lockstep."""

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import urllib.error
import urllib.request
from pathlib import Path

import lockstep
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOFTMAX = str(ROOT / "examples/softmax.py")


@pytest.fixture(autouse=True)
def command_of_this_build(monkeypatch):
    from lockstep.notebooks import pages

    monkeypatch.setattr(pages, "find_command", lambda: os.environ["LOCKSTEP_EXECUTABLE"])


def arguments(columns=100):
    x = np.random.default_rng(0).standard_normal((8, columns), np.float32)
    return (x, np.zeros((8, columns), np.float32), columns, columns, 8, columns)


def session_of(page):
    address = page.address.replace("/?token", "/session.json?token")
    return json.loads(urllib.request.urlopen(address, timeout=10).read())


def test_show_opens_the_page_of_a_launch(capsys):
    kernel = lockstep.kernel(SOFTMAX)
    with lockstep.show(kernel, *arguments(), BLOCK=128, grid=(8,), open=False) as page:
        told = session_of(page)
        assert told["title"].endswith("softmax.py::softmax")
        assert told["source"]["text"] == Path(SOFTMAX).read_text()
        assert told["launch"]["args"][1:3] == ["--grid", "8,1,1"]
        assert f"open {page.address}" in capsys.readouterr().out
        shown = page._repr_html_()
        assert f'<iframe src="{page.address}"' in shown
        policy = urllib.request.urlopen(page.address, timeout=10).headers["Content-Security-Policy"]
        assert "frame-ancestors http://localhost:*" in policy
    assert "closed" in repr(page)
    with pytest.raises(urllib.error.URLError):
        session_of(page)


def test_the_words_of_a_launch_are_a_launch(tmp_path):
    """What a page is given runs on the command line, with the bytes of this process."""
    from lockstep.notebooks import pages

    kernel = lockstep.kernel(SOFTMAX)
    x, out, *rest = arguments()
    turned = np.asfortranarray(x)  # strides of its own
    values = dict(zip(kernel.arg_names, (turned, out, *rest, 128), strict=True))
    words = pages.words_of(kernel, values, (8, 1, 1), {"num_warps": 8}, str(tmp_path))
    assert any(word.startswith("x=view(x_storage, offset=0, shape=[8,100], strides=[1,8])") for word in words)
    done = subprocess.run([os.environ["LOCKSTEP_EXECUTABLE"], "run", *words, "--bounds", "storage", "--save", f"out=@{tmp_path}/made.npy"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert np.load(tmp_path / "made.npy").shape == (8, 100)


def test_serve_keeps_the_last_launch_of_a_block():
    kernel = lockstep.kernel(SOFTMAX)
    with lockstep.serve(open=False) as served:
        kernel[(8,)](*arguments(60), BLOCK=64)
        kernel[(7,)](*arguments(), BLOCK=128)
    with served.page as page:
        assert session_of(page)["launch"]["args"][2] == "7,1,1"
    with lockstep.serve(open=False) as served:
        pass
    assert served.page is None


def test_serve_opens_also_where_the_launch_raises():
    kernel = lockstep.kernel(SOFTMAX)
    with pytest.raises(lockstep.OutOfBoundsError), lockstep.serve(open=False) as served:
        kernel[(9,)](*arguments(), BLOCK=128)
    served.page.close()


def folders_of_pages(where):
    return sorted(path.name for path in where.iterdir() if path.name.startswith("lockstep-page-"))


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_launch_that_cannot_be_kept_leaves_the_one_before_whole(temporary):
    """Its first arrays were written before the one that cannot be: the launch that is held must not have them."""
    kernel = lockstep.kernel(SOFTMAX)
    x, out, *rest = arguments()
    with lockstep.serve(open=False) as served, lockstep.options(findings="ignore"):
        kernel[(8,)](x, out, *rest, BLOCK=128)
        kernel[(8,)](np.full_like(x, 7), out[:, ::-1], *rest, BLOCK=128)
    assert len(served.skipped) == 1 and "negative stride" in served.skipped[0]
    (kept,) = temporary.glob("lockstep-page-*/launch-*/x.npy")
    assert np.array_equal(np.load(kept), x)
    served.page.close()
    assert folders_of_pages(temporary) == []


def test_only_the_files_of_the_last_launch_are_kept(temporary):
    kernel = lockstep.kernel(SOFTMAX)
    with lockstep.serve(open=False) as served:
        for _ in range(3):
            kernel[(8,)](*arguments(), BLOCK=128)
    assert len(list(temporary.glob("lockstep-page-*/launch-*"))) == 1
    served.page.close()


@pytest.mark.parametrize("problem", [lockstep.LaunchError("no command"), OSError("no process"), KeyboardInterrupt()])
def test_a_page_that_cannot_be_served_leaves_no_folder(temporary, monkeypatch, problem):
    from lockstep.notebooks import pages

    def find_command():
        raise problem

    monkeypatch.setattr(pages, "find_command", find_command)
    kernel = lockstep.kernel(SOFTMAX)
    with pytest.raises(type(problem)), lockstep.serve(open=False):
        kernel[(8,)](*arguments(), BLOCK=128)
    assert folders_of_pages(temporary) == []


def test_a_server_that_writes_much_goes_on(tmp_path, monkeypatch):
    """More than a pipe holds, on both of its streams, before it does what is asked of it."""
    from lockstep.notebooks import pages

    command = tmp_path / "talker"
    command.write_text(textwrap.dedent(f"""\
        #!{sys.executable}
        import sys, time
        print("open http://127.0.0.1:1/?token=0", flush=True)
        for stream in (sys.stdout, sys.stderr):
            stream.write("much " * 100_000 + "\\n")
            stream.flush()
        open({str(tmp_path / "done")!r}, "w").close()
        time.sleep(60)
    """))
    command.chmod(0o755)
    monkeypatch.setattr(pages, "find_command", lambda: str(command))
    with pages.Page(["nothing"]):
        for _ in range(200):
            if (tmp_path / "done").exists():
                break
            time.sleep(0.05)
        assert (tmp_path / "done").exists()


@pytest.mark.parametrize(("value", "word"), [(np.int64(5), "n=5"), (np.float32(1.5), "n=1.5"), (np.float64(0.1), "n=0.1"), (np.bool_(True), "n=true")])
def test_a_numpy_scalar_is_a_number(tmp_path, value, word):
    from lockstep.notebooks import pages

    assert pages._argument("n", value, str(tmp_path)) == [word]
    assert list(tmp_path.iterdir()) == []


def test_serve_of_words_and_what_is_wrong_with_them():
    with lockstep.serve(SOFTMAX, "--grid", "8", "x=randn:f32[8,100]", open=False) as page:
        assert session_of(page)["launch"]["args"][0] == SOFTMAX
    with pytest.raises(lockstep.LaunchError, match="Lockstep cannot serve the page: .*--nothing"):
        lockstep.serve(SOFTMAX, "--grid", "8", "--nothing", open=False)


def test_a_kernel_of_triton_is_shown_as_a_capsule():
    torch = pytest.importorskip("torch")
    code = """
        import torch, triton, triton.language as tl, lockstep
        from lockstep.notebooks import pages
        @triton.jit
        def double(x, n, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            tl.store(x + i, tl.load(x + i, i < n) * 2, i < n)
        x = torch.arange(4.)
        page = lockstep.show(double, x, 4, BLOCK=4, grid=(1,), open=False)
        print(page.title, x.tolist(), page.address.startswith("http://127.0.0.1"))
        page.close()
    """
    assert torch
    done = run_script(code)
    assert done.stdout.splitlines()[-1] == "double [0.0, 2.0, 4.0, 6.0] True", done.stdout + done.stderr


def run_script(code, **environment):
    """In a folder of its own: what lies beside a script is what it imports."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lockstep_page.py"
        path.write_text(textwrap.dedent(code))
        settings = {**os.environ, "LOCKSTEP": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                    "PATH": str(Path(os.environ["LOCKSTEP_EXECUTABLE"]).parent) + os.pathsep + os.environ["PATH"], **environment}  # fmt: skip
        return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=settings, check=False, timeout=120)


def test_a_call_without_a_grid_says_how():
    with pytest.raises(lockstep.LaunchError, match=r"softmax\[grid\]\(x, out, x_stride, out_stride, rows, columns, BLOCK=BLOCK\)"):
        lockstep.kernel(SOFTMAX)(1)


def test_what_notebooks_show():
    kernel = lockstep.kernel(SOFTMAX)
    with lockstep.coverage() as seen, lockstep.profile() as times:
        report = kernel[(8,)](*arguments(), BLOCK=128)
    assert "<b>softmax</b>[8, 1, 1]" in report._repr_html_()
    assert "no findings" in report._repr_html_()
    assert "softmax" in times._repr_html_() and "tt.reduce" in times._repr_html_()
    assert "softmax.py" in seen._repr_html_()
    with lockstep.options(findings="ignore"):
        wrong = kernel[(9,)](*arguments(), BLOCK=128)
    assert "LS101" in wrong._repr_html_() and "2 errors" in wrong._repr_html_()
    finding = wrong.findings[0]
    assert "LS101" in finding._repr_html_()
    for shown in (report, wrong, times, seen, finding):
        text = shown._repr_html_()
        assert "<script" not in text and text.count("<div") == text.count("</div>")


def test_times_in_notebooks_have_a_unit():
    from lockstep.notebooks import html_views

    said = [html_views.duration(seconds) for seconds in (2.59e-05, 0.0, 3.2e-9, 1e-3, 0.0512, 1.0, 75.25)]
    assert said == ["25.9 us", "0 ns", "3.2 ns", "1 ms", "51.2 ms", "1 s", "75.2 s"]


def test_texts_are_escaped_in_notebooks():
    from lockstep.notebooks import html_views

    class Hostile:
        code, tier, message, file, line, text = "LS101", "error", "<script>alert(1)</script>", "<b>", 1, "</pre><i>"

    shown = html_views.finding(Hostile())
    assert "<script>" not in shown and "<b>" not in shown and "</pre><i>" not in shown


def test_a_tile_as_a_heat_map():
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    wanted = values.copy()
    wanted[1, 2] = np.nan
    view = lockstep.tile(values, expect=wanted, name="out")
    assert view.wrong == {(1, 2)}
    assert ", 1 of 12 elements differ" in repr(view)
    shown = view._repr_html_()
    assert shown.count("<td") == 12 and shown.count("outline:2px solid") == 1
    assert lockstep.tile(values, expect=values).wrong == set()
    assert len(lockstep.tile(np.zeros(100)).values) == 4  # rows of 32
    with pytest.raises(ValueError, match="another shape"):
        lockstep.tile(values, expect=values[:2])


FAULT = f"""
    import numpy as np, lockstep
    kernel = lockstep.kernel({SOFTMAX!r})
    kernel[(9,)](np.zeros((8, 100), "f4"), np.zeros((8, 100), "f4"), 100, 100, 8, 100, BLOCK=128)
"""


def test_tracebacks_have_no_frames_of_lockstep():
    files = re.findall(r'File "([^"]+)", line', run_script(FAULT).stderr)
    assert [Path(name).name.split("_")[0] for name in files] == ["lockstep", "softmax.py"]  # the script, the kernel
    whole = re.findall(r'File "([^"]+)", line', run_script(FAULT, LOCKSTEP_TRACEBACK="full").stderr)
    assert any(name.endswith("standalone.py") for name in whole)


RACE_BESIDE_AN_ERROR = """
    import torch, triton, triton.language as tl, lockstep
    @triton.jit
    def ends(x, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * 4 + tl.arange(0, BLOCK)
        tl.store(x + i, tl.program_id(0){more})
    ends[(3,)](torch.zeros(12, dtype=torch.int32), 12, BLOCK=8)
"""


def test_an_error_tells_of_its_launch_s_warnings():
    """A race of lanes that are out of their rows is no news of its own, and a warning before the error reads as one."""
    done = run_script(RACE_BESIDE_AN_ERROR.format(more=""))
    assert "FindingWarning" not in done.stderr and "warning:" not in done.stderr, done.stderr
    assert "OutOfBoundsError" in done.stderr
    assert "beside it 1 warning, which may follow from it: LS301 in line 6" in done.stderr, done.stderr


def test_a_warning_ends_with_its_own_text():
    """Python adds the line of the source once more, below the hint."""
    done = run_script(RACE_BESIDE_AN_ERROR.format(more=", mask=i < n"))
    assert "warning:" in done.stderr and "[LS301]" in done.stderr, done.stderr
    assert done.stderr.splitlines()[-1].startswith("hint: "), done.stderr


def test_tracebacks_of_other_errors_are_left_alone():
    done = run_script("import lockstep\nlockstep.get_options()\nraise ValueError('mine')")
    assert "ValueError: mine" in done.stderr and "raise ValueError" in done.stderr


def test_tracebacks_and_magics_in_ipython():
    pytest.importorskip("IPython")
    code = f"""
        from IPython.core.interactiveshell import InteractiveShell
        shell = InteractiveShell.instance()
        shell.run_line_magic("colors", "NoColor")
        shell.run_cell("%load_ext lockstep")
        shell.run_cell("import numpy as np, lockstep; kernel = lockstep.kernel({SOFTMAX!r}); x = np.zeros((8, 100), 'f4')")
        shell.run_cell("kernel[(9,)](x, x.copy(), 100, 100, 8, 100, BLOCK=128)")
        shell.run_cell("kernel[(9,)](x, x.copy(), 100, 100, 8, 100, BLOCK=100)")
        print("=====")
        shell.run_cell("%%lockstep --check all --cover\\nreport = kernel[(8,)](x, x.copy(), 100, 100, 8, 100, BLOCK=128)")
        shell.run_cell("print(report.kernel)")
        shell.run_cell("%lockstep explain LS101")
        shell.run_cell("%%lockstep --nonsense\\npass")
    """
    done = run_script(code)
    before, _, after = done.stdout.partition("=====")
    assert "OutOfBoundsError" in before and "value = tl.load" in before
    assert "CompileError" in before and "power of two" in before, before
    assert "standalone.py" not in before and "report.py" not in before
    assert "contextlib" not in before and "gen.throw" not in before
    assert "softmax: completed, 0 findings" in after
    assert "# LS101: out-of-bounds access" in after
    assert "%%lockstep has no option '--nonsense'" in after


def test_a_cell_that_fails_under_the_magic_fails():
    """What runs all cells of a notebook stops there; the error is shown once, as the text itself shows it."""
    pytest.importorskip("IPython")
    done = run_script(f"""
        from IPython.core.interactiveshell import InteractiveShell
        shell = InteractiveShell.instance()
        shell.run_line_magic("colors", "NoColor")
        shell.run_cell("%load_ext lockstep")
        shell.run_cell("import numpy as np, lockstep; kernel = lockstep.kernel({SOFTMAX!r}); x = np.zeros((8, 100), 'f4')")
        def failed(text):
            print("=====")
            result = shell.run_cell(text)
            print("failed:", type(result.error_in_exec).__name__)
        failed("%%lockstep\\n1/0")
        failed("%%lockstep\\nif")
        failed("%%lockstep\\nkernel[(9,)](x, x.copy(), 100, 100, 8, 100, BLOCK=128)")
        failed("%%lockstep --profile --cover\\nkernel[(8,)](x, x.copy(), 100, 100, 8, 100, BLOCK=128)")
    """)
    zero, syntax, fault, fine = done.stdout.split("=====\n")[1:]
    assert "failed: ZeroDivisionError" in zero and zero.count("division by zero") == 1 and "----> 1 1/0" in zero, done.stdout
    assert "no launch" not in zero and "magics.py" not in zero and "run_cell_magic" not in zero
    assert "failed: SyntaxError" in syntax and syntax.count("SyntaxError:") == 1, syntax
    assert "failed: OutOfBoundsError" in fault and fault.count("out-of-bounds read") == 1, fault
    assert "magics.py" not in fault and "----> 1 kernel[(9,)]" in fault
    assert "failed: NoneType" in fine and "object at 0x" not in fine, fine
    assert fine.count("completed, 0 findings") == 1, fine
    assert "tt.reduce" in fine and "mask outcomes" in fine, fine


def test_tracebacks_in_pytest(tmp_path):
    (tmp_path / "test_it.py").write_text(textwrap.dedent(f"""
        def test_it():
            {FAULT.strip().replace(chr(10) + "    ", chr(10) + "            ")}
    """))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
                          capture_output=True, text=True, check=False, timeout=120,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})  # fmt: skip
    assert done.returncode == 1
    assert "softmax.py:15: OutOfBoundsError" in done.stdout, done.stdout
    assert "standalone.py" not in done.stdout
