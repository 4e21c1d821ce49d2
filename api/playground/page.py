"""The page at `/` and, for a browser, at `/graphql`.

There are two of it. The built page is GraphiQL with our panels; `make page` builds it from npm packages into
`static/`, which is not in the repository. Where that was not done, the plain page of `plain/` is served: no build,
the same examples, a query and its result. Neither asks anything of another host.
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.playground.assets import REVALIDATED, Assets, etag_of, unchanged
from api.playground.content import content

HERE = Path(__file__).parent
BUILT = HERE / "static"
PLAIN = HERE / "plain"

_NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

PLAIN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + _NOTHING_ELSE
)
"""Of the plain page: its own script, style and icon, and questions to this server."""

BUILT_POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " + _NOTHING_ELSE
)
"""Of the built page. Scripts, workers and requests are this server's alone, and no script may stand in the page.

Styles are the one exception. Monaco, the editor in GraphiQL, makes `style` elements for its themes and its cursor
and writes lines of text with `style` attributes, without a nonce and with content that no hash can foresee. The
page shows no text of others as HTML, and no style can load from elsewhere: images and fonts are bound as well.
"""


class Playground:
    """The page and its files: the built page, if it is in `built` (`BUILT`) when this is made; else the plain one."""

    def __init__(self, built: Path | None = None) -> None:
        built = BUILT if built is None else built
        index = built / "index.html"
        self.is_built = index.is_file()
        self._html = (index if self.is_built else PLAIN / "index.html").read_bytes()
        self._headers = {
            "Content-Security-Policy": BUILT_POLICY if self.is_built else PLAIN_POLICY,
            "Cache-Control": REVALIDATED,
            "ETag": etag_of(self._html),
            # At `/graphql` the same address answers programs with JSON.
            "Vary": "Accept",
        }
        self._assets = Assets(
            immutable=built / "playground",
            revalidated=PLAIN / "playground",
            made={"content.json": content()},
        )

    def page(self, request: Request) -> Response:
        """The page, as an answer to a GET or a HEAD."""
        if unchanged(request, self._headers["ETag"]):
            return Response(status_code=304, headers=self._headers)
        return Response(self._html, headers=self._headers, media_type="text/html; charset=utf-8")

    def routes(self) -> list[Route]:
        """The routes of the page and of what it loads."""
        return [
            Route("/", self._root, name="page"),
            Route("/playground/{name:path}", self._assets.__call__, name="playground"),
        ]

    async def _root(self, request: Request) -> Response:
        return self.page(request)
