"""test_site.py LOCKSTEP OUT: builds the site as ./dev docs does, into OUT/site, and follows every link and anchor of it. Each code
has its address, each page of the navigation is there, and no page asks another server for anything."""

import re
import shutil
import subprocess
import sys
import unittest
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "site"))
import make_site  # noqa: E402

GENERATOR = ROOT / ".cache/docs/bin/zensical"
LOCKSTEP, OUT = (Path(word).resolve() for word in (sys.argv.pop(1), sys.argv.pop(1)))
SITE = OUT / "site"
OURS = re.compile(r"^(?:#|\.|/|[\w-]+(?:/|\.html|$))")


class Page(HTMLParser):
    """The links, what is loaded, and the anchors of one page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.copied = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list) -> None:
        named = dict(attrs)
        self.anchors |= {named[key] for key in ("id", "name") if named.get(key)}
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])
        if tag in ("script", "img", "iframe") and named.get("src"):
            self.loaded.append(named["src"])
        if tag == "link" and named.get("href") and named.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.loaded.append(named["href"])


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        OUT.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(SITE, ignore_errors=True)
        python = GENERATOR.with_name("python")
        for words in ([python, ROOT / "tools/site/make_site.py", LOCKSTEP, OUT], [GENERATOR, "build", "-f", "zensical.toml", "--strict"]):
            done = subprocess.run([str(word) for word in words], cwd=OUT, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)
        cls.pages = {path.relative_to(SITE).as_posix(): Page(path) for path in SITE.rglob("*.html")}

    def place(self, page: str, link: str) -> tuple[str, str]:
        """The page and the anchor that a link of `page` leads to."""
        path, _, anchor = link.partition("#")
        if not path:
            return page, anchor
        target = (SITE / page).parent.joinpath(urllib.parse.unquote(path)).resolve()
        target = target.relative_to(SITE) if target.is_relative_to(SITE) else target
        return (target / "index.html").as_posix() if (SITE / target).is_dir() else target.as_posix(), anchor

    def test_links_and_anchors(self):
        problems = []
        for name, page in self.pages.items():
            if name == "404.html":
                continue  # it is shown at any depth
            for link in [*page.links, *page.loaded]:
                if "://" in link or link.startswith(("mailto:", "data:")):
                    continue
                target, anchor = self.place(name, link)
                if not (SITE / target).is_file():
                    problems.append(f"{name}: {link} is not there")
                elif anchor and target in self.pages and urllib.parse.unquote(anchor) not in self.pages[target].anchors:
                    problems.append(f"{name}: {link} has no such place")
        self.assertEqual(problems[:20], [])

    def test_each_code_and_each_page_has_its_address(self):
        wanted = [f"errors/{code}/index.html" for code in make_site.titles()]
        for section in make_site.navigation():
            wanted += [re.sub(r"(?:index)?\.md$", "", page).rstrip("/") + "/index.html" for page in section["pages"]]
        self.assertEqual([name for name in wanted if name.lstrip("/") not in self.pages], [])

    def test_nothing_comes_from_another_server(self):
        for name, page in self.pages.items():
            self.assertEqual([place for place in page.loaded if re.match(r"(?:https?:)?//", place)], [], name)

    def test_blocks_can_be_copied_and_pages_found(self):
        self.assertIn("content.code.copy", (SITE / "quickstart/index.html").read_text(encoding="utf-8"))
        index = (SITE / "search.json").read_text(encoding="utf-8")
        for words in ("errors/LS101/", "quickstart/", "lockstep.reports"):
            self.assertIn(words, index)

    def test_the_python_api_has_every_public_name(self):
        anchors = self.pages["reference/python-api/index.html"].anchors
        package = (ROOT / "python/lockstep/__init__.py").read_text(encoding="utf-8")
        names = re.findall(r'^    "(\w+)",$', package.partition("__all__")[2].partition("]")[0], re.MULTILINE)
        self.assertTrue(names)
        self.assertEqual([name for name in names if name != "__version__" and not any(anchor.endswith(f".{name}") for anchor in anchors)], [])


if __name__ == "__main__":
    if not GENERATOR.is_file():
        print("skipped: zensical is not installed (./dev docs)")
        sys.exit(77)
    unittest.main()
