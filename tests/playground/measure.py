#!/usr/bin/env python3
"""How long the playground takes in Debian's Chromium: measure.py PLAYGROUND. Prints milliseconds: until it is ready, and of a Run of each
launch from the click to the page that shows its end with findings and values, the checked run included; best and median of five."""

from __future__ import annotations

import functools
import http.server
import shutil
import statistics
import sys
import threading
import time

from playwright.sync_api import sync_playwright

LAUNCHES = {
    "vector add of 1 Mi elements": ("vector_add", "cdiv(n, BLOCK)", "x=randn:f32[1048576] y=randn:f32[1048576] out=empty:f32[1048576] n=1048576 BLOCK=1024"),
    "softmax 1823 x 781": ("softmax", "rows", "x=randn:f32[1823,781] out=empty:f32[1823,781] x_stride=781 out_stride=781 rows=1823 columns=781 BLOCK=1024"),
    "matmul 256^3": ("matmul", "cdiv(m, 64) * cdiv(n, 32)", "a=randn:f16[256,256] b=randn:f16[256,256] out=empty:f16[256,256] m=256 n=256 k=256 a_row=256 a_column=1 b_row=256 b_column=1 out_row=256 out_column=1 TILE_M=64 TILE_N=32 TILE_K=32 GROUP=2"),
}  # fmt: skip


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def stands(page, seen: str) -> None:
    page.wait_for_function("(seen) => document.body.dataset.status === 'stopped' && document.body.dataset.seen !== seen", arg=seen, timeout=120_000)


def main() -> int:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=sys.argv[1]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        ready = []
        for _ in range(5):
            page = browser.new_context(bypass_csp=True).new_page()  # nothing in the cache; waiting evaluates texts
            begin = time.perf_counter()
            page.goto(address)
            stands(page, "0")
            ready.append((time.perf_counter() - begin) * 1000)
            page.close()
        print(f"{'ready: softmax stands at its first op':40} {min(ready):8.0f} {statistics.median(ready):8.0f}")
        page = browser.new_context(bypass_csp=True).new_page()
        page.goto(address)
        stands(page, "0")
        for name, (example, grid, words) in LAUNCHES.items():
            page.locator("#examples").select_option(example)
            times = []
            for _ in range(5):
                page.wait_for_function("document.body.dataset.status === 'stopped'")
                page.wait_for_timeout(700)  # the spare worker is there
                if page.locator("#edit").is_hidden():
                    page.get_by_role("button", name="Edit", exact=True).click()
                page.locator("#edit-grid").fill(grid)
                page.locator("#edit-arguments").fill(words)
                times.append(
                    page.evaluate("""async () => {
                      const begin = performance.now();
                      const gone = new Promise((done) => new MutationObserver(done).observe(document.body, { attributes: true, attributeFilter: ["data-status"] }));
                      document.querySelector("#edit form button[type=submit]").click();
                      await gone;
                      while (!(document.body.dataset.status === "stopped" && document.body.dataset.seen !== "0")) await new Promise((done) => setTimeout(done, 5));
                      return performance.now() - begin;
                    }""")
                )
            print(f"{name:40} {min(times):8.0f} {statistics.median(times):8.0f}")
        browser.close()
    server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
