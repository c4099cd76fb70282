"""The checks of tools/ that lint runs find what they are for."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_commits  # noqa: E402
import check_unity  # noqa: E402
import check_words  # noqa: E402
import house  # noqa: E402
import unit_times  # noqa: E402


class Commits(unittest.TestCase):
    def test_what_is_refused(self) -> None:
        for message in ("A trial's plan is no campaign", "Adds x", "add x", "Add x.", "Add x\nwithout a line between", "Added x", "Add " + "x" * 70):
            self.assertEqual(len(check_commits.problems(message)), 1, message)

    def test_what_is_fine(self) -> None:
        for message in ("Add x", "Embed x\n\nBecause.", "Merge the branch unity", "Add " + "x" * 68, "Add x\n# a comment of git's"):
            self.assertEqual(check_commits.problems(message), [], message)

    def test_a_large_change_says_why(self) -> None:
        self.assertEqual(check_commits.problems("Rename x", 31), ["31 files changed: the body says why"])
        self.assertEqual(check_commits.problems("Rename x\n\nIt had two meanings.", 31), [])


class Unity(unittest.TestCase):
    def test_what_a_declaration_names(self) -> None:
        for text, name in {
            "constexpr auto kWait = std::chrono::milliseconds(20)": "kWait",
            "constexpr int kMost = 8": "kMost",
            "std::string text_of(const Op& op) ": "text_of",
            "void Team::wait(int turns) ": None,
            "bool operator==(const Step& a, const Step& b) ": None,
        }.items():
            self.assertEqual(check_unity.name_of(text), name, text)


class House(unittest.TestCase):
    def test_cycles(self) -> None:
        files = {
            Path("a/one.h"): '#include "a/two.h"\n',
            Path("a/two.cpp"): '#include "a/three.h"\n#include "a/two.h"\n',
            Path("a/two.h"): "",
            Path("a/three.h"): '#include "a/one.h"\n',
            Path("a/four.h"): '#include "a/one.h"\n',
        }
        self.assertEqual(house.cycles(files), [3])
        self.assertEqual(house.cycles({Path("a/one.h"): "", Path("a/one.cpp"): '#include "a/one.h"\n'}), [])

    def test_methods(self) -> None:
        text = """
class Engine final : public Base {
 public:
  explicit Engine(int n) : n_(n) {}
  void go(); // not()
  int at() const { return call(n_); }
  struct Inner { void one(); };
 private:
  std::function<void(int)> hook_ = nullptr;
  int n_ = make();
};
enum class Kind { a, b };
void outside();
"""
        self.assertEqual(house.methods(text), {"Engine": 4, "Inner": 1})

    def test_places(self) -> None:
        files = {Path("a.cpp"): "math_cbrt", Path("b.cpp"): '"math.cbrt"', Path("c.cpp"): "math_cbrts"}
        self.assertEqual(house.places(files, r"\bmath\.cbrt\b|\bmath_cbrt\b"), 2)


class Words(unittest.TestCase):
    def places(self, text: str) -> list[str]:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.md"
            path.write_text(text)
            root, check_words.ROOT = check_words.ROOT, Path(folder)
            try:
                return [place.kind for place in check_words.of_page(path, FOUND)]
            finally:
                check_words.ROOT = root

    def test_what_is_counted(self) -> None:
        self.assertEqual(self.places("A NaN is born here.\n"), ["words"])
        self.assertEqual(self.places("It is no multiple\nof 4.\n"), ["words", "words"])
        self.assertEqual(self.places("`tt.reduce` adds.\n"), ["IR names"])
        self.assertEqual(self.places("word " * 26 + ".\n"), ["long sentences"])
        self.assertEqual(self.places("word " * 20 + ".\n\n- " + "word " * 20 + "\n"), [])

    def test_code_is_left_out(self) -> None:
        self.assertEqual(self.places("Type `born x`.\n\n```sh\nborn x\n```\n\n    born x\n"), [])

    def test_there_is_no(self) -> None:
        self.assertEqual(self.places("There is no GPU.\n"), [])

    def test_a_sentence_may_begin_with_a_number(self) -> None:
        self.assertEqual(self.places("word " * 20 + "word. 12 " + "word " * 20 + "\n"), [])

    def test_texts_of_lessons_are_counted(self) -> None:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lesson.json"
            path.write_text('{\n  "text": "100 is no multiple of 64.",\n  "code": "`born`"\n}\n')
            texts = list(check_words.texts_of(path))
        self.assertEqual(texts[1], (2, "100 is no multiple of 64."))
        self.assertEqual([place.where for place in check_words.words_in("2", texts[1][1], FOUND)], ["2", "2"])
        lessons = {path.parent.name for path in check_words.own_sources("lesson.json")}
        self.assertGreater(len(lessons), 20)


FOUND = check_words.patterns()


class UnitTimes(unittest.TestCase):
    def test_the_last_compilation_counts(self) -> None:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "unit_times.tsv"
            path.write_text("1.0\t0.5\tCMakeFiles/x.dir/a.cpp.o\n2.0\t0.5\tCMakeFiles/x.dir/a.cpp.o\n")
            self.assertEqual(unit_times.read(path), {"CMakeFiles/x.dir/a.cpp.o": 2.5})
            self.assertEqual(unit_times.shown("CMakeFiles/x.dir/a.cpp.o"), "x: a.cpp")


if __name__ == "__main__":
    unittest.main()
