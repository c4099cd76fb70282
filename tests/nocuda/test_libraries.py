"""Which shared libraries `lockstep` looks for, as the dynamic loader itself tells it (LD_DEBUG=libs).

Usage: test_libraries.py LOCKSTEP. Runs in the project's folder; needs neither a GPU nor its libraries.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LOCKSTEP = ""
GPU = re.compile(r"lib(cuda|nvrtc|cudart|nvidia)[\w-]*\.so")
SMALL_SOFTMAX = "--grid rows x=randn:f32[8,100] out=empty:f32[8,100] x_stride=100 out_stride=100 rows=8 columns=100".split()


def call(words: list[str], **environment: str) -> tuple[int, str, set[str]]:
    """Exit code, output, and the GPU libraries that were looked for."""
    with tempfile.TemporaryDirectory() as folder:
        settings = os.environ | {"LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": f"{folder}/ld"} | environment
        done = subprocess.run([LOCKSTEP, *words], capture_output=True, text=True, env=settings, timeout=120)
        trace = "".join(path.read_text(errors="replace") for path in Path(folder).glob("ld.*"))
        assert "find library=libc.so.6" in trace or "libstdc++" in trace, "LD_DEBUG does not work here"
        return done.returncode, done.stdout + done.stderr, {match.group(0) for match in GPU.finditer(trace)}


class Libraries(unittest.TestCase):
    def test_running_from_source_touches_no_gpu_library(self):
        code, output, looked_for = call(["run", "examples/softmax.py::softmax", *SMALL_SOFTMAX, "BLOCK=128"])
        self.assertEqual(code, 0, output)
        self.assertEqual(looked_for, set())

    def test_running_ttir_touches_no_gpu_library(self):
        words = [word.replace("8,100", "8,781").replace("=100", "=781") for word in SMALL_SOFTMAX]
        code, output, looked_for = call(["run", "examples/ttir/softmax.ttir", *words])
        self.assertEqual(code, 0, output)
        self.assertEqual(looked_for, set())

    def test_emit_and_version_touch_no_gpu_library(self):
        words = ["emit", "examples/vector_add.py", "--sig", "x=*fp32,y=*fp32,out=*fp32,n=i32", "BLOCK=64"]
        code, output, looked_for = call(words)
        self.assertEqual(code, 0, output)
        self.assertEqual(looked_for, set())
        self.assertEqual(call(["--version"])[2], set())

    def test_doctor_looks_only_for_what_is_not_hidden(self):
        code, output, looked_for = call(["doctor"])
        self.assertEqual(code, 0, output)
        self.assertTrue(any(name.startswith("libcuda") for name in looked_for), looked_for)
        code, output, looked_for = call(["doctor"], LOCKSTEP_HIDE="driver,nvrtc,toolkit")
        self.assertEqual(code, 0, output)
        self.assertEqual(looked_for, set())
        for text in ("LS3020", "LS3025", "CUDA headers   none"):
            self.assertIn(text, output)


if __name__ == "__main__":
    LOCKSTEP = sys.argv.pop(1)
    unittest.main()
