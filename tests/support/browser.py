"""A real headless Chromium, driven over its DevTools protocol, that keeps account of what every page does.

The protocol is JSON over one WebSocket. What a page or one of its workers requests, logs, throws, or is refused by
its Content-Security-Policy arrives as events, and is kept on the `Tab` in the order of arrival.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

START_SECONDS = 30.0
ANSWER_SECONDS = 30.0
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)

NOT_BUILT = "this needs the built page: run `make page`, which needs the packages nodejs and npm"


def in_ci() -> bool:
    """Whether a missing program is a failure rather than a reason to skip."""
    return os.environ.get("CI", "").lower() == "true"


def missing(reason: str) -> None:
    """Skips the test by name of what it lacks; fails it under CI."""
    if in_ci():
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser with an empty profile; skips the test where there is none."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        missing("this needs Chromium: install the package chromium")
        return
    # Chromium may still write into its profile while it ends.
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            address = _address(process)
            with connect(address, max_size=None, open_timeout=START_SECONDS) as socket:
                yield Browser(socket)
        finally:
            process.terminate()
            try:
                process.wait(START_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stderr is not None:
                process.stderr.close()


def _address(process: subprocess.Popen[str]) -> str:
    """The address that Chromium says it listens at."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("DevTools listening on "):
            return line.split()[-1]
    raise AssertionError(f"Chromium did not start: {''.join(said)[-2000:]}")


class Browser:
    """The connection to one Chromium."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._tabs: dict[str, Tab] = {}

    @contextmanager
    def tab(self, *, width: int = 1280, height: int = 800, dark: bool = False) -> Iterator[Tab]:
        """A new tab in a profile of its own. Below 600 pixels it is a phone: touch, two device pixels a pixel."""
        context = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        self._tabs[session] = tab
        self._listen(session)
        phone = width < 600
        tab.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        tab.send("Emulation.setEmulatedMedia", features=[scheme])
        try:
            yield tab
        finally:
            self.send("Target.disposeBrowserContext", browserContextId=context)

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """The result of one command; events that arrive before it are given to their tabs."""
        id_ = self._post(method, session, params)
        while True:
            message = json.loads(self._socket.recv(ANSWER_SECONDS))
            if message.get("id") == id_:
                assert "error" not in message, f"{method}: {message['error']['message']}"
                result: dict[str, Any] = message["result"]
                return result
            if "method" in message:
                self._note(message)

    def _post(self, method: str, session: str | None, params: dict[str, Any]) -> int:
        id_ = next(self._ids)
        command: dict[str, Any] = {"id": id_, "method": method, "params": params}
        if session is not None:
            command["sessionId"] = session
        self._socket.send(json.dumps(command))
        return id_

    def _listen(self, session: str) -> None:
        """Asks for the events of a page or worker, which waits until then."""
        for domain in ("Network", "Runtime", "Log"):
            self._post(f"{domain}.enable", session, {})
        attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
        self._post("Target.setAutoAttach", session, attach)
        self._post("Runtime.runIfWaitingForDebugger", session, {})

    def _note(self, message: dict[str, Any]) -> None:
        tab = self._tabs.get(message.get("sessionId", ""))
        if tab is None:
            return
        method, params = message["method"], message["params"]
        if method == "Target.attachedToTarget":
            tab.workers.append(params["targetInfo"]["url"])
            self._tabs[params["sessionId"]] = tab
            self._listen(params["sessionId"])
        elif method == "Network.requestWillBeSent":
            tab.requests.append(params["request"]["url"])
        elif method == "Network.responseReceived":
            tab.statuses[params["response"]["url"]] = params["response"]["status"]
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            tab.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            said = [str(one.get("value", one.get("description"))) for one in params["args"]]
            tab.problems.append(f"console.{params['type']}: {' '.join(said)}")
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            entry = params["entry"]
            tab.problems.append(f"{entry['source']}: {entry['text']} {entry.get('url', '')}")


@dataclass
class Tab:
    """One page, and what it and its workers did.

    `requests` are the addresses of all requests, `statuses` the status of each answered address, `workers` the
    addresses of its workers, `problems` errors and warnings of the console, exceptions, and refusals of the policy.
    """

    browser: Browser
    session: str
    requests: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    workers: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one command to this page."""
        return self.browser.send(method, self.session, **params)

    def open(self, url: str) -> None:
        """Goes to an address, and returns when the page and what it names are loaded."""
        self.send("Page.enable")
        result = self.send("Page.navigate", url=url)
        assert "errorText" not in result, result["errorText"]
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page, awaited."""
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        details = result.get("exceptionDetails")
        assert details is None, details
        return result["result"].get("value")

    def until(self, condition: str, *, seconds: float = 20) -> None:
        """Returns when a JavaScript condition holds in the page."""
        holds = self.evaluate(
            "new Promise((resolve) => {"
            f"  const end = performance.now() + {seconds * 1000};"
            "  const look = () => {"
            "    let held = false;"
            f"    try {{ held = Boolean({condition}); }} catch {{ held = false; }}"
            "    if (held || performance.now() > end) resolve(held); else setTimeout(look, 40);"
            "  };"
            "  look();"
            "})"
        )
        assert holds, f"did not come true: {condition}\n{self.evaluate('document.body.innerText')[:2000]}"

    def press(self, key: str, *, code: int, modifiers: int = 0) -> None:
        """Presses and releases one key. `modifiers`: 1 Alt, 2 Control, 4 Meta, 8 Shift, added up."""
        stroke = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="rawKeyDown", **stroke)
        self.send("Input.dispatchKeyEvent", type="keyUp", **stroke)

    def screenshot(self, path: Path) -> None:
        """Writes what is seen now as a PNG file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
