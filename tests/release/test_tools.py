"""What a release is made with: changelog and version, recipes, the editor's extension, the list of parts, the action's
annotations, the workflows' pins."""

import contextlib
import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "packaging/action")]
import annotate  # noqa: E402
import check_release  # noqa: E402
import check_versions  # noqa: E402
import make_packages  # noqa: E402
import make_sbom  # noqa: E402
import make_vsix  # noqa: E402
import release_notes  # noqa: E402
from release_facts import PLACES, sections, version  # noqa: E402

TEXT = """# Changelog

## Unreleased

### Fixed
- a
### Added
- b
### Fixed
- c

## 0.1.0 - 2026-11-30

### Added
- first
"""


class Changelog(unittest.TestCase):
    def test_headings_of_one_kind_are_put_together_in_their_order(self):
        found, problems = sections(TEXT)
        self.assertEqual(problems, [])
        self.assertEqual([(one.name, one.date) for one in found], [("Unreleased", ""), ("0.1.0", "2026-11-30")])
        self.assertEqual(found[0].text(), "### Added\n- b\n\n### Fixed\n- a\n- c\n")

    def test_a_release_is_cut(self):
        cut = release_notes.cut(TEXT, "0.2.0", "2027-01-31")
        found, problems = sections(cut)
        self.assertEqual(problems, [])
        self.assertEqual([one.name for one in found], ["Unreleased", "0.2.0", "0.1.0"])
        self.assertTrue(found[0].is_empty)
        self.assertEqual(found[1].text(), sections(TEXT)[0][0].text())
        self.assertEqual(found[2].text(), "### Added\n- first\n")
        for number, date, text in (("0.1.0", "2027-01-31", TEXT), ("0.2.0", "tomorrow", TEXT), ("0.3.0", "2027-02-01", cut)):
            with self.assertRaises(SystemExit):
                release_notes.cut(text, number, date)

    def test_what_is_wrong_is_named(self):
        for wrong, message in (("## 0.2\n", "neither"), ("### Mended\n", "'Mended' is none of"), ("## 0.2.0 - 2027-01-31\n", "not in order")):
            self.assertIn(message, " ".join(sections(TEXT + wrong)[1]))
        self.assertIn("first section", " ".join(sections(TEXT.replace("## Unreleased\n", "## 9.0.0 - 2027-01-31\n"))[1]))


class Versions(unittest.TestCase):
    def test_every_place_is_held_and_written(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path in [*PLACES, "CHANGELOG.md"]:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text((ROOT / path).read_text())
            self.assertEqual(check_versions.place_problems(root, version()), [])
            self.assertEqual(len({one.split(":")[0] for one in check_versions.place_problems(root, "9.8.7")}), len(PLACES))
            with contextlib.redirect_stdout(io.StringIO()):
                check_versions.write(root, "9.8.7")
            self.assertEqual(check_versions.place_problems(root, "9.8.7"), [])
            (root / "CHANGELOG.md").write_text(TEXT)
            self.assertIn("raise the version", check_versions.changelog_problems(root, "0.1.0")[0])
            self.assertIn("older", check_versions.changelog_problems(root, "0.0.9")[0])
            self.assertEqual(check_versions.changelog_problems(root, "0.2.0"), [])

    def test_the_files_of_a_release(self):
        with tempfile.TemporaryDirectory() as folder:
            tags = ("manylinux_2_28_x86_64", "manylinux_2_17_aarch64.manylinux2014_aarch64")
            names = ["triton_lockstep-0.1.0.tar.gz", *(f"triton_lockstep-0.1.0-cp310.cp314-cp310.cp314-{tag}.whl" for tag in tags)]
            for name in names:
                Path(folder, name).write_bytes(b"x")
            self.assertIn("no lockstep-0.1.0-linux-x86_64", " ".join(check_release.dist_problems(Path(folder), "0.1.0")))
            Path(folder, "lockstep-0.1.0-linux-x86_64").write_bytes(b"x")
            Path(folder, "lockstep-0.1.0-linux-x86_64.sha256").write_text("0  lockstep-0.1.0-linux-x86_64\n")
            self.assertIn("not the checksum", " ".join(check_release.dist_problems(Path(folder), "0.1.0")))
            Path(folder, "lockstep-0.1.0-linux-x86_64.sha256").write_text(f"{hashlib.sha256(b'x').hexdigest()}  lockstep-0.1.0-linux-x86_64\n")
            self.assertEqual(check_release.dist_problems(Path(folder), "0.1.0"), [])
            self.assertGreaterEqual(len(check_release.dist_problems(Path(folder), "0.2.0")), 5)
            Path(folder, names[2]).unlink()
            Path(folder, names[1]).rename(Path(folder, names[1].replace("2_28", "2_35")))
            told = " ".join(check_release.dist_problems(Path(folder), "0.1.0"))
            self.assertIn("Linux arm64", told)
            self.assertIn("glibc 2.35", told)


class Made(unittest.TestCase):
    def test_dev_makes_the_vsix(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ROOT / "dev", "vsix", folder], capture_output=True, text=True, check=True)
            (made,) = Path(folder).iterdir()
            self.assertEqual(done.stdout.strip(), str(made))
            self.assertEqual(made.read_bytes(), make_vsix.make(Path(folder, "again")).read_bytes())

    def test_vsix(self):
        with tempfile.TemporaryDirectory() as folder:
            first = make_vsix.make(Path(folder, "a"))
            self.assertEqual(first.read_bytes(), make_vsix.make(Path(folder, "b")).read_bytes())
            with zipfile.ZipFile(first) as archive:
                names = archive.namelist()
                package = json.loads(archive.read("extension/package.json"))
                manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
                types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
        self.assertEqual(manifest.find(f"{space}Metadata/{space}Identity").get("Version"), version())
        for asset in manifest.iter(f"{space}Asset"):
            self.assertIn(asset.get("Path"), names)
        self.assertLessEqual({Path(name).suffix[1:] for name in names[1:]}, {one.get("Extension") for one in types})
        self.assertIn(f"extension/{package['main'].removeprefix('./')}", names)

    def test_recipes_name_the_release(self):
        for recipe in make_packages.RECIPES:
            text = (ROOT / "packaging" / recipe).read_text()
            values = {name: "https://example.invalid/v1" for name in ("URL", "FOLDER", "HOMEPAGE")} | {"SHA256": "0" * 64}
            self.assertNotIn("@", make_packages.filled(text, values).replace("@triton.jit", ""), recipe)

    def test_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            headers = {"boost/version.hpp": "#define BOOST_VERSION 108300\n", "fmt/base.h": "#define FMT_VERSION 110200\n",
                       "zlib.h": '#define ZLIB_VERSION "1.3.1"\n', "c++/v1/__config": "#  define _LIBCPP_VERSION 190107\n"}
            for name, text in headers.items():
                Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, name).write_text(text)
            found = {part.name: make_sbom.found_version(part, [Path(folder)]) for part in make_sbom.PARTS}
        self.assertEqual({name: number for name, number in found.items() if number},
                         {"Boost": "1.83.0", "fmt": "11.2.0", "zlib": "1.3.1", "libc++": "19.1.7"})
        parts = [(part, "1.0.0") for part in make_sbom.PARTS]
        made = make_sbom.document(parts)
        self.assertEqual(made, make_sbom.document(parts))
        self.assertEqual(len({one["bom-ref"] for one in made["components"]}), len(make_sbom.PARTS))
        with self.assertRaises(SystemExit):
            make_sbom.chosen({"libx": ""}, set(), [])
        with self.assertRaises(SystemExit):
            make_sbom.chosen({}, set(), [Path("/nowhere")])


class Action(unittest.TestCase):
    def test_what_is_wrong_with_a_kernel_is_annotated(self):
        command = [sys.argv[1] if len(sys.argv) > 1 else "build/lockstep", "check-language", "tests/cli/kernels/questionable.py", "--json"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        lines = [str(one) for one in annotate.of_language(json.loads(done.stdout))]
        self.assertTrue(any(line.startswith("::error file=tests/cli/kernels/questionable.py,line=28,col=13,title=LS1316::module ") for line in lines), lines)
        self.assertTrue(any(line.startswith("::warning ") for line in lines))

    def test_results_are_annotated_but_those_that_are_known(self):
        place = {"physicalLocation": {"artifactLocation": {"uri": "a,b.py"}, "region": {"startLine": 3}}}
        results = [{"ruleId": "LS101", "level": "error", "message": {"text": "50%\nmore"}, "locations": [place]},
                   {"ruleId": "LS102", "message": {"text": "known"}, "suppressions": [{}]}]
        found = list(annotate.of_sarif({"runs": [{"results": results}]}))
        self.assertEqual([str(one) for one in found], ["::error file=a%2Cb.py,line=3,title=LS101::50%25%0Amore"])

    def test_every_action_of_a_workflow_is_pinned_by_hash(self):
        for path in (ROOT / ".github/workflows").glob("*.yml"):
            used = re.findall(r"uses: (\S+)(.*)", path.read_text())
            self.assertGreater(len(used), 1)
            for name, rest in used:
                self.assertRegex(name, r"@[0-9a-f]{40}$")
                self.assertRegex(rest, r"^ # v\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
