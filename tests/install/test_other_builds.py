"""Other builds of the tree share the ordinary build's objects. Without CUDA (LOCKSTEP_CUDA=OFF, and AUTO where no toolkit is): what
differs is compiled, and linked with its other objects; that everything else is the same is what the first step proves. As
`pip install .` builds: in batches, everything but the extension is compiled by the same commands, so the compiler cache has it."""

import filecmp
import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

CMAKE, SOURCE, BUILD, WORK = sys.argv[1], *map(Path, sys.argv[2:5])
del sys.argv[1:5]
# Of the ordinary build's settings, those that say how to compile.
TAKEN = re.compile(r"^(CMAKE_BUILD_TYPE|CMAKE_CXX_COMPILER|CMAKE_CXX_COMPILER_LAUNCHER|CMAKE_CXX_FLAGS|CMAKE_TOOLCHAIN_FILE|LOCKSTEP_(?:UNITY|HEADER_ONLY|WERROR|UNCHECKED)):\w+=(.*)$", re.MULTILINE)


def run(*words: object, cwd: Path | None = None) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def configured(name: str, *choice: str) -> Path:
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    taken = [f"-D{key}={value}" for key, value in TAKEN.findall((BUILD / "CMakeCache.txt").read_text())]
    said = run(CMAKE, "-S", SOURCE, "-B", folder, "-G", "Ninja", *taken, "-DLOCKSTEP_TESTS=OFF", "-DLOCKSTEP_PYTHON_PACKAGE=OFF", *choice)
    assert "CUDA toolkit at build time: OFF" in said, said
    return folder


def units(folder: Path) -> dict[str, str]:
    """Object -> how it is compiled and, of a batch, what it holds; without the folder's own name."""
    found = {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        text = entry["command"] + (Path(entry["file"]).read_text() if "/Unity/" in entry["file"] else "")
        found[re.search(r" -o (\S+)", entry["command"])[1]] = text.replace(str(folder), "BUILD")
    return found


def differing(one: Path, two: Path) -> set[str]:
    """Objects of `two` whose command, batch or generated headers are not those of `one`, which is built."""
    ours, theirs = units(one), units(two)
    found = {output for output, text in theirs.items() if ours.get(output) != text}
    headers = {path.name for path in (two / "generated").glob("*.h") if not filecmp.cmp(path, one / "generated" / path.name, shallow=False)}
    output = ""
    for line in run("ninja", "-t", "deps", cwd=one).splitlines():
        if line and not line.startswith(" "):
            output = line.split(": #deps")[0]
        elif Path(line.strip()).name in headers and "generated/" in line and output in theirs:
            found.add(output)
    return found


class OtherBuilds(unittest.TestCase):
    def test_off(self) -> None:
        off = configured("off", "-DLOCKSTEP_CUDA=OFF")
        outputs = differing(BUILD, off)
        had = "BUILD_CUDA_HEADERS 1" in (BUILD / "generated" / "generated_build_facts.h").read_text()
        self.assertEqual(any("build_facts" in output for output in outputs), had, outputs)
        self.assertLessEqual(len(outputs), 2, f"more than the declarations' check and the build's facts depend on CUDA: {outputs}")
        main = "CMakeFiles/lockstep_executable.dir/cli/main.cpp.o"
        run("ninja", *outputs, main, cwd=off)
        for archive in BUILD.glob("liblockstep_*.a"):
            shutil.copy(archive, off)
        for output in outputs:
            archive = off / f"lib{re.search(r'(lockstep_[a-z_]+)[.]dir', output)[1]}.a"
            self.assertEqual(run("ar", "t", archive).split().count(Path(output).name), 1, output)
            run("ar", "r", archive, off / output)
        link = run("ninja", "-t", "commands", "lockstep_executable", cwd=off).splitlines()[-1]
        run("sh", "-c", link, cwd=off)
        self.assertIn("CUDA headers at build time: none", run(off / "lockstep", "--version"))

    def test_auto_where_there_is_none(self) -> None:
        off = configured("off_again", "-DLOCKSTEP_CUDA=OFF")
        hidden = configured("hidden", "-DLOCKSTEP_CUDA=AUTO", "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON")
        self.assertEqual(units(off), units(hidden))
        for path in (off / "generated").glob("*.h"):
            self.assertEqual(path.read_text(), (hidden / "generated" / path.name).read_text())

    def test_wheel(self) -> None:
        cache = (BUILD / "CMakeCache.txt").read_text()
        if "LOCKSTEP_UNITY:BOOL=ON" not in cache or "LOCKSTEP_HEADER_ONLY:BOOL=ON" not in cache or not (BUILD / "python").exists():
            self.skipTest("this build is not in batches, which wheels are")
        defined = re.search(r"\[tool.scikit-build.cmake.define\]\n(.*?)\n\n", (SOURCE / "pyproject.toml").read_text(), re.DOTALL)[1]
        choice = [f"-D{key}={value}" for key, value in re.findall(r'^(\w+) = "(\w+)"', defined, re.MULTILINE)]
        self.assertGreaterEqual(len(choice), 4)
        python = re.search(r"^Python_EXECUTABLE:\w+=(.*)$", cache, re.MULTILINE)[1]
        folder = WORK / "wheel"
        shutil.rmtree(folder, ignore_errors=True)
        compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
        gnu = shutil.which("g++")  # as Pythons that were built with it name it
        named = ["env", "CXX=g++", CMAKE] if gnu and Path(gnu).resolve() == Path(compiler).resolve() else [CMAKE, f"-DCMAKE_CXX_COMPILER={compiler}"]
        folders = [f"-DSKBUILD_{name}_DIR={folder}/wheel" for name in ("SCRIPTS", "DATA", "METADATA")]
        run(*named, "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSKBUILD=2", f"-DPython_EXECUTABLE={python}", *folders, *choice)
        ours, theirs = units(BUILD), units(folder)
        others = {output for output, text in theirs.items() if ours.get(output) != text and "lockstep_native.dir" not in output}
        self.assertLessEqual({Path(output).name for output in others}, {"line_input.cpp.o", "declarations_check.cpp.o"}, others)


if __name__ == "__main__":
    unittest.main()
