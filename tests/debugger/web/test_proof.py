"""What `lockstep prove` says, on the page: the answer for all sizes, marks beside the source, a contract that a person writes."""

from __future__ import annotations

import re

import pytest
from conftest import picture, tab
from test_page import MISSING_MASK, line_of, settle

expect = pytest.importorskip("playwright.sync_api").expect


def mark_of(page, line: int):
    return page.locator(f"#source .column:not(.ttir) li[data-line='{line}'] .mark")


def open_proof(page) -> None:
    tab(page, "Proof")
    expect(page.locator("#proof .told")).to_be_visible()


def test_the_launch_is_proved_for_all_sizes(serve, page):
    page.goto(serve().address)
    line_of(page)
    open_proof(page)
    proof = page.locator("#proof")
    expect(proof.locator(".told")).to_contain_text("softmax holds for all launches with")
    expect(proof.locator(".conditions li")).not_to_have_count(0)
    expect(proof.locator(".conditions code").first).to_contain_text("x_stride")
    contract = proof.locator("textarea").input_value().split("\n")
    assert "x=fp32[rows,columns]:(x_stride,1)" in contract and "--grid rows, 1, 1" in contract, contract
    row = proof.locator("tr[data-proof=needs]").first
    line = int(row.locator("button").inner_text().split(":")[1])
    expect(mark_of(page, line)).to_have_text("○")
    expect(mark_of(page, line)).to_have_attribute("title", re.compile("bounds|integers"))
    row.locator("button").click()
    expect(page.locator(f"#source li[data-line='{line}'] .gutter")).to_be_focused()
    picture(page, "proof")
    page.keyboard.press("n")  # it stays while the launch moves
    settle(page)
    expect(mark_of(page, line)).to_have_text("○")
    expect(proof.locator(".told")).to_be_visible()


def test_a_launch_that_fails_is_shown_with_its_command(serve, page):
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    open_proof(page)
    proof = page.locator("#proof")
    expect(proof.locator(".told")).to_contain_text("vector_add fails")
    expect(proof.locator(".counterexample pre")).to_contain_text("lockstep run examples/vector_add_missing_mask.py::vector_add --grid ")
    line = int(proof.locator("tr[data-proof=fails] button").first.inner_text().split(":")[1])
    expect(mark_of(page, line)).to_have_text("✗")


def test_a_contract_that_a_person_writes(serve, page):
    page.goto(serve().address)
    line_of(page)
    open_proof(page)
    proof = page.locator("#proof")
    contract = proof.locator("textarea")
    before = contract.input_value()
    contract.fill(before.replace("x=fp32[rows", "x=fp32[rows - 1"))
    proof.get_by_role("button", name="Prove", exact=True).click()
    expect(proof.locator(".told")).to_contain_text("softmax fails")
    contract.fill(before + "\n<img src=x onerror=alert(1)>")  # text, never markup
    proof.get_by_role("button", name="Prove", exact=True).click()
    expect(proof.locator(".bad")).to_contain_text("is not a name")
    expect(proof.locator("img")).to_have_count(0)
    contract.fill(before)
    proof.get_by_role("button", name="Prove", exact=True).click()
    expect(proof.locator(".told")).to_contain_text("softmax holds")
