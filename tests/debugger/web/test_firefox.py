"""The page in another browser: its main ways once, with no script that fails."""

from __future__ import annotations

from collections.abc import Callable

from conftest import Served
from firefox import Firefox, firefox, free_port  # noqa: F401

KEEP_FAILURES = """
window.failures = [];
addEventListener("error", event => window.failures.push(String(event.message)));
addEventListener("unhandledrejection", event => window.failures.push(String(event.reason)));
"""


def has(text: str) -> str:
    return f"return document.body.innerText.includes({text!r})"


def test_steps_runs_and_edits(firefox: Firefox, serve: Callable[..., Served]) -> None:  # noqa: F811
    firefox.open(serve().address)
    firefox.evaluate(KEEP_FAILURES)
    firefox.press("Next")
    firefox.wait(has("line 13"))
    firefox.press("Run")
    firefox.wait(has("End of the launch"))
    firefox.wait(has("no findings"))
    assert firefox.wait("return document.querySelectorAll('#results canvas').length") >= 1
    firefox.press("Back")
    firefox.wait(has("(3, 0, 0), line 17"))
    firefox.press("Edit")
    # CodeMirror stands in a shadow root.
    text = firefox.wait("return document.querySelector('#edit .code-text').shadowRoot?.querySelector('.cm-content')?.innerText")
    assert "def softmax" in text
    firefox.evaluate("document.querySelector('#edit-grid').value = '3'; document.querySelector('#edit form').requestSubmit()")
    firefox.wait(has("3 ended"))
    assert firefox.evaluate("return window.failures") == []
