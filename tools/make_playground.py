#!/usr/bin/env python3
"""Puts the playground together: make_playground.py BUILD OUT. BUILD has lockstep.js and lockstep.wasm (preset wasm); OUT becomes a
folder that any server of files can serve: the page's files, the module (packed by gzip), examples, lessons and bugs to find as JSON.
"""

from __future__ import annotations

import gzip
import shutil
import sys
from pathlib import Path

from make_learn import files, text_of

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "debugger" / "web"
# No script but the folder's own, whatever a kernel or a link says; nothing is sent anywhere.
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data:; worker-src 'self'; base-uri 'none'; form-action 'none'"


def main() -> int:
    build, out = Path(sys.argv[1]), Path(sys.argv[2])
    if out.exists() and any(out.iterdir()) and not (out / "lockstep.wasm.gz").exists():
        print(f"make_playground: '{out}' holds something else: name an empty folder", file=sys.stderr)
        return 2
    shutil.rmtree(out, ignore_errors=True)
    for folder in ("js", "vendor"):
        shutil.copytree(WEB / folder, out / folder)
    for style in WEB.glob("*.css"):
        shutil.copy(style, out)
    page = (WEB / "index.html").read_text()
    page = page.replace('<html lang="en">', '<html lang="en" data-feed="playground">')
    (out / "index.html").write_text(page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'))
    shutil.copy(ROOT / "playground/worker.js", out)
    shutil.copy(build / "lockstep.js", out)
    (out / "lockstep.wasm.gz").write_bytes(gzip.compress((build / "lockstep.wasm").read_bytes(), 9, mtime=0))
    for name, content in files().items():
        (out / name).write_text(text_of(content), encoding="utf-8")
        print(f"  {name}: {len(content)}")
    print(f"  module: {(build / 'lockstep.wasm').stat().st_size / 1e6:.1f} MB, packed {(out / 'lockstep.wasm.gz').stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
