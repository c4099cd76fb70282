"""fla-core's tests are collected only where it is installed. It looks at the GPU when it is imported: tests import it in their bodies."""

from importlib.metadata import PackageNotFoundError, version

try:
    version("fla-core")
    collect_ignore_glob: list[str] = []
except PackageNotFoundError:
    collect_ignore_glob = ["test_*.py"]
