"""Both pages in real headless Chromium: they load nothing from elsewhere, and the first example shows Fireball.

The screenshots lie in `build/screenshots/` afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.app import create_app
from api.playground import page
from api.playground.content import clients, examples
from api.settings import Settings
from tests.contracts.house import ROOT
from tests.support.browser import NOT_BUILT, Browser, Tab, chromium, missing
from tests.support.server import serving

SCREENSHOTS = ROOT / "build" / "screenshots"
WIDTHS = {"desktop": (1280, 800), "phone": (360, 740)}
CONTROL = 2
ANSWER = """
    [...document.querySelectorAll('.graphiql-response .view-lines')].map((one) => one.innerText).join('')
        .replaceAll('\\u00a0', ' ')
"""
"""What the answer's editor shows, as text."""

SHOWN = """
    [...document.querySelectorAll('.graphiql-response .view-line')]
        .filter((one) => one.innerText.includes('Fireball'))
        .map((one) => one.getBoundingClientRect())
        .some(({ top, bottom }) => top >= 0 && bottom <= innerHeight)
"""
"""Whether Fireball can be read without scrolling."""

READY = "document.querySelector('.result-window .monaco-editor')"
"""The last piece of GraphiQL to come; before it there is nowhere to show an answer."""

COLOURS = """
    new Set([...document.querySelectorAll('.graphiql-query-editor .view-line span span')]
        .map((one) => one.className).filter((name) => /^mtk[0-9]+$/.test(name))).size
"""
"""How many colours the query is shown in; it is 1 until its language is loaded."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def built_url(seeded_settings: Settings) -> Iterator[str]:
    if not (page.BUILT / "index.html").is_file():
        missing(NOT_BUILT)
    with serving(create_app(seeded_settings, prepared=True)) as url:
        yield url


@pytest.fixture(scope="module")
def plain_url(seeded_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "BUILT", tmp_path_factory.mktemp("not-built"))
        app = create_app(seeded_settings, prepared=True)
    with serving(app) as url:
        yield url


def assert_kept_to_itself(tab: Tab, url: str) -> None:
    """Everything was asked of the server itself, all of it was there, and nothing was refused or went wrong."""
    elsewhere = [one for one in tab.requests if not one.startswith((f"{url}/", "data:"))]
    assert elsewhere == []
    assert {one: status for one, status in tab.statuses.items() if status >= 400} == {}
    assert tab.problems == []
    assert f"{url}/graphql" in tab.requests


def run(tab: Tab) -> None:
    """Clicks on the button that runs the query, once the answer has a place."""
    tab.until(READY)
    tab.evaluate("document.querySelector('.graphiql-execute-button').click()")


def assert_fits(tab: Tab) -> None:
    """Nothing is wider than the window."""
    width, inner = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= inner


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", WIDTHS)
def test_the_built_page(device: str, dark: bool, browser: Browser, built_url: str) -> None:
    width, height = WIDTHS[device]
    shown = SCREENSHOTS / f"page-{device}-{'dark' if dark else 'light'}"
    with browser.tab(width=width, height=height, dark=dark) as tab:
        tab.open(f"{built_url}/")
        tab.until(
            "document.querySelector('.graphiql-query-editor .view-lines')?.innerText.includes('evocation')"
        )
        # The first example is open; one click answers it.
        run(tab)
        tab.until(f"({ANSWER}).includes('Fireball')")
        assert tab.evaluate(SHOWN)
        tab.until(f"({COLOURS}) > 3")
        tab.screenshot(shown.with_suffix(".png"))
        assert_fits(tab)
        for view, sign in {"sources": "SRD", "connect": "mcpServers"}.items():
            tab.evaluate(f"document.querySelector('nav a[href=\"#{view}\"]').click()")
            tab.until(f"document.querySelector('.lore-panel')?.innerText.includes('{sign}')")
            tab.screenshot(shown.with_name(f"{shown.name}-{view}.png"))
            assert_fits(tab)
        assert_kept_to_itself(tab, built_url)
        assert {one.rpartition("/")[2].split(".")[0] for one in tab.workers} >= {"graphql", "editor"}


def test_a_browser_at_the_graphql_door_gets_the_same_page(browser: Browser, built_url: str) -> None:
    with browser.tab() as tab:
        tab.open(f"{built_url}/graphql?query=%7B__typename%7D")
        tab.until(
            "document.querySelector('.graphiql-query-editor .view-lines')?.innerText.includes('__typename')"
        )
        run(tab)
        tab.until(f"""({ANSWER}).includes('"__typename": "Query"')""")
        assert_kept_to_itself(tab, built_url)


def test_every_example_of_the_built_page_opens_and_answers(browser: Browser, built_url: str) -> None:
    with browser.tab(height=1000) as tab:
        tab.open(f"{built_url}/")
        tab.until("document.querySelector('.lore-examples button:not([disabled])')")
        listed = tab.evaluate(
            "[...document.querySelectorAll('.lore-examples button')].map((one) => one.innerText)"
        )
        assert sorted(listed) == sorted(example.title for example in examples())
        for place, title in enumerate(listed):
            button = f"document.querySelectorAll('.lore-examples button')[{place}]"
            tab.evaluate(f"{button}.click()")
            tab.until(f"{button}.getAttribute('aria-current') === 'true'")
            tab.until(f"""({ANSWER}).includes('"data"')""")
            assert '"errors"' not in tab.evaluate(ANSWER), title
        assert_kept_to_itself(tab, built_url)


def test_the_keyboard_runs_a_query_in_the_built_page(browser: Browser, built_url: str) -> None:
    with browser.tab() as tab:
        tab.open(f"{built_url}/")
        tab.until(READY)
        tab.evaluate("document.querySelector('.graphiql-query-editor textarea').focus()")
        tab.press("Enter", code=13, modifiers=CONTROL)
        tab.until(f"({ANSWER}).includes('Fireball')")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", WIDTHS)
def test_the_plain_page(device: str, dark: bool, browser: Browser, plain_url: str) -> None:
    width, height = WIDTHS[device]
    with browser.tab(width=width, height=height, dark=dark) as tab:
        tab.open(f"{plain_url}/")
        tab.until("document.getElementById('query').value.includes('evocation')")
        tab.until("document.querySelector('.source')")
        tab.evaluate("document.getElementById('run').click()")
        tab.until("document.getElementById('result').textContent.includes('Fireball')")
        tab.screenshot(SCREENSHOTS / f"plain-{device}-{'dark' if dark else 'light'}.png")
        assert_fits(tab)
        assert tab.evaluate("document.querySelectorAll('#connect details').length") == len(clients())
        assert f"{plain_url}/mcp" in tab.evaluate("document.getElementById('connect').textContent")
        assert_kept_to_itself(tab, plain_url)


def test_every_example_of_the_plain_page_answers(browser: Browser, plain_url: str) -> None:
    with browser.tab() as tab:
        tab.open(f"{plain_url}/graphql")
        tab.until(f"document.querySelectorAll('.example').length === {len(examples())}")
        for place, example in enumerate(examples()):
            tab.evaluate(f"document.querySelectorAll('.example')[{place}].click()")
            tab.until("document.getElementById('status').textContent.startsWith('Answered')")
            assert tab.evaluate("document.getElementById('query').value") == example.query
            assert '"errors"' not in tab.evaluate("document.getElementById('result').textContent")
        assert_kept_to_itself(tab, plain_url)


def test_the_keyboard_runs_a_query_in_the_plain_page(browser: Browser, plain_url: str) -> None:
    with browser.tab() as tab:
        tab.open(f"{plain_url}/")
        tab.until("document.querySelectorAll('.example').length > 0")
        tab.evaluate("document.getElementById('query').focus()")
        tab.press("Enter", code=13, modifiers=CONTROL)
        tab.until("document.getElementById('result').textContent.includes('Fireball')")


def test_a_mistake_in_the_plain_page_is_named(browser: Browser, plain_url: str) -> None:
    with browser.tab() as tab:
        tab.open(f"{plain_url}/")
        tab.until("document.querySelectorAll('.example').length > 0")
        tab.evaluate(
            "document.getElementById('variables').value = '{first: 5'; document.getElementById('run').click()"
        )
        tab.until("document.getElementById('status').textContent.startsWith('The variables are not JSON')")
        assert tab.evaluate("document.activeElement.id") == "variables"


def test_the_recorder_notes_what_the_policy_refuses(browser: Browser, plain_url: str) -> None:
    """So that an empty list of problems says something."""
    with browser.tab() as tab:
        tab.open(f"{plain_url}/")
        tab.evaluate(
            "document.body.append(Object.assign(new Image(), {src: 'http://elsewhere.invalid/x.png'}))"
        )
        tab.evaluate("document.body.setAttribute('onclick', '1')")
        tab.until("true")
        said = " ".join(tab.problems)
        assert "elsewhere.invalid" in said
        assert "inline" in said


def test_screenshots_are_left_out_of_the_repository() -> None:
    assert "build/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert Path("build") in SCREENSHOTS.relative_to(ROOT).parents
