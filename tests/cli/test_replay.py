"""`lockstep replay`: capsules written by the package's own writer, read, judged, taken apart; and whatever may be wrong
with one. Needs neither Triton nor torch: the kernel's TTIR is here."""

import importlib.util
import json
import random
import shlex
import struct
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from tool import ROOT, CommandTest, call

_spec = importlib.util.spec_from_file_location("capsule_writer", ROOT / "python/lockstep/capsule_writer.py")
capsule_writer = importlib.util.module_from_spec(_spec)
sys.modules["capsule_writer"] = capsule_writer  # dataclasses look their module up
_spec.loader.exec_module(capsule_writer)

# out[i] = exp(x[i]) + y[i], 8 elements, with a place in a file that exists nowhere.
TTIR = """#loc = loc("/nowhere/at/all/k.py":10:0)
#loc1 = loc("/nowhere/at/all/k.py":12:17)
module {
  tt.func public @k(%x: !tt.ptr<f32> loc("/nowhere/at/all/k.py":10:0), %y: !tt.ptr<f32> loc("/nowhere/at/all/k.py":10:0), %out: !tt.ptr<f32> loc("/nowhere/at/all/k.py":10:0), %n: i32 loc("/nowhere/at/all/k.py":10:0)) attributes {noinline = false} {
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32> loc(#loc1)
    %nn = tt.splat %n : i32 -> tensor<8xi32> loc(#loc1)
    %m = arith.cmpi slt, %i, %nn : tensor<8xi32> loc(#loc1)
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>> loc(#loc1)
    %xp = tt.addptr %xs, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32> loc(#loc1)
    %xv = tt.load %xp, %m : tensor<8x!tt.ptr<f32>> loc(#loc1)
    %e = math.exp %xv : tensor<8xf32> loc(#loc1)
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>> loc(#loc1)
    %yp = tt.addptr %ys, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32> loc(#loc1)
    %yv = tt.load %yp, %m : tensor<8x!tt.ptr<f32>> loc(#loc1)
    %s = arith.addf %e, %yv : tensor<8xf32> loc(#loc1)
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>> loc(#loc1)
    %op = tt.addptr %os, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32> loc(#loc1)
    tt.store %op, %s, %m : tensor<8x!tt.ptr<f32>> loc(#loc1)
    tt.return loc(#loc)
  } loc(#loc)
} loc(#loc)
"""


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def argument(name: str, offset: int, count: int = 8, **others: object) -> dict:
    return {"name": name, "kind": "pointer", "type": "f32", "storage": 0, "offset": offset, "shape": [count],
            "strides": [1], **others}  # fmt: skip


def launch(n: int = 8, out: list[float] | None = None, **others: object) -> object:
    """x, y and out lie in one storage of 24 floats; exp(0) + i is exact."""
    before = floats(*[0.0] * 8, *map(float, range(8)), *[-1.0] * 8)
    after = before[:64] + floats(*(out if out is not None else [1.0 + i for i in range(8)]))
    arguments = [argument("x", 0), argument("y", 32), argument("out", 64),
                 {"name": "n", "kind": "scalar", "type": "i32", "bits": hex(n), "value": n}]  # fmt: skip
    storages = [capsule_writer.Storage(before, after)]
    facts = {"recorded_by": "gpu", "target": {"arch": "sm_90", "num_warps": 2, "num_stages": 1, "num_ctas": 1},
             "options": {"debug": False, "fp_fusion": True}, "versions": {"gpu": "A GPU"}, "constants": {"B": 8}}  # fmt: skip
    given = {"kernel": "k", "ttir": TTIR, "grid": (1, 1, 1), "arguments": arguments, "storages": storages, "facts": facts}
    return capsule_writer.Launch(**{**given, **others})


class ReplayTest(CommandTest):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.path = str(Path(self._folder.name) / "k.capsule")

    def write(self, **others: object) -> str:
        capsule_writer.write(self.path, launch(**others))
        return self.path

    def change(self, edit, path: str | None = None) -> str:
        """Writes the capsule again with members that `edit` changed in place."""
        with zipfile.ZipFile(path or self.write()) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        edit(members)
        with zipfile.ZipFile(self.path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return self.path

    def change_manifest(self, edit) -> str:
        def change(members: dict) -> None:
            manifest = json.loads(members["manifest.json"])
            edit(manifest)
            members["manifest.json"] = json.dumps(manifest).encode()

        return self.change(change)

    def refuse(self, path: str, code: str, says: str = "", exit_code: int = 2) -> None:
        done = self.check(exit_code, "replay", path)
        self.assertIn(f"[{code}]", done.stderr, done.stderr)
        self.assertIn(says, done.stderr)


class Judging(ReplayTest):
    def test_what_is_legal_is_inside(self):
        text = self.check(0, "replay", self.write()).stdout
        self.assertIn("k.capsule: k, grid (1, 1, 1), recorded by gpu", text)
        self.assertIn("out: all 8 elements lie inside", text)
        self.assertIn("inside: every recorded element is legal", text)

    def test_what_is_not_is_named(self):
        path = self.write(out=[1.0, 2.0, 3.0, 4.5, 5.0, 6.0, 7.0, 8.0])
        text = self.check(1, "replay", path).stdout
        self.assertIn("out: outside the model of tl.exp at /nowhere/at/all/k.py:12:18: 1 of 8", text)
        self.assertIn("[3] is 4.5", text)
        self.assertIn("OUTSIDE", text)
        line = json.loads(self.check(1, "replay", path, "--json").stdout)
        self.assertFalse(line["judgement"]["inside"])
        self.assertEqual([one["outside"] for one in line["judgement"]["tensors"]], [0, 0, 1])

    def test_a_gpus_results_are_compared_with_its_bits(self):
        path = str(ROOT / "tests/differential/capsules/examples-0000-softmax.capsule")  # an H200's
        self.assertIn("bits: all 903 elements agree with the bits of sm_90", self.check(0, "replay", path).stdout)
        equal = {"arch": "sm_90", "elements": 903, "differ": 0, "equal": True, "without_model": []}
        self.assertEqual(json.loads(self.check(0, "replay", path, "--json").stdout)["bits"], equal)

    def test_other_bits_are_counted(self):
        path = self.write(out=[1.0, 2.0, 3.0, 4.5, 5.0, 6.0, 7.0, 8.0])
        self.assertIn("bits: 1 of 8 elements differ from the bits of sm_90", self.check(1, "replay", path).stdout)
        bits = json.loads(self.check(1, "replay", path, "--json").stdout)["bits"]
        self.assertEqual((bits["differ"], bits["equal"]), (1, False))

    def test_nobody_elses_results_have_a_gpus_bits(self):
        path = self.change_manifest(lambda manifest: manifest.update(recorded_by="lockstep"))
        self.assertNotIn("bits:", self.check(0, "replay", path).stdout)
        self.assertIsNone(json.loads(self.check(0, "replay", path, "--json").stdout)["bits"])

    def test_findings_show_the_recorded_line(self):
        text = "\n".join(f"line {n}" for n in range(9, 15))
        sources = {"path": "/nowhere/at/all/k.py", "first_line": 9}

        def add(members: dict) -> None:
            manifest = json.loads(members["manifest.json"])
            content = text.encode()
            members["source/0.py"] = content
            digest = capsule_writer._digest(content)
            manifest["sources"] = [{**sources, "text": {"file": "source/0.py", "bytes": len(content), "sha256": digest}}]
            manifest["arguments"][2]["offset"] = 68  # out's last element lies behind the storage
            manifest["arguments"][2]["shape"] = [7]
            members["manifest.json"] = json.dumps(manifest).encode()

        done = self.check(1, "replay", self.change(add))
        self.assertIn("/nowhere/at/all/k.py:12:18: error: out-of-bounds write", done.stdout)
        self.assertIn("line 12", done.stdout)

    def test_bounds_are_the_storage_unless_asked(self):
        def shorten(manifest: dict) -> None:
            manifest["arguments"][0]["shape"] = [4]

        path = self.change_manifest(shorten)
        self.check(0, "replay", path)
        self.assertIn("[LS102]", self.check(1, "replay", path, "--bounds", "view").stdout)

    def test_without_outputs_it_only_runs(self):
        done = self.check(0, "replay", self.write(has_outputs=False, storages=[capsule_writer.Storage(b"\0" * 96)]))
        self.assertIn("nothing to judge", done.stdout)
        self.assertIn("1 program", done.stdout)

    def test_a_folder_is_its_capsules(self):
        capsules = ROOT / "tests/golden/capsules"
        whole = self.check(1, "replay", str(capsules)).stdout
        names = sorted(str(path) for path in capsules.glob("*.capsule"))
        self.assertEqual([line for line in whole.splitlines() if " us on " not in line and " ms on " not in line],
                         [line for line in self.check(1, "replay", *names).stdout.splitlines() if " us on " not in line and " ms on " not in line])
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn(f"the folder '{folder}' has no .capsule file [LS2202]", self.check(2, "replay", folder).stderr)

    def test_several_capsules_give_the_highest_code(self):
        good = str(Path(self._folder.name) / "good.capsule")
        capsule_writer.write(good, launch())
        bad = self.write(out=[9.0] * 8)
        done = self.check(1, "replay", bad, good)
        self.assertIn("OUTSIDE", done.stdout)
        self.assertIn("good.capsule: inside", done.stdout)


class OtherCommands(ReplayTest):
    def test_list_says_what_is_there(self):
        text = self.check(0, "replay", "--list", self.write()).stdout
        for part in ("k: grid (1, 1, 1), sm_90, 2 warps, 1 stage", "recorded by gpu, gpu A GPU, B 8",
                     "out: f32[8] in storage 0 from byte 64", "n: i32 0x8", "1 changed by the launch"):  # fmt: skip
            self.assertIn(part, text)
        listed = json.loads(self.check(0, "replay", "--list", "--json", self.path).stdout)["manifest"]
        self.assertEqual((listed["num_warps"], listed["arguments"][3]["bits"]), (2, "0x8"))

    def test_check_only_runs_nothing(self):
        self.assertIn("k, sound", self.check(0, "replay", "--check-only", self.write(out=[9.0] * 8)).stdout)

    def test_run_takes_a_capsule(self):
        out = str(Path(self._folder.name) / "out.npy")
        self.check(0, "run", self.write(), "--save", f"out=@{out}")
        self.assertEqual(Path(out).read_bytes()[-32:], floats(*[1.0 + i for i in range(8)]))
        self.assertIn("[LS2214]", self.check(2, "run", self.path, "n=4").stderr)
        self.assertIn("2 programs", self.check(0, "run", self.path, "--grid", "2").stdout)

    def test_diff_judges_what_was_recorded_too(self):
        gpu = str(Path(self._folder.name) / "gpu.npy")
        self.check(0, "run", self.write(), "--save", f"out=@{gpu}")
        self.assertIn("recorded out: all 8", self.check(0, "diff", self.path, "--against", f"out=@{gpu}").stdout)
        path = self.write(out=[9.0] * 8)
        text = self.check(1, "diff", path, "--against", f"out=@{gpu}").stdout
        self.assertIn("\nrecorded out: outside the model of tl.exp at /nowhere/at/all/k.py:12:18: 8 of 8", text)
        self.assertTrue(text.startswith("out: all 8 elements lie inside"), text)
        said = json.loads(self.check(1, "diff", path, "--json", "--against", f"out=@{gpu}").stdout)
        self.assertEqual((said["inside"], [one["outside"] for one in said["recorded"]]), (True, [0, 0, 8]))

    def test_enclose_takes_a_capsule(self):
        self.assertIn("out: 8 elements of f32", self.check(0, "enclose", self.write()).stdout)

    def test_extract_writes_what_runs(self):
        folder = Path(self._folder.name) / "files"
        done = self.check(0, "replay", self.write(n=5), "--extract", str(folder))
        self.assertIn("files\nlockstep run kernel.ttir", done.stdout)
        self.assertEqual((folder / "kernel.ttir").read_text(), TTIR)
        words = (folder / "command").read_text().replace("'", '"')
        self.assertIn("n=5:i32", words)
        command = shlex.split((folder / "command").read_text().replace("kernel.ttir", str(folder / "kernel.ttir")))
        command = [word.replace("@storage", f"@{folder}/storage") for word in command[1:]]
        out = str(Path(self._folder.name) / "out.npy")
        self.check(0, *command, "--save", f"out=@{out}")
        self.assertEqual(Path(out).read_bytes()[-32:], floats(1, 2, 3, 4, 5, -1, -1, -1))
        self.assertEqual(len((folder / "after" / "3-out.npy").read_bytes()), 128 + 32)


class Limits(ReplayTest):
    FOREVER = """module {
  tt.func public @k(%out: !tt.ptr<i32>) attributes {noinline = false} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %many = arith.constant 2000000000 : i32
    %sum = scf.for %i = %zero to %many step %one iter_args(%a = %zero) -> (i32)  : i32 {
      %b = arith.addi %a, %i : i32
      scf.yield %b : i32
    }
    tt.print " sum: " {hex = false, isSigned = array<i32: 1>} : %zero : i32
    tt.store %out, %sum : !tt.ptr<i32>
    tt.return
  }
}
"""
    OUT = {"name": "out", "kind": "pointer", "type": "i32", "storage": 0, "offset": 0, "shape": [1], "strides": [1]}

    def test_a_launch_is_stopped(self):
        for after in (None, b"\1\0\0\0"):
            storages = [capsule_writer.Storage(b"\0" * 4, after)]
            path = self.write(ttir=self.FOREVER, arguments=[self.OUT], storages=storages, has_outputs=after is not None)
            # Also of the run for the GPU's bits, which comes after judging: the loop takes longer than that.
            done = call("replay", path, "--timeout", "0.2", timeout=15)
            self.assertEqual(done.returncode, 5, done.stdout + done.stderr)

    def test_what_a_kernel_prints_is_not_in_the_json(self):
        ttir = self.FOREVER.replace("2000000000", "5")
        storages = [capsule_writer.Storage(b"\0" * 4, b"\12\0\0\0")]
        path = self.write(ttir=ttir, arguments=[self.OUT], storages=storages)
        self.assertIn("sum: 0", self.check(0, "replay", path).stdout)
        done = self.check(0, "replay", path, "--json")
        self.assertTrue(json.loads(done.stdout)["judgement"]["inside"])
        self.assertIn("sum: 0", done.stderr)


class Addresses(ReplayTest):
    def test_words_that_were_addresses_lead_to_the_new_storages(self):
        ttir = """module {
  tt.func public @k(%table: !tt.ptr<i64>, %out: !tt.ptr<f32>) attributes {noinline = false} {
    %a = tt.load %table : !tt.ptr<i64>
    %p = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>
    %v = tt.load %p : !tt.ptr<f32>
    tt.store %out, %v : !tt.ptr<f32>
    tt.return
  }
}
"""
        table = {"name": "table", "kind": "pointer", "type": "i64", "storage": 0, "offset": 0, "shape": [1], "strides": [1]}
        out = {"name": "out", "kind": "pointer", "type": "f32", "storage": 1, "offset": 0, "shape": [1], "strides": [1]}
        Storage = capsule_writer.Storage
        storages = [Storage(struct.pack("<Q", 0x7F1234567890), None, [(0, 2, 4)]), Storage(floats(0.0), floats(2.5)),
                    Storage(floats(1.5, 2.5))]  # fmt: skip
        path = self.write(ttir=ttir, arguments=[table, out], storages=storages)
        self.assertIn("out: all 1 elements lie inside", self.check(0, "replay", path).stdout)


class Hostile(ReplayTest):
    def test_files_that_are_none(self):
        self.refuse(self.write().replace(".capsule", ".txt"), "LS2202")
        self.refuse("/nowhere/x.capsule", "LS2101", exit_code=3)
        Path(self.path).write_bytes(b"hello")
        self.refuse(self.path, "LS2120", "no zip directory")
        with zipfile.ZipFile(self.path, "w") as archive:
            archive.writestr("a", "b")
        self.refuse(self.path, "LS2120", "no manifest.json")

    def test_manifests_that_cannot_be(self):
        def put(*keys_and_value):
            *keys, last, value = keys_and_value

            def edit(manifest):
                for key in keys:
                    manifest = manifest[key]
                manifest[last] = value

            return edit

        for code, edit in (
            ("LS2121", put("format", "x")),
            ("LS2121", put("version", 0)),
            ("LS2122", put("version", 2)),
            ("LS2121", put("grid", [1, 1])),
            ("LS2121", put("grid", [-1, 1, 1])),
            ("LS2121", put("grid", [1.5, 1, 1])),
            ("LS2121", put("grid", [2**63, 1, 1])),
            ("LS2121", put("kernel", 5)),
            ("LS2121", put("has_outputs", "yes")),
            ("LS2121", put("has_outputs", False)),
            ("LS2201", put("kernel", "other")),
            ("LS2121", put("target", "num_warps", 0)),
            ("LS2121", put("arguments", 0, "kind", "thing")),
            ("LS2121", put("arguments", 0, "type", "f33")),
            ("LS2121", put("arguments", 0, "storage", 1)),
            ("LS2121", put("arguments", 0, "storage", -1)),
            ("LS2121", put("arguments", 0, "offset", 97)),
            ("LS2121", put("arguments", 0, "strides", [])),
            ("LS2121", put("arguments", 0, "shape", [1] * 17)),
            ("LS2121", put("arguments", 0, "name", "y")),
            ("LS2121", put("arguments", 0, "name", "a\nb")),
            ("LS2010", put("arguments", 0, "shape", [25])),
            ("LS2010", put("arguments", 0, "strides", [-1])),
            ("LS2123", put("arguments", 0, "type", "f16")),
            ("LS2123", put("arguments", 3, "type", "i64")),
            ("LS2121", put("arguments", 3, "bits", "0x123456789")),
            ("LS2121", put("arguments", 3, "bits", "8")),
            ("LS2121", put("arguments", 3, "bits", "0x" + "f" * 17)),
            ("LS2120", put("storages", 0, "before", "file", "../../etc/passwd")),
            ("LS2120", put("storages", 0, "before", "sha256", "0" * 64)),
            ("LS2121", put("storages", 0, "before", "bytes", 95)),
            ("LS2121", put("storages", 0, "before", "bytes", 2**62)),
            ("LS2121", put("storages", 0, "addresses", [[89, 0, 0]])),
            ("LS2121", put("storages", 0, "addresses", [[0, 1, 0]])),
            ("LS2121", put("storages", 0, "addresses", [[0, 0, 97]])),
            ("LS2121", put("sources", [{"path": "x", "first_line": 0}])),
            ("LS2120", put("ttir", "sha256", "0" * 64)),
        ):
            with self.subTest(code=code):
                done = call("replay", self.change_manifest(edit))
                self.assertIn(f"[{code}]", done.stderr, done.stderr)
                self.assertIn(done.returncode, (2, 3))

    def test_strides_of_zero_make_no_giant(self):
        def widen(manifest: dict) -> None:
            manifest["arguments"][0].update(shape=[2**40], strides=[0])

        done = call("replay", self.change_manifest(widen))
        self.assertIn("[LS2012]", done.stderr)

    def test_bombs_and_doubles(self):
        with zipfile.ZipFile(self.write(), "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("before/9.bin", b"\0" * (64 << 20))
        self.check(0, "replay", self.path)  # nobody reads it
        with zipfile.ZipFile(self.path, "a") as archive, self.assertWarns(UserWarning):
            archive.writestr("kernel.ttir", b"module {}")
        self.refuse(self.path, "LS2120", "twice")

        def grow(members: dict) -> None:
            content = b"\0" * (8 << 20)
            members["before/0.bin"] = content
            manifest = json.loads(members["manifest.json"])
            told = {"file": "before/0.bin", "bytes": len(content), "sha256": capsule_writer._digest(content)}
            manifest["storages"] = [{"before": told}]
            members["manifest.json"] = json.dumps(manifest).encode()

        path = self.change(grow, self.write())
        done = call("replay", path, "--max-memory", "1MiB")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("[LS2012]", done.stderr)

    def test_json_that_is_none(self):
        for text in ("", "[]", "{", '{"format": "lockstep-capsule", "format": "x"}', "[" * 100_000, '{"a": ' * 50_000):

            def replace(members: dict, text: str = text) -> None:
                members["manifest.json"] = text.encode()

            self.refuse(self.change(replace, self.write()), "LS2121")

    def test_every_kind_of_damage_is_told(self):
        good = Path(self.write()).read_bytes()
        generator = random.Random(7)
        for length in sorted(generator.sample(range(len(good)), 25)):
            Path(self.path).write_bytes(good[:length])
            self.assertIn(call("replay", self.path).returncode, (2, 3), length)
        for _ in range(60):
            bad = bytearray(good)
            bad[generator.randrange(len(bad))] ^= 1 << generator.randrange(8)
            Path(self.path).write_bytes(bad)
            self.assertIn(call("replay", self.path).returncode, (0, 2, 3))


if __name__ == "__main__":
    unittest.main()
