"""What must not get through: requests without the token, from other pages and by other names, and kernels that would like
to be script."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket

import pytest
from conftest import picture, tab

expect = pytest.importorskip("playwright.sync_api").expect


def get(server, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


def upgrade(server, path: str, **headers: str) -> int:
    wanted = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    return get(server, path, **wanted, **headers)[0]


def test_the_token_is_needed(serve):
    server = serve()
    assert get(server, "/")[0] == 200, "the page itself tells nothing"
    for path in ("/session.json", "/session.json?token=", f"/session.json?token={server.token[:-1]}", f"/session.json?token={server.token}0"):
        assert get(server, path)[0] == 403
    assert get(server, f"/session.json?token={server.token}")[0] == 200
    assert upgrade(server, "/dap") == 403 and upgrade(server, f"/dap?token={server.token[::-1]}") == 403
    assert serve().token != server.token


def test_other_names_and_origins_are_refused(serve):
    server = serve()
    own = f"127.0.0.1:{server.port}"
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "", f"127.0.0.1:{server.port + 1}"):
        assert get(server, "/", Host=host)[0] == 403, host
    for host in (own, f"localhost:{server.port}", f"[::1]:{server.port}"):
        assert get(server, "/", Host=host)[0] == 200, host
    path = f"/dap?token={server.token}"
    for origin in ("http://evil.example", f"https://{own}", "null", f"http://{own}.evil.example"):
        assert upgrade(server, path, Origin=origin) != 101, origin
    assert upgrade(server, path, Origin=f"http://{own}") == 101
    assert upgrade(server, path) == 101, "a client that is no browser"


def test_only_the_pages_files_are_served(serve):
    server = serve()
    for path in ("/../../etc/passwd", "/js/../../CMakeLists.txt", "//etc/passwd", "/js/%2e%2e/x", "/js", "/examples/softmax.py"):
        assert get(server, path)[0] == 404, path
    status, headers, text = get(server, "/js/main.js")
    assert status == 200 and text and headers["X-Content-Type-Options"] == "nosniff"
    assert "script-src 'self';" in headers["Content-Security-Policy"] and "unsafe" not in headers["Content-Security-Policy"]
    assert get(server, "/", "POST")[0] == 405


def test_floods_and_rubbish_end_nothing(serve):
    server = serve()
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    for text in (b"\x00" * 100, b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"a" * 20000 + b" HTTP/1.1\r\n\r\n", b"\r\n" * 50):
        with socket.create_connection(("127.0.0.1", server.port)) as one:
            with contextlib.suppress(OSError):  # the server may close before all of it has come
                one.sendall(text)
                one.shutdown(socket.SHUT_WR)
                while one.recv(4096):
                    pass
    assert get(server, "/")[0] == 200
    for one in idle:
        one.close()
    assert server.process.poll() is None


def test_interrupts_end_it(serve):
    server = serve()
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(20) == 130


HOSTILE = '''
import triton
import triton.language as tl


@triton.jit
def shout(out, n, BLOCK: tl.constexpr):
    # <script>window.pwned = 1</script> </textarea><img src=x onerror="window.pwned = 1">
    i = tl.arange(0, BLOCK)
    tl.device_print("<img src=x onerror=window.pwned=1>", i)
    tl.store(out + i, i)
'''


def test_a_kernels_text_is_no_script(serve, page, tmp_path):
    name = "<img src=x onerror=window.pwned=1>.py"
    (tmp_path / name).write_text(HOSTILE)
    server = serve(f"{tmp_path / name}::shout", "--grid", "1", "out=empty:i32[4]", "n=4", "BLOCK=8")
    page.goto(server.address)
    expect(page.locator("#source li.current")).to_have_count(1)
    tab(page, "Console")
    page.locator("#console-input").fill('"<img src=x onerror=window.pwned=1>"')
    page.keyboard.press("Enter")
    page.locator("h1").click()
    page.keyboard.press("c")
    expect(page.locator("#findings li b").first).to_have_text("LS101")
    picture(page, "hostile")
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert page.evaluate("document.scripts.length") == 1


def test_wrong_words_are_said_before_anything_listens():
    import subprocess  # noqa: PLC0415 - the one test that needs no server

    done = subprocess.run([os.environ["LOCKSTEP_EXECUTABLE"], "serve", "--grid", "4"], capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 2 and done.stderr.startswith("error: ") and "serve --help" in done.stderr
