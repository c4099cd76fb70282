"""`lockstep ops`: the catalogue is complete, and docs/ops.md says what the rows say."""

import json
import os
import re
import unittest

from tool import ROOT, CommandTest, call

PAGE = ROOT / "docs/ops.md"


TTGIR = ("ttg.", "ttng.", "nvws.", "gluon.")  # read and printed; docs/design/ttgir.md says what runs


class OpsTest(CommandTest):
    def test_nothing_that_triton_prints_is_missing(self):
        missing = self.check(4, "ops", "--missing").stdout.splitlines()
        self.assertEqual([line for line in missing if not line.startswith(TTGIR)], [])
        for version in ("3.4", "3.5", "3.6", "3.7", "3.8", "3.9"):
            missing = self.check(4, "ops", "--missing", "--triton", version).stdout.splitlines()
            self.assertEqual([line for line in missing if not line.startswith(TTGIR)], [])

    def test_what_triton_3_3_alone_prints_is_named_with_its_reason(self):
        missing = self.check(4, "ops", "--missing", "--triton", "3.3").stdout.splitlines()
        missing = [line for line in missing if not line.startswith(TTGIR)]
        self.assertEqual([line.split()[0] for line in missing], ["tt.reinterpret_tensor_descriptor"])
        self.assertIn("CUtensorMap", missing[0])

    def test_every_column_of_every_row_is_filled(self):
        listed = json.loads(self.check(0, "ops", "--json").stdout)
        self.assertGreater(len(listed["ops"]), 160)
        self.assertGreater(len(listed["libdevice"]), 300)
        for row in listed["ops"]:
            for column in ("name", "summary", "effects", "definedness", "source"):
                self.assertTrue(row[column], f"{row['name']}: {column}")
            self.assertEqual(bool(row["reason"]), not row["evaluates"], row["name"])
            self.assertIn(row["bound"]["kind"], ("exact", "ulp", "by_length"))
            if row["bound"]["kind"] == "ulp":
                self.assertGreater(row["bound"]["ulp"], 0, row["name"])

    def test_one_op_as_a_page(self):
        page = self.check(0, "ops", "tt.load").stdout
        for part in ("tt.load\n", "result[i] = ", "cacheModifier", "evict_last", "reads", "source"):
            self.assertIn(part, page)
        self.assertIn("did you mean 'tt.load'?", self.check(2, "ops", "tt.laod").stderr)
        self.assertIn("[LS2211]", self.check(2, "ops", "nothing").stderr)
        self.assertIn("did you mean 'tl.load'?", self.check(2, "ops", "tl.lod").stderr)
        self.assertIn("did you mean 'tl.cumsum'?", self.check(2, "ops", "tl.cumsun").stderr)
        unknown = self.check(2, "ops", "tl.qqqqqqqq").stderr
        self.assertIn("no function of triton.language is known as 'tl.qqqqqqqq' [LS2211]\nhint: `lockstep ops WORD`", unknown)

    def test_names_of_the_language_lead_to_ops(self):
        for name in ("tl.load", "load"):
            self.assertRegex(self.check(0, "ops", name).stdout, r"^tl.load becomes\n\n  tt.load +result")
        self.assertIn("math.absf", self.check(0, "ops", "tl.abs").stdout)
        self.assertIn("tt.descriptor_gather", self.check(0, "ops", "descriptor").stdout)
        source = (ROOT / "cli/listings/language_ops.cpp").read_text(encoding="utf-8")
        names = [name for row in re.findall(r'^    \{"([^"]+)", "', source, re.MULTILINE) for name in row.split()]
        for name in [*names, "dot", "exp", "program_id", "trans", "histogram", "atomic_cas", "fma", "sqrt"]:
            self.assertIn(" becomes\n", self.check(0, "ops", f"tl.{name}").stdout, name)

    def test_the_list_has_a_line_per_op(self):
        lines = self.check(0, "ops").stdout.splitlines()
        self.assertEqual(len(lines) - 1, len(json.loads(self.check(0, "ops", "--json").stdout)["ops"]))

    def test_what_versions_add_and_drop_is_in_the_table_of_versions(self):
        page = (ROOT / "docs/ttir-versions.md").read_text()
        for row in json.loads(self.check(0, "ops", "--json").stdout)["ops"]:
            if row["since"] or row["until"]:
                short = "_" + row["name"].rsplit("_", 1)[1] if "experimental" in row["name"] else row["name"]
                self.assertIn(short, page, row["name"])

    def test_the_page_in_docs_is_current(self):
        made = call("ops", "--markdown").stdout
        if os.environ.get("LOCKSTEP_BLESS"):
            PAGE.write_text(made)
        self.assertEqual(PAGE.read_text(), made, "docs/ops.md is old: `./dev bless` writes it anew")


if __name__ == "__main__":
    unittest.main()
