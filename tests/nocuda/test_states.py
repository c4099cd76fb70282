"""A machine with a toolkit and no GPU, with neither, with a driver and no toolkit, and with both: what each command
says there. The libraries are fakes (fakes/), or hidden; what the system has is never asked.

Usage: test_states.py LOCKSTEP FAKES (the folder with the fakes' folders).
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LOCKSTEP, FAKES = "", Path()
ROOT = Path(__file__).resolve().parents[2]
ADD = "examples/vector_add.py::vector_add"
ARGUMENTS = "--grid 4 x=randn:f32[1000] y=randn:f32[1000] out=empty:f32[1000] n=1000 BLOCK=256"
LAUNCH = [ADD, *ARGUMENTS.split()]
SOFTMAX = "x=randn:f32[8,100] out=empty:f32[8,100] x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128"
EMIT = [ADD, "--sig", "x=*fp32,y=*fp32,out=*fp32,n=i32", "BLOCK=256"]
NO_DRIVER = """error: the CUDA driver (libcuda.so.1) was not found [LS3020]
hint: install NVIDIA's driver to use a GPU; running on the CPU does not need it
"""
NO_DEVICE = """error: the CUDA driver sees no GPU [LS3022]
hint: CUDA_VISIBLE_DEVICES may hide it; running on the CPU does not need one
"""
NO_NVRTC = """error: NVRTC (libnvrtc.so.13 or .12) was not found [LS3025]
hint: running on the CPU does not need it; `pip install nvidia-cuda-nvrtc`, or set LOCKSTEP_NVRTC to the library
"""
STARTS_NOT = """error: the CUDA driver does not start: {} [LS3021]
hint: run `nvidia-smi` for details; running on the CPU needs no driver
"""
REFUSES = """error: the CUDA driver refuses to {} [LS3023]
hint: a kernel's fault costs the process its GPU: start the process again
"""


class State(unittest.TestCase):
    """`settings` are the environment of a machine; the cache is an empty folder, one for each test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cache, self.log = self.folder / "cache", self.folder / "log"
        self.settings = {"LOCKSTEP_CACHE_DIR": str(self.cache), "FAKE_NVRTC_LOG": str(self.log)}

    def driver(self, trouble: str = "", kind: str = "driver"):
        self.settings |= {"LD_LIBRARY_PATH": str(FAKES / kind), "FAKE_CUDA": trouble}

    def nvrtc(self, version: str = "13.0", trouble: str = ""):
        library = str(FAKES / "nvrtc" / "libnvrtc.so.13")
        self.settings |= {"LOCKSTEP_NVRTC": library, "FAKE_NVRTC_VERSION": version, "FAKE_NVRTC": trouble}

    def call(self, *words: str) -> subprocess.CompletedProcess:
        known = {name: value for name, value in os.environ.items() if not name.startswith(("LOCKSTEP_", "FAKE_"))}
        return subprocess.run([LOCKSTEP, *words], capture_output=True, text=True, errors="replace", cwd=ROOT, timeout=60,
                              check=False, env=known | self.settings)

    def check(self, code: int, error: str, *words: str) -> str:
        done = self.call(*words)
        self.assertEqual((done.returncode, done.stderr), (code, error), done.stdout[:2000])
        if code == 3:
            self.assertEqual(done.stdout, "")
        return done.stdout

    def check_row(self, name: str, what: str):
        """A row of `lockstep doctor`, which always succeeds."""
        self.assertIn(f" {name:14} {what}", self.check(0, "", "doctor"))

    def compilations(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


class Neither(State):
    def setUp(self):
        super().setUp()
        self.settings["LOCKSTEP_HIDE"] = "driver,nvrtc"

    def test_what_needs_them_says_so(self):
        self.check(3, NO_DRIVER, "diff", *LAUNCH)
        self.check(3, NO_NVRTC, "emit", *EMIT, "--to", "ptx")
        self.check(3, NO_NVRTC, "emit", *EMIT, "--to", "cubin")
        self.check_row("NVRTC", "NVRTC (libnvrtc.so.13 or .12) was not found [LS3025]\n")
        self.check_row("GPU driver", "the CUDA driver (libcuda.so.1) was not found [LS3020]\n")

    def test_what_needs_none_works(self):
        self.assertIn("vector_add(float*", self.check(0, "", "emit", *EMIT, "--to", "cuda"))
        self.check(0, "", "emit", *EMIT, "--to", "ttir")
        self.check(0, "", "run", *LAUNCH)
        self.assertFalse(self.cache.exists())


class ToolkitWithoutGpu(State):
    def setUp(self):
        super().setUp()
        self.nvrtc()
        self.settings["LOCKSTEP_HIDE"] = "driver"

    def test_code_is_compiled_and_not_launched(self):
        cubin = self.check(0, "", "emit", *EMIT, "--to", "cubin")
        self.assertIn("ELF made by a fake 13.0 of vector_add.cu --gpu-architecture=sm_90a", cubin)
        self.assertIn("--gpu-architecture=compute_80", self.check(0, "", "emit", *EMIT, "--to", "ptx", "--as", "sm_80"))
        self.check(3, NO_DRIVER, "diff", *LAUNCH)
        self.check_row("NVRTC", f"13.0  {FAKES}/nvrtc/libnvrtc.so.13\n")
        self.check_row("kernel cache", "2 kernels, ")

    def test_a_driver_that_sees_no_gpu(self):
        del self.settings["LOCKSTEP_HIDE"]
        for trouble in ("no_device", "zero_devices"):
            self.driver(trouble)
            self.check(3, NO_DEVICE, "diff", *LAUNCH)
            self.check_row("GPU driver", "the CUDA driver sees no GPU [LS3022]\n")

    def test_what_nvrtc_refuses_is_a_defect_with_the_log(self):
        self.nvrtc(trouble="refuse")
        done = self.call("emit", *EMIT, "--to", "cubin")
        self.assertEqual(done.returncode, 3)
        self.assertIn("vector_add.cu(1): error: the fake does not like it", done.stderr)
        self.assertIn("[LS3027]", done.stderr)
        self.assertFalse(self.cache.exists())

    def test_an_nvrtc_that_gives_or_answers_nothing(self):
        self.nvrtc(trouble="empty")
        self.assertIn("[LS3026]", self.call("emit", *EMIT, "--to", "cubin").stderr)
        self.nvrtc(trouble="mute")
        self.assertIn("[LS3026]", self.call("emit", *EMIT, "--to", "cubin").stderr)
        self.assertFalse(self.cache.exists())


class DriverWithoutToolkit(State):
    def setUp(self):
        super().setUp()
        self.driver()
        self.settings["LOCKSTEP_HIDE"] = "nvrtc"

    def test_the_missing_compiler_is_named(self):
        self.check(3, NO_NVRTC, "diff", *LAUNCH)
        self.check(3, NO_NVRTC, "emit", *EMIT, "--to", "cubin")
        self.check(0, "", "emit", *EMIT, "--to", "cuda")
        self.check_row("GPU driver", "CUDA 13.0, Fake GPU (sm_90)\n")
        self.check_row("NVRTC", "NVRTC (libnvrtc.so.13 or .12) was not found [LS3025]\n")

    def test_a_driver_that_does_not_start(self):
        self.driver("mismatch")
        words = "cuInit says 'system has unsupported display driver / cuda driver combination'"
        self.check(3, STARTS_NOT.format(words), "diff", *LAUNCH)
        self.check_row("GPU driver", f"the CUDA driver does not start: {words} [LS3021]\n")
        self.driver("unknown")
        self.check(3, STARTS_NOT.format("cuInit says 'error 99999'"), "diff", *LAUNCH)
        self.driver("mute")
        self.check(3, STARTS_NOT.format("it does not tell what device 0 is"), "diff", *LAUNCH)

    def test_a_driver_that_lacks_a_function(self):
        self.driver(kind="old_driver")
        path = FAKES / "old_driver" / "libcuda.so.1"
        self.check(3, STARTS_NOT.format(f"there is no cuLaunchKernel in {path}"), "diff", *LAUNCH)


class Both(State):
    def setUp(self):
        super().setUp()
        self.driver()
        self.nvrtc()

    def test_a_launch_is_judged(self):
        shown = self.check(0, "", "diff", *LAUNCH)
        self.assertIn("Fake GPU: 17 registers a thread\n", shown)
        self.assertIn("out: all 1000 elements lie inside", shown)
        self.assertIn("1.50 ms (median 1.50 ms)", self.check(0, "", "diff", *LAUNCH, "--repeats", "3"))

    def test_a_wrong_element_is_found(self):
        self.driver("wrong")
        self.assertIn("1 of 1000 elements lie outside", self.check(1, "", "diff", *LAUNCH))

    def test_a_wrong_element_is_looked_into(self):
        self.driver("wrong")  # it writes no probes: as if the program had run nothing
        shown = self.check(1, "", "diff", *LAUNCH, "--bisect")
        self.assertIn("bisect: 1 program writes this element\nprogram (3, 0, 0): 0 values compared\n", shown)
        self.assertRegex(shown, "the GPU takes another path: %\\d+ = .*\n.*\n  ran 0 times there, 1 times in the")

    def test_a_store_behind_a_tensor_is_found(self):
        self.driver("overrun")
        shown = self.check(1, "", "diff", *LAUNCH)
        self.assertIn("out: all 1000 elements lie inside", shown)
        self.assertIn("out: 4 bytes that no tensor holds were changed, the first 4000 bytes after its start", shown)

    def test_a_grid_without_programs_launches_nothing(self):
        words = [word if word != LAUNCH[LAUNCH.index("--grid") + 1] else "0" for word in LAUNCH]
        self.assertIn("out: all 1000 elements lie inside", self.check(0, "", "diff", *words))

    def test_every_step_that_fails_is_named(self):
        for trouble, step in {
            "no_context": "make a context: out of memory",
            "no_image": "load the code: no kernel image is available for execution on the device",
            "no_memory": "allocate memory: out of memory",
            "fault": "run the kernel: an illegal memory access was encountered",
        }.items():
            self.driver(trouble)
            self.check(3, REFUSES.format(step), "diff", *LAUNCH)
        self.driver()
        other = ["examples/softmax.py::softmax", "--grid", "rows", *SOFTMAX.split()]
        self.check(3, REFUSES.format("find the kernel: named symbol not found"), "diff", *other)


class Cache(State):
    def setUp(self):
        super().setUp()
        self.settings["LOCKSTEP_HIDE"] = "driver"
        self.nvrtc()

    def cubin(self, *words: str, form: str = "cubin") -> str:
        return self.check(0, "", "emit", *EMIT, "--to", form, *words)

    def test_a_kernel_is_compiled_once(self):
        first = self.cubin()
        self.assertEqual((self.cubin(), self.compilations()), (first, 1))
        self.check_row("kernel cache", "1 kernel, ")
        self.assertEqual(self.check(0, "", "doctor", "--clear-cache").split(" (")[0], "removed 1 compiled kernel")
        self.assertEqual((self.cubin(), self.compilations()), (first, 2))

    def test_what_changes_the_code_changes_the_key(self):
        self.cubin()
        self.cubin("--as", "sm_80")
        self.cubin("--num-warps", "8")
        self.cubin(form="ptx")
        self.assertEqual(self.compilations(), 4)
        self.cubin("--num-stages", "2")  # a kernel without loops: the same text
        self.assertEqual(self.compilations(), 4)

    def test_two_versions_of_nvrtc_do_not_share(self):
        self.assertIn("fake 13.0 ", self.cubin())
        self.nvrtc(version="13.1")
        self.assertIn("fake 13.1 ", self.cubin())
        self.assertEqual(self.compilations(), 2)
        patched = self.folder / "libnvrtc.so.13"
        shutil.copyfile(FAKES / "nvrtc" / "libnvrtc.so.13", patched)
        with patched.open("ab") as library:
            library.write(b"patched")
        self.settings["LOCKSTEP_NVRTC"] = str(patched)
        self.cubin()
        self.assertEqual(self.compilations(), 3, "a patch of the same version is another compiler")

    def test_it_can_be_off_or_broken(self):
        self.settings["LOCKSTEP_CACHE_DIR"] = "off"
        self.cubin()
        self.cubin()
        self.assertEqual(self.compilations(), 2)
        self.settings["LOCKSTEP_CACHE_DIR"] = str(self.log / "below a file")
        self.cubin()
        self.assertEqual(self.compilations(), 3)
        self.settings["LOCKSTEP_CACHE_DIR"] = str(self.cache)
        first = self.cubin()
        for entry in self.cache.glob("*.kernel"):
            entry.write_bytes(entry.read_bytes()[:-1] + b"?")
        self.assertEqual((self.cubin(), self.compilations()), (first, 5))


if __name__ == "__main__":
    LOCKSTEP, FAKES = str(Path(sys.argv.pop(1)).resolve()), Path(sys.argv.pop(1)).resolve()
    unittest.main()
