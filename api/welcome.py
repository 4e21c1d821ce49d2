"""The page that a person sees at `/`: where the doors are, with one example each."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse

_TEMPLATE = Path(__file__).with_name("welcome.html").read_text(encoding="utf-8")


def _policy(page: str) -> str:
    """Nothing may be loaded or run; of styles, only the one that stands in the page."""
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() for style in styles]
    allowed = " ".join(f"'sha256-{hash_}'" for hash_ in hashes)
    return (
        f"default-src 'none'; style-src {allowed}; img-src data:; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    )


_HEADERS = {
    "content-security-policy": _policy(_TEMPLATE),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


async def welcome(request: Request) -> HTMLResponse:
    """Answers `/`."""
    return welcome_page(request)


def welcome_page(request: Request) -> HTMLResponse:
    """The page, with the address that it was asked at in its examples."""
    base = html.escape(str(request.base_url).rstrip("/"))
    return HTMLResponse(_TEMPLATE.replace("{{base}}", base), headers=_HEADERS)
