"""python -m lockstep: programs run as plain Python runs them, on Lockstep, with the processes that they start."""

import os
import pathlib
import subprocess
import sys
import textwrap
import zipfile

import lockstep
import pytest

KERNEL = """
    import torch, triton, triton.language as tl

    @triton.jit
    def add_one(x, n, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        tl.store(x + i, tl.load(x + i, i < n) + 1, i < n)
"""
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "python"


def run(*words, cwd=None, text=None, **variables):
    package = str(pathlib.Path(lockstep.__file__).parents[1])
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("LOCKSTEP", "TRITON_INTER"))
    }
    environment["PYTHONPATH"] = os.pathsep.join([package, environment.get("PYTHONPATH", "")])
    environment["PYTHONWARNINGS"] = "ignore"
    environment.update(variables)
    return subprocess.run([sys.executable, "-m", "lockstep", *map(str, words)], check=False, capture_output=True,
                          text=True, cwd=cwd, env=environment, timeout=240, input=text)  # fmt: skip


@pytest.fixture
def script(tmp_path):
    def write(text, name="program.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return path

    return write


def test_help_and_mistakes():
    done = run("--help")
    assert done.returncode == 0 and "--as TARGET" in done.stdout
    assert lockstep.__version__ in run("--version").stdout
    for words, text in ((["--nonsense", "x.py"], "unknown option --nonsense"), ([], "no program given"),
                        (["--as"], "--as needs a value"), (["/no/such.py"], "can't open file '/no/such.py'"),
                        (["-m", "no_such_module_x"], "No module named no_such_module_x"),
                        (["--bounds", "loose", "x.py"], "--bounds must be")):  # fmt: skip
        done = run(*words)
        assert done.returncode == 2 and text in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_a_program_is_main_as_in_plain_python(script):
    path = script("""
        import sys, inspect
        assert __name__ == "__main__" and sys.modules["__main__"].__dict__ is globals() and __spec__ is None
        print(sys.argv, sys.path[0] == __file__.rpartition("/")[0], "torch" in sys.modules)
        sys.exit(7)
    """)
    done = run("--threads", "1", path, "--as", "a b")
    assert done.returncode == 7 and done.stderr == ""
    assert done.stdout == f"{[str(path), '--as', 'a b']} True False\n"


def test_tracebacks_show_the_program_only(script):
    path = script("""
        def fail():
            raise ValueError("boo")
        fail()
    """)
    done = run(path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[:2] == [
        "Traceback (most recent call last):",
        f'  File "{path}", line 4, in <module>',
    ]
    assert done.stderr.endswith("ValueError: boo\n") and "lockstep" not in done.stderr.replace(str(path), "")
    done = run(script("def f(:\n", "broken.py"))
    assert done.returncode == 1 and "SyntaxError" in done.stderr and "lockstep/__main__" not in done.stderr


def test_modules_and_code(tmp_path, script):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "other.py").write_text("VALUE = 5\n")
    (tmp_path / "pack" / "__main__.py").write_text(
        "import sys\nfrom .other import VALUE\nprint(VALUE, sys.argv[1:], __package__)\n"
    )
    assert run("-m", "pack", "x", cwd=tmp_path).stdout == "5 ['x'] pack\n"
    assert run("-m", "pack.__main__", cwd=tmp_path).stdout == "5 [] pack\n"
    code = (
        textwrap.dedent(KERNEL)
        + "x = torch.ones(5, device='cuda')\nadd_one[(1,)](x, 5, BLOCK=8)\nprint(x)\nimport sys; print(sys.argv)"
    )
    done = run("-c", code, "one")
    assert done.stdout == "tensor([2., 2., 2., 2., 2.], device='cuda:0')\n['-c', 'one']\n", done.stderr


def test_a_finding_is_an_exception_with_the_kernels_line(script):
    path = script(KERNEL + """
    x = torch.zeros(8, device="cuda")
    add_one[(1,)](x, 100, BLOCK=128)
    """)  # fmt: skip
    done = run(path, TRITON_INTERPRET="1")
    assert done.returncode == 1 and "LS101" in done.stderr and "tl.store(x + i" in done.stderr, done.stderr
    assert "TRITON_INTERPRET is ignored" in done.stderr
    done = run("--findings", "ignore", path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_program_that_launches_nothing_is_told_so(script):
    """A main() that was never called looks like a clean run otherwise."""
    for text in ("print(1)", "import sys\nprint(1)\nsys.exit(0)"):
        done = run(script(text))
        assert (done.returncode, done.stdout) == (0, "1\n")
        assert done.stderr == "lockstep: no kernel was launched in this process; the program did not import triton\n"
    done = run(script(KERNEL))
    assert (done.returncode, done.stderr) == (0, "lockstep: no kernel was launched in this process\n")
    assert "no kernel" not in run(script("raise SystemExit(3)")).stderr


@pytest.mark.campaign
def test_options_reach_the_program_and_its_children(script):
    path = script("""
        import multiprocessing, subprocess, sys
        import torch

        def child(queue):
            queue.put((torch.ones(1, device="cuda").device.type, torch.cuda.get_device_capability()))

        if __name__ == "__main__":
            import lockstep
            print(torch.cuda.get_device_name(), lockstep.get_options().threads, lockstep.get_options().rollback)
            for kind in ("spawn", "fork"):
                context = multiprocessing.get_context(kind)
                queue = context.Queue()
                process = context.Process(target=child, args=(queue,))
                process.start()
                print(queue.get())
                process.join()
            sys.stdout.flush()
            code = "import torch; print(torch.zeros(1, device='cuda').device)"
            subprocess.run([sys.executable, "-c", code], check=True)
    """)
    done = run("--as=sm_80", "--threads", "1", "--rollback", path)
    assert done.stdout.splitlines() == [
        "NVIDIA A100-SXM4-80GB 1 True",
        "('cuda', (8, 0))",
        "('cuda', (8, 0))",
        "cuda:0",
    ], done.stderr


@pytest.mark.campaign
def test_without_the_pretence_only_kernels_run_here(script):
    path = script(KERNEL + """
    assert not torch.cuda.is_available()
    x = torch.zeros(8)
    add_one[(1,)](x, 8, BLOCK=8)
    print(x.sum().item())
    """)  # fmt: skip
    done = run("--no-pretend", path)
    assert done.stdout == "8.0\n", done.stderr


OFTEN = ["vector_add"]
RARELY = ["softmax", "matmul", "dropout", "layer_norm", "attention"]


@pytest.mark.parametrize("name", OFTEN + [pytest.param(name, marks=pytest.mark.campaign) for name in RARELY])
def test_tutorials(name):
    done = run(EXAMPLES / f"{name}.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_every_example_is_tested():
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted(OFTEN + RARELY)


def test_a_folder_an_archive_and_standard_input(tmp_path):
    program = textwrap.dedent(KERNEL) + "\nimport sys, beside\nprint(__name__, sys.argv[1:])\n"
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "__main__.py").write_text(program)
    (folder / "beside.py").write_text("")
    assert run(folder, "a").stdout == "__main__ ['a']\n"
    archive = tmp_path / "program.pyz"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(folder / "__main__.py", "__main__.py")
        file.write(folder / "beside.py", "beside.py")
    assert run(archive, "b").stdout == "__main__ ['b']\n"
    lines = "\nx = torch.zeros(3, device='cuda')\nadd_one[(1,)](x, 3, 4)\nprint(x.sum().item())\n"
    launched = run("-", "c", text=textwrap.dedent(KERNEL) + lines)
    assert launched.stdout == "3.0\n", launched.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "can't find '__main__' module" in run(empty).stderr
